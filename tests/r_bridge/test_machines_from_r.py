"""Entry points of machines and of the kernel: the numbers are those of the same call in Python."""

import json

import crossing as facade
import numpy as np
import pandas as pd
import pytest

import hetsel

K = np.arange(40)
SICK = (K % 3 == 0) ^ (K % 11 == 0)
FRAME = pd.DataFrame(
    {
        "dose": np.sin(K) + 2 * (K % 3 == 0),
        "site": pd.Categorical(np.array(["hip", "knee", "hand"])[K % 3], ["hand", "hip", "knee"]),
        "stage": pd.Categorical(
            np.array(["low", "mid", "high"])[K % 5 % 3], ["low", "mid", "high"], ordered=True
        ),
    }
)
MACHINES = {
    "svm": (hetsel.ClinicalSVC, {"C": 2.0, "class_weight": "balanced"}),
    "mkl": (hetsel.ClinicalMKL, {"C": 0.5, "q": 1.5, "class_weight": {"TRUE": 2.0}}),
}


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_is_that_of_python_and_so_are_its_predictions(name):
    kind, options = MACHINES[name]
    answer = getattr(facade, name)(FRAME, SICK, **options)
    model = kind(**options).fit(FRAME, SICK)
    assert answer["intercept"] == {"TRUE": model.intercept_[0]}
    assert answer["features"]["weight"] == model.weights_.tolist()
    assert np.array_equal(answer["dual"], model.dual_coef_.T)
    assert answer["positive"] == "TRUE"
    assert (answer.get("gap") is None) == (name == "svm")
    predicted = facade.predict_model(answer["model"], FRAME)
    assert predicted["decision"] == model.decision_function(FRAME).tolist()
    assert predicted["class"] == [str(v).upper() for v in model.predict(FRAME).tolist()]
    assert "class_weight" in answer["changed"]


def test_effects_lie_on_the_curves_of_python():
    answer = facade.svm(FRAME, SICK)
    effects = pd.DataFrame(answer["effects"])
    for curve in hetsel.ClinicalSVC().fit(FRAME, SICK).effect_curves():
        own = effects[effects["feature"] == curve.name]
        if curve.kind == "nominal":
            assert own["level"].tolist() == curve.knots.tolist()
            assert own["effect_low"].tolist() == curve.values[0].tolist()
            continue
        first = curve.kind == "ordinal"  # R counts levels from 1
        known = dict(zip((curve.knots + first).tolist(), curve.values[0].tolist(), strict=True))
        for end in ("low", "high"):
            found = zip(own[end], own[f"effect_{end}"], strict=True)
            assert all(known[at] == value for at, value in found)
    assert answer["levels"]["stage"] == ["low", "mid", "high"]


def test_weights_of_rows_reach_the_machine():
    weights = 1.0 + K % 4
    answer = facade.svm(FRAME, SICK, row_weights=weights, C=1.0)
    model = hetsel.ClinicalSVC(1.0).fit(FRAME, SICK, weights)
    assert np.array_equal(answer["dual"], model.dual_coef_.T)
    refused = facade.svm(FRAME, SICK, row_weights=weights > 2)
    told = "row_weights must be numeric, 0 or larger. Got a logical vector"
    assert refused["error"]["message"] == told
    assert facade.svm(FRAME, SICK, C=-1.0)["error"]["argument"] == "C"


def test_rows_without_weight_are_not_described():
    weights = (K % 4).astype(np.float64)
    gaps = np.where(K % 7 == 0, np.nan, FRAME["dose"])
    answer = facade.svm(FRAME.assign(dose=gaps), SICK, row_weights=weights)
    left = weights > 0
    assert not answer["dual"][~left].any()
    assert answer["rows"] == left.sum() == sum(answer["classes"].values())
    assert answer["columns"]["missing"] == [int(np.isnan(gaps[left]).sum()), 0, 0]
    assert answer["columns"]["imputed"] == [f"{np.nanmedian(gaps[left]):.6g}", "", ""]
    effects = answer["effects"]
    of_site = [name == "site" for name in effects["feature"]]
    assert np.sum(effects["rows"], where=of_site) == left.sum()


def test_the_kernel_is_that_of_python():
    expected = hetsel.clinical_kernel(FRAME, FRAME[:30])
    assert np.array_equal(facade.kernel(FRAME, FRAME[:30]), expected)
    assert np.array_equal(facade.kernel(FRAME), hetsel.clinical_kernel(FRAME))


@pytest.mark.parametrize("text", ["", "{}", "[1]", json.dumps({"format": "another"})])
def test_a_text_that_is_no_model_is_refused(text):
    assert set(facade.predict_model(text, FRAME)) == {"error"}
