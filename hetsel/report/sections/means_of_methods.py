"""The numbers of the figures on the first screen."""

from hetsel.report.elements.blocks import Section, nothing
from hetsel.study.summary_tables import means_over_data_sets

SECTION = Section(
    parts=nothing,  # the first screen draws them
    tables={
        "methods_over_data_sets": means_over_data_sets.means_frame,
        "mean_curves": means_over_data_sets.mean_curves_frame,
    },
)
