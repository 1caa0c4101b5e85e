"""A data set on a scale of its own: for all methods and classifiers, learned on training rows."""

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.preprocessing import QuantileTransformer
from study.studies import small_study, whole

from hetsel import RFEMKL, ClinicalSVC
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import PlanError
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.cell import Recipe

N = 80
SIZES = (1, 3, 5)


def spec(**options):
    frame, y = mixed_frame(N, 4, 2, seed=9)
    frame["c1"] = np.exp(3 * frame["c1"])
    frame.loc[5, "c0"] = 9999
    return DataSpec(name="d", X=frame, y=y, **options)


def recipe():
    final = ClassifierSpec.of("", {"key": "clinical-svm", "params": {"C": 10.0}})
    method = MethodSpec.of("", "rfe-mkl")
    return Recipe(method, SIZES, (final,), Resamplings(count=3, test_share=0.25), 4)


def test_a_cell_is_a_pipeline_behind_the_transformer_of_scikit_learn():
    data = prepare(spec(scale="quantile"))
    frame, y = mixed_frame(N, 4, 2, seed=9)
    frame["c1"] = np.exp(3 * frame["c1"])
    frame.loc[5, "c0"] = 9999
    for number in range(3):
        cell = whole(recipe().run(data, number, ""))
        test = np.isin(np.arange(N), cell.test)
        train, later = frame[~test].copy(), frame[test].copy()
        numbers = ["c0", "c1", "c2", "c3"]
        known = QuantileTransformer(n_quantiles=len(train), subsample=None).fit(train[numbers])
        train[numbers], later[numbers] = (known.transform(one[numbers]) for one in (train, later))
        selector = RFEMKL().fit(train, y[~test])
        for place, size in enumerate(SIZES):
            columns = np.sort(selector.signature(size))
            assert np.flatnonzero(cell.chosen[place]).tolist() == columns.tolist()
            final = ClinicalSVC(10.0).fit(train.iloc[:, columns], y[~test])
            expected = final.decision_function(later.iloc[:, columns])
            np.testing.assert_allclose(cell.decisions[0, place, :, 0], expected, atol=1e-7)


def test_the_range_is_no_other_data_set_than_before_and_other_scales_are():
    plain, said, quantile, robust = (
        prepare(spec(**options)).fingerprint
        for options in ({}, {"scale": "range"}, {"scale": "quantile"}, {"scale": "robust"})
    )
    assert plain == said
    assert len({plain, quantile, robust}) == 3
    assert "scale" not in spec().to_dict()
    assert "scale" not in prepare(spec()).to_dict()
    assert spec(scale="robust").to_dict()["scale"] == "robust"
    assert prepare(spec(scale="robust")).to_dict()["scale"] == "robust"


def test_a_plan_refuses_another_scale_with_those_that_there_are():
    frame, y = mixed_frame(N, 2, 1)
    with pytest.raises(PlanError, match=r"scale must be .*range, quantile, robust.*'rank'"):
        small_study(datasets={"name": "d", "X": frame, "y": y, "scale": "rank"})
