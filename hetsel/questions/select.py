"""Options of `hetsel select`: one signature, its size, its performance and its stability."""

from typing import Any, Literal

from hetsel.questions import of_a_table, of_files
from hetsel.questions.of_a_table import COPIES
from hetsel.questions.option import Columns, File, Label, PerRow, Question, Reals, Shares, option
from hetsel.questions.rank import RULES

BALANCED = "If the method can weight classes, all classes get the same total weight,"


class SignatureMethod(of_a_table.Method, heading="method"):
    """Options of the method that selects the signature."""

    method: str = option(
        "Key of the selection method; `hetsel methods` lists all keys. If you name several "
        f"methods, hetsel chooses the best by inner cross-validation. {BALANCED} unless its "
        "parameters set class_weight.",
        "rfe-mkl",
        metavar="KEY",
        shell=f"Key of the selection method; `hetsel methods` lists all keys. {BALANCED} unless "
        "--param sets class_weight.",
        documented="str, class, selector or mapping, or a list of such",
    )
    always: Columns | None = option(
        "Columns to include in every signature, also in folds, half-samples and permutations. "
        "Stability and expected false selections refer to the other features."
    )
    unsupported: Literal["error", "skip"] = option(
        of_a_table.UNSUPPORTED, "error", lacks={"Python": "a parameter of the method"}
    )
    methods: str | None = option(
        "Several methods, separated by commas; hetsel chooses the best by inner cross-validation. "
        "Use instead of `method`.",
        metavar="KEY,...",
        lacks=dict.fromkeys(("Python", "R"), "`method` takes several"),
    )


TOGETHER = (
    "The rows of a group are in the same fold, and confidence intervals account for the groups. "
    "If every group has only one target value, the permutation test permutes these values among "
    "the groups. If targets vary within a group, groups of the same size exchange their targets "
    "as a whole; if any two sizes differ, targets are also permuted within every group."
)


class FittedRows(of_a_table.Weights, of_a_table.Rows, heading="rows"):
    """Options of the training rows."""

    row_groups: PerRow | None = option(
        f"Group of each row, such as the patient. {TOGETHER} "
        f'"copies" (default): {COPIES} "rows": each row is a separate group.',
        shell=f"Column with the group of each row, such as the patient. {TOGETHER} The "
        "column is not a feature. Instead of a column, you can specify one of two words, "
        f"'copies' or 'rows'. 'copies' (default): {COPIES} 'rows': each row is a separate group.",
        r="Group of each row: a vector such as `data$patient`, or the name of a column. "
        f'{TOGETHER} "copies" (or `NULL`): {COPIES} "rows": each row is a separate group.',
        documented='array-like of shape (n,), "copies" or "rows"',
    )
    row_weights: PerRow | None = option(
        "Weight of each row, such as a survey weight or an inverse probability; 0 leaves the row "
        "out. Only the ratios of weights matter; the cost parameter of a row is `C` times its "
        "weight divided by the mean weight. Selection, model and performance are weighted. "
        "Confidence intervals use the effective sample size (Kish 1965). When the target is "
        "permuted, each weight stays with its row. Only for rfe-mkl, rfe-svm and rfe-svm-printed.",
        shell="Column with the weight of each row, a number above 0; only the ratios of weights "
        "matter. The column is not a feature. Only for rfe-mkl, rfe-svm and rfe-svm-printed.",
    )


KIND = (
    'Kind of the target. Default: "survival" for survival times, "numbers" if some values are not '
    'whole numbers, else "classes". More than 20 different whole numbers have no default: '
    'specify "numbers" or "classes".'
)


class SelectedTarget(of_a_table.Target, heading="target"):
    """Options of the target of a signature."""

    target_kind: Literal["classes", "numbers", "survival", "martingale"] | None = option(
        'Kind of the target. Default: "survival" for survival times, else "classes". Specify '
        '"numbers" for a numeric target.',
        metavar="{classes,numbers,survival}",
        also=("--as",),
        shell=KIND,
        r=KIND,
        documented='{"classes", "numbers", "survival"}',
    )


class Procedure(Question, heading="signature"):
    """Options of the choice and the evaluation of the signature."""

    size: int | str | None = option(
        f'Number of features, or the rule that chooses the number. {RULES} Default: "quarter-se" '
        'for classes, else "one-se".',
        metavar="SIZE",
        documented='{"one-se", "quarter-se", "knee", "equal"}, int or None',
    )
    C: float | None = option(
        "Cost parameter of the final support vector machine, not of the selection method. A "
        "larger value fits the training rows more closely. Default: 10 for classes, 3 for "
        "numbers, 1 for survival times.",
        metavar="COST",
    )
    folds: int | None = option(
        "Number of outer folds of the nested cross-validation. For each outer fold, an inner "
        "cross-validation chooses the size: it holds out each of the other folds in turn. "
        "Default: 10, or 5 for more than 5,000 rows."
    )
    repeats: int | None = option(
        "Number of repeats of the nested cross-validation. Default: 3, or 1 for more than 5,000 "
        "rows."
    )
    permutations: int | None = option(
        "Number of permutations of the target for the test against chance: 39 or more, or 0 for "
        "no test. Default: hetsel stops when the result of the test is clear, after 499 "
        "permutations at the latest. If hetsel chooses among k methods, the numbers 39 and 499 "
        "become 40 k - 1 and 500 k - 1."
    )
    pairs: int | None = option(
        "Number of pairs of half-samples (random halves of the rows); 0 for none. hetsel repeats "
        "the selection in each half-sample to estimate stability and selection frequencies. "
        "Default: 50, or 20 for more than 5,000 rows."
    )
    positive: Label | None = option(
        "Positive class of a target with two classes; sensitivity, point score and reports refer "
        "to it. Default: the class named yes, true, 1 or similar, else the last class in "
        "alphabetical or numerical order; a categorical target keeps its order.",
        shell="Positive class of a target with two classes; sensitivity, point score and reports "
        "refer to it. Default: the class named yes, true, 1 or similar, else the last class in "
        "alphabetical or numerical order.",
        r="Positive class of a target with two classes; sensitivity, point score and reports refer "
        "to it. Default: the class named yes, true, 1 or similar, else the last level of the "
        "factor, or the last class in alphabetical or numerical order.",
        metavar="CLASS",
        targets=("classes",),
    )
    unseen: Literal["error", "separate"] = option(
        'Handling of a new row with a level that no training row had. "error": refuse the row. '
        '"separate": accept the level, with an effect of 0.',
        "error",
        lacks={"shell": "an option of `hetsel predict`"},
    )
    quick: bool = option(
        "Compute a quick first result: one repeat of the nested cross-validation, no permutation "
        "test, no half-samples and no search for interactions. `repeats`, `permutations` and "
        "`pairs` still apply if you specify them. The report lists what is missing.",
        False,
    )
    progress: Any = option(
        "Function to call with (finished, all, step): the finished and all parts of a step, and "
        "its name.",
        r="Whether to report the progress every few seconds.",
        documented="callable",
        lacks={"shell": "a terminal shows the progress"},
        in_r="interactive()",
    )


BY_DESIGN = (
    "Specify it if the study fixed the number of rows of each class, as in a case-control study. "
    "Predicted probabilities and their performance then refer to this prevalence."
)
SUBGROUPS = (
    "Columns that define subgroups; performance is also reported in each subgroup. Each level is a "
    "subgroup. A column with more than 6 different numbers is divided into 3 subgroups of similar "
    "size: low, middle and high numbers."
)


class Probabilities(Question, heading="probabilities and subgroups"):
    """Options of predicted probabilities and of performance in subgroups."""

    prevalence: float | Shares | None = option(
        "Prevalence of the positive class where the model will be used. For more than two classes, "
        f"map each class to its prevalence. {BY_DESIGN}",
        metavar="PROPORTION",
        shell="Prevalence of the positive class where the model will be used, for example 0.02. "
        f"For more than two classes, give each class: A=0.1,B=0.2,C=0.7. {BY_DESIGN}",
        r="Prevalence of the positive class where the model will be used. For more than two "
        f"classes, a vector with each class: `c(A = 0.1, B = 0.2, C = 0.7)`. {BY_DESIGN}",
        targets=("classes",),
    )
    thresholds: Reals | None = option(
        "Thresholds at which positive and negative predictive value and net benefit are reported. "
        "Default: 0.05, 0.1, 0.2, 0.3 and 0.5, with a decision curve from 0.01 to 0.99. If you "
        "specify thresholds, the curve goes from the smallest to the largest of them.",
        metavar="PROBABILITY,...",
        targets=("classes",),
    )
    harm_ratio: float | None = option(
        "Harm of a missed case divided by the harm of an unnecessary treatment. A ratio r adds "
        "the threshold 1 / (1 + r) to `thresholds`; with `by`, sensitivity and specificity of "
        "each subgroup are reported at this threshold. The classes that the model predicts do "
        "not depend on it.",
        metavar="RATIO",
        targets=("classes",),
    )
    by: Columns | None = option(
        SUBGROUPS,
        shell=f"{SUBGROUPS} In `hetsel select` these columns are features, too. To use a column "
        "only for subgroups, name it in `drop` as well.",
        documented="column name, sequence of them, or DataFrame with n rows",
    )


class SignatureFiles(of_files.Written, heading="output", **of_files.WRITTEN):
    """Files that a signature can be written to."""

    out: File | None = option("Write the features of the signature to a .csv or .tsv file.")
    save: File | None = option("Save model and results to a .json file for `hetsel predict`.")
    without_sketches: bool = option(
        "Do not save the sketches: numbers by which `hetsel validate` recognizes training rows.",
        False,
    )
    report: File | None = option(
        "Write a report as a .html, .md or .docx file, with the items that a paper needs."
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
    """Options of a signature.

    The result is a :class:`hetsel.signature.signature_facts.SignatureFacts`.
    """
