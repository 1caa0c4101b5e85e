"""The shell command: what it prints, what it writes, how it fails."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from statsmodels.stats.multitest import multipletests

import hetsel
from hetsel import Ranking, SearchPath
from hetsel.selection import About, BaseSelector
from hetsel.shell import printing
from hetsel.shell.main import main
from hetsel.tables import table as typed

SCRIPT = Path(sys.executable).with_name("hetsel")


def shell(*arguments, **options):
    return subprocess.run(
        [SCRIPT, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options
    )


# ---- as a program ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_main_job_from_the_shell(tmp_path):
    out, plot = tmp_path / "ranking.csv", tmp_path / "ranking.png"
    done = shell(
        *("rank", "heart", "--method", "rfe-mkl", "--top", 5, "--size", 3),
        *("--out", out, "--plot", plot),
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert re.fullmatch(
        r"rfe-mkl: 303 rows, 13 features, target diameter narrowing "
        r"\(164 of class 0, 139 of class 1; positive class: 1\), [\d.]+ s",
        lines[0],
    )
    assert lines[1].split() == ["rank", "feature", "kind", "importance", "rank", "is"]
    assert [line.split()[0] for line in lines[2:7]] == ["1", "2", "3", "4", "5"]
    assert "... and 8 more features" in done.stdout
    assert "signature of size 3 (proved): " in done.stdout
    assert "order: all 13 ranks are proved" in lines
    assert "importances of different steps" in lines[-1]
    assert lines[-1].endswith("compare ranks only")
    assert "6 missing values imputed in major vessels colored, thal" in done.stderr
    assert "--nominal 'major vessels colored'" in done.stderr
    frame = pd.read_csv(out)
    assert list(frame.columns) == ["rank", "feature", "kind", "importance", "verdict", "step"]
    assert set(frame["verdict"]) == {"proved"}
    assert frame["rank"].tolist() == list(range(1, 14))
    data = hetsel.datasets.load("heart")
    wanted = hetsel.RFEMKL().fit(data.X, data.y).frame()
    assert frame["feature"].tolist() == wanted["feature"].tolist()
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ranking.csv", "ranking.png"]


def test_p_values_are_printed_with_those_of_statsmodels_for_all_columns(run, tmp_path):
    out = tmp_path / "ranking.csv"
    arguments = ["rank", "heart", "--method", "univariate-tests", "--top", 4, "--out", out]
    lines = run(*arguments)[1].splitlines()
    frame = pd.read_csv(out)
    adjusted = multipletests(frame["p_value"], method="fdr_bh")[1]
    np.testing.assert_allclose(frame["p_adjusted"], adjusted, rtol=1e-12)
    assert lines[1].split() == ["rank", "feature", "kind", "importance", "p", "p", "adjusted"]
    for line, p, own in zip(lines[2:6], frame["p_value"], adjusted, strict=False):
        assert line.split()[-2:] == [f"{p:.2g}", f"{own:.2g}"]
    assert "13 columns" in lines[7]


def test_help_and_version_load_nothing_heavy():
    done = shell("--help")
    assert done.returncode == 0
    assert all(f"\n  {code}  " in done.stdout for code in (0, 1, 2, 129, 130, 143))
    assert shell("--version").stdout == f"hetsel {hetsel.__version__}\n"
    heavy = {"numpy", "pandas", "importlib.metadata"}
    code = f"import sys, hetsel.shell.main; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_ranking_loads_neither_matplotlib_nor_statsmodels_nor_r():
    code = (
        "import sys; from hetsel.shell.main import main; main(['rank', 'heart', '--json']); "
        "sys.exit(len({'matplotlib', 'statsmodels', 'rpy2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_as_a_module_with_an_error():
    command = [sys.executable, "-m", "hetsel", "rank", "absent.csv", "--target", "y"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hetsel: error: no such file: absent.csv\n"


@pytest.mark.slow
def test_json_is_all_there_is_on_stdout():
    done = shell("rank", "heart", "--json")
    content = json.loads(done.stdout)
    assert content["rows"] == 303
    assert content["missing_cells"] == 6
    assert "hetsel: note:" in done.stderr


@pytest.mark.slow
def test_a_reader_that_stops_is_no_error():
    command = f"'{SCRIPT}' rank heart 2>&1 >&3 3>&- | cat >&2"
    done = subprocess.run(
        ["bash", "-c", f"exec 3> >(true); wait $!; {command}"], capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


# ---- inspect -----------------------------------------------------------------------------------


def test_inspect_prints_kinds_notes_gaps_and_classes(run, table):
    table.write_text(table.read_text().replace("20.5,", "?,", 1))
    code, out, _ = run("inspect", table, "--target", "relapse")
    assert code == 0
    assert "40 rows, 5 columns: 2 continuous, 3 nominal" in out
    assert re.search(
        r"\? only 3 distinct whole numbers.* use --nominal code or --ordinal code", out
    )
    assert re.search(r"every value occurs once, as in an identifier.* --drop id", out)
    assert "missing values: 1" in out
    assert re.search(
        r"target relapse: \d+ of class no, \d+ of class yes; positive class: yes\n", out
    )


def test_the_options_that_a_note_names_settle_it(run, table):
    """What is printed after a note, given to the same command, leaves nothing open."""
    _, out, _ = run("inspect", table, "--json")
    open_notes = [column["note"] for column in json.loads(out)["columns"] if column["note"]]
    assert len(open_notes) == 2  # code, id
    advice = re.findall(r"(--nominal|--drop) (\w+)", " ".join(open_notes))
    assert len(advice) == 2
    _, out, _ = run("inspect", table, "--json", *advice[0], *advice[1])
    assert not any(column["note"] for column in json.loads(out)["columns"])


def test_an_error_of_a_study_speaks_of_entries_of_its_plan(fails, tmp_path):
    (tmp_path / "t.csv").write_text("x;y\n1;a\n2;b\n")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'methods = ["t-test"]\n[[datasets]]\nname = "own"\nfile = "t.csv"\ntarget = "y"\n'
    )
    message = fails("study", "run", plan, "--store", tmp_path / "s.sqlite")
    assert "data set 'own'" in message
    assert 'separator = ";"' in message
    assert "--separator" not in message


def test_a_table_with_nothing_but_the_target_is_refused_in_plain_words(fails, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("ill,site\n" + "0,a\n1,b\n" * 9)
    for command in ("inspect", "rank", "search", "select"):
        options = {"rank": ("--method", "hsic"), "search": ("--search", "bif")}.get(command, ())
        options = (*options, "--target", "ill", "--row-groups", "site")
        assert "no column that can be a feature" in fails(command, path, *options)


def test_inspect_takes_the_rows_that_rank_takes(run, tmp_path):
    path = tmp_path / "a.csv"
    lines = [f"{i / 7:.4f},{i % 5 + 1},{'abcd'[i % 4]},{i % 2 if i else ''}" for i in range(24)]
    path.write_text("\n".join(["x,w,site,ill", *lines]) + "\n")
    options = ("--target", "ill", "--drop-unlabeled", "--row-groups", "site", "--row-weights", "w")
    _, out, _ = run("inspect", path, *options, "--scale", "quantile", "--json")
    found = json.loads(out)
    assert (found["rows"], found["unlabeled"]) == (23, 1)
    assert [column["name"] for column in found["columns"]] == ["x"]
    _, out, _ = run("rank", path, "--method", "univariate-tests", *options[:5], "--json")
    ranked = json.loads(out)
    assert (ranked["rows"], ranked["features"]) == (23, 2)
    code, _, err = run("inspect", path, "--target", "ill", "--row-weights", "site")
    assert code == 1
    assert "--row-weights" in err


def test_inspect_tells_that_a_column_with_a_note_tells_the_target(run, tmp_path):
    lines = [
        "day,x,y",
        *(f"{2020 + i % 2}-02-0{1 + i % 7},{i * i % 17}.5,{i % 2}" for i in range(60)),
    ]
    (tmp_path / "leak.csv").write_text("\n".join(lines))
    _, out, err = run("inspect", tmp_path / "leak.csv", "--target", "y")
    assert "day: a column that alone predicts the target with a balanced accuracy of 100%" in err
    assert "? dates, treated as continuous" in out


def test_inspect_json_and_saved_schema(run, table, tmp_path):
    saved = tmp_path / "schema.json"
    code, out, _ = run(
        *("inspect", table, "--json", "--save-schema", saved, "--drop", "id,relapse"),
        *("--nominal", "code,sex", "--ordinal", "grade=I<II<III"),
    )
    assert code == 0
    columns = json.loads(out)["columns"]
    assert [(c["name"], c["kind"]) for c in columns] == [
        ("age", "continuous"),
        ("sex", "nominal"),
        ("code", "nominal"),
        ("grade", "ordinal"),
    ]
    assert columns[3]["levels"] == ["I", "II", "III"]
    schema = hetsel.Schema.load(saved)
    assert [c.kind for c in schema.columns] == [c["kind"] for c in columns]


def test_rank_replays_a_saved_schema(run, table, tmp_path):
    saved = tmp_path / "schema.json"
    run("inspect", table, "--save-schema", saved, "--drop", "id,relapse", "--nominal", "code")
    arguments = ("rank", table, "--target", "relapse", "--drop", "id", "--json")
    _, out, err = run(*arguments, "--schema", saved)
    kinds = {row["feature"]: row["kind"] for row in json.loads(out)["ranking"]}
    assert kinds["code"] == "nominal"
    assert "note: code" not in err  # settled
    _, out, err = run(*arguments)
    kinds = {row["feature"]: row["kind"] for row in json.loads(out)["ranking"]}
    assert kinds["code"] == "continuous"
    assert "hetsel: note: code: only 3 distinct" in err


# ---- rank --------------------------------------------------------------------------------------


def ranked(run, table, *arguments):
    code, out, err = run("rank", table, "--target", "relapse", "--drop", "id", "--json", *arguments)
    assert code == 0, err
    return json.loads(out)


def test_rank_json_has_everything_a_program_needs(run, table):
    content = ranked(run, table, "--size", 2)
    assert content["method"] == "rfe-mkl"
    assert content["table"] == "patients.csv"
    assert sum(content["classes"].values()) == content["rows"] == 40
    assert [row["rank"] for row in content["ranking"]] == [1, 2, 3, 4]
    assert content["ranking"][0]["feature"] == "sex"
    assert content["signature"] == [row["feature"] for row in content["ranking"][:2]]
    assert content["seconds"] >= 0
    assert content["trace"][0]["size"] == 4
    dropped = [name for step in content["trace"] for name in step["features"]]
    assert sorted(dropped) == ["age", "code", "grade", "sex"]
    assert dropped[-1] == "sex"


def test_a_file_is_encoded_once(run, table, monkeypatch):
    encode, calls = typed.FrameCells.encode, []
    monkeypatch.setattr(typed.FrameCells, "encode", lambda *a: calls.append(1) or encode(*a))
    ranked(run, table)
    assert len(calls) == 1


def test_parameters_reach_the_method(run, table):
    weak = ranked(run, table, "--param", "C=0.001", "--method", "rfe-svm")
    strong = ranked(run, table, "--param", "C=10.0", "--method", "rfe-svm")
    assert weak["ranking"] != strong["ranking"]


@pytest.mark.parametrize("scale", ["quantile", "robust"])
def test_a_scale_reaches_the_method_and_is_told(run, table, scale):
    content = ranked(run, table, "--scale", scale)
    frame = hetsel.read_table(table).drop(columns="id")
    selector = hetsel.RFEMKL(scale=scale).fit(frame.drop(columns="relapse"), frame["relapse"])
    assert content["scale"] == scale
    assert [row["feature"] for row in content["ranking"]] == selector.frame()["feature"].tolist()
    importances = [row["importance"] for row in content["ranking"]]
    assert importances == selector.frame()["importance"].tolist()
    _, out, _ = run("rank", table, "--target", "relapse", "--drop", "id", "--scale", scale)
    assert f"scale {scale}, " in out.splitlines()[0]
    assert ranked(run, table)["scale"] == "range"


def test_a_note_on_a_stretched_column_names_the_scale_that_ends_it(run, tmp_path):
    path = tmp_path / "a.csv"
    cells = [8123.5, *range(20, 60)]
    path.write_text("dose,y\n" + "".join(f"{x},{i % 2}\n" for i, x in enumerate(cells)))
    _, _, err = run("rank", path, "--target", "y")
    (option,) = re.findall("--scale quantile", err)
    _, _, err = run("rank", path, "--target", "y", *option.split())
    assert "8123.5" not in err


def test_one_option_may_be_given_twice_or_with_commas(run, table):
    twice = ranked(run, table, "--nominal", "code", "--nominal", "age")
    commas = ranked(run, table, "--nominal", "code,age")
    assert twice["ranking"] == commas["ranking"]


def test_a_comma_may_belong_to_a_name(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('"a,b",c,y\n' + "1,2,u\n2,1,v\n" * 5)
    _, out, _ = run("inspect", path, "--nominal", "a,b", "--json")
    assert [c["kind"] for c in json.loads(out)["columns"]] == ["nominal", "continuous", "nominal"]


def test_missing_policies(run, table):
    table.write_text(table.read_text().replace("20.5,", ",", 1))
    assert ranked(run, table)["missing"] == "impute"
    kept = ranked(run, table, "--missing", "separate")
    assert (kept["missing"], kept["missing_cells"]) == ("separate", 1)


def test_how_the_file_is_read(run, table, tmp_path):
    path = tmp_path / "a.data"
    text = table.read_text().replace(",", "\t").replace("sex", "s\xe9x")
    text = re.sub(r"\n(\d+)\.5", r"\n\1,5", text)
    path.write_bytes(text.replace("20,5", "none", 1).encode("latin-1"))
    arguments = ("--encoding", "latin-1", "--decimal", ",", "--missing-mark", "none")
    code, out, err = run("inspect", path, "--json", *arguments)
    assert code == 0
    columns = json.loads(out)["columns"]
    assert (columns[0]["kind"], columns[0]["missing"]) == ("continuous", 1)
    assert columns[1]["name"] == "s\xe9x"
    assert r"a.data: values are separated by '\t'" in err
    path.write_text("1.5;a\n2.5;b\n")
    _, out, _ = run("inspect", path, "--separator", ";", "--header", "no", "--json")
    assert [c["name"] for c in json.loads(out)["columns"]] == ["x0", "x1"]


def test_tab_separated_output(run, table, tmp_path):
    out = tmp_path / "r.tsv"
    ranked(run, table, "--out", out)
    assert pd.read_csv(out, sep="\t")["feature"].tolist()[0] == "sex"


def test_a_file_named_like_a_bundled_table_comes_first(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("heart").write_text("a,b\n1,2\n")
    _, _, err = run("inspect", "heart")
    assert "the format of heart is unknown" in err


# ---- methods and doctor ------------------------------------------------------------------------


def test_methods_lists_every_key_in_a_narrow_page(run):
    code, out, _ = run("methods")
    assert code == 0
    keys = [line.split()[0] for line in out.splitlines() if not line.startswith(" ")]
    assert keys == hetsel.method_keys()
    assert max(map(len, out.splitlines())) <= 96
    anova = " ".join(out.partition("\narom ")[0].split())
    assert "continuous, ordinal columns, or mixed columns for targets other than classes" in anova
    code, out, _ = run("methods", "--json")
    rows = json.loads(out)["methods"]
    assert [row["key"] for row in rows] == keys
    assert all(row["title"] and row["paper"] for row in rows)
    assert all(row["time"] and row["memory"] for row in rows)


def test_methods_that_are_named_have_all_of_their_cost(run):
    code, out, _ = run("methods", "rfe-linear", "arom")
    assert code == 0
    keys = [line.split()[0] for line in out.splitlines() if not line.startswith(" ")]
    assert keys == ["arom", "rfe-linear"]
    text = " ".join(out.split())
    assert "memory n^2 + 3 n d numbers of 8 bytes" in text
    assert "time, of numbers n d^2" in text
    (row,) = json.loads(run("methods", "arom", "--json")[1])["methods"]
    assert row["memory"] == "n^2 + n d"
    assert row["cost"].startswith("time n^2 d, memory n^2 + 3 n d")
    code, _, err = run("methods", "aromm")
    assert code != 0
    assert "'arom'" in err


def test_doctor_ends_with_the_state_of_the_core(run, monkeypatch):
    from hetsel.shell import machine_checks

    good = machine_checks.Finding("numpy", "ok", "2.0")
    bad = machine_checks.Finding("numba", "missing", "needed", "pip install numba")
    monkeypatch.setattr(machine_checks, "examine_machine", lambda: [good])
    assert run("doctor") == (0, "ok       numpy  2.0\nhetsel works\n", "")
    monkeypatch.setattr(machine_checks, "examine_machine", lambda: [good, bad])
    code, out, _ = run("doctor", "--json")
    assert code == 1
    assert json.loads(out)["ok"] is False
    assert json.loads(out)["checks"][1]["fix"] == "pip install numba"


# ---- parts -------------------------------------------------------------------------------------


def test_numbers_that_json_does_not_know_become_null():
    assert printing.json_value({"a": [float("nan"), float("inf"), 1.5]}) == {"a": [None, None, 1.5]}


@pytest.mark.seconds
def test_an_elapsed_line_is_for_terminals_only(capsys, monkeypatch):
    with printing.elapsed("work"):
        time.sleep(0.01)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    shown = ""
    with printing.elapsed("work"):
        while "work: " not in shown:
            time.sleep(0.01)
            shown += capsys.readouterr().err
    assert capsys.readouterr().err.endswith("\r\x1b[K")


def test_ties_and_open_cuts_are_printed_and_written(run, monkeypatch, tmp_path):
    cuts = ["proved"] * 12
    cuts[3:5], cuts[8] = ("tie", "tie"), "open"

    class Claims(BaseSelector):
        about = About("an order with ties")

        def _select(self, problem):
            return Ranking(np.arange(problem.p), np.zeros(problem.p), cuts=tuple(cuts))

    monkeypatch.setattr("hetsel.shell.commands.rank.get_method", lambda key: Claims)
    words = ["proved"] * 3 + ["tie 4-6"] * 3 + ["proved"] * 2 + ["open"] * 2 + ["proved"] * 3
    out = tmp_path / "ranking.csv"
    for size, verdict in ((3, "proved"), (5, "tie of ranks 4-6"), (9, "open")):
        code, printed, _ = run("rank", "heart", "--method", "any", "--size", size, "--out", out)
        assert code == 0
        rows = printed.splitlines()[2:15]
        assert [re.split("  +", row)[-1] for row in rows] == words
        assert f"\nsignature of size {size} ({verdict}): " in printed
        assert "9 are proved, 2 are ties (ranks 4-6), 1 is open (after rank 9)" in printed
        assert re.search("\nopen boundaries .*--size K .*after rank K", printed)
    assert pd.read_csv(out)["verdict"].tolist() == words
    found = json.loads(run("rank", "heart", "--method", "any", "--size", 5, "--json")[1])
    assert found["cut"] == "tie"
    assert [row["verdict"] for row in found["ranking"]] == words


def test_a_method_that_claims_nothing_prints_no_verdict(run):
    _, printed, _ = run("rank", "heart", "--method", "hsic", "--size", 2)
    assert printed.splitlines()[1].split() == ["rank", "feature", "kind", "importance"]
    assert "order: " not in printed
    found = json.loads(run("rank", "heart", "--method", "hsic", "--size", 2, "--json")[1])
    assert found["cut"] is None
    assert "verdict" not in found["ranking"][0]


def test_a_search_prints_a_subset_for_each_size(run, monkeypatch):
    class Search(BaseSelector):
        about = About("two subsets that are not nested")

        def _select(self, problem):
            subsets = {1: np.array([2]), 2: np.array([0, 1])}
            return SearchPath(problem.p, subsets, {1: 0.5, 2: 0.75})

    monkeypatch.setattr("hetsel.shell.commands.rank.get_method", lambda key: Search)
    code, out, _ = run("rank", "heart", "--method", "any", "--size", "2")
    assert code == 0
    names = hetsel.datasets.load("heart").X.columns
    assert out.splitlines()[1].split() == ["size", "inner", "score", "features"]
    lines = [line.split(maxsplit=2) for line in out.splitlines()[2:4]]
    assert lines == [["1", "0.5", names[2]], ["2*", "0.75", f"{names[0]}, {names[1]}"]]
    assert f"\n* signature of size 2: {names[0]}, {names[1]}\n" in out
    assert out.splitlines()[-1].startswith("inner score: optimistic")
    path = json.loads(run("rank", "heart", "--method", "any", "--json")[1])["path"]
    assert [(row["size"], row["inner_score"]) for row in path] == [(1, 0.5), (2, 0.75)]


def test_a_warning_names_the_option_of_the_shell(tmp_path, capsys):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    frame["relapse"] = np.where(np.arange(60) < 6, "yes", "no")
    frame.to_csv(tmp_path / "patients.csv", index=False)
    call = ["rank", str(tmp_path / "patients.csv"), "--target", "relapse"]
    assert main(call) == 0
    told = capsys.readouterr().err
    assert "hetsel: warning: " in told
    assert "no row of class yes" in told
    assert "--param class_weight=balanced" in told
    assert main([*call, "--param", "class_weight=balanced"]) == 0
    assert "warning" not in capsys.readouterr().err


def test_columns_are_always_in_or_have_no_rank_and_it_is_said(run, tmp_path):
    frame, y = mixed_frame(60, 3, 2)
    frame.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    table = (tmp_path / "t.csv", "--target", "y")
    code, out, err = run("rank", *table, "--method", "anova-f")
    assert code == 1
    assert "--unsupported skip" in err
    options = ("--method", "anova-f", "--unsupported", "skip", "--always", "n1,c2")
    code, out, err = run("rank", *table, *options, "--size", 3)
    assert code == 0, err
    assert "always included, and therefore first: c2, n1\n" in out
    assert "not ranked, since anova-f takes continuous and ordinal columns only: n0\n" in out
    assert "signature of size 3: c2, n1, c0" in out
    code, out, err = run("rank", *table, *options, "--json")
    told = json.loads(out)
    assert (told["always"], told["unranked"]) == (["c2", "n1"], ["n0"])
    assert told["ranking"][1]["importance"] is None
    code, out, err = run("rank", *table, "--always", "c7")
    assert code == 1
    assert "--always: the table has no column 'c7'" in err
    picture, ranks = tmp_path / "a.png", tmp_path / "a.csv"
    code, out, err = run("rank", *table, *options, "--plot", picture, "--out", ranks)
    assert code == 0, err
    assert pd.read_csv(ranks)["always"].tolist() == [True, True, False, False]
