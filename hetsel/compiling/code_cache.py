"""Compiled code on disk: a file for each function and each type of arguments, checked when read.

Unlike in numba's own files a damaged one is not there, and what code was made from is told by
content, never by dates, so that files can be shipped. Reading one runs code: that of another user
is not there, either.
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
ARCHIVE = "machine_code-*.tar.xz"  # the middle is a digest: another content has another name


class CodeFiles:
    """Compiled code of one function: files that came with hetsel (in `shipped`, looked at first,
    never written) and files that were kept in `folder`, whose names begin with `base`. A file is
    the checksum of the rest, the key (what the code depends on), a line break and the code."""

    def __init__(self, folder: Path, shipped: Path, base: str, function: Any) -> None:
        self._folder, self._shipped = folder, shipped
        self._base, self._function = base, function
        self.kept_only = False  # what came is of no use

    def load(self, key: tuple[Any, ...]) -> Any:
        """What came or was saved with this key; None if there is nothing that can be used."""
        name, head = self._name(key)
        for folder in (self._shipped, self._folder)[self.kept_only :]:
            with contextlib.suppress(OSError):
                body = strip_checksum(_own_bytes(folder / name))
                if body is not None and body.startswith(head):
                    return pickle.loads(body[len(head) :])
        return None

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Keep code; what was there for the same types of arguments is replaced."""
        name, head = self._name(key)
        path, body = self._folder / name, head + dumps(data)
        with contextlib.suppress(OSError):  # one that cannot be read, or a folder in its place
            path.rmdir() if path.is_dir() else path.unlink()
        write_files({path: hashlib.sha256(body).digest() + body})

    @contextlib.contextmanager
    def alone(self, key: tuple[Any, ...]) -> Iterator[None]:
        """Other processes wait while this one compiles; nobody waits where no lock can be had."""
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
            with contextlib.suppress(OSError):  # one that waits on it compiles once more, at worst
                path.unlink()
            lock.release()

    def _name(self, key: tuple[Any, ...]) -> tuple[str, bytes]:
        """The file of a key, and what it says of its content."""
        signature, processor, (code, closure) = key
        name = hashlib.sha256(f"{signature} {processor} {closure}".encode()).hexdigest()[:20]
        parts = (*self._made_from(processor, code), name)
        return f"{self._base}.{name}{ENDING}", f"{parts!r}\n".encode()

    def _made_from(self, processor: tuple[str, ...], code: str) -> tuple[Any, ...]:
        """What all code of the function depends on."""
        return numba_version, llvmlite_version, processor, dependencies(self._function), code

    def kept(self) -> list[Path]:
        """The files that were kept here."""
        return sorted(self._folder.glob(f"{self._base}.*{ENDING}"))

    def came(self, processor: tuple[str, ...], code: str) -> list[bool]:
        """Of each file that came with hetsel, whether it fits this machine and is whole."""
        start = f"{self._made_from(processor, code)!r}"[:-1].encode()
        files = sorted(self._shipped.glob(f"{self._base}.*{ENDING}"))
        return [(strip_checksum(path.read_bytes()) or b"").startswith(start) for path in files]


def _own_bytes(path: Path) -> bytes:
    """The content of a file that this user, who installed hetsel, or the administrator wrote."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_uid not in _trusted_users():
            raise PermissionError(f"{path} is a file of another user")
        return file.read()


@functools.cache
def _trusted_users() -> set[int]:
    """Their numbers; where files have no owners each is 0."""
    own = os.getuid() if hasattr(os, "getuid") else 0
    return {own, 0, Path(__file__).stat().st_uid}


def strip_checksum(content: bytes) -> bytes | None:
    """The content of a file without its checksum; None if that is another."""
    digest, body = content[:DIGEST], content[DIGEST:]
    return body if hashlib.sha256(body).digest() == digest else None


def dependencies(function: FunctionType) -> str:
    """Digest of the functions and constants that code takes from elsewhere, unknown to numba."""
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
    """Digest of a source file; empty where there is none."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def try_folder(folder: str) -> None:
    """Write a file to a folder and remove it; the empty file that numba tries fits a full disk."""
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    probe = path / "hetsel.probe"
    try:
        write_files({probe: PROBE})
    finally:
        probe.unlink(missing_ok=True)


def shipped_code(package: Path, cache: str = "") -> Path:
    """The folder of the machine code that came, one inside for each baseline; it may not exist. An
    archive is unpacked beside itself, or where that cannot be written to in `cache`, by default
    ``~/.cache/hetsel``, and appears as a whole: other processes see all of it or nothing."""
    plain = package / "machine_code"
    archives = sorted(package.glob(ARCHIVE))
    if not archives:
        return plain
    name = archives[-1].name.removesuffix(".tar.xz")
    own = cache or os.path.expanduser("~/.cache/hetsel")
    places = [package, *([Path(own)] if cache or os.path.isabs(own) else [])]  # or has no home
    for place in places:
        if (place / name).is_dir():
            return place / name
    for place in places:
        with contextlib.suppress(OSError, tarfile.TarError, lzma.LZMAError, EOFError):
            _unpack(archives[-1], place / name)
            return place / name
    return plain


def _unpack(archive: Path, folder: Path) -> None:
    """Write the files `BASELINE/NAME` of an archive into a folder that appears when it is whole."""
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
        draft.chmod(0o755)  # a temporary folder is its owner's alone
        draft.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was first
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
