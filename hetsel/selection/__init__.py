"""The contract: a problem, an answer, a selector, and what a method says of itself."""

from hetsel.selection.about import About
from hetsel.selection.answer import Answer, Ranking, SearchPath, best_first
from hetsel.selection.base import BaseSelector, UnivariateFilter, WeighingSelector
from hetsel.selection.cost import Cost
from hetsel.selection.problem import Problem

__all__ = [
    "About",
    "Answer",
    "BaseSelector",
    "Cost",
    "Problem",
    "Ranking",
    "SearchPath",
    "UnivariateFilter",
    "WeighingSelector",
    "best_first",
]
