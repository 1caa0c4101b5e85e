"""Files are written whole or not at all, several of them together; temporary folders."""

import errno
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from hetsel.ground.errors import TableError
from hetsel.ground.spreadsheet_apostrophes import with_apostrophe

DRAFT = ".hetsel-"  # begins the names of drafts; one that a killed process left can be removed
Writer = Callable[[BinaryIO], object]
Content = str | bytes | Writer


def write_files(contents: Mapping[str | Path, Content]) -> list[Path]:
    """Write files so that all of them appear as a whole, or all stay as they were.

    Text is written as UTF-8; a callable is given the open binary file. All are first written beside
    their places, under names that nobody can foresee, and put on the disk; then each is moved into
    its place. Whatever goes wrong, what was moved goes back and the drafts are removed; an OSError
    names the path that was asked for. A new file gets the mode that the umask leaves, one that is
    there keeps its mode. A symbolic link stays, and the file it names is replaced.
    """
    drafts: list[tuple[Path, Path]] = []
    try:
        for name, content in contents.items():
            path = _place(name)
            if path in (other for _, other in drafts):
                raise TableError(f"{name} is named twice: give each file a name of its own")
            drafts.append((_draft_name(path), path))
            with _naming(name, instead_of=drafts[-1][0]):
                mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
                _write(drafts[-1][0], content, mode)
        _move(drafts)
    finally:
        for draft, _ in drafts:
            with suppress(OSError):  # the error that ended it says more
                draft.unlink()
    return [Path(name) for name in contents]


def try_writing(names: Iterable[str | Path]) -> None:
    """Refuse what cannot be written, before there is anything to write, by an empty draft beside
    the place of each file; an OSError names the path that was asked for."""
    for name in names:
        draft = _draft_name(_place(name))
        with _naming(name, instead_of=draft):
            try:
                _write(draft, b"", None)
            finally:
                draft.unlink(missing_ok=True)


def csv(frame: Any, separator: str = ",", *, spreadsheet_safe: bool = True) -> Writer:
    """The content of a CSV file: a data frame without its index. Spreadsheets run a cell that
    begins with = + - or @: an apostrophe before it, which hetsel undoes, makes it text."""
    if spreadsheet_safe:
        frame = frame.rename(columns=with_apostrophe)
        frame = frame.apply(
            lambda column: column if column.dtype.kind in "biufcM" else column.map(with_apostrophe)
        )
    return lambda file: frame.to_csv(
        file, sep=separator, index=False, mode="wb", errors="backslashreplace"
    )


def _place(name: str | Path) -> Path:
    """Where the file is, or will be; refused if it cannot be replaced."""
    given = Path(name)
    refused = None
    if given.is_dir():
        refused = errno.EISDIR, os.strerror(errno.EISDIR)
    elif given.exists() and not given.is_file():
        refused = errno.EINVAL, "a device or a pipe, not a file"
    elif given.exists() and not os.access(given, os.W_OK):
        refused = errno.EACCES, os.strerror(errno.EACCES)
    if refused is not None:
        raise OSError(*refused, str(name))
    with _naming(name, instead_of=given):  # the working directory may be gone
        return Path(os.path.realpath(name))


def _draft_name(path: Path) -> Path:
    return path.with_name(f"{DRAFT}{secrets.token_hex(8)}{path.suffix}")


def _write(draft: Path, content: Content, mode: int | None) -> None:
    """Write a new file, never one that is there; the umask has its say unless a mode is given."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(draft, flags, 0o666 if mode is None else 0o600), "wb") as file:
        if isinstance(content, str):
            file.write(content.encode("utf-8", "backslashreplace"))  # of half a character
        elif isinstance(content, bytes):
            file.write(content)
        else:
            content(file)
        file.flush()
        os.fsync(file.fileno())
    if mode is not None:
        draft.chmod(mode)


def _move(drafts: list[tuple[Path, Path]]) -> None:
    """Move drafts into their places; if one cannot, what was moved before it goes back."""
    before: dict[Path, Path | None] = {}  # what was there
    try:
        for draft, path in drafts:
            with _naming(path, instead_of=draft):
                if path != drafts[-1][1]:  # nothing follows the last one that could fail
                    before[path] = _set_aside(path)
                os.replace(draft, path)
    except BaseException:
        for path, old in before.items():
            if old is None:
                path.unlink(missing_ok=True)
            else:
                os.replace(old, path)
        raise
    finally:
        for old in before.values():  # two names of one file: moving one onto the other does nothing
            if old is not None:
                old.unlink(missing_ok=True)


def _set_aside(path: Path) -> Path | None:
    """A second name for a file that will be replaced; None if there is none."""
    if not path.exists():
        return None
    second = _draft_name(path)
    try:
        os.link(path, second)
    except OSError:  # a file system without second names
        shutil.copy2(path, second)
    return second


@contextmanager
def _naming(path: str | Path, *, instead_of: Path) -> Iterator[None]:
    """Errors of the system name the file that was asked for, not its draft."""
    try:
        yield
    except OSError as reason:
        if reason.errno is None or reason.filename not in (None, instead_of, str(instead_of)):
            raise
        raise OSError(reason.errno, reason.strerror, str(path)) from reason


def own_folder() -> str:
    """A new folder for temporary files; empty where there is no place for one."""
    with suppress(OSError):
        return tempfile.mkdtemp(prefix="hetsel-")
    return ""


def remove_folder(folder: str) -> None:
    """Remove a folder with all that is in it and can be removed."""
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def none_left() -> Iterator[dict[str, str]]:
    """Variables for programs that run within: of their temporary files none is left. R has a folder
    of such files, and removes it where it ends in its own way only."""
    folder = own_folder()
    try:
        yield {**os.environ, "TMPDIR": folder} if folder else dict(os.environ)
    finally:
        remove_folder(folder)
