"""Options and arguments of another kind than they must be end in one sentence."""

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.ground.errors import TableError

X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=list("abc"))
Y = np.arange(40) % 2
SMALL = {"method": "anova-f", "size": 2, "folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}
WRONG = {
    "nominal": (1.5, True, {"a": 1, "q": 2}),
    "ordinal": (1.5, {"a": 1}, {"a": "low"}),
    "continuous": (object(), 7),
    "schema": ("kinds.json", 1),
    "thresholds": ("a", {}, object(), [0.2, "a"], [[0.2]]),
    "prevalence": ("a", [1], object(), True, {0: "a", 1: 0.5}),
    "harm_ratio": ("a", [1], {}, object(), True),
}
CASES = [(name, value) for name, values in WRONG.items() for value in values]


@pytest.mark.parametrize(("name", "value"), CASES, ids=[f"{n}-{v!r:.12}" for n, v in CASES])
def test_an_option_of_another_kind(name, value):
    with pytest.raises(TableError, match=f"{name}|levels of column"):
        hetsel.Signature(**{**SMALL, name: value}).fit(X, Y)


def test_a_column_is_named_by_its_place_alone():
    found = hetsel.ClinicalSVC(nominal=1).fit(X.round(), Y)
    assert [column.kind for column in found.schema_.columns] == [
        "continuous",
        "nominal",
        "continuous",
    ]


@pytest.mark.seconds
@pytest.mark.parametrize("one", [np.float32(0.25), np.array(0.25), [0.25], pd.Series([0.25])])
def test_one_threshold_in_any_container(one):
    found = hetsel.Signature(**SMALL, thresholds=one).fit(X, Y)
    assert found.facts() == hetsel.Signature(**SMALL, thresholds=0.25).fit(X, Y).facts()


@pytest.mark.parametrize("selector", ["hsic", hetsel.get_method("hsic"), hetsel.ClinicalSVC()])
def test_what_is_no_method(selector):
    for call in (
        lambda: hetsel.permuted_ranking(selector, X, Y),
        lambda: hetsel.selection_in_halves(selector, X, Y, size=1),
        lambda: hetsel.knockoff_selection(selector, X, Y),
        lambda: hetsel.choose_size(selector, X, Y),
    ):
        with pytest.raises(TableError, match=r"as get_method\('hsic'\)\(\)"):
            call()


def test_what_is_no_study_and_no_signature(tmp_path):
    page = tmp_path / "page.html"
    for call in (
        lambda: hetsel.write_study_report("study.sqlite", page),
        lambda: hetsel.compare_methods("study.sqlite"),
        lambda: hetsel.write_signature_report("signature.json", page),
        lambda: hetsel.validate_signature("signature.json", X, Y),
    ):
        with pytest.raises(TableError, match="results must be|signature must be"):
            call()
