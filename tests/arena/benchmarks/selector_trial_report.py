"""What the trial of selectors shows, as Markdown: `python selector_trial_report.py FOLDER`.

A score of a table is the mean over its splits; ranks, standard errors of paired differences and the
test count tables, not splits.
"""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from selector_trial_methods import METHODS
from selector_trial_rules import (
    BEFORE,
    BOTH,
    NOW,
    Config,
    Record,
    candidates,
    inner,
    key_of,
    method_configs,
    rule_configs,
    thirteen,
)
from selector_trial_tables import half_of

from hetsel.statistics.comparisons.friedman import friedman
from hetsel.statistics.comparisons.pairwise_ranks import critical_difference
from hetsel.statistics.stability.measures_of_stability import nogueira

COMMON = ("logistic", "svm 10", "forest", "boosting")


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

    def places(self, name: str, machines: Iterable[str] = COMMON) -> str:
        """The place of a candidate among the other twelve and itself, by BCR and AUC."""
        machines, names, places = tuple(machines), [name, *METHODS], []
        for measure in (0, 1):
            scores = np.stack([self.by_table(n, machines, measure) for n in names], axis=1)
            ranks = friedman(np.round(scores, 9), names=names).mean_ranks
            places.append(f"{1 + int((ranks[1:] < ranks[0]).sum())} ({ranks[0]:.2f})")
        return ", ".join(places)

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


def candidate_lines(records: list[Record]) -> list[str]:
    """Each candidate in the place of `hetsel select`: its place among the thirteen."""
    lines = [
        "| candidate | place by BCR, AUC: all | half 0 | half 1 | others by AUC | BCR | AUC | size "
        "| share | stability |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    every = Trial(records, thirteen(BEFORE) | candidates())
    others = Trial(records, thirteen(BEFORE, 1) | candidates())
    compared = (every, every.half(0), every.half(1))
    before = [every.by_table(BEFORE, measure=measure) for measure in (0, 1)]
    for name in candidates():
        found = [every.by_table(name, measure=measure) for measure in (0, 1)]
        rates = [f"{a.mean():.4f}, {difference(a, b)}" for a, b in zip(found, before, strict=True)]
        places = [*(one.places(name) for one in compared), others.places(name, BOTH)]
        lines.append(
            f"| {' | '.join([name, *places, *rates])} | {every.size(name):.1f} | "
            f"{every.share(name):.2f} | {every.stability(name):.3f} |"
        )
    return [*lines, ""]


def machine_lines(trial: Trial, names: Iterable[str]) -> list[str]:
    """Each machine on the same features."""
    lines = [
        "| features of | machine | BCR | against C = 10 (se) | AUC | against C = 10 (se) |",
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
    records = load(reader.parse_args().folder)
    for selector in (BEFORE, NOW):
        trial = Trial(records, thirteen(selector))
        print(f"## Thirteen selectors: {selector}\n", *trial.table(selector), sep="\n")
        for which in (0, 1):
            print(f"### Half {which}\n", *trial.half(which).table(selector), sep="\n")
        areas = Trial(records, thirteen(selector, 1))
        print("### The others by AUC\n", *areas.table(selector, BOTH), sep="\n")
    print("## Candidates\n", *candidate_lines(records), sep="\n")
    rules = Trial(records, rule_configs())
    print("## Size rules of rfe-mkl\n", *rules.table("one-se by BCR, C = 10", BOTH), sep="\n")
    for rule in ("best", "quarter-se", "one-se"):
        for measure, word in enumerate(("BCR", "AUC")):
            methods = Trial(records, method_configs(rule, measure))
            print(f"## Methods, {rule} by {word}\n", *methods.table("rfe-mkl", BOTH), sep="\n")
    names = ["rfe-mkl, one-se by BCR", "rfe-mkl, quarter-se by AUC", "rfe-mkl, best by AUC"]
    machines = Trial(records, candidates() | {"all features": inner("all features")})
    print("## Machines\n", *machine_lines(machines, [*names, "all features"]), sep="\n")


if __name__ == "__main__":
    main()
