"""Errors are data: a sentence and its fixes, which Python words as its users write them."""

import pickle

import pytest

from hetsel.ground.errors import (
    Fix,
    HetselError,
    HetselWarning,
    PlanError,
    StoreError,
    TableError,
    in_python,
    worded,
)

FIX = Fix("missing", "impute", "to impute them")
# what each fix says, as the keyword arguments that Python reads from its wording
WRITTEN = {
    Fix("nominal", ("a",)): {"nominal": ["a"]},
    Fix("continuous", ("it's", 'so "so"')): {"continuous": ["it's", 'so "so"']},
    Fix("ordinal", ("a",), levels=("lo", "hi")): {"ordinal": {"a": ["lo", "hi"]}},
    Fix("separator", "\t"): {"separator": "\t"},
    Fix("header", False): {"header": False},
    Fix("many_levels", "order"): {"many_levels": "order"},
    Fix("row_groups", "copies"): {"groups": "copies"},
    Fix("jobs", 0): {"n_jobs": 0},
}


@pytest.mark.parametrize("kind", [TableError, PlanError, StoreError])
def test_every_error_is_a_value_error_that_travels_between_processes(kind):
    error = kind("1 value is missing", FIX)
    assert isinstance(error, HetselError)
    assert isinstance(error, ValueError)
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), back.sentence, back.fixes) == (kind, "1 value is missing", (FIX,))
    assert str(back) == str(error)


def test_a_warning_carries_its_fixes_too():
    warning = pickle.loads(pickle.dumps(HetselWarning("levels are merged", FIX)))
    assert isinstance(warning, UserWarning)
    assert "missing='impute'" in str(warning)


@pytest.mark.parametrize(("fix", "arguments"), WRITTEN.items(), ids=str)
def test_the_wording_of_python_is_python(fix, arguments):
    assert eval(f"dict({in_python(fix)})") == arguments


def test_an_error_without_a_fix_is_its_sentence():
    assert str(TableError("the table has no rows")) == "the table has no rows"


def test_a_face_without_such_an_option_says_nothing_of_it():
    fixes = [FIX, Fix("nominal", ("a",))]
    said = worded("sentence", fixes, lambda fix: fix.option if fix.option == "nominal" else "")
    assert said == "sentence. Use nominal"


def test_conditions_and_purposes_of_fixes_become_sentences():
    said = worded(
        "Is it 1?",
        [
            Fix("drop", ("a",)),
            Fix("nominal", ("a",), "if it is"),
            Fix("missing", "impute", "to impute it"),
            Fix("missing", "separate", "to keep it"),
            Fix("jobs", 1, "is used"),
        ],
    )
    assert said == (
        "Is it 1? If it is, drop 'a' or use nominal=['a']. Use missing='impute' to impute it, or "
        "missing='separate' to keep it. n_jobs=1 is used"
    )
