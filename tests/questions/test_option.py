"""The shell, R, docstrings and the page of options derive from the records of options."""

import argparse
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import hetsel
from hetsel.evaluation.data.data_entry import DataSpec, SurvivalColumns
from hetsel.ground.errors import PlanError
from hetsel.methods.registry import own_parameters
from hetsel.questions.asked_values import read_asked
from hetsel.questions.of_a_table import Target
from hetsel.questions.option import (
    FACES,
    Question,
    asked_by,
    asked_in,
    in_docstring,
    in_r,
    in_shell,
    option,
    python_name,
)
from hetsel.questions.plan_rows import PlannedSignature, PlanRows, PlanRowsOfTable
from hetsel.questions.predict import Predict
from hetsel.questions.rank import Rank
from hetsel.questions.search import Search
from hetsel.questions.select import Select
from hetsel.questions.study import MergeStores, RunStudy
from hetsel.questions.validate import Validate
from hetsel.shell.asked_options import add_asked, arguments, given_options
from hetsel.signature.saved_signature import SavedSignature

ROOT = Path(__file__).parents[2]
SELECTOR = hetsel.get_method("rfe-mkl")
PYTHON = {  # what asks each question in Python
    Select: (hetsel.Signature, hetsel.Signature.fit),
    Rank: (SELECTOR, SELECTOR.fit),
    Search: (hetsel.SubsetSearch, hetsel.SubsetSearch.fit),
    Validate: (hetsel.validate_signature, hetsel.load_signature),
    Predict: (SavedSignature.rows_of, hetsel.load_signature),
    PlanRowsOfTable: (hetsel.plan_rows,),
    RunStudy: (hetsel.Study.run,),
    MergeStores: (hetsel.merge_stores,),
}


def test_derived_files_match_the_records():
    done = subprocess.run(
        [sys.executable, ".ci/derive_options.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "make options"


def test_each_face_writes_names_and_words_in_its_own_way():
    text = 'with `row_groups`, one of "two-sided" within 10% of R^2, see `hetsel methods`'
    assert in_shell(text).startswith("with --row-groups, one of two-sided within 10%% of R^2")
    assert in_r(text) == (
        r'with \code{row_groups}, one of \code{"two-sided"} within 10\% of R squared, see '
        r"\code{\link{hetsel_methods}}"
    )
    assert in_docstring(text).startswith("with `groups`")


@pytest.mark.parametrize("question", PYTHON, ids=lambda question: question.__name__)
def test_python_has_the_options_of_the_record_with_their_defaults(question):
    parameters = {
        name: parameter
        for function in PYTHON[question]
        for name, parameter in inspect.signature(function).parameters.items()
    }
    for one in asked_in(question, "Python"):
        name = python_name(one.name)
        default = parameters[name if name in parameters else "expected"].default
        assert (
            default is inspect.Parameter.empty
            or default == one.default
            or (not default and one.default is None)
        ), one.name


@pytest.mark.parametrize("question", PYTHON, ids=lambda question: question.__name__)
def test_no_parameter_of_python_is_missing_in_the_record(question):
    given = {"self", "X", "y", "signature", "path"}
    named = {python_name(one.name) for one in asked_in(question, "Python")}
    for function in PYTHON[question]:
        parameters = {
            name
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD and name not in given
        }
        if function is SELECTOR:
            parameters -= {*own_parameters(SELECTOR)}
        assert parameters <= named


@pytest.mark.parametrize("question", [*PYTHON, Target], ids=lambda question: question.__name__)
def test_a_face_that_lacks_an_option_has_a_reason(question):
    for one in asked_by(question):
        assert {*one.lacks} <= {*FACES}
        assert all(one.lacks.values())
        assert {"Python", "shell", "R"} - {*one.lacks}


@pytest.mark.parametrize("question", [Rank, Search], ids=lambda question: question.__name__)
def test_a_plan_has_an_entry_or_a_parameter_of_a_method_for_what_it_is_said_to_have(question):
    entries = {*DataSpec.__struct_fields__, *SurvivalColumns.__struct_fields__}
    of_methods = {*own_parameters(hetsel.get_method("sffs-5nn")), "params", "always", "unsupported"}
    known = entries | of_methods | {"seed"}
    assert {one.name for one in asked_in(question, "plan")} <= known


def test_the_shell_reads_every_option_of_the_record():
    parser = argparse.ArgumentParser()
    add_asked(parser, PlanRows)
    line = "--candidates 3 --prevalence .2,.3,.5 --auc .8 --effect-kind nominal"
    asked = given_options(parser.parse_args(line.split()), PlanRows)
    defaults = {one.name: one.default for one in asked_by(PlanRows) if one.default is not None}
    said = {"candidates": 3, "prevalence": (0.2, 0.3, 0.5), "c_statistic": 0.8}
    assert asked == defaults | said | {"effect_kind": "nominal"}


def test_arguments_of_python_have_its_names_and_no_columns_of_the_table():
    parser = argparse.ArgumentParser()
    add_asked(parser, Select)
    options = parser.parse_args(
        ["t.csv", *["--seed", "3", "--jobs", "2", "--row-groups", "id", "--by", "sex"]]
    )
    given = arguments(options, Select)
    assert (given["random_state"], given["n_jobs"], given["groups"]) == (3, 2, "id")
    assert "by" not in given


def test_a_record_has_the_options_of_its_bases_under_their_headings():
    class Asked(Target, R="no"):
        """A record with an option of its own."""

        more: int = option("needed", ..., lacks={"Python": "here"})

    by_name = {one.name: one for one in asked_by(Asked)}
    assert by_name["more"].default is ...
    assert by_name["target"].heading == "target"
    assert by_name["more"].heading == ""
    assert {*by_name["more"].lacks} == {"R", "Python"}
    assert all("R" in one.lacks for one in by_name.values())
    assert issubclass(Asked, Question)


def test_what_a_signature_of_a_plan_is_asked_is_asked_of_its_constructor():
    planned = {one.name for one in asked_in(PlannedSignature, "shell")}
    assert planned - {"prove"} <= {one.name for one in asked_by(Select)}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"candidates": "many"}, "candidates must be one whole number. Got 'many'"),
        ({"candidates": 2.5}, "candidates must be one whole number. Got 2.5"),
        ({"effect_kind": "ordinal"}, "effect_kind must be one of continuous, nominal"),
        ({"prevalence": ["half"]}, "prevalence must be one number, or one number per class"),
        ({"candidate": 3}, "candidates"),
    ],
)
def test_what_a_type_refuses_is_said_with_the_name_of_the_option(given, words):
    with pytest.raises(PlanError) as refused:
        read_asked(PlanRows, given)
    assert words in str(refused.value)


def test_what_is_not_given_is_at_its_default_and_a_whole_double_is_a_number():
    defaults = {one.name: one.default for one in asked_by(PlanRows)}
    assert read_asked(PlanRows, {"candidates": 3.0, "width": None}) == defaults | {"candidates": 3}
