"""Performance profiles: how often a method is within a distance of the best one."""

from collections.abc import Iterator

from hetsel.report.elements.blocks import EFFECTS, Part, Picture, Section, part_of
from hetsel.study.comparison.method_effects import profiles_frame
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import count

DRAWN = "own size"  # the analysis of the figure


def profiles(summary: Summary) -> Picture | None:
    """Draw the profiles by performance, each method at its own size."""
    measure = summary.performance
    table = profiles_frame(summary.compared_blocks)
    own = table[(table["measure"] == measure.label) & (table["analysis"] == DRAWN)]
    if own.empty or not own["distance"].any():
        return None  # all methods tie
    from hetsel.report.figures.figure_style import method_lines
    from hetsel.report.figures.profiles import plot_profiles

    lines = method_lines(summary.methods, summary.told)
    figure = plot_profiles(own, lines, f"distance from the best {measure.name}")
    blocks = next(
        one.values.notna().any(axis=1).sum()
        for one in summary.compared_blocks
        if (one.measure, one.analysis) == (measure.label, DRAWN)
    )
    caption = (
        f"Proportion of the {count(int(blocks), 'data set')} on which the {measure.name} of a "
        "method is at most so far below the best of the data set, each method at its own "
        "cross-fitted size (performance profile; Dolan and Moré 2002, with differences). At 0: how "
        "often it is the best."
    )
    at_best = own[own["distance"] == 0].set_index("method")["share"]
    listed = ", ".join(f"{method} {share:.0%}" for method, share in at_best.items())
    return Picture("profiles", caption, f"Performance profile. Best: {listed}", figure)


def _parts(summary: Summary) -> Iterator[Part]:
    yield part_of(*EFFECTS, [profiles(summary)])


SECTION = Section(
    parts=_parts,
    applies=lambda summary: len(summary.methods) > 1 and len(summary.datasets) > 1,
    tables={"profiles": lambda summary: profiles_frame(summary.compared_blocks)},
)
