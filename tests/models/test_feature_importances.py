"""Importances of input columns as scikit-learn's selectors read them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import RFE, SelectFromModel

from hetsel import ClinicalMKL, ClinicalSVC, Signature
from hetsel.kernels.clinical_kernel import clinical_kernel

ROWS = np.random.default_rng(4)
CODES = np.tile([0, 1, 1, 0, 2, 1], 15)
X = ROWS.normal(size=(90, 5))
X[:, 2] += 1.5 * CODES
X[:, 4] += CODES


@pytest.mark.parametrize("model", [ClinicalSVC(), ClinicalMKL(), ClinicalSVC(missing="separate")])
@pytest.mark.parametrize("y", [CODES, CODES > 0], ids=["three classes", "two"])
def test_they_are_shares_of_the_squared_norm(model, y):
    cells = X.copy()
    if model.missing == "separate":
        cells[3:20, 1] = np.nan
    found = model.fit(cells, y)
    norms = []
    for weight, column in zip(found.weights_, np.hsplit(cells, 5), strict=True):
        kernel = clinical_kernel(column, missing=model.missing)
        norms.append(weight * sum(beta @ kernel @ beta for beta in found.dual_coef_))
    np.testing.assert_allclose(found.feature_importances_.sum(), 1.0)
    np.testing.assert_allclose(found.feature_importances_, norms / np.sum(norms), atol=1e-12)


def test_elimination_of_scikit_learn_keeps_what_tells_the_classes():
    found = RFE(ClinicalSVC(C=0.1), n_features_to_select=2).fit(X, CODES > 0)
    assert found.get_support(indices=True).tolist() == [2, 4]


def test_those_of_a_signature_stand_at_its_columns():
    frame = pd.DataFrame(X, columns=list("abcde")).assign(f=np.where(CODES, "p", "q"))
    asked = Signature(size=2, folds=3, repeats=1, permutations=0, pairs=0)
    found = SelectFromModel(asked, threshold=1e-9).set_output(transform="pandas")
    kept = found.fit(frame, CODES > 0).transform(frame)
    signature = found.estimator_
    assert set(kept.columns) == set(signature.features_)
    assert signature.feature_importances_.sum() == pytest.approx(1.0)
    mask = signature.get_support()
    np.testing.assert_array_equal(signature.feature_importances_ > 0, mask)
