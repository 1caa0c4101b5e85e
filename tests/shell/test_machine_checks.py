"""The doctor: each fault is a finding with one fix; nothing it looks at can bring it down."""

import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import hetsel
from hetsel.shell import machine_checks
from hetsel.shell.machine_checks import Finding, core_works, examine_machine, report_findings


def found(findings, name):
    return next(finding for finding in findings if finding.name == name)


@pytest.fixture(scope="module")
def findings():
    return examine_machine()


@pytest.mark.slow
def test_the_core_works_here(findings):
    assert core_works(findings)
    names = [finding.name for finding in findings]
    assert {"Python", "numpy", "scipy", "pandas", "scikit-learn", "numba"} <= set(names)
    assert len(set(names)) == len(names)
    for name in ("numpy", "loading packages", "compiled code", "matplotlib"):
        assert found(findings, name).status == "ok"


@pytest.mark.slow
def test_every_fault_has_a_fix_and_nothing_else_has(findings):
    for finding in findings:
        assert bool(finding.fix) == (finding.status != "ok"), finding


def test_the_report_has_a_line_a_check_and_a_fix_below_each_fault():
    text = report_findings(
        [
            Finding("Python", "ok", "3.11.2"),
            Finding("R", "missing", "not installed", "install R", optional=True),
        ]
    )
    lines = text.splitlines()
    assert lines[0].split() == ["ok", "Python", "3.11.2"]
    assert lines[1].split(maxsplit=2) == ["missing", "R", "not installed (optional)"]
    assert lines[2].strip() == "fix: install R"
    assert lines[3] == "hetsel works; 1 optional part is not available"


def test_a_needed_part_that_is_missing_breaks_the_core():
    broken = [Finding("numba", "missing", "needed", "pip install numba")]
    assert not core_works(broken)
    assert "does not work" in report_findings(broken)
    assert core_works([Finding("R", "problem", "", "x", optional=True)])


def test_an_old_python_is_a_problem():
    assert machine_checks._python((3, 10, 1)).status == "problem"
    assert machine_checks._python((3, 11, 0)).status == "ok"


def test_old_and_missing_packages(monkeypatch):
    monkeypatch.setattr(machine_checks, "version", lambda name: "1.9.3rc1")
    old = machine_checks._package(Requirement("numpy>=1.26"))
    assert (old.status, old.fix) == ("problem", "pip install 'numpy>=1.26'")
    assert "1.9.3rc1" in old.detail
    assert machine_checks._package(Requirement("numpy>=1.9")).status == "ok"
    assert machine_checks._package(Requirement("numpy<1.9,>=1.8")).status == "problem"
    assert machine_checks._package(Requirement("numpy>=1.9.3rc0")).status == "ok"

    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(machine_checks, "version", absent)
    needed = machine_checks._package(Requirement("numpy>=1.26"))
    assert (needed.status, needed.optional, needed.fix) == (
        "missing",
        False,
        "pip install 'numpy>=1.26'",
    )
    extra = machine_checks._package(Requirement("matplotlib"), extra="report", use="figures")
    assert (extra.status, extra.optional, extra.fix) == (
        "missing",
        True,
        "pip install 'hetsel[report]'",
    )


def test_requirements_are_those_of_this_machine_and_of_one_extra(monkeypatch):
    lines = [
        "numpy>=1.26",
        "Foo.Bar (>=1.2)",
        "old; python_version < '3'",
        "posix-only>=1; python_version >= '3' and extra == 'report'",
        "rpy2<3.6.6,>=3.6.3; extra == 'r'",
    ]
    monkeypatch.setattr(machine_checks, "requires", lambda name: lines)
    assert [str(r) for r in machine_checks._requirements()] == ["numpy>=1.26", "Foo.Bar>=1.2"]
    (extra,) = machine_checks._requirements("report")
    assert (extra.name, str(extra.specifier)) == ("posix-only", ">=1")
    assert [r.name for r in machine_checks._requirements("r")] == ["rpy2"]


def test_an_old_package_of_an_extra_is_an_optional_problem(monkeypatch):
    monkeypatch.setattr(machine_checks, "version", lambda name: "0.1")
    finding = found(list(machine_checks._extras()), "matplotlib")
    assert (finding.status, finding.optional) == ("problem", True)


class Done:
    def __init__(self, code, out="", err=""):
        self.returncode, self.stdout, self.stderr = code, out, err


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_to_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a file" / "below it"))
    (tmp_path / "a file").write_text("")
    # none of the other places either
    monkeypatch.setenv("NUMBA_CACHE_LOCATOR_CLASSES", "UserProvidedCacheLocator")
    finding = machine_checks._compiled_code(timeout=60)
    assert finding.status == "problem"
    assert "a file" in finding.detail
    assert "NUMBA_CACHE_DIR" in finding.fix
    assert finding.optional


@pytest.mark.slow
def test_the_cache_may_lie_in_a_folder_yet_to_be_made(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a" / "b"))
    finding = machine_checks._compiled_code(timeout=60)
    assert finding.status == "ok"
    assert str(tmp_path / "a" / "b") in finding.detail


IN_PLACE = """
from hetsel.compiling import compiled
files = compiled._CACHES[0]._cache_file
compiled.examine_code()
(files._folder / f"{files._base}.0.nbc").WHAT()
print("""
FULL = """
import resource, signal, sys
sys.dont_write_bytecode = True  # Python would keep half of a module
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
"""


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["full", "folder"])
def test_a_cache_that_cannot_be_used_is_told(tmp_path, monkeypatch, trouble):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    code = (
        FULL + machine_checks.EXAMINE
    )  # to files of more than 2 kB the system says that they do not fit
    if trouble == "folder":
        code = machine_checks.EXAMINE.replace("print(", IN_PLACE.replace("WHAT", "mkdir"))
    monkeypatch.setattr(machine_checks, "EXAMINE", code)
    finding = machine_checks._compiled_code(timeout=60)
    assert (finding.status, finding.optional) == ("problem", True)
    assert str(tmp_path) in finding.detail
    assert "NUMBA_CACHE_DIR" in finding.fix


@pytest.mark.slow
def test_damaged_files_of_the_cache_are_counted(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    code = machine_checks.EXAMINE.replace("print(", IN_PLACE.replace("WHAT", "touch"))
    monkeypatch.setattr(machine_checks, "EXAMINE", code)
    finding = machine_checks._compiled_code(timeout=60)
    assert finding.status == "ok"
    assert "1 damaged" in finding.detail


def test_compiled_code_that_does_not_load_breaks_the_core(monkeypatch):
    monkeypatch.setattr(machine_checks.subprocess, "run", lambda *_, **__: Done(-11))
    finding = machine_checks._compiled_code(timeout=3)
    assert (finding.status, finding.optional) == ("problem", False)


R_TROUBLE = {
    "crash": (Done(-11), "R crashed (signal 11)"),
    "error": (Done(1, err="Traceback\nModuleNotFoundError: rpy2\n"), "ModuleNotFoundError: rpy2"),
    "noise": (Done(0, out="not json"), "the check of R failed"),
    "a list": (Done(0, out="[1]"), "the check of R failed"),
    "no R": (Done(0, out='{"problem": "R is not installed", "fix": "install R"}'), "not installed"),
    "hang": (subprocess.TimeoutExpired("R", 3), "R did not answer within 3 s"),
    "no process": (OSError("no more processes"), "no more processes"),
}


@pytest.mark.parametrize(("answer", "words"), R_TROUBLE.values(), ids=R_TROUBLE)
def test_trouble_with_r_is_an_optional_finding(monkeypatch, answer, words):
    def run(*_, **__):
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(machine_checks.subprocess, "run", run)
    (finding,) = machine_checks._r(timeout=3)
    assert words in finding.detail
    assert finding.status in ("missing", "problem")
    assert finding.fix
    assert finding.optional


def test_r_that_works_is_told_by_version(monkeypatch):
    answers = iter(
        [
            Done(0, out='{"r": "4.2.2", "rpy2": "3.6.5", "randomForest": "4.7", "problem": ""}'),
            Done(0, out=f"reticulate=1.28\nhetsel={hetsel.__version__}\npython=/a/python\n"),
        ]
    )
    monkeypatch.setattr(machine_checks.subprocess, "run", lambda *_, **__: next(answers))
    by_name = {finding.name: finding for finding in machine_checks._r(timeout=3)}
    assert by_name["R"].detail == "4.2.2"
    assert by_name["reticulate (R)"].detail == "1.28"
    assert by_name["hetsel (R)"].detail == f"{hetsel.__version__}, uses /a/python"
    assert all(finding.status == "ok" for finding in by_name.values())


@pytest.mark.parametrize(
    ("said", "status", "fix"),
    [
        ("", "missing", "R CMD INSTALL /a/hetsel"),
        ("hetsel=0.0.9\n", "problem", "R CMD INSTALL /a/hetsel"),
        (f"hetsel={hetsel.__version__}\nproblem=no hetsel\n", "problem", sys.executable),
    ],
)
def test_the_r_package_is_known_by_version_and_python(monkeypatch, said, status, fix):
    answer = Done(0, out="reticulate=1.28\n" + said)
    monkeypatch.setattr(machine_checks.subprocess, "run", lambda *_, **__: answer)
    *_, finding = machine_checks._r_packages("", "/a/hetsel", timeout=3)
    assert (finding.name, finding.status) == ("hetsel (R)", status)
    assert fix in finding.fix
    assert finding.optional


def test_a_package_that_does_not_load_breaks_the_core(monkeypatch):
    monkeypatch.setattr(
        machine_checks.subprocess, "run", lambda *_, **__: Done(1, err="x\nImportError: libgomp")
    )
    finding = machine_checks._loads(timeout=3)
    assert (finding.status, finding.detail) == ("problem", "ImportError: libgomp")
    assert not core_works([finding])


def test_a_real_process_that_crashes_is_a_finding(monkeypatch, tmp_path):
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nkill -SEGV $$\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    (finding,) = machine_checks._r(timeout=20)
    assert "R crashed (signal 11)" in finding.detail


def test_a_package_that_an_older_installation_does_not_name_is_looked_for_without_bounds(
    monkeypatch,
):
    monkeypatch.setattr(machine_checks, "requires", lambda name: ["numpy>=1.26"])
    monkeypatch.setattr(machine_checks, "version", lambda name: "0.1")
    assert {finding.status for finding in machine_checks._extras()} == {"ok"}


def test_what_an_interrupted_r_leaves_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = []

    def killed(command, *, env, **_):
        Path(env["TMPDIR"], "RtmpLeft").mkdir()
        left.extend(tmp_path.glob("*/RtmpLeft"))
        raise KeyboardInterrupt

    monkeypatch.setattr(machine_checks.subprocess, "run", killed)
    with pytest.raises(KeyboardInterrupt):
        list(machine_checks._r(60.0))
    assert len(left) == 1
    assert not list(tmp_path.iterdir())
