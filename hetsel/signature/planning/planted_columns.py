"""Estimate the chance to find a feature of a given effect, by planted columns.

The true value is the chance that the signature of m new rows contains the column. The rows come
from the population of the table, with one additional column of a known effect. The population is
not known, so it is simulated:

- z_j = Phi^-1(1 - p_j / 2) measures how strongly column j relates to the target, p_j the p-value of
  its test (with one row of each row group). Its expectation theta_j is drawn given all z_j, see
  :func:`hetsel.statistics.sample_size.shrunken_effects.drawn_effects`; it is mostly 0 if all
  relations may be due to chance.
- Rows are drawn with replacement, with the proportion of every class, and whole row groups if there
  are groups. Each row keeps its target and is paired with another row, drawn regardless of the
  target. Column j is that of the row itself with the probability s_j, else that of the other row;
  one uniform number decides for all columns of a row (or group). So chance associations of the
  table are not repeated, similar columns stay together, and the values are those of the table. s_j
  = (min(theta_j, z_j) / z_j) sqrt(1 - (f_j - 1) / chi^2_j): with f_j degrees of freedom, chi^2 is
  f_j by chance alone, and its rows repeat that.

A table cannot show more than it has: theta_j above z_j is cut there. So the chance is the
proportion of successful repeats, minus the mean chance of their draws by normal statistics, plus
the median of the chances of all draws, not cut (a control variate). The interval adds two errors by
squares: the quantiles of these chances (99% of them), for the uncertainty of the table, and the
exact interval of the proportion, for Monte Carlo. It extends to the quantiles themselves if the
method is as good as these statistics, within two standard errors.

For methods that use nearest neighbors only the rows at hand are possible, since copies of drawn
rows are each other's neighbors (Abadie & Imbens 2008, Econometrica 76, 1537-1557).

A planted column x has, for the rows i with the class y_i and e_i ~ N(0, 1):

- an effect d, continuous: x_i = d [y_i is the class] + e_i, the class the positive one of two, else
  drawn at each repeat;
- an effect w, nominal: two levels, the second with the probability 1/2 + (1 - phi) D for the rows
  of the class and 1/2 - phi D for the others, phi the proportion of the class, D = w / (2 sqrt(phi
  (1 - phi))). Cohen's w, the square root of chi^2 / n, is that of this table;
- an effect r on numbers y: x_i = r z_i + sqrt(1 - r^2) e_i with the standardized numbers z; r is
  the correlation;
- an effect b on survival times: b is the log hazard ratio per standard deviation, see
  :mod:`hetsel.statistics.sample_size.shrunken_effects`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.special import ndtri_exp
from scipy.stats import chi2
from statsmodels.stats.proportion import proportion_confint

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.progress import OnProgress
from hetsel.ground import TableError, did_you_mean
from hetsel.methods.filters.univariate_tests import UnivariateTests
from hetsel.resampling import folds, row_parts
from hetsel.search.rankings.ensembles import EnsembleSelector
from hetsel.selection import BaseSelector, Ranking
from hetsel.signature.planning.learning_curve import rows_of_data
from hetsel.signature.procedure import SignatureProcedure
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.sample_size import shrunken_effects
from hetsel.tables import Classes, Column, Schema, Table, TypedTarget

PLANTED = 13  # stream of the seed
TIMES = (0.5, 1.0, 2.0, 4.0)  # times the rows at hand
DRAWS = 400  # of the effects of the columns
LEVEL = 0.95
# of the effects: their two groups contain too few columns as strong as the planted one
OUTER = 0.99
FEWEST = 2  # rows or groups of a class in a bootstrap

EffectKind = Literal["continuous", "nominal"]


@dataclass(frozen=True)
class Found:
    """How often a planted column is found among a number of rows."""

    rows: int
    share: RateInterval  # the chance, with its interval
    error: float  # its Monte Carlo standard error
    repeats: int


def chance_to_find(
    data: EncodedData,
    procedure: SignatureProcedure,
    effect: float,
    size: int,
    repeats: int = 40,
    kind: EffectKind = "continuous",
    times: Sequence[float] = TIMES,
    progress: OnProgress | None = None,
) -> tuple[Found, ...]:
    """Estimate how often the signature of a method contains a planted column, by number of rows.

    `effect` is d, w, r or b, see the top of the module. `repeats` columns of the `kind` are planted
    at each number of rows, `times` the rows at hand.
    """
    refuse_effect(data, effect, kind)
    source = np.random.SeedSequence(procedure.seed, spawn_key=(PLANTED,))
    method = procedure.method.build().set_params(missing=data.missing, scale=data.scale)
    alone = method._base() if isinstance(method, EnsembleSelector) else method
    if "copies" in alone.about.flaws:
        times = [share for share in times if share == 1]
    drawing, *streams = source.spawn(1 + len(times))
    rng = np.random.default_rng(drawing)
    z, beyond, units = _strengths(data, rng)
    effects = shrunken_effects.drawn_effects(z, units, max(DRAWS, repeats), rng)
    there = np.minimum(effects, z)
    kept = beyond * np.divide(there, z, out=np.zeros_like(effects), where=z > 0)
    found, done = [], 0
    for share, stream in zip(times, streams, strict=True):
        hits, counts = np.zeros(repeats), np.zeros(repeats)
        for k, one in enumerate(stream.spawn(repeats)):
            rng = np.random.default_rng(one)
            drawn, unit = _loosened(data, share, kept[k], rng)
            planted = _planted(drawn.target, effect, kind, unit, rng)
            hits[k], counts[k] = _is_found(planted, drawn, method, size, kind, rng), len(unit)
            done += 1
            if progress is not None:
                progress(done, repeats * len(times))
        own = _signal(data.target, effect, kind) * np.sqrt(share * units)
        theory = shrunken_effects.chances_of_place(np.sqrt(share) * effects, own, size)
        drawn_with = shrunken_effects.chances_of_place(np.sqrt(share) * there[:repeats], own, size)
        error = float((hits - drawn_with).std() / np.sqrt(repeats))
        chance = _chance(hits, drawn_with, theory, error)
        found.append(Found(round(counts.mean()), chance, error, repeats))
    return tuple(found)


def _is_found(
    planted: np.ndarray,
    drawn: EncodedData,
    method: BaseSelector,
    size: int,
    kind: EffectKind,
    rng: np.random.Generator,
) -> bool:
    """Check whether the signature of the drawn rows contains the planted column."""
    place = int(rng.integers(drawn.table.shape[1] + 1))
    table = _with_column(drawn.table, planted, kind, place)
    problem = replace(drawn, table=table).problem((size,), int(rng.integers(2**31 - 1)))
    part = row_parts.problem_part(
        method, replace(problem, proved=False), np.ones(len(planted), dtype=bool)
    )
    return place in np.asarray(method.solve(part).signature(size)).tolist()


def _chance(hits: np.ndarray, there: np.ndarray, theory: np.ndarray, error: float) -> RateInterval:
    """Combine hits (R,), 0 or 1, with chances by normal statistics: of their draws (R,), of all."""
    share, middle = float(hits.mean()), float(np.median(theory))
    apart = share - float(there.mean())
    chance = min(1.0, max(0.0, middle + apart))
    few, many = proportion_confint(hits.sum(), len(hits), alpha=1 - LEVEL, method="beta")
    ends = np.quantile(theory, [(1 - OUTER) / 2, (1 + OUTER) / 2])
    low = chance - np.hypot(middle - min(ends[0], middle), share - few)
    high = chance + np.hypot(max(ends[1], middle) - middle, many - share)
    if abs(apart) <= 2 * error:
        low, high = min(low, ends[0]), max(high, ends[1])
    return RateInterval(chance, max(0.0, float(low)), min(1.0, float(high)), LEVEL)


def _signal(target: TypedTarget, effect: float, kind: EffectKind) -> float:
    """Compute a planted column's statistic per row, to be multiplied by the root of the rows."""
    if target.kind == "survival":  # Schoenfeld 1983, Biometrics 39, 499-503
        return effect * float(np.sqrt(target.events.mean()))
    if target.kind == "numbers":
        return float(effect / np.sqrt(1 - effect**2))
    if kind == "nominal":
        return effect
    return effect * float(np.mean([np.sqrt(phi * (1 - phi)) for phi in _class_shares(target)]))


def _strengths(data: EncodedData, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, int]:
    """Compute z_j (p,) of the columns, and the number of rows: one per row group."""
    rows = np.arange(len(data.target))
    if data.row_groups is not None:
        mixed = rng.permutation(rows)
        one = np.sort(mixed[np.unique(data.row_groups[mixed], return_index=True)[1]])
        part = data.target.take(one)
        if part.varies and part.facts()["classes"] == data.target.facts()["classes"]:
            rows = one
    tests = UnivariateTests(levels="chi-square")
    tests.set_params(missing=data.missing, scale=data.scale)
    problem = replace(rows_of_data(data, rows).problem(), proved=False)
    found = tests.solve(row_parts.problem_part(tests, problem, np.ones(len(rows), dtype=bool)))
    assert isinstance(found, Ranking)
    log_p = -np.log(10) * np.asarray(found.importance)
    parts = len(data.target.labels) - 1 if isinstance(data.target, Classes) else 1
    columns = enumerate(data.table.schema.columns)
    levels = np.array([_levels(one, data.table.values[rows, j]) for j, one in columns])
    free = parts * (levels - 1)
    by_chance = (free - 1) / np.maximum(chi2.isf(np.exp(log_p), free), 1e-9)
    z = np.maximum(-ndtri_exp(log_p - np.log(2)), 0.0)
    return z, np.sqrt((1 - by_chance).clip(min=0)), len(rows)


def _levels(column: Column, values: np.ndarray) -> int:
    """Count the levels of a column; 2 for numbers, whose test has one degree of freedom."""
    return max(2, len(np.unique(values[~np.isnan(values)]))) if column.kind == "nominal" else 2


def refuse_effect(data: EncodedData, effect: float, kind: str) -> None:
    """Refuse an effect that no column can have."""
    if kind not in ("continuous", "nominal"):
        legal = ["continuous", "nominal"]
        raise TableError(
            f"effect_kind must be one of {', '.join(legal)}. Got {kind!r}"
            f"{did_you_mean(kind, legal)}"
        )
    target = data.target.kind
    if target != "classes" and kind == "nominal":
        raise TableError(f"effect_kind='nominal' is for a target of classes. Got {target}")
    if target == "numbers":
        most, what = 1.0, "the correlation with the target"
    elif target == "survival":
        most, what = 3.0, "the log hazard ratio per standard deviation"
    elif kind == "nominal":
        most, what = 1.0, "Cohen's w"
        for phi in _class_shares(data.target):
            most = min(most, np.sqrt(phi * (1 - phi)) / max(phi, 1 - phi))
    else:
        most, what = np.inf, "the difference of the classes in standard deviations"
    if not 0 < effect < most:
        told = "above 0" if np.isinf(most) else f"above 0 and below {most:.3g} for this target"
        raise TableError(f"find_effect must be {what}, {told}. Got {effect:g}")


def _class_shares(target: Classes) -> list[float]:
    """Return phi of the classes that may have the effect."""
    shares = [float(share) for share in target.counts / len(target)]
    return shares[-1:] if len(shares) == 2 else shares


def _bootstrap(
    data: EncodedData, share: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows of a bootstrap of `share` times the rows, and the drawn unit of each."""
    unit, members = folds.units_of(data.target.strata, data.row_groups)
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
    data: EncodedData, share: float, kept: np.ndarray, rng: np.random.Generator
) -> tuple[EncodedData, np.ndarray]:
    """Draw a bootstrap whose columns keep these proportions (p,) of ties; return units as well."""
    rows, unit = _bootstrap(data, share, rng)
    groups = np.arange(len(data.target)) if data.row_groups is None else data.row_groups
    by_unit = [np.flatnonzero(groups == one) for one in np.unique(groups)]
    sizes = np.bincount(unit)
    others = rng.permutation(np.resize(rng.permutation(len(by_unit)), len(sizes)))
    each = zip(others, sizes, strict=True)
    beside = np.concatenate([np.resize(rng.permutation(by_unit[k]), size) for k, size in each])
    own = rng.uniform(size=len(sizes))[unit][:, None] < kept
    drawn = rows_of_data(data, rows)
    values = np.where(own, drawn.table.values, data.table.values[beside])
    return replace(drawn, table=Table(values, drawn.table.schema, drawn.table.fill)), unit


def _planted(
    target: TypedTarget, effect: float, kind: EffectKind, unit: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Generate the column (n,); rows of one unit share its random part."""
    units = int(unit.max()) + 1
    if target.kind == "survival":
        uniform = rng.uniform(size=units)[unit]
        return shrunken_effects.column_of_hazard(target.times, target.events, effect, uniform)
    if target.kind == "numbers":
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
    return np.asarray(rng.uniform(size=units)[unit] < probability, dtype=np.float64)


def _with_column(table: Table, values: np.ndarray, kind: EffectKind, place: int) -> Table:
    """Return the table with an additional column at a position."""
    name = "planted"
    while name in table.names:
        name += "_"
    levels = () if kind == "continuous" else ("a", "b")
    columns = list(table.schema.columns)
    columns.insert(place, Column(name, kind, levels))
    fill = None if table.fill is None else np.insert(table.fill, place, np.nan)
    return Table(np.insert(table.values, place, values, axis=1), Schema(tuple(columns)), fill)
