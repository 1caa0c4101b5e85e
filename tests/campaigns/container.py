"""The shell lines of the README as in a container: read-only, no HOME, LC_ALL=C.

    python tests/campaigns/container.py [--keep]

The whole file system is mounted read-only in a namespace of its own (Linux, `unshare`), with the
exception of one folder, which becomes the working directory. hetsel is a copy without compiled
code. Every line of the README that begins with `hetsel` is run as it stands there, on tables made
for it; it must end with 0, or with 1 where the README shows an error.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSIDE = "HETSEL_CONTAINER"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def shell_lines() -> list[tuple[str, list[str]]]:
    """Each line of the README that a shell is given, with what the README says that it prints."""
    found: list[tuple[str, list[str]]] = []
    text = re.sub(r" \\\n\s+", " ", README)
    for line in text.splitlines():
        if match := re.match(r"    (?:\$ )?(hetsel (?:inspect|rank|search|study|methods).*)", line):
            found.append((match[1], []))
        elif found and line.startswith("    "):
            found[-1][1].append(line.strip())
    found += [(f"hetsel {word}", []) for word in ("methods", "doctor", "rank --help")]
    return found


def write_tables(folder: Path) -> None:
    """What the README calls a table of your own, and its plan."""
    rows = [
        f"{k},{20 + k * 7 % 50}.5,{'fm'[k % 2]},{['I', 'II', 'III'][k % 3]},{90 + k * 13 % 60},"
        f"{['no', 'yes'][(k * 7 % 50 > 25) or k % 7 == 0]}"
        for k in range(80)
    ]
    head = "id,age,sex,grade,pressure,relapse"
    (folder / "patients.csv").write_text("\n".join([head, *rows]) + "\n")
    plan = re.search(r"```toml\n(name = .*?)```", README, re.DOTALL)
    assert plan is not None, "the README has no plan"
    # the same plan, fewer resamplings
    (folder / "study.toml").write_text(re.sub(r"resamplings = \d+", "resamplings = 2", plan[1]))


def enter(keep: bool) -> int:
    """Copy hetsel, make the folder, and start this program in it, with nothing else to write to."""
    place = Path(tempfile.mkdtemp(prefix="hetsel-container-"))
    installed, folder = place / "installed", place / "folder"
    folder.mkdir()
    for package in ("hetsel", "r_bridge"):
        ignored = shutil.ignore_patterns("__pycache__", "*.nb?")
        shutil.copytree(ROOT / package, installed / package, ignore=ignored)
    write_tables(folder)
    script = (
        f"mount --bind {shlex.quote(str(folder))} {shlex.quote(str(folder))} && "
        "mount -o remount,bind,ro / && "
        f"cd {shlex.quote(str(folder))} && exec {shlex.quote(sys.executable)} -B "
        f"{shlex.quote(str(Path(__file__).resolve()))}"
    )
    environment = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "LC_ALL": "C",
        "PYTHONPATH": str(installed),
        INSIDE: str(folder),
    }
    user = [] if os.getuid() == 0 else ["--map-root-user"]
    command = ["unshare", "--mount", *user, "sh", "-c", script]
    try:
        return subprocess.run(command, env=environment, check=False).returncode
    finally:
        if keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(place)


def refuses_writing(path: Path) -> bool:
    try:
        path.write_text("")
    except OSError:
        return True
    path.unlink()
    return False


def run_all(folder: Path) -> int:
    """Run every line; the number of those that did not do what the README says."""
    places = (Path("/tmp/hetsel-x"), Path.home() / "hetsel-x", Path(os.environ["PYTHONPATH"]) / "x")
    assert all(refuses_writing(place) for place in places), "the file system can be written to"
    assert "HOME" not in os.environ
    wrong = 0
    for line, printed in shell_lines():
        name, *arguments = shlex.split(line)
        expected = 1 if any(text.startswith("hetsel: error") for text in printed) else 0
        code = f"import sys; from hetsel.shell.main import main; sys.argv[0] = {name!r}"
        command = [sys.executable, "-P", "-c", f"{code}; sys.exit(main())", *arguments]
        start = time.monotonic()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        fine = done.returncode == expected and "Traceback" not in done.stderr + done.stdout
        head = next(iter(done.stdout.splitlines()), "")
        wrong += not fine
        seconds = time.monotonic() - start
        print(f"{'ok' if fine else 'WRONG'} {done.returncode} {seconds:5.1f} s  {line}  | {head}")
        for text in done.stderr.splitlines():
            if not fine or "not kept" in text or "error" in text:
                print(f"      {text}")
    left = sorted(path.name for path in folder.iterdir() if path.name.startswith((".", "tmp")))
    print(f"left behind in the folder: {', '.join(left) or 'nothing'}")
    print(f"{wrong} lines did not do what the README says")
    return int(bool(wrong or left))


if __name__ == "__main__":
    if INSIDE in os.environ:
        sys.exit(run_all(Path(os.environ[INSIDE])))
    sys.exit(enter("--keep" in sys.argv))
