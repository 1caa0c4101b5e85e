"""The adjusted p-values of a ranking are statsmodels'."""

import numpy as np
import pandas as pd
from statsmodels.stats.multitest import multipletests

from hetsel.methods.filters.t_test import TTest


def test_adjusted_p_values_are_statsmodels():
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(60, 6)), columns=list("abcdef"))
    y = (X["a"] + rng.normal(size=60) > 0).astype(int)
    frame = TTest().fit(X, y).frame()
    expected = multipletests(frame["p_value"], method="fdr_bh")[1]
    np.testing.assert_allclose(frame["p_adjusted"], expected)
