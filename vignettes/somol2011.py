"""The experiments of somol2011, tables 1 to 5 and 7: run what is missing, or print the tables.

    python vignettes/somol2011.py run 3 wine wdbc      # table 3 (and 4) for two data sets
    python vignettes/somol2011.py tables

Each unit (a data set, a division of its rows, a search) is one line of a results file; units that
are there are not run again, and a search that is killed goes on from its archive. Data sets are
read from the folder HETSEL_DATA, by `run` only.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.svm import SVC

from hetsel import Schema, SubsetSearch, ati, cw_rel, nearly_best, read_table, resampled_interval
from hetsel.datasets.originals import required_data_folder
from hetsel.models.final_classifiers import classify, predicted_classes
from hetsel.models.train_test_arrays import Split
from hetsel.search.criteria.gaussian_distances import Bhattacharyya
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate, NeighborsRates
from hetsel.search.criteria.rates.svm_rate import GaussianSVMRate
from hetsel.tables.target import Classes

RESULTS = Path(__file__).with_name("somol2011.jsonl")
ARCHIVES = Path(".build/somol2011")
TAUS = (0.0, 0.001, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05)
SHARES = tuple(k / 10 for k in range(11))
# of each data set of table 3, that its tables need no data
COLUMNS = {
    **{"dermatology": 34, "ionosphere": 33, "optdigits": 55, "segment": 18},
    **{"waveform": 40, "wdbc": 30, "wine": 13},
}
SPLITS = 10  # the paper has one; several let a test respect the pairing
FOLDS = 10  # of tables 3 and 4


def load(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns and classes of a data set, complete rows only."""
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
    if name == "wdbc":
        frame = read_table(folder / "wdbc/wdbc.data", header=False).iloc[:, 1:]
        return _divided(frame, 0)
    file, header = {
        "dermatology": ("dermatology/dermatology.data", True),
        "ionosphere": ("ionosphere/ionosphere.data", False),
        "segment": ("segment/segment.arff", None),
        "spambase": ("spambase/spambase.arff", None),
        "waveform": ("waveform40/waveform-+noise.data.gz", False),
        "wine": ("wine/wine.csv", False),
    }[name]
    return _divided(read_table(folder / file, header=header), -1)


def _divided(frame: pd.DataFrame, target: int) -> tuple[pd.DataFrame, np.ndarray]:
    frame = frame.dropna()
    y = frame.iloc[:, target].astype(str).to_numpy()
    x = frame.drop(columns=frame.columns[target]).astype(float)
    return x.loc[:, x.nunique() > 1], y


def accuracy(classifier: str, x: np.ndarray, y: np.ndarray, train, test, chosen) -> float:
    """Share of the test rows that the classifier predicts right, columns by range."""
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


def fitted(unit: dict, x, y, train, **options) -> tuple[SubsetSearch, float]:
    """The search of a unit on the training rows, and its seconds."""
    ARCHIVES.mkdir(parents=True, exist_ok=True)
    name = "-".join(str(value) for value in unit.values())
    begin = time.perf_counter()
    search = SubsetSearch(archive=ARCHIVES / f"{name}.archive", **options)
    search.fit(x[train], y[train])
    return search, time.perf_counter() - begin


def lines_of_ties(unit: dict, x, y) -> list[dict]:
    """Tables 1 and 2: one half chooses, for each tau; the other half judges once."""
    rows = np.arange(len(y))
    train, test = train_test_split(rows, test_size=0.5, stratify=y, random_state=unit["split"])
    classifier = unit["classifier"]
    if classifier == "svm":
        criterion = GaussianSVMRate(folds=3, rate="accuracy")
    else:
        criterion = NeighborsRate(3, folds=3, rate="accuracy")
    search, seconds = fitted(
        unit, x, y, train, search=unit["search"], criterion=criterion, depth=15, ties=TAUS
    )
    found = []
    for tau, subset in search.answer_.equal.items():
        key = tuple(sorted(subset.tolist()))
        line = {"tau": tau, "size": len(key), "inner": search.answer_.evaluated[key]}
        line["outer"] = accuracy(classifier, x, y, train, test, list(key))
        back = nearly_best(search.answer_, tau).tolist()  # over all that was evaluated
        line["back_size"] = len(back)
        line["back_outer"] = accuracy(classifier, x, y, train, test, back)
        found.append(line)
    return [{**unit, **line, "seconds": seconds} for line in found]


def lines_of_votes(unit: dict, x, y) -> list[dict]:
    """Tables 3 and 4: ten folds outside, ten inside, 3-NN judges; one fold of the outer ten.

    From split 10 on the rows are divided once more, with another seed for every ten splits.
    """
    seed, place = divmod(unit["split"], FOLDS)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(x, y)
    train, test = list(folds)[place]
    several = unit["voting"] != "single"
    criterion = NeighborsRates(folds=10, rate="accuracy") if several else None
    criterion = criterion or NeighborsRate(3, folds=10, rate="accuracy")
    search, seconds = fitted(
        unit,
        x,
        y,
        train,
        search="dos",
        criterion=criterion,
        depth=15,
        voting=unit["voting"] if several else None,
    )
    chosen = np.sort(search.signature()).tolist()
    line = {"size": len(chosen), "chosen": chosen, "evaluations": len(search.answer_.evaluated)}
    line["outer"] = accuracy("3nn", x, y, train, test, chosen)
    return [{**unit, **line, "seconds": seconds}]


def lines_of_hybrid(unit: dict, x, y) -> list[dict]:
    """Tables 5 and 7: Bhattacharyya's distance lets a share of the candidates reach 5-NN."""
    rows = np.arange(len(y))
    train, test = train_test_split(rows, test_size=0.5, stratify=y, random_state=unit["split"])
    size = {"madelon": 20, "wdbc": 8}[unit["data"]] if unit["search"] == "os" else None
    search, seconds = fitted(
        unit,
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


def units(table: str, data: str, splits: int) -> list[tuple]:
    """The units of a table for a data set, each with the function that runs it."""
    if table in ("1", "2"):
        search = "sffs" if table == "1" else "dos"
        unit = {"table": table, "data": data, "search": search}
        return [
            (lines_of_ties, {**unit, "classifier": c, "split": s})
            for s, c in product(range(splits), ("3nn", "svm"))
        ]
    if table in ("3", "4"):
        kinds = ("single", "order", "weighted")
        return [
            (lines_of_votes, {"table": "3", "data": data, "voting": v, "split": s})
            for s, v in product(range(splits), kinds)
        ]
    return [
        (lines_of_hybrid, {"table": "5", "data": data, "search": w, "share": share, "split": s})
        for s, w, share in product(range(splits), ("dos", "os"), SHARES)
    ]


def results(table: str) -> pd.DataFrame:
    """All lines of a table so far."""
    lines = pd.read_json(RESULTS, lines=True, dtype=False) if RESULTS.exists() else pd.DataFrame()
    if lines.empty:
        raise SystemExit(f"{RESULTS} has no results yet")
    return lines[lines["table"].astype(str) == table]


def heading(*names: str) -> str:
    """First two lines of a table."""
    return f"| {' | '.join(names)} |\n|{'---|' * len(names)}"


def interval(differences: np.ndarray, test_share: float) -> str:
    """95 % interval of a mean of paired differences of splits that share rows."""
    if len(differences) < 2:
        return ""
    found = resampled_interval(differences, test_share=test_share)
    return f"{found.low:+.3f} to {found.high:+.3f}"


def print_ties(table: str) -> None:
    """Tables 1 and 2: mean over the splits for each tau."""
    frame = results(table)
    for (name, classifier), part in frame.groupby(["data", "classifier"]):
        print(f"\n{name}, {classifier}, {part['split'].nunique()} splits\n")
        columns = ["tau", "size", "inner", "outer", "outer less that of tau = 0", "95 % interval"]
        print(heading(*columns, "lower, higher", "size, looking back", "outer, looking back"))
        for tau, rows in part.groupby("tau"):
            away = away_from_zero(part, tau)
            means = rows[["size", "inner", "outer", "back_size", "back_outer"]].mean()
            print(
                f"| {tau} | {means['size']:.1f} | {means['inner']:.3f} | {means['outer']:.3f} "
                f"| {away.mean():+.3f} | {interval(away, 0.5) if tau else ''} "
                f"| {(away < 0).sum()}, {(away > 0).sum()} "
                f"| {means['back_size']:.1f} | {means['back_outer']:.3f} |"
            )


def away_from_zero(part: pd.DataFrame, tau: float, column: str = "outer") -> np.ndarray:
    """Outer accuracy at tau less that at tau = 0, split by split."""
    plain = part[part["tau"] == 0].set_index("split")["outer"]
    at = part[part["tau"] == tau].set_index("split")[column]
    return (at - plain).sort_index().to_numpy()


def print_cost_of_ties() -> None:
    """What each tau costs outside, over all searches of a data set."""
    frame = pd.concat([results("1"), results("2")])
    print(
        "\n"
        + heading(
            "data", "tau", "divisions", "lower", "equal", "higher", "mean", "smallest", "largest"
        )
    )
    for (name, tau), _ in frame[frame["tau"] > 0].groupby(["data", "tau"]):
        own = frame[frame["data"] == name]
        searches = [part for _, part in own.groupby(["table", "classifier"])]
        away = np.concatenate([away_from_zero(part, tau) for part in searches])
        means = [away_from_zero(part, tau).mean() for part in searches]
        print(
            f"| {name} | {tau} | {len(away)} | {(away < 0).sum()} | {(away == 0).sum()} "
            f"| {(away > 0).sum()} | {away.mean():+.3f} | {min(means):+.3f} | {max(means):+.3f} |"
        )


def print_votes() -> None:
    """Tables 3 and 4: single criterion, order voting, weighted voting; all seeds of the folds."""
    frame = complete_votes()
    columns = ["data", "seeds", "voting", "rate", "less that of single", "95 % interval"]
    print("\n" + heading(*columns, "of each seed", "size", "CWrel", "ATI", "evaluations", "s"))
    for name, part in frame.groupby("data"):
        p = COLUMNS[name]
        for voting in ("single", "order", "weighted"):
            rows = part[part["voting"] == voting].sort_values("split")
            away, subsets = away_from_single(part, voting), subsets_of_seeds(rows)
            seeds = len(away) // FOLDS
            each = ", ".join(f"{x:+.3f}" for x in away.reshape(seeds, FOLDS).mean(axis=1))
            plain = voting == "single"
            print(
                f"| {name} | {seeds} | {voting} | {rows['outer'].mean():.3f} "
                f"| {'' if plain else f'{away.mean():+.3f}'} "
                f"| {'' if plain else interval(away, 1 / FOLDS)} | {'' if plain else each} "
                f"| {rows['size'].mean():.1f} | {np.mean([cw_rel(one, p) for one in subsets]):.3f} "
                f"| {np.mean([ati(one, p) for one in subsets]):.3f} "
                f"| {rows['evaluations'].mean():.0f} | {rows['seconds'].mean():.1f} |"
            )


def complete_votes() -> pd.DataFrame:
    """The lines of table 3 of the seeds whose ten splits are all there, for all votings."""
    frame = results("3")
    frame = frame.assign(seed=frame["split"] // FOLDS)
    return frame.groupby(["data", "seed"]).filter(lambda part: len(part) == 3 * FOLDS)


def away_from_single(part: pd.DataFrame, voting: str) -> np.ndarray:
    """Outer accuracy by a vote less that of 3-NN alone, split by split."""
    by_split = part.pivot(index="split", columns="voting", values="outer").sort_index()
    return (by_split[voting] - by_split["single"]).to_numpy()


def subsets_of_seeds(rows: pd.DataFrame) -> list[list[list[int]]]:
    """The ten signatures of each seed."""
    return [part["chosen"].tolist() for _, part in rows.groupby("seed")]


def print_votes_over_data() -> None:
    """Votes against 3-NN alone over the data sets: for each seed, and the mean over the seeds."""
    from scipy.stats import wilcoxon

    frame = complete_votes()
    print("\n" + heading("voting", "seed", "data sets", "rate higher", "p", "ATI higher", "p"))
    means = []
    for (name, seed), part in frame.groupby(["data", "seed"]):
        p = COLUMNS[name]
        chosen = {v: rows["chosen"].tolist() for v, rows in part.groupby("voting")}
        for voting in ("order", "weighted"):
            rate = away_from_single(part, voting).mean()
            stable = ati(chosen[voting], p) - ati(chosen["single"], p)
            means.append((voting, seed, name, rate, stable))
    table = pd.DataFrame(means, columns=["voting", "seed", "data", "rate", "stable"])
    shares = [(str(seed), rows) for seed, rows in table.groupby("seed") if seed == 0]
    for name, rows in (("all but the first", table[table["seed"] > 0]), ("all", table)):
        shares.append(
            (name, rows.groupby(["voting", "data"]).mean(numeric_only=True).reset_index())
        )
    for (seed, part), voting in product(shares, ("order", "weighted")):
        rows = part[part["voting"] == voting]
        columns = rows[["rate", "stable"]].to_numpy().T
        tests = [f"{(one > 0).sum()} | {wilcoxon(one).pvalue:.2g}" for one in columns]
        print(f"| {voting} | {seed} | {len(rows)} | {tests[0]} | {tests[1]} |")
    for voting, rows in table[table["seed"] > 0].groupby("voting"):
        ups = [int((rows[c] > 0).sum()) for c in ("rate", "stable")]
        downs = [int((rows[c] < 0).sum()) for c in ("rate", "stable")]
        print(f"later seeds, {voting}: rate {ups[0]} up, {downs[0]} down; ATI {ups[1]}, {downs[1]}")


def print_hybrid() -> None:
    """Tables 5 and 7: for each share of the candidates that reach 5-NN."""
    frame = results("5")
    for (name, search), part in frame.groupby(["data", "search"]):
        print(f"\n{name}, {search}, {part['split'].nunique()} splits\n")
        print(
            heading(
                "lambda", "inner", "outer", "size", "s", "outer less that of 1", "95 % interval"
            )
        )
        whole = part[part["share"] == 1].set_index("split")["outer"]
        for share, rows in part.groupby("share"):
            away = (rows.set_index("split")["outer"] - whole).dropna().to_numpy()
            reach = interval(away, 0.5) if share < 1 else ""
            away = away if len(away) else np.array([np.nan])
            means = rows[["inner", "outer", "size", "seconds"]].mean()
            print(
                f"| {share:.1f} | {means['inner']:.3f} | {means['outer']:.3f} "
                f"| {means['size']:.1f} | {means['seconds']:.1f} | {np.mean(away):+.3f} | {reach} |"
            )


def run(table: str, names: list[str], splits: int, jobs: int) -> None:
    """Run the units that the results lack."""
    done = set()
    if RESULTS.exists():
        for line in RESULTS.read_text().splitlines():
            done.add(_key(json.loads(line)))
    for name in names:
        x, y = load(name)
        todo = [(f, unit) for f, unit in units(table, name, splits) if _key(unit) not in done]
        values = x.to_numpy()
        for lines in Parallel(n_jobs=jobs, return_as="generator_unordered")(
            delayed(function)(unit, values, y) for function, unit in todo
        ):
            with RESULTS.open("a") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
            shown = {k: v for k, v in lines[0].items() if k != "chosen"}
            print(shown, flush=True)


def _key(unit: dict) -> tuple:
    names = ("table", "data", "search", "classifier", "voting", "share", "split")
    return tuple(unit.get(name) for name in names)


def main() -> None:
    """Run units, or print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("table", choices=["1", "2", "3", "4", "5", "7"])
    runs.add_argument("data", nargs="+")
    runs.add_argument("--splits", type=int, default=SPLITS)
    runs.add_argument("--jobs", type=int, default=2)
    commands.add_parser("tables")
    options = parser.parse_args()
    if options.command == "tables":
        print_ties("1")
        print_ties("2")
        print_cost_of_ties()
        print_votes()
        print_votes_over_data()
        print_hybrid()
        return
    run(options.table, options.data, options.splits, options.jobs)


if __name__ == "__main__":
    main()
