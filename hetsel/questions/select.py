"""Options of `hetsel select`: one signature, its size, its performance and its stability."""

from typing import Any, Literal

from hetsel.questions import of_a_table, of_files
from hetsel.questions.option import Columns, File, Label, PerRow, Question, Reals, Shares, option


class SignatureMethod(of_a_table.Method, heading="method"):
    """Options of the method that selects the signature."""

    method: str = option(
        "Selection method, by its key in `hetsel methods`. The method weights the classes equally "
        "if it can and if its parameters do not set class_weight. Of several methods, hetsel "
        "chooses the best by inner cross-validation.",
        "rfe-mkl",
        metavar="KEY",
        shell="Selection method; `hetsel methods` lists all keys. The method weights the classes "
        "equally if it can and if `params` does not set class_weight.",
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


class FittedRows(of_a_table.Weights, of_a_table.Rows, heading="rows"):
    """Options of the training rows."""

    row_groups: PerRow | None = option(
        "Group of each row, such as the patient. The rows of a group are held out and permuted "
        "together, and confidence intervals account for the groups. "
        '"copies": equal and nearly equal rows form a group, or rows with the same number in a '
        'column that is an identifier by its name, such as patient. "rows": each row is a separate '
        'group. Default: "copies".',
        shell="Column with the group of each row, such as the patient. The rows of a group are "
        "held out and permuted together, and confidence intervals account for the groups. The "
        "column is not a feature. Instead of a column: 'copies' groups equal and nearly equal "
        "rows, or rows with the same number in a column that is an identifier by its name; 'rows' "
        "makes each row a separate group. Default: 'copies'.",
        documented='array-like of shape (n,), "copies" or "rows"',
    )
    row_weights: PerRow | None = option(
        "Weight of each row, such as a survey weight or an inverse probability; 0 leaves the row "
        "out. Only the ratios of weights matter; `C` applies to a row of mean weight. Selection, "
        "model and performance are weighted, confidence intervals use Kish's effective sample size "
        "(Kish 1965), and a weight stays with its row when the target is permuted. Only for "
        "rfe-mkl, rfe-svm and rfe-svm-printed.",
        shell="Column with the weight of each row, a number above 0; only the ratios of weights "
        "matter. The column is not a feature. Only for rfe-mkl, rfe-svm and rfe-svm-printed.",
    )


class SelectedTarget(of_a_table.Target, heading="target"):
    """Options of the target of a signature."""

    target_kind: Literal["classes", "numbers", "survival", "martingale"] | None = option(
        'Kind of the target. Default: "survival" for survival times, else "classes"; the shell and '
        'R use "numbers" for fractions.',
        also=("--as",),
        shell="Kind of the target. Default: numbers for fractions, survival for survival times, "
        "else classes. martingale is for `hetsel rank` and `hetsel search` only.",
        documented='{"classes", "numbers", "survival"}',
    )


class Procedure(Question, heading="signature"):
    """Options of the choice and the evaluation of the signature."""

    size: int | str | None = option(
        'Number of features, or the rule that chooses it. "one-se": the smallest size within one '
        'standard error of the best. "quarter-se": within a quarter of it. "knee": where the curve '
        'bends. "equal": the smallest size within 1% of the best. Default: "quarter-se" for '
        'classes, else "one-se".',
        metavar="SIZE",
        documented='{"one-se", "quarter-se", "knee", "equal"}, int or None',
    )
    C: float | None = option(
        "Cost parameter of the final model (the bound on its dual variables, or the cost of a "
        "row): a larger value fits the training rows more closely. Default: 10 for classes, 3 for "
        "numbers, 1 for survival times.",
        metavar="COST",
    )
    folds: int | None = option(
        "Number of folds of the nested cross-validation. Default: 10, or 5 for more than 5,000 "
        "rows."
    )
    repeats: int | None = option(
        "Number of repeats of the nested cross-validation. Default: 3, or 1 for more than 5,000 "
        "rows."
    )
    permutations: int | None = option(
        "Number of permutations of the target for the test against chance: 39 or more, or 0 for "
        "no test. With k methods the smallest number is 40 k - 1. Default: as many as the verdict "
        "needs, at most 499 (500 k - 1 with k methods)."
    )
    pairs: int | None = option(
        "Number of pairs of half-samples in which selection is repeated, to estimate stability "
        "and selection frequencies; 0 for none. Default: 50, or 20 for more than 5,000 rows."
    )
    positive: Label | None = option(
        "Positive class, of two classes; sensitivity, point score and reports refer to it. "
        "Default: yes, true, 1, or the last class by name.",
        metavar="CLASS",
        targets=("classes",),
    )
    unseen: Literal["error", "separate"] = option(
        'Handling of a level to predict that no training row had. "error": refuse it. '
        '"separate": treat it as a separate level.',
        "error",
        lacks={"shell": "an option of `hetsel predict`"},
    )
    quick: bool = option(
        "Compute a quick first result: one cross-validation, no permutation test, no half-samples "
        "and no interactions. `repeats`, `permutations` and `pairs` still apply if you specify "
        "them. The report lists what is missing.",
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


class Probabilities(Question, heading="probabilities and subgroups"):
    """Options of predicted probabilities and of performance in subgroups."""

    prevalence: float | Shares | None = option(
        "Prevalence of the positive class, or of each class, where the model will be used. Set it "
        "if rows were sampled by class: predicted probabilities and their performance then refer "
        "to this prevalence.",
        metavar="PROPORTION",
        shell="Prevalence of the positive class where the model will be used, for example 0.02. "
        "Set it if rows were sampled by class. For more than two classes: A=0.1,B=0.9.",
        targets=("classes",),
    )
    thresholds: Reals | None = option(
        "Thresholds at which predictive values and net benefit are reported; the smallest and the "
        "largest are the ends of the decision curve. Default: 0.05, 0.1, 0.2, 0.3 and 0.5, with a "
        "curve from 0.01 to 0.99.",
        metavar="PROBABILITY,...",
        targets=("classes",),
    )
    cost_of_missing: float | None = option(
        "Harm of a missed case divided by the harm of an unnecessary treatment. A ratio r sets the "
        "threshold 1 / (1 + r).",
        metavar="RATIO",
        targets=("classes",),
    )
    by: Columns | None = option(
        "Columns that define subgroups, by their levels or by thirds of their numbers. Performance "
        "is also reported in each subgroup.",
        shell="Columns that define subgroups, by their levels or by thirds of their numbers. "
        "Performance is also reported in each subgroup. In `hetsel select` the columns remain "
        "features unless `drop` names them.",
        documented="column name, sequence of them, or DataFrame with n rows",
    )


class SignatureFiles(of_files.Written, heading="output", **of_files.WRITTEN):
    """Files that a signature can be written to."""

    save: File | None = option("Save model and results to a .json file for `hetsel predict`.")
    without_sketches: bool = option(
        "Save the signature without the numbers by which `hetsel validate` recognizes training "
        "rows.",
        False,
    )
    report: File | None = option(
        "Write a report with the items that a paper needs to a .html, .md or .docx file."
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
