"""Puts this folder on the import path; fixtures of the shell."""

import os
import random
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from hetsel.methods.registry import get_method, method_keys
from hetsel.shell.main import main

# a shell makes what it runs in the background deaf to Ctrl-C, and so all that it starts
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):  # as nohup does to its signal
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

ROWS = [
    f"{20 + i * 7 % 50}.5,{'fm'[i % 2]},{1 + i % 3},{['I', 'II', 'III'][i % 3]},"
    f"{['no', 'yes'][i % 2 == 0 or i % 7 == 0]},id{i}"
    for i in range(40)
]
CSV = "\n".join(["age,sex,code,grade,relapse,id", *ROWS]) + "\n"


OF_R = {key for key in method_keys() if "r" in get_method(key).about.requires}


ORIGINALS = os.environ.get("HETSEL_DATA")  # the folder of original files, for tests so marked

FOLDER = Path.cwd()  # where the tests were started, and what is in it before any test
FOUND = {path.name for path in FOLDER.iterdir()}

BEGUN = {}  # the generators of each test file and their states before any test


def pytest_collection_modifyitems(items):
    """What starts R is slow; the longest come first, so that no worker waits for one at the end.

    The state of generators is kept.
    """
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)
    bridge = Path(__file__).parent / "r_bridge"
    for item in items:
        if bridge in item.path.parents or "rf10000" in item.name or key_of(item) in OF_R:
            item.add_marker(pytest.mark.slow)
    for module in {getattr(item, "module", None) for item in items} - {None}:
        found = [v for v in vars(module).values() if isinstance(v, np.random.Generator)]
        BEGUN[module] = [(one, one.bit_generator.state) for one in found]


def pytest_runtest_setup(item):
    """A generator of the test's file begins anew, whatever tests this process has run before.

    So do the global ones, from which an oracle without a seed draws: scikit-learn's saga stops at
    zero for one seed in some thousand.

    A method of R is tried where its package is; else the reason says how to install it. Only a test
    that is marked `originals` sees the folder of the original files.
    """
    if item.get_closest_marker("originals") is None:
        os.environ.pop("HETSEL_DATA", None)
    elif ORIGINALS:
        os.environ["HETSEL_DATA"] = ORIGINALS
    else:
        pytest.skip("reads original files: set HETSEL_DATA to their folder")
    for generator, state in BEGUN.get(getattr(item, "module", None), ()):
        generator.bit_generator.state = state
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - what scikit-learn draws from
    if key_of(item) in OF_R:
        from r_bridge.to_r.session import RPackageMissing

        try:
            get_method(key_of(item)).foreign_versions()
        except RPackageMissing as reason:
            pytest.skip(str(reason))


def pytest_runtest_teardown(item):
    """A test leaves nothing in the folder where the tests were started: the next commit has it."""
    left = {path.name for path in FOLDER.iterdir()} - FOUND
    assert not {name for name in left if not name.startswith(".")}


def key_of(item):
    """The method that a test is about, if it is one of each method."""
    return item.callspec.params.get("key") if hasattr(item, "callspec") else None


@pytest.fixture(scope="session")
def r_library(tmp_path_factory):
    """R_LIBS with the R package, installed once for all tests and workers."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    library, package = shared / "r-library", Path(__file__).parents[1] / "r_bridge" / "hetsel"
    with FileLock(shared / "r-library.lock"):
        if not library.exists():
            making = shared / "r-library-begun"
            making.mkdir(exist_ok=True)
            install = ["R", "CMD", "INSTALL", "--no-docs", "-l", str(making), str(package)]
            subprocess.run(install, check=True, capture_output=True)
            making.rename(library)
    return os.pathsep.join([str(library), *filter(None, [os.environ.get("R_LIBS")])])


@pytest.fixture
def table(tmp_path):
    """A table of forty patients, as a CSV file."""
    path = tmp_path / "patients.csv"
    path.write_text(CSV)
    return path


@pytest.fixture
def run(capsys):
    """Run in this process: exit code, stdout, stderr."""

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def fails(run):
    """Run what must end in one sentence: the sentence."""

    def call(*arguments):
        code, out, err = run(*arguments)
        assert code == 1
        assert out == ""
        errors = [line for line in err.splitlines() if not line.startswith("hetsel: note: ")]
        assert len(errors) == 1, err
        assert errors[0].startswith("hetsel: error: ")
        return errors[0]

    return call
