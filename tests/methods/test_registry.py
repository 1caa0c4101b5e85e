"""The registry: a method is one file, known everywhere by being there."""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from study.studies import Told

import hetsel
from hetsel import get_method, method_keys, method_table
from hetsel.ground.errors import HetselError
from hetsel.methods import FAMILIES, class_in, class_names, homes
from hetsel.methods.registry import family_of, key_of, own_parameters
from hetsel.selection import BaseSelector

ROOT = Path(__file__).parents[2]
# a method as its author would write it
SPREAD = '''"""How far the means of the classes are apart."""

import numpy as np

from hetsel.selection.about import About
from hetsel.selection.base import UnivariateFilter
from hetsel.selection.about import Cost
from hetsel.ground.equal_numbers import on_grid, unit_scale


class MeanSpread(UnivariateFilter):
    """Rank columns of numbers by J(f) = (max_c m_fc - min_c m_fc)^power on the scale [0, 1]."""

    power: float = 1.0

    about = About("spread of the class means", takes=("continuous", "ordinal"), paper="a textbook",
                  cost=Cost(time="n p", memory="4 n p"))

    def _score(self, problem):
        x, y = unit_scale(problem.table.values), problem.target.codes
        means = np.array([np.nanmean(x[y == c], axis=0) for c in range(y.max() + 1)])
        return on_grid(np.ptp(means, axis=0) ** self.power)
'''
# what knows of it, in one process, as JSON
SEEN = """
import contextlib, io, json
import hetsel
from hetsel.shell.main import main
from hetsel.study.plan.plan_schema import plan_schema
from r_bridge.from_r import entry_points

def shell(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main([*arguments, "--json"])
    assert code == 0, arguments
    return json.loads(out.getvalue())

table = hetsel.datasets.load("heart")
numbers = table.X.select_dtypes("number")
study = hetsel.Study(
    datasets={"name": "numbers", "X": numbers, "y": table.y}, methods=["mean-spread", "t-test"],
    resamplings=2, sizes=[1, 2], classifiers=[{"key": "random-forest", "params": {"trees": 3}}],
)
results = study.run(store="study.sqlite", progress=False)
definitions = plan_schema()["definitions"]
print(json.dumps({
    "file": hetsel.__file__,
    "keys": hetsel.method_keys(),
    "title": hetsel.MeanSpread.about.title,
    "public": "MeanSpread" in hetsel.__all__ and "MeanSpread" in dir(hetsel),
    "shell": shell("methods")["methods"],
    "ranked": shell("rank", "heart", "--method", "mean-spread", "--param", "power=2",
                    "--drop", ",".join(c for c in table.X if c not in numbers)),
    "studied": sorted(set(results.frame()["method"])),
    "schema": json.dumps(definitions["MethodEntry"]),
    "schema keys": definitions["MethodKey"]["anyOf"][0]["enum"],
    "from R": entry_points.methods().to_dict("list"),
}))
"""


@pytest.mark.parametrize("key", method_keys())
def test_key_class_and_home_belong_together(key):
    method = get_method(key)
    assert issubclass(method, BaseSelector)
    assert key_of(method) == key
    examples = doctest.DocTestParser().get_examples(method.__doc__)
    assert "\nExamples\n--------\n" in method.__doc__
    calls = (f"{method.__name__}(", f'get_method("{key}")(')  # those of R have no public class
    assert any(call in example.source for example in examples for call in calls)
    if key in homes():  # of hetsel itself
        home = homes()[key]
        related = re.findall(r"\nSee Also\n-{8}\n(.+?)(?=\n\n|$)", method.__doc__, re.DOTALL)
        names = re.findall(r"^(\w+) : \S", related[0], re.MULTILINE)
        assert len(related) == 1
        assert names
        assert set(names) <= set(hetsel.__all__) - {method.__name__}
        assert home.path.stem.replace("_", "-") == key
        assert home.path.parent.name == home.family == family_of(method)
        assert home.family in FAMILIES
        assert class_names()[method.__name__] == key
        assert getattr(hetsel, method.__name__) is method


def test_own_parameters_are_those_no_other_selector_has():
    assert own_parameters(get_method("t-test")) == {"equal_var": False}
    assert own_parameters(get_method("fisher-exact")) == {"samples": 100_000, "limit": 3_000_000}


def test_a_class_that_is_not_registered_goes_by_its_full_name():
    assert key_of(Told) == "study.studies.Told"
    assert family_of(Told) == ""


def test_the_catalogue_has_a_row_a_method():
    table = method_table()
    assert table["key"].tolist() == method_keys()
    row = table.set_index("key").loc["t-test"]
    assert (row["family"], row["takes"], row["requires"]) == ("filters", "continuous, ordinal", "")
    for key, row in table.set_index("key").iterrows():
        about = get_method(key).about
        for target in about.targets:
            taken = row["takes" if target == "classes" else "takes_otherwise"]
            assert taken == ", ".join(about.takes_for(target))
        assert (row["takes_otherwise"] == "") == (about.targets == ("classes",))


def test_a_file_without_a_method_is_named(tmp_path):
    path = tmp_path / "empty.py"
    path.write_text("class Head:\n    size = 3\n")
    with pytest.raises(ValueError, match=r"empty\.py"):
        class_in(path)


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the packages with one file more; runs Python with it."""
    folder = tmp_path_factory.mktemp("copy")
    for package in ("hetsel", "r_bridge"):
        away = shutil.ignore_patterns("__pycache__", "*.nb?")
        shutil.copytree(ROOT / package, folder / package, ignore=away)
    (folder / "hetsel/methods/filters/mean_spread.py").write_text(SPREAD, encoding="utf-8")

    def python(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=folder,
            env=environment,
        )

    return python


@pytest.mark.slow
def test_a_method_of_twenty_lines_is_known_everywhere(copied):
    assert len([line for line in SPREAD.splitlines() if line]) <= 20
    done = copied("-c", SEEN)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert not seen["file"].startswith(str(ROOT / "hetsel"))
    assert seen["public"]
    assert seen["title"] == "spread of the class means"
    assert set(seen["keys"]) == {*method_keys(), "mean-spread"}
    (row,) = [row for row in seen["shell"] if row["key"] == "mean-spread"]
    assert (row["family"], row["takes"]) == ("filters", "continuous, ordinal")
    assert (row["time"], row["memory"]) == ("n p", "n p")
    assert len(seen["ranked"]["ranking"]) > 3
    assert seen["studied"] == ["mean-spread", "t-test"]
    assert "mean-spread" in seen["schema keys"]
    assert "power" in seen["schema"]
    place = seen["from R"]["key"].index("mean-spread")
    assert seen["from R"]["options"][place] == "power = 1.0"


@pytest.mark.slow
def test_it_is_tested_and_missed_in_the_table_of_methods_without_another_change(copied):
    suite = [str(ROOT / "tests" / name) for name in ("test_conformance.py", "test_site.py")]
    wanted = "(mean-spread and not pipeline) or catalogue_of_the_page"
    done = copied("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", wanted, *suite)
    last = done.stdout.splitlines()[-1]
    assert "1 failed" in last, done.stdout[-3000:]
    assert "mean-spread" in done.stdout.split("FAILURES")[1]
    assert int(last.split(" passed")[0].split()[-1]) >= 15


def test_every_name_of_elsewhere_leads_to_methods_that_there_are():
    from hetsel.methods.registry import ALSO, NOTHING

    keys = method_keys()
    for name, meant in ALSO.items():
        assert meant, name
        assert set(meant) <= set(keys), name
        assert name not in keys
    assert not set(NOTHING) & {*ALSO, *keys}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("lasso", "'group-lasso'"),
        ("Elastic Net", "'l1-logistic'"),
        ("mutual_info_classif", "'mi-knn'"),
        ("f_classif", "'anova-f'"),
        ("chi2", "'chi-square'"),
        ("relief", "'relieff'"),
        ("RFEMKL", "'rfe-mkl'"),
        ("rfe-mlk", "'rfe-mkl'"),
        ("lassso", "'group-lasso'"),
    ],
)
def test_a_name_of_elsewhere_is_answered_with_ours(given, meant):
    with pytest.raises(HetselError, match="must be one of") as told:
        get_method(given)
    assert str(told.value).endswith(f"Did you mean {meant}?")
    assert len(str(told.value)) < 120


@pytest.mark.parametrize("given", ["xgboost", "XGBoost", "pca", "qqqq", None, 3, ["lasso"]])
def test_what_is_like_no_method_suggests_none(given):
    with pytest.raises(HetselError, match="must be one of") as told:
        get_method(given)
    assert "mean" not in str(told.value)
