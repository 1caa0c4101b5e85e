"""Selection with any ranking at a wanted false discovery rate, by comparison with knockoffs.

The method ranks the columns and their knockoffs together. What it gives to a feature beyond what it
gives to its knockoff speaks for the feature, and how often knockoffs win says how many features win
by chance. A false discovery is a null feature: one that the target does not depend on once all
others are known. (p-values by permuted labels are about each feature by itself, see
:mod:`hetsel.judging.permuted_importances`.) W_j is large where feature j tells more than its
knockoff, and its sign is a fair coin where j is null; FDR is the expected share of null features
among the selected ones, 0 where none is selected.

The proof asks for knockoffs drawn with the true distribution of the table; here it is fitted
(:mod:`hetsel.judging.knockoffs.construction`) and compared with the table
(:mod:`hetsel.judging.knockoffs.check`). It also asks for independent rows.
"""

from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from hetsel.ground import Fix, TableError, between_0_and_1, counted, shown, whole_number
from hetsel.judging.knockoffs.check import KnockoffCheck, compare_with_knockoffs
from hetsel.judging.knockoffs.construction import KnockoffModel
from hetsel.judging.permuted_importances import compared_statistic
from hetsel.pitfalls.cautions_on_rows import refuse_copies
from hetsel.resampling.row_parts import in_canonical_order
from hetsel.selection import BaseSelector, Problem
from hetsel.selection.column_choices import refuse_asked
from hetsel.statistics.doors.score_tables import floats_of, list_cells
from hetsel.tables import Schema, Table, read_features, refuse_constant, refuse_other_rows, rescaled
from hetsel.tables.target import Classes

STREAM = 10  # of the seeds: knockoffs of their own
ROUNDING = 1e-9  # an e-value that misses its bound by less, relatively, reaches it


@dataclass(frozen=True, eq=False)
class KnockoffSelection:
    """What wins against its knockoff, by how much, and what is selected for it.

    Parameters
    ----------
    names : tuple of str
        Of the features.
    W : ndarray of shape (repeats, p)
        Larger than 0 where the feature wins against its knockoff.
    fdr, run_fdr : float
        The false discovery rate that was asked for, and that which the threshold of each repeat is
        taken for; the same where there is one repeat.
    by_rank : bool
        Whether ranks were compared, of an elimination, whose importances do not compare.
    check : KnockoffCheck or None
        What the knockoffs lose of the dependence of the columns; None where that was not asked for.
    """

    names: tuple[str, ...]
    W: np.ndarray
    fdr: float
    run_fdr: float
    by_rank: bool
    check: KnockoffCheck | None = None

    @property
    def repeats(self) -> int:
        """How often knockoffs were drawn."""
        return len(self.W)

    @property
    def thresholds(self) -> np.ndarray:
        """Threshold (repeats,) of W in each repeat; infinity where it selects nothing."""
        return np.array([knockoff_threshold(row, self.run_fdr) for row in self.W])

    @property
    def evalues(self) -> np.ndarray:
        """Mean e-value (p,) of each feature over the repeats."""
        each = [knockoff_evalues(row, self.run_fdr) for row in self.W]
        return np.asarray(np.mean(each, axis=0))

    @property
    def selected(self) -> np.ndarray:
        """Indices of the selected features, the largest e-value first, then the largest mean W."""
        chosen = e_benjamini_hochberg(self.evalues, self.fdr)
        order = self._order()
        return order[chosen[order]]

    def _order(self) -> np.ndarray:
        return np.lexsort((-self.W.mean(axis=0), -self.evalues))

    def frame(self) -> pd.DataFrame:
        """One row a feature, best first: `feature`, `W` (the mean), `evalue`, `selected`."""
        order = self._order()
        content = {
            "feature": [self.names[j] for j in order],
            "W": self.W.mean(axis=0)[order],
            "evalue": self.evalues[order],
            "selected": np.isin(order, self.selected),
        }
        return pd.DataFrame(content)

    def __str__(self) -> str:
        selected = self.selected
        names = ", ".join(shown(self.names[j]) for j in selected)
        text = (
            f"{names or 'no feature'}: {len(selected)} of {len(self.names)} features selected at a "
            f"false discovery rate of {self.fdr:g}, {counted(self.repeats, 'draw')} of knockoffs"
        )
        if self.check is None or not self.check.passed:
            text += "; the knockoffs were not checked, so the rate is not controlled"
        fewest = fewest_discoveries(self.run_fdr)
        if len(selected):
            return text
        return f"{text}; {fewest} or more must win against their knockoffs for any to be selected"


def knockoff_selection(
    selector: BaseSelector,
    X: Any,
    y: Any,
    *,
    fdr: float = 0.2,
    repeats: int = 1,
    run_fdr: float | None = None,
    check: bool = True,
) -> KnockoffSelection:
    """Select features at a false discovery rate, by their comparison with knockoffs.

    W_j = importance of feature j - importance of its knockoff; of an elimination, whose importances
    do not compare, the better of the two ranks, counted from the end, with the sign of the winner.
    Each pair is put in a drawn order before the method sees the table, so ties and places favor
    none. One draw of knockoffs: knockoff+. Several: the mean of the e-values of the draws and
    Benjamini-Hochberg for e-values, which keeps the rate and depends less on the draw.

    Several draws find much less where few features tell: of 30 columns, 8 of which told, one draw
    found a share of 0.61, six draws 0.08 to 0.34 with a `run_fdr` of 0.1 to 0.2; of 13 that told,
    0.78, and 0.00 to 0.22 (l1-logistic, 250 rows, 11 and 10 tables). So one draw is the default.

    The rate is proved for knockoffs of a known distribution. Here it is fitted, and a table whose
    knockoffs do not go together as its columns do is refused with the reason
    (:func:`hetsel.knockoff_check`, which says what it cannot see; decision 044), whatever the
    `random_state`. How near the rate is kept, and in which designs, is told in
    vignettes/what-it-claims.Rmd. Outside of these, above all where columns depend on each other in
    threes only and where rows are copies, nothing is promised. Methods that look at each feature by
    itself find little where columns go together.

    Parameters
    ----------
    selector : BaseSelector
        Any method that ranks all features; it is not fitted, and stays as it is. Its random_state
        draws the knockoffs. With missing="separate", columns of numbers must be complete.
    X, y : see :meth:`hetsel.selection.BaseSelector.fit`
    fdr : float
        The wanted rate. Nothing or 1/fdr features are selected at least: 5 at 0.2, 10 at 0.1.
    repeats : int
        Draws of knockoffs; the method is run once on each, with twice the columns.
    run_fdr : float, optional
        Rate of the threshold of each draw, where there are several; the result has the wanted rate
        whatever it is. None takes half of `fdr`, as the authors do: then 2/fdr features must win.
    check : bool
        Whether a table is refused whose knockoffs do not go together as its columns do. With False
        there is no check, and no control of the rate either.

    Raises
    ------
    TableError
        A table, target or option that cannot be used, such as one with equal or nearly equal rows,
        see :func:`hetsel.cautions`; a method that does not rank all features; a rate out of range;
        a table whose knockoffs do not go together as its columns do.

    References
    ----------
    Candes, Fan, Janson & Lv (2018) Journal of the Royal Statistical Society B 80, 551-577; Barber &
    Candes (2015) The Annals of Statistics 43, 2055-2085, Definition 2; Ren & Barber (2024) Journal
    of the Royal Statistical Society B 86, 122-154 (several draws).

    Examples
    --------
    >>> from hetsel import get_method
    >>> draw = np.random.default_rng(1)
    >>> x, y = draw.normal(size=(200, 20)), np.arange(200) % 2
    >>> x[:, :6] += 1.5 * y[:, None]
    >>> found = knockoff_selection(get_method("anova-f")(), x, y)
    >>> [found.names[j] for j in found.selected]
    ['x5', 'x2', 'x4', 'x0', 'x3', 'x1', 'x8']
    """
    between_0_and_1("fdr", fdr)
    repeats = whole_number("repeats", repeats, 1)
    if run_fdr is not None:
        between_0_and_1("run_fdr", run_fdr)
    refuse_asked(selector, "knockoffs")
    method = clone(selector)
    refuse_other_rows(X, y=y)
    table = read_features(method, X, reset=True)
    refuse_constant(table.resolve_missing(method.missing))
    target = Classes.of(y, table.shape[0])
    one_by_one = "knockoffs need rows that are drawn one by one, keep one of each"
    refuse_copies(table, target, instead=one_by_one)
    seed = check_random_state(selector.random_state).randint(2**31 - 1)
    problem = in_canonical_order(Problem(table, target, (), seed), method.missing, method.scale)
    complete = problem.table.resolve_missing(method.missing)
    columns = complete.canonical_order()
    problem = replace(problem, table=complete.take(columns=columns))
    model = KnockoffModel(problem.table)
    comparison = compare_with_knockoffs(model) if check else None
    if comparison is not None and not comparison.passed:
        raise TableError(
            f"{comparison}. So the false discovery rate would not be controlled: drop such "
            "columns, or take permuted_ranking, which asks each feature by itself",
            Fix("check", False, "goes on without control of the rate"),
        )
    compared = [
        _compared(method, problem, model, np.random.default_rng(source))
        for source in np.random.SeedSequence(seed, spawn_key=(STREAM,)).spawn(repeats)
    ]
    W = np.empty((repeats, len(columns)))
    W[:, columns] = [values for values, _ in compared]
    draw_fdr = fdr if repeats == 1 else fdr / 2 if run_fdr is None else run_fdr
    return KnockoffSelection(tuple(table.names), W, fdr, draw_fdr, compared[0][1], comparison)


def _compared(
    method: BaseSelector, problem: Problem, model: KnockoffModel, rng: np.random.Generator
) -> tuple[np.ndarray, bool]:
    """W (p,) of one draw of knockoffs, and whether ranks were compared."""
    table, p = problem.table, problem.p
    copy = model.draw(rng)
    swapped = rng.random(p) < 0.5
    first = np.where(swapped, copy.values, table.values)
    second = np.where(swapped, table.values, copy.values)
    both = Table(np.hstack([first, second]), _doubled(table.schema))
    statistic, by_rank = compared_statistic(
        method, replace(problem, table=rescaled(both, method.scale))
    )
    if by_rank:
        place = 2 * p + 1 + statistic  # 2p is best
        won = np.maximum(place[:p], place[p:]) * np.sign(place[:p] - place[p:])
    else:
        won = statistic[:p] - statistic[p:]
    won = np.where(swapped, -won, won)
    won[(copy.values == table.values).all(axis=0)] = 0.0  # nothing to compare
    return won, by_rank


def _doubled(schema: Schema) -> Schema:
    """The columns, and once more under names that are not taken."""
    mark = "~"
    while {f"{name}{mark}" for name in schema.names} & set(schema.names):
        mark += "~"
    again = (column._replace(name=f"{column.name}{mark}") for column in schema.columns)
    return Schema((*schema.columns, *again))


def knockoff_threshold(W: ArrayLike, fdr: float = 0.2) -> float:
    """The threshold of knockoff+: features with W_j at or above it are selected.

    T = min{t > 0 among the |W_j| : (1 + #{W_j <= -t}) / max(1, #{W_j >= t}) <= fdr}

    R's `knockoff` 0.3.6 tries t = 0, too, where a feature with W_j = 0 could be selected.

    Parameters
    ----------
    W : array-like of shape (p,)
    fdr : float
        Above 0, below 1.

    Returns
    -------
    float
        Infinity where nothing is selected, as always where fewer than 1/fdr of the W_j are above 0.

    Raises
    ------
    TableError
        An fdr out of range; W that are no numbers.

    References
    ----------
    Barber & Candes (2015) The Annals of Statistics 43, 2055-2085, Definition 2 and Theorem 2.

    Examples
    --------
    >>> knockoff_threshold([5, 4, -0.5, 3, 2.5, 2, 0.1])
    2.0
    >>> knockoff_threshold([5, 4, -0.5, 3, 2.5, 0.1])
    inf
    """
    between_0_and_1("fdr", fdr)
    values = _numbers("W", W)
    for t in np.unique(np.abs(values[values != 0])):
        if (1 + (values <= -t).sum()) / max(1, (values >= t).sum()) <= fdr:
            return float(t)
    return float("inf")


def knockoff_evalues(W: ArrayLike, fdr: float = 0.2) -> NDArray[np.float64]:
    """An e-value of each feature: the mean of those of the null features is 1 at most.

    e_j = p 1{W_j >= T} / (1 + #{W_k <= -T}), T as :func:`knockoff_threshold` has it; 0 for all
    where T is infinite.

    Parameters
    ----------
    W, fdr : see :func:`hetsel.knockoff_threshold`; the mean is bounded whatever fdr is

    Returns
    -------
    ndarray of shape (p,)

    References
    ----------
    Ren & Barber (2024) Journal of the Royal Statistical Society B 86, 122-154.

    Examples
    --------
    >>> knockoff_evalues([5, 4, -0.5, 3, 2.5, 2, 0.1])
    array([7., 7., 0., 7., 7., 7., 0.])
    """
    values, threshold = _numbers("W", W), knockoff_threshold(W, fdr)
    return len(values) * (values >= threshold) / (1.0 + (values <= -threshold).sum())


def e_benjamini_hochberg(evalues: ArrayLike, fdr: float = 0.2) -> NDArray[np.bool_]:
    """Which hypotheses e-values reject at a false discovery rate, however the e-values depend.

    The k largest, for the largest k whose k-th largest e-value is p / (k fdr) or more. It keeps the
    rate where the sum of the e-values of the null hypotheses has a mean of p at most, so also for
    means of several e-values of each.

    Parameters
    ----------
    evalues : array-like of shape (p,)
        0 or larger.
    fdr : float

    Returns
    -------
    ndarray of bool, shape (p,)

    Raises
    ------
    TableError
        An fdr out of range; e-values below 0 or that are no numbers.

    References
    ----------
    Wang & Ramdas (2022) Journal of the Royal Statistical Society B 84, 822-852; Ren & Barber (2024)
    the same B 86, 122-154, for the condition on the sum.

    Examples
    --------
    >>> e_benjamini_hochberg([20.0, 0.0, 9.0, 3.0])
    array([ True, False, False, False])
    >>> e_benjamini_hochberg([20.0, 0.0, 10.0, 3.0])
    array([ True, False,  True, False])
    """
    between_0_and_1("fdr", fdr)
    values = _numbers("evalues", evalues)
    if (values < 0).any():
        raise TableError(f"evalues must be 0 or larger. Got {values[values < 0][0]:g}.")
    p = len(values)
    largest = np.sort(values)[::-1]
    enough = largest * fdr * np.arange(1, p + 1) >= p * (1 - ROUNDING)
    if not enough.any():
        return np.zeros(p, dtype=bool)
    return np.asarray(values >= largest[np.flatnonzero(enough)[-1]])


def fewest_discoveries(fdr: float) -> int:
    """The fewest features that knockoff+ selects where it selects any: 1/fdr, rounded up."""
    between_0_and_1("fdr", fdr)
    return ceil(1 / fdr - ROUNDING)


def _numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    array, _ = floats_of(list_cells(values, name))
    if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise TableError(f"{name} must be one finite number for each feature. Got {values!r:.80}")
    return array
