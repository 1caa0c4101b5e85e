"""GSE7390: metastasis of breast cancer within five years, by 4 clinical columns and 76 genes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import Original
from hetsel.files.arff import parse_arff

ORIGINAL = Original(
    "gse7390/breast_cancer_GSE7390-metastasis.arff",
    "233f4c1c06b2ee299fffcba0f9881f6ed66a3566ccbec30b5004f0d298b52570",
    hint="The package scikit-survival has it in sksurv/datasets/data",
)
DESCRIPTION = (
    "Node-negative breast cancer without systemic treatment, 76 genes of a prognostic signature: "
    "189 rows, 78 continuous and 2 categorical features, 2 missing cells (an unknown grade). "
    "Class 1 (35 rows): distant metastasis within five years; class 0 (154 rows): none within five "
    "years of observation. 9 patients whose observation ended before are left out."
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
    text = ORIGINAL.fetch().read_text(encoding="utf-8")
    frame = parse_arff(text, ORIGINAL.path)
    days, event = frame["t.tdm"], frame["e.tdm"].astype(str) == "1"
    early = event & (days <= DAYS)
    known = early | (days > DAYS)
    frame, early = frame[known].reset_index(drop=True), early[known].reset_index(drop=True)
    y = pd.Series(np.where(early, 1, 0), name="metastasis")
    X = frame.drop(columns=["t.tdm", "e.tdm"])
    X["grade"] = X["grade"].cat.remove_categories(["unkown"])
    return Dataset("gse7390", X, y, DESCRIPTION, CITATION, LICENSE)
