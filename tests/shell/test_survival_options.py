"""Survival times in the shell: two columns are the target and no features, or why they are not."""

import json

import numpy as np
import pandas as pd
import pytest
from sksurv.metrics import concordance_index_censored

from hetsel import Ranking, choose_size, get_method, survival
from hetsel.datasets import Dataset
from hetsel.selection import About, BaseSelector
from hetsel.shell.main import main
from hetsel.signature.saved_signature import load_signature

RNG = np.random.default_rng(0)
ROWS = 80
AGE = RNG.normal(60, 10, ROWS).round()
STAGE = RNG.choice(["I", "II", "III"], ROWS)
TIMES = (RNG.exponential(1000 - 8 * AGE) + 1).round()
EVENTS = RNG.random(ROWS) < 0.6
FRAME = pd.DataFrame({"age": AGE, "stage": STAGE, "noise": RNG.normal(size=ROWS).round(3)})
TOLD = ("--time", "days", "--event", "status")


class Ordering(BaseSelector):
    """Ranks by how far the concordance with the times is from 1/2."""

    about = About("concordance", targets=("survival",))

    def _select(self, problem):
        y = problem.survival
        scores = [
            abs(concordance_index_censored(y.events, y.times, cells)[0] - 0.5)
            for cells in problem.table.values.T
        ]
        return Ranking.from_importance(np.array(scores))


@pytest.fixture
def run(monkeypatch, tmp_path, capsys):
    """Run a command on a table; its exit status, stdout and stderr."""
    monkeypatch.setattr("hetsel.shell.commands.rank.get_method", lambda key: Ordering)

    def call(command, *options, **changes):
        columns = {"days": TIMES, "status": EVENTS.astype(int)} | changes
        FRAME.assign(**columns).to_csv(tmp_path / "t.csv", index=False)
        status = main([command, str(tmp_path / "t.csv"), *options])
        return status, *capsys.readouterr()

    return call


def test_the_ranking_is_that_of_python_and_both_columns_leave_the_features(run, tmp_path):
    status, out, _ = run("rank", *TOLD, "--json", "--out", str(tmp_path / "r.csv"))
    assert status == 0
    found = json.loads(out)
    there = Ordering().fit(FRAME, survival(TIMES, EVENTS)).frame()
    assert [row["feature"] for row in found["ranking"]] == there["feature"].tolist()
    assert [row["importance"] for row in found["ranking"]] == there["importance"].tolist()
    facts = {
        "target": "days",
        "event": "status",
        "target_kind": "survival",
        "events": int(EVENTS.sum()),
        "longest": TIMES.max(),
        "median_time": np.median(TIMES),
    }
    assert facts.items() <= found.items()
    assert "classes" not in found
    assert pd.read_csv(tmp_path / "r.csv")["feature"].tolist() == there["feature"].tolist()


def test_what_the_target_is_taken_for_is_printed(run):
    events = int(EVENTS.sum())
    _, out, _ = run("rank", *TOLD)
    told = f"target days (survival times up to {TIMES.max():g}, {events} rows with an event)"
    assert told in out.splitlines()[0]
    _, out, _ = run("inspect", *TOLD)
    line = f"target: survival times in 'days': {ROWS} rows, {events} with an event"
    assert out.splitlines()[-1] == line
    found = json.loads(run("inspect", *TOLD, "--json")[1])
    assert [column["name"] for column in found["columns"]] == ["age", "stage", "noise"]
    assert (found["target"], found["event"], found["events"]) == ("days", "status", events)


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        (EVENTS.astype(float), ()),
        (EVENTS, ()),
        (np.where(EVENTS, "dead", "alive"), ("--event-value", "dead")),
        (1 + EVENTS, ("--event-value", "2")),
        (np.where(EVENTS, 0, 1), ("--event-value", "0")),
    ],
    ids=["1.0", "True", "text", "status of R", "turned"],
)
def test_what_an_event_is_may_be_said(run, cells, value):
    found = json.loads(run("rank", *TOLD, *value, "--json", status=cells)[1])
    there = Ordering().fit(FRAME, survival(TIMES, EVENTS)).frame()
    assert [row["importance"] for row in found["ranking"]] == there["importance"].tolist()


REFUSED = {
    "no event": (("--time", "days"), {}, "--time needs --event"),
    "no time": (("--event", "status"), {}, "--event needs --time"),
    "target too": ((*TOLD, "--target", "age"), {}, "a table has one target"),
    "kind too": ((*TOLD, "--as", "numbers"), {}, "--as must be classes or numbers with --target"),
    "value of none": (("--target", "age", "--event-value", "1"), {}, "--event-value needs --event"),
    "one column": (
        ("--time", "days", "--event", "days"),
        {},
        "--time and --event must name different columns",
    ),
    "no such column": (("--time", "day", "--event", "status"), {}, "Did you mean 'days'?"),
    "dropped": ((*TOLD, "--drop", "status"), {}, "--drop must not name the column of --event"),
    "groups": ((*TOLD, "--row-groups", "days"), {}, "not name the column of --time. Got 'days'"),
    "status of R": (TOLD, {"status": 1 + EVENTS}, "as in R, use --event-value 2"),
    "words": (TOLD, {"status": np.where(EVENTS, "yes", "no")}, "Use --event-value VALUE to name"),
    "another value": ((*TOLD, "--event-value", "3"), {}, "a value of event: 0, 1. Got 3"),
    "negative": (TOLD, {"days": TIMES - 500}, "time must be finite numbers, 0 or larger"),
    "text": (TOLD, {"days": "2020-01-01"}, "Got '2020-01-01' in 80 rows"),
    "gaps": (TOLD, {"days": np.where(AGE > 60, TIMES, np.nan)}, "'days' is missing in"),
    "all censored": (TOLD, {"status": 0}, "must have at least one event"),
}


@pytest.mark.parametrize(("options", "changes", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_a_target_is_refused_in_one_sentence(run, options, changes, words):
    status, out, error = run("rank", *options, **changes)
    assert (status, out) == (1, "")
    assert words in error
    assert sum(line.startswith("hetsel: error") for line in error.splitlines()) == 1


def test_martingale_residuals_are_numbers_for_methods_that_take_them(tmp_path, capsys):
    FRAME.assign(days=TIMES, status=EVENTS).to_csv(tmp_path / "t.csv", index=False)
    options = (*TOLD, "--as", "martingale", "--drop", "stage")
    assert main(["rank", str(tmp_path / "t.csv"), *options, "--method", "pearson", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    X, y = FRAME.drop(columns="stage"), survival(TIMES, EVENTS)
    there = get_method("pearson")(target_kind="martingale").fit(X, y).frame()
    assert [row["importance"] for row in found["ranking"]] == there["importance"].tolist()
    assert (found["target_kind"], found["residuals"]) == ("survival", "martingale")
    assert main(["rank", str(tmp_path / "t.csv"), *options, "--method", "pearson"]) == 0
    assert "rows with an event, as martingale residuals)" in capsys.readouterr().out
    told = ["search", str(tmp_path / "t.csv"), *options, "--criterion", "ridge", "--size", "1"]
    assert main(told) == 0
    assert "signature of size 1: " in capsys.readouterr().out
    assert main(["rank", str(tmp_path / "t.csv"), "--target", "age", "--as", "martingale"]) == 1
    assert "survival or martingale with --time" in capsys.readouterr().err


@pytest.mark.parametrize("residuals", [False, True], ids=["times", "residuals"])
def test_the_size_is_chosen_as_in_python(residuals, tmp_path, capsys):
    FRAME.assign(days=TIMES, status=EVENTS).to_csv(tmp_path / "t.csv", index=False)
    y, kind = survival(TIMES, EVENTS), "martingale" if residuals else None
    key, measure = ("anova-f", "R²") if residuals else ("univariate-tests", "concordance")
    selector = get_method(key)(target_kind=kind, random_state=0).fit(FRAME, y)
    wanted = choose_size(selector, FRAME, y, "equal")
    options = [*TOLD, "--method", key, *(["--as", kind] if kind else [])]
    asked = ["rank", str(tmp_path / "t.csv"), *options, "--size=auto", "--size-rule=equal"]
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["signature"]) == wanted.size
    assert found["size_choice"]["inner_scores"] == wanted.means.tolist()
    assert (found["size_choice"]["measure"], found["size_choice"]["size"]) == (measure, wanted.size)
    assert main(asked) == 0
    assert f"by the rule equal: inner {measure} {wanted.inner_score:.3f}" in capsys.readouterr().out


def test_a_data_set_of_survival_times_has_its_own(monkeypatch, capsys):
    monkeypatch.setattr("hetsel.shell.commands.rank.get_method", lambda key: Ordering)
    times = Dataset("trial", FRAME, survival(TIMES, EVENTS), "a trial", "nobody", "none")
    monkeypatch.setattr("hetsel.datasets.load", lambda name: times)
    assert main(["rank", "gse7390-survival"]) == 0
    out = capsys.readouterr().out
    told = f"survival times up to {TIMES.max():g}, {EVENTS.sum()} rows with an event"
    assert f"target time ({told})" in out
    assert main(["rank", "gse7390-survival", "--as", "classes"]) == 1
    assert "survival or martingale with --time" in capsys.readouterr().err


def test_a_method_without_survival_times_names_those_that_take_them(run, monkeypatch):
    monkeypatch.setattr(Ordering, "about", About("a test", why_not={"survival": "it counts"}))
    _, _, error = run("rank", *TOLD)
    assert "needs classes as its target, since it counts. Got survival times in 'days'" in error


def test_rows_without_a_time_can_be_left_out(run):
    gaps = {"days": np.where(np.arange(ROWS) < 5, np.nan, TIMES)}
    status, out, error = run("rank", *TOLD, "--drop-unlabeled", "--json", **gaps)
    assert status == 0
    assert json.loads(out)["rows"] == ROWS - 5
    assert "5 rows without days or status left out" in error


def test_columns_that_tell_the_outcome_are_named(run):
    leaks = {"months": TIMES / 30.4, "vital": np.where(EVENTS, "dead", "alive"), "relapse": AGE}
    _, _, error = run("rank", *TOLD, **leaks)
    notes = [line for line in error.splitlines() if "known before" in line]
    assert any("vital" in note and "which rows have an event" in note for note in notes)
    assert any("relapse" in note and "named like an outcome" in note for note in notes)
    assert any("months" in note for note in notes)
    assert not any("age" in note or "stage" in note for note in notes)


def test_few_whole_numbers_are_named_as_ambiguous(run, monkeypatch):
    monkeypatch.setattr(Ordering, "about", About("a test", targets=("classes", "numbers")))
    monkeypatch.setattr(
        Ordering,
        "_select",
        lambda self, problem: Ranking.from_importance(np.arange(float(problem.p))),
    )
    grades = {"grade": 1 + np.arange(ROWS) % 5}
    for kind in ((), ("--as", "classes"), ("--as", "numbers")):
        status, out, error = run("rank", "--target", "grade", *kind, **grades)
        assert status == 0
        named = "grade has 5 different whole numbers and is read as classes" in error
        assert named == (not kind)
        assert ("numbers, 5 values" in out) == ("numbers" in kind)
    error = run("inspect", "--target", "grade", **grades)[2]
    assert "measurements, use --as numbers" in error
    assert "labels, use --as classes" in error
    two = run("rank", "--target", "grade", grade=np.arange(ROWS) % 2)[2]
    assert "read as classes" not in two


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("target", "kind", "column"),
    [(TOLD, "survival", "risk"), (("--target", "age", "--as", "numbers"), "numbers", "predicted")],
)
def test_a_signature_is_selected_saved_and_predicts(target, kind, column, tmp_path, capsys):
    table = tmp_path / "t.csv"
    FRAME.assign(days=TIMES, status=EVENTS.astype(int)).to_csv(table, index=False)
    saved, page, out = (str(tmp_path / name) for name in ("s.json", "s.html", "p.csv"))
    drop = ("--drop", "days,status") if kind == "numbers" else ()
    quick = ["--size=1", "--folds=3", "--repeats=1", "--permutations=0", "--pairs=2", "--jobs=1"]
    files = ("--save", saved, "--report", page)
    asked = ["select", str(table), *target, *drop, "--method", "univariate-tests", *quick, *files]
    assert main(asked) == 0
    assert "Performance on new rows (95% CI" in capsys.readouterr().out
    assert main(["predict", saved, str(table), "--out", out]) == 0
    assert main(["predict", saved, str(table), "--json"]) == 0
    found = json.loads("{" + capsys.readouterr().out.partition("{")[2])
    assert found["target_kind"] == kind
    wanted = load_signature(saved).predict(FRAME)
    assert pd.read_csv(out)[column].tolist() == pytest.approx(wanted.tolist(), rel=1e-15)
    assert [row[column] for row in found["rows"]] == wanted.tolist()


def test_a_signature_is_not_selected_by_residuals(run):
    _, _, error = run("select", *TOLD, "--as", "martingale")
    assert "--as martingale is for `hetsel rank` and `hetsel search`" in error
