"""What a plan of rows answers, as records: the shell, R and sentences have the same."""

from msgspec import Struct

from hetsel.signature.planning import asked_rows, learning_curve, planted_columns
from hetsel.tables import TargetKind


class Expected(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was said of a study and what a table said, see :func:`hetsel.plan_rows`."""

    candidates: int | None = None
    prevalence: float | tuple[float, ...] | None = None
    c_statistic: float | None = None
    r2: float | None = None  # of Cox and Snell, of numbers R^2; where the criteria can be had
    nagelkerke_r2: float | None = None
    event_rate: float | None = None  # events in a unit of time
    follow_up: float | None = None  # mean time
    horizon: float | None = None
    mean: float | None = None
    deviation: float | None = None
    shrinkage: float
    optimism: float
    margin: float
    kind: TargetKind


class Criterion(Struct, frozen=True):
    """A criterion, and how many rows it asks for; None is more than anything is said of."""

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
    """The rate of so many rows by the law, and the ends of its 95 % band."""

    rows: float
    rate: float
    low: float
    high: float


class Whole(Struct, frozen=True):
    """The main measure of all rows with its interval."""

    rate: float | None
    low: float | None
    high: float | None


class CurveFacts(Struct, frozen=True):
    """A learning curve of the whole procedure."""

    measure: str
    rows: int  # at hand
    farthest: int  # rows that anything is said of
    size: int  # of the signature of all rows
    points: list[learning_curve.CurvePoint]  # the last one is that of all rows
    law: Law
    band: list[BandPoint]
    whole: Whole


class WantedRate(Struct, frozen=True):
    """Rows by which the rate is this: by the law, and by the ends of the band."""

    rate: float
    rows: int | None
    fewest: int | None
    most: int | None


class ChanceToFind(Struct, frozen=True):
    """How often a planted column is found among so many rows, with its interval."""

    rows: int
    share: float
    low: float
    high: float
    error: float  # of Monte Carlo
    repeats: int


class PlantedEffect(Struct, frozen=True):
    """The effect and the kind of a planted column, and the size of the signature."""

    effect: float
    kind: planted_columns.EffectKind
    size: int


class PlanFacts(Struct, frozen=True, kw_only=True):
    """How many rows a study needs; None is more than anything is said of."""

    target_kind: TargetKind
    rows: int | None  # most that a criterion of the study asks for
    asked_by: str | None  # that criterion
    validation_rows: int | None
    expected: Expected
    from_table: list[str]  # what of it the table said
    assumed: list[str]  # what nobody said
    criteria: list[Criterion]
    lacking: list[str]  # what could not be asked, and why
    curve: CurveFacts | None
    rate: WantedRate | None
    found: list[ChanceToFind]
    effect: PlantedEffect | None
