"""Given folds: from a column or a file, as scikit-learn, OpenML and mlr3 write them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import PredefinedSplit, RepeatedStratifiedKFold
from study.studies import run

from hetsel import Study
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.evaluation.data.given_folds import folds_in_file
from hetsel.evaluation.data.train_and_test_rows import train_and_test
from hetsel.ground.errors import PlanError, TableError
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.study_sentences import setting

N = 60


def table():
    """Two columns, two classes, folds of unequal size, and persons of two rows."""
    rng = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "a": rng.normal(size=N),
            "b": rng.normal(size=N),
            "y": np.arange(N) % 2,
            "fold": np.where(np.arange(N) < 30, 9, np.where(np.arange(N) < 50, 10, 2)),
            "person": np.arange(N) // 2,
        }
    )


def study(resamplings, **entry):
    """A study of one table, without the columns about rows."""
    entry = {"name": "own", "X": table(), "target": "y", "target_kind": "classes"} | entry
    unused = {"fold", "person"} - {resamplings.get("column"), entry.get("row_groups")}
    return Study(
        datasets=[{"drop": sorted(unused) or None, **entry}],
        methods=["pearson"],
        resamplings=resamplings,
        sizes=[1],
    )


def parts(plan):
    """Training and test rows of every resampling, as the study makes them."""
    spec = plan.datasets[0]
    data = prepare(spec, plan.resamplings)
    found = []
    for r in range(data.facts_of_splits["given_resamplings"]):
        train, test, _ = train_and_test(data, plan.resamplings.of_data(spec.split), 0, r)
        found.append((train.tolist(), test.tolist()))
    return data, found


def repeated_folds():
    """Two repeats of three folds of scikit-learn: test rows in the order of the resamplings."""
    split = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
    y = table()["y"]
    return [(train.tolist(), test.tolist()) for train, test in split.split(y, y)]


def written(folder, lines, name="folds.csv"):
    """A file with these lines, in an order that tells nothing."""
    frame = pd.DataFrame(lines).sample(frac=1, random_state=0)
    frame.to_csv(folder / name, index=False)
    return str(folder / name)


def lines_of(splits, first=0, names=("repeat", "fold", "row")):
    return [
        dict(zip(names, (r // 3 + 1, r % 3 + 1, row + first), strict=True))
        for r, (_, test) in enumerate(splits)
        for row in test
    ]


def test_the_folds_of_a_column_are_those_of_scikit_learn_and_the_column_is_no_feature():
    data, found = parts(study({"kind": "given", "column": "fold"}))
    assert data.table.names == ["a", "b"]
    expected = [
        (train.tolist(), test.tolist()) for train, test in PredefinedSplit(table()["fold"]).split()
    ]
    assert found == expected
    assert [len(test) for _, test in found] == [10, 30, 20]  # 2, 9, 10


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("names", [("repeat", "fold", "row"), ("rep", "Fold", "row_id")])
def test_a_file_of_repeated_folds_makes_the_splits_of_scikit_learn(tmp_path, first, names):
    file = written(tmp_path, lines_of(repeated_folds(), first, names))
    _, found = parts(study({"kind": "given", "file": file}))
    assert found == repeated_folds()


def openml_lines():
    """The lines of an OpenML task: training rows and test rows of each fold, from 0."""
    for r, both in enumerate(repeated_folds()):
        for kind, rows in zip(("TRAIN", "TEST"), both, strict=True):
            for row in rows:
                yield {"type": kind, "rowid": row, "repeat": r // 3, "fold": r % 3}


def test_the_splits_of_an_openml_task_are_read_from_its_arff_file(tmp_path):
    head = "@relation splits\n@attribute type {TRAIN,TEST}\n@attribute rowid INTEGER\n"
    head += "@attribute repeat INTEGER\n@attribute fold INTEGER\n@data\n"
    body = "\n".join(",".join(map(str, line.values())) for line in openml_lines())
    (tmp_path / "splits.arff").write_text(f"{head}{body}\n")
    _, found = parts(study({"kind": "given", "file": str(tmp_path / "splits.arff")}))
    assert found == repeated_folds()


def test_training_rows_of_a_file_must_be_all_others(tmp_path):
    lines = [line for line in openml_lines() if not (line["type"] == "TRAIN" and line["rowid"] < 2)]
    with pytest.raises(TableError) as error:
        folds_in_file(written(tmp_path, lines), N)
    for fact in ("repeat 0", "fold 0", "must train on all 40 rows", "training rows"):
        assert fact in str(error.value)


@pytest.mark.parametrize(
    ("change", "facts"),
    [
        (lambda lines: lines[3:], ("repeat 1", "each of 60 rows", "lacks 3 rows")),
        (lambda lines: [*lines, {**lines[0], "fold": 2}], ("repeat 1", "1 row twice")),
        (lambda lines: [{**one, "row": one["row"] + 5} for one in lines], ("0 to 59", "1 to 60")),
        (lambda lines: [{**one, "row": one["row"] + 0.5} for one in lines], ("whole numbers",)),
        (
            lambda lines: [
                {**one, "fold": 1} if (one["repeat"], one["fold"]) == (2, 3) else one
                for one in lines
            ],
            ("repeat 2", "each of 3 folds", "Fold 3"),
        ),
        (lambda lines: [{**one, "fold": 1} for one in lines], ("at least 2 folds",)),
        (
            lambda lines: [{"line": 1, "fold": 1}],
            ("row or rowid or row_id", "Got line, fold"),
        ),
        (lambda lines: [{**one, "fold": None} for one in lines[:1]] + lines[1:], ("1 line",)),
    ],
)
def test_folds_that_lack_rows_or_have_them_twice_are_refused(tmp_path, change, facts):
    file = written(tmp_path, change(lines_of(repeated_folds())))
    with pytest.raises(TableError) as error:
        prepare(study({"kind": "given", "file": file}).datasets[0], _of(file))
    for fact in ("data set 'own'", "folds.csv", *facts):
        assert fact in str(error.value), str(error.value)


def _of(file):
    return study({"kind": "given", "file": file}).resamplings


def test_a_group_that_two_folds_share_is_refused(tmp_path):
    lines = [{"row": row, "fold": row % 3} for row in range(N)]
    plan = study({"kind": "given", "file": written(tmp_path, lines)}, row_groups="person")
    with pytest.raises(TableError) as error:
        prepare(plan.datasets[0], plan.resamplings)
    for fact in ("whole row groups", "30 groups of 30", "0, 1"):
        assert fact in str(error.value)
    whole = study({"kind": "given", "column": "fold"}, row_groups="person")
    assert parts(whole)[1] == parts(study({"kind": "given", "column": "fold"}))[1]


def test_rows_of_a_file_are_those_of_the_table_before_unlabeled_rows_are_omitted(tmp_path):
    frame = table().astype({"y": object})
    frame.loc[[0, 59], "y"] = None
    lines = [{"row": row + 1, "fold": "xyz"[row % 3]} for row in range(N)]
    file = written(tmp_path, lines)
    plan = study({"kind": "given", "file": file}, X=frame, drop_unlabeled=True)
    _, found = parts(plan)
    kept = np.arange(1, 59)
    assert [kept[test].tolist() for _, test in found] == [
        [row for row in kept if row % 3 == k] for k in range(3)
    ]


def test_a_study_of_given_folds_has_their_number_and_its_cells_depend_on_them(tmp_path):
    splits = {"kind": "given", "file": written(tmp_path, lines_of(repeated_folds()))}
    results = run(study(splits), tmp_path / "s.sqlite")
    assert results.frame()["resampling"].tolist() == [0, 1, 2, 3, 4, 5]
    assert results.test_shares == pytest.approx({"own": 1 / 3})
    assert results.plan["resamplings"] == {"file": "folds.csv", "kind": "given"}
    other = lines_of(repeated_folds())
    other[0]["fold"], other[20]["fold"] = other[20]["fold"], other[0]["fold"]
    written(tmp_path, other)
    again = run(study(splits), tmp_path / "s.sqlite")
    assert not set(results._judgments) & set(again._judgments)
    lines = [{"row": row, "fold": row % 4} for row in range(N)]
    both = study(splits)
    another = table().assign(a=table()["b"] ** 2)
    plan = Study(
        datasets=[
            both.datasets[0],
            {
                "name": "more",
                "X": another,
                "target": "y",
                "target_kind": "classes",
                "drop": ["fold", "person"],
                "split": {"file": written(tmp_path, lines, "other.csv")},
            },
        ],
        methods=["pearson", "anova-f"],
        resamplings=splits,
        sizes=[1],
    )
    found = run(plan, tmp_path / "two.sqlite")
    counts = found.frame().groupby("dataset")["resampling"].nunique()
    assert counts.to_dict() == {"own": 6, "more": 4}
    assert "4 to 6 resamplings (the given folds in file folds.csv" in setting(Summary(found))
    assert found.test_shares == pytest.approx({"own": 1 / 3, "more": 1 / 4})
    assert found.status()["finished"] == 20


def test_one_table_with_other_folds_is_no_second_data_set(tmp_path):
    frame = table().assign(other=np.arange(N) % 5)
    entry = {"X": frame, "target": "y", "target_kind": "classes", "drop": ["person"]}
    plan = Study(
        datasets=[
            {"name": "one", **entry, "drop": ["person", "other"]},
            {"name": "two", **entry, "drop": ["person", "fold"], "split": {"column": "other"}},
        ],
        methods=["pearson"],
        resamplings={"kind": "given", "column": "fold"},
    )
    with pytest.raises(PlanError, match="'one' and 'two' are the same table"):
        run(plan, tmp_path / "s.sqlite")


@pytest.mark.parametrize(
    ("entry", "facts"),
    [
        ({"kind": "given"}, ("column or file", "'own'")),
        ({"kind": "given", "column": "fold", "file": "f.csv"}, ("column and file",)),
        ({"kind": "given", "column": "fold", "count": 3}, ("count", "Leave it out")),
        ({"kind": "given", "column": "fold", "test_share": 0.2}, ("test_share",)),
        ({"column": "fold"}, ("column", "kind = 'given'", "'stratified'")),
        ({"kind": "given", "file": "none.csv"}, ("no such file", "none.csv")),
    ],
)
def test_options_that_contradict_given_folds_are_refused(entry, facts):
    with pytest.raises(PlanError) as error:
        study(entry)
    for fact in facts:
        assert fact in str(error.value), str(error.value)
