"""A ranking in the shell does not load what it does not need, and what it needs is the real one."""

import subprocess
import sys

import pytest

from hetsel.datasets import load

RANKED = """
import sys
from hetsel.shell.main import main
code = main(["rank", "heart", *sys.argv[1:]])
heavy = "scipy.stats._stats_py" in sys.modules
assert heavy or "numpy.f2py.f2py2e" not in sys.modules
assert {name for name in sys.modules if name.startswith("hetsel.datasets.")} == {
    "hetsel.datasets.dataset", "hetsel.datasets.loaders", "hetsel.datasets.loaders.heart"
}
others = ("select", "search", "study")
assert not any(f"hetsel.shell.commands.{name}" in sys.modules for name in others)
import sklearn.feature_selection
from scipy import stats
from hetsel import RFEMKL
same = issubclass(RFEMKL, sklearn.feature_selection.SelectorMixin)
print(code, heavy, same, hasattr(sklearn.feature_selection, "SelectKBest"), stats.norm.sf(0.0))
"""
NOMINAL = ",".join(name for name, cells in load("heart").X.items() if cells.dtype == "category")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "heavy"),
    [(["--method", "rfe-mkl"], False), (["--method", "t-test", "--drop", NOMINAL], True)],
)
def test_the_statistics_of_scipy_load_when_a_method_asks_for_them(options, heavy):
    command = [sys.executable, "-c", RANKED, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"0 {heavy} True True 0.5"
