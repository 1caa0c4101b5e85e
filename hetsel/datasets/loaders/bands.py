"""Cylinder bands: 540 print runs, 20 continuous and 14 categorical features."""

import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import UCI, UCI_LICENSE, Original
from hetsel.datasets.parsing import classes, levels, numbers, read_rows

ORIGINAL = Original(
    "cylinder_bands/bands.data",
    "8d6e6216af32695679982f3e3bbbb98c4c15f31c741903526ed78da0683f7078",
    f"{UCI}/cylinder-bands/bands.data",
)
DESCRIPTION = (
    "Runs of a rotogravure press: 540 rows, 20 continuous and 14 categorical features, 999 missing "
    "cells. Class 0 (312 rows): no band; class 1 (228 rows): a band (groove) was engraved on the "
    "cylinder. Levels are in lower case: the original mixes upper and lower. Left out: cylinder "
    "number, customer and job number, which identify the run, and ink color and cylinder "
    "division, which have one level each. The timestamp is the number yyyymmdd of the original, "
    "a continuous feature."
)
CITATION = (
    "Evans, B., & Fisher, D. (1994). Overcoming process delays with decision tree induction. "
    "IEEE Expert, 9(1), 60-66."
)

NAMES = (
    *("timestamp", "cylinder number", "customer", "job number", "grain screened", "ink color"),
    *("proof on ctd ink", "blade mfg", "cylinder division", "paper type", "ink type"),
    *("direct steam", "solvent type", "type on cylinder", "press type", "press", "unit number"),
    *("cylinder size", "paper mill location", "plating tank", "proof cut", "viscosity", "caliper"),
    *("ink temperature", "humidity", "roughness", "blade pressure", "varnish pct", "press speed"),
    *("ink pct", "solvent pct", "ESA Voltage", "ESA Amperage", "wax", "hardener"),
    *("roller durometer", "current density", "anode space ratio", "chrome content", "band type"),
)
LEFT_OUT = ("cylinder number", "customer", "job number", "ink color", "cylinder division")


def load_bands() -> Dataset:
    """The cylinder bands table (540 x 34), in the shape of Table 1 of the reference.

    Names are those of the documentation ("humifity" there is humidity here).

    Returns
    -------
    Dataset
        y is 0 (no band, 312 rows) or 1 (band, 228 rows).

    References
    ----------
    Paul, D'Ambrosio, Dupont (2015), Kernel methods for heterogeneous feature selection, Table 1.
    """
    rows = zip(*read_rows(ORIGINAL.fetch()), strict=True)
    cells = dict(zip(NAMES, rows, strict=True))
    target = classes(cells.pop("band type"), {"noband": 0, "band": 1}, "band")
    columns = {}
    for place, (name, column) in enumerate(cells.items(), start=1):
        if name in LEFT_OUT:
            continue
        if 2 <= place <= 20:
            columns[name] = pd.Series(levels([cell.lower() for cell in column]))
        else:
            columns[name] = pd.Series(numbers(column))
    return Dataset("bands", pd.DataFrame(columns), target, DESCRIPTION, CITATION, UCI_LICENSE)
