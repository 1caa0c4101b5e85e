"""`hetsel search`: what it prints, writes and keeps, and how it fails."""

import json
import sys
import time

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.search.criteria.criteria_by_name import HOMES
from hetsel.search.subsets.one_search import SEARCHES
from hetsel.search.subsets.subset_values import Progress
from hetsel.shell.commands import search
from hetsel.shell.main import main

Y = ("--target", "relapse")
QUICK = ("--criterion", "1nn", "--drop", "id")


def answer(run, table, *arguments):
    code, out, err = run("search", table, *Y, *QUICK, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_it_prints_the_subsets_the_chosen_one_and_what_the_score_is(run, table):
    code, out, _ = run("search", table, *Y, *QUICK)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith(
        "sffs by 1nn: 40 rows, 4 features, target relapse (17 of class no, 23 of class yes; "
    )
    assert lines[1].split() == ["size", "inner", "score", "features"]
    marked = [line.split()[0] for line in lines[2:6]]
    assert sorted(mark.rstrip("*") for mark in marked) == ["1", "2", "3", "4"]
    (chosen,) = [mark.rstrip("*") for mark in marked if mark.endswith("*")]
    assert any(line.startswith(f"* signature of size {chosen}: ") for line in lines)
    assert lines[-1].startswith("inner score: optimistic")


def test_it_is_the_search_of_python(run, table):
    found = answer(run, table, "--search", "sbs", "--seed", "3", "--folds", "3", "--ties", "0,0.1")
    frame = hetsel.read_table(table).drop(columns="id")
    selector = hetsel.SubsetSearch(
        search="sbs", criterion="1nn", random_state=3, folds=3, ties=[0, 0.1]
    ).fit(frame.drop(columns="relapse"), frame["relapse"])
    path = selector.answer_
    assert [row["inner_score"] for row in found["path"]] == [path.scores[k] for k in path.sizes]
    assert found["signature"] == selector.get_feature_names_out().tolist()
    assert found["evaluations"] == len(path.evaluated)
    assert [one["share"] for one in found["equal"]] == [0, 0.1]
    assert sum(len(move["removed"]) for move in found["moves"]) == 3


def test_a_sample_is_that_of_python_and_is_said(run, table):
    found = answer(run, table, "--sample", "20")
    frame = hetsel.read_table(table).drop(columns="id")
    selector = hetsel.SubsetSearch(criterion="1nn", sample=20)
    path = selector.fit(frame.drop(columns="relapse"), frame["relapse"]).answer_
    assert [row["inner_score"] for row in found["path"]] == [path.scores[k] for k in path.sizes]
    assert found["sampled"] == path.sampled == 21
    out = run("search", table, *Y, *QUICK, "--sample", "20")[1]
    assert "a sample of 21 of 40 rows; --sample" in out
    for every in ((), ("--sample", "all"), ("--sample", "40")):
        assert answer(run, table, *every)["sampled"] is None
        assert "a sample of" not in run("search", table, *Y, *QUICK, *every)[1]
    with pytest.raises(SystemExit):
        run("search", table, *Y, *QUICK, "--sample", "half")
    code, _, err = run("search", table, *Y, "--criterion", "ridge", "--sample", "20")
    assert code != 0
    assert "criterion 'ridge' has no option sample" in err


def test_an_area_and_an_early_stop_are_those_of_python_and_the_rate_is_said(run, table):
    given = ("--search", "sfs", "--early-stopping", "--rate", "auc", "--folds", "3")
    found = answer(run, table, *given)
    frame = hetsel.read_table(table).drop(columns="id")
    selector = hetsel.SubsetSearch(
        search="sfs", criterion="1nn", early_stopping=True, rate="auc", folds=3
    )
    path = selector.fit(frame.drop(columns="relapse"), frame["relapse"]).answer_
    assert {row["size"]: row["inner_score"] for row in found["path"]} == path.scores
    assert len(found["path"]) < 4
    assert found["rate"] == "auc"
    assert run("search", table, *Y, *QUICK, *given)[1].startswith("sfs by 1nn, auc: ")


def test_a_scale_is_that_of_python(run, table):
    found = answer(run, table, "--scale", "quantile")
    frame = hetsel.read_table(table).drop(columns="id")
    selector = hetsel.SubsetSearch(criterion="1nn", scale="quantile")
    path = selector.fit(frame.drop(columns="relapse"), frame["relapse"]).answer_
    assert [row["inner_score"] for row in found["path"]] == [path.scores[k] for k in path.sizes]
    assert found["scale"] == "quantile"


def test_the_options_on_features(run, table):
    found = answer(run, table, "--always", "age", "--never", "sex,code")
    subsets = [set(row["features"]) for row in found["path"]]
    assert subsets == [{"age"}, {"age", "grade"}]
    together = answer(run, table, "--group", "age,sex", "--group", "code,grade")
    assert [set(row["features"]) for row in together["path"]][-1] == {"age", "sex", "code", "grade"}
    assert {len(row["features"]) for row in together["path"]} == {2, 4}
    cheap = answer(run, table, "--costs", "age=5,sex=5", "--costs", "code=1", "--budget", "4")
    assert set(cheap["path"][-1]["features"]) == {"code", "grade"}


def test_an_ensemble_a_prefilter_and_limits(run, table):
    voted = answer(
        run, table, "--criterion", "1nn,3nn,5nn", "--voting", "trimmed-median", "--size", "2"
    )
    assert len(voted["signature"]) == voted["chosen_size"] == 2
    full = answer(run, table, "--search", "sfs")["evaluations"]
    hybrid = answer(run, table, "--search", "sfs", "--hybrid", "0.25", "--prefilter", "ridge")
    assert hybrid["evaluations"] < full
    stopped = answer(run, table, "--max-evaluations", "5")
    assert (stopped["stopped"], stopped["evaluations"]) == ("evaluations", 4)
    out = run("search", table, *Y, *QUICK, "--max-evaluations", "5")[1]
    assert "the search stopped early: evaluations" in out


def test_rows_of_a_group_are_held_out_together_and_the_column_is_no_feature(run, tmp_path):
    draw = np.random.default_rng(0)
    frame = pd.DataFrame(draw.normal(size=(30, 2)), columns=["a", "b"])
    frame["y"], frame["patient"] = draw.permutation(30) % 2, [f"p{k}" for k in range(30)]
    path = tmp_path / "twice.csv"
    pd.concat([frame, frame]).to_csv(path, index=False)
    best = []
    for option in ("--drop", "--row-groups"):
        given = ("search", path, "--target", "y", "--criterion", "1nn", option, "patient")
        found = json.loads(run(*given, "--json")[1])
        assert found["features"] == 2
        best.append(max(row["inner_score"] for row in found["path"]))
    assert best[0] > 0.9  # copies of a row stand on both sides of a fold
    assert best[1] < 0.8


def test_files_of_a_search(run, table, tmp_path):
    out, plot, schema = (tmp_path / name for name in ("path.csv", "path.png", "s.json"))
    code, _, err = run(
        *("search", table, *Y, *QUICK),
        *("--out", out, "--plot", plot, "--save-schema", schema),
    )
    assert code == 0
    assert err.endswith(f"wrote {out}\nwrote {schema}\nwrote {plot}\n")
    frame = pd.read_csv(out)
    assert list(frame.columns) == ["size", "inner_score", "features"]
    assert (frame["features"].str.split("; ").str.len() == frame["size"]).all()
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert hetsel.Schema.load(schema).names == ["age", "sex", "code", "grade"]


def test_a_method_that_searches_ranks_with_a_figure_of_its_path(run, table, tmp_path):
    plot, out = tmp_path / "path.svg", tmp_path / "path.tsv"
    code, text, err = run(
        "rank", table, *Y, "--method", "sffs-5nn", "--top", "2", "--plot", plot, "--out", out
    )
    assert code == 0, err
    assert "... and 3 more sizes" in text
    assert "* signature of size " in text
    assert "entered" in plot.read_text()
    assert pd.read_csv(out, sep="\t")["size"].tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("rule", ["one-se", "knee", "equal"])
def test_the_size_is_chosen_on_inner_resamplings(run, table, rule):
    found = answer(run, table, "--search", "sfs", "--size", "auto", "--size-rule", rule)
    choice = found["size_choice"]
    assert (choice["rule"], choice["sizes"]) == (rule, [1, 2, 3, 4])
    assert choice["size"] == found["chosen_size"] == len(found["signature"])
    frame = hetsel.read_table(table).drop(columns="id")
    x, y = frame.drop(columns="relapse"), frame["relapse"]
    wanted = hetsel.choose_size(
        hetsel.SubsetSearch(search="sfs", criterion="1nn").fit(x, y), x, y, rule
    )
    assert (choice["size"], choice["inner_scores"]) == (wanted.size, wanted.means.tolist())
    out = run("search", table, *Y, *QUICK, "--search", "sfs", "--size", "auto")[1]
    assert out.splitlines()[-1].startswith("size ")
    assert "of 10 inner resamplings. It is optimistic" in out


def test_the_size_of_a_ranking_is_chosen_too(run, table):
    given = ("rank", table, *Y, "--drop", "id", "--method", "hsic", "--size", "auto")
    found = json.loads(run(*given, "--json")[1])
    choice = found["size_choice"]
    assert len(found["signature"]) == choice["size"]
    best = [row["feature"] for row in found["ranking"]]
    assert found["signature"] == best[: choice["size"]]
    out = run(*given)[1]
    assert f"signature of size {choice['size']}: {', '.join(found['signature'])}\n" in out
    assert f"size {choice['size']} by the rule one-se: inner BCR " in out


def test_a_stopped_search_goes_on_from_its_archive(run, table, tmp_path, monkeypatch):
    archive = tmp_path / "a.txt"

    def pressed(progress):
        raise KeyboardInterrupt

    given = ("search", table, *Y, *QUICK, "--archive", archive)
    with monkeypatch.context() as patch:
        patch.setattr(search.SearchWatch, "__call__", lambda self, progress: pressed(progress))
        patch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        code, out, err = run(*given)
    assert (code, out) == (130, "")
    assert "interrupted: " in err
    assert f"{archive} keeps every evaluation" in err
    kept = len(archive.read_text().splitlines())
    assert kept > 1
    code, out, _ = run(*given, "--json")
    assert json.loads(out)["path"] == answer(run, table)["path"]
    assert len(archive.read_text().splitlines()) > kept


def test_ctrl_c_in_compiled_code_ends_with_130(run, table, monkeypatch):
    def stop(options):
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    monkeypatch.setattr(search, "run", stop)
    code, out, err = run("search", table)
    assert (code, out) == (130, "")
    assert err.startswith("hetsel: interrupted")


def test_the_line_on_the_terminal_counts_down_between_moves():
    watch = search.SearchWatch()
    assert watch.line() == ""
    watch(Progress(1234, 2.0, 7, 0.5, 4, 0.75, 100.0))
    assert watch.line() == ", 1,234 subsets, size 7, best inner score 0.75, 100 s left"
    watch._when = time.monotonic() - 40.0
    assert watch.line().endswith(", 60 s left")
    watch(Progress(9, 2.0, 7, 0.5, 4, 0.75, float("inf")))
    assert watch.line().endswith("best inner score 0.75")


def test_what_features_may_do_is_asked_of_a_method_that_searches(run, table):
    asked = ("--method", "sffs-nb", "--never", "age", "--costs", "sex=2,grade=1")
    code, out, err = run("rank", table, *Y, *asked, "--budget", "2", "--json")
    assert code == 0, err
    for subset in json.loads(out)["path"]:
        assert "age" not in subset["features"]
        assert {"sex", "grade"} - {*subset["features"]}


@pytest.mark.parametrize("command", ["rank", "select", "plan-rows"])
@pytest.mark.parametrize(
    ("option", "value"), [("--costs", "sex=2"), ("--budget", "3"), ("--never", "sex")]
)
def test_a_method_that_does_not_search_says_where_that_works(run, table, command, option, value):
    code, _, err = run(command, table, *Y, option, value)
    assert code == 1
    assert f"{option} is for methods that search subsets" in err
    assert "hetsel search" in err


REFUSED = {
    "no target": ((), "a target is required"),
    "search": ((*Y, "--search", "sfss"), "search must be one of bif, sfs, "),
    "criterion": ((*Y, "--criterion", "ridgee"), "Did you mean 'ridge'?"),
    "size": ((*Y, "--size", "9"), "size must be in 1..5"),
    "rule alone": ((*Y, "--size", "2", "--size-rule", "knee"), "--size-rule needs --size auto"),
    "os without size": ((*Y, "--search", "os"), "needs a size"),
    "always": ((*Y, "--always", "agee"), "--always: the table has no column 'agee'"),
    "group": ((*Y, "--group", "age,six"), "--group: the table has no column 'six'"),
    "row groups": (
        (*Y, "--row-groups", "idd"),
        "--row-groups must be a column, copies or rows. Got 'idd'",
    ),
    "target as row groups": (
        (*Y, "--row-groups", "relapse"),
        "--row-groups must not name the column of --target. Got 'relapse'",
    ),
    "cost of nothing": ((*Y, "--costs", "3"), "--costs must be COLUMN=COST"),
    "cost below 0": ((*Y, "--costs", "age=-1"), "Got 'age=-1'"),
    "cost of another": ((*Y, "--costs", "agee=1"), "--costs: the table has no column 'agee'"),
    "budget alone": ((*Y, "--budget", "3"), "--budget needs --costs"),
    "prefilter alone": ((*Y, "--prefilter", "hsic"), "--prefilter needs --hybrid"),
    "voting": (
        (*Y, "--voting", "loud"),
        "voting must be one of order, median, weighted, trimmed-order",
    ),
    "seconds": ((*Y, "--max-seconds", "0"), "seconds must be a positive number"),
    "archive and out": (
        (*Y, "--archive", "a.csv", "--out", "a.csv"),
        "--archive must not name the file of another option. Got a.csv",
    ),
    "no archive": ((*Y, "--archive", "patients.csv"), "not the archive of a search"),
}


@pytest.mark.parametrize(("arguments", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_ends_in_one_sentence(fails, table, monkeypatch, arguments, words):
    monkeypatch.chdir(table.parent)
    assert words in fails("search", table, *arguments)
    left = {path.name for path in table.parent.iterdir()}
    assert left <= {"patients.csv", "patients.csv.lock"}


def test_a_gap_in_the_row_groups_is_refused(fails, table):
    table.write_text(table.read_text().replace(",id3\n", ",\n"))
    message = fails("search", table, *Y, "--row-groups", "id")
    assert "--row-groups: 'id' is missing in 1 of 40 rows" in message


def test_shares_that_are_no_numbers_end_with_2(table, capsys):
    with pytest.raises(SystemExit) as reason:
        main(["search", str(table), "--ties", "few"])
    assert reason.value.code == 2
    assert "must be numbers, e.g. 0.01,0.02. Got 'few'" in capsys.readouterr().err


def test_the_help_names_every_criterion_and_search(capsys):
    with pytest.raises(SystemExit):
        main(["search", "--help"])
    shown = "".join(capsys.readouterr().out.split())
    assert [name for name in (*HOMES, *SEARCHES) if name not in shown] == []
