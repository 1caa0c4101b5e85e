"""The shell lines of README and site as in a container: read-only, no HOME, LC_ALL=C.

    python tests/arena/campaigns/container.py [--keep]

The whole file system is mounted read-only in a namespace of its own (Linux, `unshare`), with the
exception of one folder, which becomes the working directory. hetsel is a copy without compiled
code. Every line that begins with `hetsel` is run as it stands there, on tables made for it; it must
end with 0, or with 1 where the page shows an error.
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

sys.path.insert(0, str(Path(__file__).parent))
from named_commands import WRONG, every_command, make_tables

ROOT = Path(__file__).resolve().parents[3]
INSIDE = "HETSEL_CONTAINER"
COMMANDS = re.compile(r"hetsel (inspect|rank|search|study|methods)\b[^>]*")


def shell_lines() -> list[tuple[str, int]]:
    """Each line of README and site that a shell is given, with its exit code."""
    every = [
        one for one in every_command() if one.document.startswith(("README", "vignettes/site"))
    ]
    lines = [one.command for one in every if COMMANDS.fullmatch(one.command) and not one.not_run]
    found = [(line, int(line.endswith(WRONG))) for line in lines]
    return [*found, *((f"hetsel {word}", 0) for word in ("methods", "doctor", "rank --help"))]


def enter(keep: bool) -> int:
    """Copy hetsel, make the folder, and start this program in it, with nothing else to write to."""
    place = Path(tempfile.mkdtemp(prefix="hetsel-container-"))
    installed, folder = place / "installed", place / "folder"
    folder.mkdir()
    for package in ("hetsel", "r_bridge"):
        ignored = shutil.ignore_patterns("__pycache__", "*.nb?")
        shutil.copytree(ROOT / package, installed / package, ignore=ignored)
    make_tables(folder)
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
    """Run every line; the number of those that did not do what their page says."""
    places = (Path("/tmp/hetsel-x"), Path.home() / "hetsel-x", Path(os.environ["PYTHONPATH"]) / "x")
    assert all(refuses_writing(place) for place in places), "the file system can be written to"
    assert "HOME" not in os.environ
    wrong = 0
    for line, expected in shell_lines():
        name, *arguments = shlex.split(line, comments=True)
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
            if not fine or "NUMBA_CACHE_DIR" in text or "error" in text:
                print(f"      {text}")
    left = sorted(path.name for path in folder.iterdir() if path.name.startswith((".", "tmp")))
    print(f"left behind in the folder: {', '.join(left) or 'nothing'}")
    print(f"{wrong} lines did not do what their page says")
    return int(bool(wrong or left))


if __name__ == "__main__":
    if INSIDE in os.environ:
        sys.exit(run_all(Path(os.environ[INSIDE])))
    sys.exit(enter("--keep" in sys.argv))
