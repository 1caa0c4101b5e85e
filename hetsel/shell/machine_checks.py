"""Check Python, the packages, the cache of compiled code and R on this machine."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, entry_points, requires, version
from pathlib import Path
from typing import Any, Literal

from packaging.requirements import Requirement

from hetsel import __version__
from hetsel.ground import errors, writing

OLDEST_PYTHON = (3, 11)
EXAMINE = """
import json
from hetsel.compiling.compiled import examine_code
from hetsel.methods.registry import get_method, method_keys
for key in method_keys():
    get_method(key)
print(json.dumps(examine_code()))
"""
_PACKAGES_OF_R = """
for (name in c("reticulate", "hetsel")) if (nzchar(system.file(package = name))) {
  cat(name, "=", as.character(packageVersion(name)), "\\n", sep = "")
}
found <- tryCatch(hetsel:::python_found(), error = function(e) NULL)
cat(paste0(names(found), "=", found, "\\n"), sep = "")
"""
Status = Literal["ok", "missing", "problem"]


@dataclass(frozen=True)
class Finding:
    """Hold the result of one check.

    Parameters
    ----------
    name : str
        Subject of the check.
    status : {"ok", "missing", "problem"}
    detail : str
        Version, or description of the problem.
    fix : str
        What to do; empty without a problem.
    optional : bool
        Whether the core works without it.
    """

    name: str
    status: Status
    detail: str
    fix: str = ""
    optional: bool = False


def examine_machine(timeout: float = 60.0) -> list[Finding]:
    """Run all checks; R starts in a separate process with `timeout` seconds."""
    loads = _loads(timeout)
    return [
        _python(sys.version_info[:3]),
        *_packages(),
        loads,
        *([_compiled_code(timeout)] if loads.status == "ok" else []),
        *_extras(),
        *_r(timeout),
    ]


def core_works(findings: Sequence[Finding]) -> bool:
    """Return whether all required parts work."""
    return all(finding.status == "ok" or finding.optional for finding in findings)


def report_findings(findings: Sequence[Finding]) -> str:
    """Return one line per check, and below it a fix for a problem."""
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        detail = finding.detail
        if finding.optional and finding.status != "ok":
            detail += " (optional)"
        lines.append(f"{finding.status:<8} {finding.name:<{width}}  {detail}".rstrip())
        if finding.fix:
            lines.append(f"{'':<8} {'':<{width}}  fix: {finding.fix}")
    works = core_works(findings)
    n_optional = sum(f.status != "ok" and f.optional for f in findings)
    last = "hetsel works" if works else "hetsel does not work here: apply the fixes above"
    if works and n_optional:
        last += f"; {n_optional} optional part{'s are' if n_optional > 1 else ' is'} not available"
    return "\n".join([*lines, last])


def _python(number: tuple[int, ...]) -> Finding:
    shown = ".".join(map(str, number))
    if number < OLDEST_PYTHON:
        oldest = ".".join(map(str, OLDEST_PYTHON))
        return Finding("Python", "problem", f"{shown} is too old", f"install Python {oldest}")
    return Finding("Python", "ok", f"{shown} on {platform.platform(terse=True)}")


def _packages() -> Iterator[Finding]:
    """Check the packages that the metadata of hetsel require, with their versions."""
    for requirement in _requirements():
        yield _package(requirement)


def _requirements(extra: str = "") -> list[Requirement]:
    """Return the requirements of hetsel on this machine, or those of an extra."""
    every = [Requirement(text) for text in requires("hetsel") or []]
    core = [r for r in every if r.marker is None or r.marker.evaluate({"extra": ""})]
    if not extra:
        return core
    return [r for r in every if r not in core and r.marker and r.marker.evaluate({"extra": extra})]


def _package(requirement: Requirement, *, extra: str = "", use: str = "") -> Finding:
    name, bounds, optional = requirement.name, requirement.specifier, bool(extra)
    fix = f"pip install 'hetsel[{extra}]'" if extra else f"pip install '{name}{bounds}'"
    try:
        found = version(name)
    except PackageNotFoundError:
        detail = f"needed for {use}" if use else "needed"
        return Finding(name, "missing", detail, fix, optional)
    if not bounds.contains(found, prereleases=True):
        detail = f"version {found}, but hetsel needs {bounds}"
        return Finding(name, "problem", detail, f"pip install '{name}{bounds}'", optional)
    return Finding(name, "ok", found, optional=optional)


def _loads(timeout: float) -> Finding:
    """Check whether the packages load; a broken build fails or crashes only then."""
    code = "import numpy, scipy.optimize, pandas, sklearn.svm, numba"
    what = "loading packages"
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=timeout
        )
    except (subprocess.TimeoutExpired, OSError) as reason:
        return Finding(what, "problem", _last_line(str(reason)), "install the packages again")
    if done.returncode == 0:
        return Finding(what, "ok", "numpy, scipy, pandas, scikit-learn, numba")
    detail = _last_line(done.stderr) or f"crashed with exit code {done.returncode}"
    return Finding(what, "problem", detail, "pip install --force-reinstall hetsel")


def _compiled_code(timeout: float) -> Finding:
    """Check whether machine code came with hetsel, or is compiled here and kept.

    The cache is in NUMBA_CACHE_DIR, beside the source, or in the cache folder of the user.
    """
    name = "compiled code"
    try:
        # -P: do not run Python files of the working directory instead of modules
        done = subprocess.run(
            [sys.executable, "-P", "-c", EXAMINE], capture_output=True, text=True, timeout=timeout
        )
    except (subprocess.TimeoutExpired, OSError) as reason:
        return Finding(name, "problem", _last_line(str(reason)), "install the packages again")
    if done.returncode != 0:
        detail = _last_line(done.stderr) or f"crashed with exit code {done.returncode}"
        return Finding(name, "problem", detail, "pip install --force-reinstall hetsel")
    found = json.loads(done.stdout)
    came = _machine_code(found)
    if found["kept_in"] and not found["problem"]:
        damaged = f"; {found['damaged']} damaged, compiled again" if found["damaged"] else ""
        return Finding(name, "ok", f"{came}kept in {found['kept_in']}{damaged}")
    given = os.environ.get("NUMBA_CACHE_DIR")
    tried = (
        found["problem"] or given or f"{Path(__file__).parent} or in the cache folder of the user"
    )
    return Finding(
        name,
        "problem",
        f"{came}cannot be kept in {tried}: each run compiles again, which takes some seconds",
        "set NUMBA_CACHE_DIR to a folder with write access",
        optional=True,
    )


def _machine_code(found: dict[str, Any]) -> str:
    """Describe whether the machine code that came with hetsel is in use."""
    if found["came"] and found["fit"]:
        lost = found["came"] - found["fit"]
        unfit = f", {lost} of {found['came']} files damaged or of another version" if lost else ""
        return f"came with hetsel, for {found['processor']}{unfit}; missing code is "
    if found["came"]:
        return "compiled here, since the code of hetsel is for another numba or Python; "
    return f"compiled here, for {found['processor']}, "


def _extras() -> Iterator[Finding]:
    for name, extra, use in errors.PACKAGES.values():
        bounds = {requirement.name: requirement for requirement in _requirements(extra)}
        # metadata of an older installation may lack a newer package
        yield _package(bounds.get(name, Requirement(name)), extra=extra, use=use)


def _r(timeout: float) -> Iterator[Finding]:
    """Check R in a separate process."""
    found = _probe_r(timeout)
    problem, fix = str(found.get("problem", "")), str(found.get("fix", ""))
    shown = {"R": "r", "rpy2": "rpy2", "randomForest (R)": "randomForest"}
    for name, key in shown.items():
        if number := found.get(key):
            yield Finding(name, "ok", str(number), optional=True)
    if problem:
        status: Status = "missing" if found.get("absent") else "problem"
        yield Finding("methods of R", status, problem, fix, optional=True)
        return
    yield Finding("methods of R", "ok", "rf10000", optional=True)
    yield from _r_packages(str(found.get("r_home", "")), str(found.get("package", "")), timeout)


def _probe_r(timeout: float) -> dict[str, Any]:
    """Return what the bridge to R finds in a separate process, including a crash or a hang."""
    probes = entry_points(group="hetsel.doctor", name="r")
    if not probes:
        return {"problem": "the bridge to R is not installed", "fix": "install hetsel again"}
    (module,) = {probe.module for probe in probes}
    # -P: do not run Python files of the working directory instead of modules
    command = [sys.executable, "-P", "-m", module]
    fix = f"run {Path(sys.executable).name} -m {module} and read its output"
    try:
        with writing.none_left() as variables:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=timeout, env=variables
            )
    except subprocess.TimeoutExpired:
        return {"problem": f"R did not answer within {timeout:g} s", "fix": fix}
    except OSError as reason:
        return {"problem": str(reason), "fix": fix}
    if done.returncode < 0:
        return {"problem": f"R crashed (signal {-done.returncode})", "fix": fix}
    try:
        found = json.loads(done.stdout)
        if not isinstance(found, dict):
            raise ValueError
    except ValueError:
        detail = _last_line(done.stderr) or f"exit code {done.returncode}"
        return {"problem": f"the check of R failed: {detail}", "fix": fix}
    found["absent"] = bool(found.get("problem")) and not (found.get("r") and found.get("rpy2"))
    return found


def _r_packages(home: str, source: str, timeout: float) -> Iterator[Finding]:
    """Check the R packages through which R calls hetsel; R methods in Python do not need them."""
    said = {
        key: value.strip()
        for key, mark, value in (line.partition("=") for line in _said_by_r(home, timeout))
        if mark
    }
    if not said.get("reticulate"):
        fix = "apt-get install r-cran-reticulate, or install.packages('reticulate') in R"
        detail = "needed to call hetsel from R"
        yield Finding("reticulate (R)", "missing", detail, fix, optional=True)
        return
    yield Finding("reticulate (R)", "ok", said["reticulate"], optional=True)
    name, number, install = "hetsel (R)", said.get("hetsel", ""), f"R CMD INSTALL {source}"
    if not number:
        yield Finding(name, "missing", "needed to call hetsel from R", install, optional=True)
    elif number != __version__:
        detail = f"{number}, but hetsel in Python is {__version__}"
        yield Finding(name, "problem", detail, install, optional=True)
    elif said.get("problem"):
        fix = f'at the start of the R session: options(hetsel.python = "{sys.executable}")'
        yield Finding(name, "problem", f"{number}: {said['problem']}", fix, optional=True)
    else:
        detail = f"{number}, uses {said.get('python') or 'an unknown Python'}"
        yield Finding(name, "ok", detail, optional=True)


def _said_by_r(home: str, timeout: float) -> list[str]:
    """Return the versions of the R packages, and the Python that an R session would use.

    R reads only the environment file of the user, which may name the Python. It skips the startup
    files of the working directory, which may come from others.
    """
    program = str(Path(home, "bin", "Rscript")) if home else "Rscript"
    folder = os.path.expanduser("~")
    try:
        with writing.none_left() as variables:
            done = subprocess.run(
                [program, "--no-init-file", "--no-site-file", "--no-restore", "-e", _PACKAGES_OF_R],
                capture_output=True,
                text=True,
                timeout=timeout,
                env={"R_ENVIRON_USER": os.path.expanduser("~/.Renviron"), **variables},
                cwd=folder if os.path.isdir(folder) else os.sep,
            )
    except (subprocess.TimeoutExpired, OSError):
        return []
    return done.stdout.splitlines()


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""
