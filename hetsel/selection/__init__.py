# ruff: noqa: F401
"""The contract: a problem, an answer, a selector, and what a method says of itself."""

from hetsel.selection.about import EXAMPLE, KINDS, ROWS_FOR_MACHINES, SAMPLE, SEARCHED, About, Cost
from hetsel.selection.answer import Answer, Ranking, SearchPath, Step, order_best_first
from hetsel.selection.base import BaseSelector, UnivariateFilter, WeighingSelector
from hetsel.selection.problem import Problem

# for who writes a method; others import what they take by its name
__all__ = [
    "About",
    "BaseSelector",
    "Cost",
    "Problem",
    "UnivariateFilter",
    "WeighingSelector",
]
