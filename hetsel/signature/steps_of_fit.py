"""Run the steps of a fit, each on its own rows."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines.engine_runs import all_results
from hetsel.evaluation.progress import OnProgress
from hetsel.evaluation.target_scores import target_scores
from hetsel.ground import TableError
from hetsel.judging.half_samples import permuted_pairs
from hetsel.resampling.halves_and_bootstraps import FEWEST as FEWEST_HALF
from hetsel.signature.alternatives import alternatives_frame, found_alternatives
from hetsel.signature.effect_pieces import effects_by_piece, on_margin
from hetsel.signature.final_models import FINAL_MODELS, penalty_of
from hetsel.signature.joint_effects import joint_effect
from hetsel.signature.nested.fold_models import OuterFold
from hetsel.signature.points.signature_points import signature_points
from hetsel.signature.probabilities import asked_probabilities, subgroups
from hetsel.signature.probabilities.judged_probabilities import (
    judged_probabilities,
    with_instability,
)
from hetsel.signature.procedure import SignatureProcedure, judge
from hetsel.signature.selection_frequencies import Halves, HalvesResult, half_selection
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN, TOO_FEW_ROWS, UNTESTED
from hetsel.signature.validation.training_reference import training_reference
from hetsel.statistics.performance.rate_intervals import effective_rows
from hetsel.statistics.stability.measures_of_stability import agreement_within_pairs
from hetsel.tables import Classes, Missing, ScaleKey, Table, rescaled
from hetsel.tables.blockwise.large_frames import Unseen

# the requests on probabilities, the subgroups, and the number of rows
CheckedRequest = tuple[asked_probabilities.AskedProbabilities | None, subgroups.Subgroups, int]


class StepsOfFit:
    """Run the steps of :meth:`hetsel.Signature.fit` one after the other."""

    C: float | None
    missing: Missing
    scale: ScaleKey
    unseen: Unseen
    n_jobs: int | None

    def _judge(
        self,
        data: EncodedData,
        procedure: SignatureProcedure,
        asked: CheckedRequest,
        progress: OnProgress | None,
    ) -> tuple[list[OuterFold], SignatureProcedure]:
        """Choose the size, estimate the performance and run the test, as far as the rows allow.

        The returned procedure has the chosen method.
        """
        self.reason_ = target_scores(data.target).too_few(data)
        self._rule = procedure.size if isinstance(procedure.size, str) else None
        self.sizes_ = self.performance_ = self.permutation_test_ = self.methods_ = None
        self.calibration_ = self.held_out_ = self.probabilities_ = None
        if self.reason_:
            if procedure.rivals:
                raise TableError(
                    f"{self.reason_}. Cross-validation cannot choose a method. Name one method"
                )
            if isinstance(procedure.size, str):
                raise TableError(
                    f"{self.reason_}. Cross-validation cannot choose a size. Set size to a number "
                    "to select features without an estimate of performance"
                )
            self.size_, self.verdict_ = procedure.size, TOO_FEW_ROWS
            return [], procedure
        found = judge(data, procedure, self.n_jobs, progress)
        self.performance_, self.permutation_test_ = found.performance, found.chance
        self.size_ = found.sizes.size
        self.sizes_ = found.sizes if self._rule is not None else None
        if found.probabilities is not None:
            wanted, by, given = asked
            assert wanted is not None
            judged = judged_probabilities(found.probabilities, data, wanted, by, given)
            self.calibration_, self.probabilities_ = judged.calibration, judged.facts
            order = np.argsort(data.target.labels, kind="stable")
            self.held_out_ = judged.held_out[:, :, order]
        self.verdict_ = UNTESTED
        if self.permutation_test_ is not None:
            better = self.permutation_test_.above_chance and self.performance_.above_chance
            self.verdict_ = ABOVE if better else NOT_SHOWN
        self.methods_ = found.method
        if found.method is not None:
            procedure = replace(procedure, method=procedure.methods[found.method.place], rivals=())
        return found.outer, procedure

    def _select(self, data: EncodedData, procedure: SignatureProcedure) -> Table:
        """Select the signature on all rows and fit its model; return the rows of its columns."""
        complete = rescaled(data.table, self.scale).resolve_missing(self.missing)
        problem = data.problem((self.size_,), procedure.seed)
        self.answer_ = procedure.method.build().solve(replace(problem, table=complete))
        chosen = np.asarray(self.answer_.signature(self.size_))
        names = data.table.names
        self.features_ = tuple(names[j] for j in chosen)
        self._columns = np.sort(chosen)
        self._reference = training_reference(data.table, self._columns, data.row_groups)
        treatment = {"missing": self.missing, "scale": self.scale, "unseen": self.unseen}
        self._penalty = penalty_of(data.target.kind, self.C)
        model = FINAL_MODELS[data.target.kind].build(self._penalty, **treatment)
        rows = data.table.take(columns=self._columns)
        self.model_ = self._model = model.fit(rows, data.target, data.weights)
        self._on_margin = None
        if data.target.kind == "classes":
            self._model = self.model_.in_order(data.target.labels)  # the positive class last
            self._on_margin = on_margin(self.model_.decision_function(rows))
        if self.missing == "impute":  # else missing values stay a separate piece
            rows = rows.resolve_missing("impute")
        effects = effects_by_piece(self._model.effect_curves(), rows, data.target)
        place = effects["feature"].map({name: k for k, name in enumerate(self.features_)})
        self._effects = effects.iloc[np.argsort(place, kind="stable")].reset_index(drop=True)
        return rows

    def _add_up(
        self,
        data: EncodedData,
        rows: Table,
        method: MethodSpec,
        outer: list[OuterFold],
        progress: OnProgress | None,
    ) -> None:
        """Convert the model to a point score."""
        about = (self._model, method, outer, self.features_, self.calibration_)
        self.points_ = signature_points(data, rows, *about, n_jobs=self.n_jobs, progress=progress)

    def _repeat(
        self,
        data: EncodedData,
        procedure: SignatureProcedure,
        asked: CheckedRequest,
        progress: OnProgress | None,
    ) -> None:
        """Select in half-samples, and find alternative features."""
        self.selected_ = self.stability_ = self.half_samples_ = None
        self.alternatives_ = alternatives_frame([])
        few = target_scores(data.target).units(data).min() < 2 * FEWEST_HALF
        if not procedure.pairs or few:
            return
        models = () if self.calibration_ is None else (procedure.classifier,)
        given = (procedure.method, self.size_, procedure.pairs, procedure.seed, models)
        halves = Halves(*given)
        noise = replace(
            halves,
            method=replace(halves.method, label="permuted"),
            pairs=permuted_pairs(procedure.pairs),
            classifiers=(),
            permuted=True,
        )
        work = {"halves": halves, "permuted": noise}
        found, permuted = all_results(data, work, self.n_jobs, progress).values()
        if self.probabilities_ is not None and self.calibration_ is not None:
            assert asked[0] is not None
            given_facts = (self.probabilities_, found, data, self.calibration_, asked[0])
            self.probabilities_ = with_instability(*given_facts)
        self.selected_ = _chosen(found)
        every = data.table.names
        free = [j for j, name in enumerate(every) if name not in procedure.always]
        names, size = tuple(every[j] for j in free), self.size_ - len(procedure.always)
        if 0 < size < len(names):
            self.stability_ = agreement_within_pairs(self.selected_[:, free])
            own = self.selected_[:, free], _chosen(permuted)[:, free]
            self.half_samples_ = half_selection(*own, names, size)
        if self.reason_:
            return
        chosen = self.answer_.signature(self.size_)
        kept = [j for j in chosen if every[j] in procedure.always]
        self.alternatives_ = found_alternatives(
            data,
            procedure.method,
            procedure.classifier,
            chosen,
            self.selected_,
            seed=procedure.seed,
            n_jobs=self.n_jobs,
            progress=progress,
            always=kept,
        )

    def _pair(
        self, data: EncodedData, procedure: SignatureProcedure, progress: OnProgress | None
    ) -> None:
        """Test whether an interaction of two features improves on the additive model."""
        self.interaction_ = None
        if not (self.reason_ or procedure.quick) and target_scores(data.target).has_joint_effects:
            chosen = self.answer_.signature(self.size_)
            given = (data, procedure.method, chosen, self._penalty)
            self.interaction_ = joint_effect(
                *given, seed=procedure.seed, n_jobs=self.n_jobs, progress=progress
            )

    def _describe(self, data: EncodedData, procedure: SignatureProcedure) -> None:
        """Describe the rows and the method."""
        self.class_counts_ = _rows(data)
        self.groups_ = None if data.row_groups is None else int(data.row_groups.max()) + 1
        self.effective_sample_size_ = _effective_rows(data)
        judgement = target_scores(data.target)
        self._few = judgement.few(data)
        self.method_, self.seed_ = procedure.method, procedure.seed
        self._lacks = procedure.lacks(judgement.has_joint_effects) if procedure.quick else ()
        self.always_ = procedure.always


def _chosen(found: Mapping[int, HalvesResult]) -> np.ndarray:
    """Return what each half-sample selected (2 pairs, p), pair by pair."""
    return np.concatenate([found[k].chosen for k in range(len(found))])


def _rows(data: EncodedData) -> tuple[int, ...]:
    """Count the rows of each class in the order of the labels, or all rows."""
    if not isinstance(data.target, Classes):
        return (len(data.target),)
    return tuple(data.target.by_label().counts.tolist())


def _effective_rows(data: EncodedData) -> tuple[float, ...] | None:
    """Compute the effective sample size of each class, or of all rows, if rows have weights."""
    if data.weights is None:
        return None
    if not isinstance(data.target, Classes):
        return (effective_rows(data.weights),)
    codes = data.target.by_label().codes
    return tuple(effective_rows(data.weights[codes == c]) for c in range(len(data.classes)))
