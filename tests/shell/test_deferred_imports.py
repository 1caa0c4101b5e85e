import subprocess
import sys

import pytest

LOADED = "from hetsel.shell.deferred_imports import load_libraries; load_libraries(); "
SELECT = "select heart --method hsic --folds 3 --repeats 1 --permutations 0 --pairs 3 --jobs 1"


def printed(code):
    done = subprocess.run(
        [sys.executable, "-c", LOADED + code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("package", "inner", "name"),
    [
        ("scipy.stats", "scipy.stats._stats_py", "spearmanr"),
        ("scipy.optimize", "scipy.optimize._optimize", "minimize_scalar"),
        ("scipy.spatial", "scipy.spatial.distance", "distance"),
    ],
)
def test_a_package_is_loaded_when_asked_for_and_its_submodules_may_come_first(package, inner, name):
    held = f"'{name}' in vars(sys.modules['{package}'])"
    begin = f"import sys; print({held}); "
    assert printed(f"{begin}from {package} import {name}; print({held})") == ["False", "True"]
    assert printed(f"{begin}import {inner}; print({held})") == ["False", "True"]


def test_the_collector_works_on_after_the_libraries():
    assert printed("import gc; print(gc.isenabled(), gc.get_freeze_count() > 100_000)") == [
        "True",
        "True",
    ]


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("command", "used"),
    [("rank heart --json", "solvers.svm.two_class_svm"), (SELECT, "signature.nested.judged_runs")],
)
def test_what_ranks_and_selects_loads_no_models_of_scikit_learn_and_no_figures(command, used):
    code = f"from hetsel.shell.main import main; main({command.split()}); import sys; "
    loaded = printed(code + "print(*sys.modules)")
    assert f"hetsel.{used}" in loaded
    heavy = ("linear_model", "model_selection", "pipeline", "preprocessing")
    assert not {*(f"sklearn.{name}" for name in heavy), "matplotlib", "statsmodels"} & {*loaded}
