"""Criteria whose time grows with the square of the rows, on a sample of them."""

from typing import Any

from hetsel.ground.parameters import whole_number
from hetsel.resampling.content_samples import content_sample, rows_taken
from hetsel.search.criteria.criterion import Ensemble
from hetsel.selection import Problem


def sampled(problem: Problem, sample: int | None, folds: int = 1) -> Problem:
    """The rows that a criterion looks at, see :mod:`hetsel.resampling.content_samples`.

    Parameters
    ----------
    problem : Problem
    sample : int or None
        Number of rows at most, or a few more where classes are rare; None takes all.
    folds : int
        Number of rows of a class below which its share does not fall.

    Raises
    ------
    TableError
        A number below 2.
    """
    if sample is not None:
        sample = whole_number("sample", sample, 2)
    return content_sample(problem, sample, folds)


def rows_seen(criterion: Any, problem: Problem) -> tuple[int, ...]:
    """Number of rows at which a criterion, or each member of an ensemble, looks.

    Examples
    --------
    >>> import numpy as np
    >>> from hetsel import Problem, Table
    >>> from hetsel.search.criteria.criteria_by_name import criterion_of
    >>> from hetsel.tables.target import Classes
    >>> problem = Problem(Table.read(np.eye(60)), Classes.of([0, 1, 1] * 20), ())
    >>> rows_seen(criterion_of("5nn", {"sample": 25}), problem)
    (26,)
    >>> rows_seen(criterion_of("ridge,5nn", {}), problem)
    (60, 60)
    """
    if isinstance(criterion, Ensemble):
        return sum((rows_seen(member, problem) for member in criterion.members), ())
    sample = getattr(criterion, "sample", None)
    if not isinstance(sample, int):
        return (problem.n,)
    return (sum(rows_taken(problem.target, sample, getattr(criterion, "folds", 1))),)
