"""Stores of parts, merged: the digest of one run; what does not belong together is refused."""

import hashlib
import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from frames import mixed_frame
from study.store.test_store_file import changed_cell, drawn_cell, key_of, write_plan
from study.studies import Told, run, small_study

import hetsel.study.cell as cell_module
from hetsel import Results, merge_stores
from hetsel.evaluation.computation import CellFailure
from hetsel.ground.errors import PlanError, StoreError
from hetsel.study.cell import Seconds
from hetsel.study.plan.plan import Plan
from hetsel.study.store.sqlite_store import Store

SECONDS = ["rank_seconds", "rank_elapsed"]


def run_part(study, path, part, **options):
    return study.run(path, part=part, n_jobs=0, progress=False, **options)


def run_parts(study, folder, of):
    """The stores of all parts."""
    paths = [folder / f"{number}-of-{of}.sqlite" for number in range(1, of + 1)]
    for number, path in enumerate(paths, start=1):
        run_part(study, path, (number, of))
    return paths


def merged(paths, into):
    return merge_stores(paths, into, progress=False)


def content_of(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def keys_in(path):
    with Store(path) as file:
        return set(file.keys("selections"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study with the store of a single run, and those of two and of three parts."""
    folder = tmp_path_factory.mktemp("parts")
    run(small_study(), folder / "whole.sqlite")
    for of in (2, 3):
        run_parts(small_study(), folder, of)
    return folder


@pytest.fixture
def halves(whole, tmp_path):
    """Two stores of parts, to be spoilt."""
    paths = [tmp_path / "a.sqlite", tmp_path / "b.sqlite"]
    for number, path in enumerate(paths, start=1):
        shutil.copy(whole / f"{number}-of-2.sqlite", path)
    return paths


@pytest.mark.seconds
@pytest.mark.parametrize("of", [2, 3])
def test_merged_parts_have_the_digest_of_one_run_in_any_order(whole, tmp_path, of):
    single = Results(whole / "whole.sqlite")
    stores = [whole / f"{number}-of-{of}.sqlite" for number in range(1, of + 1)]
    before = [content_of(path) for path in stores]
    for k, order in enumerate(itertools.permutations(stores)):
        found = merged(order, tmp_path / f"{k}.sqlite")
        assert found.digest() == single.digest()
        assert found.status()["missing"] == 0
        assert found.frame().drop(columns=SECONDS).equals(single.frame().drop(columns=SECONDS))
        assert not list(tmp_path.glob("*-journal"))
    assert [content_of(path) for path in stores] == before


@pytest.mark.parametrize("of", [2, 3])
def test_parts_are_disjoint_and_together_all_cells(whole, of):
    keys = [keys_in(whole / f"{number}-of-{of}.sqlite") for number in range(1, of + 1)]
    assert sum(map(len, keys)) == len(set().union(*keys)) == 8
    assert set().union(*keys) == keys_in(whole / "whole.sqlite")


def test_single_cells_are_parts_where_there_are_more_parts_than_splits(whole, tmp_path):
    paths = run_parts(small_study(), tmp_path, 8)
    assert [len(keys_in(path)) for path in paths] == [1] * 8
    found = merged(paths, tmp_path / "all.sqlite")
    assert found.digest() == Results(whole / "whole.sqlite").digest()


def test_the_store_of_a_part_has_a_name_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    results = run_part(small_study(methods=["rfe-svm"], resamplings=2), None, "2/2")
    assert results.path.name == "small.part-2-of-2.sqlite"
    assert results.status()["finished"] == 1


@pytest.mark.parametrize("part", ["3/2", "0/4", "x", (1, 9)])
def test_what_is_no_part_of_the_study_leaves_no_store(tmp_path, part):
    with pytest.raises(PlanError, match="^part"):
        run_part(small_study(), tmp_path / "a.sqlite", part)
    assert not list(tmp_path.iterdir())


def test_a_run_of_a_part_counts_the_cells_of_the_part(tmp_path, capsys):
    study = small_study()
    study.run(tmp_path / "a.sqlite", part="1/2", n_jobs=0)
    said = capsys.readouterr().err
    assert "part 1 of 2 of a study of 8 cells" in said
    assert "4 of 4 cells to compute" in said
    assert "4 cells in" in said
    study.run(tmp_path / "a.sqlite", part="1/2", n_jobs=0)
    assert "has all 4 cells" in capsys.readouterr().err


def test_what_is_missing_is_said_and_a_run_computes_it(whole, tmp_path, capsys):
    into = tmp_path / "all.sqlite"
    found = merge_stores([whole / "3-of-3.sqlite", whole / "1-of-3.sqlite"], into)
    assert found.status()["missing"] == 2
    assert "part 2 of 3: all cells missing (2)" in capsys.readouterr().err
    with Store(into, writing=True) as file:
        file.drop([min(keys_in(whole / "3-of-3.sqlite"))])
    merge_stores(into, into)
    said = capsys.readouterr().err
    assert "part 3 of 3: 1 of 4 cells missing" in said
    assert "part 2 of 3: all cells missing (2)" in said
    results = small_study().run(into, n_jobs=0)
    said = capsys.readouterr().err
    assert "3 of 8 cells to compute" in said
    assert "changed" not in said
    assert results.digest() == Results(whole / "whole.sqlite").digest()
    assert results.status()["by_part"] == []


def test_parts_of_different_numbers_of_parts_merge_by_cells(whole, tmp_path, capsys):
    stores = [whole / "1-of-2.sqlite", whole / "3-of-3.sqlite"]
    found = merge_stores(stores, tmp_path / "all.sqlite")
    union = keys_in(stores[0]) | keys_in(stores[1])
    assert keys_in(found.path) == union
    said = capsys.readouterr().err
    assert "rfe-mkl on mixed: 1 of 4 cells missing" in said
    assert "part" not in said.replace(str(tmp_path), "").replace(str(whole), "")


def test_parts_merge_one_after_the_other_and_once_more(whole, tmp_path):
    into = tmp_path / "all.sqlite"
    for number in (2, 1, 3):
        found = merged([whole / f"{number}-of-3.sqlite"], into)
    digest = found.digest()
    assert digest == Results(whole / "whole.sqlite").digest()
    again = merged([into, *sorted(whole.glob("*-of-3.sqlite"))], into)
    assert again.digest() == digest
    assert again.versions() == found.versions()


def test_a_merge_keeps_what_the_store_holds_of_an_earlier_plan(whole, tmp_path):
    into = tmp_path / "all.sqlite"
    run(small_study(seed=8), into)
    run(small_study(), into)
    merged([whole / "1-of-2.sqlite"], into)
    assert len(keys_in(into)) == 16


@pytest.mark.seconds
def test_failures_are_merged_and_a_result_takes_the_place_of_one(tmp_path):
    flag = tmp_path / "flag"
    flag.touch()
    study = small_study(methods=["rfe-svm", Told(flag=str(flag))], resamplings=8)
    single = run(study, tmp_path / "whole.sqlite")
    paths = run_parts(study, tmp_path, 2)
    found = merged(paths, tmp_path / "all.sqlite")
    assert 0 < found.status()["failed"] == single.status()["failed"]
    pd_columns = ["dataset", "method", "resampling", "reason"]
    assert found.failures()[pd_columns].equals(single.failures()[pd_columns])
    assert found.digest() == single.digest()
    flag.unlink()
    copy = tmp_path / "again.sqlite"
    shutil.copy(paths[0], copy)
    repaired = run_part(study, copy, "1/2", retry=True)
    assert repaired.status()["failed"] == 0
    for k, order in enumerate(itertools.permutations([paths[0], copy])):
        both = merged(order, tmp_path / f"both {k}.sqlite")
        assert both.status()["failed"] == 0
        assert both.digest() == repaired.digest()
    into = tmp_path / "all.sqlite"
    left = merged([copy], into).status()["failed"]
    assert 0 < left < single.status()["failed"]
    assert merged(paths, into).status()["failed"] == left


def refused(paths, into, match):
    """Fail unless these stores are not merged, for this reason, and nothing is written."""
    before = {path: content_of(path) for path in into.parent.iterdir()}
    with pytest.raises(StoreError, match=match):
        merged(paths, into)
    assert {path: content_of(path) for path in into.parent.iterdir()} == before


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"resamplings": {"count": 4, "test_share": 0.2}}, r"resamplings\.test_share: .* -> 0\.2"),
        ({"seed": 9}, r"seed: 3 -> 9"),
        ({"sizes": [1, 2]}, r"sizes: 'auto' -> \[1, 2\]"),
        (
            {"methods": ["rfe-svm", {"key": "rfe-mkl", "params": {"C": 9.0}}]},
            r"method 'rfe-mkl': params\.C: .* -> 9\.0",
        ),
        (
            {"classifiers": [{"key": "5nn", "label": "clinical-svm"}]},
            r"judge 'clinical-svm': .*5nn",
        ),
    ],
)
def test_stores_of_other_plans_are_refused_with_what_differs(halves, tmp_path, changes, facts):
    halves[1].unlink()
    run_part(small_study(**changes), halves[1], (2, 2))
    refused(
        halves,
        tmp_path / "all.sqlite",
        f"b.sqlite and .*a.sqlite belong to different studies.*{facts}",
    )


@pytest.mark.parametrize(("row", "facts"), [(60, "rows: 60 -> 59"), (1, "values, target or")])
def test_stores_of_other_data_are_refused_with_what_differs(halves, tmp_path, row, facts):
    X, y = mixed_frame(n=60, continuous=3, nominal=2, missing=0.05)
    if row == 60:
        X, y = X.iloc[:59], y[:59]
    else:
        X.iloc[row, 0] = 7.25
    halves[1].unlink()
    run_part(small_study(datasets={"name": "mixed", "X": X, "y": y}), halves[1], (2, 2))
    refused(
        halves, tmp_path / "all.sqlite", f"different studies.*table of data set 'mixed'.*{facts}"
    )


def test_a_version_of_hetsel_with_other_cells_is_refused(halves, tmp_path, monkeypatch):
    monkeypatch.setattr(cell_module, "REVISION", 10**6)
    halves[1].unlink()
    run_part(small_study(), halves[1], (2, 2))
    refused(halves, tmp_path / "all.sqlite", "method 'rfe-svm': its code differs")


@pytest.mark.parametrize("package", ["hetsel", "numpy"])
def test_other_versions_of_hetsel_are_refused_and_those_of_packages_noted(
    halves, tmp_path, monkeypatch, capsys, package
):
    old = cell_module.versions
    halves[1].unlink()
    with monkeypatch.context() as patch:
        patch.setattr(cell_module, "versions", lambda *who: old(*who) | {package: "0.0.9"})
        run_part(small_study(), halves[1], (2, 2))
    into = tmp_path / "all.sqlite"
    if package == "hetsel":
        refused(
            halves, into, r"b.sqlite was computed with hetsel 0\.0\.9 and .*a.sqlite with hetsel"
        )
        return
    assert merge_stores(halves, into).status()["missing"] == 0
    said = capsys.readouterr().err
    # of two methods and a judge
    assert said.count("versions differ from those of earlier stores: numpy") == 3
    assert "-> 0.0.9" in said


def test_a_plan_with_other_labels_is_the_same_study_and_said(halves, tmp_path, capsys):
    halves[1].unlink()
    methods = [{"key": "rfe-mkl"}, {"key": "rfe-svm", "label": "mine"}]
    run_part(small_study(methods=methods), halves[1], (2, 2))
    found = merge_stores(halves, tmp_path / "all.sqlite")
    assert "method 'mine' is 'rfe-svm' in the merged plan" in capsys.readouterr().err
    assert found.methods == ["rfe-svm", "rfe-mkl"]
    assert found.status()["missing"] == 0


def drawn(path, cells):
    with Store(path, writing=True) as file:
        write_plan(file)
        file.add(cells)
    return path


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("order", "order of the features"),
        ("subsets", "signatures"),
        ("ranked_cuts", "verdicts on cuts"),
        ("test", "held-out rows"),
        ("truth", "target of the held-out rows"),
        ("predictions", "predictions"),
        ("decisions", "decision values"),
    ],
)
def test_a_cell_with_two_answers_is_refused_with_what_differs(tmp_path, name, words):
    cell = drawn_cell(3)
    (judgment,) = cell.judgments
    value = getattr(cell.selection if hasattr(cell.selection, name) else judgment, name)
    others = {"order": value[::-1], "ranked_cuts": ("tie", "tie"), "subsets": np.eye(3, dtype=bool)}
    other = others[name] if name in others else 1 - value
    first = drawn(tmp_path / "a.sqlite", [drawn_cell(1), cell])
    spoilt = changed_cell(cell, **{name: other}, versions={"hetsel": "1", "numpy": "3"})
    second = drawn(tmp_path / "b.sqlite", [spoilt])
    match = rf"'second' on 'one', resampling 1.*b\.sqlite and .* in {words}.*numpy 2 -> 3"
    refused([first, second], tmp_path / "all.sqlite", match)
    into = drawn(tmp_path / "into.sqlite", [drawn_cell(7)])
    assert merged([first], into).status()["finished"] == 3
    with pytest.raises(StoreError, match="between .*b.sqlite and .*into.sqlite"):
        merged([second], into)
    assert Results(into).status()["finished"] == 3


def test_times_and_warnings_of_a_cell_in_two_stores_may_differ(tmp_path):
    first = drawn(tmp_path / "a.sqlite", [drawn_cell(3)])
    other = changed_cell(drawn_cell(3), seconds=Seconds(9.0, 8.0), warnings=("other",))
    second = drawn(tmp_path / "b.sqlite", [other])
    found = merged([first, second], tmp_path / "all.sqlite")
    assert found.digest() == Results(first).digest()
    assert found.cells("one", "second")[0][1].selection.seconds.processor == 0.5


def test_a_training_mean_is_part_of_an_answer(tmp_path):
    cell = changed_cell(
        drawn_cell(3),
        truth=np.zeros(10),
        predictions=np.zeros((2, 10)),
        decisions=np.zeros((2, 10, 0)),
        training_mean=1.0,
    )
    first = drawn(tmp_path / "a.sqlite", [cell])
    second = drawn(tmp_path / "b.sqlite", [changed_cell(cell, training_mean=2.0)])
    refused([first, second], tmp_path / "all.sqlite", "differs between .* in shape of the results")


def test_a_store_given_twice_is_refused_by_whatever_name(halves, tmp_path):
    link = tmp_path / "link.sqlite"
    link.symlink_to(halves[0])
    into = tmp_path / "all.sqlite"
    refused([*halves, halves[0]], into, "a.sqlite is named twice. Name each store once")
    refused([halves[0], link], into, "link.sqlite is named twice, also as .*a.sqlite")
    shutil.copy(halves[0], tmp_path / "copy.sqlite")
    assert merged([halves[0], tmp_path / "copy.sqlite"], into).status()["finished"] == 4


def test_what_is_no_store_of_a_part_is_refused(halves, tmp_path):
    into = tmp_path / "all.sqlite"
    refused([], into, "stores must be one or more files. Got none")
    refused([halves[0], tmp_path / "none.sqlite"], into, "no such store: .*none.sqlite")
    refused([into], into, "no such store")
    (tmp_path / "text.sqlite").write_text("no store " * 100)
    refused([halves[0], tmp_path / "text.sqlite"], into, "text.sqlite is not the store")
    with Store(tmp_path / "empty.sqlite", writing=True):
        pass
    refused([halves[0], tmp_path / "empty.sqlite"], into, "empty.sqlite holds no study yet")


def test_a_damaged_cell_is_named_and_nothing_is_written(halves, tmp_path):
    with closing(sqlite3.connect(halves[1])) as connection, connection:
        connection.execute("UPDATE judgments SET predictions = zeroblob(length(predictions))")
    refused(halves, tmp_path / "all.sqlite", "b.sqlite is damaged: the cell '.*retry=True")


def test_a_store_of_another_study_is_not_merged_into(halves, tmp_path):
    into = tmp_path / "all.sqlite"
    digest = run(small_study(seed=9), into).digest()
    with pytest.raises(
        StoreError, match=r"and .*all.sqlite belong to different studies.*seed: 9 -> 3"
    ):
        merged(halves, into)
    assert Results(into).digest() == digest


def test_a_store_that_is_being_written_is_refused(halves, tmp_path):
    with Store(halves[1], writing=True):
        match = rf"run \(process {os.getpid()}\) is still using .*b.sqlite. Wait"
        refused(halves, tmp_path / "all.sqlite", match)
    with (
        Store(tmp_path / "all.sqlite", writing=True),
        pytest.raises(StoreError, match="another run"),
    ):
        merged(halves, tmp_path / "all.sqlite")
    assert merged(halves, tmp_path / "all.sqlite").status()["missing"] == 0


def test_a_run_that_is_between_two_commits_is_noticed(halves, tmp_path, monkeypatch):
    with Store(halves[1], writing=True) as store:
        store._connection.execute("COMMIT")  # for some microseconds nobody has the lock
        with monkeypatch.context() as patch:
            pauses = iter([lambda: None, store._lock])
            patch.setattr("hetsel.study.store.sqlite_store.time.sleep", lambda _: next(pauses)())
            with pytest.raises(StoreError, match=r"is still using .*b.sqlite"):
                merged(halves, tmp_path / "all.sqlite")


KILLED = """
import os, sys
from hetsel.study.store.sqlite_store import Store
import hetsel.study.merged_stores as merging
old, after, taken = Store._insert_row, int(sys.argv[1]), []
def insert(self, *row):
    self._ask("PRAGMA cache_size = 1")  # what is written is in the file before it is committed
    old(self, *row)
    taken.append(row)
    if len(taken) == after:
        os.kill(os.getpid(), 9)
Store._insert_row = insert
merging.merge_stores(sys.argv[3:], sys.argv[2])
"""


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 3])
@pytest.mark.parametrize("begun", [False, True])
def test_a_merge_that_is_killed_leaves_what_was_there_and_is_begun_again(
    whole, tmp_path, after, begun
):
    into = tmp_path / "all.sqlite"
    stores = [whole / f"{number}-of-3.sqlite" for number in (1, 2, 3)]
    if begun:
        merged(stores[:1], into)
    before = keys_in(into) if begun else set()
    command = [sys.executable, "-c", KILLED, str(after), str(into), *map(str, stores)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert (tmp_path / "all.sqlite-journal").stat().st_size > 0
    if begun:
        assert keys_in(into) == before
        assert Results(into).digest() == Results(stores[0]).digest()
    found = merged(stores, into)
    assert found.digest() == Results(whole / "whole.sqlite").digest()
    assert sorted(tmp_path.glob("all.sqlite*")) == [into]


def test_a_store_that_changes_while_it_is_read_is_noticed(halves, tmp_path, monkeypatch):
    with Store(halves[1]) as file:
        (found,) = file.judgments([min(file.keys("judgments"))])
    old = Store.write_plan

    def write_plan(self, *given):
        with Store(halves[1], writing=True) as file, file._change():
            file._add_row(replace(found, predictions=1 - found.predictions))
        return old(self, *given)

    monkeypatch.setattr(Store, "write_plan", write_plan)
    with pytest.raises(StoreError, match="b.sqlite changed while it was read"):
        merged(halves, tmp_path / "all.sqlite")
    monkeypatch.undo()
    assert merged(halves, tmp_path / "all.sqlite").status()["missing"] == 0


def test_a_part_that_was_stopped_is_merged_as_far_as_it_came(tmp_path):
    first = drawn(tmp_path / "a.sqlite", [drawn_cell(0), CellFailure(key_of(9), "no", "trace")])
    with closing(sqlite3.connect(first)) as connection, connection:  # it was killed
        connection.execute("INSERT INTO about VALUES ('run', '1')")
    found = merged([first], tmp_path / "all.sqlite")
    assert (found.status()["finished"], found.status()["failed"]) == (1, 1)


def test_a_plan_names_the_file_of_a_part():
    assert Plan("my study", datasets="heart", methods="t-test").default_store().name == (
        "my-study.sqlite"
    )


def with_judges(*judges, methods=("rfe-svm", "rfe-mkl"), **changes):
    return small_study(methods=list(methods), classifiers=list(judges), **changes)


@pytest.mark.seconds
def test_collaborators_with_other_methods_and_judges_have_the_digest_of_one_run(tmp_path):
    """Two plans of one design, joined in any order, then completed; a judge that comes later."""
    one = with_judges("5nn", methods=("rfe-mkl", "hsic"), resamplings=3)
    other = with_judges("clinical-svm", "5nn", methods=("cmim", "rfe-mkl"))
    whole = with_judges("clinical-svm", "5nn", methods=("hsic", "cmim", "rfe-mkl"))
    expected = run(whole, tmp_path / "whole.sqlite").digest()
    paths = [tmp_path / "one.sqlite", tmp_path / "other.sqlite"]
    for study, path in zip((one, other), paths, strict=True):
        run(study, path)
    for k, order in enumerate(itertools.permutations(paths)):
        joined = merged(order, tmp_path / f"{k}.sqlite")
        assert sorted(joined.methods) == ["cmim", "hsic", "rfe-mkl"]
        assert sorted(joined.classifiers) == ["5nn", "clinical-svm"]
        # hsic has no judgments by the SVM, and none of the fourth resampling
        assert joined.status()["missing"] == 4
        assert len(joined.frame()) == (8 * 2 + 3) * 5
        again = run(whole, joined.path)
        assert again.digest() == expected
        assert again.status()["missing"] == 0
    later = run(with_judges("5nn", methods=("hsic", "cmim", "rfe-mkl")), tmp_path / "l.sqlite")
    keys = keys_in(later.path)
    assert run(whole, later.path).digest() == expected
    assert keys_in(later.path) == keys


def test_other_tables_join_unless_they_have_each_others_names(tmp_path):
    X, y = mixed_frame(n=50, continuous=2, nominal=2, seed=2)
    second = {"name": "second", "X": X, "y": y}
    X, y = mixed_frame(n=60, continuous=3, nominal=2, missing=0.05)
    first = {"name": "mixed", "X": X, "y": y}
    paths = [tmp_path / "a.sqlite", tmp_path / "b.sqlite"]
    run(small_study(), paths[0])
    run(small_study(datasets=second), paths[1])
    joined = merged(paths, tmp_path / "all.sqlite")
    whole = run(small_study(datasets=[first, second]), tmp_path / "whole.sqlite")
    assert joined.digest() == whole.digest()
    assert joined.frame().drop(columns=SECONDS).equals(whole.frame().drop(columns=SECONDS))
    run(small_study(datasets=first | {"name": "renamed"}), tmp_path / "c.sqlite")
    refused([paths[0], tmp_path / "c.sqlite"], tmp_path / "n.sqlite", "names of one table: 'mixed'")


def test_a_judge_with_a_damaged_selection_beside_it_keeps_its_results(tmp_path):
    path = tmp_path / "a.sqlite"
    digest = run(small_study(), path).digest()
    with Store(path, writing=True) as file:
        file.drop([min(file.keys("selections"))])
        judged = file.keys("judgments")
    assert Results(path).status()["missing"] == 1
    assert run(small_study(), path).digest() == digest
    with Store(path) as file:
        assert file.keys("judgments") == judged
