"""Draw rankings, search paths and studies."""

from hetsel.report.figures.ranking_figure import plot_ranking
from hetsel.report.figures.search_path_figure import plot_path
from hetsel.report.pages.study_page import save_figures

__all__ = [
    "plot_path",
    "plot_ranking",
    "save_figures",
]
