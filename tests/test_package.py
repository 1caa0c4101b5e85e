"""The package as a whole: what loads when, what is registered."""

import subprocess
import sys
from pathlib import Path

import pytest

import hetsel

ROOT = Path(__file__).parent.parent
OF_R = {"rf10000", "ranger", "ranger-impurity", "cforest", "boruta", "glmnet", "corelearn-relieff"}


def loaded_by(code):
    out = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint('\\n'.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(out.stdout.split())


def test_the_import_loads_nothing():
    assert not loaded_by("import hetsel") & {"numpy", "numba", "pandas", "sklearn", "matplotlib"}


@pytest.mark.slow
def test_a_ranking_loads_no_r_and_no_figures():
    loaded = loaded_by("from hetsel import RFEMKL\nRFEMKL")
    assert "sklearn" in loaded
    assert not loaded & {"rpy2", "rpy2.rinterface", "matplotlib", "statsmodels", "r_bridge"}


@pytest.mark.slow
def test_no_module_needs_what_only_unix_has():
    code = (
        "import importlib, pkgutil, signal\n"
        "sys.modules['fcntl'] = sys.modules['resource'] = None\n"
        "del signal.pthread_sigmask, signal.SIGKILL, signal.SIGHUP\n"
        "import hetsel\n"
        "for module in pkgutil.walk_packages(hetsel.__path__, 'hetsel.'):\n"
        "    if not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
    )
    loaded = loaded_by(code)
    files = (ROOT / "hetsel").rglob("*.py")
    rooms = {path.parent.name for path in files if path.parent != ROOT / "hetsel"}
    assert rooms <= {name.split(".")[-1] for name in loaded if name.startswith("hetsel.")}


def test_every_public_name_is_there():
    for name in hetsel.__all__:
        assert getattr(hetsel, name) is not None
    assert set(dir(hetsel)) == set(hetsel.__all__)
    with pytest.raises(AttributeError, match="no attribute 'RFEKML'"):
        hetsel.RFEKML  # noqa: B018


def test_the_catalogue():
    table = hetsel.method_table().set_index("key")
    files = {path.stem.replace("_", "-") for path in (ROOT / "hetsel/methods").glob("*/[a-z]*.py")}
    of_r = set(table.index[table["requires"] == "r"])
    assert of_r == OF_R
    assert set(table.index) == files | of_r
    assert (table["title"] != "").all()
    assert (table["paper"] != "").all()
    with pytest.raises(ValueError, match="must be one of .* hetsel.method_keys.*'rfe'.*'rfe-svm'"):
        hetsel.get_method("rfe")


@pytest.mark.slow
def test_docstring_examples():
    code = (
        "import doctest, importlib, pkgutil, sys, hetsel\n"
        "failed = tried = 0\n"
        "for m in pkgutil.walk_packages(hetsel.__path__, 'hetsel.'):\n"
        "    if m.name.endswith('__main__'): continue\n"
        "    result = doctest.testmod(importlib.import_module(m.name))\n"
        "    failed += result.failed; tried += result.attempted\n"
        "print(tried)\n"
        "sys.exit(failed > 0 or tried < 20)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
