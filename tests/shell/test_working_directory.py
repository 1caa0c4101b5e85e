"""A folder of data runs no code and changes no result: files that Python and its packages look for.

What Python itself loads before a line of hetsel runs is out of reach: `python -m hetsel` in a
folder with a warnings.py. `hetsel` looks for no module in the working directory.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TRAP = """
import os, pathlib, sys
pathlib.Path(os.environ["SPRUNG"], __name__).write_text(f"{sys.orig_argv}")
raise ImportError("sprung")
"""
# loaded by Python as it starts `-m` and `-c`, before anybody can say no
EARLY = ("warnings", "contextlib", "typing", "hetsel", "r_bridge")
LATE = """
argparse cloudpickle cython dask distributed docx jinja2 joblib json logging loky lxml markupsafe
matplotlib msgspec multiprocessing narwhals numba numpy packaging pandas pickle polars pyarrow
pyreadstat python_calamine rdata rpy2
scipy secrets signal sitecustomize sklearn sqlite3 statsmodels subprocess tempfile threading
tomllib usercustomize yaml
"""
PLAN = """
methods = ["t-test", "variance"]
resamplings = 2
sizes = [1]
[[datasets]]
name = "table"
file = "table.csv"
target = "y"
continuous = ["u", "v"]
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a table, a plan, and a file for each module that anything here imports."""
    folder = tmp_path / "data"
    (tmp_path / "sprung").mkdir()
    folder.mkdir()
    for name in (*EARLY, *LATE.split()):
        (folder / f"{name}.py").write_text(TRAP)
    rows = [f"{k % 7},{k % 5},{'ab'[k % 2]}" for k in range(40)]
    (folder / "table.csv").write_text("\n".join(["u,v,y", *rows]))
    (folder / "plan.toml").write_text(PLAN)
    program = tmp_path / "bin" / "hetsel"  # as pip installs it
    program.parent.mkdir()
    program.write_text("import sys\nfrom hetsel.shell.main import main\nsys.exit(main())\n")
    return folder


def run_in(folder, *command, **variables):
    """What a command in the folder writes to stdout, and the traps that it sprang."""
    sprung = folder.parent / "sprung"
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "SPRUNG": str(sprung), "PYTHONPATH": paths, **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    found = {path.name: path.read_text() for path in sprung.iterdir()}
    assert done.returncode == 0, (done.stderr, found)
    return done.stdout, found


def hetsel(folder, *arguments, **variables):
    return run_in(
        folder, sys.executable, str(folder.parent / "bin/hetsel"), *arguments, **variables
    )


RANK = ("rank", "table.csv", "--target", "y", "--method", "variance")


@pytest.mark.slow
def test_a_study_with_workers_and_its_report_load_no_module_of_the_working_directory(folder):
    run = ("study", "run", "plan.toml", "--jobs", "1", "--store", "s.sqlite")
    assert hetsel(folder, *run)[1] == {}
    report = ("study", "report", "plan.toml", "--store", "s.sqlite", "--out", "report.html")
    assert hetsel(folder, *report)[1] == {}


@pytest.mark.slow
def test_run_as_a_module_only_what_python_loads_itself_can_come_from_the_working_directory(folder):
    for name in EARLY:
        (folder / f"{name}.py").unlink()
    assert run_in(folder, sys.executable, "-m", "hetsel", *RANK)[1] == {}


LOOK = """
import sys
from hetsel.shell.deferred_imports import load_libraries
load_libraries()
from hetsel.compiling.compiled import compiled, numba
print(numba.config.DISABLE_JIT, numba.config.CACHE_DIR, "yaml" in sys.modules)
import yaml
"""


@pytest.mark.slow
@pytest.mark.parametrize("content", ["disable_jit: 1\ncache_dir: planted\n", "a: [b\n"])
def test_numba_reads_no_settings_from_the_working_directory(folder, content):
    (folder / ".numba_config.yaml").write_text(content)
    (folder / "yaml.py").unlink()
    shown, _ = run_in(folder, sys.executable, "-P", "-c", LOOK, NUMBA_CACHE_DIR="given")
    assert shown.split() == ["0", "given", "False"]


@pytest.mark.slow
def test_a_ranking_and_its_figure_load_no_module_and_no_settings_of_the_working_directory(folder):
    assert hetsel(folder, *RANK, "--plot", "plain.svg")[1] == {}
    settings = "font.size: 30\naxes.facecolor: red\ntext.usetex: True\n"
    (folder / "matplotlibrc").write_text(settings)
    hetsel(folder, *RANK, "--plot", "set.svg")
    assert (folder / "set.svg").read_bytes() == (folder / "plain.svg").read_bytes()


@pytest.mark.slow
def test_settings_of_other_libraries_end_nothing(folder):
    rank = (*RANK[:-1], "relieff", "--json")
    plain, *others = (
        json.loads(hetsel(folder, *rank, **variables)[0])["ranking"]
        for variables in (
            {},
            {"OMP_NUM_THREADS": "abc", "NUMBA_DISABLE_JIT": "1"},
            {"OMP_NUM_THREADS": "2,1"},
        )
    )
    assert others == [plain] * 2


@pytest.mark.slow
def test_a_working_directory_that_is_gone_ends_nothing(tmp_path):
    code = "import os, sys; os.chdir(sys.argv[1]); os.rmdir(sys.argv[1]); os.execv(sys.executable, "
    code += "[sys.executable, '-m', 'hetsel', *sys.argv[2:]])"
    for options, shown in ((), "thal"), (("--out", "a.csv"), "a.csv: no such file or directory"):
        (tmp_path / "gone").mkdir()
        command = [sys.executable, "-c", code, str(tmp_path / "gone"), "rank", "heart"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [*command, "--method", "variance", *options],
            env=environment,
            capture_output=True,
            text=True,
        )
        assert "Traceback" not in done.stderr
        assert shown in (done.stderr if options else done.stdout)
        assert done.returncode == bool(options)
