"""Rheumagene is not public: the user's file, and a simulation that never bears its name."""

import pandas as pd
import pytest

import hetsel
from hetsel.datasets import NAMES, load, load_rheumagene, simulate_rheumagene
from hetsel.ground.errors import TableError


def kinds(X):
    return [column.kind for column in hetsel.Schema.infer(X).columns]


def test_without_a_file_it_says_that_the_data_are_not_public():
    for call in (load_rheumagene, lambda: load("rheumagene")):
        with pytest.raises(TableError, match=r"not public.*load_rheumagene\(path\)"):
            call()
    assert not any("rheumagene" in name for name in NAMES)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_simulation_has_the_shape(seed):
    data = simulate_rheumagene(seed)
    assert data.name == "rheumagene-simulated"
    assert data.X.shape == (49, 103)
    assert kinds(data.X) == ["continuous"] * 100 + ["nominal"] * 3
    assert data.y.value_counts().to_dict() == {0: 28, 1: 21}
    assert data.X["clinical3"].value_counts().to_dict() == {"0": 46, "1": 3}
    assert data.description.startswith("SIMULATED")
    assert data.relevant == (*(f"gene{j}" for j in range(1, 11)), "clinical1", "clinical2")


def test_the_simulation_repeats_by_seed():
    first, again, other = (simulate_rheumagene(seed) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(first.X, again.X)
    pd.testing.assert_series_equal(first.y, again.y)
    assert not first.X.equals(other.X)


def test_the_simulation_keeps_its_word_on_what_is_informative():
    agree, shift, rest = [], [], []
    for seed in range(40):
        data = simulate_rheumagene(seed)
        gap = data.X.iloc[:, :100].groupby(data.y).mean().diff().loc[1]
        shift.append(gap[:10].mean())
        rest.append(gap[10:].mean())
        agree.append([(data.X[f"clinical{j}"].astype(int) == data.y).mean() for j in (1, 2)])
    assert pd.Series(shift).mean() == pytest.approx(1.2, abs=0.06)
    assert pd.Series(rest).mean() == pytest.approx(0.0, abs=0.02)
    assert pd.DataFrame(agree).mean().tolist() == pytest.approx([0.9, 0.8], abs=0.03)


def test_the_user_s_file(tmp_path):
    simulated = simulate_rheumagene(0)
    path = tmp_path / "mine.csv"
    simulated.frame.to_csv(path, index=False)
    data = load_rheumagene(path)
    assert data.name == "rheumagene"
    assert data.X.shape == (49, 103)
    assert kinds(data.X).count("nominal") == 3
    assert data.y.tolist() == simulated.y.tolist()
    assert "mine.csv" in data.description
    assert data.license == "not public"


def test_the_categorical_columns_may_be_named(tmp_path):
    frame = simulate_rheumagene(0).frame.rename(columns={"class": "diagnosis"})
    frame["clinical3"] = [3 if cell == "1" else 7 for cell in frame["clinical3"]]
    frame["diagnosis"] = frame["diagnosis"].map({0: "no", 1: "yes"})
    path = tmp_path / "mine.csv"
    frame.to_csv(path, index=False)
    names = ["clinical1", "clinical2", "clinical3"]
    data = load_rheumagene(path, target="diagnosis", nominal=names)
    assert data.X["clinical3"].cat.categories.tolist() == [3, 7]
    assert data.y.value_counts().to_dict() == {"no": 28, "yes": 21}
    with pytest.raises(TableError, match="101 continuous and 2 categorical.*nominal="):
        load_rheumagene(path, target="diagnosis")


def test_a_table_of_another_shape_is_refused(tmp_path):
    frame = simulate_rheumagene(0).frame
    path = tmp_path / "mine.csv"
    frame.iloc[:-1].to_csv(path, index=False)
    with pytest.raises(TableError, match="Rheumagene must have 49 rows, .*Got 48 rows"):
        load_rheumagene(path)
    with pytest.raises(TableError, match="target: the table has no column 'klass'"):
        load_rheumagene(path, target="klass")
    with pytest.raises(TableError, match="no such file"):
        load_rheumagene(tmp_path / "absent.csv")
