"""GSE7390: distant metastasis of breast cancer, by 4 clinical columns and 76 genes."""

import numpy as np
import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import Original
from hetsel.files.arff import parse_arff
from hetsel.tables import survival

ORIGINAL = Original(
    "gse7390/breast_cancer_GSE7390-metastasis.arff",
    "233f4c1c06b2ee299fffcba0f9881f6ed66a3566ccbec30b5004f0d298b52570",
    hint="The package scikit-survival carries it: pip install scikit-survival",
    package=("sksurv", "datasets/data/breast_cancer_GSE7390-metastasis.arff"),
)
DESCRIPTION = (
    "Node-negative breast cancer without systemic treatment, 76 genes of a prognostic signature: "
    "189 rows, 78 continuous and 2 categorical features, 2 missing cells (an unknown grade). "
    "Class 1 (35 rows): distant metastasis within five years; class 0 (154 rows): none within five "
    "years of observation. 9 patients whose observation ended before are left out."
)
SURVIVAL = (
    "Node-negative breast cancer without systemic treatment, 76 genes of a prognostic signature: "
    "198 rows, 78 continuous and 2 categorical features, 2 missing cells (an unknown grade). The "
    "target is the time until distant metastasis, in days: 51 rows with an event, 147 "
    "right-censored."
)
CITATION = (
    "Desmedt, C., Piette, F., Loi, S., et al. (2007). Strong time dependence of the 76-gene "
    "prognostic signature for node-negative breast cancer patients in the TRANSBIG multicenter "
    "independent validation series. Clinical Cancer Research, 13, 3207-3214 (GEO GSE7390)."
)
LICENSE = "Python package scikit-survival 0.28.0, GPL-3"
DAYS = 5 * 365.25


def load_gse7390() -> Dataset:
    """The breast cancer table of GSE7390 (189 x 80).

    Returns
    -------
    Dataset
        y is 1 (metastasis within five years, 35 rows) or 0 (none, 154 rows).
    """
    X, days, event = _read()
    early = event & (days <= DAYS)
    known = early | (days > DAYS)
    X, early = X[known].reset_index(drop=True), early[known].reset_index(drop=True)
    y = pd.Series(np.where(early, 1, 0), name="metastasis")
    return Dataset("gse7390", X, y, DESCRIPTION, CITATION, LICENSE)


def load_gse7390_survival() -> Dataset:
    """The breast cancer table of GSE7390 (198 x 80), with the time until distant metastasis.

    Returns
    -------
    Dataset
        y is a structured array, see :func:`hetsel.survival`: days, and whether there was one.
    """
    X, days, event = _read()
    y = survival(days, event)
    return Dataset("gse7390-survival", X, y, SURVIVAL, CITATION, LICENSE)


def _read() -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """The features, the days until metastasis or the end of observation, and which of the two."""
    frame = parse_arff(ORIGINAL.fetch().read_text(encoding="utf-8"), ORIGINAL.path)
    X = frame.drop(columns=["t.tdm", "e.tdm"])
    X["grade"] = X["grade"].cat.remove_categories(["unkown"])
    return X, frame["t.tdm"], frame["e.tdm"].astype(str) == "1"
