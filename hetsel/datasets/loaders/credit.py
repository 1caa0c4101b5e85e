"""Two tables on credit: German (7 + 13 features) and credit approval (6 + 9 features)."""

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import UCI, UCI_LICENSE, Original
from hetsel.datasets.parsing import classes, read_rows, typed

GERMAN = Original(
    "german_credit/german.data",
    "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871",
    f"{UCI}/statlog/german/german.data",
)
APPROVAL = Original(
    "credit_approval/crx.data",
    "fff49bc186cbddb3ace7371d40d9fbbb3af4f126019c13ff3f562249b1454f4d",
    f"{UCI}/credit-screening/crx.data",
)
GERMAN_DESCRIPTION = (
    "Applicants for a credit: 1000 rows, 7 continuous and 13 categorical features, nothing "
    "missing. Class 0 (700 rows): good; class 1 (300 rows): bad. The levels are the codes of the "
    "documentation, A11 and so on."
)
APPROVAL_DESCRIPTION = (
    "Applications for a credit card: 690 rows, 6 continuous and 9 categorical features, 67 "
    "missing cells. Class 1 (307 rows): +; class 0 (383 rows): -. The donor replaced all names "
    "and levels by letters."
)
GERMAN_CITATION = (
    "Hofmann, H. (1994). Statlog (German credit data). UCI Machine Learning Repository."
)
APPROVAL_CITATION = (
    "Quinlan, J. R. (1987). Simplifying decision trees. International Journal of Man-Machine "
    "Studies, 27, 221-234."
)

GERMAN_NAMES = (
    *("checking account", "duration", "credit history", "purpose", "credit amount", "savings"),
    *("employment since", "installment rate", "personal status and sex", "other debtors"),
    *("residence since", "property", "age", "other installment plans", "housing"),
    *("existing credits", "job", "people liable", "telephone", "foreign worker"),
)
GERMAN_CONTINUOUS = (
    *("duration", "credit amount", "installment rate", "residence since", "age"),
    *("existing credits", "people liable"),
)
APPROVAL_CONTINUOUS = ("A2", "A3", "A8", "A11", "A14", "A15")


def load_german_credit() -> Dataset:
    """The German credit table (1000 x 20).

    Returns
    -------
    Dataset
        y is 0 (good, 700 rows) or 1 (bad, 300 rows).
    """
    *features, codes = zip(*read_rows(GERMAN.fetch(), " "), strict=True)
    X = typed(dict(zip(GERMAN_NAMES, features, strict=True)), GERMAN_CONTINUOUS)
    y = classes(codes, {"1": 0, "2": 1}, "bad credit")
    return Dataset("german-credit", X, y, GERMAN_DESCRIPTION, GERMAN_CITATION, UCI_LICENSE)


def load_credit_approval() -> Dataset:
    """The credit approval table (690 x 15).

    Returns
    -------
    Dataset
        y is 1 (+, 307 rows) or 0 (-, 383 rows).
    """
    *features, codes = zip(*read_rows(APPROVAL.fetch()), strict=True)
    cells = {f"A{place}": column for place, column in enumerate(features, start=1)}
    X = typed(cells, APPROVAL_CONTINUOUS)
    y = classes(codes, {"-": 0, "+": 1}, "A16")
    return Dataset("credit-approval", X, y, APPROVAL_DESCRIPTION, APPROVAL_CITATION, UCI_LICENSE)
