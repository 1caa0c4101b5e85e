"""Ctrl-C at random moments in R and in the shell: `python tests/arena/campaigns/interrupts.py -h`.

Of a call in R: one press, or three in a row, is one interrupt; the session lives, and thirty calls
after each give what they gave before. Of a command of the shell: exit code 130, no traceback, no
draft and no temporary folder left. A press that comes when the call is over is not counted. Ends
with 1 where something else comes out; the seed that is printed repeats the moments.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[3]
IN_A_ROW = (1, 1, 3)  # presses, by turns
ROWS = 1000
HANG = 240.0  # seconds
WAIT = 0.4  # seconds, in which an interrupt that came too late is heard
PLAN = """name = "small"
seed = 1
methods = ["rfe-mkl", "hfs-nb"]
classifiers = ["clinical-svm"]
[resamplings]
count = {count}
[[datasets]]
name = "heart"
"""
# Each R call takes seconds. What R prints after a word is what became of the call.
R_CALLS = {
    "rfe-mkl": "hetsel_rank(x, y)",
    "rf10000": 'hetsel_rank(x, y, method = "rf10000", ntree = 500)',
    "many": 'for (k in 1:40) hetsel_rank(few, y[1:60], method = "mi-histogram")',
    "search": 'hetsel_search(x[1:12], y, "exhaustive", "10nn", repeats = 2)',
    "select": 'hetsel_select(x[1:12], y, "rfe-svm", 3, folds = 5, permutations = 39)',
    "plan": "hetsel_plan_rows(x[1:12], y, repeats = 20)",
    "study": 'hetsel_study(plan(), store = tempfile(fileext = ".sqlite"))',
    "workers": 'hetsel_study(plan(), store = tempfile(fileext = ".sqlite"), jobs = 2)',
    "function": 'hetsel_study(with_function(), store = tempfile(fileext = ".sqlite"))',
    "mkl": "for (k in 1:8) hetsel_mkl(x, y)",
    "halves": 'hetsel_halves(x[1:20], y, size = 5, method = "rfe-svm", pairs = 100)',
    "knockoffs": 'hetsel_knockoffs(x[1:20], y, method = "hsic", repeats = 20)',
    "permuted": 'hetsel_permuted(x[1:20], y, method = "rfe-svm", permutations = 99)',
    "ranger": 'hetsel_rank(x, y, method = "ranger", ntree = 3000)',
    "report": 'hetsel_report("done.sqlite", tempfile(fileext = ".html"))',
    "methods": "for (k in 1:4) hetsel_methods()",
    "doctor": "hetsel_doctor()",
    "available": "for (k in 1:1e5) hetsel_available()",
}
SESSION = """
WAIT <- %s
said <- function(...) { cat(..., "\\n"); flush(stdout()) }
calls <- file("stdin", "r")
table <- read.csv("table.csv", stringsAsFactors = TRUE)
x <- table[setdiff(names(table), "y")]; y <- table$y
few <- x[1:60, ]
plan <- function() list(name = "small", seed = 1, datasets = "heart",
  methods = list("rfe-mkl", "hfs-nb"), classifiers = "clinical-svm", resamplings = 40)
with_function <- function() {
  slow <- hetsel_method(function(x, y, sizes) {
    until <- Sys.time() + 0.05
    while (Sys.time() < until) sum(sqrt(1:1000))
    names(x)
  })
  c(plan()[setdiff(names(plan()), "methods")], list(methods = list("rfe-mkl", slow)))
}
short <- function(method) {
  got <- if (method == "rf10000") hetsel_rank(few[36:44], y[1:60], method = method, ntree = 20)
    else hetsel_rank(few[36:44], y[1:60], method = method)
  paste(got$ranking$feature, format(got$ranking$importance, digits = 17), collapse = " ")
}
attempt <- function(code) {
  tryCatch({ code; "finished" }, interrupt = function(i) "interrupted",
    error = function(e) paste("error:", conditionMessage(e)))
}
said("up")
while (length(line <- readLines(calls, 1))) {
  words <- strsplit(line, " ")[[1]]
  if (words[1] == "short") {
    library(hetsel) # a press may have come before it was there
    for (k in seq_len(as.integer(words[3]))) said("short", short(words[2]))
  } else {
    code <- parse(text = substring(line, 6))
    suspendInterrupts({
      said("begin")
      came <- attempt(allowInterrupts({ library(hetsel); eval(code) }))
      more <- 0
      while (attempt(allowInterrupts(Sys.sleep(WAIT))) != "finished") more <- more + 1
    })
    said("end", came, "then", more)
  }
}
"""
SHELL_CALLS = {
    "rfe-mkl": "rank table.csv --target y --out ranks.csv",
    "rf10000": "rank table.csv --target y --method rf10000 --param ntree=500 --out ranks.csv",
    "plot": "rank heart --out ranks.csv --plot ranks.png --save-schema schema.json",
    "search": "search heart --search exhaustive --criterion 10nn --repeats 2 --out path.csv",
    "inspect": "inspect heart --save-schema schema.json",
    "plan": "plan-rows heart --repeats 50",
    "study": "study run plan.toml --jobs 1",
    "workers": "study run plan.toml --jobs 2",
    "report": "study report done.toml --store done.sqlite --out report.html --figures figures",
    "export": "study export done.toml --store done.sqlite --out tables",
    "status": "study status done.toml --store done.sqlite --json",
    "schema": "study schema",
    "methods": "methods",
    "doctor": "doctor",
    "help": "--help",
}
SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}
TRACES = ("Traceback", "Exception ignored", "Fatal", "egfault", "egmentation", "Unknown exception")


class Wrong(Exception):
    """What must not be."""


def write_files(folder: Path) -> None:
    """A table of numbers and words, which take a method seconds; plans of studies."""
    draw = random.Random(0)
    with open(folder / "table.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([f"x{j}" for j in range(60)] + ["y"])
        for i in range(ROWS):
            label = i % 2
            row = [
                draw.choice("abcd"[label:])
                if j % 3 == 0
                else f"{draw.gauss(label * j / 60, 1):.6f}"
                for j in range(60)
            ]
            out.writerow([*row, "no" if label else "yes"])
    (folder / "plan.toml").write_text(PLAN.format(count=40))
    (folder / "done.toml").write_text(PLAN.format(count=3))
    (folder / "tmp").mkdir()
    done = [sys.executable, "-m", "hetsel", "study", "run", "done.toml", "--store", "done.sqlite"]
    subprocess.run(done, cwd=folder, check=True, capture_output=True)


class Session:
    """An R that is told what to call, line by line."""

    def __init__(self, folder: Path) -> None:
        self.errors = open(folder / "stderr", "w+")  # noqa: SIM115
        script = folder / "session.R"
        script.write_text(SESSION % WAIT)
        self.process = subprocess.Popen(
            ["Rscript", "--vanilla", str(script)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            start_new_session=True,
        )
        self.read("up")

    def read(self, word: str) -> str:
        """What R says after a word."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.startswith(word):
            code = self.process.wait() if not line else None
            raise Wrong(f"R said {line!r} in place of {word!r} (exit code {code}): {self.said()}")
        return line[len(word) :].strip()

    def tell(self, line: str) -> None:
        """A line for R."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def said(self) -> str:
        """The end of what R wrote on stderr."""
        self.errors.flush()
        return Path(self.errors.name).read_text()[-2000:]

    def end(self) -> None:
        """No more lines."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=HANG)
        self.errors.close()


def press(pid: int, moment: float, presses: int, number: int, draw: random.Random) -> None:
    """Presses at a moment, in seconds from now; those after the first within 50 ms each."""
    time.sleep(moment)
    for _ in range(presses):
        with suppress(ProcessLookupError):
            os.killpg(pid, number)  # as a terminal does: to workers, too
        time.sleep(draw.uniform(0, 0.05))


class InR:
    """A call in R, interrupted again and again."""

    def __init__(self, name: str, folder: Path, after: int) -> None:
        self.name, self.call, self.after = name, R_CALLS[name], after
        self.short = name if name == "rf10000" else "rfe-mkl"
        self.folder = folder
        self.session: Session | None = None
        session, self.seconds = Session(folder), []
        for _ in range(2):
            session.tell(f"call {self.call}")
            session.read("begin")
            start = time.perf_counter()
            came = session.read("end")
            if came != "finished then 0":
                raise Wrong(f"{self.call}: {came}: {session.said()}")
            self.seconds.append(time.perf_counter() - start - WAIT)
        session.tell(f"short {self.short} 1")
        self.expected = session.read("short")
        session.end()

    def interrupt(self, presses: int, draw: random.Random) -> str:
        """Interrupt it once; what became of it, nothing if it was over before."""
        old = self.session is not None
        session = self.session = self.session or Session(self.folder)
        moment = draw.uniform(0, self.seconds[old])
        what = f"R, {self.name}, {presses} at {moment:.3f} s of {'an old' if old else 'a new'} one"
        try:
            session.tell(f"call {self.call}")
            session.read("begin")
            if select.select([session.process.stdout], [], [], moment)[0]:
                session.read("end")  # over before the moment
                return ""
            press(session.process.pid, 0, presses, signal.SIGINT, draw)
            came, _, more = session.read("end").rpartition(" then ")
            if came == "finished" and int(more):
                return ""
            if came != "interrupted" or int(more) >= presses:
                raise Wrong(f"{came}, then {more} interrupts: {session.said()}")
            session.tell(f"short {self.short} {self.after}")
            got = {session.read("short") for _ in range(self.after)}
            if got - {self.expected}:
                raise Wrong(f"another answer afterwards: {got}, not {self.expected}")
        except Wrong as reason:
            self.renew()
            raise Wrong(f"{what}: {reason}") from None
        return f"{what}: interrupted, {self.after} calls afterwards are right"

    def renew(self) -> None:
        """The next one has a new session."""
        if self.session is not None:
            self.session.end()
        self.session = None


def wait_for_hetsel(process: subprocess.Popen[str]) -> None:
    """Until Python has started: how it ends before the first line of hetsel is not ours to say.

    That line lets SIGINT end the program, which Python had begun to catch.
    """
    begun = False
    while process.poll() is None:
        status = Path(f"/proc/{process.pid}/status").read_text()
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        begun = begun or bool(caught & 1 << signal.SIGINT - 1)
        if begun and (not caught & 1 << signal.SIGINT - 1 or caught & 1 << signal.SIGTERM - 1):
            return
        time.sleep(0.001)


class InShell:
    """A command of the shell, interrupted again and again."""

    def __init__(self, name: str, folder: Path, number: int = signal.SIGINT) -> None:
        self.name, self.folder, self.number = name, folder, number
        for _ in range(2):  # the first run compiles
            process = self._start()
            start = time.perf_counter()
            process.communicate(timeout=HANG)
            self.seconds = time.perf_counter() - start

    def _start(self) -> subprocess.Popen[str]:
        for old in self.folder.glob("small.sqlite*"):
            old.unlink()
        process = subprocess.Popen(
            [sys.executable, "-m", "hetsel", *SHELL_CALLS[self.name].split()],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
            start_new_session=True,
        )
        wait_for_hetsel(process)
        return process

    def interrupt(self, presses: int, draw: random.Random) -> str:
        """Interrupt it once; what became of it, nothing if it was over before."""
        moment = draw.uniform(0, self.seconds)
        what = f"shell, {self.name}, {presses} at {moment:.3f} s"
        process = self._start()
        press(process.pid, moment, presses, self.number, draw)
        errors = process.communicate(timeout=HANG)[1]
        code = process.returncode if process.returncode >= 0 else 128 - process.returncode
        trace = [word for word in TRACES if word in errors]
        left = [*self.folder.glob("**/.hetsel-*"), *(self.folder / "tmp").iterdir()]
        for one in left:
            shutil.rmtree(one) if one.is_dir() else one.unlink()
        if trace or left or code not in (0, 128 + self.number):
            names = ", ".join(one.name for one in left) or "nothing"
            raise Wrong(f"{what}: exit code {code}, {names} left: {errors[-3000:]}")
        return f"{what}: exit code {code}" if code else ""

    def renew(self) -> None:
        """Every one is a new process."""


def run(case: InR | InShell, count: int, fresh: int, draw: random.Random) -> tuple[int, int]:
    """Interrupt a call so often; how many were interrupts, and how many went wrong."""
    heard = wrong = late = 0
    while heard + wrong < count:
        try:
            said = case.interrupt(IN_A_ROW[(heard + wrong) % len(IN_A_ROW)], draw)
            heard += bool(said)
            late += not said
        except Wrong as reason:
            said = f"WRONG: {reason}"
            wrong += 1
        if said:
            print(said, flush=True)
        if said and (heard + wrong) % fresh == 0:
            case.renew()
        if late > 3 * count + 20:
            raise Wrong(f"{case.name}: {late} presses came too late")
    case.renew()
    return heard, wrong


def main() -> int:
    """Every call that was asked for; 1 if something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--count", type=int, default=25, help="interrupts of each call")
    parser.add_argument("--after", type=int, default=30, help="calls of R after each interrupt")
    parser.add_argument("--fresh", type=int, default=5, help="interrupts of a session of R")
    parser.add_argument("--signal", choices=SIGNALS, default="INT", help="for the shell")
    parser.add_argument("--r", nargs="*", choices=R_CALLS, default=["rfe-mkl", "rf10000"])
    parser.add_argument("--shell", nargs="*", choices=SHELL_CALLS, default=["rfe-mkl", "rf10000"])
    options = parser.parse_args()
    # a shell makes what it runs in the background deaf to Ctrl-C, and so all that it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(f"seed {options.seed}", flush=True)
    total = total_wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        cases = [partial(InR, call, folder, options.after) for call in options.r]
        cases += [partial(InShell, call, folder, SIGNALS[options.signal]) for call in options.shell]
        for k, case in enumerate(cases):
            heard, wrong = run(
                case(), options.count, options.fresh, random.Random(f"{options.seed} {k}")
            )
            total, total_wrong = total + heard, total_wrong + wrong
    print(f"{total} interrupts, {total_wrong} wrong (seed {options.seed})")
    return 1 if total_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
