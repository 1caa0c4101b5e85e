"""The files of a command: refused before the work, written one by one after it."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from hetsel.ground.errors import PACKAGES
from hetsel.report.pages import signature_page
from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import BaseSelector
from hetsel.shell import output_files
from hetsel.signature.estimator import Signature

ROOT = Path(__file__).parents[2]
PLAN = """
name = "small"
methods = ["variance", "t-test"]
resamplings = 2
sizes = [1]
classifiers = ["naive-bayes"]
[[datasets]]
file = "patients.csv"
target = "relapse"
drop = ["id", "sex", "grade"]
continuous = ["code"]
"""
# runs commands where packages cannot be imported; prints exit codes and what was said
ABSENT = """
import contextlib, io, json, sys

class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

rounds = json.loads(sys.argv[1])
sys.meta_path.insert(0, Refuses())
absent = ()
from hetsel.shell.main import main
found = []
for absent, command in rounds:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(err), contextlib.redirect_stdout(out):
        code = main(command)
    found.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(found))
"""
TABLE = ["patients.csv", "--target", "relapse", "--drop", "id"]


def without(rounds, folder):
    """Exit code, stdout and stderr of each command where packages are absent."""
    done = subprocess.run(
        [sys.executable, "-c", ABSENT, json.dumps(rounds)],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_packages_are_those_of_the_extras():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    named = {
        (Requirement(line).name, extra) for extra in ("report", "files") for line in extras[extra]
    }
    assert {(name, extra) for name, extra, _ in PACKAGES.values() if extra != "dask"} == named


# package -> commands that need it, by the option that does
NEED = {
    "matplotlib": [
        ["rank", *TABLE, "--plot", "new.png"],
        ["search", *TABLE, "--plot", "new.svg"],
        *(["select", *TABLE, "--report", f"new{end}"] for end in (".html", ".md", ".docx")),
        ["study", "report", "small.toml", "--out", "new.html"],
        ["study", "report", "small.toml", "--out", "new.html", "--figures", "new"],
    ],
    "jinja2": [
        ["select", *TABLE, "--report", "new.html"],
        ["study", "report", "small.toml", "--out", "new.html"],
    ],
    "docx": [["select", *TABLE, "--report", "new.docx"]],
}


@pytest.mark.seconds
def test_a_missing_package_is_named_with_its_extra_before_the_work(table):
    (table.parent / "small.toml").write_text(PLAN)
    before = set(table.parent.iterdir())
    rounds = [([package], command) for package, needing in NEED.items() for command in needing]
    for ((package,), command), (code, out, err) in zip(
        rounds, without(rounds, table.parent), strict=True
    ):
        name, extra, _ = PACKAGES[package]
        assert (code, out) == (1, ""), command
        assert name in err, command
        assert f"pip install 'hetsel[{extra}]'" in err, command
        assert "rows" not in err, command  # the table was not even read
    assert set(table.parent.iterdir()) == before


@pytest.mark.slow
def test_without_extras_all_but_figures_and_pages_is_there(table):
    folder = table.parent
    (folder / "small.toml").write_text(PLAN)
    commands = [
        ["inspect", *TABLE, "--save-schema", "schema.json"],
        ["rank", *TABLE, "--method", "hsic", "--out", "ranking.csv"],
        ["search", *TABLE, "--criterion", "consistency", "--out", "path.tsv"],
        ["study", "run", "small.toml", "--jobs", "1", "--quiet"],
        ["study", "status", "small.toml"],
        ["study", "export", "small.toml", "--out", "tables"],
        ["methods"],
    ]
    rounds = [(list(PACKAGES), command) for command in commands]
    for command, (code, _, err) in zip(commands, without(rounds, folder), strict=True):
        assert code == 0, (command, err)
    written = ("schema.json", "ranking.csv", "path.tsv", "tables/comparison_ranks.csv")
    assert [name for name in written if not (folder / name).exists()] == []


def work(*_, **__):
    raise AssertionError("the work began")


@pytest.mark.parametrize("place", ["none/x", "folder", "locked/x"])
@pytest.mark.parametrize(
    ("command", "option", "end"),
    [
        ("rank", "--out", ".csv"),
        ("rank", "--plot", ".png"),
        ("rank", "--save-schema", ".json"),
        ("search", "--out", ".tsv"),
        ("select", "--save", ".json"),
        ("select", "--report", ".html"),
        ("select", "--out", ".csv"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    fails, table, tmp_path, monkeypatch, command, option, end, place
):
    for estimator in (BaseSelector, Signature, SubsetSearch):
        monkeypatch.setattr(estimator, "fit", work)
    (tmp_path / f"folder{end}").mkdir()
    (tmp_path / "locked").mkdir()
    if place.startswith("locked"):  # root may write where the mode says nobody may
        refused = OSError(30, "Read-only file system", str(tmp_path / f"{place}{end}"))
        monkeypatch.setattr(
            "hetsel.ground.writing._write", lambda *_: (_ for _ in ()).throw(refused)
        )
    said = fails(command, table, *TABLE[1:], option, tmp_path / f"{place}{end}")
    assert str(tmp_path / place.split("/")[0]) in said


def test_what_can_be_written_is_written(run, table, tmp_path, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("no figure today")

    monkeypatch.setattr(signature_page, "signature_document", broken)
    quick = ["--size", "1", "--method", "variance", "--permutations", "0", "--repeats", "1"]
    files = [
        "--report",
        tmp_path / "s.html",
        "--save",
        tmp_path / "s.json",
        "--out",
        tmp_path / "s.csv",
    ]
    code, out, err = run(
        "select", table, *TABLE[1:], *quick, "--folds", "3", "--pairs", "2", "--jobs", "1", *files
    )
    assert code == 1
    assert "no figure today" in err
    assert "1 of 4 features" in out
    assert sorted(path.name for path in tmp_path.glob("s.*")) == ["s.csv", "s.json"]


def test_what_takes_longest_is_written_last():
    first, *_, plot, report = output_files.SUFFIXES
    assert (first, plot, report) == ("save", "plot", "report")


@pytest.mark.seconds
@pytest.mark.parametrize("command", ["rank", "search"])
def test_files_are_written_where_the_reader_of_the_output_has_gone(table, tmp_path, command):
    options = ["--method", "variance"] if command == "rank" else ["--search", "bif"]
    words = [sys.executable, "-m", "hetsel", command, *TABLE, *options, "--out", "f.csv"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*words, "--save-schema", "s.json"], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "f.csv").read_text().count("\n") > 2
    assert (tmp_path / "s.json").exists()
