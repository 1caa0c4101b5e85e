"""The programs of the vignettes say today what their pages report."""

import importlib.util
import json
from pathlib import Path

import pytest

VIGNETTES = Path(__file__).parents[1] / "vignettes"


def program(name):
    spec = importlib.util.spec_from_file_location(name, VIGNETTES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kept(name, **which):
    """The line of a file of results."""
    lines = map(json.loads, (VIGNETTES / f"{name}.jsonl").read_text().splitlines())
    return next(line for line in lines if which.items() <= line.items())


@pytest.mark.slow
@pytest.mark.parametrize("method", ["chi-square", "anova-f", "univariate-tests"])
def test_what_comes_first_by_chance(method):
    found = program("chance_by_levels").line("three", method, {})
    expected = kept("chance_by_levels", experiment="three", method=method, params={})
    assert {**found, "seconds": 0} == {**{name: expected[name] for name in found}, "seconds": 0}


@pytest.mark.parametrize("method", ["none", "mi-histogram", "cmim"])
def test_all_methods_on_a_division_of_the_heart_table(method):
    found = program("which_method_when").line("heart", method, 0)
    expected = kept("which_method_when", data="heart", method=method, split=0)
    assert found["chosen"] == expected["chosen"]
    for judge in ("clinical-svm", "5nn", "naive-bayes"):
        assert found[judge] == pytest.approx(expected[judge], abs=1e-5)
