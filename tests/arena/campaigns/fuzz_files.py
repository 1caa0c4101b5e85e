"""Malformed files through the shell: tables, schemas, plans, stores and archives of searches.

    python tests/arena/campaigns/fuzz_files.py --seed 1 --files 300

A file that hetsel wrote or could have got is damaged one to four times and given to a command that
reads it, in a process of its own. The command must end with its result or with one sentence: exit
code 0, 1 or 2, no traceback, no line that nobody could read, no draft left behind. A file is drawn
from the seed, its number and `--of` alone: `--only N` draws it again and prints what was said.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat

SECONDS = 120  # that a command may take
LONGEST = 2_000  # characters of a line
ODD = [b"\0", b"\xff", b'"', b"'", b"\n", b"\r", b",", b";", b"\t", b"{", b"[", b"=", b"-", b"%"]
ODD += [b"nan", b"inf", b"1e999", "é".encode("latin-1"), "\ufeff".encode(), "\u202e".encode()]
Generator = np.random.Generator
Base = dict[str, bytes]  # contents by name


def table(rng: Generator) -> pd.DataFrame:
    """A small table: numbers, levels, missing cells, a target."""
    n = int(rng.integers(4, 40))
    y = rng.permutation(np.arange(n) % 2)
    frame = pd.DataFrame(
        {
            "age": (40 + rng.normal(size=n) * 9 + 5 * y).round(1),
            "grade": rng.choice(["I", "II", "III"], size=n),
            "sex, at birth": rng.choice(["f", "m"], size=n),
            "stage": rng.integers(1, 4, size=n),
            "relapse": np.where(y == 1, "yes", "no"),
        }
    )
    return frame.mask((rng.random(frame.shape) < 0.1) & (frame.columns != "relapse"))


def written() -> dict[str, Base]:
    """Files of every kind, and the command that reads each."""
    rng = np.random.default_rng(0)
    frame = table(rng)
    plain = frame.to_csv(index=False).encode()
    levels = "@attribute grade {I,II,III}\n@attribute relapse {no,yes}\n@data\n"
    rows = "\n".join(f"{v},{g},{y}" for v, g, y in frame[["age", "grade", "relapse"]].values)
    arff = f"@relation patients\n@attribute age numeric\n{levels}{rows}\n"
    plan = (
        'name = "s"\nseed = 1\nmethods = ["t-test", "variance"]\nresamplings = 3\n'
        '[[datasets]]\nname = "patients"\nfile = "t.csv"\ntarget = "relapse"\n'
        'continuous = ["stage"]\nmissing_marks = ["NA"]\n'
    )
    made = {
        "t.csv": plain,
        "t.tsv": frame.to_csv(index=False, sep="\t").encode(),
        "t.txt": frame.to_csv(index=False, sep=";").encode(),
        "t.data": frame.drop(columns="sex, at birth").to_csv(index=False, sep=" ").encode(),
        "t.csv.gz": gzip.compress(plain, mtime=0),
        "t.arff": arff.replace("nan", "?").encode(),
        "plan.toml": plan.encode(),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("t.csv", "plan.toml"):
            (folder / file).write_bytes(made[file])
        of_programs(frame, folder)
        told = "rank t.csv --target relapse --continuous stage --method variance --seed 1"
        search = "search t.csv --target relapse --continuous stage --search sfs"
        call(folder, [*told.split(), "--save-schema", "schema.json"])
        call(folder, [*search.split(), "--archive", "archive.txt"])
        call(folder, ["study", "run", "plan.toml", "--jobs", "1", "--store", "s.sqlite"])
        for file in (*OF_PROGRAMS, "schema.json", "archive.txt", "s.sqlite"):
            made[file] = (folder / file).read_bytes()
    return made


OF_PROGRAMS = (
    "t.parquet",
    "t.feather",
    "t.jsonl",
    "t.xlsx",
    "t.sav",
    "t.zsav",
    "t.dta",
    "t.xpt",
)


def of_programs(frame: pd.DataFrame, folder: Path) -> None:
    """The table as other programs keep it."""
    frame.to_parquet(folder / "t.parquet")
    frame.to_feather(folder / "t.feather")
    frame.to_json(folder / "t.jsonl", orient="records", lines=True)
    frame.to_excel(folder / "t.xlsx", index=False)
    plain = frame.rename(columns={"sex, at birth": "sex"}).replace({"sex": {"f": 1.0, "m": 2.0}})
    plain["sex"] = plain["sex"].astype(float)
    labels = {"variable_value_labels": {"sex": {1: "f", 2: "m"}}}
    texts = plain.fillna({"grade": ""})
    pyreadstat.write_sav(texts, folder / "t.sav", missing_ranges={"stage": [9]}, **labels)
    pyreadstat.write_sav(texts, folder / "t.zsav", compress=True, **labels)
    pyreadstat.write_dta(texts, folder / "t.dta", **labels)
    pyreadstat.write_xport(texts, folder / "t.xpt", file_format_version=8)


COMMANDS = {
    "schema.json": ["rank t.csv --target relapse --method variance --schema schema.json"],
    "archive.txt": [
        "search t.csv --target relapse --continuous stage --search sfs --archive archive.txt"
    ],
    "plan.toml": ["study run plan.toml --jobs 1 --quiet", "study status plan.toml"],
    "s.sqlite": [
        "study status s.sqlite",
        "study export s.sqlite --out tables",
        "study run plan.toml --store s.sqlite --jobs 1 --quiet",
        "study report s.sqlite --out report.html",
    ],
}
OF_TABLES = [
    "inspect {}",
    "inspect {} --target relapse",
    "rank {} --target relapse --method variance --continuous stage --out ranks.csv",
    "rank {} --target relapse --method rfe-svm",
    "search {} --target relapse --search sfs --continuous stage",
]


def damaged(rng: Generator, content: bytes) -> bytes:
    """A content with one fault more."""
    size = len(content)
    at, end = sorted(rng.integers(0, size + 1, size=2).tolist())
    lines = content.split(b"\n")
    line = int(rng.integers(len(lines)))
    odd = ODD[rng.integers(len(ODD))]
    ways: list[Callable[[], bytes]] = [
        lambda: content[:at],
        lambda: content[:at] + odd + content[at:],
        lambda: content[:at] + rng.bytes(4) + content[at + 4 :],
        lambda: content[:at] + content[min(end, at + 40) :],
        lambda: content[:at] + content[at:end] * 3 + content[end:],
        lambda: b"\n".join(lines[:line] + lines[line + 1 :]),
        lambda: b"\n".join([*lines[:line], lines[line] * 2, *lines[line:]]),
        lambda: b"\n".join([*lines[:line], odd * 70_000, *lines[line:]]),
        lambda: content.replace(b",", odd),
        lambda: content.replace(b"\n", odd),
        lambda: content.decode("latin-1").encode(str(rng.choice(["utf-16", "utf-32", "cp500"]))),
        lambda: content.replace(b"1", b"1" * 400),
        lambda: bytes(b ^ (1 << rng.integers(8)) if rng.random() < 0.002 else b for b in content),
        lambda: b"",
    ]
    weights = np.array([1.0] * (len(ways) - 1) + [0.1])
    return ways[rng.choice(len(ways), p=weights / weights.sum())]()


def call(folder: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "hetsel", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        env=os.environ | {"PYTHONSAFEPATH": "1"},
    )


def fault(
    made: Base, seed: int, number: int, among: list[str], *, show: bool
) -> tuple[str, str | None]:
    """What was damaged and how that ended; and what was wrong, if anything was."""
    rng = np.random.default_rng([seed, number])
    name = str(rng.choice(among))
    command = str(rng.choice(COMMANDS.get(name, OF_TABLES))).format(name)
    content = made[name]
    for _ in range(int(rng.integers(1, 5))):
        content = damaged(rng, content)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for other in ("t.csv", "plan.toml", name):
            (folder / other).write_bytes(content if other == name else made[other])
        try:
            done = call(folder, command.split())
        except subprocess.TimeoutExpired:
            return command, f"no end after {SECONDS} s"
        left = [path.name for path in folder.rglob(".hetsel*")]
    if show:
        print(f"{command}\n{done.stdout}{done.stderr}exit code {done.returncode}")
    said = done.stderr.splitlines()
    errors = [line for line in said if line.startswith("hetsel: error:")]
    longest = max(map(len, [*said, *done.stdout.splitlines()]), default=0)
    wrong = None
    if "Traceback" in done.stderr or done.returncode not in (0, 1, 2):
        wrong = f"exit code {done.returncode}: {done.stderr[-900:]}"
    elif done.returncode == 1 and "study run" not in command and len(errors) != 1:
        wrong = f"{len(errors)} sentences: {done.stderr[-900:]}"
    elif longest > LONGEST:
        wrong = f"a line of {longest} characters"
    elif left:
        wrong = f"left behind: {left}"
    return f"{name}: exit code {done.returncode}", wrong


def main() -> int:
    """Run the files; 0 where none was a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--of", nargs="*", help="files of these names alone, e.g. t.xlsx t.sav")
    parser.add_argument("--only", type=int, help="this file alone")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.files)
    if options.only is not None:
        numbers = range(options.only, options.only + 1)
    made = written()
    among = sorted(made) if options.of is None else options.of
    print(f"seed {options.seed}, files {numbers} of {len(among)} kinds", flush=True)
    ended: Counter[str] = Counter()
    faults = 0
    for number in numbers:
        how, wrong = fault(made, options.seed, number, among, show=options.only is not None)
        ended[how] += 1
        if wrong:
            faults += 1
            print(f"--only {number} ({how}): {wrong}", flush=True)
    for how, count in sorted(ended.items()):
        print(f"{count:>6}  {how}")
    print(f"{len(numbers)} files, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
