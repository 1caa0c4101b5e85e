"""The tables of a paper: data sets by methods with standard errors, mean ranks below."""

from collections.abc import Callable

import numpy as np

from hetsel.ground.rounding import reaches
from hetsel.report.elements.blocks import Italic, PrintedTable, bold
from hetsel.study.comparison import baselines, rank_tests
from hetsel.study.comparison.ranked_summary import CLOCKS
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables import measured_methods
from hetsel.study.summary_tables.measured_methods import MeasuredMethods
from hetsel.words.phrases import number, p_number

CORRECTED = (
    "± is the corrected standard error of Nadeau and Bengio (2003), which allows for overlapping "
    "training sets."
)
OF_STABILITY = (
    "± is the asymptotic standard error of Nogueira et al. (2018), which treats resamplings as "
    "independent; there is none if fewer than 3 signatures differ from the most frequent one. "
    "Pairs are not tested."
)


def paper_tables(summary: Summary) -> list[PrintedTable]:
    """Build the tables of performance, stability and seconds."""
    sizes = _sizes(summary)
    judge = f"The judge is the {summary.judge} {summary.classifier}."
    score = summary.performance
    return [
        _paper_table(
            "performance",
            f"Mean {score.phrase} over the resamplings, {sizes}.",
            f"{judge} {CORRECTED}",
            measured_methods.measured_performance(summary),
            score.text,
            bool(summary.treatments),
        ),
        _paper_table(
            "stability",
            f"{rank_tests.KI.quality} ({rank_tests.KI.name}) of the selection, {sizes}.",
            OF_STABILITY,
            measured_methods.measured_stability(summary),
            rank_tests.KI.text,
            bool(summary.treatments),
        ),
        *(
            _paper_table(
                clock.label.lower().replace(" ", "-"),
                f"Mean {clock.label} of one selection over the resamplings, without the judge.",
                CORRECTED,
                measured_methods.measured_seconds(summary, clock),
                seconds_in_cells,
                bool(summary.treatments),
            )
            for clock in CLOCKS
        ),
    ]


def seconds_in_cells(value: float) -> str:
    """Write seconds with three digits.

    Examples
    --------
    >>> seconds_in_cells(0.01234), seconds_in_cells(1), seconds_in_cells(1234.5)
    ('0.0123', '1.00', '1,234')
    """
    return f"{value:,.0f}" if value >= 999.5 else f"{value:#.3g}".rstrip(".")


def _sizes(summary: Summary) -> str:
    if measured_methods.has_own_sizes(summary):
        return (
            "each method at its own cross-fitted size (one half of the resamplings chooses the "
            "size, the other half is scored)"
        )
    return f"at the size that {summary.reference} chooses"


def _paper_table(
    key: str,
    caption: str,
    note: str,
    measured: MeasuredMethods,
    show: Callable[[float], str],
    treatments: bool,
) -> PrintedTable:
    """Build one table: the best mean of a row in bold, those not shown to be worse in italics."""
    test, below = measured.ranks, 0
    rows = [
        [str(name), *(_cell(measured, (row, column), show) for column in range(len(test.names)))]
        for row, name in enumerate(measured.means.index)
    ]
    words = [note, "Bold: best mean of each data set."]
    if measured.tested:
        words.append(
            "Italics: not shown to be worse than the best (paired t-tests over the resamplings "
            "with the parted-pairs correction, two-sided, level "
            f"{rank_tests.LEVEL:g}, Holm's adjustment over all pairs of the row; they need "
            f"{baselines.FEWEST} resamplings)."
        )
    if test.reason:
        words.append(f"There is no rank test because {test.reason}.")
    else:
        rank_rows = _rank_rows(test)
        rows, below = rows + rank_rows, len(rank_rows)
        name = "Skillings and Mack's" if test.gaps else "Friedman's"
        words.append(f"p: {name} test of the ranks with permutations within data sets.")
        if treatments:
            words.append("Treatments are not independent and not ranked.")
    head = ["data set", *test.names]
    return PrintedTable(key, caption, head, rows, " ".join(words), below=below)


def _rank_rows(test: rank_tests.RankTest) -> list[list[str]]:
    means = np.array(test.mean_ranks)
    best = reaches(-means, -float(means.min()))
    ranks = [bold(number(r, 2), bool(b)) for r, b in zip(means, best, strict=True)]
    blanks = [""] * (len(ranks) - 1)
    return [["mean rank", *ranks], ["p", p_number(test.permutation), *blanks]]


def _cell(measured: MeasuredMethods, place: tuple[int, int], show: Callable[[float], str]) -> str:
    """Write a mean with its standard error; `place` is the number of its row and column."""
    parts = (measured.means, measured.errors)
    mean, error = (float(part.to_numpy(np.float64)[place]) for part in parts)
    if not np.isfinite(mean):
        return "–"
    text = f"{show(mean)} ± {show(error)}" if np.isfinite(error) else show(mean)
    if measured.not_worse.to_numpy(bool)[place]:
        return Italic(text)
    return bold(text, bool(measured.best.to_numpy(bool)[place]))
