"""Compute tables and sentences of somol2011.md from somol2011.jsonl.

    python vignettes/somol2011_tables.py [--into vignettes/somol2011.md]

A block of the page is between <!-- NAME --> and <!-- /NAME -->. --into replaces all blocks.
"""

from __future__ import annotations

import argparse
import re
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from hetsel.stability import ati, cw_rel
from hetsel.stats import resampled_interval

RESULTS = Path(__file__).with_name("somol2011.jsonl")
FOLDS = 10  # of a seed in tables 3 and 4
SEARCHES = {
    "sffs": "floating search",
    "dos": "dynamic oscillating search",
    "os": "oscillating search",
}
MACHINES = {"3nn": "3-NN", "svm": "Gaussian machine"}
VOTES = ("order", "weighted")
# tables 3 and 4 of the paper: accuracies, CWrel and ATI of 3-NN alone, votes by order, weighted
# votes; minutes of 3-NN alone and of votes by order
PAPER = {
    "dermatology": (".970 .978 .978", ".597 .534 .658", ".510 .486 .573", 3, 16),
    "house": (".707 .689 .716", ".456 .497 .459", ".478 .509 .495", 1, 5),
    "ionosphere": (".871 .882 .897", ".303 .441 .393", ".216 .325 .345", 2, 6),
    "mammo": (".821 .846 .813", ".497 .519 .542", ".343 .420 .390", 0.5, 80 / 60),
    "optdigits": (".987 .987 .988", ".412 .490 .569", ".297 .362 .423", 2, 6),
    "satimage": (".854 .856 .856", ".347 .357 .448", ".392 .399 .456", 1980, 6960),
    "segment": (".953 .959 .959", ".610 .625 .644", ".550 .601 .610", 35, 120),
    "sonar": (".651 .676 .614", ".327 .350 .301", ".260 .260 .224", 7, 16),
    "spectf": (".719 .780 .787", ".174 .255 .285", ".157 .237 .229", 4, 15),
    "waveform": (".814 .817 .814", ".680 .753 .727", ".657 .709 .700", 3720, 10200),
    "wdbc": (".965 .967 .967", ".327 .360 .352", ".345 .375 .346", 12, 41),
    "wine": (".966 .960 .960", ".568 .575 .567", ".594 .606 .606", 0.25, 0.9),
    "wpbc": (".727 .727 .686", ".168 .189 .211", ".211 .188 .192", 2, 5),
    "xpxinsar": (".895 .894 .895", ".618 .630 .595", ".489 .495 .475", 300, 1260),
}


def results(*tables: str) -> pd.DataFrame:
    """Return all lines of some tables."""
    lines = pd.read_json(RESULTS, lines=True, dtype=False)
    return lines[lines["table"].astype(str).isin(tables)].dropna(axis=1, how="all")


def markdown(names: list[str], rows: list[list[str]]) -> str:
    """Format a Markdown table."""
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def interval(differences: np.ndarray, test_share: float) -> str:
    """Format the 95% CI of a mean of paired differences of resamplings with common rows."""
    if len(differences) < 2:
        return ""
    found = resampled_interval(differences, test_share=test_share)
    return f"{found.low:+.3f} to {found.high:+.3f}"


def directions(differences: np.ndarray, unit: str) -> str:
    """Count the differences above 0, at 0 and below."""
    up, same, down = [int((np.sign(np.round(differences, 9)) == sign).sum()) for sign in (1, 0, -1)]
    return f"higher in {up}, equal in {same}, lower in {down} of {len(differences)} {unit}"


def resamplings(n: int) -> str:
    """Count resamplings in words."""
    return f"{n} resampling" if n == 1 else f"{n} resamplings"


# ---- subsets treated as equal ----


def searches_of_ties() -> list[tuple[str, str, str, pd.DataFrame]]:
    """Return data set, search, classifier and lines of each search of tables 1 and 2."""
    frame = results("1", "2")
    return [(*key, part) for key, part in frame.groupby(["data", "search", "classifier"])]


def away_from_zero(part: pd.DataFrame, tau: float) -> np.ndarray:
    """Return the outer accuracy at tau minus that at tau = 0, for each resampling."""
    by_split = part.pivot(index="split", columns="tau", values="outer").sort_index()
    return (by_split[tau] - by_split[0.0]).to_numpy()


def tables_of_ties() -> str:
    """Tabulate, for each search, the mean over the resamplings at each tau."""
    names = ["tau", "size", "inner", "outer", "outer minus outer at tau = 0", "95% CI"]
    names += ["lower, higher", "size, looking back", "outer, looking back"]
    texts = []
    for data, search, machine, part in searches_of_ties():
        rows = []
        for tau, lines in part.groupby("tau"):
            away = away_from_zero(part, tau)
            means = lines[["size", "inner", "outer", "back_size", "back_outer"]].mean()
            rows.append(
                [
                    f"{tau:g}",
                    f"{means['size']:.1f}",
                    f"{means['inner']:.3f}",
                    f"{means['outer']:.3f}",
                    f"{away.mean():+.3f}",
                    interval(away, 0.5) if tau else "",
                    f"{(away < 0).sum()}, {(away > 0).sum()}",
                    f"{means['back_size']:.1f}",
                    f"{means['back_outer']:.3f}",
                ]
            )
        n = part["split"].nunique()
        title = f"**{data}**, {SEARCHES[search]}, {MACHINES[machine]}, {resamplings(n)}"
        texts.append(f"{title}\n\n{markdown(names, rows)}")
    return "\n\n".join(texts)


def cost_of_ties() -> str:
    """Tabulate outer accuracy at each tau minus that at 0, over all searches of a data set."""
    names = ["data", "tau", "resamplings", "lower", "equal", "higher", "mean"]
    rows = []
    all_searches = searches_of_ties()
    for data in sorted({data for data, *_ in all_searches}):
        parts = [part for name, *_, part in all_searches if name == data]
        for tau in sorted(parts[0]["tau"].unique())[1:]:
            each = [away_from_zero(part, tau) for part in parts]
            away, means = np.concatenate(each), [one.mean() for one in each]
            counts = [len(away), (away < 0).sum(), (away == 0).sum(), (away > 0).sum()]
            rows.append([data, f"{tau:g}", *counts, f"{away.mean():+.3f}"])
            rows[-1] += [f"{min(means):+.3f}", f"{max(means):+.3f}"]
    return markdown([*names, "smallest", "largest"], rows)


def sentences_of_ties() -> str:
    """Summarize the tables of ties in counts."""
    halved, significant, forgets, total = [], [], [], 0
    away: dict[str, list[np.ndarray]] = {}
    for data, search, machine, part in searches_of_ties():
        name = f"{data} ({SEARCHES[search]}, {MACHINES[machine]})"
        sizes = part.groupby("tau")["size"].mean()
        if sizes[0.02] < sizes[0.0] / 2:
            halved.append(name)
        if (np.diff(sizes.to_numpy()) > 1e-9).any():
            forgets.append(name)
        assert (np.diff(part.groupby("tau")["back_size"].mean()) < 1e-9).all()
        away.setdefault(data, []).append(away_from_zero(part, 0.05))
        for tau in sizes.index[1:]:
            differences = away_from_zero(part, tau)
            if len(differences) < 2 or not differences.any():
                continue
            total += 1
            found = resampled_interval(differences, test_share=0.5)
            if not found.low <= 0 <= found.high:
                significant.append(f"{name} at {tau:g}, {differences.mean():+.3f}")
    lines = [
        f"- **Subsets become smaller.** At tau = 0.02 they have less than half of the features in "
        f"{len(halved)} of {len(searches_of_ties())} searches: {'; '.join(halved) or 'none'}."
    ]
    for data, parts in away.items():
        one = np.concatenate(parts)
        lines.append(
            f"- Outer accuracy on {data} at tau = 0.05 against tau = 0: "
            f"{directions(one, 'resamplings')}, on average {one.mean():+.3f}."
        )
    lines.append(
        f"- Of the 95% CIs of {total} differences, each of a search at a tau, {len(significant)} "
        f"{'excludes' if len(significant) == 1 else 'exclude'} 0: "
        f"{'; '.join(significant) or 'none'}."
    )
    lines.append(
        "- **The printed rule forgets subsets.** It considers each subset only once, when it is "
        "evaluated. A new largest value may move the selected subset out of the reach of tau. The "
        "rule does not return to earlier, smaller subsets within reach. A larger tau can therefore "
        f"give a larger subset. This happens in {len(forgets)} searches, on average over the "
        f"resamplings: {'; '.join(forgets) or 'none'}. `hetsel.nearly_best` looks back at all "
        "evaluated subsets, and its sizes never grow with tau."
    )
    return "\n".join(lines)


# ---- votes ----


def complete_votes() -> pd.DataFrame:
    """Return the lines of table 3 of the seeds that have ten folds for each voting."""
    frame = results("3")
    frame = frame.assign(seed=frame["split"] // FOLDS)
    return frame.groupby(["data", "seed"]).filter(lambda part: len(part) == 3 * FOLDS)


def away_from_single(part: pd.DataFrame, voting: str) -> np.ndarray:
    """Return the outer accuracy of a vote minus that of 3-NN alone, for each fold."""
    by_split = part.pivot(index="split", columns="voting", values="outer").sort_index()
    return (by_split[voting] - by_split["single"]).to_numpy()


def by_seed() -> pd.DataFrame:
    """Return accuracy and ATI of each vote minus those of 3-NN alone, by data set and seed."""
    rows = []
    for (data, seed), part in complete_votes().groupby(["data", "seed"]):
        p = int(part["columns"].iloc[0])
        chosen = {v: lines["chosen"].tolist() for v, lines in part.groupby("voting")}
        for voting in VOTES:
            stable = ati(chosen[voting], p) - ati(chosen["single"], p)
            rows.append((voting, seed, data, away_from_single(part, voting).mean(), stable))
    return pd.DataFrame(rows, columns=["voting", "seed", "data", "rate", "ati"])


def table_of_votes() -> str:
    """Tabulate 3-NN alone, votes by order and weighted votes over all seeds."""
    names = ["data", "seeds", "voting", "accuracy", "minus that of single", "95% CI"]
    names += ["for each seed", "size", "CWrel", "ATI", "evaluations", "s"]
    rows = []
    for data, part in complete_votes().groupby("data"):
        p = int(part["columns"].iloc[0])
        for voting in ("single", *VOTES):
            lines = part[part["voting"] == voting].sort_values("split")
            away = away_from_single(part, voting)
            seeds = len(away) // FOLDS
            subsets = [one["chosen"].tolist() for _, one in lines.groupby("seed")]
            each = ", ".join(f"{x:+.3f}" for x in away.reshape(seeds, FOLDS).mean(axis=1))
            change = [f"{away.mean():+.3f}", interval(away, 1 / FOLDS), each]
            rows.append(
                [
                    *(data, seeds, voting, f"{lines['outer'].mean():.3f}"),
                    *([""] * 3 if voting == "single" else change),
                    f"{lines['size'].mean():.1f}",
                    f"{np.mean([cw_rel(one, p) for one in subsets]):.3f}",
                    f"{np.mean([ati(one, p) for one in subsets]):.3f}",
                    f"{lines['evaluations'].mean():.0f}",
                    f"{lines['seconds'].mean():.2g}",
                ]
            )
    return markdown(names, rows)


def votes_over_data() -> str:
    """Compare votes with 3-NN alone over the data sets, for each seed and their mean."""
    frame, rows = by_seed(), []
    means = frame.groupby(["voting", "data"]).mean(numeric_only=True).reset_index()
    for seed, part in [*frame.groupby("seed"), ("mean of all", means)]:
        for voting in VOTES:
            lines, row = part[part["voting"] == voting], [voting, seed]
            for measure in ("rate", "ati"):
                values = lines[measure]
                test = wilcoxon(values, method="exact" if (values != 0).all() else "auto")
                row += [f"{(values > 0).sum()} of {len(values)}", f"{test.pvalue:.2g}"]
            rows.append(row)
    return markdown(["voting", "seed", "accuracy higher", "p", "ATI higher", "p"], rows)


def table_of_the_paper() -> str:
    """Tabulate tables 3 and 4 of the paper."""
    here, rows = set(results("3")["data"]), []
    for data, (*values, alone, votes) in PAPER.items():
        shown = [value.replace(" ", ", ") for value in values]
        rows.append([data, *shown, f"{votes / alone:.1f}", "yes" if data in here else "no"])
    names = ["data", "accuracy: single, order, weighted", "CWrel", "ATI", "time, order / single"]
    return markdown([*names, "here"], rows)


def sentences_of_votes() -> str:
    """Summarize the tables of votes in counts."""
    frame, lines = by_seed(), []
    words = {"order": "votes by order", "weighted": "weighted votes"}
    titles = {"ati": "**Stability (ATI)**", "rate": "**Outer accuracy**"}
    for measure, voting in product(titles, VOTES):
        own = frame[frame["voting"] == voting]
        means = own.groupby("data")[measure].mean()
        low, high = own.loc[own[measure].idxmin()], own.loc[own[measure].idxmax()]
        lines.append(
            f"- {titles[measure]} of {words[voting]} against 3-NN alone. Mean of the seeds: "
            f"{directions(means.to_numpy(), 'data sets')}. By data set and seed: "
            f"{directions(own[measure].to_numpy(), 'pairs')}. The differences range from "
            f"{low[measure]:+.3f} ({low['data']}, seed {low['seed']}) to {high[measure]:+.3f} "
            f"({high['data']}, seed {high['seed']})."
        )
    votes = complete_votes()
    alone = votes[votes["voting"] == "single"].groupby("data")["outer"].mean()
    away = [
        f"{data} ({rate:.3f}, in the paper {PAPER[data][0].split()[0]})"
        for data, rate in alone.items()
        if abs(rate - float(PAPER[data][0].split()[0])) > 0.05
    ]
    lines.append(
        f"- The outer accuracy of 3-NN alone differs by more than 0.05 from the paper on "
        f"{', '.join(away) or 'no data set'}."
    )
    pace = votes.groupby(["data", "voting"])[["seconds", "evaluations"]].sum()
    pace = (pace["seconds"] / pace["evaluations"]).unstack()
    ratio = pace["order"] / pace["single"]
    seconds = votes.groupby(["data", "voting"])["seconds"].sum().unstack()
    whole = (seconds["order"] / seconds["single"]).sort_values()
    printed = np.array([votes / alone for *_, alone, votes in PAPER.values()])
    lines.append(
        f"- **Time.** Votes by order take {whole.min():.1f} to {whole.max():.1f} times as long as "
        f"3-NN alone, with median {whole.median():.1f}. For one evaluation the ratio is "
        f"{ratio.min():.1f} to {ratio.max():.1f}, with median {ratio.median():.1f}, because one "
        f"search for neighbors serves all four. In the paper votes take {printed.min():.1f} to "
        f"{printed.max():.1f} times as long, with median {np.median(printed):.1f}."
    )
    return "\n".join(lines)


# ---- a filter before the classifier ----


def searches_of_hybrids() -> list[tuple[str, str, pd.DataFrame]]:
    """Return data set, search and lines of each search of tables 5 to 7."""
    return [(*key, part) for key, part in results("5").groupby(["data", "search"])]


def away_from_whole(part: pd.DataFrame, share: float) -> np.ndarray:
    """Return the outer accuracy at lambda minus that at lambda = 1, for each resampling."""
    by_split = part.pivot(index="split", columns="share", values="outer").sort_index()
    return (by_split[share] - by_split[1.0]).to_numpy()


def tables_of_hybrids() -> str:
    """Tabulate, for each search, the mean over the resamplings at each lambda."""
    names = ["lambda", "inner", "outer", "size", "s", "outer minus outer at 1", "95% CI"]
    texts = []
    for data, search, part in searches_of_hybrids():
        rows = []
        for share, lines in part.groupby("share"):
            away = away_from_whole(part, share)
            means = lines[["inner", "outer", "size", "seconds"]].mean()
            shown = [f"{share:.1f}", f"{means['inner']:.3f}", f"{means['outer']:.3f}"]
            shown += [f"{means['size']:.1f}", f"{means['seconds']:.2g}", f"{away.mean():+.3f}"]
            rows.append([*shown, interval(away, 0.5) if share < 1 else ""])
        n = part["split"].nunique()
        size = f" for {part['size'].iloc[0]:.0f} features" if search == "os" else ""
        title = f"**{data}**, {SEARCHES[search]}{size}, {resamplings(n)}"
        texts.append(f"{title}\n\n{markdown(names, rows)}")
    return "\n\n".join(texts)


def sentences_of_hybrids() -> str:
    """Summarize the tables of hybrid searches in numbers."""
    lines = []
    for data, search, part in searches_of_hybrids():
        means = part.groupby("share")[["inner", "outer"]].mean()
        near = (means["outer"] - means["outer"][1.0]).abs() <= 0.01
        least = near[::-1].cummin()[::-1].idxmax()  # from here on all are within 0.01
        several = part["split"].nunique() > 1
        found = (
            [resampled_interval(away_from_whole(part, s), test_share=0.5) for s in near.index[:-1]]
            if several
            else []
        )
        apart = sum(not one.low <= 0 <= one.high for one in found)
        lines.append(
            f"- **{data}**, {SEARCHES[search]}. From lambda = 0 to 1 the inner accuracy changes "
            f"from {means['inner'][0.0]:.3f} to {means['inner'][1.0]:.3f} and the outer accuracy "
            f"from {means['outer'][0.0]:.3f} to {means['outer'][1.0]:.3f}. "
            + (
                f"At lambda = {least:.1f} and above the outer accuracy is within 0.01 of that at "
                "1. "
                if least < 1
                else "Only at lambda = 1.0 is the outer accuracy within 0.01 of that at 1. "
            )
            + (
                f"Intervals that exclude 0: {apart} of {len(found)}."
                if several
                else "Intervals need several resamplings."
            )
        )
    return "\n".join(lines)


BLOCKS = {
    "ties": tables_of_ties,
    "cost of ties": cost_of_ties,
    "ties say": sentences_of_ties,
    "votes": table_of_votes,
    "votes over data": votes_over_data,
    "paper on votes": table_of_the_paper,
    "votes say": sentences_of_votes,
    "hybrids": tables_of_hybrids,
    "hybrids say": sentences_of_hybrids,
}


def main() -> None:
    """Print the blocks, or write them into a page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--into", type=Path, help="page whose blocks are replaced")
    page = parser.parse_args().into
    text = "" if page is None else page.read_text(encoding="utf-8")
    for name, block in BLOCKS.items():
        marked = f"<!-- {name} -->\n\n{block()}\n\n<!-- /{name} -->"
        if page is None:
            print(marked, end="\n\n")
            continue
        place = re.compile(f"<!-- {name} -->.*<!-- /{name} -->", re.DOTALL)
        text, found = place.subn(lambda _, marked=marked: marked, text)
        assert found == 1, name
    if page is not None:
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
