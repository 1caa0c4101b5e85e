"""Estimate the performance of signatures of fewer and of more rows: the learning curve.

Notation. n rows at hand, m in a subset of them, R repeats, f(m) = a - b (m / n)^-c.

The whole procedure of `hetsel select` runs on nested random subsets of the rows, each evaluated by
its own nested cross-validation. A power law is fitted to the means; it is not extrapolated beyond
four times the rows at hand. Two errors make the band. One is that of the subsets: the repeats are
drawn again with replacement, and the law is refitted. The other is that of the table, which moves
all sizes together: the interval of the performance of all rows. They are added by squares.
tests/arena/campaigns/learning_curves.py measures the coverage of the band: 90% to 100% of 40 tables
of 60 rows each, at one, two and four times the rows, in four designs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.progress import OnProgress
from hetsel.evaluation.target_scores import target_scores
from hetsel.ground import TableError
from hetsel.resampling.row_parts import nested_subsets
from hetsel.signature.performance import Measure, NestedPerformance, Performance
from hetsel.signature.procedure import SignatureProcedure, judge
from hetsel.statistics.sample_size.power_law import PowerLaw, power_law, resampled_laws

# proportions of the rows at hand, each about 1.4 times the one before
SHARES = (0.25, 0.35, 0.5, 0.71, 1.0)
FARTHEST = 4.0  # times the rows at hand
FEWEST_SIZES = 3  # sizes that a law of three parameters needs
SUBSETS, DRAWS = 11, 12  # streams of the seed
GRID = 400  # numbers of rows at which a band is computed


class CurvePoint(Struct, frozen=True):
    """The performance of signatures of m rows."""

    rows: int  # m; the mean if groups are kept together
    estimate: float  # mean over the repeats
    # standard deviation over the repeats; None for all rows, which are one table
    spread: float | None
    standard_error: float | None  # Monte Carlo error of the mean, spread / sqrt(R)
    repeats: int


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Hold a learning curve with its power law."""

    points: tuple[CurvePoint, ...]  # the last point is that of all rows
    law: PowerLaw
    laws: tuple[PowerLaw, ...]  # of repeats drawn with replacement
    performance: NestedPerformance  # of all rows
    size: int  # of the signature of all rows

    @property
    def rows(self) -> int:
        """The number of rows at hand."""
        return self.law.rows

    @property
    def farthest(self) -> int:
        """The largest number of rows to which the curve is extrapolated."""
        return int(FARTHEST * self.rows)

    def band(self, m: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute the performance with m rows, and the ends of its band.

        A TableError is raised for more than four times the rows at hand.
        """
        at = np.atleast_1d(np.asarray(m, dtype=np.float64))
        if at.max() > self.farthest:
            raise TableError(
                f"a curve of {self.rows} rows extends to {self.farthest}, four times as many. Got "
                f"{at.max():.0f}"
            )
        middle, main = self.law(at), self.performance.main
        drawn = np.array([law(at) for law in self.laws] or [middle])
        below = np.hypot(middle - np.quantile(drawn, 0.025, axis=0).clip(max=middle), _low(main))
        above = np.hypot(np.quantile(drawn, 0.975, axis=0).clip(min=middle) - middle, _high(main))
        return middle, middle - below, np.minimum(middle + above, 1.0)

    def rows_for(self, rate: float) -> tuple[float, float, float]:
        """Compute the rows at which the law and the ends of the band reach a performance.

        They are infinite beyond four times the rows at hand, and at least those of the smallest
        subset.
        """
        smallest = self.points[0].rows
        needed = max(self.law.rows_for(rate), float(smallest))
        at = np.unique(np.round(np.geomspace(smallest, self.farthest, GRID)))
        _, low, high = self.band(at)
        fewest, most = (_first(at, end >= rate) for end in (high, low))
        return (needed if needed <= self.farthest else np.inf), fewest, most


def _low(main: Measure) -> float:
    return 0.0 if main.low is None else main.value - main.low


def _high(main: Measure) -> float:
    return 0.0 if main.high is None else main.high - main.value


def _first(at: np.ndarray, enough: np.ndarray) -> float:
    found = np.flatnonzero(enough)
    return float(at[found[0]]) if len(found) else np.inf


def learning_curve(
    data: EncodedData,
    procedure: SignatureProcedure,
    repeats: int = 10,
    n_jobs: int | None = None,
    progress: OnProgress | None = None,
    shares: Sequence[float] = SHARES,
) -> LearningCurve:
    """Compute the learning curve of the whole procedure on a table.

    Subsets have one cross-validation each, all rows as many as the procedure; there is no
    permutation test. `repeats` is R, `shares` are m / n, the last one 1. A TableError is raised if
    there are too few rows for three sizes.
    """
    n = len(data.target)
    sizes = [max(1, round(share * n)) for share in shares[:-1]]
    source = np.random.SeedSequence(procedure.seed, spawn_key=(SUBSETS,))
    once = replace(procedure, permutations=0)
    rates, counts = np.full((repeats, len(shares)), np.nan), np.zeros((repeats, len(sizes)))
    done, every = 0, repeats * len(sizes) + 1
    for r, stream in enumerate(source.spawn(repeats)):
        drawing, seeding = stream.spawn(2)
        rng = np.random.default_rng(drawing)
        masks = nested_subsets(data.target.strata, sizes, rng, data.row_groups)
        seeded = replace(once, runs=1, seed=int(seeding.generate_state(1)[0] >> 1))
        for k, mask in enumerate(masks):
            part = rows_of_data(data, np.flatnonzero(mask))
            counts[r, k] = mask.sum()
            if _judged(data, part):
                rates[r, k] = judge(part, seeded, n_jobs).performance.main.value
            done += 1
            if progress is not None:
                progress(done, every)
    found = judge(data, once, n_jobs)
    chosen, whole = found.sizes, found.performance
    if progress is not None:
        progress(every, every)
    rates[:, -1] = whole.main.value
    points = _points(rates, [*counts.mean(axis=0), n])
    if len(points) < FEWEST_SIZES:
        raise TableError(
            f"a learning curve needs {FEWEST_SIZES} sizes with enough rows of every class. Got "
            f"{len(points)}, since {n} rows are too few"
        )
    known = ~np.isnan(rates).all(axis=0)
    at = np.array([point.rows for point in points], dtype=np.float64)
    law = power_law(at, np.array([point.estimate for point in points]), n)
    rng = np.random.default_rng(np.random.SeedSequence(procedure.seed, spawn_key=(DRAWS,)))
    laws = resampled_laws(at, rates[:, known], n, rng) if repeats > 1 else []
    return LearningCurve(points, law, tuple(laws), whole, chosen.size)


def rows_of_data(data: EncodedData, rows: np.ndarray) -> EncodedData:
    """Return the data of some rows, given by their positions, possibly repeated."""
    groups = data.row_groups
    return replace(
        data,
        table=data.table.take(rows=rows),
        target=data.target.take(rows),
        row_groups=None if groups is None else np.unique(groups[rows], return_inverse=True)[1],
        weights=None if data.weights is None else data.weights[rows],
        given_rows=None if data.given_rows is None else data.given_rows[rows],
    )


def _judged(data: EncodedData, part: EncodedData) -> bool:
    """Check whether a subset has all classes, and enough rows of each."""
    whole = data.target.kind != "classes" or len(part.classes) == len(data.classes)
    return whole and part.target.varies and not target_scores(part.target).too_few(part)


def _points(rates: np.ndarray, rows: Sequence[float]) -> tuple[CurvePoint, ...]:
    points = []
    for k, m in enumerate(rows):
        known = rates[~np.isnan(rates[:, k]), k]
        if not len(known):
            continue
        last = k == len(rows) - 1
        several = len(known) > 1 and not last
        spread = float(known.std(ddof=1)) if several else None
        error = None if spread is None else spread / float(np.sqrt(len(known)))
        repeats = 1 if last else len(known)
        points.append(CurvePoint(round(m), float(known.mean()), spread, error, repeats))
    return tuple(points)


def main_label(performance: Performance) -> str:
    """Return the short name of the main measure of a performance."""
    return performance.main.label
