"""Breast cancer of van 't Veer: 77 patients, 4953 continuous and 2 categorical features."""

import numpy as np
import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import Original
from hetsel.datasets.parsing import classes, levels, numbers, read_rows
from hetsel.tables import survival

EXPRESSION = Original(
    "vant_veer/veer_expression_4948.csv.gz",
    "9ac76824f9eeb00f29219d2e884119d5512a24fb11d74d5ce5f6e7708bb4deec",
    hint=(
        "It was made from VEER1 of Bioconductor's cancerdata: samples as rows, columns sample, "
        "class, then the probes"
    ),
)
CLINICAL = Original(
    "vant_veer/veer_clinical.csv",
    "c1a4a6d8ce8f4011508d7c894bf4e75fb2c0a766713227629b19d3f6ed547e0e",
    hint="It was made from 415530a-s8.xls, a supplement of the paper, in short column names",
)
DESCRIPTION = (
    "Patients with breast cancer, node-negative, below 55 years of age: 77 rows, 4953 continuous "
    "features (4948 probes of a microarray as log ratios, and age, diameter, grade, percent of ER "
    "and of PR) and 2 categorical ones (angioinvasion, lymphocytic infiltrate), 4 missing cells. "
    "Class 1 (33 rows): metastases within 5 years; class 0 (44 rows): none. Sample 54 is left out "
    "(10,896 of its 24,481 probes lack a value). The probes are those of Michiels et al. 2005. "
    "The filter of Paul et al. 2015, which left 4353 continuous features, cannot be rebuilt from "
    "public files, so results on this table are close to theirs but not the same."
)
SURVIVAL = (
    "The patients of van-t-veer: 77 rows, 4953 continuous and 2 categorical features, 4 missing "
    "cells. The target is the time until distant metastases, in years: 33 rows with an event, all "
    "within 5 years, 44 right-censored after more than 5. These were chosen so: a concordance "
    "here is no estimate for patients who were not."
)
CITATION = (
    "van 't Veer, L. J., Dai, H., van de Vijver, M. J., et al. (2002). Gene expression profiling "
    "predicts clinical outcome of breast cancer. Nature, 415, 530-536. Filter of the probes: "
    "Michiels, S., Koscielny, S., & Hill, C. (2005). Prediction of cancer outcome with "
    "microarrays: a multiple random validation strategy. The Lancet, 365, 488-492."
)
LICENSE = (
    "Expression: Bioconductor package cancerdata, GPL (>= 2); clinical table: Bioconductor "
    "package seventyGeneData, Artistic-2.0"
)
CONTINUOUS = {
    "age": "age",
    "diameter": "diameter_mm",
    "grade": "grade",
    "ER": "er_percent",
    "PR": "pr_percent",
}
CATEGORICAL = {
    "angioinvasion": "angioinvasion",
    "lymphocytic infiltrate": "lymphocytic_infiltrate",
}


def load_van_t_veer() -> Dataset:
    """The breast cancer table (77 x 4955): seven clinical features, then 4948 probes.

    The paper has two categorical features, so grade (1 to 3) counts as continuous. The outcome
    (time to follow-up, metastases) and the BRCA mutation, which no patient here has, are no
    features.

    Returns
    -------
    Dataset
        y is 1 (metastases within 5 years, 33 rows) or 0 (44 rows).

    References
    ----------
    Paul, D'Ambrosio, Dupont (2015), Kernel methods for heterogeneous feature selection, Table 1.
    """
    X, labels, _ = _read()
    y = classes(labels, {"NODM": 0, "DM": 1}, "metastases")
    return Dataset("van-t-veer", X, y, DESCRIPTION, CITATION, LICENSE)


def load_van_t_veer_survival() -> Dataset:
    """The breast cancer table (77 x 4955), with the time until distant metastases.

    Returns
    -------
    Dataset
        y is a structured array, see :func:`hetsel.survival`: years of follow-up, and whether it
        ended with metastases.
    """
    X, _, clinical = _read()
    y = survival(numbers(clinical["followup_years"]), clinical["metastases"])
    return Dataset("van-t-veer-survival", X, y, SURVIVAL, CITATION, LICENSE)


def _read() -> tuple[pd.DataFrame, list[str], dict[str, tuple[str, ...]]]:
    """The features, the class of each row, and the clinical columns of these patients."""
    (_, _, *probes), *rows = read_rows(EXPRESSION.fetch())
    rows = [row for row in rows if row[0] != "54"]
    values = np.array([numbers(row[2:], "NA") for row in rows])
    header, *patients = read_rows(CLINICAL.fetch())
    of_sample = {patient[0]: patient for patient in patients}
    joined = zip(*(of_sample[row[0]] for row in rows), strict=True)
    clinical = dict(zip(header, joined, strict=True))
    X = pd.concat(
        [
            pd.DataFrame({name: numbers(clinical[key]) for name, key in CONTINUOUS.items()}),
            pd.DataFrame({name: levels(clinical[key]) for name, key in CATEGORICAL.items()}),
            pd.DataFrame(values, columns=probes),
        ],
        axis=1,
    )
    return X, [row[1] for row in rows], clinical
