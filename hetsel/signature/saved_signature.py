"""Save a signature to a file: its model and facts, as JSON without code."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from msgspec.structs import replace

from hetsel.ground import TableError, listed, sealed_json
from hetsel.kernels.training_ranges import Scaling
from hetsel.models.clinical_machines import ClinicalSVC
from hetsel.signature import final_models, saved_content, signature_facts
from hetsel.signature.probabilities.asked_probabilities import ClassProbabilities
from hetsel.signature.saved_content import ModelContent
from hetsel.signature.validation.training_reference import Reference, warn_of_rows
from hetsel.tables import Schema, Table, TargetKind, frame_or_array, places_in
from hetsel.tables.rescaling import Rescaling

FORMAT = "hetsel signature 4"


def model_content(model: final_models.Model) -> ModelContent:
    """Return all that a fitted model predicts by; the curves contain the weights."""
    classes = getattr(model, "classes_", None)
    return ModelContent(
        schema=model.schema_.to_dict(),
        classes=[] if classes is None else classes.tolist(),
        C=model.C,
        missing=model.missing,
        scale=model.scale,
        knots=[(halves.tolist(), places.tolist()) for halves, places in model._rescaling.knots],
        unseen=model.unseen,
        fill=None if model._fill.fill is None else model._fill.fill.tolist(),
        low=model._scaling.low.tolist(),
        half=model._scaling.half.tolist(),
        intercept=model.intercept_.tolist(),
        curves=[tuple(part.tolist() for part in curve) for curve in model._curves],
    )


def restore_model(content: ModelContent, kind: TargetKind = "classes") -> final_models.Model:
    """Restore the fitted model from its content, by the kind of its target."""
    treatment = {name: getattr(content, name) for name in ("missing", "scale", "unseen")}
    model = final_models.FINAL_MODELS[kind].build(content.C, **treatment)
    schema = Schema.from_dict(content.schema)
    model.schema_ = schema
    model.n_features_in_ = len(schema.columns)
    model.feature_names_in_ = np.array(schema.names, dtype=object)
    if isinstance(model, ClinicalSVC):
        model.classes_ = np.array(content.classes)  # as in the file
    fill = None if content.fill is None else np.array(content.fill, dtype=np.float64)
    model._fill = Table(np.empty((0, len(schema.columns))), schema, fill)
    pairs = (tuple(np.array(part, dtype=np.float64) for part in pair) for pair in content.knots)
    model._rescaling = Rescaling(tuple((halves, places) for halves, places in pairs))
    low, half = (np.array(ends, dtype=np.float64) for ends in (content.low, content.half))
    model._scaling = Scaling(low, half, schema.nominal)
    model.intercept_ = np.array(content.intercept, dtype=np.float64)
    model.dual_coef_ = np.empty((len(model.intercept_), 0))  # the rows are not part of the file
    problems = len(model.intercept_)
    model._curves = [
        (
            np.array(knots, dtype=np.float64),
            np.array(values, dtype=np.float64).reshape(problems, -1),
            np.array(missing, dtype=np.float64),
        )
        for knots, values, missing in content.curves
    ]
    return model


@dataclass(frozen=True, eq=False)
class SavedSignature:
    """Predict with a signature from a file, and report its performance.

    :func:`hetsel.load_signature` returns it. It needs neither the training rows nor a new fit.

    Parameters
    ----------
    model : ClinicalSVC, or a clinical machine of another target
        The final model without its training rows; its classes are sorted.
    facts : SignatureFacts
        All results of the signature.
    calibration : ClassProbabilities or None
        Calibration map; None if there were too few rows, or for another
        target than classes.
    reference : Reference or None
        Summaries of the training rows, to detect training rows and drift.

    See Also
    --------
    hetsel.Signature.save : Write the file.
    hetsel.validate_signature : Evaluate it on new rows.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import hetsel
    >>> heart = hetsel.datasets.load("heart")
    >>> fitted = hetsel.Signature(size=3, quick=True).fit(heart.X, heart.y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fitted.save(Path(folder) / "signature.json")
    ...     loaded = hetsel.load_signature(Path(folder) / "signature.json")
    >>> isinstance(loaded, SavedSignature), loaded.features == fitted.features_
    (True, True)
    """

    model: final_models.Model
    facts: signature_facts.SignatureFacts
    calibration: ClassProbabilities | None = None
    reference: Reference | None = None

    def to_json(
        self, facts: signature_facts.SignatureFacts | None = None, *, sketches: bool = True
    ) -> str:
        """Return the content of a file, with or without sketches of the rows.

        `facts` are those of the signature by default.
        """
        reference = self.reference
        if not sketches and reference is not None:
            reference = replace(reference, all=None, own=None)
        content = {
            "format": FORMAT,
            "facts": facts or self.facts,
            "model": model_content(self._model),
        }
        if self.calibration is not None:
            content["calibration"] = self.calibration.content()
        if reference is not None:
            content["reference"] = reference
        return sealed_json.sealed_json(sealed_json.plain_values(content), indent=1) + "\n"

    @property
    def features(self) -> tuple[str, ...]:
        """The signature, best first."""
        return tuple(one.feature for one in self.facts.features)

    @property
    def classes_(self) -> np.ndarray:
        """Labels of the classes, sorted; empty for another target."""
        return np.asarray(getattr(self.model, "classes_", ()))

    @property
    def positive_(self) -> signature_facts.ClassLabel | None:
        """The positive class of two, to which all results refer."""
        return self.facts.positive

    @property
    def kind(self) -> TargetKind:
        """Kind of the target."""
        return self.facts.kind

    @property
    def _model(self) -> final_models.Model:
        """The model in the reported order of the classes, the positive one of two last."""
        one = self.model
        return one.in_order(self.facts.classes) if isinstance(one, ClinicalSVC) else one

    def decision_function(self, X: object) -> np.ndarray:
        """Compute decision values of rows.

        Parameters
        ----------
        X : DataFrame with n rows, or what :meth:`rows_of` returned for it
            With the columns of the signature; other columns are ignored.

        Returns
        -------
        ndarray of shape (n,) or (n, classes)
            For two classes decision values above 0 for `classes_[1]`; for more classes a column per
            class; for another target the predictions.

        Warns
        -----
        UserWarning
            If rows are far from the training rows, see
            :func:`hetsel.signature.validation.training_reference.warn_of_rows`.
        """
        return final_models.decisions_of(self.model, self.rows_of(X))

    def reported_decisions(self, X: object) -> np.ndarray:
        """Compute decision values in the order of `facts.classes`, above 0 for `positive_`."""
        return final_models.decisions_of(self._model, self.rows_of(X))

    def predict(self, X: object) -> np.ndarray:
        """Predict the class, number or risk score of rows; warns like :meth:`decision_function`."""
        return np.asarray(self.model.predict(self.rows_of(X)))

    def rows_of(self, X: object, unseen: Literal["error", "separate"] | None = None) -> Table:
        """Read the columns of the signature once, for several predictions of the same rows.

        All methods that predict accept the result in place of X. It warns like
        :meth:`decision_function`, once for all predictions.

        Parameters
        ----------
        X : DataFrame with n rows
            With the columns of the signature; other columns are ignored.
        unseen : {"error", "separate"}, optional
            Handling of a row with a level that no training row had. "error": refuse the row.
            "separate": treat the level as a separate level, which adds nothing to the decision
            value. Default: as specified when the signature was selected.
        """
        if isinstance(X, Table):
            return X
        treated = self.model.unseen if unseen is None else unseen
        table: Table = self.model.schema_.encode(self.columns(X), unseen=treated)
        warn_of_rows(self.reference, table)
        return table

    def predict_proba(self, X: object) -> np.ndarray:
        """Predict probabilities (n, classes) of the classes, in the order of `classes_`.

        Raises
        ------
        TableError
            If the file has no calibration map.
        """
        if self.calibration is None:
            raise TableError(
                "the signature has no probabilities: there were too few rows to learn them from, "
                "or the target has no classes"
            )
        found = self.calibration.of(self.reported_decisions(X))
        return found[:, places_in(self.facts.classes, self.classes_)]

    def columns(self, X: object) -> pd.DataFrame:
        """Return the columns of the signature and ignore others."""
        return signature_columns(frame_or_array(X), self.model.schema_.names)


def signature_columns(frame: pd.DataFrame | np.ndarray, names: list[str]) -> pd.DataFrame:
    """Return the columns of a signature from a frame that may have others."""
    columns = list(frame.columns) if isinstance(frame, pd.DataFrame) else []
    lacking = [name for name in names if name not in columns]
    if lacking or not isinstance(frame, pd.DataFrame):
        raise TableError(
            f"the signature needs the columns {listed(names, 20)}. Missing: {listed(lacking, 20)}"
        )
    return frame[names]


def load_signature(path: str | Path, *, trust_edited: bool = False) -> SavedSignature:
    """Read a signature from its file.

    The file is JSON and contains no code, so that reading it is safe. hetsel refuses a file that
    was changed after hetsel wrote it.

    Parameters
    ----------
    path : str or Path
        A file written by :meth:`hetsel.Signature.save`.
    trust_edited : bool
        Load a model file that was edited after hetsel wrote it, if each value has the right type.
        Without this option such a file is refused. Default: False.

    Returns
    -------
    SavedSignature

    Raises
    ------
    TableError
        If there is no such file, if it contains no signature, or if it was changed; the message
        names the changed parts.

    See Also
    --------
    hetsel.validate_signature : Evaluate a signature on new rows.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import hetsel
    >>> heart = hetsel.datasets.load("heart")
    >>> fitted = hetsel.Signature(size=3, quick=True).fit(heart.X, heart.y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fitted.save(Path(folder) / "signature.json")
    ...     loaded = hetsel.load_signature(Path(folder) / "signature.json")
    >>> bool((loaded.predict(heart.X) == fitted.predict(heart.X)).all())
    True
    """
    return signature_of(sealed_json.written_text(path), str(path), trust_edited=trust_edited)


def signature_of(
    text: str, where: str = "the text", *, trust_edited: bool = False
) -> SavedSignature:
    """Read a signature from the content of its file, see :meth:`SavedSignature.to_json`.

    A TableError reports other content, or content that was changed.
    """
    content = sealed_json.read_json(text, where)
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        own = content.get("format") if isinstance(content, Mapping) else content
        got = "no format" if own is None else f"{own!r:.60}"
        raise TableError(
            f"{where} is no signature of hetsel: the format must be {FORMAT!r}. Got {got}"
        )
    if not trust_edited:
        sealed_json.refuse_changed(content, where)
    facts = sealed_json.read_as(
        f"{where}: facts", content.get("facts"), signature_facts.SignatureFacts
    )
    own = saved_content.check_model(where, content.get("model"), facts.kind)
    model = restore_model(own, facts.kind)
    if isinstance(model, ClinicalSVC):
        saved_content.check_classes(where, facts, own.classes)
        model = model.in_order(np.unique(model.classes_))
    calibration = reference = None
    if (kept := content.get("calibration")) is not None:
        kept = saved_content.check_calibration(where, kept, len(getattr(model, "classes_", ())))
        saved_content.check_probabilities(where, facts)
        calibration = ClassProbabilities.of_content(kept)
    if (rows := content.get("reference")) is not None:
        reference = saved_content.check_reference(where, rows, model.schema_)
    return SavedSignature(model, facts, calibration, reference)
