"""Define the results of a plan of rows as records, shared by shell, R and sentences."""

from msgspec import Struct

from hetsel.signature.planning import asked_rows, learning_curve, planted_columns
from hetsel.tables import TargetKind


class Expected(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a study expects, and what a table supplied, see :func:`hetsel.plan_rows`."""

    candidates: int | None = None
    prevalence: float | tuple[float, ...] | None = None
    c_statistic: float | None = None
    r2: float | None = None  # Cox-Snell, for numbers R^2; if the criteria can be computed
    nagelkerke_r2: float | None = None
    event_rate: float | None = None  # events per unit of time
    follow_up: float | None = None  # mean time
    horizon: float | None = None
    mean: float | None = None
    deviation: float | None = None
    shrinkage: float
    optimism: float
    margin: float
    kind: TargetKind


class Criterion(Struct, frozen=True):
    """A criterion, and the rows that it requires; None if they are beyond the limits."""

    purpose: asked_rows.Purpose
    key: str
    asks: str
    rows: int | None
    source: str
    events: float | None  # among these rows, or rows of the rarest class


class Law(Struct, frozen=True):
    """limit - loss (m / rows)^-exponent."""

    limit: float
    loss: float
    exponent: float


class BandPoint(Struct, frozen=True):
    """The performance with a number of rows by the law, and the ends of its 95% band."""

    rows: float
    estimate: float
    low: float
    high: float


class Whole(Struct, frozen=True):
    """The main measure of all rows with its interval."""

    estimate: float | None
    low: float | None
    high: float | None


class CurveFacts(Struct, frozen=True):
    """A learning curve of the whole procedure."""

    measure: str
    rows: int  # at hand
    farthest: int  # limit of extrapolation
    size: int  # of the signature of all rows
    points: list[learning_curve.CurvePoint]  # the last point is that of all rows
    law: Law
    band: list[BandPoint]
    whole: Whole


class WantedRate(Struct, frozen=True):
    """Rows at which a performance is reached: by the law, and by the ends of the band."""

    rate: float
    rows: int | None
    fewest: int | None
    most: int | None


class ChanceToFind(Struct, frozen=True):
    """How often a planted column is found among a number of rows, with its interval."""

    rows: int
    proportion: float
    low: float
    high: float
    standard_error: float  # Monte Carlo
    repeats: int


class PlantedEffect(Struct, frozen=True):
    """Effect and kind of a planted column, and the size of the signature."""

    effect: float
    kind: planted_columns.EffectKind
    size: int


class PlanFacts(Struct, frozen=True, kw_only=True):
    """The rows that a study needs; None if they are beyond the limits."""

    target_kind: TargetKind
    rows: int | None  # the most that a criterion of the study requires
    asked_by: str | None  # that criterion
    validation_rows: int | None
    expected: Expected
    from_table: list[str]  # names of expected values that the table supplied
    assumed: list[str]  # names of expected values that nobody specified
    criteria: list[Criterion]
    lacking: list[str]  # what could not be computed, and why
    curve: CurveFacts | None
    rate: WantedRate | None
    found: list[ChanceToFind]
    effect: PlantedEffect | None
