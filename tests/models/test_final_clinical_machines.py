"""The clinical machines at every size: those that are fitted to the columns of each size alone."""

import numpy as np
import pytest
from models.test_clinical_regressors import measured, timed

from hetsel import ClinicalSurvivalSVM, ClinicalSVR, Table
from hetsel.models.final_clinical_machines import clinical_numbers, clinical_survival
from hetsel.models.train_test_arrays import Split
from hetsel.tables.target import Survival

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
