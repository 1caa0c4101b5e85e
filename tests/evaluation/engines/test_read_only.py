"""What a method is given is read-only: no method changes what others, or its caller, see."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from study.studies import Writes, small_study

from hetsel import Schema, Table

ROOT = Path(__file__).parents[3]
GAPLESS = dict(zip(("X", "y"), mixed_frame(n=60, continuous=3, nominal=2), strict=True))


def results(store, methods, jobs=0):
    """What a study of these methods finds."""
    study = small_study(
        datasets={"name": "mixed", **GAPLESS}, methods=methods, classifiers=["naive-bayes"]
    )
    return study.run(store, n_jobs=jobs, progress=False)


@pytest.mark.slow
def test_a_method_of_a_study_cannot_change_what_the_classifiers_see(tmp_path):
    places = ["dataset", "resampling", "size", "bcr", "auc"]
    honest = results(tmp_path / "honest.sqlite", Writes(into="nothing")).frame()[places]
    methods = [
        {
            "key": Writes,
            "params": {"into": into, "entry": entry, "quiet": True},
            "label": f"{into} in {entry}",
        }
        for into in ("values", "y")
        for entry in ("_select", "solve")
    ]
    tried = results(tmp_path / "tried.sqlite", methods, jobs=1)
    assert tried.failures().empty
    found = tried.frame()
    for method in methods:
        own = found.loc[found["method"] == method["label"], places]
        pd.testing.assert_frame_equal(own.reset_index(drop=True), honest)


@pytest.mark.parametrize("into", ["values", "y"])
def test_a_method_that_writes_fails_and_says_why(tmp_path, into):
    failures = results(tmp_path / "a.sqlite", Writes(into=into)).failures()
    assert len(failures) == 4
    assert all("read-only" in reason for reason in failures["reason"])


@pytest.mark.parametrize("entry", ["_select", "solve"])
@pytest.mark.parametrize("into", ["values", "y"])
@pytest.mark.parametrize(
    "X",
    [GAPLESS["X"], GAPLESS["X"][["c0", "c1"]], GAPLESS["X"][["c0", "c1"]].to_numpy(copy=True)],
    ids=["mixed frame", "frame of numbers", "array"],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_fit_changes_nothing_of_what_the_user_passed(X, into, entry):
    y = np.asarray(pd.factorize(GAPLESS["y"])[0], dtype=np.int64)
    before = copy.deepcopy((X, y))
    method = Writes(into=into, entry=entry)
    with pytest.raises(ValueError, match="read-only"):
        method.fit(X, y)
    assert np.array_equal(np.asarray(X), np.asarray(before[0]))
    assert np.array_equal(y, before[1])
    if isinstance(X, np.ndarray):
        X[0, 0] = 7.0  # it is still the user's own to write
    y[0] = 1


def test_a_table_is_read_only_whichever_way_it_is_made():
    values = np.array([[1.0, 2.0], [np.nan, 3.0], [2.0, 5.0]])
    table = Schema.infer(values).encode(values)
    made = [
        table,
        Table(values, table.schema),
        table.take(rows=[0, 1]),
        table.take(columns=[1]),
        table.resolve_missing("impute"),
        pickle.loads(pickle.dumps(table)),
        copy.deepcopy(table),
    ]
    for one in made:
        with pytest.raises(ValueError, match="read-only"):
            one.values[0, 0] = 0.0
    filled = table.resolve_missing("impute")
    with pytest.raises(ValueError, match="read-only"):
        filled.fill[0] = 0.0
    values[0, 0] = 8.0  # the array of the caller is still the caller's


FIT_ALL = """
import sys, warnings
sys.path[:0] = ["tests", "tests/study"]
warnings.simplefilter("ignore")
from numba.core import types
from numba.core.dispatcher import Dispatcher
from hetsel.methods.registry import get_method, method_keys
from frames import mixed_frame
from study.studies import small_study
X, y = mixed_frame(n=60, continuous=3, nominal=2)
for key in method_keys():
    if "r" not in get_method(key).about.requires:
        kinds = {"c": "continuous", "n": "nominal"}
        columns = [c for c in X if kinds[c[0]] in get_method(key).about.takes]
        options = get_method(key).about.trial
        get_method(key)(**options).fit(X[columns], y)
        if "continuous" in get_method(key).about.takes:
            get_method(key)(**options).fit(X[["c0", "c1"]].to_numpy(copy=True), y)
for missing in (0.0, 0.05):
    X, y = mixed_frame(n=60, continuous=3, nominal=2, missing=missing)
    forest = {"key": "random-forest", "params": {"n_estimators": 5}}
    methods = ["hfs-nb", "hfs-5nn", "rfe-mkl", forest]
    data = {"name": "mixed", "X": X, "y": y}
    found = small_study(datasets=data, methods=methods).run(
        f"{sys.argv[1]}/{missing}.sqlite", n_jobs=0, progress=False
    )
    assert found.failures().empty, found.failures()
seen = 0
for name, module in sorted(sys.modules.items()):
    if name.startswith("hetsel."):
        for function in vars(module).values():
            if isinstance(function, Dispatcher) and function.signatures:
                plain = {
                    tuple(a.copy(readonly=False) if isinstance(a, types.Array) else a for a in s)
                    for s in function.signatures
                }
                seen += 1
                if len(plain) < len(function.signatures):
                    print("twice:", name, function.__name__, function.signatures)
print("functions:", seen)
"""


@pytest.mark.slow
def test_no_compiled_function_is_compiled_for_writable_and_for_read_only_arrays(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FIT_ALL, str(tmp_path)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    *twice, functions = done.stdout.splitlines()
    assert int(functions.removeprefix("functions: ")) > 20
    assert not twice
