"""The bundled heart table against the original file of the repository it came from."""

import csv
import hashlib
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.datasets import load, load_heart
from hetsel.datasets.sources import required_data_folder

SHA256 = "8e69a02fe79c65cff91ee5d50518c1655b038449c9dfbf158f74da2e12cb5a94"

CATEGORICAL = {
    "gender": {"0.0": "female", "1.0": "male"},
    "chest pain": {
        "1.0": "typical ang",
        "2.0": "atypical ang",
        "3.0": "non-anginal",
        "4.0": "asymptomatic",
    },
    "fasting blood sugar > 120": {"0.0": "0", "1.0": "1"},
    "rest ECG": {"0.0": "normal", "1.0": "ST-T abnormal", "2.0": "left vent hypertrophy"},
    "exerc ind ang": {"0.0": "0", "1.0": "1"},
    "slope peak exc ST": {"1.0": "upsloping", "2.0": "flat", "3.0": "downsloping"},
    "thal": {"3.0": "normal", "6.0": "fixed defect", "7.0": "reversable defect"},
}


def test_shape_kinds_classes_and_gaps_are_those_of_the_paper():
    data = load_heart()
    assert data.X.shape == (303, 13)
    kinds = [c.kind for c in hetsel.Schema.infer(data.X).columns]
    assert kinds.count("continuous") == 6
    assert kinds.count("nominal") == 7
    assert data.y.value_counts().to_dict() == {0: 164, 1: 139}
    gaps = data.X.isna().sum()
    assert gaps[gaps > 0].to_dict() == {"major vessels colored": 4, "thal": 2}


def written_as_the_original(X):
    """The 13 features in the form of processed.cleveland.data, one line a patient."""
    columns = []
    for name in X.columns:
        codes = {level: code for code, level in CATEGORICAL.get(name, {}).items()}
        cells = X[name].astype(object)
        columns.append(["?" if pd.isna(c) else codes.get(c, str(c)) for c in cells])
    return "\n".join(",".join(row) for row in zip(*columns, strict=True))


def test_every_cell_equals_the_original_by_checksum():
    """Needs no file: the sum is that of the original's first 13 columns."""
    text = written_as_the_original(load_heart().X)
    assert hashlib.sha256(text.encode()).hexdigest() == SHA256


@pytest.mark.originals
def test_every_cell_equals_the_original():
    original = required_data_folder() / "heart_disease" / "processed.cleveland.data"
    lines = original.read_text(encoding="ascii").split()
    features = "\n".join(line.rpartition(",")[0] for line in lines)
    assert hashlib.sha256(features.encode()).hexdigest() == SHA256
    rows = list(csv.reader(original.read_text(encoding="ascii").splitlines()))
    data = load_heart()
    assert len(rows) == len(data.X)
    for name, cells in zip(data.X.columns, zip(*rows, strict=True), strict=False):
        if name in CATEGORICAL:
            names = {**CATEGORICAL[name], "?": None}
            wanted = pd.Series([names[cell] for cell in cells], dtype="str")
            pd.testing.assert_series_equal(
                data.X[name].astype("str"), wanted, check_names=False, obj=name
            )
            assert set(data.X[name].cat.categories) == set(CATEGORICAL[name].values())
        else:
            wanted = np.array([np.nan if cell == "?" else float(cell) for cell in cells])
            np.testing.assert_array_equal(data.X[name].to_numpy(), wanted, err_msg=name)
    classes = [int(int(row[-1]) > 0) for row in rows]
    assert data.y.tolist() == classes


def test_the_file_is_the_one_its_license_speaks_of():
    folder = files("hetsel.datasets")
    content = folder.joinpath("heart_disease.tab").read_bytes()
    notice = folder.joinpath("heart_disease.LICENSE").read_text(encoding="utf-8")
    assert hashlib.sha256(content).hexdigest() in notice
    for words in ("GPL-3.0", "CC BY 4.0", "Detrano", "Orange3 3.40.0"):
        assert words in notice


def test_a_data_set_says_what_it_is():
    data = load("heart")
    for fact in ("heart", "303 rows", "13 features", "'diameter narrowing'", "0 164, 1 139"):
        assert fact in repr(data)
    assert data.frame.columns[-1] == data.y.name
    assert data.frame.shape == (303, 14)
    assert "1989" in data.citation
    assert "CC BY 4.0" in data.license
    assert "303 rows" in data.description


def test_two_loads_share_nothing():
    first = load_heart()
    first.X.loc[0, "age"] = -1.0
    assert load_heart().X.loc[0, "age"] == 63.0
