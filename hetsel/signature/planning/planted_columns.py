"""The chance to find a feature of a given effect: planted columns among those of a table.

At each number of rows a bootstrap of the table is drawn, every class with its share, whole groups
of rows where there are such, and one column more is put among its columns, of which the effect is
known. The share of the repeats in which the signature holds it is the chance to find it.

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

from hetsel.ground.errors import TableError
from hetsel.resampling.folds import units_of
from hetsel.resampling.row_parts import part_of
from hetsel.signature.planning.learning_curve import rows_of_data
from hetsel.signature.procedure import Procedure
from hetsel.statistics.performance.rate_intervals import RateInterval, wilson_interval
from hetsel.study.rows.data_set import StudyData
from hetsel.tables.column import Column
from hetsel.tables.table import Schema, Table
from hetsel.tables.target import Classes

PLANTED = 13  # stream of the seed
TIMES = (0.5, 1.0, 2.0, 4.0)  # the rows at hand
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
        Share of the repeats with Wilson's interval.
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
    found, done = [], 0
    for share, stream in zip(times, source.spawn(len(times)), strict=True):
        hits, counts = 0, []
        for one in stream.spawn(repeats):
            rng = np.random.default_rng(one)
            rows, unit = _bootstrap(data, share, rng)
            drawn = rows_of_data(data, rows)
            planted = _planted(drawn.target, effect, kind, unit, rng)
            place = int(rng.integers(data.table.shape[1] + 1))
            table = _with_column(drawn.table, planted, kind, place)
            problem = replace(drawn, table=table).problem((size,), int(rng.integers(2**31 - 1)))
            every = np.ones(len(rows), dtype=bool)
            part = part_of(method, replace(problem, proved=False), every)
            hits += place in np.asarray(method.solve(part).signature(size)).tolist()
            counts.append(len(rows))
            done += 1
            if say is not None:
                say(done, repeats * len(times))
        rate = hits / repeats
        error = float(np.sqrt(rate * (1 - rate) / repeats))
        found.append(Found(round(np.mean(counts)), wilson_interval(rate, repeats), error, repeats))
    return tuple(found)


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
