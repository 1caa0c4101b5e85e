"""Studies of exchangeable methods on noise: how often does each comparison of a report reject?

    python tests/arena/campaigns/noise_studies.py --studies 200

Each study is a real one: tables without any signal, real splits, the real final classifier. Its
methods differ by nothing but weights of the features, drawn independently for each method and each
table, by which they multiply the difference of the classes in the training rows: no method is
better than another, none better than chance, and what a table favors by accident stays with it over
all resamplings. Every comparison of the first part of the report must reject at most as often as
its level says; those that are named as printed in paul2015 reject as often as they do.

In 200 studies (seed 0) at 0.05: over data sets the first part rejects in 0 to 6.0 % of the studies
(permutations 3.0 to 6.0 %, with Nemenyi's test 0.5 to 4.0 %, Wilcoxon with Holm 0, as 0.31 is its
least); on single data sets it names any pair in 0.5 %, and any method above chance in 1.0 %. With
the correction of Nadeau and Bengio these were 2.5 and 6.0 %, and 2.0 and 9.3 % in 300 studies of
seed 1, where each test against chance rejected in 7.0 %. As printed: 18 % with data set x size as
blocks; at the size that one method chooses Friedman's test rejects in 4.5 %, Iman and Davenport's
in 7.0 %, but that method has the best mean rank in 37 % of the studies (fair: 20 %) and its naive
t-tests reject in 22 %.

Then the sentences of a whole report: results of exchangeable methods are drawn (`Drawn`), and of
each shape of a study the table says how often anything is announced, by the levels of the report
and by 0.05 for each test, as before decision 076. `--results` appends it to claims.jsonl.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim
from scipy import stats

from hetsel import Ranking, Study
from hetsel.selection import About, BaseSelector
from hetsel.statistics.comparisons.resampled_means import crossfitted_sizes, smallest_good_size
from hetsel.statistics.performance.scores import SCORES
from hetsel.study.comparison.rank_tests import Analysis
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds
from hetsel.study.comparison.treated_pairs import paired
from hetsel.study.results import Results

LEVEL = 0.05
DATASETS, METHODS = 6, 5
SIZES = [1, 2, 4, 8]
DEVIATION = 0.0735  # of a drawn score over the resamplings
SHAPES = [  # data sets, methods, resamplings, score of a target, whether stability is tested
    *((6, 2, 20, "bcr", True), (6, 2, 20, "bcr", False), (1, 4, 50, "bcr", True)),
    *((6, 5, 20, "bcr", True), (6, 5, 20, "concordance", True), (6, 5, 20, "rmse", True)),
    *((5, 2, 20, "bcr", True), (3, 3, 20, "bcr", True), (1, 28, 10, "bcr", True)),
    (6, 5, 20, "bcr", False),
]
KINDS = (9, 5, 20, "first score", True)  # three data sets of each kind of target
TREATED = (4, 3, 20, "bcr", True)  # four data sets, each with one treatment
TRUTHS = [  # what all score above the baseline, what the first method has more, a part of --drawn
    *(("noise", 0.0, 0.0, 1), ("equal methods", 0.15, 0.0, 4)),
    *(("better by 1", 0.15, DEVIATION, 10), ("better by 2", 0.15, 2 * DEVIATION, 10)),
]


class Weighted(BaseSelector):
    """Ranks by the difference of the classes in each feature, times weights drawn once."""

    number: int = 0

    about = About("weighted differences of the classes")

    def _select(self, problem):
        words = [*"|".join(problem.table.names).encode(), self.number]
        weights = np.exp(np.random.default_rng(words).normal(size=problem.p))
        values, codes = problem.table.values, problem.target.codes
        gap = values[codes == 1].mean(axis=0) - values[codes == 0].mean(axis=0)
        return Ranking.from_importance(np.abs(gap) / (values.std(axis=0) + 1e-9) * weights)


def noise(rng, name, rows):
    """A table of 5 continuous and 3 nominal columns that know nothing of the classes."""
    columns = {f"{name}-x{j}": rng.normal(size=rows) for j in range(5)}
    levels = np.array(list("abc"), dtype=object)
    columns |= {f"{name}-c{j}": levels[rng.integers(0, 3 - j % 2, rows)] for j in range(3)}
    y = rng.permutation(np.arange(rows) < rows * rng.choice([0.5, 0.6, 0.7]))
    return {"name": name, "X": pd.DataFrame(columns), "y": y}


def noise_study(seed, number, resamplings, folder):
    """The results of one study."""
    rng = np.random.default_rng([seed, number])
    datasets = [
        noise(rng, f"s{seed}-{number}-d{d}", int(rng.integers(50, 90))) for d in range(DATASETS)
    ]
    study = Study(
        name=f"noise-{number}",
        datasets=datasets,
        methods=[
            {"key": Weighted, "params": {"number": k}, "label": f"m{k}"} for k in range(METHODS)
        ],
        resamplings=resamplings,
        sizes=SIZES,
        seed=number,
    )
    return study.run(Path(folder) / f"{number}.sqlite", n_jobs=0, progress=False)


class Drawn:
    """A table of results without a study: scores and selections of exchangeable methods.

    Scores are normal. Two resamplings of a data set are as correlated as they have parted pairs of
    rows in common (`hetsel.statistics.comparisons.resampled_means`), two methods by a half. The
    mean is `above` what is reached without the features; the first method has `lead` more. Without
    `stability` no selections are known.
    """

    study = None

    def __init__(
        self, shape, source, *, above=0.0, lead=0.0, stability=True, treated=False, name="d"
    ):
        *self.shape, self.kind, self.share = shape
        self.above, self.lead = above, lead
        self.stability = stability
        self.rng = np.random.default_rng(source)
        d, m, _ = self.shape
        self.methods, self.classifiers = [f"m{k}" for k in range(m)], ["judge"]
        about = {"features": list("abcdefgh"), "kinds": ["continuous"] * 8, "rows": 100}
        self.datasets = {f"{name}{k}": {"target": self.kind, **about} for k in range(d)}
        self.plan = {"datasets": [{"name": name} for name in self.datasets]}
        for k in range(d // 2 if treated else 0):
            self.plan["datasets"][d - d // 2 + k]["treatment_of"] = f"{name}{k}"
        self.scores, self.test_shares = SCORES[self.kind], dict.fromkeys(self.datasets, self.share)
        merit = self.rng.exponential(size=(d, m, 1, 1)) * np.arange(8)
        self.places = (merit + self.rng.normal(size=(*self.shape, 8))).argsort().argsort()

    def repeated(self, shape):
        """Normals (data sets, ..., resamplings, ...) whose third axis is correlated."""
        r = 2 * self.share * (1 - self.share)
        kept = self.rng.normal(size=(*shape[:2], 1, *shape[3:]))
        return np.sqrt(r) * kept + np.sqrt(1 - r) * self.rng.normal(size=shape)

    def frame(self):
        d, m, k = self.shape
        index = pd.MultiIndex.from_product(
            [self.datasets, self.methods, range(k), SIZES],
            names=["dataset", "method", "resampling", "size"],
        )
        frame = index.to_frame(index=False).assign(classifier="judge", n_categorical=0, cut="")
        common, own = self.repeated((d, 1, k, 1)), self.repeated((d, m, k, 1))
        noise = 0.05 * (common + own) + 0.02 * self.repeated((d, m, k, len(SIZES)))
        better = noise.ravel() + self.above + self.lead * (frame["method"] == "m0")
        columns = dict.fromkeys((*self.scores.columns, *self.scores.baselines.values()), 0.5)
        for name in self.scores.names:
            columns[name] = 0.5 + better * (-1 if name in self.scores.losses else 1)
        return frame.assign(**columns, rank_seconds=1.0, rank_elapsed=1.5)

    def signatures(self, dataset, method, size):
        places = self.places[list(self.datasets).index(dataset), self.methods.index(method)]
        known = len(places) if self.stability else 0
        return np.arange(known), places[:known] < size


class DrawnOfKinds:
    """Drawn results of three data sets of each kind of target, see `Drawn`."""

    def __init__(self, source, **truth):
        self.kinds = list(SCORES)
        self.parts = {
            kind: Drawn((3, 5, 20, kind, 0.1), [*source, k], name=kind, **truth)
            for k, kind in enumerate(self.kinds)
        }
        self.of_kind = self.parts.get
        self.methods = self.parts["classes"].methods
        self.datasets = {n: about for p in self.parts.values() for n, about in p.datasets.items()}


class Named(Summary):
    """Without the analyses that decide nothing, which take half of the time."""

    @cached_property
    def _analyses(self):
        words = ("all-sizes", "all sizes", "Over all sizes")
        return {one.key: [Analysis(*words, self.by_dataset(one))] for one in self.measures}


def announced(summary, *, corrected=True):
    """What the sentences of a report say to differ: (kind of test, the better one, the worse one).

    Without correction by any analysis with p at most 0.05.
    """
    main, other = summary.levels if corrected else (LEVEL, LEVEL)
    said = []
    if summary.treatments:
        changed = paired(summary).dropna(subset=["holm"])
        found = changed[changed["holm"] <= (summary.levels[1] if corrected else LEVEL)]
        said += [("treatments", row.treatment, "some") for row in found.itertuples()]
    for measure in summary.measures:
        tests, level = [a.test for a in summary.made(measure)], LEVEL
        if corrected and tests:
            tests, level = [summary.named(measure).test], summary.level_of(measure)
        for test in tests:
            if test.permutation <= level:
                found = test.differences or {"some": ["some"]}
                said += [(measure.key, one, low) for one, lower in found.items() for low in lower]
    if isinstance(summary, SummaryOfKinds):  # its first screen has ranks only
        return said
    apart = summary.own_pairs["holm"] <= (summary.pairs_level if corrected else main)
    pairs = summary.own_pairs.loc[apart, ["better", "worse"]].itertuples(index=False)
    said += [("pairs", *pair) for pair in pairs]
    for one in summary.baselines:
        said += [(one.what, method, one.what) for method in one.above(other)]
        said += [(one.what, m, one.what) for m in summary.methods if one.above_on(m, other)]
    return said


def sentences(shape, truth, studies, seed):
    """By study, whether reports of drawn ones say what is wrong, and name what is true."""
    *sizes, score, stability = shape
    kind = next((kind for kind, scores in SCORES.items() if score in scores.names), "")
    _, above, lead, _ = truth
    hits = {}
    for k in range(studies):
        source = [seed, k, TRUTHS.index(truth), *sizes, len(score), stability]
        given = {"above": above, "lead": lead, "stability": stability}
        both = k % 4 == 0 or lead  # a quarter of the equal ones with what was said before
        if shape == KINDS:
            summary = SummaryOfKinds(DrawnOfKinds(source, **given))
        elif shape == TREATED:
            doubled = (2 * sizes[0], *sizes[1:])
            drawn = Drawn((*doubled, kind, 0.1), source, **given, treated=True)
            summary = Summary(drawn, score)
        else:
            drawn = Drawn((*sizes, kind, 0.1), source, **given)
            summary = (Summary if both else Named)(drawn, score)
        for corrected in (True, False) if both else (True,):
            said = announced(summary, corrected=corrected)
            if above:  # that all are above the baseline is true
                said = [one for one in said if one[2] in (*summary.methods, "some")]
            true = [one for one in said if lead and one[0] != "ki" and one[1] in ("m0", "some")]
            words = "" if corrected else ", each at 0.05"
            found = {"wrong": len(said) > len(true)} | (
                {"named": any(one[1] == "m0" for one in true)} if lead else {}
            )
            if corrected and not above:  # each sentence alone
                asked = {*(m.key for m in summary.measures), "pairs", "treatments"}
                asked |= {one.what for one in getattr(summary, "baselines", ())}
                found |= {f"wrong: {name}": name in {one[0] for one in said} for name in asked}
            for what, hit in found.items():
                hits.setdefault(f"{what}{words}", []).append(hit)
    return hits


def table_of_sentences(options):
    """Print and keep how often the sentences of drawn studies announce something, by shape."""
    faults = []
    names = ("data_sets", "methods", "resamplings", "score", "stability")
    every = [*SHAPES, KINDS, TREATED]
    shapes = every if options.shapes is None else [every[k] for k in options.shapes]
    for truth, shape in product(TRUTHS, shapes):
        design = dict(zip(names, shape, strict=True))
        studies = max(1, options.drawn // truth[3])
        hits = sentences(shape, truth, studies, options.seed)
        shown = ", ".join(f"{name} {np.mean(found):.3f}" for name, found in hits.items())
        print(*shape, f"{truth[0]} ({studies} studies):", shown, flush=True)
        for name, found in hits.items():
            rate, n = {f"{truth[0]}: {name}": float(np.mean(found))}, len(found)
            append_claim(options.results, "sentences of a study", design, rate, tables=n)
        for name, found in hits.items():
            held = name.startswith("wrong") and not name.endswith("each at 0.05")
            if held and too_often(np.array(found, dtype=float)):
                faults.append(f"{shape}, {truth[0]}, {name}")
    return faults


def compared(results):
    """Share of its tests that each comparison rejects in one study, the first part and the rest."""
    summary = Summary(results)
    summary.reference = summary.methods[0]
    first, printed = {}, {}
    for measure in summary.measures:
        for analysis in summary.analyses(measure):
            first |= rank_tests(f"{measure.label}, {analysis.head}", analysis.test)
        for analysis in summary.printed(measure):
            name = f"{measure.label}, {analysis.head}"
            printed |= rank_tests(name, analysis.test)
            ranks = np.array(analysis.test.mean_ranks)
            best = np.flatnonzero(ranks == ranks.min())
            printed[f"{name}: the one that chooses is best"] = (0 in best) / len(best)
    first["pairs on a data set: each"] = (summary.own_pairs["pvalue"] <= LEVEL).mean()
    first["pairs on a data set, Holm: any"] = (summary.own_pairs["holm"] <= LEVEL).any()
    for one in summary.baselines:
        for name, table in (("a data set", one.by_dataset), ("all data sets", one.overall)):
            first[f"{one.what}, {name}: each"] = (table["pvalue"] <= LEVEL).mean()
            first[f"{one.what}, {name}, Holm: any"] = (table["holm"] <= LEVEL).any()
    tests = [
        summary.against_reference(dataset, method)
        for dataset in summary.datasets
        for method in summary.methods[1:]
    ]
    for k, name in enumerate(("naive", "corrected")):
        printed[f"the one that chooses against each, {name}"] = np.mean(
            [test[k].pvalue <= LEVEL for test in tests]
        )
    return first, printed


def advantages(results):
    """Mean score of the first method minus that of the others, by the rule that chose the size.

    "printed" is the size that the first method's curve chooses, judged on the same resamplings.
    """
    summary = Summary(results)
    differences = {"printed": [], "cross-fitted by its curve": [], "own size": [], "one size": []}
    for dataset in summary.datasets:
        part = summary.frame[summary.frame["dataset"] == dataset]
        table = part.pivot(index="resampling", columns=["method", "size"], values="bcr")
        sizes = sorted(part["size"].unique())
        scores = np.stack([table[method][sizes].to_numpy() for method in summary.methods])
        first, share = scores[0], results.test_shares[dataset]
        printed = smallest_good_size(first, sizes, test_share=share).size
        crossfitted = crossfitted_sizes(first, sizes, test_share=share)
        means = [judged_at(scores, sizes, at) for at in (np.full(len(first), printed), crossfitted)]
        for found in (summary.own_size, summary.one_size):
            own = found.scores[found.scores["dataset"] == dataset].set_index("method")["value"]
            means.append(own.reindex(summary.methods).to_numpy())
        for values, mean in zip(differences.values(), means, strict=True):
            values.append(mean[0] - mean[1:].mean())
    return {rule: np.mean(values) for rule, values in differences.items()}


def judged_at(scores, sizes, at):
    """Means (methods,) of scores (methods, K, sizes), each resampling at a size."""
    places = np.searchsorted(sizes, at)
    return scores[:, np.arange(len(at)), places].mean(axis=1)


def rank_tests(name, test):
    """Whether the rank tests of one analysis reject."""
    if test.reason:
        return {}
    found = {f"{name}: Nemenyi": test.pairs["differs"].any()}
    if np.isfinite(test.permutation):
        found[f"{name}: permutations"] = test.permutation <= LEVEL
    else:
        found[f"{name}: Friedman"] = test.pvalue <= LEVEL
        found[f"{name}: Iman-Davenport"] = test.f_pvalue <= LEVEL
    if "wilcoxon" in test.pairs:
        found[f"{name}: Wilcoxon-Holm"] = (test.pairs["wilcoxon"] <= LEVEL).any()
    return found


def too_often(shares, level=LEVEL):
    """Whether shares of rejected tests, one a study, are above the level by more than chance."""
    if set(shares) <= {0.0, 1.0}:
        return stats.binom.sf(sum(shares) - 1, len(shares), level) < 0.001
    error = np.std(shares, ddof=1) / np.sqrt(len(shares))
    return np.mean(shares) > level + stats.t.isf(0.001, len(shares) - 1) * error


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--resamplings", type=int, default=20, help="splits of each table")
    parser.add_argument("--drawn", type=int, default=400, help="drawn studies of each shape")
    parser.add_argument("--shapes", type=int, nargs="+", help="places of some of the shapes only")
    add_results_option(parser)
    parser.add_argument("--stores", help="folder of the stores, to go on from; default: none stays")
    options = parser.parse_args()
    warnings.simplefilter("error")
    parts, gains = ({}, {}), []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.stores or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(options.studies):
            store = folder / f"{number}.sqlite"
            kept = store.exists() and not Results(store).status()["missing"]
            asked = (options.seed, number, options.resamplings, folder)
            results = Results(store) if kept else noise_study(*asked)
            for all_shares, shares in zip(parts, compared(results), strict=True):
                for name, share in shares.items():
                    all_shares.setdefault(name, []).append(float(share))
            gains.append(advantages(results))
    faults = table_of_sentences(options)
    for title, rates in zip(("first part", "as printed in paul2015"), parts, strict=True):
        print(f"{title}, share of tests with p <= {LEVEL} (number of studies)")
        for name, shares in rates.items():
            wrong = title == "first part" and bool(too_often(shares))
            faults += [name] if wrong else []
            print(f"  {np.mean(shares):6.3f} ({len(shares)})  {name}{'  TOO OFTEN' * wrong}")
    if gains:
        print("mean score of the first method minus the others', by the rule that chose the size")
        for rule, row in pd.DataFrame(gains).agg(["mean", "sem"]).T.iterrows():
            print(f"  {row['mean']:+.4f} (standard error {row['sem']:.4f})  {rule}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
