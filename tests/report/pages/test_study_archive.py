"""One archive of a study: complete, the same again, checked elsewhere, and each change is seen."""

import io
import json
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing

import pandas as pd
import pytest
from frames import mixed_frame
from study.studies import small_study

from hetsel import Results, Study, archive_study, verify_archive
from hetsel.ground.errors import StoreError, TableError
from hetsel.shell.main import main
from hetsel.study.store.sqlite_store import Store

PLAN = """
resamplings = 3
sizes = [1, 2]
methods = ["rfe-svm", "cmim"]
classifiers = ["5nn", "clinical-svm"]
[[datasets]]
name = "heart"
[[datasets]]
name = "own"
file = "own.csv"
target = "y"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive")
    X, y = mixed_frame(n=60, continuous=3, nominal=2, seed=3)
    X.assign(y=y).to_csv(path / "own.csv", index=False)
    (path / "plan.toml").write_text(PLAN)
    results = Study.load(path / "plan.toml").run(path / "a.sqlite", n_jobs=0, progress=False)
    archive_study(results, path / "paper.zip", with_tables=True)
    return path


def contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def written(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def failed(path, **options):
    return {
        check.what: check.found for check in verify_archive(path, **options) if not check.passed
    }


@pytest.mark.seconds
def test_the_archive_holds_all_of_a_study_and_is_the_same_again(folder, tmp_path):
    files = contents(folder / "paper.zip")
    assert {"plan.toml", "study.sqlite", "report.html", "own.csv", "README.txt"} <= files.keys()
    assert any(name.startswith("figures/") and name.endswith(".pdf") for name in files)
    results = Results(folder / "a.sqlite")
    scores = pd.read_csv(io.BytesIO(files["tables/scores.csv"]))
    assert len(scores) == len(results.frame()) == 2 * 2 * 2 * 3 * 2
    about = json.loads(files["manifest.json"])
    assert about["digest"] == results.digest()
    assert about["files"].keys() == files.keys() - {"manifest.json"}
    again = archive_study(
        Results(folder / "a.sqlite", Study.load(folder / "plan.toml")),
        tmp_path / "again.zip",
        with_tables=True,
    )
    assert again.read_bytes() == (folder / "paper.zip").read_bytes()


@pytest.mark.slow
def test_an_archive_is_verified_and_repeated_elsewhere_by_the_commands_it_names(folder, tmp_path):
    shutil.copy(folder / "paper.zip", tmp_path)

    def hetsel(*words):
        command = [sys.executable, "-m", "hetsel", "study", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    with zipfile.ZipFile(tmp_path / "paper.zip") as archive:
        archive.extract("plan.toml", tmp_path)
        archive.extract("own.csv", tmp_path)
    assert hetsel("run", "plan.toml", "--store", "repeated.sqlite", "--quiet").returncode == 0
    found = hetsel("verify", "paper.zip", "--repeated", "repeated.sqlite")
    assert found.returncode == 0, found.stdout + found.stderr
    assert [line.split()[0] for line in found.stdout.splitlines()] == ["ok"] * 6


OWN = """
from hetsel import Ranking
from hetsel.selection import About, BaseSelector
from own_parts.weights import weight

class Backwards(BaseSelector):
    about = About("columns from the last to the first", targets=("classes", "numbers"))

    def _select(self, problem):
        return Ranking.from_importance([weight(j) for j in range(problem.p)])
"""


@pytest.mark.slow
def test_own_code_and_several_kinds_of_targets_are_repeated_elsewhere(tmp_path):
    home, away = tmp_path / "home", tmp_path / "away"
    (home / "own_parts").mkdir(parents=True)
    (home / "own_parts" / "__init__.py").write_text("")
    (home / "own_parts" / "weights.py").write_text("def weight(j):\n    return j + 1.0\n")
    (home / "backwards.py").write_text(OWN)
    X, y = mixed_frame(n=60, continuous=3, nominal=2, seed=3)
    X.assign(y=X["c0"].fillna(0.0) + y).to_csv(home / "own.csv", index=False)
    plan = PLAN.replace('"cmim"', '"backwards.Backwards"').replace('"5nn", ', "")
    (home / "plan.toml").write_text(f'{plan}target_kind = "numbers"\n')

    def hetsel(folder, *words):
        command = [sys.executable, "-m", "hetsel", "study", *words]
        found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stdout + found.stderr
        return found.stdout.splitlines()

    hetsel(home, "run", "plan.toml", "--quiet")
    hetsel(home, "archive", "plan.toml", "--with-tables", "--out", str(away.with_suffix(".zip")))
    home.rename(tmp_path / "gone")
    with zipfile.ZipFile(away.with_suffix(".zip")) as archive:
        modules = {name for name in archive.namelist() if name.endswith(".py")}
        archive.extractall(away)
    assert modules == {"backwards.py", "own_parts/__init__.py", "own_parts/weights.py"}
    assert "backwards.py, own_parts/__init__.py" in (away / "README.txt").read_text()
    hetsel(away, "run", "plan.toml", "--store", "repeated.sqlite", "--quiet")
    lines = hetsel(tmp_path, "verify", "away.zip", "--repeated", str(away / "repeated.sqlite"))
    assert [line.split()[0] for line in lines] == ["ok"] * 6


@pytest.mark.seconds
def test_every_change_of_an_archive_is_found(folder, tmp_path):
    files = contents(folder / "paper.zip")
    assert failed(folder / "paper.zip") == {}
    for name in ("report.html", "tables/summary.csv", "own.csv"):
        spoilt = written(tmp_path / "s.zip", files | {name: files[name] + b" "})
        assert f"{name} has changed" in failed(spoilt)["files"]
    less = written(tmp_path / "l.zip", {k: v for k, v in files.items() if k != "README.txt"})
    assert failed(less) == {"files": "README.txt is missing"}
    more = written(tmp_path / "m.zip", files | {"new.txt": b""})
    assert failed(more) == {"files": "new.txt is not in the manifest"}


def resealed(files):
    """The files with a manifest that fits them, as a forger would write it."""
    import hashlib

    about = json.loads(files["manifest.json"])
    about["files"] = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in files.items()
        if name != "manifest.json"
    }
    return files | {"manifest.json": json.dumps(about)}


@pytest.mark.seconds
def test_numbers_that_are_not_those_of_the_store_are_found_behind_a_right_manifest(
    folder, tmp_path
):
    files = contents(folder / "paper.zip")
    table = pd.read_csv(io.BytesIO(files["tables/summary.csv"]))
    table.loc[0, "bcr"] += 1e-6
    forged = files | {"tables/summary.csv": table.to_csv(index=False).encode()}
    assert failed(written(tmp_path / "a.zip", resealed(forged))) == {"tables": "summary.csv differ"}
    plan = files["plan.toml"].replace(b"seed = 0", b"seed = 1")
    forged = written(tmp_path / "b.zip", resealed(files | {"plan.toml": plan}))
    assert set(failed(forged)) == {"plan"}
    path = tmp_path / "s.sqlite"
    path.write_bytes(files["study.sqlite"])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE judgments SET predictions = zeroblob(length(predictions))")
    forged = written(tmp_path / "c.zip", resealed(files | {"study.sqlite": path.read_bytes()}))
    assert "is damaged" in failed(forged)["store"]
    other = small_study(resamplings=2).run(tmp_path / "o.sqlite", n_jobs=0, progress=False)
    found = failed(folder / "paper.zip", repeated=other.path)
    assert set(found) == {"repetition"}


def test_tables_that_are_not_those_of_the_study_are_refused(folder, tmp_path):
    study = Study.load(folder / "plan.toml")
    shutil.copy(folder / "a.sqlite", tmp_path / "a.sqlite")
    shutil.copy(folder / "plan.toml", tmp_path / "plan.toml")
    text = (folder / "own.csv").read_text().replace("0.1", "0.2", 3)
    (tmp_path / "own.csv").write_text(text)
    results = Results(tmp_path / "a.sqlite", Study.load(tmp_path / "plan.toml"))
    with pytest.raises(TableError, match=r"own\.csv of data set 'own' is not the table"):
        archive_study(results, tmp_path / "p.zip", with_tables=True)
    with pytest.raises(TableError, match=r"file must be a \.zip file"):
        archive_study(results, tmp_path / "p.tar")
    with Store(tmp_path / "a.sqlite", writing=True), pytest.raises(StoreError, match="still using"):
        archive_study(results, tmp_path / "p.zip")
    assert not list(tmp_path.glob("p.*"))
    assert study.datasets[1].file is not None


@pytest.mark.parametrize("content", [None, b"", b"PK\3\4no", b"text " * 50])
def test_what_is_no_archive_is_refused(tmp_path, capsys, content):
    path = tmp_path / "a.zip"
    if content is not None:
        path.write_bytes(content)
    assert main(["study", "verify", str(path)]) == 1
    assert "a.zip" in capsys.readouterr().err
    written(path, {"other.txt": b"x"})
    with pytest.raises(
        TableError, match=r"a\.zip is not an archive of a study: it has no manifest"
    ):
        verify_archive(path)
