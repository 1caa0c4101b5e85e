"""Every command that README, vignettes and site name, in a clone with nothing beside it.

    python tests/arena/campaigns/named_commands.py [--only PATTERN] [--test] [--list] [--into DIR]

The clone is made anew in a temporary folder, or stays in FOLDER; HETSEL_DATA is not set and the
cache of originals is empty. Commands run in the order of the documents, `make demo` first, in the
folder that their document speaks of, on tables made for them. Printed are seconds, exit codes, and
of a failure the last line. Commands of hours are listed and not run; nor is `make test` without
--test. The exit code is 1 if one failed that has no reason to.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WORDS = ("make", "hetsel", "python", "pip", "R CMD")
COMMAND = re.compile(rf"(?:{'|'.join(WORDS)}) .*")
# what is listed only, and why
NOT_RUN = {
    r"make (processors|signatures|fuzz|kills|paper-tables)|million_rows": "hours",
    r"tests/arena/benchmarks/|--into vignettes": "a benchmark, up to an hour",
    r"tests/arena/campaigns/|chance_by_levels|which_method_when.py run": "a campaign: hours",
    r"^hetsel (select|rank|search|inspect|plan-rows|validate|study( report)?)$": "a name alone",
    r"^(pip install|R CMD INSTALL)$": "a name alone",
    r"SLURM|part-\*|--part 1/20|KEY": "a form: with names of one's own",
    r"adult\.csv|cases\.csv": "a table of one's own",
    r"study (run|report) .*(paul2015|table\d|fig2)|ramona2012|(somol2011|scale).py run": (
        "a study: up to hours, on original files"
    ),
    r"tables.py run|somol2011.py check": "a study: up to hours, on original files",
    r"scale.py tables": "needs the stores of scale.py run",
    r"heart\.toml|(heart|first|later)\.parquet": "a program of a page, which the site runs",
    r"^pip install (SurvSet|.?hetsel\[)": "from the index, where hetsel is not yet",
}
WRONG = "--target relaps"  # a page shows the error
OF_PROGRAMS = (
    *("README.md", "vignettes/site/for-scikit-learn-users.md"),
    "vignettes/site/for-r-users.md",
)
LIMIT = 2400  # seconds of one command


@dataclass(frozen=True)
class Named:
    """A command, the document that names it, and the folder it runs in."""

    command: str
    document: str
    folder: str

    @property
    def not_run(self) -> str:
        """Why it is listed only; empty if it is run."""
        return next((why for form, why in NOT_RUN.items() if re.search(form, self.command)), "")


def documents() -> Iterator[Path]:
    """README, vignettes with their plans and programs, and the site."""
    yield from (ROOT / "README.md", ROOT / "vignettes/site/plans.md")
    for kind in ("*.md", "*.Rmd", "*.toml", "*.py"):
        yield from sorted((ROOT / "vignettes").glob(kind))
    for kind in ("site/**/*.md", "ramona2012/*.*"):
        yield from sorted((ROOT / "vignettes").glob(kind))


def commands_of(path: Path) -> Iterator[Named]:
    """Lines of code, heads of plans and programs, and code within sentences."""
    text = re.sub(r"\\\n\s+", "", path.read_text(encoding="utf-8"))
    name = str(path.relative_to(ROOT))
    folder = str(path.parent.relative_to(ROOT)) if path.suffix in (".toml", ".py") else "own"
    if path.suffix == ".py":
        text = text.split('"""')[1]
    found = []
    for line in text.splitlines():
        bare = re.sub(r"^(#  |    |\$ |> )? *\$? *", "", line)
        # code of a block: indented, or the whole of a fenced line
        fenced = path.suffix == ".md" and bare == line.removeprefix("$ ")
        block = line.startswith(("    ", "#  ")) or fenced
        if block and COMMAND.fullmatch(bare) and not bare.endswith((",", ".", ":", "of", "the")):
            found.append(re.sub(r"\s{2,}\S.*$|\s+#.*$", "", bare))
        found += [code for code in re.findall(r"`([^`]+)`", line) if COMMAND.fullmatch(code)]
    for command in found:
        of_clone = command.startswith(("make", "R CMD", "pip")) or "vignettes/" in command
        yield Named(command.strip(), name, "." if of_clone else folder)


def blocks() -> Iterator[Named]:
    """The programs of the README and of the pages on Python and R."""
    for name in OF_PROGRAMS:
        text = (ROOT / name).read_text(encoding="utf-8")
        for kind, program in (("python", "python -"), ("r", "Rscript -")):
            for number, code in enumerate(re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL), 1):
                yield Named(f"{program} <<'END' # block {number}\n{code}END", name, "own")


def every_command() -> list[Named]:
    """Each command once, `make demo` first and the R package before the programs of R."""
    found = [one for path in documents() for one in commands_of(path)]
    first = [Named("make demo", "README.md", ".")]
    last = [Named("R CMD INSTALL r_bridge/hetsel", "README.md", "."), *blocks()]
    every: dict[str, Named] = {}
    for one in (*first, *found, *last):
        every.setdefault(one.command, one)
    return list(every.values())


def make_tables(folder: Path) -> None:
    """What the documents call a table of one's own, and the plan of a study of it."""
    folder.mkdir(exist_ok=True)
    head = "id,age,sex,grade,pressure,relapse"
    rows = [
        f"{k},{20 + k * 7 % 50}.5,{'fm'[k % 2]},{['I', 'II', 'III'][k % 3]},{90 + k * 13 % 60},"
        f"{['no', 'yes'][(k * 7 % 50 > 25) or k % 7 == 0]}"
        for k in range(80)
    ]
    timed = [
        f"{row},{10 + k * 37 % 300},{k % 3 != 0:d},{1000 + k * 91 % 777}"
        for k, row in enumerate(rows)
    ]
    for name in ("patients.csv", "new.csv", "pilot.csv"):
        (folder / name).write_text("\n".join([head, *rows]) + "\n")
    text = "\n".join([f"{head},days,died,price", *timed]) + "\n"
    (folder / "trial.csv").write_text(text.replace("relapse", "relapsed"))
    (folder / "homes.csv").write_text(text)
    page = (ROOT / "vignettes/site/plans.md").read_text(encoding="utf-8")
    plan = re.search(r"```toml\n(name = .*?)```", page, re.DOTALL)
    assert plan is not None, "the page on plans has no plan"
    # the same plan, fewer resamplings
    (folder / "study.toml").write_text(re.sub(r"resamplings = \d+", "resamplings = 2", plan[1]))


def run(one: Named, clone: Path, environment: dict[str, str]) -> tuple[int, float, str]:
    """Exit code, seconds and last line of a command."""
    folder = clone / one.folder
    if one.command.startswith("pip"):  # not over what `make demo` has installed
        path = f"{clone.parent / 'installed/bin'}:{environment['PATH']}"
        environment = {**environment, "PATH": path}
    began = time.monotonic()
    try:
        done = subprocess.run(
            ["bash", "-c", one.command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        code, said = done.returncode, done.stdout
    except subprocess.TimeoutExpired as reason:
        code, said = 124, str(reason)
    lines = [line for line in said.splitlines() if line.strip()]
    return code, time.monotonic() - began, lines[-1] if lines else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--into", type=Path)
    options = parser.parse_args()
    every = [one for one in every_command() if re.search(options.only, one.command)]
    if options.list:
        for one in every:
            print(f"{one.document:45} {one.folder:12} {one.command.splitlines()[0]}  {one.not_run}")
        return 0
    place = options.into or Path(tempfile.mkdtemp(prefix="hetsel-clone-"))
    clone = place / "hetsel"
    if not clone.exists():
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    make_tables(clone / "own")
    (place / "r-library").mkdir(exist_ok=True)
    installed = ["bash", str(clone / ".ci/make-venv"), str(place / "installed")]
    subprocess.run(installed, check=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("HETSEL", "VIRTUAL"))}
    environment |= {
        "PATH": f"{clone / '.venv/bin'}:{environment['PATH']}",
        "HETSEL_CACHE": str(place / "originals"),
        "R_LIBS": str(place / "r-library"),
        "RETICULATE_PYTHON": str(clone / ".venv/bin/python"),
    }
    failed = 0
    print("| seconds | exit | command | named in | last line of a failure |\n|--:|--:|---|---|---|")
    for one in every:
        why = one.not_run or ("" if options.test or one.command != "make test" else "see --test")
        shown = one.command.splitlines()[0].replace("|", "\\|")
        if why:
            print(f"| | | `{shown}` | {one.document} | not run: {why} |", flush=True)
            continue
        code, seconds, line = run(one, clone, environment)
        failed += code != int(one.command.endswith(WRONG))
        said = line.replace("|", "\\|")[:160] if code else ""
        print(f"| {seconds:.0f} | {code} | `{shown}` | {one.document} | {said} |", flush=True)
    print(f"\n{failed} faults")
    if options.into is None:
        shutil.rmtree(place)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
