"""Cardiac arrhythmia: 430 patients, 198 continuous and 64 categorical features."""

import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import UCI, UCI_LICENSE, Original
from hetsel.datasets.parsing import classes, levels, numbers, read_rows

ORIGINAL = Original(
    "arrhythmia/arrhythmia.data",
    "59a3360ee531a55cec553cd2cd1eaeab143ba8658d1b324a08fb7941f39ade2e",
    f"{UCI}/arrhythmia/arrhythmia.data",
)
DESCRIPTION = (
    "Patients with measurements of their electrocardiogram: 430 rows, 198 continuous and 64 "
    "categorical features, 386 missing cells. Class 0 (245 rows): normal; class 1 (185 rows): "
    "arrhythmia, classes 2 to 15 of the original. Left out: the 22 rows of class 16 (others, not "
    "classified) and the 17 features that are then constant. Features that hold only 0 and 1 are "
    "categorical."
)
CITATION = (
    "Guvenir, H. A., Acar, B., Demiroz, G., & Cekin, A. (1997). A supervised machine learning "
    "algorithm for arrhythmia analysis. Computers in Cardiology 1997, 433-436."
)

CHANNELS = ("DI", "DII", "DIII", "AVR", "AVL", "AVF", "V1", "V2", "V3", "V4", "V5", "V6")
_PATIENT = ("age", "sex", "height", "weight")
_TIMES = ("QRS duration", "P-R interval", "Q-T interval", "T interval", "P interval")
_ANGLES = ("QRS angle", "T angle", "P angle", "QRST angle", "J angle")
_WIDTHS = tuple(f"{wave} width" for wave in ("Q", "R", "S", "R'", "S'"))
_FLAGS = tuple(f"{shape} {wave}" for wave in "RPT" for shape in ("ragged", "diphasic"))
_HEIGHTS = tuple(f"{wave} amplitude" for wave in ("JJ", "Q", "R", "S", "R'", "S'", "P", "T"))


def names() -> list[str]:
    """Names of the 279 features, from the attribute list of the documentation.

    Examples
    --------
    >>> names()[15], names()[21], names()[278]
    ('DI Q width', 'DI ragged R', 'V6 QRSTA')
    """
    of_times = (*_WIDTHS, "intrinsic deflections", *_FLAGS)
    of_heights = (*_HEIGHTS, "QRSA", "QRSTA")
    return [
        *(*_PATIENT, *_TIMES, *_ANGLES, "heart rate"),
        *(f"{channel} {feature}" for channel in CHANNELS for feature in of_times),
        *(f"{channel} {feature}" for channel in CHANNELS for feature in of_heights),
    ]


def load_arrhythmia() -> Dataset:
    """The arrhythmia table (430 x 262), in the shape of Table 1 of the reference.

    Returns
    -------
    Dataset
        y is 0 (normal, 245 rows) or 1 (arrhythmia, 185 rows).

    References
    ----------
    Paul, D'Ambrosio, Dupont (2015), Kernel methods for heterogeneous feature selection, Table 1.
    """
    rows = [row for row in read_rows(ORIGINAL.fetch()) if row[-1] != "16"]
    *features, codes = zip(*rows, strict=True)
    columns = {}
    for name, cells in zip(names(), features, strict=True):
        distinct = {float(cell) for cell in cells if cell != "?"}
        if len(distinct) == 1:
            continue
        if name == "sex":
            columns[name] = pd.Series(levels(cells, {"0": "male", "1": "female"}))
        elif distinct == {0.0, 1.0}:
            columns[name] = pd.Series(levels(cells))
        else:
            columns[name] = pd.Series(numbers(cells))
    y = classes(codes, {str(code): int(code > 1) for code in range(1, 16)}, "arrhythmia")
    return Dataset("arrhythmia", pd.DataFrame(columns), y, DESCRIPTION, CITATION, UCI_LICENSE)
