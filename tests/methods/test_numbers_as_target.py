"""The methods that take a number as their target: the same demands of each."""

import numpy as np
import pandas as pd
import pytest
from frames import same
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.feature_selection import f_regression, mutual_info_regression
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from twins import neighbor_information as twin_information
from twins import relieff as twin_relieff

from hetsel import SubsetSearch, get_method, method_table
from hetsel.ground.errors import TableError
from hetsel.methods import takers

# what rates each column alone; test_conformance_of_targets.py asks all methods
FILTERS = ["anova-f", "hsic", "mi-histogram", "mi-knn", "mi-parzen"]
FILTERS += ["pearson", "relieff", "spearman"]


def measured_frame(n=70, missing=0.0):
    """A frame whose columns c0 and n0 tell a number, and that number."""
    noise = np.random.default_rng(n)
    y = noise.normal(size=n)
    frame = pd.DataFrame({f"c{j}": noise.normal(size=n) for j in range(4)})
    frame["c0"] += 2.0 * y
    levels = np.digitize(y, [-0.5, 0.5])
    frame["n0"] = pd.Categorical.from_codes(levels, ["low", "middle", "high"])
    frame["n1"] = pd.Categorical.from_codes(noise.integers(0, 3, n), ["a", "b", "c"])
    if missing:
        frame = frame.mask(noise.random(frame.shape) < missing)
    return frame, 100.0 + 20.0 * y


def fitting(key, frame):
    """The columns that the method takes."""
    takes = get_method(key).about.takes_for("numbers")
    return frame if "nominal" in takes else frame.drop(columns=["n0", "n1"])


def test_the_catalogue_knows_without_an_import():
    table = method_table().set_index("key")
    for target in ("classes", "numbers"):
        able = {key for key in table.index if target in table.loc[key, "targets"].split(", ")}
        own = {key for key in able if not table.loc[key, "requires"]}
        assert own == set(takers(target))
    assert {"pearson", "spearman", "anova-f"} <= set(takers("numbers"))


def test_a_refusal_names_the_methods_that_take_numbers():
    frame, y = measured_frame()
    with pytest.raises(TableError) as caught:
        get_method("t-test")().fit(frame[["c0", "c1"]], y)
    assert "70 different values" in str(caught.value)
    assert ", ".join(takers("numbers")) in str(caught.value)


@pytest.mark.parametrize("key", FILTERS)
def test_the_unit_of_the_number_changes_nothing(key):
    frame, y = measured_frame()
    frame = fitting(key, frame)
    here = get_method(key)().fit(frame, y)
    for other in (3.7 * y - 11.3, 2.0**-40 * y, 1e12 * y):
        same(here.importances_, get_method(key)().fit(frame, other).importances_)
    if key == "spearman":
        same(here.importances_, get_method(key)().fit(frame, np.exp(y / 50)).importances_)


def test_correlations_and_f_on_the_diabetes_table():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    found = {
        key: get_method(key)(target_kind="numbers").fit(X, y) for key in ("pearson", "spearman")
    }
    for key, twin in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):
        known = [twin(X[name], y) for name in X]
        np.testing.assert_allclose(
            found[key].importances_, [abs(one.statistic) for one in known], atol=1e-9
        )
        np.testing.assert_allclose(
            found[key].answer_.extras["p_value"], [one.pvalue for one in known], 1e-7
        )
    test = get_method("anova-f")(target_kind="numbers").fit(X, y)
    np.testing.assert_allclose(test.answer_.extras["statistic"], f_regression(X, y)[0], 1e-9)
    np.testing.assert_allclose(test.importances_, -np.log10(f_regression(X, y)[1]), 1e-8)


def test_anova_f_takes_every_kind_of_column_beside_a_number():
    frame, y = measured_frame()
    found = get_method("anova-f")().fit(frame, y).frame().set_index("feature")
    groups = [y[frame["n0"] == level] for level in ("low", "middle", "high")]
    assert found.loc["n0", "p_value"] == pytest.approx(stats.f_oneway(*groups).pvalue, rel=1e-7)
    with pytest.raises(TableError, match="takes continuous and ordinal columns"):
        get_method("anova-f")().fit(frame, y > 100)


def test_information_near_scikit_learns_where_no_cell_repeats():
    rng = np.random.default_rng(2)
    y = rng.normal(size=300)
    frame = pd.DataFrame({f"c{j}": rng.normal(size=300) + 0.5 * j * y for j in range(4)})
    levels = np.digitize(y + rng.normal(size=300), [-1.0, 1.0])
    frame["n"] = pd.Categorical.from_codes(levels, ["a", "b", "c"])
    found = get_method("mi-knn")(neighbors=4).fit(frame, y).answer_.extras["estimate"]
    cells = frame.assign(n=levels)
    known = mutual_info_regression(
        cells, y, discrete_features=[False] * 4 + [True], n_neighbors=4, random_state=0
    )
    np.testing.assert_allclose(found[4], known[4], atol=1e-4)
    spread = cells.to_numpy(dtype=float)
    spread, scaled = spread / np.ptp(spread, axis=0), y / np.ptp(y)  # scikit-learn by deviation
    for j in range(4):
        wanted = twin_information.information(
            spread[:, j].tolist(), scaled.tolist(), False, False, 4
        )
        assert found[j] == pytest.approx(wanted, abs=1e-6)
        assert found[j] == pytest.approx(known[j], abs=0.06)


def gram(cells):
    """Gaussian kernel of the width of the standard deviation."""
    return np.exp(-0.5 * np.subtract.outer(cells, cells) ** 2 / cells.var())


@pytest.mark.parametrize("kernel", ["clinical", "gaussian"])
def test_hsic_by_matrices(kernel):
    frame, y = measured_frame()
    selector = get_method("hsic")(kernel=kernel).fit(frame, y)
    center = np.eye(len(y)) - 1 / len(y)
    told = center @ gram(y) @ center
    for name, found in zip(frame, selector.importances_, strict=True):
        if name.startswith("n"):
            codes = frame[name].cat.codes.to_numpy()
            k = np.equal.outer(codes, codes)
        else:
            x = frame[name].to_numpy()
            away = 1 - np.abs(np.subtract.outer(x, x)) / np.ptp(x)
            k = gram(x) if kernel == "gaussian" else away
        assert found == pytest.approx((k * told).sum() / (len(y) - 1) ** 2, abs=1e-9)


def test_hsic_sees_what_no_correlation_does_and_its_p_values_are_level():
    rng = np.random.default_rng(4)
    y = rng.normal(size=200)
    frame = pd.DataFrame(rng.normal(size=(200, 40))).add_prefix("noise ")
    frame["spread"] = rng.normal(size=200) * np.exp(y)
    found = get_method("hsic")(normalize="p-value").fit(frame, y)
    assert found.frame()["feature"][0] == "spread"
    p = 10.0 ** -found.importances_[:40]
    assert stats.kstest(p, "uniform").pvalue > 0.01


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(6))
def test_rrelieff_by_its_definition(seed):
    rng = np.random.default_rng(seed)
    n, p = 24, 4
    values = rng.integers(0, [9, 9, 3, 4], (n, p)).astype(float)
    if seed % 2:
        values[rng.random((n, p)) < 0.1] = np.nan
    nominal = [False, False, True, True]
    y = np.round(rng.normal(size=n), 2)
    frame = pd.DataFrame(values, columns=list("abcd"))
    for name in "cd":
        frame[name] = frame[name].map(lambda cell: f"v{cell:g}", na_action="ignore")
        frame[name] = frame[name].astype("category")
    options = {"missing": "separate", "nominal": ["c", "d"], "continuous": ["a", "b"]}
    found = get_method("relieff")(neighbors=1 + seed, **options).fit(frame, y)
    np.testing.assert_allclose(
        found.importances_, twin_relieff.rrelieff(values, nominal, y.tolist(), 1 + seed), atol=1e-5
    )


def test_rrelieff_finds_what_relieff_finds_of_the_halves_of_a_number():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    here = get_method("relieff")(target_kind="numbers", size=3).fit(X, y)
    there = get_method("relieff")(size=3).fit(X, y > y.median())
    for selector in (here, there):
        assert {"bmi", "s5"} <= set(selector.get_feature_names_out())


def test_the_search_by_ridge_regression_finds_what_tells_the_number():
    frame, y = measured_frame()
    selector = get_method("sffs-ridge")().fit(frame, y)
    assert {"c0", "n0"} <= set(selector.get_feature_names_out())
    chosen = frame[["c0"]].to_numpy()
    chosen = (chosen - chosen.mean()) / chosen.std()
    predicted = cross_val_predict(Ridge(alpha=0.01 * len(y)), chosen, y, cv=LeaveOneOut())
    state = get_method("sffs-ridge")(size=1).fit(frame[["c0", "c1"]], y).answer_
    assert state.score(1) == pytest.approx(r2_score(y, predicted), abs=1e-6)


def test_the_search_does_not_know_units_and_orders():
    frame, y = measured_frame()
    here = get_method("sffs-ridge")().fit(frame, y).answer_
    rng = np.random.default_rng(2)
    columns, rows = rng.permutation(6), rng.permutation(len(y))
    there = get_method("sffs-ridge")().fit(frame.iloc[rows, columns], 3.7 * y[rows] - 11.3).answer_
    assert here.sizes == there.sizes
    for size in here.sizes:
        assert set(here.signature(size)) == set(columns[there.signature(size)])
        assert here.score(size) == there.score(size)


def test_criteria_for_classes_are_refused_by_name():
    frame, y = measured_frame()
    named = {"criterion": "ridge", "hybrid": 0.5, "prefilter": "consistency"}
    for option in ({"criterion": "naive-bayes"}, named):
        with pytest.raises(TableError) as caught:
            SubsetSearch(**option).fit(frame, y)
        assert "needs classes as its target. Got numbers: 70 different values" in str(caught.value)
        assert "ridge" in str(caught.value).partition("use one of: ")[2]
