"""What the trial of selectors shows, as Markdown: `selector_trial_report.py FOLDER [--fill]`.

A score of a table is the mean over its splits; ranks, standard errors of paired differences and the
test count tables, not splits. With --fill the trees learn from the subsets that they lack.
"""

import argparse
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from selector_trial import METHODS, QUICK, add_trees
from selector_trial_tables import half_of

from hetsel.judging.size_rules import knee, one_standard_error, treated_as_equal
from hetsel.statistics.comparisons.friedman import friedman
from hetsel.statistics.comparisons.pairwise_ranks import critical_difference
from hetsel.statistics.stability.measures_of_stability import nogueira

Record = dict[str, Any]
Config = Callable[[Record], tuple[str, int]]  # the method and the size of its signature
COMMON = ("logistic", "svm 10", "forest", "boosting")
BOTH = ("logistic", "svm 10")  # what the size is chosen by in the trial
TODAY = "hetsel select as it comes"


def paired_error(sizes: Any, scores: np.ndarray, count: float, share: float = 1.0) -> int:
    """The smallest size below the best by no more than the standard error of the difference."""
    best = int(np.argmax(np.round(scores.mean(axis=0), 9)))
    away = scores[:, [best]] - scores
    error = away.std(axis=0, ddof=1) / np.sqrt(count)
    return int(sizes[int(np.argmax(away.mean(axis=0) <= share * error + 1e-9))])


def best(sizes: Any, scores: np.ndarray, count: float) -> int:
    """The size with the best mean."""
    return int(sizes[int(np.argmax(np.round(scores.mean(axis=0), 9)))])


def errors(share: float) -> Callable[..., int]:
    """The rule of a share of one standard error."""
    return lambda sizes, scores, count: one_standard_error(sizes, scores, count / share**2)


RULES: dict[str, Callable[..., int]] = {
    "best": best,
    "one-se": errors(1.0),
    "half-se": errors(0.5),
    "quarter-se": errors(0.25),
    "equal 1 %": lambda sizes, scores, count: treated_as_equal(sizes, scores, 0.01),
    "equal 2 %": lambda sizes, scores, count: treated_as_equal(sizes, scores, 0.02),
    "knee": lambda sizes, scores, count: knee(sizes, scores),
    "paired se": paired_error,
    "paired half-se": lambda *given: paired_error(*given, share=0.5),
}


def inner_scores(
    record: Record, method: str, judges: Iterable[str], measure: int = 0
) -> tuple[list[int], np.ndarray]:
    """Sizes and scores (folds, sizes) of the five inner folds, the mean of some judges."""
    judges, folds = tuple(judges), record["inner"]
    sizes = sorted(set.intersection(*(set(map(int, f[method]["logistic"])) for f in folds)))
    scores = [
        [np.mean([f[method][j][str(s)][measure] for j in judges]) for s in sizes] for f in folds
    ]
    return sizes, np.array(scores)


def inner(
    method: str,
    rule: str = "best",
    judges: Iterable[str] = ("logistic", "svm 10"),
    measure: int = 0,
) -> Config:
    """The size by the five inner folds."""

    def size(record: Record) -> tuple[str, int]:
        sizes, scores = inner_scores(record, method, judges, measure)
        return method, RULES[rule](sizes, scores, len(scores))

    return size


def asked(method: str, rule: str, penalty: str = "svm 10", runs: int | None = None) -> Config:
    """The size as `hetsel select` chooses it, by a rule and by the machine of some C."""

    def size(record: Record) -> tuple[str, int]:
        select = record["select"]
        scores = np.array(select[method][penalty])
        scores = scores[: None if runs is None else runs * select["folds"]]
        return method, RULES[rule](select["sizes"], scores, select["folds"])

    return size


def best_of(methods: Iterable[str], rule: str = "best") -> Config:
    """The method that the inner folds prefer, at its size."""
    methods = tuple(methods)

    def size(record: Record) -> tuple[str, int]:
        tops = []
        for method in methods:
            scores = inner_scores(record, method, BOTH)[1]
            tops.append(scores.mean(axis=0).max())
        return inner(methods[int(np.argmax(np.round(tops, 9)))], rule)(record)

    return size


THIRTEEN: dict[str, Config] = {TODAY: asked("rfe-mkl", "one-se")} | {
    method: inner(method) for method in METHODS
}


def key_of(record: Record, choice: tuple[str, int]) -> tuple[int, ...]:
    """The features of a choice."""
    return tuple(sorted(record["subsets"][choice[0]][str(choice[1])]))


def scores_of(record: Record, choice: tuple[str, int], machine: str) -> list[float]:
    """BCR and AUC on the test rows."""
    if machine in ("forest", "boosting"):
        found = record["grown"].get(key_of(record, choice))
        return found[machine] if found else [np.nan, np.nan]
    return record["outer"][choice[0]][machine][str(choice[1])]


def load(folder: Path) -> list[Record]:
    """All splits that are finished, of tables whose splits are."""
    records = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    for record in records:
        record["grown"] = {tuple(subset): found for subset, found in record["trees"]}
    return records


class Trial:
    """Configurations on the splits of some tables."""

    def __init__(self, records: list[Record], configs: dict[str, Config]) -> None:
        self.records, self.configs = records, configs
        self.tables = sorted({record["table"] for record in records})
        self.choices = {
            name: [config(record) for record in records] for name, config in configs.items()
        }

    def by_table(self, name: str, machines: Iterable[str] = COMMON, measure: int = 0) -> np.ndarray:
        """Mean score (tables,) over splits and machines."""
        pairs = zip(self.records, self.choices[name], strict=True)
        values = [
            np.mean([scores_of(record, choice, m)[measure] for m in machines])
            for record, choice in pairs
        ]
        return self._means(values)

    def _means(self, values: list[float]) -> np.ndarray:
        own = np.array([record["table"] for record in self.records])
        return np.array([np.mean(np.array(values)[own == table]) for table in self.tables])

    def size(self, name: str) -> float:
        """Mean size of the signatures, tables alike."""
        return float(self._means([float(size) for _, size in self.choices[name]]).mean())

    def share(self, name: str) -> float:
        """Mean share of the features that is selected."""
        pairs = zip(self.choices[name], self.records, strict=True)
        return float(self._means([size / record["p"] for (_, size), record in pairs]).mean())

    def stability(self, name: str) -> float:
        """Mean over tables of Nogueira's stability over the training sets; all or nothing is 1."""
        out = []
        for table in self.tables:
            own = [
                (record, choice)
                for record, choice in zip(self.records, self.choices[name], strict=True)
                if record["table"] == table
            ]
            sets = [list(key_of(record, choice)) for record, choice in own]
            p = own[0][0]["p"]
            same = all(len(one) == p for one in sets)
            out.append(1.0 if same or len(sets) < 2 else nogueira(sets, p))
        return float(np.nanmean(out))

    def half(self, which: int) -> "Trial":
        """The tables of one half."""
        kept = [record for record in self.records if half_of(record["table"]) == which]
        return Trial(kept, self.configs)

    def table(self, baseline: str, machines: Iterable[str] = COMMON) -> list[str]:
        """Lines of Markdown: mean ranks and means, best first, differences from the baseline."""
        names, machines = list(self.configs), tuple(machines)
        rates = {name: self.by_table(name, machines) for name in names}
        areas = {name: self.by_table(name, machines, 1) for name in names}
        ranks = friedman(np.round(np.stack([rates[n] for n in names], axis=1), 9), names=names)
        by_area = friedman(np.round(np.stack([areas[n] for n in names], axis=1), 9), names=names)
        lines = [
            "| selector | mean rank BCR | BCR | difference (se) | mean rank AUC | AUC | "
            "difference (se) | size | share | stability |",
            "|---|---|---|---|---|---|---|---|---|---|",
        ]
        for j in np.argsort(ranks.mean_ranks, kind="stable"):
            name = names[j]
            apart = [difference(found[name], found[baseline]) for found in (rates, areas)]
            lines.append(
                f"| {name} | {ranks.mean_ranks[j]:.2f} | {rates[name].mean():.4f} | {apart[0]} | "
                f"{by_area.mean_ranks[j]:.2f} | {areas[name].mean():.4f} | {apart[1]} | "
                f"{self.size(name):.1f} | {self.share(name):.2f} | {self.stability(name):.3f} |"
            )
        distance = critical_difference(len(names), len(self.tables))
        return [
            f"{len(self.tables)} tables, {len(self.records)} splits; machines: "
            f"{', '.join(machines)}. Friedman p = {ranks.pvalue:.2g} (BCR), {by_area.pvalue:.2g} "
            f"(AUC); critical difference of Nemenyi at 0.05: {distance:.2f}",
            "",
            *lines,
            "",
        ]


def difference(one: np.ndarray, other: np.ndarray) -> str:
    """Mean difference over tables with its standard error."""
    away = one - other
    if not np.any(away):
        return "–"
    return f"{away.mean():+.4f} ({away.std(ddof=1) / np.sqrt(len(away)):.4f})"


def rule_configs() -> dict[str, Config]:
    """Size rules as `hetsel select` would use them, and on five folds."""
    out = {f"rfe-mkl, {rule}, C=10 chooses": asked("rfe-mkl", rule) for rule in RULES}
    out |= {f"rfe-mkl, {rule}, C=1 chooses": asked("rfe-mkl", rule, "svm 1") for rule in RULES}
    out |= {
        f"rfe-mkl, {rule}, one run": asked("rfe-mkl", rule, runs=1) for rule in ("best", "one-se")
    }
    out["rfe-mkl, best, five folds, logistic and C=10"] = inner("rfe-mkl")
    out["rfe-mkl, best, five folds, C=10"] = inner("rfe-mkl", judges=["svm 10"])
    out["rfe-mkl, best, five folds, AUC of both"] = inner("rfe-mkl", measure=1)
    return out


def method_configs(rule: str) -> dict[str, Config]:
    """All methods under one rule."""
    return {f"{method}, {rule}": inner(method, rule) for method in METHODS}


def asked_configs() -> dict[str, Config]:
    """Methods that `hetsel select` could take, under its own folds (one run) and rules."""
    return {
        f"{method}, {rule}": asked(method, rule, runs=1)
        for method in ("rfe-mkl", "rfe-svm", "mutual information")
        for rule in ("best", "one-se", "half-se", "equal 1 %")
    }


def candidates() -> dict[str, Config]:
    """What `hetsel select` could be without options."""
    out = {
        f"{method}, {rule}, {penalty} chooses": asked(method, rule, penalty)
        for method in QUICK
        for penalty in ("svm 10", "svm 1")
        for rule in ("best", "half-se", "equal 1 %", "one-se")
    }
    for rule in ("quarter-se", "equal 2 %", "paired se", "paired half-se"):
        out[f"rfe-mkl, {rule}, svm 10 chooses"] = asked("rfe-mkl", rule)
    return out


def candidate_lines(records: list[Record]) -> list[str]:
    """Each candidate in the place of today's `hetsel select`: its place among the thirteen."""
    lines = [
        "| candidate | half 0: mean rank (place) BCR, AUC | half 1 | all | BCR | AUC | size | "
        "share | stability |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    trials = [
        Trial([r for r in records if half_of(r["table"]) in own], THIRTEEN | candidates())
        for own in ((0,), (1,), (0, 1))
    ]
    for name in candidates():
        cells = []
        for trial in trials:
            names = [name, *METHODS]
            for measure in (0, 1):
                scores = np.stack([trial.by_table(n, measure=measure) for n in names], axis=1)
                ranks = friedman(np.round(scores, 9), names=names).mean_ranks
                cells.append(f"{ranks[0]:.2f} ({1 + int((ranks[1:] < ranks[0]).sum())})")
        every = trials[2]
        lines.append(
            f"| {name} | {cells[0]}, {cells[1]} | {cells[2]}, {cells[3]} | {cells[4]}, {cells[5]} "
            f"| {every.by_table(name).mean():.4f} | {every.by_table(name, measure=1).mean():.4f} | "
            f"{every.size(name):.1f} | {every.share(name):.2f} | {every.stability(name):.3f} |"
        )
    return [*lines, ""]


def machine_lines(trial: Trial, names: Iterable[str]) -> list[str]:
    """Each machine on the same features."""
    lines = [
        "| features of | machine | BCR | against svm 10 (se) | AUC | against svm 10 (se) |",
        "|---|---|---|---|---|---|",
    ]
    for name in names:
        own = [trial.by_table(name, ["svm 10"], measure) for measure in (0, 1)]
        for machine in ("svm 0.1", "svm 1", "svm 10", "svm 100", "logistic", "forest", "boosting"):
            found = [trial.by_table(name, [machine], measure) for measure in (0, 1)]
            lines.append(
                f"| {name} | {machine} | {found[0].mean():.4f} | {difference(found[0], own[0])} | "
                f"{found[1].mean():.4f} | {difference(found[1], own[1])} |"
            )
    return [*lines, ""]


def main() -> None:
    """Print all."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--fill", action="store_true")
    given = reader.parse_args()
    records = load(given.folder)
    every = THIRTEEN | candidates()
    if given.fill:
        for record in records:
            add_trees(given.folder, record, {key_of(record, one(record)) for one in every.values()})
        records = load(given.folder)
    trial = Trial(records, THIRTEEN)
    print("## Thirteen selectors\n", *trial.table(TODAY), sep="\n")
    for which in (0, 1):
        print(f"### Half {which}\n", *trial.half(which).table(TODAY), sep="\n")
    print(
        "## Size rules\n",
        *Trial(records, rule_configs()).table("rfe-mkl, one-se, C=10 chooses", BOTH),
        sep="\n",
    )
    for rule in ("one-se", "half-se", "equal 1 %"):
        print(
            f"## Methods under {rule}\n",
            *Trial(records, method_configs(rule)).table(f"rfe-mkl, {rule}", BOTH),
            sep="\n",
        )
    print(
        "## As select asks\n",
        *Trial(records, asked_configs()).table("rfe-mkl, one-se", BOTH),
        sep="\n",
    )
    print("## Machines\n", *machine_lines(trial, [TODAY, "rfe-mkl", "all features"]), sep="\n")


if __name__ == "__main__":
    main()
