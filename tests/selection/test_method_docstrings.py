"""What help and notebooks show: all parameters, p-values, views with names as text."""

import re
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import hetsel
from hetsel import Ranking, Schema, SearchPath, get_method, method_keys


@pytest.mark.parametrize("key", method_keys())
def test_help_shows_every_parameter_and_the_attributes_once(key):
    method = get_method(key)
    sections = re.split(r"^(\w+)\n-+\n", method.__doc__, flags=re.MULTILINE)
    names = sections[1::2]
    assert len(set(names)) == len(names)
    parts = dict(zip(names, sections[2::2], strict=True))
    for name in method().get_params(deep=False):
        assert len(re.findall(rf"^(\w+, )*{name}(, \w+)* :", parts["Parameters"], re.M)) == 1, name
    assert "importances_" in parts["Attributes"]


def test_other_tools_may_use_the_types():
    for package in ("hetsel", "r_bridge"):
        assert (files(package) / "py.typed").is_file()


TESTS = ["t-test", "anova-f", "kruskal-wallis", "pearson", "spearman", "fisher-exact", "chi-square"]


@pytest.mark.parametrize("key", TESTS)
def test_the_frame_of_a_test_has_its_p_values(key):
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 20)
    numbers = pd.DataFrame({"a": rng.normal(size=40), "b": rng.normal(size=40) + y})
    levels = (numbers > 0.5).astype("category")
    method = get_method(key)()
    X = levels if "nominal" in method.about.takes else numbers
    frame = method.fit(X, y).frame()
    tables = {name: pd.crosstab(levels[name], y) for name in levels}
    expected = {
        "t-test": lambda name: stats.ttest_ind(X[name][:20], X[name][20:], equal_var=False).pvalue,
        "anova-f": lambda name: stats.f_oneway(X[name][:20], X[name][20:]).pvalue,
        "kruskal-wallis": lambda name: stats.kruskal(X[name][:20], X[name][20:]).pvalue,
        "pearson": lambda name: stats.pearsonr(X[name], y).pvalue,
        "spearman": lambda name: stats.spearmanr(X[name], y).pvalue,
        "fisher-exact": lambda name: stats.fisher_exact(tables[name]).pvalue,
        "chi-square": lambda name: stats.chi2_contingency(tables[name], correction=False).pvalue,
    }[key]
    assert frame.columns.tolist() == [
        *("rank", "feature", "kind", "importance", "p_value", "p_adjusted")
    ]
    np.testing.assert_allclose(
        frame["p_value"], [expected(name) for name in frame["feature"]], 1e-6
    )


def test_views_for_notebooks_hold_names_as_text():
    name = "<script>alert(1)</script>"
    frame = pd.DataFrame({name: ["<b>", "c", "c"], "x": [1, 2, 2]})
    view = Schema.infer(frame)._repr_html_()
    assert "<script>" not in view
    assert "<b>" not in view
    assert "&lt;script&gt;" in view
    assert "nominal" in view


def test_answers_have_a_view_for_notebooks():
    ranking = Ranking.from_importance(
        np.array([0.25, 0.5]), extras={"p_value": np.array([0.1, 0.2])}
    )
    cells = re.findall(r"<td>(.*?)</td>", ranking._repr_html_())
    assert [float(cell) for cell in cells] == [1, 0.5, 0.2, 0, 0.25, 0.1]
    path = SearchPath(4, {1: np.array([2]), 2: np.array([0, 3])}, {1: 0.7, 2: 0.9})
    assert "[0 3]" in path._repr_html_()
    assert hetsel.RFEMKL()._repr_html_().lstrip().startswith("<style>")
