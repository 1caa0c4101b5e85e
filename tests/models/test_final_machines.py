"""Linear and Gaussian machines against scikit-learn's on standardized and one-hot columns."""

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.impute import SimpleImputer
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from hetsel import ClinicalKernel, Schema, Table
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.tables import Column

KEYS = ["linear-svm", "gaussian-svm"]
CLOSE = {"rtol": 1e-5, "atol": 2e-4}  # LIBSVM has its kernel in single precision
KINDS = {"numbers": (6, 0), "nominal": (0, 6), "mixed": (3, 3)}


def decisions(key, halves, subsets, **params):
    gamma = {"gamma": "size"} if key == "gaussian-svm" else {}
    given = {"C": 1.0} | gamma | params
    return classify(key, halves, subsets, seed=0, params=given)


def table_of(kind, classes=2, n=150, seed=0):
    X, y = mixed_frame(n, *KINDS[kind], classes=classes, seed=seed)
    return Schema.infer(X).encode(X), np.asarray(y)


def expanded(key, train, test, subset):
    """Columns of both parts: numbers standardized, levels one by one, by scikit-learn."""
    left, right = [], []
    for f in subset:
        a, b = train.values[:, [f]], test.values[:, [f]]
        if train.nominal[f]:
            encoder = OneHotEncoder(sparse_output=False).fit(a)
            a, b = encoder.transform(a), encoder.transform(b)
            if key == "gaussian-svm":
                spread = np.sqrt(1.0 - (a.mean(axis=0) ** 2).sum())
                a, b = a / spread, b / spread
        else:
            scaler = StandardScaler().fit(a)
            a, b = scaler.transform(a), scaler.transform(b)
        left.append(a)
        right.append(b)
    return np.hstack(left), np.hstack(right)


def outside(key, C, size, tol=1e-5):
    kernel = "linear" if key == "linear-svm" else "rbf"
    return SVC(C=C, kernel=kernel, gamma=1.0 / size, tol=tol, break_ties=True)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("classes", [2, 4])
def test_machines_are_those_of_scikit_learn(key, kind, classes):
    table, y = table_of(kind, classes)
    train, test = table.take(rows=slice(90)), table.take(rows=slice(90, 150))
    numbers = ~table.nominal
    beyond = test.values[:, numbers] > train.values[:, numbers].max(axis=0)
    assert beyond.any() or not numbers.any()  # what is beyond the range is not clipped
    halves, order = Split.of(train, test, y[:90]), np.array([3, 0, 5, 1, 4, 2])
    for C in (0.5, 20.0):
        found = decisions(key, halves, [order[:2], order[:5], order], C=C)
        for values, size in zip(found, (2, 5, 6), strict=True):
            left, right = expanded(key, train, test, order[:size])
            model = outside(key, C, size).fit(left, y[:90])
            expected = model.decision_function(right).reshape(values.shape)
            np.testing.assert_allclose(values, expected, **CLOSE)
            predicted = values.argmax(axis=1) if classes > 2 else values[:, 0] > 0
            assert np.array_equal(predicted, model.predict(right))


@pytest.mark.parametrize("key", KEYS)
def test_the_radius_is_the_mean_distance_from_the_mean_of_the_training_rows(key):
    """sqrt(k(x, x) - 2 k(x, 0) + k(0, 0)), over the rows of each machine, as SVMlight has it."""
    table, y = table_of("mixed", 3)
    train, test = table.take(rows=slice(90)), table.take(rows=slice(90, 150))
    left, right = expanded(key, train, test, range(6))
    center = left.mean(axis=0)
    pairs = []
    for a, b in ((0, 1), (0, 2), (1, 2)):
        rows = np.isin(y[:90], (a, b))
        away = ((left[rows] - center) ** 2).sum(axis=1)
        if key == "gaussian-svm":
            away = 2.0 - 2.0 * np.exp(-away / 6)
        C = 1.0 / np.sqrt(away).mean() ** 2
        model = outside(key, C, 6).fit(left[rows], y[:90][rows])
        pairs.append(model.decision_function(right))
    found = decisions(key, Split.of(train, test, y[:90]), [np.arange(6)], C="radius")[0]
    votes = np.zeros((60, 3))
    for (a, b), values in zip(((0, 1), (0, 2), (1, 2)), pairs, strict=True):
        votes[:, a] += values <= 0
        votes[:, b] += values > 0
    np.testing.assert_array_equal(np.rint(found), votes)
    alone = decisions(key, Split.of(train, test, (y[:90] == 2) * 1), [np.arange(6)], C="radius")
    away = ((left - center) ** 2).sum(axis=1)
    away = 2.0 - 2.0 * np.exp(-away / 6) if key == "gaussian-svm" else away
    model = outside(key, 1.0 / np.sqrt(away).mean() ** 2, 6).fit(left, y[:90] == 2)
    np.testing.assert_allclose(alone[0, :, 0], model.decision_function(right), **CLOSE)


def test_a_factor_of_two_levels_is_its_column_of_zeros_and_ones():
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.normal(size=60), rng.random(60) < 0.2]).astype(float)
    y = (values[:, 0] + values[:, 1] + rng.normal(size=60) > 0) * 1
    found = []
    for kind, levels in (("nominal", (0, 1)), ("continuous", ())):
        table = Table(values, Schema((Column("a", "continuous"), Column("b", kind, levels))))
        halves = Split.of(table.take(rows=slice(40)), table.take(rows=slice(40, 60)), y[:40])
        found.append(decisions("gaussian-svm", halves, [np.arange(2)], C="radius"))
    np.testing.assert_allclose(*found, atol=1e-7)


def test_a_level_that_is_new_in_the_test_rows_is_unlike_every_other():
    table, y = table_of("mixed")
    train, values = table.take(rows=slice(90)), table.values[90:].copy()
    nominal = np.flatnonzero(table.nominal)
    values[0, nominal] = 9.0
    halves = Split.of(train, Table(values, table.schema), y[:90])
    shares = [np.unique(train.values[:, f], return_counts=True)[1] / 90 for f in nominal]
    weights = [2.0 / (1.0 - (share**2).sum()) for share in shares]
    numbers = StandardScaler().fit(train.values[:, :3])

    def distances(rows):
        z = [numbers.transform(v[:, :3]) for v in (rows, train.values)]
        away = ((z[0][:, None] - z[1][None]) ** 2).sum(axis=2)
        for f, weight in zip(nominal, weights, strict=True):
            away += weight * (rows[:, [f]] != train.values[:, f])
        return away

    model = SVC(kernel="precomputed", tol=1e-5).fit(np.exp(-distances(train.values) / 6), y[:90])
    expected = model.decision_function(np.exp(-distances(values) / 6))
    found = decisions("gaussian-svm", halves, [np.arange(6)])[0, :, 0]
    np.testing.assert_allclose(found, expected, **CLOSE)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("C", [1.0, "radius"])
def test_columns_that_are_constant_in_training_take_no_part(key, C):
    table, y = table_of("mixed")
    extra = np.zeros((150, 2))
    extra[100:] = 1.0
    columns = (*table.schema.columns, Column("c", "continuous"), Column("d", "nominal", (0, 1)))
    wide = Table(np.hstack([table.values, extra]), Schema(columns))
    gamma = {"gamma": 0.2} if key == "gaussian-svm" else {}
    found = []
    for one, subset in ((table, np.arange(6)), (wide, np.arange(8))):
        halves = Split.of(one.take(rows=slice(90)), one.take(rows=slice(90, 150)), y[:90])
        found.append(decisions(key, halves, [subset], C=C, **gamma))
    np.testing.assert_allclose(*found, atol=1e-7)
    halves = Split.of(wide.take(rows=slice(90)), wide.take(rows=slice(90, 150)), y[:90])
    alone = decisions(key, halves, [np.array([6]), np.array([7, 6])], C=C)
    assert len(np.unique(alone)) == 1


def test_missing_numbers_lie_at_the_mean_in_a_direction_of_their_own():
    table, y = table_of("numbers")
    values = table.values.copy()
    values[np.random.default_rng(1).random(values.shape) < 0.1] = np.nan
    gapped = Table(values, table.schema).resolve_missing("separate")
    halves = Split.of(gapped.take(rows=slice(90)), gapped.take(rows=slice(90, 150)), y[:90])
    filled = SimpleImputer().fit(values[:90])
    z = (filled.transform(values) - filled.statistics_) / np.nanstd(values[:90], axis=0)
    wide = np.hstack([z, np.isnan(values)])
    model = outside("linear-svm", 1.0, 6).fit(wide[:90], y[:90])
    found = decisions("linear-svm", halves, [np.arange(6)])[0, :, 0]
    np.testing.assert_allclose(found, model.decision_function(wide[90:]), **CLOSE)
    # the Gaussian one gives every column the total variance 1
    share = np.isnan(values[:90]).mean(axis=0)
    wide /= np.tile(np.sqrt(1.0 - share**2), 2)
    gram = rbf_kernel(wide, wide[:90], gamma=1 / 6)
    model = SVC(kernel="precomputed", tol=1e-5).fit(gram[:90], y[:90])
    found = decisions("gaussian-svm", halves, [np.arange(6)])[0, :, 0]
    np.testing.assert_allclose(found, model.decision_function(gram[90:]), **CLOSE)


@pytest.mark.parametrize("classes", [2, 3])
def test_balanced_clinical_machines_are_those_of_the_estimator(classes):
    """Bounds C n / (2 n_class), as :class:`hetsel.ClinicalSVC` and scikit-learn's SVC have them."""
    table, y = table_of("mixed", classes)
    rare = np.flatnonzero(y == 1)[8:]
    rows = np.setdiff1d(np.arange(len(y)), rare)
    table, y = table.take(rows=rows), y[rows]
    train, test = table.take(rows=slice(80)), table.take(rows=slice(80, None))
    halves, order = Split.of(train, test, y[:80]), np.array([3, 0, 5, 1])
    params = {"C": 10.0, "class_weight": "balanced"}
    found = classify("clinical-svm", halves, [order[:2], order], seed=0, params=params)
    for values, subset in zip(found, (order[:2], order), strict=True):
        kernel = ClinicalKernel().fit(train.take(columns=subset))
        left, right = (kernel.transform(part.take(columns=subset)) for part in (train, test))
        for c, column in enumerate(values.T):
            own = y[:80] == (1 if classes == 2 else c)
            model = SVC(C=10.0, kernel="precomputed", class_weight="balanced", tol=1e-8)
            expected = model.fit(left, own).decision_function(right)
            np.testing.assert_allclose(column, expected, rtol=1e-5, atol=1e-5)
