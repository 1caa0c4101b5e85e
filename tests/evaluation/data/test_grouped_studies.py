"""Studies of tables with several recordings a person, and of tables in the order of time."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from study.studies import Told, cells_in, small_study

from hetsel import Ranking
from hetsel.ground.errors import PlanError
from hetsel.report.sections.studied_data_sets import data_sets
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.study_sentences import setting


def recordings(persons=40, each=5, p=8, seed=0):
    """Class by person, features that know the person and nothing of the class."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(persons), each)
    own = rng.normal(size=(persons, p))
    x = own[person] + 0.3 * rng.normal(size=(len(person), p))
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(p)])
    return frame.assign(person=[f"p{k}" for k in person]), rng.permutation(persons)[person] % 2


class Sees(Told):
    """Ranks the columns as they come, if the groups of its problem are those of its rows."""

    def _select(self, problem):
        if problem.n != 96:  # not the toy table of the warm-up
            first = problem.table.values[:, 0].round(6)
            wanted = np.unique(first, return_inverse=True)[1]
            pairs = {*zip(wanted.tolist(), problem.row_groups.tolist(), strict=True)}
            assert len(pairs) == len(set(wanted)) == len(set(problem.row_groups))
        return Ranking.from_importance(-np.arange(float(problem.p)))


@pytest.mark.slow
def test_noise_that_knows_the_person_reads_high_by_row_and_a_half_by_person(tmp_path):
    rates = {"row": [], "person": []}
    for seed in range(8):
        frame, y = recordings(seed=seed)
        study = small_study(
            datasets=[
                {"name": "row", "X": frame.drop(columns="person"), "y": y},
                {"name": "person", "X": frame, "y": y, "row_groups": "person"},
            ],
            methods=["anova-f"],
            classifiers=["5nn"],
            sizes=[8],
            resamplings=10,
        )
        results = study.run(tmp_path / f"{seed}.sqlite", n_jobs=0, progress=False)
        means = results.summary().set_index("dataset")["bcr"]
        for name in rates:
            rates[name].append(means[name])
    assert np.mean(rates["row"]) > 0.9
    low, high = stats.t.interval(0.95, 7, np.mean(rates["person"]), stats.sem(rates["person"]))
    assert low < 0.5 < high
    assert high < 0.65


@pytest.mark.seconds
@pytest.mark.parametrize("kind", ["stratified", "random", "k-fold"])
def test_a_method_gets_the_groups_of_its_training_rows_and_no_group_is_on_both_sides(
    tmp_path, kind
):
    frame, y = recordings()
    frame = frame.assign(x0=frame["person"].str[1:].astype(float))
    study = small_study(
        datasets={"name": "own", "X": frame, "y": y, "row_groups": "person"},
        methods=[Sees()],
        sizes=[1],
        resamplings={"count": 10, "kind": kind},
    )
    results = study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    assert results.failures().empty
    person = frame["person"].to_numpy()
    for _, cell in cells_in(results, "own", results.methods[0]):
        assert np.isin(person, person[cell.test]).sum() == len(cell.test) == 20


def test_report_and_export_say_that_rows_belong_together(tmp_path):
    frame, y = recordings(persons=20)
    frame = frame.drop(index=0)
    study = small_study(
        datasets=[
            {"name": "grouped", "X": frame, "y": y[1:], "row_groups": "person"},
            {"name": "plain", "X": frame.drop(columns="person"), "y": y[1:]},
        ],
        methods=["anova-f"],
        sizes=[2],
    )
    results = study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    assert results.test_shares["grouped"] == pytest.approx(0.1)
    row = results.summary().set_index("dataset").loc["grouped"]
    values = results.frame().query("dataset == 'grouped'")["bcr"]
    half = stats.t.ppf(0.975, 3) * np.sqrt((1 / 4 + 2 / 18) * values.var())
    assert row["bcr_high_corrected"] - row["bcr"] == pytest.approx(half)
    said = setting(Summary(results))
    assert "grouped (99 rows in 20 groups of up to 5 rows)" in said
    assert "plain (" not in said
    assert [r[1] for r in data_sets(Summary(results)).rows] == ["99 in 20 groups", "99"]
    results.export(tmp_path / "tables")
    exported = pd.read_csv(tmp_path / "tables" / "row_groups.csv").iloc[0]
    assert exported.tolist() == ["grouped", 99, 20, 5, pytest.approx(0.1)]


def test_a_study_in_the_order_of_time_trains_on_earlier_rows_only(tmp_path):
    frame, y = recordings(persons=50, each=2)
    time = np.random.default_rng(2).permutation(100)
    study = small_study(
        datasets={"name": "own", "X": frame.assign(at=time), "y": y, "order": "at"},
        methods=["anova-f"],
        sizes=[2],
        resamplings={"count": 4, "kind": "time-ordered", "test_count": 10},
    )
    results = study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    assert "at" not in results.datasets["own"]["features"]
    for r, cell in cells_in(results, "own", "anova-f"):
        assert sorted(time[cell.test]) == list(range(90 - 10 * r, 100 - 10 * r))
    wanted = np.mean([10 / 100, 10 / 90, 10 / 80, 10 / 70])
    assert results.test_shares["own"] == pytest.approx(wanted)
    assert "10 held-out rows and all rows before them" in setting(Summary(results))


def test_a_plan_whose_rows_cannot_be_split_so_leaves_no_store(tmp_path):
    frame, y = recordings(persons=8)
    own = {"name": "own", "X": frame, "y": y, "row_groups": "person"}
    study = small_study(datasets=own, resamplings={"count": 10, "kind": "k-fold"})
    with pytest.raises(PlanError, match=r"'own': folds must be in 2\.\.8, .* groups.* Got 10"):
        study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    timed = {"name": "own", "X": frame, "y": y, "order": np.arange(40)}
    study = small_study(datasets=timed, resamplings={"count": 10, "kind": "time-ordered"})
    with pytest.raises(PlanError, match=r"'own': count must be in 1\.\.9"):
        study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    assert not list(tmp_path.iterdir())
