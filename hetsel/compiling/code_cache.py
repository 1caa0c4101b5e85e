"""Compiled code on disk: a file for each function and argument types, checked when it is read.

Unlike numba's own cache, it ignores damaged files, and it identifies sources by content, not by
date, so that files can be shipped. Reading a file runs code, so files of other users are ignored,
too.
"""

import contextlib
import functools
import hashlib
import lzma
import os
import pickle
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from filelock import FileLock, Timeout

from hetsel.compiling.plain_numba import dumps, llvmlite_version, numba_version
from hetsel.ground import write_files

ENDING = ".nbc"
DIGEST = hashlib.sha256().digest_size
PATIENCE = 120  # seconds to wait for another process that compiles the same function
PROBE = bytes(1 << 16)
CONSTANTS = (bool, int, float, complex, str, bytes, tuple, type(None))
ARCHIVE = "machine_code-*.tar.xz"  # the middle part is a digest of the content


class CodeFiles:
    """Compiled code of one function.

    Shipped files are in `shipped`, are read first and never written. Saved files are in `folder`,
    with names that begin with `base`. A file holds a checksum of the rest, the key (all that the
    code depends on), a line break and the code.
    """

    def __init__(self, folder: Path, shipped: Path, base: str, function: Any) -> None:
        self._folder, self._shipped = folder, shipped
        self._base, self._function = base, function
        self.kept_only = False  # whether to ignore shipped files

    def load(self, key: tuple[Any, ...]) -> Any:
        """Load shipped or saved code with this key; None if there is none."""
        name, head = self._name(key)
        for folder in (self._shipped, self._folder)[self.kept_only :]:
            with contextlib.suppress(OSError):
                body = strip_checksum(_own_bytes(folder / name))
                if body is not None and body.startswith(head):
                    return pickle.loads(body[len(head) :])
        return None

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Save code; it replaces earlier code for the same argument types."""
        name, head = self._name(key)
        path, body = self._folder / name, head + dumps(data)
        with contextlib.suppress(OSError):  # an unreadable file, or a folder in its place
            path.rmdir() if path.is_dir() else path.unlink()
        write_files({path: hashlib.sha256(body).digest() + body})

    @contextlib.contextmanager
    def alone(self, key: tuple[Any, ...]) -> Iterator[None]:
        """Let other processes wait while this one compiles, if a lock is available."""
        path = self._folder / Path(self._name(key)[0]).with_suffix(".lock")
        lock = FileLock(path, timeout=PATIENCE, thread_local=False)
        try:
            lock.acquire()
        except (OSError, NotImplementedError, Timeout):
            yield
            return
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # at worst, a waiting process compiles again
                path.unlink()
            lock.release()

    def _name(self, key: tuple[Any, ...]) -> tuple[str, bytes]:
        """Return the file name of a key and the head of its content."""
        signature, processor, (code, closure) = key
        name = hashlib.sha256(f"{signature} {processor} {closure}".encode()).hexdigest()[:20]
        parts = (*self._made_from(processor, code), name)
        return f"{self._base}.{name}{ENDING}", f"{parts!r}\n".encode()

    def _made_from(self, processor: tuple[str, ...], code: str) -> tuple[Any, ...]:
        """Return all that the code of the function depends on."""
        return numba_version, llvmlite_version, processor, dependencies(self._function), code

    def kept(self) -> list[Path]:
        """Return the saved files."""
        return sorted(self._folder.glob(f"{self._base}.*{ENDING}"))

    def came(self, processor: tuple[str, ...], code: str) -> list[bool]:
        """Check for each shipped file whether it fits this machine and is complete."""
        start = f"{self._made_from(processor, code)!r}"[:-1].encode()
        files = sorted(self._shipped.glob(f"{self._base}.*{ENDING}"))
        return [(strip_checksum(path.read_bytes()) or b"").startswith(start) for path in files]


def _own_bytes(path: Path) -> bytes:
    """Read a file of this user, of the installing user or of the administrator."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_uid not in _trusted_users():
            raise PermissionError(f"{path} belongs to another user")
        return file.read()


@functools.cache
def _trusted_users() -> set[int]:
    """Return the ids of trusted users; 0 where files have no owners."""
    own = os.getuid() if hasattr(os, "getuid") else 0
    return {own, 0, Path(__file__).stat().st_uid}


def strip_checksum(content: bytes) -> bytes | None:
    """Return the content of a file without its checksum; None if the checksum is wrong."""
    digest, body = content[:DIGEST], content[DIGEST:]
    return body if hashlib.sha256(body).digest() == digest else None


def dependencies(function: FunctionType) -> str:
    """Digest the functions and constants that code uses and numba does not track."""
    found: set[str] = set()
    seen: set[FunctionType] = set()
    waiting = [function]
    while waiting:
        caller = waiting.pop()
        if caller in seen:
            continue
        seen.add(caller)
        found.add(f"{caller.__qualname__} {_source(caller.__code__.co_filename)}")
        for name in caller.__code__.co_names:
            value = caller.__globals__.get(name)
            called = getattr(value, "py_func", None)
            if called is not None:
                waiting.append(called)
            elif isinstance(value, CONSTANTS):
                found.add(f"{caller.__qualname__} {name} {value!r}")
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()


@functools.cache
def _source(path: str) -> str:
    """Digest a source file; empty if there is none."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def try_folder(folder: str) -> None:
    """Write a test file to a folder and remove it; an empty one would fit a full disk."""
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    probe = path / "hetsel.probe"
    try:
        write_files({probe: PROBE})
    finally:
        probe.unlink(missing_ok=True)


def shipped_code(package: Path, cache: str = "") -> Path:
    """Return the folder of the shipped machine code, with a folder for each baseline.

    The folder may not exist. An archive is unpacked next to itself or, if that is not writable, in
    `cache` (default ``~/.cache/hetsel``). The folder appears only when it is complete.
    """
    plain = package / "machine_code"
    archives = sorted(package.glob(ARCHIVE))
    if not archives:
        return plain
    name = archives[-1].name.removesuffix(".tar.xz")
    own = cache or os.path.expanduser("~/.cache/hetsel")
    places = [package, *([Path(own)] if cache or os.path.isabs(own) else [])]  # else no home
    for place in places:
        if (place / name).is_dir():
            return place / name
    for place in places:
        with contextlib.suppress(OSError, tarfile.TarError, lzma.LZMAError, EOFError):
            _unpack(archives[-1], place / name)
            return place / name
    return plain


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack the files `BASELINE/NAME` of an archive into a folder that appears when complete."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".machine_code-", dir=folder.parent))
    try:
        with tarfile.open(archive, "r:xz") as members:
            for member in members:
                content = members.extractfile(member)
                if content is not None:
                    baseline, _, name = member.name.rpartition("/")
                    place = draft / os.path.basename(baseline)
                    place.mkdir(exist_ok=True)
                    (place / name).write_bytes(content.read())
        draft.chmod(0o755)  # a temporary folder is readable by its owner only
        draft.rename(folder)
    except OSError:
        if not folder.is_dir():  # otherwise another process was first
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
