"""A fix in the words of the shell and of a plan: what is read back is what was meant."""

import shlex
import tomllib

import pytest

from hetsel.ground.errors import Fix
from hetsel.shell.main import main, parse
from hetsel.shell.printed_cautions import fix_in_shell, in_plan

OPTIONS = {
    Fix("nominal", ("a", "b c")): ("nominal", ["a,b c"]),
    Fix("drop", ("it's", "a,b")): ("drop", ["it's", "a,b"]),
    Fix("ordinal", ("a", "b")): ("ordinal", ["a", "b"]),
    Fix("ordinal", ("a",), levels=("lo", "hi")): ("ordinal", ["a=lo<hi"]),
    Fix("missing", "separate"): ("missing", "separate"),
    Fix("scale", "quantile"): ("scale", "quantile"),
    Fix("missing_marks", ("none", "-1 ")): ("missing_marks", ["none", "-1 "]),
    Fix("missing_marks", ("--", "---", "-n/a-", "-", "-9", "-.5")): (
        "missing_marks",
        ["--", "---", "-n/a-", "-", "-9", "-.5"],
    ),
    Fix("nominal", ("-m",)): ("nominal", ["-m"]),
    Fix("drop", ("--x", "a")): ("drop", ["--x,a"]),
    Fix("ordinal", ("-m",), levels=("lo", "hi")): ("ordinal", ["-m=lo<hi"]),
    Fix("encoding", "latin-1"): ("encoding", "latin-1"),
    Fix("separator", ";"): ("separator", ";"),
    Fix("separator", "\t"): ("separator", r"\t"),
    Fix("separator", " "): ("separator", " "),
    Fix("target_kind", "numbers"): ("target_kind", "numbers"),
    Fix("skip", 2): ("skip", 2),
    Fix("thousands", "'"): ("thousands", "'"),
    Fix("decimal", ","): ("decimal", ","),
    Fix("header", False): ("header", "no"),
    Fix("many_levels", "order"): ("params", [("many_levels", "order")]),
}
ENTRIES = {
    Fix("nominal", ("a", 'so "so"')): {"nominal": ["a", 'so "so"']},
    Fix("ordinal", ("ä b",), levels=("lo", "hi")): {"ordinal": {"ä b": ["lo", "hi"]}},
    Fix("missing", "separate"): {"missing": "separate"},
    Fix("scale", "quantile"): {"scale": "quantile"},
    Fix("separator", "\t"): {"separator": "\t"},
    Fix("header", True): {"header": True},
    Fix("skip", 2): {"skip": 2},
    Fix("many_levels", "order"): {"params": {"many_levels": "order"}},
}


@pytest.mark.parametrize(("fix", "option"), OPTIONS.items(), ids=str)
def test_the_shell_reads_what_its_wording_says(fix, option):
    name, value = option
    options = parse(["rank", "a.csv", *shlex.split(fix_in_shell(fix))])
    assert getattr(options, name) == value


@pytest.mark.parametrize(("fix", "entry"), ENTRIES.items(), ids=str)
def test_a_plan_holds_what_its_wording_says(fix, entry):
    assert tomllib.loads(in_plan(fix)) == entry


def test_what_the_shell_cannot_do_is_not_said():
    assert fix_in_shell(Fix("unseen", "separate")) == ""
    assert in_plan(Fix("unseen", "separate")) == ""


def test_the_number_of_processes_is_an_option_of_the_command_that_runs_a_plan():
    fix = Fix("jobs", 0)
    assert fix_in_shell(fix) == in_plan(fix) == "--jobs 0"
    assert parse(["study", "run", "plan.toml", *shlex.split(in_plan(fix))]).jobs == 0


@pytest.mark.parametrize(("option", "value"), [("jobs", "0"), ("seed", "-1")])
def test_an_option_has_the_name_of_the_shell(option, value, capsys):
    assert main(["select", "heart", f"--{option}", value]) == 1
    assert f"hetsel: error: {option} must be " in capsys.readouterr().err


def test_a_value_that_the_user_knows_has_a_place():
    fix = Fix("event_value", None)
    assert fix_in_shell(fix) == "--event-value VALUE"
    assert in_plan(fix) == 'target = {..., event_value = "VALUE"}'
