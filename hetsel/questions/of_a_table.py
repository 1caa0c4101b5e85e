"""Options of all questions on a table: target, columns, rows, method and computation."""

from typing import Literal

from hetsel.questions.option import Columns, Costs, Params, PerRow, Question, asked_by, option

Y = "`y` is the target"


class Target(Question, heading="target"):
    """Options of the target."""

    target: str | None = option(
        "Column to predict: a class or a number.",
        metavar="COLUMN",
        lacks={"Python": Y, "R": Y},
    )
    target_kind: Literal["classes", "numbers", "survival", "martingale"] | None = option(
        'Kind of the target. Default: "survival" for survival times, "classes" for text and other '
        'categories, "numbers" if some numbers are not whole. Whole numbers are "classes" if they '
        'have at most 20 different values; for more, specify "numbers" or "classes". "martingale" '
        "is for survival times and a method for numeric targets. The method then uses the "
        "martingale residuals of the model without features, which are larger where an event came "
        "sooner than expected. `hetsel methods` lists the methods for each kind.",
        also=("--as",),
    )
    time: str | None = option(
        "Column with the time to the event or to censoring; use instead of `target`.",
        metavar="COLUMN",
        lacks={"Python": "`y` is `hetsel.survival(time, event)`", "R": "`y` is `Surv()`"},
    )
    event: str | None = option(
        "Column that marks the event of `time`: 1 or True for an event, 0 or False for a "
        "right-censored row.",
        metavar="COLUMN",
        lacks={"Python": "`y` is `hetsel.survival(time, event)`", "R": "`y` is `Surv()`"},
    )
    event_value: str | None = option(
        "Value of `event` that marks an event, for example dead or 2. Needed if the column has "
        "other values than 1 and 0, or True and False.",
        metavar="VALUE",
        lacks={"Python": "use `hetsel.survival`", "R": '`Surv(time, status == "dead")`'},
    )


class Kinds(Question, heading="kinds of columns"):
    """Options of the kinds of columns."""

    nominal: Columns | None = option(
        "Columns to read as unordered levels, whatever their type.",
        documented="sequence of column names or positions, or slice",
    )
    continuous: Columns | None = option(
        "Columns to read as numbers or dates, whatever their type.",
        documented="sequence of column names or positions, or slice",
    )
    ordinal: Columns | None = option(
        "Columns to read as ordered levels with equal distances. A column of numbers is ordered "
        "by its numbers; for text, map the name of the column to its levels from lowest to "
        "highest.",
        metavar="COLUMN,...",
        r="Columns to read as ordered levels with equal distances. For numbers and ordered "
        "factors, the name is enough. For other columns pass a list with the levels from lowest "
        "to highest, such "
        'as `list(stage = c("I", "II", "III"))`.',
        shell="Columns to read as ordered levels with equal distances. A column of numbers is "
        "ordered by its numbers. For a column of text, add the levels from lowest to highest, "
        "for example 'stage=I<II<III'; repeat the option for each such column.",
        documented="sequence of column names or positions, or mapping of name to levels",
    )
    drop: Columns | None = option(
        "Columns to leave out of the table.",
        lacks={"Python": "leave them out of `X`", "R": "leave them out of `x` or the formula"},
    )
    schema: str | None = option(
        "Kinds and levels of all columns, fixed beforehand; hetsel then infers none.",
        metavar="FILE",
        shell="Read the kinds of all columns from a file of `hetsel inspect --save-schema`.",
        documented="Schema",
        lacks={"R": "given by the types of the columns", "plan": "names each column"},
    )


class Scale(Question, heading="values"):
    """Options of the scale of continuous columns."""

    scale: Literal["range", "quantile", "robust"] = option(
        'Scaling of continuous columns. "range": divide by the range, which one outlier can '
        'stretch. "quantile": replace each value by the proportion of rows with a smaller value. '
        '"robust": divide by the range of the middle 90% of the rows.',
        "range",
    )


class Cells(Scale, heading="values"):
    """Options of scaling and missing values."""

    missing: Literal["impute", "separate", "error"] = option(
        'Handling of missing values. "impute": replace them with the median, or in nominal columns '
        'with the most frequent level. "separate": missing is a value of its own, equal to '
        'other missing values and different from all numbers and levels. "error": refuse them.',
        "impute",
    )


COPIES = (
    "hetsel looks for groups itself: duplicate rows (equal or nearly equal), and rows with the "
    "same value in a column whose name marks an identifier, such as patient. If it finds "
    "duplicate rows and an identifier, it uses whichever puts more rows into groups. An "
    "identifier that hetsel finds stays a feature in any case."
)


class Rows(Question, heading="rows"):
    """Options of the row groups."""

    row_groups: PerRow | None = option(
        "Group of each row, such as the patient. Methods that hold out rows keep the rows of a "
        f'group together. "copies": {COPIES} "rows": each row is a separate group.',
        shell="Column with the group of each row, such as the patient; the rows of a group are "
        "held out together. The column is not a feature. Instead of a column, you can specify "
        f"one of two words, 'copies' or 'rows'. 'copies': {COPIES} 'rows': each row is a separate "
        "group.",
        documented='array-like of shape (n,), "copies" or "rows"',
    )
    drop_unlabeled: bool = option(
        "Leave out rows without a target.",
        False,
        lacks={"Python": "rows without a target are refused", "R": "such rows are refused"},
    )


class Weights(Question, heading="rows"):
    """Options of the row weights."""

    row_weights: PerRow | None = option(
        "Weight of each row: a number above 0, or 0 to leave the row out. A row of weight 2 counts "
        "as two rows, so divide survey weights by their mean. Only for rfe-mkl, rfe-svm and "
        "rfe-svm-printed.",
        shell="Column with the weight of each row, a number above 0. A row of weight 2 counts as "
        "two rows. The column is not a feature. Only for rfe-mkl, rfe-svm and rfe-svm-printed.",
    )


CLASS = "pass parameters to the class of the method, or a mapping as `method`"
UNSUPPORTED = (
    'Handling of columns of a kind that the method cannot use. "error": refuse them. "skip": '
    "leave them without a rank, so that they are not selected."
)


GROUP = "Columns to add and remove together. Repeat the option for each group."
GROUP_OF_R = (
    "Groups of columns to add and remove together: a list of vectors of names, such as "
    '`list(c("sbp", "dbp"))`.'
)
NEVER = (
    "Columns that are never selected. They stay in the table: hetsel still uses them, for example "
    "to find duplicate rows."
)
COSTS = (
    "Cost of each named column; other columns cost nothing. Of two subsets that tie, the search "
    "chooses the cheaper one."
)


class ColumnRules(Question, heading="constraints on features"):
    """Constraints on the subsets of a search."""

    never: Columns | None = option(NEVER)
    column_groups: Columns | None = option(
        "Columns to add and remove together.",
        also=("--group",),
        shell=GROUP,
        r=GROUP_OF_R,
        documented="sequence of sequences of column names or positions",
    )
    costs: Costs | None = option(COSTS)
    budget: float | None = option("Largest total cost of a subset.", metavar="COST")


RULES = tuple(one.name for one in asked_by(ColumnRules))


SEARCHES = "Only for methods that search subsets: their keys begin with sfs, sffs or dos."


class MethodRules(ColumnRules, Python="parameters of a method that searches, such as sffs-5nn"):
    """The same constraints for a method that searches subsets; other methods refuse them."""

    never: Columns | None = option(f"{NEVER} {SEARCHES}")
    column_groups: Columns | None = option(
        f"Columns to add and remove together. {SEARCHES}",
        also=("--group",),
        shell=f"{GROUP} {SEARCHES}",
        r=f"{GROUP_OF_R} {SEARCHES}",
    )
    costs: Costs | None = option(f"{COSTS} {SEARCHES}")
    budget: float | None = option(f"Largest total cost of a subset. {SEARCHES}", metavar="COST")


class Method(MethodRules, heading="method"):
    """Options of the selection method."""

    method: str = option(
        "Key of the method; `hetsel methods` lists all keys.",
        "rfe-mkl",
        metavar="KEY",
        lacks={"Python": CLASS, "plan": "an entry of `methods`, by its `key`"},
    )
    params: Params | None = option(
        "Parameters of the method by name.",
        also=("--param",),
        shell="Parameter of the method, for example C=1.0. Repeat the option for each parameter.",
        lacks={"Python": CLASS},
    )
    prove: bool = option(
        "Compute longer, up to 1,000 times as long, to prove more ranks. A rank is proved if "
        "rounding errors cannot have changed it. Only for rfe-mkl.",
        False,
        lacks=dict.fromkeys(("Python", "R", "plan"), "a parameter of the method: `params`"),
    )
    always: Columns | None = option(
        "Columns to include in every signature: they are ranked first and never eliminated."
    )
    unsupported: Literal["error", "skip"] = option(UNSUPPORTED, "error")


class Seed(Question, heading="computation"):
    """Option of the random numbers."""

    seed: int = option(
        "Seed of the random numbers, a whole number. The same call gives the same result.",
        0,
        documented="int, RandomState or None",
    )


class Processes(Question, heading="computation"):
    """Options of parallel computation."""

    jobs: int | None = option(
        "Largest number of processes, used where they save time. Results do not depend on it. "
        "None: only this process. -1: one per processor.",
        r="Largest number of processes, each with its own Python, used where they save time. "
        "Results do not depend on it. 0 or 1: compute in this session. NULL: one per processor.",
        shell="Largest number of processes, used where they save time. Results do not depend on "
        "it. Default: one per processor.",
        in_r="1",
    )
    dask: str | None = option(
        "Address of a running Dask cluster to compute on, for example tcp://host:8786. Use only a "
        "cluster that you trust, since its messages are unpickled and can run code.",
        metavar="ADDRESS",
        lacks={"R": "R methods need R on each machine; use a study in R"},
    )
