"""A fix in the words of the shell and of a plan: what is read back is what was meant."""

import re
import shlex
import tomllib

import pytest

from hetsel.ground.errors import Fix
from hetsel.shell.error_words import with_flags
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
    assert f"hetsel: error: --{option} must be " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "sentence", "here"),
    [
        (
            "rank",
            "nominal: the table has no column 'size'",
            "--nominal: the table has no column 'size'",
        ),
        ("select", "harm_ratio must be a positive number. Got 0.0", "--harm-ratio must .*. Got 0$"),
        ("select", "prevalence must have a sum. Got {'a': 0.2, 'b': 1.0}", ".*Got a=0.2,b=1$"),
        (
            "search",
            "voting must be one of order, or None. Got 'x'",
            "--voting must be one of order. G",
        ),
        ("search", "x needs a size. Use search='dos'", "x needs a size. Use --search dos"),
        ("rank", "column 'size' must be numbers", "column 'size' must"),
        ("rank", "rfe-mkl has no parameter 'x'. Its parameters are target_kind", ".* target_kind$"),
        ("rank", "random_state must be a number", "--seed must"),
        ("rank", "column_groups and never leave nothing", "--group and --never leave"),
        ("rank", "method must be one of hetsel.method_keys()", "--method must .* `hetsel methods`"),
    ],
)
def test_an_error_names_the_options_of_its_command(command, sentence, here):
    assert re.match(here, with_flags(sentence, parse([command, "a.csv"])))


def test_a_parameter_of_a_method_is_no_option():
    options = parse(["rank", "a.csv", "--param", "size=0"])
    assert with_flags("size must be 1. Got [0.0]", options) == "size must be 1. Got [0.0]"


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["select", "a", "--folds", "1.5"], ["--folds must be a whole number", "'1.5'"]),
        (["selct", "a"], ["inspect, select,", "Did you mean 'select'"]),
        (["rank", "a", "--decimal", "x"], ["--decimal must be one of '.', ','"]),
        (["rank", "a", "--taget", "b"], ["--taget b", "Did you mean '--target'"]),
    ],
)
def test_a_wrong_command_line_is_answered_as_other_errors(words, parts, capsys):
    with pytest.raises(SystemExit):
        parse(words)
    err = capsys.readouterr().err
    assert all(part in err for part in parts)


def test_a_value_that_the_user_knows_has_a_place():
    fix = Fix("event_value", None)
    assert fix_in_shell(fix) == "--event-value VALUE"
    assert in_plan(fix) == 'target = {..., event_value = "VALUE"}'
