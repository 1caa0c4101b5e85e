"""How many rows does a study need, before it?"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from hetsel.questions.option import Option

EXPECTED, WANTED, TABLE = "what is expected", "what is wanted", "the signature, with a table"

Number = Annotated[float, Meta(title="one number")]
Whole = Annotated[int, Meta(title="one whole number")]
Shares = Annotated[float | tuple[float, ...], Meta(title="one number, or one a class")]


class PlanRows(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What is expected of a study, what is wanted of it, and how a table is asked."""

    candidates: Annotated[
        Whole | None,
        Option(
            "parameters that the selection may choose from, not those that it chooses: a column of "
            "numbers has one, a nominal one of k levels k - 1",
            EXPECTED,
            "N",
        ),
    ] = None
    prevalence: Annotated[
        Shares | None,
        Option(
            "share of the rows with the event; of more than two classes the share of each",
            EXPECTED,
            "P[,P...]",
        ),
    ] = None
    c_statistic: Annotated[
        Number | None,
        Option(
            "how good the model may be: area under the ROC curve; of more than two classes that of "
            "each pair. Or `r2`, or `nagelkerke_r2`",
            EXPECTED,
            "C",
            ("--auc",),
        ),
    ] = None
    r2: Annotated[
        Number | None,
        Option(
            "R^2 of Cox and Snell of classes and survival times, R^2 of numbers", EXPECTED, "R2"
        ),
    ] = None
    nagelkerke_r2: Annotated[
        Number | None, Option("Nagelkerke's R^2; 0.15 where nothing is known", EXPECTED, "R2")
    ] = None
    event_rate: Annotated[
        Number | None, Option("of survival times: events in a unit of time", EXPECTED, "RATE")
    ] = None
    follow_up: Annotated[
        Number | None,
        Option("of survival times: mean time that a row is followed", EXPECTED, "TIME"),
    ] = None
    horizon: Annotated[
        Number | None,
        Option("of survival times: time at which the risk is asked for", EXPECTED, "TIME"),
    ] = None
    mean: Annotated[
        Number | None,
        Option(
            "of numbers; with `deviation`, for the mean to be known within 10 %", EXPECTED, "MEAN"
        ),
    ] = None
    deviation: Annotated[
        Number | None, Option("standard deviation of the numbers", EXPECTED, "SD")
    ] = None
    shrinkage: Annotated[
        Number, Option("that the effects may need by overfitting", EXPECTED, "S")
    ] = 0.9
    optimism: Annotated[
        Number, Option("by which the apparent R^2 may be too large", EXPECTED, "D")
    ] = 0.05
    margin: Annotated[Number, Option("to which the overall risk is to be known", EXPECTED, "D")] = (
        0.05
    )
    width: Annotated[
        Number | None,
        Option(
            "width of the 95 % interval of the balanced rate and of the AUC by nested "
            "cross-validation; with a table of numbers or survival times of R^2 or concordance",
            WANTED,
            "W",
        ),
    ] = None
    rate: Annotated[
        Number | None,
        Option("balanced rate, R^2 or concordance on new rows, with a table", WANTED, "RATE"),
    ] = None
    find_effect: Annotated[
        Number | None,
        Option(
            "effect of a feature to be found, with a table: difference of two classes in standard "
            "deviations, Cohen's w of a nominal one, correlation with numbers, or logarithm of the "
            "hazard ratio of a standard deviation. Such a column is planted among those of rows "
            "drawn from the table, without its chance associations",
            WANTED,
            "D",
        ),
    ] = None
    effect_kind: Annotated[
        Literal["continuous", "nominal"], Option("the kind of the column with this effect", WANTED)
    ] = "continuous"
    repeats: Annotated[
        Whole, Option("draws of nested subsets of the rows for the learning curve", TABLE, "N")
    ] = 10
    plantings: Annotated[Whole, Option("planted columns at each number of rows", TABLE, "N")] = 40
