"""Data sets by name, in the shape of the papers' tables.

A loader is a function without needed arguments that returns a :class:`Dataset`; the table below
gives it a name, by which Python and the shell find it. Only the heart table ships with hetsel. The
other loaders read the original file from the folder that the environment variable HETSEL_DATA
names, or from the user's cache, into which a public original is downloaded once; see
:mod:`hetsel.datasets.originals`.
"""

from collections.abc import Callable

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.loaders.arrhythmia import load_arrhythmia
from hetsel.datasets.loaders.bands import load_bands
from hetsel.datasets.loaders.credit import load_credit_approval, load_german_credit
from hetsel.datasets.loaders.desmedt import load_gse7390
from hetsel.datasets.loaders.heart import load_heart
from hetsel.datasets.loaders.hepatitis import load_hepatitis
from hetsel.datasets.loaders.housing import load_housing
from hetsel.datasets.loaders.ionosphere import load_ionosphere
from hetsel.datasets.loaders.lymphoma import load_lymphoma, load_lymphoma_discrete
from hetsel.datasets.loaders.musk import load_musk
from hetsel.datasets.loaders.pima import load_pima
from hetsel.datasets.loaders.rheumagene import load_rheumagene, simulate_rheumagene
from hetsel.datasets.loaders.spambase import load_spambase
from hetsel.datasets.loaders.usps import load_usps, load_usps_binarized
from hetsel.datasets.loaders.van_t_veer import load_van_t_veer
from hetsel.datasets.simulated import simulate_linear, simulate_nonlinear
from hetsel.ground.errors import TableError

LOADERS: dict[str, Callable[[], Dataset]] = {
    "arrhythmia": load_arrhythmia,
    "bands": load_bands,
    "heart": load_heart,
    "hepatitis": load_hepatitis,
    "housing": load_housing,
    "van-t-veer": load_van_t_veer,
    "credit-approval": load_credit_approval,
    "german-credit": load_german_credit,
    "gse7390": load_gse7390,
    "ionosphere": load_ionosphere,
    "lymphoma": load_lymphoma,
    "lymphoma-discrete": load_lymphoma_discrete,
    "musk": load_musk,
    "pima": load_pima,
    "spambase": load_spambase,
    "usps": load_usps,
    "usps-binarized": load_usps_binarized,
}
NAMES = tuple(LOADERS)
NOT_PUBLIC = ("rheumagene",)
# the public ones of Table 1 in Paul, D'Ambrosio, Dupont (2015), in its order
PAUL2015 = ("arrhythmia", "bands", "heart", "hepatitis", "housing", "van-t-veer")

__all__ = [
    "LOADERS",
    "NAMES",
    "PAUL2015",
    "Dataset",
    "load",
    "load_arrhythmia",
    "load_bands",
    "load_credit_approval",
    "load_german_credit",
    "load_gse7390",
    "load_heart",
    "load_hepatitis",
    "load_housing",
    "load_ionosphere",
    "load_lymphoma",
    "load_lymphoma_discrete",
    "load_musk",
    "load_pima",
    "load_rheumagene",
    "load_spambase",
    "load_usps",
    "load_usps_binarized",
    "load_van_t_veer",
    "simulate_linear",
    "simulate_nonlinear",
    "simulate_rheumagene",
]


def load(name: str) -> Dataset:
    """The data set of this name.

    Raises
    ------
    TableError
        No data set of that name, or its file cannot be had.

    Examples
    --------
    >>> load("heart").X.shape
    (303, 13)
    """
    if name in NOT_PUBLIC:
        return load_rheumagene()  # says why not
    if name not in LOADERS:
        raise TableError(f"name must be one of {', '.join(NAMES)}. Got {name!r}")
    return LOADERS[name]()
