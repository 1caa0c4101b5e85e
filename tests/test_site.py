"""The pages of the site are complete: every public name, manual page and method has its place."""

import doctest
import importlib
import json
import re
import statistics
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

import hetsel
from hetsel import methods
from hetsel.models import final_classifiers
from hetsel.search.criteria import criteria_by_name

ROOT = Path(__file__).parents[1]
SITE = ROOT / "vignettes/site"
PACKAGE = ROOT / "r_bridge/hetsel"
JUDGES = ("clinical-svm", "5nn", "naive-bayes")
QUESTIONS = ("rank", "search-subsets", "select", "validate", "compare", "plan-rows")
QUESTIONS += ("columns", "targets")
PROGRAMS = (
    *("catalogue_pages", "docstring_text", "executed_examples", "gallery_page"),
    *("knit_documents", "link_check", "manual_pages", "plain_pages"),
)


def text(path):
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def programs():
    """The modules of the build, which import one another as programs of one folder do."""
    sys.path.insert(0, str(SITE))
    try:
        return {name: importlib.import_module(name) for name in PROGRAMS}
    finally:
        sys.path.remove(str(SITE))


def pages_of(path):
    """The entries of the tables of contents of a page."""
    for block in re.findall(r"```\{toctree\}\n(.*?)```", text(path), re.DOTALL):
        yield from (line for line in block.splitlines() if line and not line.startswith(":"))


def test_every_public_name_of_python_is_on_a_reference_page():
    found = set()
    for path in (SITE / "python").glob("*.md"):
        found |= set(re.findall(r"auto(?:function|class):: (?:hetsel\.)?([\w.]+)", text(path)))
    # classes of methods are listed from the catalogue; the data sets by the names of their module
    spaces = ("plots", "selection", "stability", "stats")
    within = {f"{space}.{name}" for space in spaces for name in getattr(hetsel, space).__all__}
    expected = set(hetsel.__all__) - {"__version__", "datasets", *spaces} | within
    expected -= set(methods.class_names())
    lacking = expected - found
    assert not lacking, f"into a page of vignettes/site/python: {sorted(lacking)}"
    elsewhere = {name for name in found - within if not hasattr(hetsel, name)}
    assert all(hasattr(hetsel.datasets, name) for name in elsewhere), elsewhere


def test_the_page_of_the_papers_names_files_and_methods_that_exist():
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \|", text(SITE / "papers.md"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([^`\s]+)`", row)}
    files = {name for name in named if "/" in name}
    assert len(files) > 30
    homes = (ROOT / "hetsel", ROOT)
    assert [name for name in files if not any((home / name).exists() for home in homes)] == []
    hyphened = {name for name in named if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name)}
    assert hyphened <= {*hetsel.method_keys(), *criteria_by_name.HOMES, *final_classifiers.FINAL}


def test_pictures_beside_a_document_come_with_it(programs):
    pictures = programs["knit_documents"].pictures
    folder = ROOT / "vignettes"
    assert list(pictures(folder / "a_million_rows.md")) == [
        ("documents/growth.png", folder / "growth.png")
    ]
    for path in folder.glob("*.md"):
        assert all(picture.is_file() for _, picture in pictures(path))


def test_every_manual_page_of_r_is_listed_once():
    listed = [name.removeprefix("r/") for name in pages_of(SITE / "reference-r.md")]
    there = sorted(path.stem for path in (PACKAGE / "man").glob("*.Rd"))
    assert sorted(listed) == there, "vignettes/site/reference-r.md lists other pages"


def test_every_export_of_r_has_a_manual_page():
    aliases = set()
    for path in (PACKAGE / "man").glob("*.Rd"):
        aliases |= set(re.findall(r"^\\alias\{(.+)\}$", text(path), re.MULTILINE))
    exports = set(re.findall(r"^export\((.+)\)$", text(PACKAGE / "NAMESPACE"), re.MULTILINE))
    assert len(exports) > 5
    assert not exports - aliases


def test_every_page_is_in_a_table_of_contents_and_every_entry_is_a_page():
    pages = {str(path.relative_to(SITE).with_suffix("")) for path in SITE.rglob("*.md")}
    entries = [name for page in sorted(pages) for name in pages_of(SITE / f"{page}.md")]
    assert len(entries) == len(set(entries))
    generated = {name for name in entries if name.startswith("r/")}
    generated |= {f"python/{family}" for family in methods.FAMILIES}
    generated |= {"changes", "contributing", "glossary", "map"}
    assert set(entries) == pages - {"index"} | generated


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_has_its_programs_and_links_to_both_references(programs, question):
    page, short = text(SITE / f"{question}.md"), question.split("-")[0]
    names = {name for name, _ in programs["plain_pages"].page_examples() if name.startswith(short)}
    assert names == {f"{short}_heart{suffix}" for suffix in (".py", ".R", ".sh")}
    built = dict(programs["plain_pages"].plain_pages())[f"{question}.md"]
    for name in names:
        assert f"{{literalinclude}} examples/{name}.txt\n" in built
    assert built.count(":::::{tab-set}\n:sync-group: language\n") == 1
    assert re.search(r"\]\(python/\w+\.md(#[\w-]+)?\)", page)
    assert "man/hetsel_" in page
    assert "](../glossary.md#" in page
    shown = re.findall(r"examples/(\w+\.\w+)\.figures/", page)
    assert set(shown) <= names


def test_the_numbers_for_a_referee_are_those_of_the_claims():
    page = text(SITE / "for-a-referee.md")
    lines = map(json.loads, text(ROOT / "vignettes/claims.jsonl").splitlines())

    def named(line):
        return json.dumps([line["design"], line["method"]], sort_keys=True)

    latest = {(line["claim"], line["measure"], named(line)): line for line in lines}

    def values(claim, measure):
        return [line for key, line in latest.items() if key[:2] == (claim, measure)]

    errors = values("estimate", "estimate less truth")
    covered = values("estimate", "intervals that hold the truth")
    assert len(errors) == len(covered)
    worst = max(abs(line["value"]) for line in errors)
    fewest = min(line["tables"] for line in errors)
    assert f"In {len(errors)} simulations with at least {fewest} tables each" in page
    assert f"differed from the true balanced accuracy by at most {worst:.3f}" in page
    assert f"{min(line['value'] for line in covered):.1%} of the 95% CIs contained" in page
    rejected = values("verdict on noise", "tables rejected at 0.025")
    verdicts = values("verdict", "tables rejected at 0.025")
    rejected += [line for line in verdicts if line["design"].get("telling") == 0]
    share, tables = max((line["value"] / line["tables"], line["tables"]) for line in rejected)
    assert f"the worst of {len(rejected)} simulations without a signal, {share:.1%}" in page
    assert f"of {tables} tables were called better than chance" in page
    bounds = {named(line): line["value"] for line in values("false selections", "bound")}
    kept = values("false selections", "false features")
    most = max(line["value"] / bounds[named(line)] for line in kept)
    assert f"In {len(kept)} simulations the mean number reached at most {most:.0%}" in page
    rates = values("false discoveries", "rate")
    rates += values("false discoveries, one design", "rate")
    assert f"the worst simulation had {max(line['value'] for line in rates):.3f}" in page


def test_the_catalogue_of_the_page_is_that_of_the_registry():
    def taken(kinds):
        return kinds if kinds.count(",") < 2 else "all"

    page = text(SITE / "methods.md")
    for row in hetsel.method_table().to_dict("records"):
        columns = taken(row["takes"])
        if row["takes_otherwise"] not in ("", row["takes"]):
            columns += f"; where the target is no classes {taken(row['takes_otherwise'])}"
        needs = f"; needs `hetsel[{row['requires']}]`" if row["requires"] else ""
        what = f"{row['title']}{needs}"
        cells = f"`{row['key']}`", what, row["family"], columns, row["targets"]
        line = f"| {' | '.join(cells)} |"
        assert line in page, f"this row belongs into vignettes/site/methods.md: {line}"
    rows = re.findall(r"^\| `[\w-]+` \|", page, re.MULTILINE)
    assert len(rows) == len(hetsel.method_keys())


def test_a_card_of_the_gallery_for_each_figure(programs):
    page = programs["gallery_page"].gallery()
    for suffix in (".py", ".R"):
        cells = text(SITE / f"examples/gallery{suffix}").count("# %% ")
        assert page.count(f"/examples/gallery{suffix}.figures/") == cells > 5
    assert page.count(":::{grid-item-card}") == page.count("```{image}")


def test_the_gallery_has_every_function_that_draws():
    programs = text(SITE / "examples/gallery.py")
    for name in (name for name in hetsel.__all__ if name.startswith("plot_")):
        assert f"hetsel.{name}(" in programs
    drawn = text(SITE / "examples/gallery.R")
    constructors = {"machine": "svm", "comparison": "compare", "signature": "select"}
    constructors |= {"row_plan": "plan_rows", "validation": "validate"}
    constructors |= {"path": "search", "ranking": "rank"}
    for line in re.findall(r"^S3method\(plot,hetsel_(\w+)\)", text(PACKAGE / "NAMESPACE"), re.M):
        assert f"hetsel_{constructors.get(line, line)}(" in drawn, f"no plot of a {line}"


def test_costs_and_results_are_those_of_the_study(programs):
    """Against plain loops over the lines, ranks by scipy."""
    found = programs["catalogue_pages"].costs_and_results()
    lines = text(ROOT / "vignettes/which_method_when.jsonl").splitlines()
    cells = {}
    for line in map(json.loads, lines):
        cells.setdefault((line["data"], line["split"]), {})[line["method"]] = line
    keys = sorted({key for cell in cells.values() for key in cell})
    assert len(keys) > 30
    rates, seconds = {}, {}
    for (data, _), cell in cells.items():
        if len(cell) == len(keys) and not any("failed" in line for line in cell.values()):
            judged = [
                statistics.fmean(
                    cell[key][judge] for judge in ("clinical-svm", "5nn", "naive-bayes")
                )
                for key in keys
            ]
            rates.setdefault(data, []).append(judged)
            seconds.setdefault(data, []).append([cell[key]["seconds"] for key in keys])
    means = np.array([np.mean(of_table, axis=0) for of_table in rates.values()])
    medians = np.array([np.median(of_table, axis=0) for of_table in seconds.values()])
    expected = {
        "rank": rankdata(-means, axis=1).mean(axis=0),
        "bcr": means.mean(axis=0),
        "seconds": np.median(medians, axis=0),
        "slowest": medians.max(axis=0),
    }
    for column, values in expected.items():
        np.testing.assert_allclose(found.loc[keys, column], values, rtol=1e-9)


@pytest.mark.seconds
def test_the_table_of_methods_has_every_method_once(programs):
    pages = dict(programs["catalogue_pages"].catalogue())
    rows = "".join(pages[f"generated/{family}.md"] for family in methods.FAMILIES)
    keys = re.findall(r"^\| \{py:class\}`(\S+) <", rows, re.MULTILINE)
    assert sorted(keys) == sorted(hetsel.method_keys())


def test_the_check_of_links_finds_what_is_broken(programs, tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html">to</a><a href="b.html#there">x</a><a href="https://example.org">y</a>'
        '<a href="#nowhere">z</a><a href="c.html">c</a><img src="picture.png">'
        '<script src="https://example.org/script.js"></script>',
    )
    (tmp_path / "b.html").write_text('<p id="there"></p><a href="a.html#other">x</a>')
    found = sorted(programs["link_check"].broken(tmp_path))
    assert [line.split(" ")[1] for line in found] == [
        *("#nowhere", "c.html", "picture.png", "script", "a.html#other"),
    ]


def test_examples_in_the_docstrings_of_the_build(programs):
    tried = 0
    for module in programs.values():
        result = doctest.testmod(module)
        assert not result.failed, module.__name__
        tried += result.attempted
    assert tried >= 5
