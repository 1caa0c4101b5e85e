"""What a fitted signature predicts of rows."""

import numpy as np
import pandas as pd
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hetsel.ground import TableError, is_dask
from hetsel.signature import final_models, saved_signature
from hetsel.signature.probabilities.asked_probabilities import ClassProbabilities
from hetsel.signature.validation.training_reference import Reference, warn_of_rows
from hetsel.tables import Schema, Table, TargetKind, frame_or_array, places_in, refuse_other_rows
from hetsel.tables.blockwise.large_frames import Unseen
from hetsel.tables.validation import read_features


def _predicts_shares(signature: "Predictions") -> bool:
    return signature.target_kind in (None, "classes")


class Predictions:
    """What :class:`hetsel.Signature` predicts by its final model."""

    model_: final_models.Model
    calibration_: ClassProbabilities | None
    classes_: np.ndarray
    target_kind: TargetKind | None
    target_kind_: TargetKind
    reason_: str
    unseen: Unseen
    _model: final_models.Model
    _labels: np.ndarray
    _columns: np.ndarray
    _reference: Reference

    def decision_function(self, X: object) -> np.ndarray:
        """Decision values (n,) of two classes, above 0 for `classes_[1]`; else (n, classes).

        Of another target what the model predicts. A frame needs the columns of the signature only.

        Warns
        -----
        UserWarning
            Of rows that are far from those of the fit, see
            :func:`hetsel.signature.validation.training_reference.warn_of_rows`.
        """
        check_is_fitted(self, "model_")
        return final_models.decisions_of(self.model_, self._columns_of(X))

    def _columns_of(self, X: object) -> Table:
        """The cells of the columns of the signature; of a frame the others are not looked at."""
        rows = self._rows(X)
        warn_of_rows(self._reference, rows)
        return rows

    def _rows(self, X: object) -> Table:
        own: Schema = self.model_.schema_
        if not isinstance(X, Table) and not is_dask(X):
            X = frame_or_array(X)
        if hasattr(self, "feature_names_in_") and isinstance(X, pd.DataFrame):
            return own.encode(saved_signature.signature_columns(X, own.names), unseen=self.unseen)
        if is_dask(X) or (isinstance(X, Table) and X.schema.columns == own.columns):
            return read_features(self.model_, X, reset=False)
        return read_features(self, X, reset=False).take(columns=self._columns)

    def predict(self, X: object) -> np.ndarray:
        """Class of each row by the final model, or its number."""
        check_is_fitted(self, "model_")
        return np.asarray(self.model_.predict(self._columns_of(X)))

    @available_if(_predicts_shares)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: object) -> np.ndarray:
        """Probabilities (n, classes) of the classes, in the order of `classes_`.

        The classes weigh alike in `predict`, whatever their shares: a rare one is predicted from a
        smaller probability than 0.5 on.

        Raises
        ------
        TableError
            Rows were too few to learn them from.
        """
        check_is_fitted(self, "model_")
        if self.calibration_ is None:
            raise TableError(
                f"there are no probabilities: {self.reason_ or 'the target holds no classes'}"
            )
        found = self.calibration_.of(final_models.decisions_of(self._model, self._columns_of(X)))
        return found[:, places_in(self._labels, self.classes_)]

    def score(self, X: object, y: object, sample_weight: object = None) -> float:
        """Balanced classification rate of the final model on the rows given; of numbers R^2.

        On rows of the fit this is the resubstitution rate, as scikit-learn's training scores are:
        these rows chose the features and the model, and new ones do worse. No rows are refused or
        treated apart, since cells do not say which rows they belong to: a row added or a digit
        lost, and they are others; two columns of levels, and new rows are among them. What the
        rows of the fit tell of new ones is `performance_`, the nested estimate.

        Parameters
        ----------
        X : Table, DataFrame or array of shape (n, p)
        y : array-like of shape (n,)
            Class labels, or numbers.
        sample_weight : array-like of shape (n,), optional
        """
        refuse_other_rows(X, y=y, sample_weight=sample_weight)
        return final_models.score_of(self.target_kind_, y, self.predict(X), sample_weight)
