"""normalize="p-value" beside numbers and survival times: each column by a machine without it."""

import numpy as np
import pandas as pd
import pytest
from frames import outcome, told_frame
from sklearn.svm import SVR
from twins.kernel_sums import feature_gram
from twins.traces import centered

from hetsel import ClinicalSurvivalSVM, Schema, clinical_kernel, get_method
from hetsel.kernels.normalization import CenteredSums, matrix_sums, permutation_importance

BOTH = pytest.mark.parametrize("key", ["rfe-svm", "rfe-mkl"])
TARGETS = pytest.mark.parametrize("target", ["numbers", "survival"])


def machine_without(frame, y, target, C):
    """Dual variables of the machine on the mean of the kernels of other columns."""
    if target == "survival":
        return ClinicalSurvivalSVM(C=C).fit(frame, y).dual_coef_[0]
    kernel = clinical_kernel(frame, schema=Schema.infer(frame))
    told = (y - y.mean()) / y.std()
    theirs = SVR(kernel="precomputed", C=C, epsilon=0.1, tol=1e-9).fit(kernel, told)
    beta = np.zeros(len(y))
    beta[theirs.support_] = theirs.dual_coef_[0]
    return beta


@TARGETS
@pytest.mark.parametrize("C", [0.1, 3.0])
def test_the_p_value_is_that_of_the_machine_that_has_not_seen_the_column(target, C):
    frame, y = told_frame(target, 50, 3, 3, seed=2)
    found = get_method("rfe-svm")(C=C, normalize="p-value", target_kind=target).fit(frame, y)
    table = Schema.infer(frame).encode(frame)
    for f, name in enumerate(frame):
        beta = machine_without(frame.drop(columns=name), y, target, C)
        gram = centered(feature_gram(table.values[:, f], table.nominal[f]))
        sums = CenteredSums(50, *(np.array([part]) for part in matrix_sums(gram)))
        expected, _ = permutation_importance(np.array([beta @ gram @ beta]), beta[None], sums)
        assert found.answer_.first[f] == pytest.approx(expected[0], rel=2e-4, abs=1e-4)


def noise_table(seed, target):
    """Columns of 0 (numbers), 2, 5 and 30 levels, and a target that none of them tells."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"numbers": rng.normal(size=80)})
    for levels in (2, 5, 30):
        frame[f"{levels} levels"] = pd.Categorical(rng.integers(levels, size=80).astype(str))
    return frame, outcome(target, rng.normal(size=80), rng)


@pytest.mark.slow
@BOTH
@TARGETS
def test_each_count_of_levels_has_the_same_chance(key, target):
    """60 tables of noise: mean ranks near to 2.5, which are not by the energies themselves."""
    ranks = {"none": [], "p-value": []}
    for seed in range(60):
        frame, y = noise_table(seed, target)
        for kind, found in ranks.items():
            selector = get_method(key)(normalize=kind, target_kind=target)
            found.append(selector.fit(frame, y).ranking_)
    means = {kind: np.mean(found, axis=0) for kind, found in ranks.items()}
    assert np.abs(means["p-value"] - 2.5).max() < 0.5
    assert np.abs(means["none"] - 2.5).max() > 0.75


@pytest.mark.slow
@BOTH
@TARGETS
def test_planted_columns_of_both_kinds_are_found_among_many(key, target):
    """20 tables of 150 rows: two columns of numbers and of levels each tell as much, 12 nothing."""
    hits = np.zeros(4)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = 150
        frame = pd.DataFrame(rng.normal(size=(n, 10)), columns=[f"c{j}" for j in range(10)])
        for j, levels in enumerate((3, 6, 2, 3, 6, 12)):
            frame[f"n{j}"] = pd.Categorical(rng.integers(levels, size=n).astype(str))
        codes = [frame[name].cat.codes.to_numpy() for name in ("n0", "n1")]
        effects = [np.linspace(-1, 1, 1 + code.max())[code] for code in codes]
        told = [frame["c0"].to_numpy(), frame["c1"].to_numpy(), *effects]
        risk = sum((one - one.mean()) / one.std() for one in told)
        y = outcome(target, risk / risk.std() + 0.5 * rng.normal(size=n), rng)
        selector = get_method(key)(normalize="p-value", target_kind=target, size=4).fit(frame, y)
        hits += [name in selector.get_feature_names_out() for name in ("c0", "c1", "n0", "n1")]
    assert hits.min() >= 14


@BOTH
@TARGETS
def test_names_order_units_copies_and_constants_change_nothing(key, target):
    frame, y = told_frame(target, 50, 4, 3, seed=1, missing=0.05)
    frame["constant"], frame["copy"] = 1.0, 3.0 - 2.54 * frame["c1"]
    method = get_method(key)(normalize="p-value", target_kind=target, missing="separate")
    first = method.fit(frame, y).frame()["feature"].tolist()
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(50), rng.permutation(frame.shape[1])
    again = method.fit(frame.iloc[rows, columns], y[rows]).frame()["feature"].tolist()
    copies = {"c1", "copy"}
    assert [n for n in again if n not in copies] == [n for n in first if n not in copies]
    assert first[-1] == "constant"
    assert method.fit(frame[["c0"]], y).ranking_.tolist() == [1]
    assert method.fit(frame[["constant", "c0"]], y).ranking_.tolist() == [2, 1]
