"""The clinical kernel (Daemen and De Moor 2009; Eq. 1 and 2 of paul2015)."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from hetsel.kernels import energies_and_grams, training_ranges
from hetsel.tables import Schema, read_features


def clinical_kernel(
    X: Any,
    Y: Any = None,
    *,
    nominal: Any = None,
    ordinal: Any = None,
    continuous: Any = None,
    schema: Schema | None = None,
    missing: Any = "impute",
    unseen: Any = "error",
) -> np.ndarray:
    """Compute the clinical kernel between the rows of X and the rows of Y.

    k(x, y) = (1/p) sum_f k_f(x_f, y_f), with k_f(a, b) = I(a = b) for a nominal column and k_f(a,
    b) = 1 - |a - b| / range_f for a continuous one (ordinal: on the positions of the levels). The
    range is that of Y, the training rows (of X without Y); values outside are clipped to it. A
    constant column has k_f = 1.

    Parameters
    ----------
    X : DataFrame or array of shape (n, p)
        The rows.
    Y : DataFrame or array of shape (m, p), optional
        The training rows; default X.
    nominal, ordinal, continuous, schema, missing
        As in :class:`hetsel.selection.BaseSelector`.
    unseen : {"error", "separate"}
        How to handle a level of X that Y does not have; see :meth:`hetsel.Schema.encode`.

    Returns
    -------
    ndarray of shape (n, m)
        Values in [0, 1]; 1 on the diagonal of a table with itself.

    See Also
    --------
    hetsel.ClinicalKernel : The kernel as a transformer.
    hetsel.ClinicalSVC : A support vector machine with this kernel.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, Eq. 1 and 2.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [40.0, 60.0, 80.0], "sex": ["f", "f", "m"]})
    >>> clinical_kernel(frame)
    array([[1.  , 0.75, 0.  ],
           [0.75, 1.  , 0.25],
           [0.  , 0.25, 1.  ]])
    """
    kinds = {"nominal": nominal, "ordinal": ordinal, "continuous": continuous}
    kernel = ClinicalKernel(**kinds, schema=schema, missing=missing, unseen=unseen)
    return kernel(X, X if Y is None else Y)


@dataclass(eq=False, repr=False)
class ClinicalKernel(TransformerMixin, BaseEstimator):
    """Use the clinical kernel in scikit-learn, as a transformer or as a callable kernel.

    `ClinicalKernel().fit(train).transform(test)` returns the Gram matrix with the training rows,
    for `SVC(kernel="precomputed")` in a pipeline; it accepts data frames with text and categories.
    `SVC(kernel=ClinicalKernel(nominal=[3, 4]))` works on numeric arrays. `kernel(X, Y)` is the
    kernel of two tables. A kernel that is not fitted uses the schema and ranges of Y.

    Parameters
    ----------
    nominal, ordinal, continuous, schema, missing
        As in :class:`hetsel.selection.BaseSelector`.
    unseen : {"error", "separate"}
        How to handle an unseen level: refuse it, or treat it as a separate level.

    See Also
    --------
    hetsel.clinical_kernel : The kernel as a function.
    hetsel.ClinicalSVC : A support vector machine with this kernel.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [40.0, 60.0, 80.0], "sex": ["f", "f", "m"]})
    >>> ClinicalKernel().fit(frame).transform(frame.head(1))
    array([[1.  , 0.75, 0.  ]])
    """

    _: KW_ONLY
    nominal: Any = None
    ordinal: Any = None
    continuous: Any = None
    schema: Schema | None = None
    missing: Any = "impute"
    unseen: Any = "error"

    def fit(self, X: Any, y: Any = None) -> "ClinicalKernel":
        """Learn schema, ranges and imputed values from the training rows."""
        table = read_features(self, X, reset=True).resolve_missing(self.missing)
        self.scaling_ = training_ranges.Scaling.fit(table)
        self.table_ = table
        self.train_ = self.scaling_.apply(table)
        return self

    def _rows(self, X: Any) -> np.ndarray:
        table = read_features(self, X, reset=False)
        return self.scaling_.apply(table.resolve_missing(self.missing, like=self.table_))

    def transform(self, X: Any) -> np.ndarray:
        """Compute the kernel (n, m) between these rows and the m training rows."""
        check_is_fitted(self, "train_")
        return self._gram(self._rows(X), self.train_)

    def __call__(self, X: Any, Y: Any) -> np.ndarray:
        """Compute the kernel (n, m) between the rows of X and of Y."""
        if not hasattr(self, "train_"):
            fitted = ClinicalKernel(**self.get_params()).fit(Y)
            return fitted._gram(fitted._rows(X), fitted.train_)
        return self._gram(self._rows(X), self._rows(Y))

    def _gram(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        p = len(left)
        gram = np.zeros((left.shape[1], right.shape[1]))
        gaps = np.isnan(left).any(axis=1) | np.isnan(right).any(axis=1)
        energies_and_grams.add_cross(
            gram, left, right, self.scaling_.nominal, gaps, np.arange(p), np.ones(p)
        )
        return gram / p

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return one name per training row."""
        check_is_fitted(self, "train_")
        names = [f"clinicalkernel{i}" for i in range(self.train_.shape[1])]
        return np.asarray(names, dtype=object)
