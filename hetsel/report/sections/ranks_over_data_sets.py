"""Ranks of methods over data sets and means at their own sizes, with tests of differences."""

from collections.abc import Callable, Iterator

import pandas as pd

from hetsel.ground.rounding import reaches
from hetsel.report.elements import blocks, rank_frames, rank_tables
from hetsel.report.elements.blocks import Part, PrintedTable, Section
from hetsel.study.comparison import crossfitted_scores, study_summary
from hetsel.study.comparison.ranked_summary import RankedSummary
from hetsel.words import comparison_sentences, rank_sentences, study_sentences

EACH_ALONE = "Each of these tests has level 0.05, without adjustment for the other tests."


def paragraphs(summary: RankedSummary) -> list[tuple[str, list[str]]]:
    return [
        (
            f"{measure.quality}, data sets as blocks",
            [rank_sentences.rank_tests(one, measure) for one in summary.analyses(measure)]
            + [EACH_ALONE],
        )
        for measure in summary.measures
    ]


def ranks_frame(summary: RankedSummary) -> pd.DataFrame:
    return rank_frames.frame_of_ranks(summary, summary.analyses)


def pairs_frame(summary: RankedSummary) -> pd.DataFrame:
    return rank_frames.frame_of_pairs(summary, summary.analyses)


def _parts(summary: study_summary.Summary) -> Iterator[Part]:
    tables = [rank_tables.pairs(summary, measure) for measure in summary.measures]
    figures = rank_tables.diagrams(summary, summary.analyses)
    elements = [
        study_sentences.sizes_rule(summary),
        rank_tables.mean_ranks(summary),
        *figures,
        *tables,
    ]
    yield blocks.part_of(*blocks.COMPARISON, elements)


RANKED: dict[str, Callable[[RankedSummary], pd.DataFrame]] = {
    "ranks": ranks_frame,
    "pairs": pairs_frame,
    "tests": lambda summary: rank_frames.frame_of_tests(summary, summary.analyses),
    "groups": lambda summary: rank_frames.frame_of_groups(summary, summary.analyses),
}
SECTION = Section(
    parts=_parts,
    headlines=rank_sentences.ranks_headlines,
    found=rank_sentences.ranks_found,
    paragraphs=paragraphs,
    tables=RANKED,
)


def at_own_size(summary: study_summary.Summary) -> PrintedTable | None:
    """Tabulate cross-fitted means, each method at its own size."""
    found = summary.own_size
    if found.scores.empty:
        return None
    sizes = found.sizes.set_index(["dataset", "method"])
    measure = summary.performance
    rows = []
    for dataset, own in found.scores.groupby("dataset", sort=False):
        cells = dict.fromkeys(summary.methods, "–")
        best = reaches(own["value"].to_numpy(), own["value"].max())
        for (_, row), is_best in zip(own.iterrows(), best, strict=True):
            value, corrected, naive = map(measure.text, row[["value", "corrected", "naive"]])
            size = dict.fromkeys(sizes.loc[(dataset, row["method"]), ["even", "odd"]])
            each = " and ".join(f"{s:.0f}" for s in size)
            shown = f"{value}\ncorrected ± {corrected}\nnaive ± {naive}\nsize {each}"
            cells[row["method"]] = blocks.bold(shown, is_best)
        rows.append([str(dataset), *cells.values()])
    if len(rows) > 1:
        shares = summary.kept_shares
        rows.append(["mean features kept", *(f"{100 * share:.0f}%" for share in shares)])
    note = (
        "Bold: best mean of each data set, which may not differ significantly from the others. "
        "Each ± is half a 95% CI. The corrected interval is that of Nadeau and Bengio (2003). The "
        "naive interval treats resamplings as independent and is too narrow. Of two sizes, the "
        "first applies to even-numbered and the second to odd-numbered resamplings; each was "
        "chosen by the other half."
    )
    caption = f"Mean {measure.phrase}, each method at its own cross-fitted size."
    return PrintedTable("own-size", caption, ["data set", *summary.methods], rows, note)


def crossfitted(summary: study_summary.Summary) -> pd.DataFrame:
    """Return means at cross-fitted sizes by both rules; see `crossfitted_frame`."""
    score = summary.performance
    return crossfitted_scores.crossfitted_frame(
        summary.own_size, summary.one_size, score.key, score.limits
    )


def features_kept(summary: study_summary.Summary) -> pd.DataFrame:
    """Return the mean proportion of the features that each method keeps at its own size."""
    return summary.kept_shares.rename_axis("method").rename("kept").reset_index()


OWN_SIZE = Section(
    parts=lambda summary: [blocks.part_of(*blocks.COMPARISON, [at_own_size(summary)])],
    headlines=lambda summary: [
        comparison_sentences.best_at_own_size(summary, m) for m in summary.measures
    ],
    tables={"crossfitted": crossfitted, "features_kept": features_kept},
)
SINGLE_DATA_SETS = Section(
    parts=blocks.nothing,
    headlines=lambda summary: (
        [] if summary.treatments else [comparison_sentences.single_headline(summary)]
    ),
    found=lambda summary: [comparison_sentences.single_found(summary)],
    tables={"pairs_on_data_sets": lambda summary: summary.own_pairs},
)
