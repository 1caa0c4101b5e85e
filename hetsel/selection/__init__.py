# ruff: noqa: F401
"""The interface of methods: problems, answers, selectors and descriptions of methods."""

from hetsel.selection.about import EXAMPLE, KINDS, ROWS_FOR_MACHINES, SAMPLE, SEARCHED, About, Cost
from hetsel.selection.answer import Answer, Ranking, SearchPath, Step, order_best_first
from hetsel.selection.base import BaseSelector, UnivariateFilter, WeighingSelector
from hetsel.selection.problem import Problem

# for authors of methods; other code imports from the modules
__all__ = [
    "About",
    "BaseSelector",
    "Cost",
    "Problem",
    "UnivariateFilter",
    "WeighingSelector",
]
