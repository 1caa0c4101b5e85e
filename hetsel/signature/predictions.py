"""Predict rows with a fitted signature."""

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
    """Predict with the final model of :class:`hetsel.Signature`."""

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
        """Compute decision values with the final model.

        Parameters
        ----------
        X : Table, DataFrame or array of shape (n, p)
            A frame needs the columns of the signature only.

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
        check_is_fitted(self, "model_")
        return final_models.decisions_of(self.model_, self._columns_of(X))

    def _columns_of(self, X: object) -> Table:
        """Return the columns of the signature, and warn of rows far from the training rows."""
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
        """Predict the class, the number or the risk score of each row.

        Parameters
        ----------
        X : Table, DataFrame or array of shape (n, p)
            A frame needs the columns of the signature only.

        Returns
        -------
        ndarray of shape (n,)
        """
        check_is_fitted(self, "model_")
        return np.asarray(self.model_.predict(self._columns_of(X)))

    @available_if(_predicts_shares)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: object) -> np.ndarray:
        """Predict probabilities of the classes, in the order of `classes_`.

        `predict` gives the classes equal weights, whatever their prevalence. Therefore it can
        predict a rare class at a probability below 0.5.

        Parameters
        ----------
        X : Table, DataFrame or array of shape (n, p)
            A frame needs the columns of the signature only.

        Returns
        -------
        ndarray of shape (n, classes)

        Raises
        ------
        TableError
            If there were too few rows to learn probabilities from.
        """
        check_is_fitted(self, "model_")
        if self.calibration_ is None:
            raise TableError(
                f"there are no probabilities ({self.reason_ or 'the target has no classes'})"
            )
        found = self.calibration_.of(final_models.decisions_of(self._model, self._columns_of(X)))
        return found[:, places_in(self._labels, self.classes_)]

    def score(self, X: object, y: object, sample_weight: object = None) -> float:
        """Score the final model on given rows: balanced accuracy, R^2 or Harrell's C.

        On training rows this is the resubstitution score, as scikit-learn's training scores are.
        These rows chose the features and the model, so new rows score lower. `score` does not
        detect training rows: a rounded digit hides them, and with few levels new rows equal them by
        chance. Use `performance_`, the nested estimate, for the performance on new rows.

        Parameters
        ----------
        X : Table, DataFrame or array of shape (n, p)
        y : array-like of shape (n,)
            Class labels, numbers or survival times.
        sample_weight : array-like of shape (n,), optional

        Returns
        -------
        float
        """
        refuse_other_rows(X, y=y, sample_weight=sample_weight)
        return final_models.score_of(self.target_kind_, y, self.predict(X), sample_weight)
