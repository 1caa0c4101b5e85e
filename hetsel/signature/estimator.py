"""Select a signature from a table and estimate its performance."""

from dataclasses import KW_ONLY, dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import RegressorTags, Tags
from sklearn.utils.validation import check_is_fitted

from hetsel.evaluation.engines.engine_runs import kept_workers
from hetsel.evaluation.progress import StepProgress, of_step
from hetsel.ground import write_files
from hetsel.models.additive_model import EffectCurve
from hetsel.pitfalls.cautions_on_rows import asked_groups, levels_of_groups
from hetsel.selection.selected_columns import SelectedColumns
from hetsel.signature import reported_values, request
from hetsel.signature.predictions import Predictions
from hetsel.signature.saved_signature import SavedSignature
from hetsel.signature.signature_facts import Flow, SignatureFacts
from hetsel.signature.steps_of_fit import StepsOfFit
from hetsel.tables import (
    Classes,
    Missing,
    ScaleKey,
    Schema,
    TargetKind,
    read_features,
    refuse_constant,
)
from hetsel.tables.blockwise.large_frames import Unseen
from hetsel.tables.row_labels import refuse_other_rows


@dataclass(eq=False, repr=False)
class Signature(StepsOfFit, Predictions, ClassifierMixin, SelectedColumns, BaseEstimator):  # type: ignore[misc]
    """Select a signature and estimate its performance by nested cross-validation.

    Cross-validation chooses the number of features, the method selects the features on all rows,
    and a support vector machine with the clinical kernel is trained on them, with balanced class
    weights. Nested cross-validation repeats selection, choice of the size and model without the
    held-out rows (:mod:`hetsel.signature.nested.nested_cross_validation`). A permutation test
    compares the result with chance (:mod:`hetsel.signature.nested.against_chance`).

    The main measure for classes is the balanced accuracy BCR = (1/C) sum_c r_c, where r_c is the
    recall of class c. For a numeric target it is R^2, the rank correlation replaces the AUC, and
    the model is a regression (:mod:`hetsel.signature.nested.number_performance`). For survival
    times it is Harrell's C (:mod:`hetsel.signature.nested.survival_performance`).

    Parameters
    ----------
    method : str, class, selector or mapping, or a list of such
        Key of the selection method; `hetsel methods` lists all keys. If you name several methods,
        hetsel chooses the best by inner cross-validation. If the method can weight classes, all
        classes get the same total weight, unless its parameters set class_weight. Default:
        "rfe-mkl". See :mod:`hetsel.signature.nested.nested_decisions`.
    size : {"one-se", "quarter-se", "knee", "equal"}, int or None
        Number of features, or the rule that chooses the number. Rules compare sizes by the inner
        score, the cross-validated score that chooses the size. "one-se": the smallest size whose
        inner score is within one standard error of the best score. "quarter-se": the same with a
        quarter of a standard error. "knee": the size at which the curve of the inner scores bends
        most. "equal": the smallest size whose inner score is within 1% of the best score. Default:
        "quarter-se" for classes, else "one-se". See :func:`hetsel.choose_size`.
    C : float, optional
        Cost parameter of the final support vector machine, not of the selection method. A larger
        value fits the training rows more closely. Default: 10 for classes, 3 for numbers, 1 for
        survival times.
    folds : int, optional
        Number of outer folds of the nested cross-validation. For each outer fold, an inner
        cross-validation chooses the size: it holds out each of the other folds in turn. Default:
        10, or 5 for more than 5,000 rows.
    repeats : int, optional
        Number of repeats of the nested cross-validation. Default: 3, or 1 for more than 5,000 rows.
    permutations : int, optional
        Number of permutations of the target for the test against chance: 39 or more, or 0 for no
        test. Default: hetsel stops when the result of the test is clear, after 499 permutations at
        the latest. If hetsel chooses among k methods, the numbers 39 and 499 become 40 k - 1 and
        500 k - 1. See :func:`hetsel.signature.nested.against_chance.ends_of_drawing`.
    pairs : int, optional
        Number of pairs of half-samples (random halves of the rows); 0 for none. hetsel repeats the
        selection in each half-sample to estimate stability and selection frequencies. Default: 50,
        or 20 for more than 5,000 rows.
    quick : bool
        Compute a quick first result: one repeat of the nested cross-validation, no permutation
        test, no half-samples and no search for interactions. `repeats`, `permutations` and `pairs`
        still apply if you specify them. The report lists what is missing. Default: False.
    positive : label, optional
        Positive class of a target with two classes; sensitivity, point score and reports refer to
        it. Default: the class named yes, true, 1 or similar, else the last class in alphabetical or
        numerical order; a categorical target keeps its order. See
        :attr:`hetsel.tables.target.Classes.positive`.
    target_kind : {"classes", "numbers", "survival"}, optional
        Kind of the target. Default: "survival" for survival times, else "classes". Specify
        "numbers" for a numeric target.
    nominal, ordinal, continuous, schema, missing, scale
        As in :class:`hetsel.selection.BaseSelector`.
    always : sequence of column names or positions, or a logical value for each column, optional
        Columns to include in every signature, also in folds, half-samples and permutations.
        Stability and expected false selections refer to the other features.
    prevalence : float or mapping of label to float, optional
        Prevalence of the positive class where the model will be used. For more than two classes,
        map each class to its prevalence. Specify it if the study fixed the number of rows of each
        class, as in a case-control study. Predicted probabilities and their performance then refer
        to this prevalence.
    thresholds : float or sequence of float, optional
        Thresholds at which positive and negative predictive value and net benefit are reported.
        Default: 0.05, 0.1, 0.2, 0.3 and 0.5, with a decision curve from 0.01 to 0.99. If you
        specify thresholds, the curve goes from the smallest to the largest of them.
    harm_ratio : float, optional
        Harm of a missed case divided by the harm of an unnecessary treatment. A ratio r adds the
        threshold 1 / (1 + r) to `thresholds`; with `by`, sensitivity and specificity of each
        subgroup are reported at this threshold. The classes that the model predicts do not depend
        on it.
    unseen : {"error", "separate"}
        Handling of a new row with a level that no training row had. "error": refuse the row.
        "separate": accept the level, with an effect of 0. Default: "error".
    random_state : int, RandomState or None
        Seed of the random numbers, a whole number. The same call gives the same result. Default: 0.
    n_jobs : int, optional
        Largest number of processes, used where they save time. Results do not depend on it. None:
        only this process. -1: one per processor.
    dask : str, optional
        Address of a running Dask cluster to compute on, for example tcp://host:8786. Use only a
        cluster that you trust, since its messages are unpickled and can run code.

    Attributes
    ----------
    size_ : int
        Number of features.
    features_ : tuple of str
        The signature, best first.
    answer_ : Ranking or SearchPath
        Result of the method on all rows.
    model_ : ClinicalSVC, or a clinical machine of another target
        The final model on the features of the signature.
    sizes_ : SizeScores or None
        Scores of each size by cross-validation; None if the size was given.
    performance_ : NestedPerformance or None
        Balanced accuracy and recalls with confidence intervals, AUC and optimism; None if a class
        has fewer than 3 rows. For numbers R^2, errors and rank correlation; None with fewer than 8
        rows.
    calibration_ : ClassProbabilities or None
        Map from decision values, above 0 for `positive_`, to probabilities, see
        :mod:`hetsel.signature.probabilities.nested_probabilities`.
    held_out_ : ndarray of shape (repeats, n, classes), or None
        Probabilities of each row by models and maps that have not seen its fold, in the order of
        `classes_`.
    probabilities_ : ProbabilityFacts or None
        Performance of these probabilities: calibration, Brier score, net benefit, subgroups, see
        :mod:`hetsel.signature.probabilities.judged_probabilities`.
    permutation_test_ : ChanceTest or None
        The permutation test.
    selected_ : ndarray of bool, shape (2 pairs, p), or None
        Features selected in the half-samples, pair by pair; a signature of size_ features each.
    stability_ : float or None
        Agreement of the two half-samples of a pair, Nogueira's measure, averaged over the pairs. It
        is unbiased for two other samples of half as many rows.
    half_samples_ : HalfSelection or None
        The features that are selected in enough half-samples for at most one expected false
        selection, see :func:`hetsel.stability.false_selection_bound`; None if no frequency is
        enough. Its `kept` are these features if they are more than twice as many as the bound,
        else none.
    alternatives_ : DataFrame
        Alternative features for those of the signature, see
        :func:`hetsel.signature.alternatives.alternatives`.
    interaction_ : JointEffect or None
        A pair of features whose interaction clearly improves predictions of held-out rows, see
        :mod:`hetsel.signature.joint_effects`; the final model is additive. For classes only.
    points_ : SignaturePoints
        The final model as a point score for `positive_`, see :meth:`points`.
    verdict_ : {"better than chance", "not shown to be better than chance", "too few rows", ""}
        Result of the permutation test of performance above chance, one-sided at 0.025; empty
        without a test. A difference that is not shown is not excluded: the interval of
        `performance_` shows which values remain possible.
    reason_ : str
        Why there is no performance; empty if there is a performance.
    schema_ : Schema
        Kinds and levels of the columns.
    target_kind_ : {"classes", "numbers", "survival"}
        Kind of the target.
    classes_ : ndarray
        Labels of the classes, sorted; absent for another target. Decision values, effect curves
        and probabilities are in this order.
    positive_ : label or None
        Positive class of two, to which reports, effects, points and sensitivity refer.
    class_counts_ : tuple of int
        Rows of each class of `classes_`; for another target the number of rows.
    groups_ : int or None
        Number of row groups.
    duplicate_rows_ : RepeatedRows or None
        The duplicate rows that were grouped, see
        :class:`hetsel.pitfalls.repeated_rows.RepeatedRows`; None if there are none, or if the
        groups were given.
    effective_sample_size_ : tuple of float or None
        Effective sample size of each class, for another target of all rows, see
        :func:`hetsel.statistics.performance.rate_intervals.effective_rows`; None without row
        weights.
    always_ : tuple of str
        Names of the features that are always included.
    method_ : MethodSpec
        The method, or the chosen one of several.
    methods_ : ChosenMethod or None
        Which of several methods was chosen, and how often each was chosen without an outer fold.
    seed_ : int
        Seed of the random numbers.

    See Also
    --------
    hetsel.load_signature : Read a signature from its file.
    hetsel.validate_signature : Evaluate a signature on new rows.
    hetsel.plan_rows : Estimate how many rows a study needs.
    hetsel.write_signature_report : Write the report.

    References
    ----------
    Varma & Simon (2006) BMC Bioinformatics 7, 91 (nested cross-validation); paul2015 (kernels,
    elimination).

    Examples
    --------
    >>> import hetsel
    >>> heart = hetsel.datasets.load("heart")
    >>> found = hetsel.Signature(size=3, repeats=1, permutations=0).fit(heart.X, heart.y)
    >>> found.features_
    ('thal', 'chest pain', 'major vessels colored')
    """

    method: object = "rfe-mkl"
    size: object = None
    _: KW_ONLY
    C: float | None = None
    folds: int | None = None
    repeats: int | None = None
    permutations: int | None = None
    pairs: int | None = None
    quick: bool = False
    positive: object = None
    target_kind: TargetKind | None = None
    nominal: object = None
    ordinal: object = None
    continuous: object = None
    schema: Schema | None = None
    missing: Missing = "impute"
    scale: ScaleKey = "range"
    always: object = ()
    prevalence: object = None
    thresholds: object = None
    harm_ratio: float | None = None
    unseen: Unseen = "error"
    random_state: object = 0
    n_jobs: int | None = None
    dask: str | None = None

    def fit(
        self,
        X: object,
        y: object = None,
        sample_weight: object = None,
        *,
        groups: object = None,
        by: object = None,
        progress: StepProgress | None = None,
    ) -> "Signature":
        """Select the signature of a table and estimate its performance.

        Parameters
        ----------
        X : Table, DataFrame or array of shape (n, p)
            Rows of X, y, weights, groups and `by` are matched by their labels where they have an
            index, see :mod:`hetsel.tables.row_labels`.
        y : array-like of shape (n,)
            Class labels, or numbers: see `target_kind`.
        sample_weight : array-like of shape (n,), optional
            Weight of each row, such as a survey weight or an inverse probability; 0 leaves the row
            out. Only the ratios of weights matter; the cost parameter of a row is `C` times its
            weight divided by the mean weight. Selection, model and performance are weighted.
            Confidence intervals use the effective sample size (Kish 1965). When the target is
            permuted, each weight stays with its row. Only for rfe-mkl, rfe-svm and rfe-svm-printed.
        groups : array-like of shape (n,), "copies" or "rows", optional
            Group of each row, such as the patient. The rows of a group are in the same fold, and
            confidence intervals account for the groups. If every group has only one target value,
            the permutation test permutes these values among the groups. If targets vary within a
            group, groups of the same size exchange their targets as a whole; if any two sizes
            differ, targets are also permuted within every group. "copies" (default): hetsel looks
            for groups itself: duplicate rows (equal or nearly equal), and rows with the same value
            in a column whose name marks an identifier, such as patient. If it finds duplicate rows
            and an identifier, it uses whichever puts more rows into groups. An identifier that
            hetsel finds stays a feature in any case. "rows": each row is a separate group.
        by : column name, sequence of them, or DataFrame with n rows, optional
            Columns that define subgroups; performance is also reported in each subgroup. Each level
            is a subgroup. A column with more than 6 different numbers is divided into 3 subgroups
            of similar size: low, middle and high numbers.
        progress : callable, optional
            Function to call with (finished, all, step): the finished and all parts of a step, and
            its name.

        Returns
        -------
        Signature
            The fitted estimator.

        Raises
        ------
        TableError
            If a table, a target or an option cannot be used, the method cannot use row weights or
            raises an error, or the size is out of its range.
        """
        refuse_other_rows(X, y=y, sample_weight=sample_weight, groups=groups, by=by)
        table = read_features(self, X, reset=True)
        target = request.target_of(self, y, len(table.values))
        weighed = target if sample_weight is None else np.flatnonzero(np.asarray(sample_weight))
        procedure = request.procedure_of(self, table.names, target.kind, len(weighed))
        rows, self.duplicate_rows_ = asked_groups(
            "copies" if groups is None else groups, table, target
        )
        self._of_one_group = {one.columns[0] for one in levels_of_groups(table, rows)}
        data = request.encode_rows(self, table, target, procedure, sample_weight, rows)
        refuse_constant(data.table.resolve_missing(self.missing))
        weightless = len(target) - len(data.target)
        self._flow = Flow(len(target), 0, weightless)
        self._candidates = reported_values.described_candidates(data.table)
        self.target_kind_, self._told = target.kind, data.target.facts()
        if isinstance(data.target, Classes):
            self._labels = data.target.labels
            self.classes_ = data.target.by_label().labels
        self.positive_ = data.target.positive if isinstance(data.target, Classes) else None
        asked = request.check_request(self, data.target, by, X, len(table.values))
        with kept_workers(self.n_jobs, self.dask):
            tested = "" if procedure.permutations == 0 else " and permutation test"
            judging = of_step(progress, f"nested cross-validation{tested}")
            outer, procedure = self._judge(data, procedure, asked, judging)
            model_rows = self._select(data, procedure)
            adding = of_step(progress, "point score")
            self._add_up(data, model_rows, procedure.method, outer, adding)
            self._repeat(data, procedure, asked, of_step(progress, "half-samples"))
            self._pair(data, procedure, of_step(progress, "interactions"))
        self._describe(data, procedure)
        return self

    @property
    def frequencies_(self) -> pd.Series:
        """Selection frequency of each feature, those of the signature first."""
        check_is_fitted(self, "model_")
        if self.selected_ is None:
            return pd.Series(dtype=np.float64, name="frequency")
        names = pd.Index(self.schema_.names, name="feature")
        shares = pd.Series(self.selected_.mean(axis=0), index=names, name="frequency")
        others = shares.drop(list(self.features_)).sort_values(ascending=False, kind="stable")
        return pd.concat([shares[list(self.features_)], others])

    @property
    def feature_importances_(self) -> np.ndarray:
        """Importance (p,) of each input column in the final model, 0 outside of the signature.

        The importances sum to 1, see :class:`hetsel.ClinicalSVC`.
        """
        check_is_fitted(self, "model_")
        found = np.zeros(self.n_features_in_)
        found[self._columns] = self.model_.feature_importances_
        return found

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "model_")
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self._columns] = True
        return mask

    def effect_curves(self) -> list[EffectCurve]:
        """Compute what each feature of the signature adds to the decision value or number.

        The curves are exact. :meth:`effects` refers to `positive_`.
        """
        check_is_fitted(self, "model_")
        curves: list[EffectCurve] = self.model_.effect_curves()
        return curves

    def effects(self) -> pd.DataFrame:
        """List the effects in pieces, with the rows of each piece.

        See :func:`hetsel.signature.effect_pieces.effects_by_piece`.
        """
        check_is_fitted(self, "model_")
        return self._effects.copy()

    def points(self) -> pd.DataFrame:
        """List the point score of the model: feature, value, points, effect, rows.

        See :mod:`hetsel.signature.points.points_of_model`; `points_` has the meaning of the totals
        and the cost of rounding.

        Raises
        ------
        TableError
            If there are more than two classes.
        """
        check_is_fitted(self, "model_")
        return self.points_.frame()

    def facts(self) -> SignatureFacts:
        """Return all results as a record."""
        check_is_fitted(self, "model_")
        return reported_values.facts_of(self)

    def saved(self) -> SavedSignature:
        """Return the model and its results without the training rows, as in a file."""
        check_is_fitted(self, "model_")
        return SavedSignature(self.model_, self.facts(), self.calibration_, self._reference)

    def save(self, path: str | Path, *, sketches: bool = True) -> None:
        """Write the model and its results as JSON.

        :func:`hetsel.load_signature` reads the file.

        Parameters
        ----------
        path : str or Path
            The file to write.
        sketches : bool
            Whether to write ten numbers of each row, by which :func:`hetsel.validate_signature`
            recognizes training rows, see :mod:`hetsel.signature.validation.row_sketches`. The file
            does not contain the values of the rows. But its reader can test whether a given row is
            one of them, and with few columns can compute the rows. Set it to False if no data on
            persons may leave your institution.
        """
        write_files({path: self.saved().to_json(sketches=sketches)})

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        # not input_tags.categorical, see BaseSelector
        if self.target_kind in ("numbers", "survival"):
            tags.estimator_type, tags.classifier_tags = None, None
        if self.target_kind == "numbers":
            tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        return tags
