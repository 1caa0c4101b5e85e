"""Convert the original files of data sets to features and target.

Each reader takes the paths of the files of a data set. It returns the features, a data frame
(n, p), and the target, a Series of classes or survival times.
"""

import re
from collections.abc import Callable, Collection, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.files import arff, reading
from hetsel.ground import need
from hetsel.tables import survival

FIVE_YEARS = 5 * 365.25  # in days
# columns of the clinical file of van 't Veer et al., by the names of the features
CLINICAL_CONTINUOUS = {
    "age": "age",
    "diameter": "diameter_mm",
    "grade": "grade",  # 1 to 3; the paper has two categorical features, so it is continuous
    "ER": "er_percent",
    "PR": "pr_percent",
}
CLINICAL_NOMINAL = {
    "angioinvasion": "angioinvasion",
    "lymphocytic infiltrate": "lymphocytic_infiltrate",
}


def read_coded_file(
    path: Path,
    *,
    names: Sequence[str],
    target: str,
    codes: Sequence[str],
    continuous: Collection[str] | None = None,
    left_out: Collection[str] = (),
    separator: str = ",",
    lower: bool = False,
) -> tuple[pd.DataFrame, pd.Series]:
    """Read a file without a header. Class c is the c-th of the `codes`.

    All features are continuous if `continuous` is None; `lower` converts levels to lower case.
    """
    cells = text_cells(path, names=[*names], separator=separator).drop(columns=[*left_out])
    y = classes(cells.pop(target), codes, target)
    if lower:
        cells = cells.map(str.lower)
    return typed(cells, names if continuous is None else continuous), y


def read_arrhythmia(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read arrhythmia without class 16 and constant features; features of 0 and 1 are nominal."""
    cells = text_cells(path, names=[*arrhythmia_names(), "code"]).query("code != '16'")
    codes = cells.pop("code")
    distinct = {name: {float(c) for c in column if c != "?"} for name, column in cells.items()}
    varying = cells.loc[:, [len(values) > 1 for values in distinct.values()]]
    X = typed(varying, {*varying} - {name for name, found in distinct.items() if found == {0, 1}})
    X["sex"] = X["sex"].cat.rename_categories(["male", "female"])
    return X, pd.Series([int(code != "1") for code in codes], name="arrhythmia")


def arrhythmia_names() -> list[str]:
    """Return the names of the 279 features, from the documentation."""
    patient = ("age", "sex", "height", "weight")
    times = [f"{time} interval" for time in ("P-R", "Q-T", "T", "P")]
    angles = [f"{wave} angle" for wave in ("QRS", "T", "P", "QRST", "J")]
    channels = ("DI", "DII", "DIII", "AVR", "AVL", "AVF", "V1", "V2", "V3", "V4", "V5", "V6")
    widths = [f"{wave} width" for wave in ("Q", "R", "S", "R'", "S'")]
    shapes = [f"{shape} {wave}" for wave in "RPT" for shape in ("ragged", "diphasic")]
    waves = [f"{wave} amplitude" for wave in ("JJ", "Q", "R", "S", "R'", "S'", "P", "T")]
    of_times = (*widths, "intrinsic deflections", *shapes)
    of_heights = (*waves, "QRSA", "QRSTA")
    return [
        *(*patient, "QRS duration", *times, *angles, "heart rate"),
        *(f"{channel} {feature}" for channel in channels for feature in of_times),
        *(f"{channel} {feature}" for channel in channels for feature in of_heights),
    ]


def read_heart() -> tuple[pd.DataFrame, pd.Series]:
    """Read the bundled file of Orange: lines of names, kinds and roles, then one per patient."""
    with as_file(files("hetsel.datasets").joinpath("heart_disease.tab")) as path:
        cells = text_cells(path, separator="\t")
    kinds, target = cells.iloc[0], cells.columns[cells.iloc[1] == "class"][0]
    cells = cells[2:].reset_index(drop=True)
    y = cells.pop(target).astype("int64")
    X = typed(cells, kinds.index[kinds == "c"])
    for name, kind in kinds.drop(target).items():
        if kind not in ("c", "d"):  # the levels in order, with escaped spaces
            levels = [re.sub(r"\\(.)", r"\1", level) for level in re.split(r"(?<!\\) ", kind)]
            X[name] = X[name].cat.set_categories(levels)
    return X, y


def read_housing(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read housing; the target is the corrected value, and the uncorrected value is left out."""
    cells = text_cells(path).drop(columns="medv")
    y = (cells.pop("cmedv").astype(float) > 20).astype("int64").rename("cmedv > 20")
    return typed(cells, {*cells} - {"town", "chas"}), y


def read_heart_failure(path: Path) -> tuple[pd.DataFrame, np.ndarray]:
    """Read heart-failure; follow-up time is not a feature, since it ends with death."""
    cells = text_cells(path)
    y = survival(numbers(cells.pop("time")), cells.pop("DEATH_EVENT"))
    nominal = {"anaemia", "diabetes", "high_blood_pressure", "sex", "smoking"}
    return typed(cells, {*cells} - nominal, mark=""), y


def read_ionosphere(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read ionosphere: real and imaginary parts at 17 pulse numbers."""
    parts = [f"{part} {pulse}" for pulse in range(1, 18) for part in ("real", "imaginary")]
    return read_coded_file(path, names=[*parts, "good"], target="good", codes=("b", "g"))


def read_musk(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read musk without the names of molecule and conformation."""
    names = ["molecule", "conformation", *(f"f{place}" for place in range(1, 167)), "musk"]
    return read_coded_file(path, names=names, target="musk", codes=("0.", "1."), left_out=names[:2])


def read_spambase(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read spambase from an ARFF file."""
    X = reading.read_table(path)
    return X, classes(X.pop("class"), ("0", "1"), "spam")


def read_gse7390(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read gse7390: metastasis within five years, without patients censored before."""
    X, days, event = _read_gse7390(path)
    early = event & (days <= FIVE_YEARS)
    known = early | (days > FIVE_YEARS)
    X, early = X[known].reset_index(drop=True), early[known].reset_index(drop=True)
    return X, early.astype("int64").rename("metastasis")


def read_gse7390_survival(path: Path) -> tuple[pd.DataFrame, np.ndarray]:
    """Read gse7390: days until metastasis or the end of observation."""
    X, days, event = _read_gse7390(path)
    return X, survival(days, event)


def _read_gse7390(path: Path) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Return the features, the days of observation, and whether a metastasis ended it."""
    frame = arff.parse_arff(path.read_text(encoding="utf-8"), path.name)
    X = frame.drop(columns=["t.tdm", "e.tdm"])
    X["grade"] = X["grade"].cat.remove_categories(["unkown"])
    return X, frame["t.tdm"], frame["e.tdm"].astype(str) == "1"


def read_lymphoma(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read lymphoma from a list of R with x and y."""
    lymphoma = read_r_objects(path)["lymphoma"]
    X = pd.DataFrame(lymphoma["x"], columns=gene_names(lymphoma["x"]))
    return X, pd.Series(lymphoma["y"].astype(np.int64), name="lymphoma")


def read_lymphoma_discrete(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read lymphoma-discrete from a Matlab file with X and Y."""
    from scipy.io import loadmat

    content = loadmat(path)
    kind = pd.CategoricalDtype([-2, 0, 2], ordered=True)
    codes = (content["X"].T + 2) // 2
    genes = zip(gene_names(content["X"]), codes, strict=True)
    X = pd.DataFrame({name: pd.Categorical.from_codes(gene, dtype=kind) for name, gene in genes})
    return X, pd.Series(content["Y"][:, 0].astype(np.int64), name="kind of cell")


def gene_names(values: np.ndarray) -> list[str]:
    """Return names of the columns of (n, p), since the files have none."""
    return [f"gene{place}" for place in range(1, values.shape[1] + 1)]


def read_usps(training: Path, test: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read usps: the images of the training part and the test part, and their digits."""
    rows = np.vstack([read_r_objects(training)["zip.train"], read_r_objects(test)["zip.test"]])
    pixels = [f"r{row}c{column}" for row in range(1, 17) for column in range(1, 17)]
    X = pd.DataFrame(rows[:, 1:], columns=pixels)
    return X, pd.Series(rows[:, 0].astype(np.int64), name="digit")


def read_usps_binarized(training: Path, test: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read usps-binarized: digits 0 to 4 against 5 to 9."""
    X, digits = read_usps(training, test)
    return X, (digits > 4).astype("int64").rename("digit > 4")


def read_van_t_veer(expression: Path, clinical: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read van-t-veer: metastases within five years, without follow-up and BRCA mutation."""
    X, labels, _ = _read_van_t_veer(expression, clinical)
    return X, classes(labels, ("NODM", "DM"), "metastases")


def read_van_t_veer_survival(expression: Path, clinical: Path) -> tuple[pd.DataFrame, np.ndarray]:
    """Read van-t-veer: years of follow-up, and whether it ended with metastases."""
    X, _, patients = _read_van_t_veer(expression, clinical)
    return X, survival(numbers(patients["followup_years"]), patients["metastases"])


def _read_van_t_veer(
    expression: Path, clinical: Path
) -> tuple[pd.DataFrame, pd.Series, pd.DataFrame]:
    """Return the features, the class of each row, and the clinical columns."""
    rows, lines = text_cells(expression), text_cells(clinical)
    rows = rows[rows.iloc[:, 0] != "54"]
    patients = lines.set_index(lines.columns[0]).loc[rows.iloc[:, 0]].reset_index(drop=True)
    named = {**CLINICAL_CONTINUOUS, **CLINICAL_NOMINAL}
    features = patients[[*named.values()]].set_axis([*named], axis=1)
    genes = rows.iloc[:, 2:].replace("NA", "nan")
    genes = pd.DataFrame(genes.to_numpy(dtype=float), columns=genes.columns)
    X = pd.concat([typed(features, CLINICAL_CONTINUOUS), genes], axis=1)
    return X, rows.iloc[:, 1], patients


def text_cells(path: Path, *, names: list[str] | None = None, separator: str = ",") -> pd.DataFrame:
    """Read a delimited file as stripped text; `names` None: the first line has the names."""
    header = 0 if names is None else None
    layout: dict[str, Any] = {"sep": separator, "header": header, "names": names}
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="ascii", **layout)
    return frame.map(str.strip)


def read_r_objects(path: Path) -> dict[str, Any]:
    """Read the objects of an .RData file by their names: arrays, and dicts for lists."""
    return need("rdata").read_rda(path, default_encoding="ASCII")


def typed(cells: pd.DataFrame, continuous: Collection[str], mark: str = "?") -> pd.DataFrame:
    """Convert the continuous columns to numbers, and the others to levels."""
    columns = {
        name: pd.Series((numbers if name in continuous else levels)(column, mark))
        for name, column in cells.items()
    }
    return pd.DataFrame(columns)


def numbers(cells: pd.Series, mark: str = "?") -> np.ndarray:
    """Convert values to float64; the mark is a missing value."""
    return np.array([np.nan if cell == mark else float(cell) for cell in cells])


def levels(cells: pd.Series, mark: str = "?") -> pd.Categorical:
    """Convert values to sorted levels; the mark is a missing value."""
    distinct = sorted({*cells} - {mark})
    if all(level.isdigit() for level in distinct):
        distinct.sort(key=int)
    return pd.Categorical(cells.astype(object).replace({mark: None}), categories=distinct)


def classes(cells: pd.Series, codes: Sequence[str], name: str) -> pd.Series:
    """Return the target: the position of each value among the codes."""
    return pd.Series([codes.index(cell) for cell in cells], name=name, dtype="int64")


# the readers of data sets whose files are not described in sources.toml
READERS: dict[str, Callable[..., tuple[pd.DataFrame, Any]]] = {
    "arrhythmia": read_arrhythmia,
    "heart": read_heart,
    "housing": read_housing,
    "van-t-veer": read_van_t_veer,
    "gse7390": read_gse7390,
    "gse7390-survival": read_gse7390_survival,
    "heart-failure": read_heart_failure,
    "ionosphere": read_ionosphere,
    "lymphoma": read_lymphoma,
    "lymphoma-discrete": read_lymphoma_discrete,
    "musk": read_musk,
    "spambase": read_spambase,
    "usps": read_usps,
    "usps-binarized": read_usps_binarized,
    "van-t-veer-survival": read_van_t_veer_survival,
}
