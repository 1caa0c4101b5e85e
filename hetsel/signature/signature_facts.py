"""What a signature answers, as records: the shell, R, pages and files have the same."""

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
NOT_SHOWN: ChanceVerdict = "not shown to be better than chance"  # which is no proof that it is not
TOO_FEW_ROWS: ChanceVerdict = "too few rows"
UNTESTED: ChanceVerdict = ""

ClassLabel = str | bool | int | float
Parameter = ClassLabel | None


class Feature(Struct, frozen=True):
    """A feature of the signature."""

    feature: str
    kind: Literal["continuous", "ordinal", "nominal"]
    frequency: float | None  # share of the halves that select it
    alternatives: list[str]  # that can take its place


class Chance(Struct, frozen=True):
    """The test against chance, see :class:`hetsel.signature.nested.against_chance.ChanceTest`."""

    pvalue: float
    rate: float  # of the target as it is, in the unit of what is tested
    permuted: list[float]  # of permuted ones
    folds: int
    draws: int  # of folds
    error: float | None  # standard error of p; None where drawing ended early
    full: bool  # all permutations were drawn that were asked for
    settled: bool  # else drawing ended with the verdict
    tried: int  # methods, by whose number p is multiplied


class Stability(Struct, frozen=True):
    """How much the two halves of a pair agree."""

    nogueira: float
    halves: int


class StableFeatures(Struct, frozen=True):
    """What is selected in enough halves for one false selection at the most to be expected."""

    features: list[str]  # these, if they can be kept
    above: list[str]  # all of them
    threshold: float  # share of the halves
    false_at_most: float
    assumption: str  # of the bound
    doubtful: list[str]  # that halves with a permuted target select, too


class Sizes(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the cross-validations of all rows say of each size."""

    sizes: list[int]
    inner_auc: list[float | None] | None = None  # of classes: area under the ROC curve
    inner: list[float | None] | None = None  # of other targets: the main measure
    nested: list[int]  # sizes that were chosen without an outer fold

    @property
    def means(self) -> list[float | None]:
        """The score of each size."""
        return self.inner_auc or self.inner or []


class Joint(Struct, frozen=True):
    """A pair of features by which a model that is not additive is clearly better."""

    features: list[str]
    rate: float  # BCR without the pair
    with_pair: float
    error: float  # standard error of the difference


class Alternative(Struct, frozen=True):
    """A feature that can take the place of one of the signature, with shares of the halves."""

    feature: str
    alternative: str
    frequency: float
    alternative_frequency: float
    both: float  # share that selects them together


class Effect(Struct, frozen=True, omit_defaults=True, rename={"of_class": "class"}):
    """A piece on which an effect is linear, or a level, see :mod:`effect_pieces`."""

    feature: str
    of_class: str  # that it speaks for; empty of numbers and of times
    low: ClassLabel  # ends of the piece, or twice the level
    high: ClassLabel
    effect_low: float
    effect_high: float
    rows: int  # in it
    class_rows: list[int] = []  # of each of `SignatureFacts.classes`


class Copies(Struct, frozen=True):
    """Rows that were grouped, as they are equal or nearly so."""

    rows: int
    groups: int
    largest: int
    equal: int  # rows that equal another one in every cell
    columns: list[str]  # that are constant within the groups, if not all columns are alike


class TriedMethods(Struct, frozen=True):
    """Several methods, of which one was chosen."""

    tried: list[str]
    nested: list[int]  # outer folds that chose each
    inner: list[float | None]  # best mean score of each


class Flow(Struct, frozen=True):
    """Rows from reading to analysis."""

    read: int
    unlabeled: int = 0  # without a target, which the shell can leave out
    weightless: int = 0  # of weight 0


class Candidates(Struct, frozen=True):
    """All columns that could have been selected, in their order."""

    names: list[str]
    kinds: list[str]
    values: list[str]  # the range of numbers, or the levels
    missing: list[int]  # cells
    constant: list[str]  # names of those of one value


class LeftOut(Struct, frozen=True):
    """Columns that were no candidates, and why."""

    why: str
    columns: list[str]


class ColumnNote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was said of columns, of rows or of the file, see :class:`hetsel.pitfalls.caution`."""

    what: str
    columns: list[str]
    facts: dict[str, object] | None = None  # numbers of the rule that they meet
    note: str
    fixes: list[dict[str, object]]


class SignatureFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that is to say of a signature; None where there is nothing."""

    kind: TargetKind = "classes"
    told: dict[str, Any] = {}  # what a target without classes holds
    verdict: ChanceVerdict
    reason: str  # why there is no performance
    few: str  # how few rows a class has, where they are few
    size: int
    rule: str | None  # that chose the size
    features: list[Feature]  # best first
    frequency: dict[str, float]  # share of the halves that select each, of every feature
    performance: NestedPerformance | None
    probabilities: probability_facts.ProbabilityFacts | None
    chance: Chance | None
    stability: Stability | None
    stable: StableFeatures | None
    sizes: Sizes | None
    joint: Joint | None
    alternatives: list[Alternative]
    effects: list[Effect]
    points: PointsFacts
    classes: list[ClassLabel]  # the positive one of two is the last
    class_rows: list[int]
    positive: ClassLabel | None
    rows: Count
    groups: int | None
    copies: Copies | None
    of_one_group: list[str]  # features each level of which stands in one row group only
    effective_rows: list[float] | None  # Kish's, of each class, where rows have weights
    columns: int
    always: list[str]
    lacks: list[str]  # what a quick signature was not asked for
    method: str
    methods: TriedMethods | None
    parameters: dict[str, Parameter]  # of the method
    stands_for: dict[str, str]  # what some of these mean, where that is not what they say
    model: str
    C: float  # of the final model
    on_margin: float | None  # share of the decision values that are -1 or 1
    seed: int | None  # None where none was set that gives the same answer again
    missing: str
    scale: str
    version: str
    flow: Flow
    candidates: Candidates
    intercept: list[float]  # of each decision value
    fill: dict[str, str | float]  # what a missing cell counts as, by feature, in its unit
    ordered: dict[str, list[str]]  # levels of ordinal features, whose places the effects count by
    probability_map: asked_probabilities.MapContent | None
    # what the shell and R know beside
    table: str | None = None
    target: str | None = None
    row_weights: str | None = None  # name of their column
    cautions: list[ColumnNote] | None = None
    left_out: list[LeftOut] | None = None
    notes: list[ColumnNote] | None = None
