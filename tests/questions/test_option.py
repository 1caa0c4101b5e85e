"""Options are said once: what the shell, R and docstrings have of them is what the records say."""

import argparse
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import hetsel
from hetsel.ground.errors import PlanError
from hetsel.questions.option import asked_by, in_docstring, in_r, in_shell, read_asked
from hetsel.questions.plan_rows import PlanRows
from hetsel.shell.asked_options import add_asked, asked_of

ROOT = Path(__file__).parents[2]


def test_what_is_written_down_is_what_the_records_say():
    done = subprocess.run(
        [sys.executable, ".ci/derive_options.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "make options"


def test_each_face_writes_names_and_words_in_its_own_way():
    text = 'with `follow_up`, one of "two-sided" within 10 % of R^2'
    assert in_shell(text) == "with --follow-up, one of two-sided within 10 %% of R^2"
    assert in_r(text) == (
        r"with \code{follow_up}, one of \code{"
        r'"two-sided"} within 10 \% of R squared'
    )
    assert in_docstring(text).startswith("With `follow_up`")


def test_python_takes_the_options_of_the_record_with_its_defaults():
    parameters = inspect.signature(hetsel.plan_rows).parameters
    own = {name: p.default for name, p in parameters.items() if name in PlanRows.__struct_fields__}
    assert own
    assert own == {one.name: one.default for one in asked_by(PlanRows) if one.name in own}


def test_the_shell_reads_every_option_of_the_record():
    parser = argparse.ArgumentParser()
    groups = add_asked(parser, PlanRows)
    assert list(groups) == list(dict.fromkeys(one.option.group for one in asked_by(PlanRows)))
    line = "--candidates 3 --prevalence .2,.3,.5 --auc .8 --effect-kind nominal"
    asked = asked_of(parser.parse_args(line.split()), PlanRows)
    defaults = {one.name: one.default for one in asked_by(PlanRows) if one.default is not None}
    said = {"candidates": 3, "prevalence": (0.2, 0.3, 0.5), "c_statistic": 0.8}
    assert asked == defaults | said | {"effect_kind": "nominal"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"candidates": "many"}, "candidates must be one whole number. Got 'many'"),
        ({"candidates": 2.5}, "candidates must be one whole number. Got 2.5"),
        ({"effect_kind": "ordinal"}, "effect_kind must be one of continuous, nominal"),
        ({"prevalence": ["half"]}, "prevalence must be one number, or one a class"),
        ({"candidate": 3}, "candidates"),
    ],
)
def test_what_a_type_refuses_is_said_with_the_name_of_the_option(given, words):
    with pytest.raises(PlanError) as refused:
        read_asked(PlanRows, given)
    assert words in str(refused.value)


def test_what_is_not_given_is_at_its_default_and_a_whole_double_is_a_number():
    assert read_asked(PlanRows, {"candidates": 3.0, "width": None}) == PlanRows(candidates=3)
