"""Options of `hetsel plan-rows`: how many rows does a study need?"""

from typing import Annotated, Any, Literal

from hetsel.questions import of_a_table, of_files, select
from hetsel.questions.option import File, Label, Question, option

Number = Annotated[float, "one number"]
OneWholeNumber = Annotated[int, "one whole number"]


class ExpectedStudy(Question, heading="expected study"):
    """What the user expects of the study."""

    candidates: OneWholeNumber | None = option(
        "Number of parameters of all candidate features, selected or not: a continuous feature has "
        "1, a nominal feature with k levels has k - 1."
    )
    prevalence: (
        Annotated[float | tuple[float, ...], "one number, or one number per class"] | None
    ) = option(
        "Expected proportion of rows with the event; for more than two classes the proportion of "
        "each class.",
        metavar="PROPORTION,...",
    )
    c_statistic: Number | None = option(
        "Expected AUC of the model; for more than two classes the AUC of each pair. Alternatives: "
        "`r2` or `nagelkerke_r2`.",
        metavar="AUC",
        also=("--c-statistic", "--auc"),
    )
    r2: Number | None = option(
        "Expected R^2: for classes and survival times R^2 of Cox and Snell, for a numeric target "
        "the coefficient of determination.",
        metavar="R2",
    )
    nagelkerke_r2: Number | None = option(
        "Expected R^2 of Nagelkerke. Use 0.15 if you know nothing about the expected performance.",
        metavar="R2",
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
        "Expected mean of a numeric target. From mean and `deviation`, hetsel computes the number "
        "of rows that estimates the mean within 10%.",
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
        "Largest acceptable margin of error of the estimated overall risk.", 0.05, metavar="MARGIN"
    )


class Wanted(Question, heading="goals"):
    """What the user wants of the study."""

    width: Number | None = option(
        "Width of the 95% CI of the performance from nested cross-validation: of balanced accuracy "
        "and AUC for classes. With a table also of R^2 for a numeric target, and of the "
        "concordance for survival times.",
        metavar="WIDTH",
    )
    rate: Number | None = option(
        "Balanced accuracy, R^2 or concordance to reach on new rows. Needs a table.",
        metavar="SCORE",
    )
    find_effect: Number | None = option(
        "Effect of a feature that the selection should find. For two classes: difference of the "
        "means in standard deviations, or Cohen's w for a nominal feature. For a numeric target: "
        "correlation. For survival times: log hazard ratio per standard deviation. hetsel adds a "
        "column with this effect to rows drawn from the table; the draw removes chance "
        "associations. Needs a table.",
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
        "Number of columns with the effect that hetsel adds, for each number of rows.", 40
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
        "Positive class of a target with two classes. Default: the class named yes, true, 1 or "
        "similar, else the last class in alphabetical or numerical order.",
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
        "File with the table, or the name of a data set. Without a table, hetsel computes only the "
        "criteria.",
        metavar="TABLE",
        positional=True,
        lacks={"Python": "`X`", "R": "`x`"},
    )
    out: File | None = option(
        "Write the criteria and their numbers of rows to a .csv or .tsv file.",
        lacks=of_files.WRITTEN,
    )
    progress: Any = option(
        "Function to call with (finished, all) parts of the work.",
        r="Whether to report the progress every few seconds.",
        documented="callable",
        lacks={"shell": "a terminal shows the progress"},
        in_r="interactive()",
    )
