"""Columns of subnormal and of very large numbers: answers are those in another unit."""

import warnings

import numpy as np
import pandas as pd
import pytest

import hetsel

SCALES = {"subnormal": -1060, "tiny": -700, "large": 540, "largest": 1014}  # powers of two


def tables(power):
    """A table with a column that tells the classes, and the same column in another unit."""
    rng = np.random.default_rng(5)
    x = np.round(rng.normal(size=60), 2)
    y = np.where(x + rng.normal(size=60) > 0, "a", "b")
    other = pd.DataFrame(
        {"z": rng.normal(size=60), "s": pd.Categorical(rng.choice(list("uv"), 60))}
    )
    scaled = np.ldexp(np.round(x * 2**6), power)  # 2^6: whole numbers, exact in any unit
    return other.assign(x=np.round(x * 2**6)), other.assign(x=scaled), y


def fitted(X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        signature = hetsel.Signature(
            "hsic", 2, folds=3, repeats=1, permutations=0, pairs=2, n_jobs=1
        ).fit(X, y)
        return signature, signature.points()


@pytest.mark.seconds
@pytest.mark.parametrize("power", SCALES.values(), ids=SCALES)
def test_points_and_probabilities_do_not_hang_on_the_unit(power, tmp_path):
    plain, scaled, y = tables(power)
    scaled.loc[0, "x"] = -scaled["x"].max()  # the range may be beyond the largest number
    plain.loc[0, "x"] = -plain["x"].max()
    (expected, of_plain), (found, of_scaled) = fitted(plain, y), fitted(scaled, y)
    assert found.predict_proba(scaled) == pytest.approx(expected.predict_proba(plain), abs=1e-6)
    assert set(of_scaled["feature"]) == set(of_plain["feature"])
    assert of_scaled["effect"].max() == pytest.approx(
        of_plain["effect"].max(), rel=0.3
    )  # round cuts
    hetsel.write_signature_report(found, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert ("× 1e+300" in page) == (power == SCALES["largest"])


@pytest.mark.parametrize("power", SCALES.values(), ids=SCALES)
def test_knockoffs_do_not_hang_on_the_unit(power):
    plain, scaled, y = tables(power)
    selector = hetsel.get_method("group-lasso")
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        expected, found = (
            hetsel.knockoff_selection(selector(), X, y, fdr=0.5) for X in (plain, scaled)
        )
    assert pytest.approx(expected.W, abs=1e-9) == found.W
