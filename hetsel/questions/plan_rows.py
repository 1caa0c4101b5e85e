"""Options of `hetsel plan-rows`: how many rows does a study need?"""

from typing import Annotated, Any, Literal

from hetsel.questions import of_a_table, of_files, select
from hetsel.questions.option import File, Label, Question, option

Number = Annotated[float, "one number"]
OneWholeNumber = Annotated[int, "one whole number"]


class ExpectedStudy(Question, heading="expected study"):
    """What the user expects of the study."""

    candidates: OneWholeNumber | None = option(
        "Number of candidate parameters to select from, not of selected ones: a continuous column "
        "has 1, a nominal column of k levels has k - 1."
    )
    prevalence: (
        Annotated[float | tuple[float, ...], "one number, or one number per class"] | None
    ) = option(
        "Expected proportion of rows with the event; for more than two classes the proportion of "
        "each.",
        metavar="PROPORTION,...",
    )
    c_statistic: Number | None = option(
        "Expected AUC of the model; for more than two classes the AUC of each pair. Alternatives: "
        "`r2` or `nagelkerke_r2`.",
        metavar="AUC",
        also=("--c-statistic", "--auc"),
    )
    r2: Number | None = option(
        "Expected R^2: of Cox and Snell for classes and survival times, the usual one for a "
        "numeric target.",
        metavar="R2",
    )
    nagelkerke_r2: Number | None = option(
        "Expected R^2 of Nagelkerke; use 0.15 if nothing is known.", metavar="R2"
    )
    event_rate: Number | None = option(
        "Expected number of events per unit of time, for survival times.",
        metavar="RATE",
        targets=("survival",),
    )
    follow_up: Number | None = option(
        "Expected mean follow-up time of a row, for survival times.",
        metavar="TIME",
        targets=("survival",),
    )
    horizon: Number | None = option(
        "Time at which the risk is predicted, for survival times.",
        metavar="TIME",
        targets=("survival",),
    )
    mean: Number | None = option(
        "Expected mean of a numeric target. With `deviation` it gives the rows that estimate the "
        "mean within 10%.",
        metavar="MEAN",
        targets=("numbers",),
    )
    deviation: Number | None = option(
        "Expected standard deviation of a numeric target.", metavar="SD", targets=("numbers",)
    )
    shrinkage: Number = option(
        "Smallest acceptable shrinkage factor of the effects; overfitting makes it smaller.",
        0.9,
        metavar="FACTOR",
    )
    optimism: Number = option(
        "Largest acceptable difference of apparent and adjusted R^2.", 0.05, metavar="DIFFERENCE"
    )
    margin: Number = option(
        "Largest acceptable margin of error of the overall risk.", 0.05, metavar="MARGIN"
    )


class Wanted(Question, heading="goals"):
    """What the user wants of the study."""

    width: Number | None = option(
        "Width of the 95% CI of balanced accuracy and AUC from nested cross-validation. With a "
        "table of a numeric target it is the CI of R^2, and with survival times the CI of the "
        "concordance.",
        metavar="WIDTH",
    )
    rate: Number | None = option(
        "Balanced accuracy, R^2 or concordance to reach on new rows. Needs a table.",
        metavar="SCORE",
    )
    find_effect: Number | None = option(
        "Effect of a feature that the selection should find: difference of two classes in standard "
        "deviations, Cohen's w of a nominal feature, correlation with a numeric target, or log "
        "hazard ratio per standard deviation. hetsel adds such a column to rows drawn from the "
        "table; the draw removes chance associations. Needs a table.",
        metavar="EFFECT",
    )
    effect_kind: Literal["continuous", "nominal"] = option(
        "Kind of the feature with this effect.", "continuous"
    )


class AskedCurve(Question, heading="learning curve, with a table"):
    """Options of the learning curve of a table."""

    repeats: OneWholeNumber = option(
        "Number of draws of nested subsets of the rows for the learning curve.", 10
    )
    plantings: OneWholeNumber = option(
        "Number of columns with the effect to add, for each number of rows.", 40
    )


class PlanRows(AskedCurve, Wanted, ExpectedStudy):
    """Options of a plan: the expected study, its goals and the learning curve."""


class OfSignature(Question, heading="signature, with a table"):
    """Options of the signature that the learning curve evaluates."""

    size: int | str | None = option(
        'Number of features, or the rule that chooses it, as in `hetsel select`: "one-se", '
        '"quarter-se", "knee" or "equal". Default: "quarter-se" for classes, else '
        '"one-se".',
        metavar="SIZE",
    )
    positive: Label | None = option(
        "Positive class, of two classes. Default: yes, true, 1, or the last class by name.",
        metavar="CLASS",
        targets=("classes",),
    )
    folds: int = option("Number of folds of the cross-validations.", 5)


class PlannedSignature(
    of_a_table.Processes,
    of_a_table.Seed,
    of_a_table.Cells,
    of_a_table.Kinds,
    select.SelectedTarget,
    OfSignature,
    of_a_table.Method,
    Python="set in `signature`, a `hetsel.Signature`",
):
    """Options of the signature whose learning curve is computed."""

    jobs: int | None = option("Largest number of processes. Results do not depend on it.", 1)


class PlanRowsOfTable(
    of_files.Written,
    of_files.Reading,
    of_a_table.Rows,
    PlanRows,
    PlannedSignature,
    plan="a study takes all rows of its data sets",
):
    """Options of a plan with or without a table.

    The result is a :class:`hetsel.signature.planning.plan_facts.PlanFacts`.
    """

    table: File | None = option(
        "File with the table, or the name of a data set. Without a table hetsel uses the criteria "
        "only.",
        metavar="TABLE",
        positional=True,
        lacks={"Python": "`X`", "R": "`x`"},
    )
    progress: Any = option(
        "Function to call with (finished, all) parts of the work.",
        r="Whether to report the progress every few seconds.",
        documented="callable",
        lacks={"shell": "a terminal shows the progress"},
        in_r="interactive()",
    )
