"""The way of a new R user, on a machine with R and without this folder: a transcript with seconds.

`python tests/arena/campaigns/new_r_user.py dist/hetsel_0.1.0.tar.gz` installs the package that
`make r-package` builds into a library and a home of its own, both empty, and goes the way of the
manual: an environment for Python, rank, select, plot, study, report; then a second session, one
without a network, and one of a machine on which there is no Python. With `--reticulate LIBRARY` all
of it is done once more with the reticulate in that library, and with `--uv PROGRAM` as its uv. Ends
with 1 where something comes out otherwise.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RANK = """
begin <- Sys.time()
library(hetsel)
women <- infert[c("age", "parity", "education", "spontaneous", "case")]
ranking <- hetsel_rank(case ~ ., women, size = 2)
cat(sprintf("first call: %.1f s\\n", as.numeric(Sys.time() - begin, units = "secs")))
begin <- Sys.time()
again <- hetsel_rank(case ~ ., women, size = 2)
cat(sprintf("second call: %.2f s\\n", as.numeric(Sys.time() - begin, units = "secs")))
stopifnot(identical(ranking, again))
"""
WAY = f"""{RANK}
print(ranking)
png("ranking.png"); plot(ranking); invisible(dev.off())
found <- hetsel_select(case ~ ., women, method = "rfe-svm", folds = 5, repeats = 1,
  permutations = 99, pairs = 10)
print(found)
table(predict(found, women))
hetsel_report(found, "signature.html")
study <- hetsel_study(
  list(name = "first", methods = c("rfe-mkl", "t-test"), resamplings = 5),
  data = list(women = list(x = women[1:4], y = women$case)), jobs = 2
)
print(study)
hetsel_report(study, "study.html")
hetsel_doctor()
stopifnot(file.size(c("ranking.png", "signature.html", "study.html")) > 5000)
"""
REFUSED = """
told <- tryCatch({ library(hetsel); hetsel_methods() }, hetsel_error = identity)
stopifnot(inherits(told, "hetsel_no_python"), nzchar(told$fix), !hetsel_available())
cat("refused: ", conditionMessage(told), "\\n", sep = "")
hetsel_doctor()
"""
MADE = """
library(hetsel)
path <- install_hetsel()
"""
OFFLINE = {name: "http://127.0.0.1:9" for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")}


class Machine:
    """A home and a library of a user's own, on this machine."""

    def __init__(self, folder: Path, package: Path, more: list[str], variables: dict[str, str]):
        self.home, self.library = folder / "home", folder / "library"
        for made in (self.home, self.library):
            made.mkdir(parents=True)
        self.variables = {
            "HOME": str(self.home),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "R_LIBS": os.pathsep.join([str(self.library), *more]),
            **variables,
        }
        self.wrong = 0
        self.run("install", ["R", "CMD", "INSTALL", "-l", str(self.library), str(package)])

    def r(self, title: str, code: str, *, fails: bool = False, **variables: str) -> None:
        """Run code in a session of its own and print what it says."""
        script = self.home / "session.R"
        script.write_text(code)
        self.run(title, ["Rscript", str(script)], fails=fails, **variables)

    def run(self, title: str, command: list[str], *, fails: bool = False, **more: str) -> None:
        begin = time.perf_counter()
        done = subprocess.run(
            command,
            cwd=self.home,
            env={**self.variables, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        seconds = time.perf_counter() - begin
        wrong = (done.returncode != 0) != fails
        self.wrong += wrong
        print(f"--- {title}: {seconds:.1f} s{' WRONG' if wrong else ''}")
        print(done.stdout[-6000:], flush=True)

    def files(self) -> None:
        """Which folders of the home were written to."""
        found = {p.relative_to(self.home).parts[:4] for p in self.home.rglob("*") if p.is_file()}
        print("--- folders of the home:", *sorted({"/".join(parts[:-1] or ".") for parts in found}))


def without_python(folder: Path) -> str:
    """A path on which R is, and what its scripts call, but no Python and no uv."""
    folder.mkdir()
    for place in ("/usr/bin", "/bin", "/usr/local/bin"):
        for program in Path(place).iterdir():
            if not program.name.startswith(("python", "uv", "pip", "conda")):
                link = folder / program.name
                if not link.exists():
                    link.symlink_to(program)
    return str(folder)


def go(
    folder: Path, options: argparse.Namespace, more: list[str], variables: dict[str, str]
) -> int:
    """The whole way with one reticulate."""
    shutil.rmtree(folder, ignore_errors=True)
    machine = Machine(folder, options.package.resolve(), more, variables)
    managed = bool(more)
    machine.r("no network, nothing made yet", REFUSED, **OFFLINE)
    machine.r("no network, install_hetsel()", MADE, fails=True, **OFFLINE)
    if not managed:
        machine.r("install_hetsel()", MADE)
    machine.r("the way", WAY)
    machine.r("a second session", RANK)
    machine.r("no network, after it was made", RANK, **OFFLINE)
    machine.files()
    bare = Machine(folder / "bare", options.package.resolve(), more, variables)
    path = without_python(folder / "bin")
    bare.r("no Python", REFUSED, PATH=path, **OFFLINE)
    bare.r("no Python, install_hetsel()", MADE, fails=True, PATH=path, **OFFLINE)
    return machine.wrong + bare.wrong


def main() -> int:
    """Every reticulate that was asked for; 1 if something came out otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path, help="the file that `make r-package` builds")
    parser.add_argument("--reticulate", help="a library with another reticulate")
    parser.add_argument("--uv", help="its uv; else the one on the path")
    parser.add_argument("--variable", nargs="*", default=[], help="NAME=VALUE, for pip and uv")
    options = parser.parse_args()
    variables = dict(pair.split("=", 1) for pair in options.variable)
    with tempfile.TemporaryDirectory() as name:
        wrong = go(Path(name, "installed"), options, [], variables)
        if options.reticulate:
            uv = {"RETICULATE_UV": options.uv} if options.uv else {}
            wrong += go(Path(name, "newest"), options, [options.reticulate], variables | uv)
    print(f"{wrong} of the steps came out otherwise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
