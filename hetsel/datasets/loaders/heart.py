"""Cleveland heart disease: 303 patients, 6 continuous and 7 categorical features."""

import csv
import re
from importlib.resources import files

import pandas as pd

from hetsel.datasets.dataset import Dataset

DESCRIPTION = (
    "Patients of the Cleveland Clinic who came for coronary angiography: 303 rows, 6 continuous "
    "and 7 categorical features, 6 missing cells. Class 1 (139 rows): a major vessel is narrowed "
    "by more than 50 % of its diameter; class 0 (164 rows): none is."
)
CITATION = (
    "Detrano, R., Janosi, A., Steinbrunn, W., Pfisterer, M., Schmid, J., Sandhu, S., Guppy, K., "
    "Lee, S., & Froelicher, V. (1989). International application of a new probability algorithm "
    "for the diagnosis of coronary artery disease. American Journal of Cardiology, 64, 304-310."
)
LICENSE = (
    "CC BY 4.0 (UCI Machine Learning Repository); the file is that of Orange3 3.40.0, "
    "GPL-3.0-or-later; see heart_disease.LICENSE"
)


def load_heart() -> Dataset:
    """The Cleveland heart disease table (303 x 13).

    Columns are typed as in Table 1 of the reference: age, rest SBP, cholesterol, max HR, ST by
    exercise and major vessels colored (a count, 0 to 3) are continuous; gender, chest pain,
    fasting blood sugar > 120, rest ECG, exerc ind ang, slope peak exc ST and thal are nominal.

    Returns
    -------
    Dataset
        y is 0 (164 rows) or 1 (139 rows).

    References
    ----------
    Paul, D'Ambrosio, Dupont (2015), Kernel methods for heterogeneous feature selection, Table 1.

    Examples
    --------
    >>> load_heart()
    heart: 303 rows, 13 features, target 'diameter narrowing' (0 164, 1 139)
    """
    text = files("hetsel.datasets").joinpath("heart_disease.tab").read_text(encoding="ascii")
    names, types, roles, *rows = csv.reader(text.splitlines(), delimiter="\t")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    target = names[roles.index("class")]
    X = pd.DataFrame(
        {
            name: _cells(columns[name], declared)
            for name, declared in zip(names, types, strict=True)
            if name != target
        }
    )
    y = pd.Series([int(cell) for cell in columns[target]], name=target)
    return Dataset("heart", X, y, DESCRIPTION, CITATION, LICENSE)


def _cells(cells: tuple[str, ...], declared: str) -> pd.Series:
    """One column: c is continuous, d discrete; else the levels, spaces in them escaped."""
    present = [None if cell == "?" else cell for cell in cells]
    if declared == "c":
        return pd.Series(present, dtype="float64")
    levels = sorted({cell for cell in present if cell is not None})
    if declared != "d":
        levels = [re.sub(r"\\(.)", r"\1", level) for level in re.split(r"(?<!\\) ", declared)]
    return pd.Series(pd.Categorical(present, categories=levels))
