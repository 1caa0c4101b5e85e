"""Kills a small study over and over, and flips bits of its store: nothing may be lost.

    python tests/arena/campaigns/kills.py --seed 1 --rounds 1000 --flips 200

A round starts `hetsel study run`, `export` or `report` and sends signal 9 to the process, to one
of its workers or to all of them, at a random moment. After each round every finished cell must be
there and hold the numbers of a study that nobody disturbed, and every exported file must be whole.
A run is drawn to have one judge or two. Ten kills on, the study goes on undisturbed to its end,
with both judges: the digest must be that of the other one, and it may leave no temporary
folder. Commands run in forks of this process, which has loaded everything.

A flipped bit of a finished store must change nothing that a command says, or end every command that
it concerns in one sentence that names the file.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel import Results
from hetsel.ground.errors import StoreError
from hetsel.shell.main import main as hetsel
from hetsel.study.store import stored_cells
from hetsel.study.store.sqlite_store import Store

PLAN = """
name = "small"
resamplings = {resamplings}
methods = ["variance", "pearson"]
classifiers = {judges}
[[datasets]]
name = "own"
file = "own.csv"
target = "class"
"""
KILLS = 10  # before the study goes on to its end
SECONDS = 120.0  # that any command may take
WORKER = "hetsel.evaluation.engines.worker_loop"  # in the command line of a worker
MARK = "COMMAND_OF_THE_CAMPAIGN"  # in its environment
Cells = dict[str, tuple[Any, ...]]


def write_study(folder: Path, resamplings: int) -> Path:
    """A plan in a folder, and its table."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("abc"))
    table.assign(**{"class": np.arange(40) % 2}).to_csv(folder / "own.csv", index=False)
    for name, judges in (("one-judge", '["naive-bayes"]'), ("small", '["5nn", "naive-bayes"]')):
        (folder / f"{name}.toml").write_text(PLAN.format(resamplings=resamplings, judges=judges))
    return folder / "small.toml"


def fork(*arguments: object) -> tuple[int, Path]:
    """A command in a process group of its own; its number, and the file of what it says."""
    said = Path(tempfile.gettempdir()) / "said.txt"
    number = os.fork()
    if number:
        return number, said
    code = 70
    try:
        os.setsid()
        os.environ[MARK] = str(os.getpid())
        output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        code = hetsel([str(argument) for argument in arguments])
        sys.stdout.flush()
    finally:
        os._exit(code)


def wait_for(number: int) -> int:
    """The exit code of a command; negative: a signal."""
    latest = time.monotonic() + SECONDS
    while time.monotonic() < latest:
        ended, status = os.waitpid(number, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.killpg(number, signal.SIGKILL)
    os.waitpid(number, 0)
    raise TimeoutError(f"a command took longer than {SECONDS:.0f} s")


def group(number: int) -> list[tuple[int, str]]:
    """Numbers and command lines of the living processes of a group, and of its workers.

    A worker has a group of its own; it is known by what it inherits of the command's environment.
    """
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, _, its_group = (place / "stat").read_text().rpartition(")")[2].split()[:3]
            line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            own = (
                WORKER in line and f"{MARK}={number}\0".encode() in (place / "environ").read_bytes()
            )
            if (int(its_group) == number or own) and state != "Z":
                found.append((int(place.name), line))
    return found


def kill(number: int, whom: str, draw: random.Random) -> str:
    """Send signal 9; whom it hit."""
    workers = [who for who, line in group(number) if WORKER in line]
    if whom == "worker" and workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(draw.choice(workers), signal.SIGKILL)
        return "worker"
    for who in [number, *workers] if whom == "all" else [number]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(who, signal.SIGKILL)
    return "all" if whom == "all" else "main"


def wait_for_group(number: int) -> str:
    """A fault if workers outlive the process that started them."""
    latest = time.monotonic() + SECONDS
    while left := group(number):
        if time.monotonic() > latest:
            for who, _ in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(who, signal.SIGKILL)
            return f"outlived by {left}"
        time.sleep(0.02)
    return ""


def cells_in(store: Path) -> Cells:
    """Every selection and judgment; none where a run was killed before its first commit."""
    if not store.exists():
        return {}
    try:
        with Store(store) as file:
            file.verify()
            return {
                key: tuple(stored_cells.results_in(name, contents).values())
                for name in stored_cells.CONTENTS
                for _, key, _, contents in file.kept(name, file.keys(name))
            }
    except StoreError as reason:
        if "holds no study yet" in str(reason):
            return {}
        raise


def temporary_folders() -> set[str]:
    """Names of the folders in that of temporary files."""
    return {path.name for path in Path(tempfile.gettempdir()).iterdir() if path.is_dir()}


class Campaign:
    """A study that is killed, beside one that is not."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.draw = folder, random.Random(seed)
        self.plan = write_study(folder / "study", 400)
        self.whole = folder / "whole.sqlite"
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            hetsel(["study", "run", str(self.plan), "--store", str(self.whole), "--jobs", "0"])
            hetsel(["study", "report", str(self.whole), "--out", str(folder / "whole.html")])
        self.expected, self.digest = cells_in(self.whole), Results(self.whole).digest()
        self.store = folder / "small.sqlite"
        self.counts: Counter[str] = Counter()

    def round_of_run(self) -> Iterator[str]:
        """Kill a run; faults."""
        before = cells_in(self.store)
        jobs = "0" if self.draw.random() < 0.8 else "2"
        whom = "main" if jobs == "0" else self.draw.choice(["main", "worker", "all"])
        plan = self.plan.with_stem(self.draw.choice(["small", "one-judge"]))
        number, said = fork("study", "run", plan, "--store", self.store, "--jobs", jobs, "--retry")
        if self.draw.random() < 0.9:  # else it may be killed before it has begun to write
            self.wait_for_writing(number)
        # workers take seconds to begin
        time.sleep(self.draw.uniform(0.0, 0.4 if jobs == "0" else 5.0))
        self.counts[f"run, {jobs} jobs: {kill(number, whom, self.draw)}"] += 1
        code = wait_for(number)
        yield wait_for_group(number)
        if code not in (-signal.SIGKILL, 0, 1):
            yield f"exit code {code}: {said.read_text()[-500:]}"
        yield from self.wrong_cells(before)

    def wait_for_writing(self, number: int) -> None:
        """Until a run has changed its store, or has ended."""
        changed = self.store.stat().st_mtime_ns if self.store.exists() else None
        latest = time.monotonic() + SECONDS
        while group(number) and time.monotonic() < latest:
            if self.store.exists() and self.store.stat().st_mtime_ns != changed:
                return
            time.sleep(0.005)

    def wrong_cells(self, before: Cells) -> Iterator[str]:
        """Cells that were lost, or that hold other numbers."""
        now = cells_in(self.store)
        if lost := before.keys() - now.keys():
            yield f"{len(lost)} cells lost"
        if other := [key for key in now if now[key] != self.expected[key]]:
            yield f"{len(other)} cells of other numbers"

    def round_of_export(self) -> Iterator[str]:
        """Kill an export; every file is the old one or the new one."""
        out, other = self.folder / "tables", self.folder / "other"
        old = {path.name: path.read_bytes() for path in out.glob("[!.]*.csv")}
        with contextlib.redirect_stdout(io.StringIO()):
            hetsel(["study", "export", str(self.store), "--out", str(other)])
        number, _ = fork("study", "export", self.store, "--out", out)
        time.sleep(self.draw.uniform(0.0, 0.4))
        self.counts[f"export: {kill(number, 'main', self.draw)}"] += 1
        wait_for(number)
        for path in out.glob("[!.]*.csv"):
            if path.read_bytes() not in (old.get(path.name), (other / path.name).read_bytes()):
                yield f"{path.name} is neither the old file nor the new one"

    def round_of_report(self) -> Iterator[str]:
        """Kill a report; the file is whole."""
        out = self.folder / "report.html"
        number, _ = fork("study", "report", self.store, "--out", out)
        time.sleep(self.draw.uniform(0.0, 4.0))
        self.counts[f"report: {kill(number, 'main', self.draw)}"] += 1
        wait_for(number)
        if out.exists() and not out.read_text().rstrip().endswith("</html>"):
            yield "the report is half-written"

    def to_the_end(self) -> Iterator[str]:
        """Let the study go on undisturbed."""
        before, folders = cells_in(self.store), temporary_folders()
        jobs = self.draw.choice("02")
        number, said = fork(
            "study", "run", self.plan, "--store", self.store, "--jobs", jobs, "--retry"
        )
        if code := wait_for(number):
            yield f"exit code {code}: {said.read_text()[-500:]}"
        yield wait_for_group(number)
        yield from self.wrong_cells(before)
        if Results(self.store).digest() != self.digest:
            yield "another digest"
        if beside := [p.name for p in self.folder.glob("small.sqlite?*")]:
            yield f"left beside the store: {beside}"
        if left := temporary_folders() - folders:  # what was killed could not remove its own
            yield f"temporary folders left: {sorted(left)}"

    def course(self, rounds: int) -> Iterator[str]:
        """Some rounds on one store, from nothing to its end; faults."""
        self.store.unlink(missing_ok=True)
        for _ in range(min(rounds, KILLS)):
            kind = self.draw.random()
            if kind < 0.12 and cells_in(self.store):
                yield from self.round_of_export()
            elif kind < 0.16 and cells_in(self.store):
                yield from self.round_of_report()
            else:
                yield from self.round_of_run()
        yield from self.to_the_end()
        for out in (self.folder / "tables", self.folder):
            for draft in out.glob(".hetsel-*"):  # of a writer that was killed
                draft.unlink()


class Flips:
    """Commands on a store of which a bit is flipped."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.draw = folder, random.Random(seed)
        self.plan = write_study(folder / "flips", 20)
        self.store = folder / "flipped.sqlite"
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            hetsel(["study", "run", str(self.plan), "--store", str(self.store), "--jobs", "0"])
        self.content = self.store.read_bytes()
        self.counts: Counter[str] = Counter()
        self.out = folder / "flipped"
        self.commands = {
            "status": ("study", "status", self.store, "--json"),
            "export": ("study", "export", self.store, "--out", self.out),
            "report": ("study", "report", self.store, "--out", self.out / "report.html"),
            "run": ("study", "run", self.plan, "--store", self.store, "--jobs", "0", "--quiet"),
        }
        self.expected = {name: self.answer(name) for name in self.commands}
        assert all(code == 0 for code, _, _ in self.expected.values())

    def answer(self, name: str) -> tuple[int, str, dict[str, bytes]]:
        """Exit code of a command, what it says, what it writes; the run comes last."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        number, said = fork(*self.commands[name])
        code = wait_for(number)
        return code, said.read_text(), {p.name: p.read_bytes() for p in self.out.iterdir()}

    def flip(self) -> Iterator[str]:
        """Flip one bit; faults."""
        place, bit = self.draw.randrange(len(self.content)), self.draw.randrange(8)
        damaged = bytearray(self.content)
        damaged[place] ^= 1 << bit
        ended = []
        for name in self.commands:
            self.store.write_bytes(damaged)
            code, said, written = self.answer(name)
            lines = [line for line in said.splitlines() if line.startswith("hetsel: error: ")]
            sentence = len(lines) == 1 and self.store.name in lines[0] and "Traceback" not in said
            if (code, said, written) == self.expected[name]:
                ended.append("same")
            elif code == 1 and sentence and not written:
                ended.append("refused")
            else:
                yield f"byte {place}, bit {bit}: {name}: exit code {code}: {said[-500:]}"
        how = "refused" if "refused" in ended else "the same"
        self.counts[f"flipped bits: {how}"] += 1


def main() -> int:
    """Run the rounds and the flips; 0 where none was a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--flips", type=int, default=200)
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.rounds} rounds, {options.flips} flipped bits", flush=True)
    faults = 0
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        tempfile.tempdir = os.environ["TMPDIR"] = str(Path(folder) / "tmp")
        os.mkdir(tempfile.tempdir)
        killed, flipped = Campaign(Path(folder), options.seed), Flips(Path(folder), options.seed)
        for rounds in range(options.rounds, 0, -KILLS):
            if (done := options.rounds - rounds) and done % 100 == 0:
                print(f"{done} rounds done, {faults} faults", flush=True)
            for fault in filter(None, killed.course(rounds)):
                faults += 1
                print(f"{done} rounds done: {fault}", flush=True)
        for _ in range(options.flips):
            for fault in filter(None, flipped.flip()):
                faults += 1
                print(fault, flush=True)
        tempfile.tempdir = None
    for how, count in sorted((killed.counts + flipped.counts).items()):
        print(f"{count:>6}  {how}")
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
