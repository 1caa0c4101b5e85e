"""Filters by kernels beside numbers and survival times, against searches with full matrices."""

import numpy as np
import pytest
from mixed_tables import KINDS, mixed
from twins import hsic_lasso as lasso_twin
from twins import scaled_kernels, traces
from twins.kernel_sums import feature_gram
from twins.target_kernels import told_gram

from hetsel import get_method
from hetsel.kernels.class_separation import alignment, frobenius
from hetsel.kernels.scaled_kernels import SHAPES, Expansion, ScaledKernel, SummedKernels, gram_sums
from hetsel.kernels.training_ranges import Scaling
from hetsel.search.criteria.criteria_by_name import criterion_of
from hetsel.selection import Problem
from hetsel.tables import Numbers, Survival

TARGETS = ["numbers", "survival"]


def told(target, seed=0, n=30, missing=0.0):
    """A mixed table, a target that it tells something of, and the centered kernel of that."""
    table, y = mixed(seed, n=n, missing=missing)
    rng = np.random.default_rng([seed, n])
    if target == "numbers":
        values = np.round(y + rng.normal(size=n), 1)
        return table, Numbers.of(values), told_gram(values)
    times, events = np.ceil(9 * rng.exponential(size=n) * np.exp(-y)), rng.random(n) < 0.7
    events[times.argmin()] = True
    return table, Survival(times, events), told_gram((times.tolist(), events.tolist()))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("kernel", ["clinical", "gaussian"])
def test_hsic_is_a_trace_of_full_matrices(target, kernel, missing):
    table, y, t = told(target, missing=missing)
    found = get_method("hsic")(kernel=kernel, missing="separate").fit(table, y).importances_
    wanted = []
    for column, nominal in zip(table.values.T, table.nominal, strict=True):
        plain = nominal or kernel == "clinical"
        gram = feature_gram(column, nominal) if plain else traces.gaussian_gram(column)
        wanted.append((gram * t).sum() / 29**2)
    np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_forward_and_backward_rankings_by_hsic(target, missing):
    table, y, t = told(target, 1, missing=missing)

    def value(subset):
        gram = traces.product_gram(table.values, table.nominal, subset)
        return (gram * t).sum() / 29**2

    subset = []
    for step in get_method("fohsic")(missing="separate").fit(table, y).answer_.steps:
        left = [f for f in range(6) if f not in subset and not (f == 5 and not missing)]
        values = [value([*subset, f]) for f in left]
        subset.append(left[int(np.argmax(values))])
        assert step.features == (subset[-1],)
        assert step.objective == pytest.approx(max(values), abs=1e-8)
    left = [0, 1, 2, 3, 4, *([5] if missing else [])]
    for step in get_method("bahsic")(missing="separate").fit(table, y).answer_.steps:
        losses = [value(left) - value([g for g in left if g != f]) for f in left]
        assert step.features == (left[int(np.argmin(losses))],)
        left.remove(step.features[0])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("kernel", ["gaussian", "clinical"])
def test_hsic_lasso_of_full_matrices(target, kernel, missing):
    table, y, t = told(target, 2, 37, missing)
    options = {"kernel": kernel, "block_size": None, "missing": "separate"}
    answer = get_method("hsic-lasso")(**options).fit(table, y).answer_
    own = ["equal" if kind == "nominal" else kernel for kind in KINDS]
    x, _ = lasso_twin.design(table.values, own, np.arange(37), [np.arange(37)])
    wanted = lasso_twin.unit(t).ravel()
    relevance, a = answer.extras["relevance"], answer.extras["coefficient"]
    np.testing.assert_allclose(relevance, x.T @ wanted, atol=1e-7)  # the canonical grid
    pulls = x.T @ (wanted - x @ a)
    assert pulls.max() < 1e-5
    np.testing.assert_allclose(pulls[a > 0], 0.0, atol=1e-5)
    assert a.max() > 0.05


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shape", SHAPES)
def test_alignment_and_frobenius_product_by_definition(target, shape):
    table, y, t = told(target, 3, 24)
    cells, nominal = np.ascontiguousarray(table.values[:, :5].T), table.nominal[:5]
    features, kernel = Expansion.of(cells, nominal), ScaledKernel(shape, degree=2)
    u = np.random.default_rng(1).random(5)
    k = np.array(scaled_kernels.gram(cells.tolist(), nominal.tolist(), u.tolist(), shape, 2))
    norms = np.linalg.norm(k) * np.linalg.norm(t)
    for made, wanted in (
        (alignment(y), (k * t).sum() / norms),
        (frobenius(y), (k * t).sum() / 24**2),
    ):

        def rated(u, made=made):
            parts = made.sides, made.targets
            sums = gram_sums(features, kernel, u, *parts, square=made.square, block_size=10)
            return made.rate(sums)

        assert rated(u).value == pytest.approx(wanted, rel=1e-9)
        steps = 1e-5 * np.eye(5)
        slopes = [(rated(u + e).value - rated(u - e).value) / 2e-5 for e in steps]
        np.testing.assert_allclose(rated(u).slopes, slopes, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("target", TARGETS)
def test_sums_over_clinical_and_linear_kernels(target):
    table, y, t = told(target, 4, 26)
    cells, u = Scaling.fit(table).apply(table), np.random.default_rng(5).random(6)
    made = alignment(y)
    sums = SummedKernels.clinical(cells, table.nominal, made.sides, "none").sums(made.targets)(u)
    grams = [feature_gram(x, kind) for x, kind in zip(table.values.T, table.nominal, strict=True)]
    grams = [traces.centered(gram) for gram in grams]
    np.testing.assert_allclose(sums.d_targets[0], [(t * k).sum() for k in grams], atol=1e-8)
    features = Expansion.of(cells[:5], table.nominal[:5])
    parts = made.sides, made.targets
    held = SummedKernels.linear(features, made.sides).sums(made.targets)(u[:5])
    passed = gram_sums(features, ScaledKernel("linear"), u[:5], *parts)
    np.testing.assert_allclose(held.d_targets, passed.d_targets, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["alignment", "gaussian-alignment", "frobenius", "hsic"])
def test_criteria_of_subsets_by_full_matrices(target, name):
    table, y, t = told(target, 5)
    state = criterion_of(name, {}).start(Problem(table, y, (1,)), [2])
    for f in (0, 1, 3):
        subset = [2, f]
        if name == "alignment":
            gram = sum(feature_gram(table.values[:, g], table.nominal[g]) for g in subset)
            gram = traces.centered(gram)
        else:
            gram = traces.product_gram(table.values, table.nominal, subset)
        size = {"frobenius": 30**2, "hsic": 29**2}.get(name)
        wanted = (gram * t).sum() / (size or np.linalg.norm(gram) * np.linalg.norm(t))
        assert state.values_with([f])[0] == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("key", ["sas", "scaled-frobenius"])
@pytest.mark.parametrize("target", TARGETS)
def test_the_even_target_matrix_is_of_classes(key, target):
    table, y, _ = told(target)
    with pytest.raises(ValueError, match="target must be 'uneven' unless .* Got 'even' for"):
        get_method(key)(target="even").fit(table, y)


@pytest.mark.parametrize("normalize", ["none", "p-value"])
def test_noise_is_level_whatever_its_levels_and_a_hazard_is_found(normalize):
    rng = np.random.default_rng(6)
    n = 200
    columns = [rng.integers(0, k, n).astype(float) for k in [2, 5, 12, 30] * 12]
    risk = rng.normal(size=n)
    x = np.column_stack([*columns, rng.normal(size=(n, 10)), risk])
    times, ends = rng.exponential(np.exp(-risk)), rng.exponential(2.0, n)
    y = Survival(np.minimum(times, ends), times <= ends)
    found = get_method("hsic")(normalize=normalize, nominal=list(range(48))).fit(x, y)
    assert found.signature(1).tolist() == [58]
    if normalize == "p-value":
        p = 10.0 ** -found.importances_[:58]
        assert 0.35 < p.mean() < 0.65
        assert 0.3 < p[3:48:4].mean() < 0.7
