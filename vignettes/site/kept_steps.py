"""Steps of the build, each done once for the content that it depends on."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / ".build"
KEPT, LIBRARY = BUILD / "site-kept", BUILD / "library"


def digest(paths: Iterable[Path]) -> str:
    """SHA-256 of names and contents of files, in the order of their names."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(f"{path.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def code_files() -> list[Path]:
    """All that a ranking, a figure or a printed line may depend on, in Python and in R."""
    files = [path for room in ("hetsel", "r_bridge") for path in (ROOT / room).rglob("*")]
    suffixes = {".py", ".R", ".html", ".tab", ".toml", ".rda"}
    return [path for path in files if path.suffix in suffixes or path.name == "NAMESPACE"]


def kept(name: str, key: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills, made anew where its key is not the one of the last build."""
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


def run(command: list[str | Path], folder: Path) -> str:
    """Run a program in a folder with this Python and the R package of this project; what it prints.

    Raises
    ------
    SystemExit
        The program failed; with what it wrote to stderr.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = {
        "PATH": path,
        "PYTHONPATH": str(ROOT),
        "RETICULATE_PYTHON": sys.executable,
        "R_LIBS": str(LIBRARY),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "88",
    }
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **settings}, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def write(path: Path, content: bytes | str) -> Path:
    """Write a file where its content differs: what stays as it is, is not built again."""
    content = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)
    return path
