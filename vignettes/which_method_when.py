"""Run every method of the catalogue on twelve mixed tables.

    python vignettes/which_method_when.py run --splits 10 --jobs 2

A unit (a table, a split of its rows, a method) is one line of a results file.
which-method-when.Rmd draws this file. Existing units are not run again. The tables are read from
the folder HETSEL_DATA.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from hetsel import Schema, Table, get_method, method_keys, read_table
from hetsel.datasets import load
from hetsel.datasets.sources import required_data_folder
from hetsel.evaluation.size_rules import inner_scores, one_standard_error
from hetsel.models.final_classifiers import classify, predicted_classes
from hetsel.models.train_test_arrays import Split
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.resampling.splits import split
from hetsel.selection import Problem, SearchPath
from hetsel.statistics.performance.scores import balanced_rate
from hetsel.tables import Classes

RESULTS = Path(__file__).with_name("which_method_when.jsonl")
LARGEST = 40  # features of a signature
FOLDS = 5  # inner folds, which choose the size of a ranking
JUDGES = {
    "clinical-svm": {"C": 10.0},
    "5nn": {"neighbors": 5},
    "naive-bayes": {"smoothing": 1.0, "var_smoothing": 1e-9},
}
# forests of the usual size in R
PARAMS = {
    "random-forest": {"n_estimators": 500},
    "random-forest-gini": {"n_estimators": 500},
    "rf10000": {"ntree": 500},
}


def table_named(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return features and classes of one of the twelve tables."""
    if name in FILES:
        return FILES[name](required_data_folder())
    data = load(name)
    return data.X, data.y


def anneal(folder: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Load grades of steel; a question mark means not applicable and is a separate level."""
    frame = read_table(folder / "anneal/anneal.arff")
    nominal = frame.select_dtypes("category").columns.drop("class")
    frame[nominal] = frame[nominal].astype(object).fillna("none").astype("category")
    frame = frame.loc[:, frame.nunique() > 1]
    return frame.drop(columns="class"), frame["class"].astype(str)


def autos(folder: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Load cars: does an insurer rate a car as risky (symboling above 0)?"""
    frame = read_table(folder / "autos/imports-85.data", header=False)
    return frame.iloc[:, 1:], (frame.iloc[:, 0].astype(int) > 0).astype(int)


def breast(folder: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Load clinical variables and 76 genes: is there a metastasis within five years?"""
    frame = read_table(folder / "gse7390/breast_cancer_GSE7390-metastasis.arff")
    event = frame["e.tdm"].astype(str) == "1"
    early = frame["t.tdm"] < 5 * 365.25
    known = event | ~early
    x = frame.drop(columns=["t.tdm", "e.tdm"])
    x["grade"] = x["grade"].replace("unkown", np.nan).cat.remove_unused_categories()
    return x[known], (event & early)[known].astype(int)


def heart_failure(folder: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Load deaths; the follow-up time is not a feature, because it ends with the death."""
    frame = read_table(folder / "heart_failure/heart_failure_clinical_records_dataset.csv")
    x = frame.drop(columns=["time", "DEATH_EVENT"])
    binary = ["anaemia", "diabetes", "high_blood_pressure", "sex", "smoking"]
    return x.astype(dict.fromkeys(binary, "category")), frame["DEATH_EVENT"]


def mammographic(folder: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Load benign and malignant masses; an assessment of 55 is a typing error."""
    frame = read_table(folder / "mammographic/mammographic_masses.data")
    x, y = frame.iloc[:, :-1].copy(), frame.iloc[:, -1]
    x.iloc[:, 0] = x.iloc[:, 0].where(x.iloc[:, 0] <= 6)
    return x.astype(dict.fromkeys(["Shape", "Margin"], "category")), y


def titanic(folder: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Load survival, without names, tickets and columns known only afterwards."""
    frame = read_table(folder / "titanic/titanic3.csv")
    x = frame[["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]]
    return x, frame["survived"]


FILES: dict[str, Callable[[Path], tuple[pd.DataFrame, pd.Series]]] = {
    "anneal": anneal,
    "autos": autos,
    "breast": breast,
    "heart-failure": heart_failure,
    "mammographic": mammographic,
    "titanic": titanic,
}
TABLES = (
    *("anneal", "arrhythmia", "autos", "bands", "breast", "credit-approval", "german-credit"),
    *("heart", "heart-failure", "hepatitis", "mammographic", "titanic"),
)


def line(name: str, key: str, number: int) -> dict:
    """Run one method on one split of a table with two thirds training rows."""
    x, y = table_named(name)
    table, target = Schema.infer(x).encode(x), Classes.of(y)
    source = np.random.SeedSequence(2026, spawn_key=(TABLES.index(name), number))
    train_rows, test_rows = split(target.codes, Resamplings(test_share=1 / 3), source)
    learned = target.take(train_rows)
    present = target.places_of(learned)
    train = table.take(rows=train_rows).resolve_missing("impute")
    test = table.take(rows=test_rows).resolve_missing("impute", like=train)
    chosen, seconds = np.arange(table.shape[1]), 0.0
    if key != "none":
        chosen, seconds = signature(key, train, learned, number)
    halves = Split.of(train, test, learned.codes)
    truth, n_classes = target.codes[test_rows], len(target.labels)
    rates = {}
    for judge, params in JUDGES.items():
        values = classify(judge, halves, [chosen], seed=0, params=params)
        predicted, _ = predicted_classes(values, present, n_classes)
        confusion = np.bincount(truth * n_classes + predicted[0], minlength=n_classes**2)
        rates[judge] = float(balanced_rate(confusion.reshape(1, n_classes, n_classes))[0])
    return {**rates, "chosen": sorted(chosen.tolist()), "p": table.shape[1], "seconds": seconds}


def signature(key: str, train: Table, target: Classes, seed: int) -> tuple[np.ndarray, float]:
    """Return the features of the chosen size, and the seconds of one selection.

    A search chooses the size by its own inner score. For a ranking 5-NN is scored on inner folds,
    and the one-standard-error rule chooses.
    """
    method = get_method(key)
    fits = [column.kind in method.about.takes for column in train.schema.columns]
    columns = np.flatnonzero(fits)  # a test for numbers ranks the continuous columns
    sizes = tuple(range(1, min(LARGEST, len(columns)) + 1))
    problem = Problem(train.take(columns=columns), target, sizes, seed)
    selector = method(**PARAMS.get(key, {}))
    start = time.thread_time()
    answer = selector.solve(problem)
    seconds = time.thread_time() - start
    if isinstance(answer, SearchPath):
        return columns[answer.signature(answer.best_size)], seconds
    scores = inner_scores(selector, problem, sizes, "5nn", folds=FOLDS, repeats=1)
    known = np.isfinite(scores).all(axis=0)
    judged = [size for size, good in zip(sizes, known, strict=True) if good]
    return columns[answer.signature(one_standard_error(judged, scores[:, known]))], seconds


def results() -> pd.DataFrame:
    """Return all existing lines."""
    return pd.read_json(RESULTS, lines=True) if RESULTS.exists() else pd.DataFrame()


def at_hand() -> list[str]:
    """Return the available methods; those of R need their packages."""
    from r_bridge.to_r.session import RUnavailable

    found = []
    for key in method_keys():
        method = get_method(key)
        try:
            if "r" not in method.about.requires or method.foreign_versions():
                found.append(key)
        except RUnavailable:
            continue
    return found


def run(names: list[str], keys: list[str], splits: int, jobs: int) -> None:
    """Run the missing units, split by split."""
    known = results()
    done = set() if known.empty else set(known[["data", "method", "split"]].itertuples(False, None))
    todo = [(d, m, s) for s, d, m in product(range(splits), names, keys) if (d, m, s) not in done]
    calls = (delayed(quiet_line)(*unit) for unit in todo)
    for found in Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(calls):
        with RESULTS.open("a") as file:
            file.write(json.dumps(found, separators=(",", ":")) + "\n")
        shown = {k: v for k, v in found.items() if k != "chosen"}
        print(shown, flush=True)


def quiet_line(name: str, key: str, number: int) -> dict:
    """Return a line without warnings; a failure is recorded in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = line(name, key, number)
        except Exception as reason:
            found = {"failed": repr(reason)[:300]}
    short = {k: float(f"{v:.5g}") if isinstance(v, float) else v for k, v in found.items()}
    return {"data": name, "method": key, "split": number, **short}


def main() -> None:
    """Run units."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("--data", nargs="+", default=TABLES, choices=TABLES)
    runs.add_argument("--methods", nargs="+", help="default: all available methods")
    runs.add_argument("--splits", type=int, default=10)
    runs.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    methods = options.methods or ["none", *at_hand()]
    run(options.data, methods, options.splits, options.jobs)


if __name__ == "__main__":
    main()
