"""How many rows does a study need, before it?"""

from typing import Annotated, Any, Literal

from hetsel.questions import of_a_table, of_files, select
from hetsel.questions.option import File, Label, Question, option

Number = Annotated[float, "one number"]
OneWholeNumber = Annotated[int, "one whole number"]


class ExpectedStudy(Question, heading="what is expected"):
    """What is expected of the study."""

    candidates: OneWholeNumber | None = option(
        "parameters that the selection may choose from, not those that it chooses: a column of "
        "numbers has one, a nominal one of k levels k - 1"
    )
    prevalence: Annotated[float | tuple[float, ...], "one number, or one a class"] | None = option(
        "share of the rows with the event; of more than two classes the share of each",
        metavar="P[,P...]",
    )
    c_statistic: Number | None = option(
        "how good the model may be: area under the ROC curve; of more than two classes that of "
        "each pair. Or `r2`, or `nagelkerke_r2`",
        metavar="C",
        also=("--c-statistic", "--auc"),
    )
    r2: Number | None = option(
        "R^2 of Cox and Snell of classes and survival times, R^2 of numbers", metavar="R2"
    )
    nagelkerke_r2: Number | None = option(
        "Nagelkerke's R^2; 0.15 where nothing is known", metavar="R2"
    )
    event_rate: Number | None = option(
        "of survival times: events in a unit of time", metavar="RATE", targets=("survival",)
    )
    follow_up: Number | None = option(
        "of survival times: mean time that a row is followed", metavar="TIME", targets=("survival",)
    )
    horizon: Number | None = option(
        "of survival times: time at which the risk is asked for",
        metavar="TIME",
        targets=("survival",),
    )
    mean: Number | None = option(
        "of numbers; with `deviation`, for the mean to be known within 10 %",
        metavar="MEAN",
        targets=("numbers",),
    )
    deviation: Number | None = option(
        "standard deviation of the numbers", metavar="SD", targets=("numbers",)
    )
    shrinkage: Number = option("that the effects may need by overfitting", 0.9, metavar="S")
    optimism: Number = option("by which the apparent R^2 may be too large", 0.05, metavar="D")
    margin: Number = option("to which the overall risk is to be known", 0.05, metavar="D")


class Wanted(Question, heading="what is wanted"):
    """What is wanted of the study."""

    width: Number | None = option(
        "width of the 95 % interval of the balanced rate and of the AUC by nested "
        "cross-validation; with a table of numbers or survival times of R^2 or concordance",
        metavar="W",
    )
    rate: Number | None = option(
        "balanced rate, R^2 or concordance on new rows, with a table", metavar="RATE"
    )
    find_effect: Number | None = option(
        "effect of a feature to be found, with a table: difference of two classes in standard "
        "deviations, Cohen's w of a nominal one, correlation with numbers, or logarithm of the "
        "hazard ratio of a standard deviation. Such a column is planted among those of rows "
        "drawn from the table, without its chance associations",
        metavar="D",
    )
    effect_kind: Literal["continuous", "nominal"] = option(
        "the kind of the column with this effect", "continuous"
    )


class AskedCurve(Question, heading="the learning curve, with a table"):
    """How the table is asked for its learning curve."""

    repeats: OneWholeNumber = option(
        "draws of nested subsets of the rows for the learning curve", 10
    )
    plantings: OneWholeNumber = option("planted columns at each number of rows", 40)


class PlanRows(AskedCurve, Wanted, ExpectedStudy):
    """What is expected of a study, what is wanted of it, and how a table is asked."""


class OfSignature(Question, heading="the signature, with a table"):
    """What is asked of the signature whose learning curve it is."""

    size: int | str | None = option(
        'as in `hetsel select`: "one-se", "quarter-se", "knee", "equal", or a number',
        metavar="RULE",
    )
    positive: Label | None = option(
        "the positive one of two classes; default: yes, true, 1 or last",
        metavar="CLASS",
        targets=("classes",),
    )
    folds: int = option("of the cross-validations", 5)


class PlannedSignature(
    of_a_table.Processes,
    of_a_table.Seed,
    of_a_table.Cells,
    of_a_table.Kinds,
    select.SelectedTarget,
    OfSignature,
    of_a_table.Method,
    Python="`signature` is a `hetsel.Signature` with it",
):
    """The signature whose learning curve it is."""

    jobs: int | None = option("processes at the most; they change no number", 1)


class PlanRowsOfTable(
    of_files.Written,
    of_files.Reading,
    of_a_table.Rows,
    PlanRows,
    PlannedSignature,
    plan="a study has the rows that it has",
):
    """Everything that is asked of a plan.

    It answers with :class:`hetsel.signature.planning.plan_facts.PlanFacts`.
    """

    table: File | None = option(
        "a file, or the name of a bundled table; none: by criteria alone",
        metavar="TABLE",
        positional=True,
        lacks={"Python": "`X`", "R": "`x`"},
    )
    progress: Any = option(
        "called with (finished, all) parts of the work",
        r="whether to say every few seconds how much is done",
        documented="callable",
        lacks={"shell": "the terminal shows how far it is"},
        in_r="interactive()",
    )
