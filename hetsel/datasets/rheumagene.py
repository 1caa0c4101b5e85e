"""Rheumagene: 49 patients, 100 continuous and 3 categorical features; not public."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from hetsel.datasets.sources import Dataset
from hetsel.files.reading import read_table
from hetsel.ground import TableError
from hetsel.tables import Schema, find_column

SHAPE = "49 rows, 100 continuous and 3 categorical features, classes of 28 and 21 rows"
CITATION = (
    "Focant, I., Hernandez-Lobato, D., Ducreux, J., Durez, P., Toukap, A., Elewaut, D., Houssiau, "
    "F., Dupont, P., & Lauwerys, B. (2011). Feasibility of a molecular diagnosis of arthritis "
    "based on the identification of specific transcriptomic profiles in knee synovial biopsies. "
    "Arthritis & Rheumatism, 63, 751."
)
N_CLASS_1 = 21
INFORMATIVE_GENES = 10


def load_rheumagene(
    path: str | PathLike[str] | None = None,
    *,
    target: str = "class",
    nominal: Sequence[str] | None = None,
) -> Dataset:
    """Load the Rheumagene table (49 x 103) from your own file, since it is not public.

    Parameters
    ----------
    path : str or Path
        Table with column names in the first line, as :func:`hetsel.read_table` reads it.
    target : str
        Name of the column with the class.
    nominal : sequence of str, optional
        Names of the categorical columns. Default: columns of text, and columns of 0 and 1 only.

    Returns
    -------
    Dataset

    Raises
    ------
    TableError
        The path is missing, or the table has another shape than in Table 1 of the paper.

    References
    ----------
    Paul, D'Ambrosio, Dupont (2015), Kernel methods for heterogeneous feature selection, Table 1.
    """
    if path is None:
        raise TableError(
            "the Rheumagene data (Focant et al. 2011) are not public. If you have them, call "
            "hetsel.datasets.load_rheumagene(path). For tests, simulate_rheumagene(seed) "
            "simulates a table of the same shape"
        )
    frame = read_table(Path(path))
    target = find_column(frame.columns.tolist(), target, option="target")
    X, y = frame.drop(columns=target), frame[target]
    if nominal is None:
        numbers = X.select_dtypes("number")
        levels = [name for name, cells in numbers.items() if set(cells.dropna()) <= {0, 1}]
        nominal = [str(name) for name in X if name not in numbers or name in levels]
    names = [find_column(X.columns.tolist(), name, option="nominal") for name in nominal]
    X = X.assign(**{name: X[name].astype("category") for name in names})
    _check_shape(X, y)
    description = (
        f"Synovial biopsies of patients with early arthritis: {SHAPE}, {int(X.isna().sum().sum())} "
        f"missing values. Read from the user's file {Path(path).name}."
    )
    return Dataset("rheumagene", X, y, description, CITATION, "not public")


def simulate_rheumagene(seed: int = 0) -> Dataset:
    """Simulate a table (49 x 103) of the shape of Rheumagene, for tests.

    The first ten genes differ by 1.2 standard deviations between the classes; the other genes do
    not differ. In each row, clinical1 equals the class with probability 0.9, and clinical2 with
    probability 0.8. clinical3 is 1 in three rows, drawn independently of the class.

    Parameters
    ----------
    seed : int
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Its `relevant` names the ten genes, clinical1 and clinical2.

    Examples
    --------
    >>> data = simulate_rheumagene(seed=1)
    >>> data
    rheumagene-simulated: 49 rows, 103 features, target 'class' (0 28, 1 21)
    >>> data.relevant[-3:]
    ('gene10', 'clinical1', 'clinical2')
    """
    rng = np.random.default_rng(seed)
    labels = np.zeros(49, dtype=np.int64)
    labels[rng.choice(49, N_CLASS_1, replace=False)] = 1
    genes = rng.standard_normal((49, 100))
    genes[:, :INFORMATIVE_GENES] += 1.2 * labels[:, None]
    clinical = np.zeros((49, 3), dtype=np.int64)
    clinical[:, 0] = labels ^ (rng.random(49) < 0.1)
    clinical[:, 1] = labels ^ (rng.random(49) < 0.2)
    clinical[rng.choice(49, 3, replace=False), 2] = 1
    X = pd.DataFrame(genes, columns=[f"gene{j + 1}" for j in range(100)])
    for j in range(3):
        X[f"clinical{j + 1}"] = pd.Categorical(clinical[:, j].astype(str), categories=["0", "1"])
    description = (
        f"SIMULATED with seed {seed}, no patients. The shape is that of the Rheumagene data "
        f"({SHAPE}). gene1 to gene{INFORMATIVE_GENES}, clinical1 and clinical2 are informative."
    )
    y = pd.Series(labels, name="class")
    return Dataset(
        "rheumagene-simulated",
        X,
        y,
        description,
        "none: simulated by hetsel",
        "none",
        relevant=(*X.columns[:INFORMATIVE_GENES], "clinical1", "clinical2"),
    )


def _check_shape(X: pd.DataFrame, y: pd.Series) -> None:
    """Raise an error for a table of another shape, which would be reported under this name."""
    nominal = Schema.infer(X).nominal
    n_nominal = int(nominal.sum())
    counts = y.value_counts().tolist()
    if (len(X), len(nominal) - n_nominal, n_nominal, counts) != (49, 100, 3, [28, 21]):
        raise TableError(
            f"Rheumagene must have {SHAPE}. Got {len(X)} rows, {len(nominal) - n_nominal} "
            f"continuous and {n_nominal} categorical features, classes of {counts} rows. Name the "
            "class with target= and the categorical columns with nominal="
        )
