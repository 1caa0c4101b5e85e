"""ReliefF of classes and of numbers against R's CORElearn, where no distances tie."""

import subprocess

import numpy as np
import pandas as pd
import pytest

from hetsel import ReliefF
from r_bridge.to_r.session import RPackageMissing, require_package

# its diff of numbers is 0 up to a share of the range and 1 from another: here the whole range
SCRIPT = """
d <- read.csv(commandArgs(TRUE)[1], stringsAsFactors = TRUE)
k <- as.integer(commandArgs(TRUE)[2])
told <- CORElearn::attrEval(
  "y", d, if (is.factor(d$y)) "ReliefFequalK" else "RReliefFequalK", ReliefIterations = 0,
  kNearestEqual = k, numAttrProportionEqual = 0, numAttrProportionDifferent = 1, maxThreads = 1
)[setdiff(names(d), "y")]
cat(sprintf("%.17g", told))
"""


@pytest.fixture(scope="module", autouse=True)
def corelearn():
    try:
        require_package("CORElearn")
    except RPackageMissing as reason:
        pytest.skip(str(reason))


def mixed(seed, n=70):
    """Numbers, one of them skewed, and columns of two, three and five levels; what they tell."""
    rng = np.random.default_rng(seed)
    told = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "dose": told + rng.normal(size=n),
            "time": rng.exponential(size=n),
            "site": np.array(list("abc"))[np.digitize(told + rng.normal(size=n), [-0.6, 0.6])],
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(list("vwxyz"), n),
            "noise": rng.normal(size=n),
        }
    )
    return frame, told


@pytest.mark.parametrize("target", ["numbers", "two classes", "three classes"])
@pytest.mark.parametrize("neighbors", [1, 10])
@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_corelearn(target, neighbors, seed, tmp_path):
    frame, told = mixed(seed)
    y = 40 - 7 * told
    if target != "numbers":
        cuts = [0.0] if target == "two classes" else [-0.8, 0.3]
        y = np.array(["low", "middle", "high"])[np.digitize(told, cuts)]
    frame.assign(y=y).to_csv(tmp_path / "table.csv", index=False, float_format="%.17g")
    command = ["Rscript", "-e", SCRIPT, str(tmp_path / "table.csv"), str(neighbors)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = ReliefF(neighbors=neighbors).fit(frame, y).importances_
    np.testing.assert_allclose(found, np.array(done.stdout.split(), dtype=float), atol=1e-6)
    assert found.max() > 0.02
