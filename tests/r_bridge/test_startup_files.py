"""A folder of data runs no code: R starts without startup files and saved workspaces."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from shell.test_working_directory import EARLY, LATE
from shell.test_working_directory import TRAP as MODULE

TRAP = 'writeLines("sprung", file.path(Sys.getenv("SPRUNG"), "{}"))\n'
LOOK = """
from r_bridge.to_r import session
import os
print(list(session.call("function() ls(globalenv(), all.names = TRUE)")))
print(session.call("function() Sys.getenv('SPRUNG_VARIABLE')")[0], end="")
print(os.environ.get("SPRUNG_VARIABLE", ""))
print({name: os.environ.get(name) for name in ("R_PROFILE_USER", "R_ENVIRON")})
print(*session.call("function() .libPaths()"), sep="\\n")
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with every file that R, or a Python started there, would run or read."""
    folder = tmp_path / "data"
    (tmp_path / "sprung").mkdir()
    folder.mkdir()
    (folder / ".Rprofile").write_text(TRAP.format("profile"))
    (folder / ".Renviron").write_text("SPRUNG_VARIABLE=sprung\n")
    workspace = '.First <- function() writeLines("sprung", file.path(Sys.getenv("SPRUNG"), "data"))'
    save = f'{workspace}; save(.First, file = ".RData")'
    subprocess.run(["Rscript", "--vanilla", "-e", save], cwd=folder, check=True)
    (folder / "site.R").write_text(TRAP.format("site"))
    python = "import os, pathlib; pathlib.Path(os.environ['SPRUNG'], 'python').touch()\n"
    (folder / "rpy2.py").write_text(python)
    rows = [f"{k % 7},{k % 5},{'ab'[k % 2]}" for k in range(40)]
    (folder / "table.csv").write_text("\n".join(["u,v,y", *rows]))
    return folder


def run_in(folder, *command, **variables):
    """What a command in the folder prints, and which of the traps it sprang."""
    sprung = folder.parent / "sprung"
    environment = {
        **os.environ,
        "SPRUNG": str(sprung),
        "R_PROFILE_USER": str(folder / ".Rprofile"),
        "R_PROFILE": str(folder / "site.R"),
        **variables,
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, sorted(path.name for path in sprung.iterdir())


HETSEL = str(Path(sys.executable).with_name("hetsel"))


def test_a_forest_of_r_runs_no_file_of_the_working_directory(folder):
    forest = ("--method", "rf10000", "--param", "ntree=9")
    assert run_in(folder, HETSEL, "rank", "table.csv", "--target", "y", *forest)[1] == []


def test_the_doctor_runs_no_file_and_loads_no_module_of_the_working_directory(folder):
    for name in (*EARLY, *LATE.split()):
        (folder / f"{name}.py").write_text(MODULE)
    assert run_in(folder, HETSEL, "doctor")[1] == []


def test_the_bridge_reads_neither_variables_nor_workspace(folder):
    output, sprung = run_in(
        folder, sys.executable, "-P", "-c", LOOK, R_ENVIRON=str(folder / ".Renviron")
    )
    assert sprung == []
    workspace, variable, kept = output.splitlines()[:3]
    assert (workspace, variable) == ("[]", "")
    # what the user had set is there again
    assert str(folder / ".Rprofile") in kept
    assert str(folder / ".Renviron") in kept


def test_the_doctor_of_r_runs_no_file_of_the_working_directory(folder):
    code = "from r_bridge.from_r import entry_points as facade; print(*facade.doctor())"
    output, sprung = run_in(folder, sys.executable, "-P", "-c", code)
    assert "randomForest" in output.split()
    assert sprung == []


def test_libraries_of_the_environment_are_used(folder, tmp_path):
    libraries = {name: tmp_path / name for name in ("R_LIBS", "R_LIBS_USER", "R_LIBS_SITE")}
    for library in libraries.values():
        library.mkdir()
    output, _ = run_in(folder, sys.executable, "-P", "-c", LOOK, **libraries)
    assert {str(library) for library in libraries.values()} <= set(output.splitlines()[3:])
