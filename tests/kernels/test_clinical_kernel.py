import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sksurv.kernels import clinical_kernel as sksurv_kernel
from twins.kernel_sums import weighted_gram

from hetsel import ClinicalKernel, ClinicalSVC, Schema, clinical_kernel
from hetsel.ground.errors import TableError

FIVE = pd.DataFrame(
    {
        "age": [20.0, 30.0, 60.0, 70.0, 50.0],
        "grade": pd.Categorical(["I", "III", "II", "I", "III"], ["I", "II", "III"], ordered=True),
        "sex": ["f", "f", "m", "m", "f"],
    }
)


def test_five_patients_by_hand():
    # range of age 50; grades 0 2 1 0 2 of range 2
    age = np.array(
        [
            [50, 40, 10, 0, 20],
            [40, 50, 20, 10, 30],
            [10, 20, 50, 40, 40],
            [0, 10, 40, 50, 30],
            [20, 30, 40, 30, 50],
        ]
    )
    grade = np.array(
        [[2, 0, 1, 2, 0], [0, 2, 1, 0, 2], [1, 1, 2, 1, 1], [2, 0, 1, 2, 0], [0, 2, 1, 0, 2]]
    )
    sex = np.array(
        [[1, 1, 0, 0, 1], [1, 1, 0, 0, 1], [0, 0, 1, 1, 0], [0, 0, 1, 1, 0], [1, 1, 0, 0, 1]]
    )
    expected = (age / 50 + grade / 2 + sex) / 3
    np.testing.assert_allclose(clinical_kernel(FIVE), expected, rtol=0, atol=1e-15)


def test_scikit_survival_agrees_where_it_is_right():
    np.testing.assert_allclose(clinical_kernel(FIVE), sksurv_kernel(FIVE), atol=1e-15)
    frame, _ = mixed_frame(40, 6, 4, seed=3)
    np.testing.assert_allclose(clinical_kernel(frame), sksurv_kernel(frame), atol=1e-14)


DTYPES = {
    "bool": lambda f: f.assign(b=np.arange(len(f)) % 3 == 0),
    "integer": lambda f: f.assign(b=np.arange(len(f))),
    "nullable": lambda f: f.assign(b=pd.array([1, None] * (len(f) // 2), dtype="Int64")),
    "string": lambda f: f.assign(b=pd.array(["x", "y"] * (len(f) // 2), dtype="string")),
    "arrow": lambda f: f.assign(b=pd.Series(["x", None] * (len(f) // 2), dtype="string[pyarrow]")),
    "date": lambda f: f.assign(b=pd.date_range("2020-01-01", periods=len(f))),
    "constant": lambda f: f.assign(b=4.0),
    "wide": lambda f: f.assign(**{f"z{j}": np.sin(np.arange(len(f)) * j) for j in range(60)}),
}


@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_gives_a_kernel(dtype, missing):
    frame, _ = mixed_frame(30, 3, 2, missing=0.1)
    gram = clinical_kernel(DTYPES[dtype](frame), missing=missing)
    np.testing.assert_allclose(np.diag(gram), 1.0, atol=1e-14)
    assert gram.min() >= 0
    assert gram.max() <= 1 + 1e-14
    assert np.array_equal(gram, gram.T)
    assert np.linalg.eigvalsh(gram).min() > -1e-12


@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_equals_the_loops(missing):
    frame, _ = mixed_frame(25, 3, 3, missing=0.2)
    table = Schema.infer(frame).encode(frame).resolve_missing(missing)
    slow = weighted_gram(table.values, table.nominal, np.full(6, 1 / 6))
    np.testing.assert_allclose(clinical_kernel(frame, missing=missing), slow, atol=1e-14)


def test_values_outside_the_training_range_are_clipped():
    train = pd.DataFrame({"x": [0.0, 10.0]})
    gram = clinical_kernel(pd.DataFrame({"x": [-50.0, 25.0, 5.0]}), train)
    np.testing.assert_array_equal(gram, [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])


def test_unseen_level_is_refused_or_kept_apart():
    train, test = FIVE, FIVE.assign(sex=["f", "x", "x", "m", "z"])
    with pytest.raises(
        TableError, match="column 'sex' must hold levels .*: f, m. Got the unseen levels x, z"
    ):
        clinical_kernel(test, train)
    gram = clinical_kernel(test[["sex"]], train[["sex"]], unseen="separate")
    np.testing.assert_array_equal(gram[[1, 2, 4]], 0.0)
    np.testing.assert_array_equal(gram[0], [1, 1, 0, 0, 1])


def test_in_a_support_vector_machine():
    frame, y = mixed_frame(80, 4, 2)
    pipeline = make_pipeline(ClinicalKernel(), SVC(kernel="precomputed", C=1.0))
    own = cross_val_score(ClinicalSVC(C=1.0), frame, y)
    np.testing.assert_array_equal(cross_val_score(pipeline, frame, y), own)
    assert own.mean() > 0.7
    codes = frame.assign(n0=frame["n0"].cat.codes, n1=frame["n1"].cat.codes).to_numpy(float)
    machine = SVC(kernel=ClinicalKernel(nominal=[4, 5]), C=1.0)
    np.testing.assert_array_equal(cross_val_score(machine, codes, y), own)


def test_ranges_come_from_the_training_rows():
    frame, y = mixed_frame(60, 3, 0)
    train, test = frame[:40], frame[40:]
    fitted = ClinicalKernel().fit(train)
    np.testing.assert_array_equal(fitted.transform(test), clinical_kernel(test, train))
    machine = SVC(kernel=ClinicalKernel()).fit(train.to_numpy(), y[:40])
    by_hand = SVC(kernel="precomputed").fit(clinical_kernel(train), y[:40])
    np.testing.assert_allclose(
        machine.decision_function(test.to_numpy()),
        by_hand.decision_function(clinical_kernel(test, train)),
        atol=1e-12,
    )
