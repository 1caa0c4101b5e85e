"""Who imports whom: the floors of the design, kept by every file, function and string."""

import ast
import re
import subprocess
from datetime import date
from functools import cache
from pathlib import Path

import glossary
import pytest

ROOT = Path(__file__).parent.parent
MAP = (ROOT / "hetsel/README.md").read_text(encoding="utf-8")
# lowest first; rooms of one floor do not know each other
FLOORS = [
    set(re.findall(r"`(\w+)`", row[1])) for row in re.finditer(r"^\| \d+ \| (.+?) \|", MAP, re.M)
]
# room -> its folders, lowest first, those of one step in one set
FOLDERS = {
    row[1]: [set(re.findall(r"`(\w+)`", step)) for step in row[2].split("<")]
    for row in re.finditer(r"^\| `(\w+)` \| (`.+) \|$", MAP, re.M)
}
DECISIONS = ROOT / "hetsel/decisions"
FULLEST = 16  # files of a folder
CATALOGUES = {"methods", "sections", "signature_sections"}  # one file for each thing of its kind
TOP = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile"}
TOP |= {"hetsel", "r_bridge", "tests", "vignettes"}
# functions and classes of one name: what files of one kind have; words of plans and of answers
OF_SEVERAL = {"run", "blocks", "sentences", "main", "RandomForest", "Comparison"}
MODULE = re.compile(r"(hetsel|r_bridge)(\.[a-z_0-9{}]+)+")


def modules():
    """Dotted name and file of every module."""
    for path in sorted([*ROOT.glob("hetsel/**/*.py"), *ROOT.glob("r_bridge/**/*.py")]):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = dict(modules())


def docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            body = node.body
            if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                yield body[0].value


def named_in_strings(tree):
    """Modules of the project that strings name; docstrings are prose, not code."""
    prose = {id(node) for node in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            for match in MODULE.finditer(node.value):
                if match[0].split(".")[1] in rooms():
                    yield match[0]


@cache
def rooms():
    return {name.split(".")[1] for name in MODULES if "." in name}


@cache
def imported(path):
    """Modules of the project that a file imports, at its top or in a function."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = list(named_in_strings(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.append(full if full in MODULES else node.module)
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def floor(module):
    parts = module.split(".")
    if parts[0] == "r_bridge":
        return len(FLOORS)
    return next(height for height, names in enumerate(FLOORS) if parts[1] in names)


def arrows(name):
    """Modules that a module imports, itself and what is not of the project left out."""
    for other in imported(MODULES[name]):
        known = other in MODULES or other.split(".")[0] in ("hetsel", "r_bridge")
        if known and other != "hetsel" and not f"{name}.".startswith(f"{other}."):
            yield other


@pytest.mark.slow
def test_imports_run_downward_only():
    for name in set(MODULES) - {"hetsel", "r_bridge"}:
        for other in arrows(name):
            same_room = name.split(".")[:2] == other.split(".")[:2]
            assert same_room or floor(other) < floor(name) or floor(name) == len(FLOORS), (
                f"{name} imports {other}, which stands no lower"
            )


def test_the_public_names_are_read_from_above_only():
    """`hetsel/__init__` names the methods: to read it from below them is a circle."""
    readers = [name for name in MODULES if "hetsel" in imported(MODULES[name])]
    inside = [name for name in readers if name.startswith("hetsel.")]
    assert [name for name in inside if floor(name) <= floor("hetsel.methods")] == []
    assert inside


def test_no_file_imports_itself_by_way_of_others():
    graph = {name: {o for o in arrows(name) if o in MODULES} for name in MODULES}
    graph["hetsel"] = set()  # resolved at first use, on purpose
    done, path = set(), []

    def visit(name):
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name not in done:
            path.append(name)
            for other in sorted(graph[name]):
                visit(other)
            path.pop()
            done.add(name)

    for name in graph:
        visit(name)


def test_the_map_names_each_room_once():
    named = [room for rooms in FLOORS for room in rooms]
    there = {name.split(".")[1] for name in MODULES if name.startswith("hetsel.")}
    assert sorted(named) == sorted(there)


@pytest.mark.parametrize("room", FOLDERS)
def test_folders_of_a_room_import_downward_only(room):
    folders = FOLDERS[room]
    there = {path.parent.name for path in (ROOT / "hetsel" / room).glob("*/__init__.py")}
    assert there == set().union(*folders)
    height = {folder: step for step, group in enumerate(folders) for folder in group}
    for name in MODULES:
        for other in arrows(name) if name.startswith(f"hetsel.{room}.") else ():
            above, below = (part.split(".")[2] for part in (name, other + ".") if "." in part)
            if other.startswith(f"hetsel.{room}.") and {above, below} <= set(height):
                assert above == below or height[below] < height[above], f"{name} imports {other}"


def test_statistics_knows_arrays_and_no_tables():
    for name in MODULES:
        if name.startswith("hetsel.statistics"):
            assert not [other for other in arrows(name) if other.startswith("hetsel.tables")], name


def test_no_folder_is_a_long_list():
    for folder in {path.parent for path in MODULES.values()}:
        if not CATALOGUES & set(folder.parts):
            assert len(list(folder.glob("*.py"))) <= FULLEST, folder


def test_the_core_knows_nothing_of_the_bridge():
    for name in MODULES:
        if name.startswith("hetsel"):
            assert not [o for o in arrows(name) if o.startswith("r_bridge")], name


def test_one_name_for_one_thing():
    """No file name stands in two rooms, but for what the design names after its command."""
    commands = {path.stem for path in (ROOT / "hetsel/shell/commands").glob("*.py")}
    homes = {}
    for name, path in MODULES.items():
        if path.name != "__init__.py" and path.stem not in commands | {"__main__"}:
            homes.setdefault(path.stem, []).append(name)
    assert {stem: names for stem, names in homes.items() if len(names) > 1} == {}


def test_functions_and_classes_have_a_name_of_their_own():
    homes = {}
    for name, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and name.startswith("hetsel"):
                homes.setdefault(node.name, set()).add(name)
    twins = {name: found for name, found in homes.items() if len(found) > 1}
    twins = {name: found for name, found in twins.items() if not name.startswith("_")}
    assert twins.keys() == OF_SEVERAL, {name: twins[name] for name in twins.keys() - OF_SEVERAL}


def test_the_top_level_holds_what_the_design_names():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        names = {path.name for path in ROOT.iterdir()}  # a copy without git has no list
        assert names >= TOP
        return
    names = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert {name for name in names if not name.startswith(".")} == TOP


def test_nothing_looks_beside_the_clone_but_the_second_stage_of_its_checks():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:  # an archive of the sources
        pytest.skip("no git here")
    beside = re.compile(r"\.\./shared|[\"']shared[\"']|shared/data")
    named = set()
    for name in set(listed.stdout.splitlines()) - {"tests/test_house.py"}:
        if (ROOT / name).suffix not in (".png", ".jsonl", ".rds"):
            text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
            named |= {name} if beside.search(text) else set()
    assert named == {".ci/run"}


RECORDS = sorted(path for path in DECISIONS.glob("*.md") if path.name != "README.md")


def test_decisions_are_numbered_without_a_gap_or_a_double():
    numbers = [path.name.split("-")[0] for path in RECORDS]
    assert numbers == [f"{number:03d}" for number in range(1, len(RECORDS) + 1)]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_decision_has_a_title_its_four_parts_and_a_day(path):
    text = path.read_text(encoding="utf-8")
    assert re.match(rf"# {path.name[:3]}\. \S", text)
    parts = re.findall(r"^\*\*(\w+)\.\*\* (.+)", text, re.M)
    assert [name for name, _ in parts] == ["Context", "Decision", "Evidence", "Date"]
    date.fromisoformat(parts[-1][1])


def test_the_index_of_decisions_has_each_record_by_its_title_and_no_other():
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- (\d+) \[(.+)\]\((.+)\)$", index, re.M)
    titles = [path.read_text(encoding="utf-8").splitlines()[0] for path in RECORDS]
    assert [f"# {number}. {title}" for number, title, _ in listed] == titles
    assert [name for *_, name in listed] == [path.name for path in RECORDS]


# files in which a retired word has another sense, or is the name of data
ANOTHER_SENSE = {
    "missing cells": ("hetsel/shell/command_line.py", "hetsel/study", "r_bridge/from_r/studies.py"),
    "repeated rows": ("vignettes/what-it-claims.Rmd",),  # keys of claims.jsonl
    "balanced classification rate": (  # what paul2015 calls it
        "hetsel/search/criteria/rates/held_out_rates.py",
        "vignettes/site/papers.md",
    ),
    "observed over expected": ("hetsel/signature/planning/asked_rows.py",),  # a key
}


@pytest.mark.seconds
def test_retired_words_of_the_glossary_are_gone():
    terms = glossary.terms(ROOT)
    assert len(terms) > 60
    assert len({term.term for term in terms}) == len(terms)
    left = {
        (word, name)
        for word, names in glossary.places(ROOT, terms).items()
        for name in names
        if not name.startswith(ANOTHER_SENSE.get(word, ()))
    }
    assert left == set()


def test_retired_words_are_found_where_they_stand(tmp_path):
    (tmp_path / "README.md").write_text("The balanced\nrate of rows.", encoding="utf-8")
    (tmp_path / "hetsel").mkdir()
    code = 'said = (\n    f"{n} missing "\n    "cells"\n)  # never in a comment\n'
    (tmp_path / "hetsel/one.py").write_text(code, encoding="utf-8")
    terms = [glossary.Term("a", "", "", ("balanced rate", "missing cells", "never in"))]
    assert glossary.places(tmp_path, terms) == {
        "balanced rate": ["README.md"],
        "missing cells": ["hetsel/one.py"],
        "never in": [],
    }
