"""Cache the steps of the build by the content that they depend on."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / ".build"
KEPT, LIBRARY = BUILD / "site-kept", BUILD / "library"


def digest(paths: Iterable[Path]) -> str:
    """Compute the SHA-256 of names and contents of files, sorted by name."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(f"{path.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def code_files() -> list[Path]:
    """List the files on which a ranking, a figure or a printed line may depend."""
    files = [path for room in ("hetsel", "r_bridge") for path in (ROOT / room).rglob("*")]
    suffixes = {".py", ".R", ".html", ".tab", ".toml", ".rda"}
    return [path for path in files if path.suffix in suffixes or path.name == "NAMESPACE"]


def kept(name: str, key: str, make: Callable[[Path], None]) -> Path:
    """Return the folder that `make` fills; make it again if its key has changed."""
    folder, mark = KEPT / name, KEPT / f"{name}.key"
    if folder.is_dir() and mark.is_file() and mark.read_text() == key:
        return folder
    mark.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"site: {name}", flush=True)
    make(folder)
    mark.write_text(key)
    return folder


def kept_side_by_side(steps: Iterable[tuple[str, str, Callable[[Path], None]]]) -> list[Path]:
    """Run steps in parallel, one for each processor; return their folders in order."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda step: kept(*step), steps))


def run(command: list[str | Path], folder: Path) -> str:
    """Run a program in a folder with this Python and R package; return its output.

    Raises
    ------
    SystemExit
        If the program fails; with its stderr.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = {
        "PATH": path,
        "PYTHONPATH": str(ROOT),
        "RETICULATE_PYTHON": sys.executable,
        "R_LIBS": str(LIBRARY),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "88",
        # steps share the processors: two threads of BLAS in each wait for each other
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **settings}, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def write(path: Path, content: bytes | str) -> Path:
    """Write a file only if its content differs, so that Sphinx rebuilds only changed pages."""
    content = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)
    return path
