"""One signature: how many features, which, how good, how sure?"""

from typing import Any, Literal

from hetsel.questions import of_a_table, of_files
from hetsel.questions.option import Columns, File, Label, PerRow, Question, Reals, Shares, option


class SignatureMethod(of_a_table.Method, heading="the method"):
    """Which method selects the signature."""

    method: str = option(
        "selection method: a key of `hetsel methods`, which stands for the method that weighs "
        "classes alike, where it can and its parameters do not say another class_weight. Of "
        "several the best is chosen, by rows that do not judge it",
        "rfe-mkl",
        metavar="KEY",
        shell="see `hetsel methods`",
        documented="str, class, selector or mapping, or a list of such",
    )
    always: Columns | None = option(
        "columns that are in every signature, also in folds, halves and permutations; stability "
        "and false selections are those of the others"
    )
    unsupported: Literal["error", "skip"] = option(
        of_a_table.UNSUPPORTED, "error", lacks={"Python": "a parameter of the method"}
    )
    methods: str | None = option(
        "several methods, of which the best is chosen by rows that do not judge it; in place of "
        "`method`",
        metavar="A,B",
        lacks=dict.fromkeys(("Python", "R"), "`method` takes several"),
    )


class FittedRows(of_a_table.Weights, of_a_table.Rows, heading="the rows"):
    """The rows that a signature is learned from."""

    row_groups: PerRow | None = option(
        "labels of the rows: those of one label (one patient, say) are held out together, exchange "
        "their targets together, and count in intervals as what they are. Where nothing is said, "
        'and by "copies", equal and nearly equal rows are such groups, or those of one number in a '
        'column that is an identifier by its name, such as patient; "rows" takes each row as one '
        "of its own",
        documented='array-like of shape (n,), "copies" or "rows"',
    )
    row_weights: PerRow | None = option(
        "weights of the rows, of a survey or an inverse probability; 0 leaves a row out. Only "
        "their ratios count, and `C` is that of a row of mean weight. Selection, model and rates "
        "are weighted, intervals count Kish's effective number of rows (Kish 1965), and a weight "
        "stays with its row when the target is permuted. For rfe-mkl, rfe-svm, rfe-svm-printed",
        shell="weights of the rows, numbers above 0, for the methods that weigh rows: rfe-mkl, "
        "rfe-svm, rfe-svm-printed; only their ratios count; it is no feature",
    )


class SelectedTarget(of_a_table.Target, heading="the target"):
    """The target of a signature."""

    target_kind: Literal["classes", "numbers", "survival", "martingale"] | None = option(
        "what the target holds; default: survival times where it has them, else classes; in the "
        "shell and in R fractions are numbers",
        also=("--as",),
        documented='{"classes", "numbers", "survival"}',
    )


class Procedure(Question, heading="the signature"):
    """How the signature is chosen and judged."""

    size: int | str | None = option(
        '"one-se": the smallest size within one standard error of the best; "quarter-se": a '
        'quarter of it; "knee": where the curve bends; "equal": the smallest within 1 % of the '
        'best; or a number; default: "quarter-se" for classes, else "one-se"',
        metavar="RULE",
        documented='{"one-se", "quarter-se", "knee", "equal"}, int or None',
    )
    C: float | None = option(
        "bound on the dual variables of the final model, or cost of a row; default 10 for classes, "
        "3 for numbers, 1 for survival times",
        metavar="C",
    )
    folds: int | None = option(
        "of the nested cross-validations; default 10, of more than 5,000 rows 5"
    )
    repeats: int | None = option(
        "of the nested cross-validations; default 3, of more than 5,000 rows 1"
    )
    permutations: int | None = option(
        "of the labels, to test against chance, 39 or more; 0 is no test; default: as many as "
        "settle the verdict, 499 at the most (of k methods 40 k - 1 and 500 k - 1)"
    )
    pairs: int | None = option(
        "pairs of halves of the rows, in which features are selected once more, to see which of "
        "them others would select; 0 is none; default 50, of more than 5,000 rows 20"
    )
    positive: Label | None = option(
        "the positive one of two classes, which pages, points and sensitivity are about; "
        "default: yes, true, 1 or last",
        metavar="CLASS",
        targets=("classes",),
    )
    unseen: Literal["error", "separate"] = option(
        'what becomes of a level to predict that no row of the fit had: "error", or "separate", a '
        "level of its own",
        "error",
        lacks={"shell": "`hetsel predict` has it"},
    )
    quick: bool = option(
        "for a first look: one cross-validation, no test, no halves, unless their numbers are "
        "given, and no joint effects; the page says what it lacks",
        False,
    )
    progress: Any = option(
        "called with (finished, all, step): parts of a step of the work, and its name",
        r="whether to say every few seconds how much is done",
        documented="callable",
        lacks={"shell": "the terminal shows how far it is"},
        in_r="interactive()",
    )


class Probabilities(Question, heading="what its probabilities are worth"):
    """What probabilities are judged by."""

    prevalence: float | Shares | None = option(
        "share of the positive class where the model is used, or of each class: where rows were"
        " sampled by class, probabilities and what they are worth are those there",
        metavar="SHARE",
        shell="share of the positive class where the model is used, if rows were sampled by class: "
        "0.02; of more classes A=0.1,B=0.9",
        targets=("classes",),
    )
    thresholds: Reals | None = option(
        "probabilities at which predictive values and net benefit are told; the decision curve "
        "goes from the first to the last",
        metavar="P,P",
        targets=("classes",),
    )
    cost_of_missing: float | None = option(
        "loss of a case that is missed over that of a needless treatment: treat from a "
        "probability of 1 / (1 + C) on",
        metavar="C",
        targets=("classes",),
    )
    by: Columns | None = option(
        "columns in whose parts (levels, or thirds of numbers) the performance is told as well",
        shell="columns in whose parts the performance is told as well; where a signature is "
        "learned `drop` keeps them from being features",
        documented="column name, sequence of them, or DataFrame with n rows",
    )


class SignatureFiles(of_files.Written, heading="the output", **of_files.WRITTEN):
    """What is written of a signature."""

    save: File | None = option("write model and facts: .json, for `hetsel predict`")
    without_sketches: bool = option(
        "of `save`: without the numbers by which `hetsel validate` knows rows again", False
    )
    report: File | None = option(
        "write a page to read, with what a paper needs: .html, .md or .docx"
    )


class Select(
    SignatureFiles,
    of_a_table.Processes,
    of_a_table.Seed,
    of_a_table.Cells,
    Probabilities,
    FittedRows,
    Procedure,
    SignatureMethod,
    SelectedTarget,
    of_files.OnTable,
    plan="a study compares methods over sizes",
):
    """Everything that is asked of a signature.

    It answers with :class:`hetsel.signature.signature_facts.SignatureFacts`.
    """
