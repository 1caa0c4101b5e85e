"""Compute or compare the results of somol2011, tables 1 to 7.

    python vignettes/somol2011.py run 3 wine wdbc --anew   # tables 3 and 4 for two data sets
    python vignettes/somol2011.py check 20                 # are 20 units, computed again, the same?

A unit is a data set, a resampling and a search. It is one line of somol2011.jsonl, or one line for
each tau. `run` computes missing units, `run --anew` computes all. Data sets are read from the
folder HETSEL_DATA, wine and wdbc from scikit-learn, sonar and wpbc from R.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import time
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.svm import SVC

from hetsel import Schema, SubsetSearch, nearly_best, read_table
from hetsel.datasets.sources import required_data_folder
from hetsel.models.final_classifiers import classify, predicted_classes
from hetsel.models.train_test_arrays import Split
from hetsel.search.criteria.gaussian_classes import Bhattacharyya
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate, NeighborsRates
from hetsel.search.criteria.rates.svm_rate import GaussianSVMRate
from hetsel.tables import Classes

RESULTS = Path(__file__).with_name("somol2011.jsonl")
SHARES = tuple(k / 10 for k in range(11))
TAUS = (0.0, 0.001, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05)
FOLDS = 10  # of tables 3 and 4
# table -> data set -> resamplings, fastest first; in table 3 ten are the folds of one seed
PLAN = {
    "3": {
        **dict.fromkeys(
            ("wine", "wdbc", "wpbc", "ionosphere", "sonar", "house", "dermatology"), 50
        ),
        **dict.fromkeys(("segment", "optdigits"), FOLDS),
    },
    "5": {"wdbc": 5, "musk1": 3, "madelon": 1},
    "1": {"dermatology": 5, "spambase": 3},
    "2": {"dermatology": 5, "spambase": 3, "madelon": 3},
}
# resamplings of the Gaussian machine where it takes minutes for each
GAUSSIAN = {("1", "spambase"): 1, ("2", "spambase"): 0, ("2", "madelon"): 0}


def load(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Return columns and classes of a data set, complete rows only."""
    if name in ("wine", "wdbc"):  # the rows and columns of the originals, in their order
        bunch = (load_wine if name == "wine" else load_breast_cancer)(as_frame=True)
        labels = np.array(["1", "2", "3"] if name == "wine" else ["M", "B"])
        return bunch.data.set_axis(range(bunch.data.shape[1]), axis=1), labels[bunch.target]
    if name == "sonar":
        return _divided(_from_r("mlbench", "Sonar"), -1)
    if name == "wpbc":  # without the times; lymph nodes are missing for four patients
        return _divided(_from_r("TH.data", "wpbc").drop(columns=["time", "pnodes"]), 0)
    folder = required_data_folder()
    if name == "madelon":
        from scipy.io import loadmat

        content = loadmat(folder / "madelon/madelon.mat")
        return pd.DataFrame(content["X"]).astype(float), content["Y"].ravel().astype(str)
    if name == "optdigits":
        files = [folder / f"optdigits/optdigits.{part}" for part in ("tra", "tes")]
        parts = [pd.read_csv(file, header=None) for file in files]
        frame = pd.concat(parts, ignore_index=True)
        frame = frame[frame.iloc[:, -1].astype(int).isin([3, 8])]
        return _divided(frame, -1)
    if name == "house":  # five classes of equal numbers; the paper does not specify its classes
        frame = pd.read_csv(folder / "housing/housing.data", header=None, sep=r"\s+")
        return _divided(
            frame.assign(**{"13": pd.qcut(frame[13], 5, labels=False)}).drop(columns=13), -1
        )
    if name == "musk1":
        frame = read_table(folder / "musk1/clean1.data", header=False).iloc[:, 2:]
        return _divided(frame, -1)
    file, header = {
        "dermatology": ("dermatology/dermatology.data", True),
        "ionosphere": ("ionosphere/ionosphere.data", False),
        "segment": ("segment/segment.arff", None),
        "spambase": ("spambase/spambase.arff", None),
    }[name]
    return _divided(read_table(folder / file, header=header), -1)


def _from_r(package: str, name: str) -> pd.DataFrame:
    code = f"write.csv({{data({name}, package = '{package}'); {name}}}, row.names = FALSE)"
    text = subprocess.run(
        ["Rscript", "-e", code], capture_output=True, check=True, text=True
    ).stdout
    return pd.read_csv(io.StringIO(text))


def _divided(frame: pd.DataFrame, target: int) -> tuple[pd.DataFrame, np.ndarray]:
    frame = frame.dropna()
    y = frame.iloc[:, target].astype(str).to_numpy()
    x = frame.drop(columns=frame.columns[target]).astype(float)
    return x.loc[:, x.nunique() > 1], y


def accuracy(classifier: str, x: np.ndarray, y: np.ndarray, train, test, chosen) -> float:
    """Return the accuracy on the test rows; columns are scaled by their range."""
    if classifier == "svm":
        low, span = x[train].min(axis=0), np.ptp(x[train], axis=0)
        scaled = ((x - low) / np.where(span > 0, span, 1.0))[:, chosen]
        spread = scaled[train].var(axis=0).sum()
        model = SVC(C=1.0, gamma=1.0 / max(spread, 1e-9)).fit(scaled[train], y[train])
        return float(model.score(scaled[test], y[test]))
    table, target = Schema.infer(x).encode(x), Classes.of(y)
    halves = Split.of(table.take(rows=train), table.take(rows=test), target.codes[train])
    params = {"neighbors": int(classifier[0])}
    values = classify("5nn", halves, [np.array(chosen)], seed=0, params=params)
    n_classes = len(target.labels)
    predicted, _ = predicted_classes(values, np.arange(n_classes), n_classes)
    return float(np.mean(predicted[0] == target.codes[test]))


def fitted(x, y, train, **options) -> tuple[SubsetSearch, float]:
    """Return the search on the training rows, and its seconds of processor time."""
    begin = time.process_time()
    search = SubsetSearch(**options).fit(x[train], y[train])
    return search, time.process_time() - begin


def lines_of_ties(unit: dict, x, y) -> list[dict]:
    """Compute tables 1 and 2: one half selects for each tau, the other half is held out."""
    rows = np.arange(len(y))
    train, test = train_test_split(rows, test_size=0.5, stratify=y, random_state=unit["split"])
    classifier = unit["classifier"]
    if classifier == "svm":
        criterion = GaussianSVMRate(folds=3, rate="accuracy")
    else:
        criterion = NeighborsRate(3, folds=3, rate="accuracy")
    search, seconds = fitted(
        x, y, train, search=unit["search"], criterion=criterion, depth=15, ties=TAUS
    )
    found = []
    for tau, subset in search.answer_.equal.items():
        key = tuple(sorted(subset.tolist()))
        line = {"tau": tau, "size": len(key), "inner": search.answer_.evaluated[key]}
        line["outer"] = accuracy(classifier, x, y, train, test, list(key))
        back = nearly_best(search.answer_, tau).tolist()  # over all evaluated subsets
        line["back_size"] = len(back)
        line["back_outer"] = accuracy(classifier, x, y, train, test, back)
        found.append(line)
    return [{**unit, **line, "seconds": seconds} for line in found]


def lines_of_votes(unit: dict, x, y) -> list[dict]:
    """Compute tables 3 and 4 in one of ten outer folds: ten inner folds, and 3-NN is scored.

    Each ten splits have a seed of their own.
    """
    seed, place = divmod(unit["split"], FOLDS)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(x, y)
    train, test = list(folds)[place]
    several = unit["voting"] != "single"
    criterion = NeighborsRates(folds=10, rate="accuracy") if several else None
    criterion = criterion or NeighborsRate(3, folds=10, rate="accuracy")
    search, seconds = fitted(
        x,
        y,
        train,
        search="dos",
        criterion=criterion,
        depth=15,
        voting=unit["voting"] if several else None,
    )
    chosen = np.sort(search.signature()).tolist()
    line = {"size": len(chosen), "chosen": chosen, "columns": x.shape[1]}
    line["evaluations"] = len(search.answer_.evaluated)
    line["outer"] = accuracy("3nn", x, y, train, test, chosen)
    return [{**unit, **line, "seconds": seconds}]


def lines_of_hybrid(unit: dict, x, y) -> list[dict]:
    """Compute tables 5 and 7: Bhattacharyya's distance passes a proportion to 5-NN."""
    rows = np.arange(len(y))
    train, test = train_test_split(rows, test_size=0.5, stratify=y, random_state=unit["split"])
    size = {"madelon": 20, "musk1": 20, "wdbc": 8}[unit["data"]] if unit["search"] == "os" else None
    search, seconds = fitted(
        x,
        y,
        train,
        search=unit["search"],
        criterion=NeighborsRate(5, folds=10, rate="accuracy"),
        depth=10 if unit["search"] == "os" else 15,
        hybrid=unit["share"],
        prefilter=Bhattacharyya(),
        size=size,
    )
    chosen = np.sort(search.signature()).tolist()
    line = {"size": len(chosen), "inner": search.answer_.score(len(chosen))}
    line["outer"] = accuracy("5nn", x, y, train, test, chosen)
    return [{**unit, **line, "seconds": seconds}]


def units(table: str, data: str) -> list[tuple]:
    """Return the units of a table for a data set, each with the function that runs it."""
    splits = range(PLAN[table][data])
    if table in ("1", "2"):
        unit = {"table": table, "data": data, "search": {"1": "sffs", "2": "dos"}[table]}
        machines = {"3nn": splits, "svm": splits[: GAUSSIAN.get((table, data))]}
        return [
            (lines_of_ties, {**unit, "classifier": c, "split": s})
            for c, own in machines.items()
            for s in own
        ]
    if table == "3":
        kinds = ("single", "order", "weighted")
        return [
            (lines_of_votes, {"table": "3", "data": data, "voting": v, "split": s})
            for s, v in product(splits, kinds)
        ]
    return [
        (lines_of_hybrid, {"table": "5", "data": data, "search": w, "share": share, "split": s})
        for s, w, share in product(splits, ("dos", "os"), SHARES)
    ]


def kept() -> dict[tuple, list[dict]]:
    """Return the lines of the results by unit."""
    found: dict[tuple, list[dict]] = {}
    for line in map(json.loads, RESULTS.read_text().splitlines() if RESULTS.exists() else ()):
        found.setdefault(_key(line), []).append(line)
    return found


def run(planned: list[tuple[str, str]], anew: bool) -> None:
    """Compute the missing units of these tables and data sets, or all units with `anew`."""
    results = kept()
    for table, name in planned:
        todo = [(f, unit) for f, unit in units(table, name) if anew or _key(unit) not in results]
        print(f"table {table}, {name}: {len(todo)} units to compute", flush=True)
        values, y = (None, None) if not todo else load(name)
        for function, unit in todo:
            results[_key(unit)] = function(unit, values.to_numpy(), y)
            text = (json.dumps(line) + "\n" for lines in results.values() for line in lines)
            whole = RESULTS.with_suffix(".new")  # an interrupted run leaves complete results
            whole.write_text("".join(text))
            whole.replace(RESULTS)


def check(number: int, planned: list[tuple[str, str]]) -> bool:
    """Compute some units again, and return whether all but the seconds are the same."""
    results = kept()
    known = [(f, u) for one in planned for f, u in units(*one) if _key(u) in results]
    some = [known[k] for k in np.unique(np.linspace(0, len(known) - 1, number).astype(int))]
    same = 0
    for function, unit in some:
        x, y = load(unit["data"])
        lines = function(unit, x.to_numpy(), y)
        same += timeless(lines) == timeless(results[_key(unit)])
    print(f"{same} of {len(some)} units have the same results when computed again")
    return same == len(some)


def timeless(lines: list[dict]) -> list[dict]:
    """Return lines without their seconds."""
    return [{**line, "seconds": 0} for line in lines]


def _key(unit: dict) -> tuple:
    names = ("table", "data", "search", "classifier", "voting", "share", "split")
    return tuple(unit.get(name) for name in names)


def main() -> None:
    """Compute units, or compare them with the kept results."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runs, checks = commands.add_parser("run"), commands.add_parser("check")
    checks.add_argument("number", type=int, help="number of units")
    for command in (runs, checks):
        command.add_argument("table", nargs="?", choices=PLAN, help="default: all")
        command.add_argument("data", nargs="*", help="default: all data sets of the table")
    runs.add_argument("--anew", action="store_true", help="compute existing results again")
    options = parser.parse_args()
    tables = [options.table] if options.table else PLAN
    planned = [(t, name) for t in tables for name in options.data or PLAN[t]]
    if options.command == "run":
        run(planned, options.anew)
    elif not check(options.number, planned):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
