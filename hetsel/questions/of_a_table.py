"""What all questions on a table ask: its target, columns, rows, the method, how it is computed."""

from typing import Literal

from hetsel.questions.option import Columns, Costs, Params, PerRow, Question, asked_by, option

Y = "`y` is the target"


class Target(Question, heading="the target"):
    """What is to be predicted."""

    target: str | None = option(
        "the column with the class of each row", lacks={"Python": Y, "R": Y}
    )
    target_kind: Literal["classes", "numbers", "survival", "martingale"] | None = option(
        "what the target holds; default: fractions are numbers, survival times what they are, "
        'all else is classes. "martingale", in ranks and searches: a method for numbers gets '
        "the martingale residuals of survival times of the model without features, larger where"
        " the event came sooner than expected. `hetsel methods` says which methods take what",
        also=("--as",),
    )
    time: str | None = option(
        "in place of `target`: the column with the time until an event of each row or, where there "
        "was none, until when that is known",
        lacks={"Python": "`y` is `hetsel.survival(time, event)`", "R": "`y` is `Surv()`"},
    )
    event: str | None = option(
        "the column that says whether the event of `time` happened: 1 and 0, or True and False; "
        "rows without are right-censored",
        lacks={"Python": "`y` is `hetsel.survival(time, event)`", "R": "`y` is `Surv()`"},
    )
    event_value: str | None = option(
        "the cell of `event` that says so, where it has others: dead, or 2",
        metavar="VALUE",
        lacks={"Python": "`hetsel.survival` has it", "R": '`Surv(time, status == "dead")`'},
    )


class Kinds(Question, heading="what the columns are"):
    """What the columns are."""

    nominal: Columns | None = option(
        "columns of levels without order, whatever their type",
        documented="sequence of column names or positions, or slice",
    )
    continuous: Columns | None = option(
        "columns of numbers, dates, whatever their type",
        documented="sequence of column names or positions, or slice",
    )
    ordinal: Columns | None = option(
        "columns of ordered numbers, or by name the levels of each from lowest to highest",
        metavar="A,B or 'A=I<II<III'",
        shell="columns of ordered numbers, or one of ordered text with its levels",
        documented="sequence of column names or positions, or mapping of name to levels",
    )
    drop: Columns | None = option(
        "columns to leave out",
        lacks={"Python": "`X` is without them", "R": "`x` is without them, or the formula"},
    )
    schema: str | None = option(
        "what the columns are, fixed beforehand; then nothing is inferred",
        metavar="FILE",
        shell="take the kinds from a saved schema",
        documented="Schema",
        lacks={"R": "the types of the columns say it", "plan": "each column is named"},
    )


class Scale(Question, heading="the cells"):
    """How continuous columns are scaled."""

    scale: Literal["range", "quantile", "robust"] = option(
        'what continuous columns are measured by: "range", which one cell can stretch, "quantile", '
        'the share of the rows below, or "robust", the range of the middle 90 % of the rows',
        "range",
    )


class Cells(Scale, heading="the cells"):
    """What becomes of the cells."""

    missing: Literal["impute", "separate", "error"] = option(
        'what becomes of missing cells: "impute" fills them with the median or the most frequent '
        'level, "separate" keeps missing as a value of its own, "error" refuses them',
        "impute",
    )


class Rows(Question, heading="the rows"):
    """Which rows belong together."""

    row_groups: PerRow | None = option(
        "labels of the rows: methods that hold rows out hold those of one label (one patient, "
        'say) out together. "copies" groups equal and nearly equal rows, "rows" takes each as '
        "one of its own",
        shell="rows with one value of this column are held out together; it is no feature. Where "
        'no column has that name: "copies" groups equal and nearly equal rows, "rows" takes each '
        "as one of its own",
        documented='array-like of shape (n,), "copies" or "rows"',
    )
    drop_unlabeled: bool = option(
        "leave out rows whose target is missing",
        False,
        lacks={"Python": "rows without a label are refused", "R": "rows without are refused"},
    )


class Weights(Question, heading="the rows"):
    """What the rows weigh."""

    row_weights: PerRow | None = option(
        "weights of the rows, numbers above 0 (a row of weight 0 is left out), for the methods "
        "that weigh rows: rfe-mkl, rfe-svm, rfe-svm-printed; a row of weight 2 counts as two, "
        "so that those of a survey are better divided by their mean",
        shell="weights of the rows, numbers above 0, for the methods that weigh rows: rfe-mkl, "
        "rfe-svm, rfe-svm-printed; a row of weight 2 counts as two; it is no feature",
    )


CLASS = "the class of the method is called with its parameters, or `method` is a mapping of both"
UNSUPPORTED = (
    'columns of a kind that the method does not take: "error" refuses them, "skip" leaves them '
    "without a rank"
)


class ColumnRules(Question, heading="what features may do"):
    """What subsets a search may stand on."""

    never: Columns | None = option("columns that are never in")
    column_groups: Columns | None = option(
        "columns that come and go together",
        also=("--group",),
        documented="sequence of sequences of column names or positions",
    )
    costs: Costs | None = option(
        "what a column costs, others nothing; ties then go to the cheaper subset"
    )
    budget: float | None = option("most that a subset may cost", metavar="COST")


RULES = tuple(one.name for one in asked_by(ColumnRules))


class MethodRules(ColumnRules, Python="parameters of a method that searches, such as sffs-5nn"):
    """The same of a method that searches subsets; others refuse them."""


class Method(MethodRules, heading="the method"):
    """Which method selects."""

    method: str = option(
        "key of the method; `hetsel methods` lists them",
        "rfe-mkl",
        metavar="KEY",
        lacks={"Python": CLASS, "plan": "an entry of `methods`, by its `key`"},
    )
    params: Params | None = option(
        "parameters of the method by name",
        also=("--param",),
        shell="a parameter of the method, e.g. C=1.0",
        lacks={"Python": CLASS},
    )
    prove: bool = option(
        "spend more work on cuts that stay open (a parameter of rfe-mkl)",
        False,
        lacks=dict.fromkeys(("Python", "R", "plan"), "a parameter of the method: `params`"),
    )
    always: Columns | None = option(
        "columns that are in every signature: first in a ranking, never eliminated"
    )
    unsupported: Literal["error", "skip"] = option(UNSUPPORTED, "error")


class Seed(Question, heading="how it is computed"):
    """What is drawn."""

    seed: int = option(
        "seed of all that is drawn, a whole number; the same call gives the same answer",
        0,
        documented="int, RandomState or None",
    )


class Processes(Question, heading="how it is computed"):
    """Where it is computed."""

    jobs: int | None = option(
        "processes at the most, which begin where they save time; they change no number. None is "
        "this one, -1 takes every processor",
        r="processes at the most, each a Python of its own, which begin where they save time; they "
        "change no number. 0 and 1 compute in this session, NULL takes every processor",
        shell="processes at the most, where they pay; it changes no number; default: every CPU",
        in_r="1",
    )
    dask: str | None = option(
        "address of an existing Dask cluster to compute on, e.g. tcp://host:8786: of your own, "
        "as what its scheduler sends is unpickled",
        metavar="ADDRESS",
        lacks={"R": "R's own methods need R on each machine: a study of R has it"},
    )
