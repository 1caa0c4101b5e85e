"""The shell command: what cannot be used ends in one sentence and leaves nothing behind."""

import os

import pytest

from hetsel.shell.commands import rank
from hetsel.shell.main import main

# ---- what is refused ---------------------------------------------------------------------------

Y = ("--target", "relapse")
REFUSED = {
    "no target": (
        (),
        "--time and --event. The columns are age, sex, code, grade, relapse, id",
    ),
    "another target": (("--target", "relaps"), "no column 'relaps'. Did you mean 'relapse'?"),
    "continuous target": (
        ("--target", "age", "--method", "l1-svm"),
        "Got numbers: 40 different values in 'age'",
    ),
    "identifier as target": (("--target", "id"), "every class must have at least two rows"),
    "unknown drop": ((*Y, "--drop", "idd"), "--drop: the table has no column 'idd'. Did you mean"),
    "target dropped": ((*Y, "--drop", "relapse"), "--drop must not name the column of --target"),
    "unknown nominal": ((*Y, "--nominal", "sexe"), "no column 'sexe'. Did you mean 'sex'?"),
    "unknown method": ((*Y, "--method", "rfe-mlk"), "Got 'rfe-mlk'. Did you mean 'rfe-mkl'?"),
    "unknown parameter": (
        (*Y, "--param", "K=1"),
        "rfe-mkl has no parameter 'K'. Its parameters are C,",
    ),
    "size too large": ((*Y, "--size", "9"), "size must be in 1..5 (the table has 5 features)"),
    "size zero": ((*Y, "--size", "0"), "size must be in 1..5"),
    "rule alone": ((*Y, "--size-rule", "knee"), "--size-rule needs --size auto"),
    "top zero": ((*Y, "--top", "0"), "--top must be at least 1"),
    "text in no order": ((*Y, "--ordinal", "grade"), "--ordinal 'grade=lowest<...<highest'"),
    "order lacks": ((*Y, "--ordinal", "grade=I<II"), "III"),
    "text as number": ((*Y, "--continuous", "sex"), "'sex' must hold numbers"),
    "output suffix": ((*Y, "--out", "ranking.xls"), "--out must end in .csv, .tsv"),
    "plot suffix": ((*Y, "--plot", "ranking.gif"), "--plot must end in .png, .svg, .pdf"),
    "no folder": ((*Y, "--out", "absent/ranking.csv"), "--out must be in a folder that exists"),
    "same file twice": (
        (*Y, "--out", "a.csv", "--save-schema", "a.csv"),
        "must not name the file of another option. Got",
    ),
    "same file in other words": (
        (*Y, "--out", "a.csv", "--save-schema", "../{here}/a.csv"),
        "must not name the file of another option. Got ../",
    ),
    "its own table": (
        (*Y, "--out", "./patients.csv"),
        "that the command reads. Got ./patients.csv",
    ),
    "schema on it": (
        (*Y, "--save-schema", "patients.csv"),
        "that the command reads. Got patients.csv",
    ),
    "no schema": ((*Y, "--schema", "absent.json"), "no such file: absent.json"),
    "wrong separator": ((*Y, "--separator", ":"), "separator must be one of"),
}


@pytest.mark.parametrize(("arguments", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_ends_in_one_sentence(
    fails, table, tmp_path, monkeypatch, arguments, words
):
    monkeypatch.chdir(tmp_path)
    named = [one.format(here=tmp_path.name) for one in arguments]
    assert words in fails("rank", table, *named)
    assert os.listdir(tmp_path) == ["patients.csv"]  # nothing written


TABLES = {
    "constant target": ("x,y\n1,a\n2,a\n3,a\n", "at least two classes. Got 1 class, a"),
    "class of one row": ("x,y\n1,a\n2,a\n3,b\n", "Class b has one"),
    "missing target": ("x,y\n1,a\n2,\n3,b\n", "'y' is missing in 1 of 3 rows"),
    "all constant": ("x,z,y\n1,u,a\n1,u,a\n1,u,b\n1,u,b\n", "every column is constant"),
    "all missing": ("x,z,y\n1,,a\n2,,a\n3,,b\n4,,b\n", "no value at all. Use --drop z"),
    "infinity": ("x,y\n1,a\ninf,a\n3,b\n4,b\n", "column 'x' holds an infinity"),
    "only the target": ("y\na\na\nb\nb\n", "the table has no column that can be a feature"),
    "no rows": ("x,y\n", "has column names but no rows"),
    "duplicate names": ("x,x,y\n1,2,a\n", "column names must be unique"),
    "ragged": ("x,y\n1,a\n1,2,a\n", "line 3 of t.csv must have 2 values"),
    "semicolons": ("x;y\n1;a\n", "--separator ';'"),
    "latin-1": ("x,y\n1,\xe9\n", "--encoding latin-1 or --encoding cp1252"),
    "binary": ("PK\x03\x04", "is not a text file but a zip archive"),
}


@pytest.mark.parametrize(("content", "words"), TABLES.values(), ids=TABLES)
def test_a_table_that_cannot_be_used_ends_in_one_sentence(fails, tmp_path, content, words):
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode("latin-1"))
    out = tmp_path / "r.csv"
    assert words in fails("rank", path, "--target", "y", "--out", out)
    assert not out.exists()


def test_missing_cells_can_be_refused(fails, table):
    table.write_text(table.read_text().replace("20.5,", ",", 1))
    message = fails("rank", table, *Y, "--missing", "error")
    assert "1 value is missing, in age" in message
    assert "--missing impute" in message


def test_a_schema_of_another_table_is_refused(fails, run, table, tmp_path):
    saved = tmp_path / "s.json"
    run("inspect", table, "--drop", "age,relapse", "--save-schema", saved)
    message = fails("rank", table, *Y, "--schema", saved)
    assert "lacks 1 column of the table: age" in message
    assert "--drop age" in message
    before = saved.read_bytes()
    onto = fails("select", table, *Y, "--drop", "id", "--schema", saved, "--save", saved)
    assert (f"that the command reads. Got {saved}" in onto, saved.read_bytes()) == (True, before)
    both = fails("rank", table, *Y, "--schema", saved, "--nominal", "sex")
    assert "--schema defines all columns" in both


def test_a_level_that_the_schema_does_not_know_is_refused(fails, run, table, tmp_path):
    saved = tmp_path / "s.json"
    run("inspect", table, "--drop", "id,relapse", "--save-schema", saved)
    table.write_text(table.read_text().replace(",f,", ",x,", 1))
    message = fails("rank", table, *Y, "--drop", "id", "--schema", saved)
    assert "Got the unseen level x" in message


@pytest.mark.parametrize(
    "arguments",
    [[], ["rnk"], ["rank"], ["rank", "a.csv", "--param", "C"], ["rank", "a.csv", "--size", "x"]],
    ids=str,
)
def test_a_wrong_command_line_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as reason:
        main(arguments)
    assert reason.value.code == 2
    assert "usage: hetsel" in capsys.readouterr().err


def test_ctrl_c_ends_with_130(run, table, monkeypatch):
    def stop(options):
        raise KeyboardInterrupt

    monkeypatch.setattr(rank, "run", stop)
    assert run("rank", table) == (130, "", "hetsel: interrupted\n")


def test_the_traceback_of_an_error_can_be_had(table, monkeypatch):
    monkeypatch.setenv("HETSEL_TRACEBACK", "1")
    with pytest.raises(ValueError, match="a target is required"):
        main(["rank", str(table)])


def test_a_data_set_that_is_not_public(fails, tmp_path):
    sentence = "the Rheumagene data (Focant et al. 2011) are not public"
    assert sentence in fails("inspect", "rheumagene")
    plan = tmp_path / "plan.toml"
    plan.write_text('name = "x"\ndatasets = ["rheumagene"]\nmethods = ["t-test"]\n')
    assert sentence in fails("study", "run", plan, "--store", tmp_path / "x.sqlite")
