"""The README: its size, its links, its picture, and what it says that is printed."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

import hetsel
from hetsel.shell.main import main

ROOT = Path(__file__).parents[1]
SITE = ROOT / "vignettes/site"
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMPARE = (SITE / "compare.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "hetsel/README.md", *SITE.glob("*.md")]
PAGES += [ROOT / "vignettes/glossary.md", *sorted((ROOT / ".github").glob("*.md"))]
SECONDS = re.compile(r", \d+\.\d+ s$", re.MULTILINE)


def block(kind, page=README, number=0):
    """Return a block of code of a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[number]


def prose(text):
    """The sentences of a page: no code, no tables, no headings, no addresses."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^(\||#|!\[).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    paragraphs = re.split(r"\n\n|^- ", text, flags=re.MULTILINE)
    for paragraph in paragraphs:
        yield from (s for s in re.split(r"(?<=[.?])\s+", paragraph.strip()) if s)


@pytest.fixture(scope="module")
def signature():
    """That of the README, of one process."""
    heart = hetsel.datasets.load("heart")
    return hetsel.Signature().fit(heart.X, heart.y)


def test_two_pages_of_short_sentences():
    assert README.count("\n") <= 120
    assert len(README) <= 8_000
    words = [len(sentence.split()) for sentence in prose(README)]
    assert len(words) > 30
    assert sum(words) / len(words) < 16


def places(path):
    """What links to a page may name: its headings, as hosts and the site spell them."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        yield re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_places_that_exist(page):
    text = page.read_text(encoding="utf-8")
    for address in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in address or address.startswith("mailto:"):
            continue
        path, _, place = address.partition("#")
        target = (page.parent / path).resolve() if path else page
        generated = SITE / "changes.md"
        assert target.exists() or target == generated, address
        assert not place or place in set(places(target)), address


def test_the_readme_links_every_start_and_question_of_the_site():
    linked = set(re.findall(r"vignettes/site/([\w-]+)\.md", README))
    index = (SITE / "index.md").read_text(encoding="utf-8")
    for caption in ("Start", "Questions"):
        entries = re.search(rf":caption: {caption}\n\n(.*?)```", index, re.DOTALL)[1].split()
        assert len(entries) > 3
        assert set(entries) <= linked


def test_the_numbers_that_say_why():
    heart = hetsel.datasets.load("heart").X
    indicators = pd.get_dummies(heart).shape[1]
    assert f"The {heart.shape[1]} features of the heart table stay {heart.shape[1]}" in README
    assert f"With one 0/1 column per level they would be {indicators}." in README
    lines = (ROOT / "vignettes/claims.jsonl").read_text(encoding="utf-8").splitlines()
    claims = [line for line in map(json.loads, lines) if line["claim"] == "estimate"]
    errors = [line["value"] for line in claims if line["measure"] == "estimate less truth"]
    worst = max(map(abs, errors))
    fewest = min(line["tables"] for line in claims if line["measure"] == "estimate less truth")
    assert f"We ran {len(errors)} simulations of at least {fewest} tables each." in README
    assert f"the true balanced accuracy by at most {worst:.3f}." in README
    assert f"There are {len(hetsel.method_keys())} [methods]" in README


def test_the_shell_prints_what_the_readme_shows(capsys):
    shown = block("console")
    command, _, rest = shown.partition("\n")
    assert command.startswith("$ hetsel rank ")
    expected = rest.partition("\n$ ")[0]
    assert main(command.split()[2:]) == 0
    assert SECONDS.sub("", capsys.readouterr().out.strip()) == SECONDS.sub("", expected.strip())
    assert "hetsel proves which ranks are free of them: in the heart table, all 13." in README
    assert "all 13 ranks are proved" in expected


@pytest.mark.slow
def test_python_prints_what_the_readme_shows(signature, capsys):
    program, expected = block("python"), block("text")
    tree = ast.parse(program)
    fitted = [node for node in tree.body if isinstance(node, ast.Assign)]
    assert ast.unparse(fitted[1]).startswith("signature = hetsel.Signature(n_jobs=2).fit(")
    tree.body.remove(fitted[1])  # the same answer in one process
    exec(compile(tree, "README.md", "exec"), {"signature": signature})
    assert capsys.readouterr().out == expected


@pytest.mark.slow
def test_r_prints_the_numbers_that_the_readme_shows(r_library):
    program = block("r").replace(
        "jobs = 2", "permutations = 0, pairs = 0"
    )  # no part of what it prints
    assert "permutations" in program
    program = program[: program.index("hetsel_report(")]
    environment = {**os.environ, "RETICULATE_PYTHON": sys.executable, "R_LIBS": r_library}
    done = subprocess.run(
        ["Rscript", "-e", program], capture_output=True, text=True, check=True, env=environment
    )
    printed = [line.split() for line in done.stdout.splitlines()]
    assert printed[0] == ["measure", "class", "estimate", "low", "high", "rows"]
    rate, low, high = (f"{float(number):.3f}" for number in printed[1][2:5])
    (shown,) = re.findall(r"95% CI: (.*)$", block("text"), re.MULTILINE)
    assert re.findall(r"[\d.]*\d", shown.replace("95%", "")) == [rate, low, high]


def test_tests_of_a_table_of_scores_print_what_the_page_shows(capsys):
    programs = re.findall(r"```python\n(.*?)```", COMPARE, re.DOTALL)
    program = next(code for code in programs if "friedman" in code)
    exec(compile(program, "compare.md", "exec"), {})
    assert capsys.readouterr().out == block("text", COMPARE)


@pytest.mark.slow
def test_the_picture_shows_what_is_printed_today(signature, capsys):
    kept = Image.open(SITE / "_static/front.png").text
    assert main(["rank", "heart"]) == 0
    assert kept["ranking"].strip() == SECONDS.sub("", capsys.readouterr().out.strip())
    assert hetsel.summary(signature) in kept["signature"]


def test_the_badges_say_what_is_declared():
    sys.path.insert(0, str(SITE))
    try:
        from front_figure import badges
    finally:
        sys.path.remove(str(SITE))
    for name, svg in badges().items():
        assert (SITE / "_static" / name).read_text(encoding="utf-8") == svg
        value = re.search(r'aria-label="(.+?)"', svg)[1]
        assert f"![{value[0].upper()}{value[1:]}]" in README
