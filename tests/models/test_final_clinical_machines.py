"""The clinical machines at every size: those that are fitted to the columns of each size alone."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from models.test_clinical_regressors import measured, timed
from sklearn.metrics import roc_auc_score

from hetsel import ClinicalSurvivalSVM, ClinicalSVC, ClinicalSVR, Table
from hetsel.models import additive_model, final_machines, rows_in_bins
from hetsel.models.final_regressors import clinical_numbers, clinical_survival
from hetsel.models.train_test_arrays import Split
from hetsel.tables import Survival

# grown by one and by several, and one that starts anew
SUBSETS = [np.array([4]), np.array([4, 0]), np.array([4, 0, 5, 1]), np.array([2, 3])]


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_each_size_is_a_machine_of_its_own(missing, weighed):
    weights = 1.0 + np.arange(60) % 3 if weighed else None
    for machine, data in ((ClinicalSVR, measured), (ClinicalSurvivalSVM, timed)):
        frame, y = data(missing=0.05)
        table = Table.read(frame)
        train = table.take(rows=slice(60))
        test = table.take(rows=slice(60, None)).resolve_missing(missing, like=train)
        train = train.resolve_missing(missing)
        given = {"codes": np.zeros(60, dtype=np.int64), "weights": weights}
        if machine is ClinicalSVR:
            split = Split.of(train, test, **given, numbers=y[:60])
            found = clinical_numbers(split, SUBSETS, C=3.0, epsilon=0.1)
        else:
            target = Survival.of(y[:60])
            split = Split.of(train, test, **given, times=target.times, events=target.events)
            found = clinical_survival(split, SUBSETS, C=3.0)
        for subset, own in zip(SUBSETS, found, strict=True):
            fitted = machine(C=3.0, missing="separate").fit(
                train.take(columns=subset), y[:60], weights
            )
            wanted = fitted.predict(test.take(columns=subset))
            # risks have no origin: those of a machine on its own have the mean 0
            shift = 0.0 if machine is ClinicalSVR else np.mean(own - wanted)
            np.testing.assert_allclose(own, wanted + shift, atol=1e-6 * np.ptp(wanted))


@pytest.mark.seconds
@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("classes", [2, 3, 0])
def test_machines_of_many_rows_are_those_in_bins(classes, missing, weighed, monkeypatch):
    n, weights = 240, 1.0 + np.arange(240) % 3 if weighed else None
    frame, y = mixed_frame(n + 60, 4, 3, seed=classes, missing=0.05, classes=classes or 2)
    table = Table.read(frame)
    train = table.take(rows=slice(n))
    test = table.take(rows=slice(n, None)).resolve_missing(missing, like=train)
    train = train.resolve_missing(missing)
    if classes:
        codes = np.unique(y[:n], return_inverse=True)[1].astype(np.int64)
        split = Split.of(train, test, codes, weights)
        asked = {"C": 2.0, "class_weight": "balanced"}
        model, judge = ClinicalSVC(missing="separate", **asked), final_machines.clinical_svm
    else:
        y = frame.iloc[:, 0].fillna(0.0).to_numpy() * 3.0 + np.arange(n + 60) % 2
        split = Split.of(train, test, np.zeros(n, dtype=np.int64), weights, numbers=y[:n])
        asked = {"C": 2.0, "epsilon": 0.1}
        model, judge = ClinicalSVR(missing="separate", **asked), clinical_numbers
    plain = judge(split, SUBSETS, seed=0, **asked)
    for module in (additive_model, final_machines, rows_in_bins):
        monkeypatch.setattr(module, "ROWS_WORTH_BINNING", 10)
    monkeypatch.setattr(rows_in_bins, "BINS", 65_535)
    found = judge(split, SUBSETS, seed=0, **asked)
    np.testing.assert_allclose(found, plain, atol=1e-3 * np.ptp(plain))
    for subset, own in zip(SUBSETS, found, strict=True):
        fitted = model.fit(train.take(columns=subset), y[:n], weights)
        told = test.take(columns=subset)
        wanted = fitted.decision_function(told) if classes else fitted.predict(told)
        np.testing.assert_allclose(own, wanted.reshape(own.shape), atol=1e-3 * np.ptp(plain))


@pytest.mark.parametrize("C", [0.3, 10.0])
def test_what_is_equal_on_paper_stays_equal_in_bins(C, monkeypatch):
    """Few different cells: many rows have the decision value 1 or -1, and share the same area."""
    rng = np.random.default_rng(8)
    levels = rng.integers(0, 4, size=(900, 3))
    y = (levels[:, 0] + levels[:, 1] + rng.normal(scale=1.5, size=900) > 3).astype(np.int64)
    table = Table.read(pd.DataFrame(levels, columns=list("abc")), nominal=["a"])
    split = Split.of(table.take(rows=slice(600)), table.take(rows=slice(600, None)), y[:600], None)
    subsets = [np.arange(1), np.arange(2), np.arange(3)]
    asked = {"C": C, "class_weight": "balanced", "seed": 0}
    exact = final_machines.clinical_svm(split, subsets, **asked)
    monkeypatch.setattr(final_machines, "ROWS_WORTH_BINNING", 10)
    found = final_machines.clinical_svm(split, subsets, **asked)
    np.testing.assert_allclose(found, exact, atol=1.1e-3)
    for own, wanted in zip(found, exact, strict=True):
        area = roc_auc_score(y[600:], np.round(wanted, 3))
        assert roc_auc_score(y[600:], own) == pytest.approx(area, abs=1e-9)
