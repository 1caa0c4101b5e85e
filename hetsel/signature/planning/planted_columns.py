"""The chance to find a feature of a given effect: planted columns among those of a table.

What is true: the chance that the signature of m new rows of the population of the table, with one
column more of a known effect, holds that column. The population is not known, so it is drawn:

- z_j = Phi^-1(1 - p_j / 2) is how far column j goes with the target, p_j the p-value of its test
  (one row of each group of rows). What it is worth, a share s_j in [0, 1] of it, is drawn from
  :func:`hetsel.statistics.sample_size.shrunken_effects.drawn_shares`: mostly 0 where nothing but
  chance is seen.
- Rows are drawn with replacement, every class with its share, whole groups of rows where there are
  such. Each keeps its target, and has another row beside it, drawn without regard to the target.
  Column j is that of the row itself with the probability s_j, else of the other one; one uniform
  number decides for all columns of a row (or group). So chance associations of the table are not
  repeated, columns that are alike stay together, and cells are those of the table.

Each draw of shares has about four planted columns at each number of rows. The interval is that of
a beta distribution with the variance between the draws, and that of the share of the repeats: what
the table leaves open, and Monte Carlo.

A planted column x of the rows i with the class y_i, e_i ~ N(0, 1):

- of an effect d, continuous: x_i = d [y_i is the class] + e_i, the class the positive one of two,
  else drawn at each repeat;
- of an effect w, nominal: two levels, the second with the probability 1/2 + (1 - phi) D of the rows
  of the class and 1/2 - phi D of the others, phi the share of the class, D = w / (2 sqrt(phi (1 -
  phi))): Cohen's w, the square root of chi^2 / n, is that of this table;
- of numbers y, of an effect r: x_i = r z_i + sqrt(1 - r^2) e_i with z the standardized numbers: r
  is the correlation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.special import betaincinv, ndtri_exp

from hetsel.ground.errors import TableError
from hetsel.methods.filters.univariate_tests import UnivariateTestsSelector
from hetsel.resampling.folds import units_of
from hetsel.resampling.row_parts import part_of
from hetsel.signature.planning.learning_curve import rows_of_data
from hetsel.signature.procedure import Procedure
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.sample_size.shrunken_effects import drawn_shares
from hetsel.study.rows.data_set import StudyData
from hetsel.tables.column import Column
from hetsel.tables.table import Schema, Table
from hetsel.tables.target import Classes

PLANTED = 13  # stream of the seed
TIMES = (0.5, 1.0, 2.0, 4.0)  # the rows at hand
A_DRAW = 4  # planted columns of one draw of shares
LEVEL = 0.95
FEWEST = 2  # rows or groups of a class in a bootstrap

EffectKind = Literal["continuous", "nominal"]
Say = Callable[[int, int], None]


@dataclass(frozen=True)
class Found:
    """How often a planted column is found among so many rows.

    Parameters
    ----------
    rows : int
    share : RateInterval
        Share of the repeats, with the interval of the chance.
    error : float
        Its Monte Carlo standard error.
    repeats : int
    """

    rows: int
    share: RateInterval
    error: float
    repeats: int


def chance_to_find(
    data: StudyData[Any],
    procedure: Procedure,
    effect: float,
    size: int,
    repeats: int = 40,
    kind: EffectKind = "continuous",
    times: Sequence[float] = TIMES,
    say: Say | None = None,
) -> tuple[Found, ...]:
    """How often the signature of a method holds a planted column, by the number of rows.

    Parameters
    ----------
    data : StudyData
    procedure : Procedure
        Its method and its seed.
    effect : float
        d, w or r, see the top of this module.
    size : int
        Of the signature.
    repeats : int
        Columns that are planted at each number of rows.
    kind : {"continuous", "nominal"}
        Of the column.
    times : sequence of float
        Numbers of rows over those at hand.
    say : callable, optional
        Called with (finished, all) signatures.

    Raises
    ------
    TableError
        An effect that no column can have; a target of survival times; what the method raised.
    """
    refuse_effect(data, effect, kind)
    source = np.random.SeedSequence(procedure.seed, spawn_key=(PLANTED,))
    method = procedure.method.build().set_params(missing=data.missing, scale=data.scale)
    drawing, *streams = source.spawn(1 + len(times))
    draws, rng = max(1, repeats // A_DRAW), np.random.default_rng(drawing)
    shares = drawn_shares(*_strengths(data, rng), draws, rng)
    found, done = [], 0
    for share, stream in zip(times, streams, strict=True):
        hits, counts = np.zeros(repeats), []
        for k, one in enumerate(stream.spawn(repeats)):
            rng = np.random.default_rng(one)
            drawn, unit = _loosened(data, share, shares[k % draws], rng)
            planted = _planted(drawn.target, effect, kind, unit, rng)
            place = int(rng.integers(data.table.shape[1] + 1))
            table = _with_column(drawn.table, planted, kind, place)
            problem = replace(drawn, table=table).problem((size,), int(rng.integers(2**31 - 1)))
            every = np.ones(len(unit), dtype=bool)
            part = part_of(method, replace(problem, proved=False), every)
            hits[k] = place in np.asarray(method.solve(part).signature(size)).tolist()
            counts.append(len(unit))
            done += 1
            if say is not None:
                say(done, repeats * len(times))
        rate = float(hits.mean())
        error = float(np.sqrt(rate * (1 - rate) / repeats))
        interval = chance_interval(hits, np.arange(repeats) % draws)
        found.append(Found(round(np.mean(counts)), interval, error, repeats))
    return tuple(found)


def chance_interval(hits: np.ndarray, draw: np.ndarray) -> RateInterval:
    """Interval of a chance, from hits (R,) that are 0 or 1 in draws (R,) of what it hangs on.

    Beta with the mean P = (sum hits + 1/2) / (R + 1) and the variance P (1 - P) / (R + 2) + V, V
    that between draws by the analysis of variance, not negative.

    References
    ----------
    Searle, Casella & McCulloch (1992) Variance Components, section 3.6.

    Examples
    --------
    >>> print(chance_interval(np.tile([0, 1, 1, 1], 10), np.arange(40) // 4))
    0.750 [0.602, 0.864]
    >>> print(chance_interval(np.repeat([0, 1, 1, 1], 10), np.arange(40) // 4))
    0.750 [0.000, 1.000]
    """
    counts = np.bincount(draw)
    repeats, draws = len(hits), len(counts)
    means = np.bincount(draw, hits) / counts
    rate, between = float(hits.mean()), 0.0
    if 1 < draws < repeats:
        inside = float((counts * means * (1 - means)).sum()) / (repeats - draws)
        outside = float((counts * (means - rate) ** 2).sum()) / (draws - 1)
        each = (repeats - float((counts**2).sum()) / repeats) / (draws - 1)
        between = max(0.0, (outside - inside) / each)
    middle = (float(hits.sum()) + 0.5) / (repeats + 1)
    variance = middle * (1 - middle) / (repeats + 2) + between
    known = max(middle * (1 - middle) / variance - 1, 0.05)
    ends = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = betaincinv(known * middle, known * (1 - middle), ends)
    return RateInterval(rate, min(rate, float(low)), max(rate, float(high)), LEVEL)


def _strengths(data: StudyData[Any], rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """z_j (p,) of the columns, and the rows that they are of: one of each group."""
    rows = np.arange(len(data.target))
    if data.row_groups is not None:
        mixed = rng.permutation(rows)
        one = np.sort(mixed[np.unique(data.row_groups[mixed], return_index=True)[1]])
        part = data.target.take(one)
        if part.varies and part.facts()["classes"] == data.target.facts()["classes"]:
            rows = one
    tests = UnivariateTestsSelector(levels="chi-square")
    tests.set_params(missing=data.missing, scale=data.scale)
    problem = replace(rows_of_data(data, rows).problem(), proved=False)
    found: Any = tests.solve(part_of(tests, problem, np.ones(len(rows), dtype=bool)))
    log_p = -np.log(10) * np.asarray(found.importance)
    return np.maximum(-ndtri_exp(log_p - np.log(2)), 0.0), len(rows)


def refuse_effect(data: StudyData[Any], effect: float, kind: str) -> None:
    """Refuse an effect that no column can have.

    Raises
    ------
    TableError
    """
    if kind not in ("continuous", "nominal"):
        raise TableError(f"effect_kind must be 'continuous' or 'nominal'. Got {kind!r}")
    if data.target.kind == "survival":
        raise TableError(
            "find_effect is for classes and numbers: how long a row is followed has a part in the "
            "effect of a column on survival times, and would have to be planted, too"
        )
    if data.target.kind == "numbers":
        if kind == "nominal":
            raise TableError("effect_kind='nominal' is for a target of classes. Got numbers")
        most, what = 1.0, "the correlation with the numbers"
    elif kind == "nominal":
        most, what = 1.0, "Cohen's w"
        for phi in _class_shares(data.target):
            most = min(most, np.sqrt(phi * (1 - phi)) / max(phi, 1 - phi))
    else:
        most, what = np.inf, "the difference of the classes in standard deviations"
    if not 0 < effect < most:
        told = "above 0" if np.isinf(most) else f"between 0 and {most:.3g} on this table"
        raise TableError(f"find_effect must be {what}, {told}. Got {effect:g}")


def _class_shares(target: Classes) -> list[float]:
    """phi of the classes that may be the one with the effect."""
    shares = (target.counts / len(target)).tolist()
    return shares[-1:] if len(shares) == 2 else shares


def _bootstrap(
    data: StudyData[Any], share: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a bootstrap of so many times the rows, and the drawn unit of each."""
    unit, members = units_of(data.target.strata, data.row_groups)
    main, rows, units = members.argmax(axis=1), [], []
    by_unit = np.split(np.argsort(unit, kind="stable"), np.cumsum(members.sum(axis=1))[:-1])
    drawn: list[int] = []
    for stratum in np.unique(main):
        own = np.flatnonzero(main == stratum)
        number = max(min(FEWEST, len(own)), round(share * len(own)))
        drawn += own[rng.integers(len(own), size=number)].tolist()
    for k, one in enumerate(drawn):
        rows.append(by_unit[one])
        units.append(np.full(len(by_unit[one]), k))
    return np.concatenate(rows), np.concatenate(units)


def _loosened(
    data: StudyData[Any], share: float, kept: np.ndarray, rng: np.random.Generator
) -> tuple[StudyData[Any], np.ndarray]:
    """A bootstrap whose columns keep these shares (p,) of their ties, and the unit of each row."""
    rows, unit = _bootstrap(data, share, rng)
    groups = np.arange(len(data.target)) if data.row_groups is None else data.row_groups
    by_unit = [np.flatnonzero(groups == one) for one in np.unique(groups)]
    sizes = np.bincount(unit)
    turns = -(-len(sizes) // len(by_unit))
    others = np.concatenate([rng.permutation(len(by_unit)) for _ in range(turns)])
    each = zip(others[: len(sizes)], sizes, strict=True)
    beside = np.concatenate([np.resize(rng.permutation(by_unit[k]), size) for k, size in each])
    own = rng.uniform(size=len(sizes))[unit][:, None] < kept
    drawn = rows_of_data(data, rows)
    values = np.where(own, drawn.table.values, data.table.values[beside])
    return replace(drawn, table=Table(values, drawn.table.schema, drawn.table.fill)), unit


def _planted(
    target: Any, effect: float, kind: EffectKind, unit: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The column (n,); rows of one unit share what is random in it."""
    units = int(unit.max()) + 1
    if not isinstance(target, Classes):
        values = target.values
        noise = rng.normal(size=units)[unit]
        return np.asarray(
            effect * (values - values.mean()) / values.std() + np.sqrt(1 - effect**2) * noise
        )
    k = len(target.labels)
    chosen = k - 1 if k == 2 else int(rng.integers(k))
    own = target.codes == chosen
    if kind == "continuous":
        return np.asarray(effect * own + rng.normal(size=units)[unit])
    phi = float(own.mean())
    apart = effect / (2 * np.sqrt(phi * (1 - phi)))
    probability = 0.5 + np.where(own, 1 - phi, -phi) * apart
    return (rng.uniform(size=units)[unit] < probability).astype(np.float64)


def _with_column(table: Table, values: np.ndarray, kind: EffectKind, place: int) -> Table:
    """The table with one column more, at a place."""
    name = "planted"
    while name in table.names:
        name += "_"
    levels = () if kind == "continuous" else ("a", "b")
    columns = list(table.schema.columns)
    columns.insert(place, Column(name, kind, levels))
    fill = None if table.fill is None else np.insert(table.fill, place, np.nan)
    return Table(np.insert(table.values, place, values, axis=1), Schema(tuple(columns)), fill)
