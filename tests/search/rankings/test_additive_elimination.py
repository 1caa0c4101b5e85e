"""Eliminations without a Gram matrix rank as those with one do, where every cell has its bin."""

import numpy as np
import pandas as pd
import pytest
from binned_cells import binned
from frames import mixed_frame, told_frame

from hetsel import RFEMKL, RFESVM, RFESVMPrinted, Table
from hetsel.ground.errors import HetselWarning, TableError
from hetsel.kernels.binned.binned_kernels import BinnedKernels, normalized
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.normalization import Normalization
from hetsel.search.rankings import additive_elimination, gram_or_bins, proof_effort
from hetsel.solvers.additive import binned_machines

METHODS = [RFESVM, RFESVMPrinted, RFEMKL]
ALL = 65_535


def both(method, frame, y, *, weights=None, **options):
    """Answers with and without a Gram matrix."""
    made = (method(solver=solver, bins=ALL, **options) for solver in ("gram", "additive"))
    return [selector.fit(frame, y, weights).answer_ for selector in made]


def agree(gram, found):
    """The same order and verdicts but for what is open, and the same first objective."""
    open_cuts = {"open"}
    for k, cuts in enumerate(zip(gram.cuts, found.cuts, strict=True), start=1):
        if not open_cuts & {*cuts}:
            assert cuts[0] == cuts[1]
            same = set(gram.order[:k].tolist()) == set(found.order[:k].tolist())
            assert same or cuts[0] == "tie"  # of what ties each puts another one first
    assert found.cuts.count("open") <= gram.cuts.count("open") + 2
    assert found.steps[0].objective == pytest.approx(gram.steps[0].objective, rel=1e-4)
    np.testing.assert_allclose(found.first, gram.first, rtol=1e-3, atol=1e-3 * gram.first.max())


@pytest.mark.seconds
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_of_classes(method, classes, missing):
    frame, y = mixed_frame(150, 7, 4, seed=classes, missing=0.05, classes=classes)
    agree(*both(method, frame, y, missing=missing))
    weights = 1.0 + np.arange(150) % 3
    agree(*both(method, frame, y, missing=missing, weights=weights, class_weight="balanced"))


@pytest.mark.parametrize("method", METHODS)
def test_of_numbers(method):
    frame, y = told_frame("numbers", n=150, missing=0.05)
    agree(*both(method, frame, y, epsilon=0.2))
    agree(*both(method, frame, y, weights=1.0 + np.arange(150) % 3, always=["c3"]))


@pytest.mark.parametrize("method", [RFESVM, RFEMKL])
@pytest.mark.parametrize("normalize", ["norm", "trace"])
def test_under_normalized_kernels(method, normalize):
    frame, y = mixed_frame(150, 6, 5, seed=3)
    agree(*both(method, frame, y, normalize=normalize))


@pytest.mark.parametrize("kind", ["norm", "trace"])
def test_kernels_in_bins_are_normalized_as_the_others(kind):
    rng = np.random.default_rng(4)
    cells = np.vstack([rng.integers(0, 9, size=(2, 70)) / 8, rng.integers(0, 3, size=(2, 70))])
    cells[:, :5] = np.where(rng.random((4, 5)) < 0.5, np.nan, cells[:, :5])
    nominal = np.array([False, False, True, True])
    plain = Normalization(kind, FeatureKernels(cells, nominal)).kernels
    found = normalized(kind, BinnedKernels(binned(cells, nominal)))
    beta = rng.normal(size=(1, 70))
    np.testing.assert_allclose(found.energies(beta), plain.energies(beta), rtol=1e-10)


@pytest.mark.parametrize("q", [1.5, 3.0])
def test_of_other_norms_of_kernel_weights(q):
    frame, y = mixed_frame(120, 6, 3, seed=5)
    gram, found = both(RFEMKL, frame, y, q=q)
    np.testing.assert_array_equal(gram.order, found.order)


def test_rows_columns_levels_and_units_do_not_matter():
    """In few bins, and left at a rough model."""
    frame, y = mixed_frame(400, 6, 4, seed=6)
    rng = np.random.default_rng(7)
    rows, columns = rng.permutation(400), rng.permutation(10)
    other = frame.iloc[rows, columns]
    numbers = other.select_dtypes("number").columns
    other = other.assign(**{name: 5.0 - 0.3 * other[name] for name in numbers})
    options = {"solver": "additive", "bins": 16, "tolerance": 0.01}
    for method in METHODS:
        one, two = (
            method(**options).fit(*given).answer_ for given in ((frame, y), (other, y[rows]))
        )
        np.testing.assert_array_equal(one.order, columns[two.order])
        np.testing.assert_array_equal(one.importance[columns], two.importance)
        assert one.cuts == two.cuts
        assert 0.0 < one.rounding <= 2 / 16


def test_the_number_of_rows_decides_where_nothing_is_said(monkeypatch):
    frame, y = mixed_frame(120, 4, 2)
    gram = RFEMKL(solver="gram").fit(frame, y).answer_
    np.testing.assert_array_equal(RFEMKL().fit(frame, y).answer_.importance, gram.importance)
    monkeypatch.setattr(gram_or_bins, "ROWS_WITHOUT_GRAM", 100)
    found = RFEMKL(solver="additive").fit(frame, y).answer_
    np.testing.assert_array_equal(RFEMKL().fit(frame, y).answer_.importance, found.importance)
    assert (found.importance != gram.importance).any()
    # what it is not for takes the matrix
    for options in ({"q": 1.0}, {"q": np.inf}, {"normalize": "p-value"}):
        plain, own = (RFEMKL(solver=s, **options).fit(frame, y).answer_ for s in ("gram", "auto"))
        np.testing.assert_array_equal(plain.importance, own.importance)


def test_a_tolerance_leaves_cuts_open_and_none_proves_what_can_be():
    frame, y = mixed_frame(300, 6, 3, seed=8)
    rough = RFEMKL(solver="additive", tolerance=0.5).fit(frame, y).answer_
    fine = RFEMKL(solver="additive").fit(frame, y).answer_
    assert rough.cuts.count("open") > fine.cuts.count("open")
    assert max(step.gap for step in fine.steps) < 1e-2
    assert fine.rounding > 0.0


def test_a_model_that_stops_far_from_its_optimum_is_told_of(monkeypatch):
    frame, y = mixed_frame(200, 6, 3, seed=10)
    monkeypatch.setattr(binned_machines, "MOST_STEPS", 2)
    with pytest.warns(
        HetselWarning, match="a model on 9 columns stopped at a relative duality gap"
    ):
        RFEMKL(solver="additive").fit(frame, y)


def test_what_is_wrong_is_said():
    frame, y = mixed_frame(60, 3, 1)
    with pytest.raises(TableError, match="solver must be one of auto, gram, additive. Got 'fast'"):
        RFEMKL(solver="fast").fit(frame, y)
    with pytest.raises(TableError, match="bins must be a whole number from 4 to 65,535. Got 1"):
        RFESVM(bins=1).fit(frame, y)
    with pytest.raises(TableError, match=r"tolerance must be in \[0, 1\), or None. Got 1.0"):
        RFESVM(solver="additive", tolerance=1.0).fit(frame, y)
    why = "solver must be 'auto' or 'gram' for {}. Got 'additive'"
    refused = {"q=1": {"q": 1.0}, "q=inf": {"q": np.inf}}
    refused["normalize='p-value'"] = {"normalize": "p-value"}
    for what, options in refused.items():
        with pytest.raises(TableError, match=why.format(what)):
            RFEMKL(solver="additive", **options).fit(frame, y)
    times, risk = told_frame("survival", n=60)
    with pytest.raises(TableError, match=why.format("survival times")):
        RFEMKL(solver="additive").fit(times, risk)


def test_of_very_large_tables_the_cut_at_the_size_asked_for_is_proved(monkeypatch):
    frame, y = mixed_frame(300, 6, 3, seed=11)
    proved = RFEMKL(solver="additive", size=2).fit(frame, y).answer_
    monkeypatch.setattr(proof_effort, "PROVED_CELLS", 100)
    monkeypatch.setattr(proof_effort, "ROUGH", 0.3)
    monkeypatch.setattr(additive_elimination, "TOLERANCES", (0.3, 1e-7, 1e-10, 1e-13))
    found = RFEMKL(solver="additive", size=2).fit(frame, y).answer_
    assert proved.cuts[1] == found.cuts[1] == "proved"
    assert found.cuts.count("open") > proved.cuts.count("open")
    gaps = {step.size: step.gap for step in found.steps}
    assert gaps[3] < 1e-4 < 1e-3 < gaps[9]


@pytest.mark.filterwarnings("ignore:a support vector machine on all features")
def test_columns_that_say_nothing_and_rows_that_are_alike():
    """Constant columns, copies, one column, a class of few rows, rows of one cell."""
    rng = np.random.default_rng(9)
    y = (np.arange(200) < 190).astype(int)
    frame = pd.DataFrame({"a": rng.normal(size=200) + y, "b": 1.0, "c": rng.integers(0, 2, 200)})
    frame["copy"] = frame["a"]
    frame["name"] = pd.Categorical(np.where(rng.random(200) < 0.5, "u", "v"))
    for method in METHODS:
        answer = method(solver="additive").fit(frame, y).answer_
        assert sorted(answer.order.tolist()) == [0, 1, 2, 3, 4]
        assert answer.order[-1] == 1 or method is RFESVMPrinted
        assert method(solver="additive").fit(frame[["a"]], y).answer_.order.tolist() == [0]
        one = Table.read(frame[["name"]])
        assert method(solver="additive").fit(one, y).answer_.order.tolist() == [0]
    assert RFEMKL(solver="additive").fit(frame, y).answer_.order[:2].tolist() == [0, 3]
