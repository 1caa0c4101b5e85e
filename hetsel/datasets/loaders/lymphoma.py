"""Lymphoma: 62 samples with 4026 continuous features, or 96 samples with 4026 ordinal ones."""

import numpy as np
import pandas as pd
from scipy.io import loadmat

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import GITHUB, Original
from hetsel.datasets.parsing import read_r_objects

CONTINUOUS = Original(
    "lymphoma/lymphoma_62x4026.RData",
    "932cc4efeb7fff81b96233eb2e8fd55dc00aa0ccf25c672a4b957dded3c889a8",
    f"{GITHUB}/cran/spls/e3a2ab62ead4c84f78baf81bd3ecda4e70316961/data/lymphoma.RData",
)
DISCRETE = Original(
    "lymphoma/lymphoma_96x4026_discrete.mat",
    "5b46f7bd8e82752468a2e525b3348b39c2f2ceedbae2bb2b2e1debf548a36901",
    f"{GITHUB}/Zhang-ZeSheng/Feature-Selection-Datasets/"
    "c03e9e89403ba940d5d80860c910b9777c63fdc5/lymphoma.mat",
)
DESCRIPTION = (
    "Lymphomas of adults on a cDNA microarray: 62 rows, 4026 continuous features (log ratios, "
    "standardized, gaps filled in at the origin), nothing missing. Class 0 (42 rows): diffuse "
    "large B-cell lymphoma; class 1 (9 rows): follicular lymphoma; class 2 (11 rows): chronic "
    "lymphocytic leukemia."
)
DISCRETE_DESCRIPTION = (
    "Lymphomas and lymphocytes on a cDNA microarray: 96 rows, 4026 ordinal features (the log "
    "ratio in three levels: -2 below, 0 within, 2 above the middle range), 0 continuous ones, "
    "nothing missing. Nine kinds of cells, whose names the file does not hold: class 1 (46 rows), "
    "class 2 (10 rows), class 3 (9 rows), class 4 (11 rows), class 5 (6 rows), class 6 (6 rows), "
    "class 7 (4 rows), class 8 (2 rows), class 9 (2 rows)."
)
CITATION = (
    "Alizadeh, A. A., Eisen, M. B., Davis, R. E., et al. (2000). Distinct types of diffuse large "
    "B-cell lymphoma identified by gene expression profiling. Nature, 403, 503-511."
)
DISCRETE_CITATION = (
    f"{CITATION} Levels: Ding, C., & Peng, H. (2005). Minimum redundancy feature selection from "
    "microarray gene expression data. Journal of Bioinformatics and Computational Biology, 3, "
    "185-205."
)
LICENSE = "R package spls 2.2-3, GPL (>= 2)"
DISCRETE_LICENSE = "not stated"


def load_lymphoma() -> Dataset:
    """The lymphoma table (62 x 4026), continuous.

    Returns
    -------
    Dataset
        y is 0 (diffuse large B-cell lymphoma, 42 rows), 1 (follicular lymphoma, 9 rows) or 2
        (chronic lymphocytic leukemia, 11 rows).

    References
    ----------
    Alizadeh et al. (2000). The table of Ramona, Richard, David (2012), Table I, has 34 rows more,
    of other cells.
    """
    lymphoma = read_r_objects(CONTINUOUS.fetch())["lymphoma"]
    X = pd.DataFrame(lymphoma["x"], columns=_genes(lymphoma["x"]))
    y = pd.Series(lymphoma["y"].astype(np.int64), name="lymphoma")
    return Dataset("lymphoma", X, y, DESCRIPTION, CITATION, LICENSE)


def load_lymphoma_discrete() -> Dataset:
    """The lymphoma table with all kinds of cells (96 x 4026), in three ordered levels.

    Returns
    -------
    Dataset
        y is the number of the kind, 1 to 9.

    References
    ----------
    Ding, Peng (2005), Minimum redundancy feature selection from microarray gene expression data.
    """
    content = loadmat(DISCRETE.fetch())
    values = content["X"]
    kind = pd.CategoricalDtype([-2, 0, 2], ordered=True)
    X = pd.DataFrame(
        {
            gene: pd.Categorical.from_codes(codes, dtype=kind)
            for gene, codes in zip(_genes(values), (values.T + 2) // 2, strict=True)
        }
    )
    y = pd.Series(content["Y"][:, 0].astype(np.int64), name="kind of cell")
    about = (DISCRETE_DESCRIPTION, DISCRETE_CITATION, DISCRETE_LICENSE)
    return Dataset("lymphoma-discrete", X, y, *about)


def _genes(values: np.ndarray) -> list[str]:
    """Names of the columns: the files hold none."""
    return [f"gene{place}" for place in range(1, values.shape[1] + 1)]
