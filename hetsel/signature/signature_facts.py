"""Define the results of a signature as records, shared by shell, R, reports and files."""

from typing import Any, Literal

from msgspec import Struct

from hetsel.ground.plan_entries import Count
from hetsel.signature.performance import NestedPerformance
from hetsel.signature.points.signature_points import PointsFacts
from hetsel.signature.probabilities import asked_probabilities, probability_facts
from hetsel.tables import TargetKind

ChanceVerdict = Literal[
    "better than chance", "not shown to be better than chance", "too few rows", ""
]
ABOVE: ChanceVerdict = "better than chance"
NOT_SHOWN: ChanceVerdict = "not shown to be better than chance"  # which does not prove the opposite
TOO_FEW_ROWS: ChanceVerdict = "too few rows"
UNTESTED: ChanceVerdict = ""

ClassLabel = str | bool | int | float
Parameter = ClassLabel | None


class Feature(Struct, frozen=True):
    """A feature of the signature."""

    feature: str
    kind: Literal["continuous", "ordinal", "nominal"]
    frequency: float | None  # proportion of half-samples that select it
    alternatives: list[str]  # alternative features


class PermutationTest(Struct, frozen=True):
    """The permutation test, see :class:`hetsel.signature.nested.against_chance.ChanceTest`."""

    pvalue: float
    statistic: float  # of the original target, in the unit of the tested score
    permuted: list[float]  # of permuted targets
    folds: int
    draws: int  # of folds
    standard_error: float | None  # of p; None if drawing ended early
    full: bool  # whether all requested permutations were drawn
    settled: bool  # otherwise, whether drawing ended since the result was decided
    tried: int  # number of methods, by which p is multiplied


class Stability(Struct, frozen=True):
    """The agreement of the two half-samples of a pair."""

    nogueira: float
    half_samples: int


class StableFeatures(Struct, frozen=True):
    """The features selected in enough half-samples for at most one expected false selection."""

    features: list[str]  # those that are kept
    above: list[str]  # all of them
    threshold: float  # proportion of half-samples
    expected_false_selections: float
    assumption: str  # of the bound
    doubtful: list[str]  # that half-samples with a permuted target select, too
    own_thresholds: list[float | None]  # of the doubtful features; None if no frequency suffices


class Sizes(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The scores of each size by cross-validation of all rows."""

    sizes: list[int]
    inner_auc: list[float | None] | None = None  # for classes: area under the ROC curve
    inner: list[float | None] | None = None  # for other targets: the main measure
    nested: list[int]  # sizes chosen without an outer fold

    @property
    def means(self) -> list[float | None]:
        """The score of each size."""
        return self.inner_auc or self.inner or []


class Interaction(Struct, frozen=True):
    """A pair of features whose interaction clearly improves on the additive model."""

    features: list[str]
    without_pair: float  # balanced accuracy
    with_pair: float
    standard_error: float  # of the difference


class Alternative(Struct, frozen=True):
    """An alternative feature, with the proportions of half-samples that select it."""

    feature: str
    alternative: str
    frequency: float
    alternative_frequency: float
    both: float  # proportion that selects both


class Effect(Struct, frozen=True, omit_defaults=True, rename={"of_class": "class"}):
    """A piece on which an effect is linear, or a level, see :mod:`effect_pieces`."""

    feature: str
    of_class: str  # class to which the effect refers; empty for numbers and survival times
    low: ClassLabel  # ends of the piece, or twice the level
    high: ClassLabel
    effect_low: float
    effect_high: float
    rows: int  # in the piece
    class_rows: list[int] = []  # of each of `SignatureFacts.classes`


class DuplicateRows(Struct, frozen=True):
    """Duplicate rows, which were grouped."""

    rows: int
    groups: int
    largest: int
    equal: int  # rows that equal another row in every cell
    # columns that are constant within the groups, if not all columns are compared
    columns: list[str]


class TriedMethods(Struct, frozen=True):
    """Several methods, of which one was chosen."""

    tried: list[str]
    nested: list[int]  # number of outer folds that chose each
    inner: list[float | None]  # best mean score of each


class Flow(Struct, frozen=True):
    """Numbers of rows from reading to analysis."""

    read: int
    unlabeled: int = 0  # without a target, which the shell can leave out
    zero_weight: int = 0  # of weight 0


class Candidates(Struct, frozen=True):
    """All candidate columns, in their order."""

    names: list[str]
    kinds: list[str]
    values: list[str]  # the range of numbers, or the levels
    missing: list[int]  # number of missing values
    constant: list[str]  # names of the constant columns


class LeftOut(Struct, frozen=True):
    """Columns that were no candidates, and the reason."""

    why: str
    columns: list[str]


class ColumnNote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A caution on columns, rows or the file, see :class:`hetsel.pitfalls.caution`."""

    what: str
    columns: list[str]
    facts: dict[str, object] | None = None  # numbers of the rule that they meet
    note: str
    fixes: list[dict[str, object]]


class SignatureFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All results of a signature; None for what was not computed."""

    kind: TargetKind = "classes"
    target_facts: dict[str, Any] = {}  # what another target than classes contains
    verdict: ChanceVerdict
    reason: str  # why there is no performance
    few: str  # how few rows a class has, if it has few
    size: int
    rule: str | None  # the rule that chose the size
    features: list[Feature]  # best first
    frequency: dict[str, float]  # selection frequency of every feature
    performance: NestedPerformance | None
    probabilities: probability_facts.ProbabilityFacts | None
    permutation_test: PermutationTest | None
    stability: Stability | None
    stable: StableFeatures | None
    sizes: Sizes | None
    interaction: Interaction | None
    alternatives: list[Alternative]
    effects: list[Effect]
    points: PointsFacts
    classes: list[ClassLabel]  # the positive one of two is the last
    class_rows: list[int]
    positive: ClassLabel | None
    rows: Count
    groups: int | None
    duplicate_rows: DuplicateRows | None
    of_one_group: list[str]  # features whose levels each occur in one row group only
    effective_sample_size: list[float] | None  # Kish's, of each class, if rows have weights
    columns: int
    always: list[str]
    not_computed: list[str]  # what a quick signature did not compute
    method: str
    methods: TriedMethods | None
    parameters: dict[str, Parameter]  # of the method
    stands_for: dict[str, str]  # meaning of parameters whose values do not say it
    model: str
    C: float  # of the final model
    on_margin: float | None  # proportion of decision values that are -1 or 1
    seed: int | None  # None if the seed does not reproduce the result
    missing: str
    scale: str
    version: str
    flow: Flow
    candidates: Candidates
    intercept: list[float]  # of each decision value
    imputed_values: dict[str, str | float]  # what replaces a missing value, by feature, in its unit
    ordered: dict[str, list[str]]  # levels of ordinal features; effects refer to their positions
    probability_map: asked_probabilities.MapContent | None
    # what the shell and R know in addition
    table: str | None = None
    target: str | None = None
    row_weights: str | None = None  # name of their column
    cautions: list[ColumnNote] | None = None
    left_out: list[LeftOut] | None = None
    notes: list[ColumnNote] | None = None
