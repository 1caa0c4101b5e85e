"""Write files completely or not at all, several at once; temporary folders."""

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

DRAFT = ".hetsel-"  # prefix of drafts; a draft that a killed process left can be removed
Writer = Callable[[BinaryIO], object]
Content = str | bytes | Writer


def write_files(contents: Mapping[str | Path, Content]) -> list[Path]:
    """Write all files completely, or leave all as they were.

    Text is written as UTF-8; a callable receives the open binary file. Each file is first written
    to disk as a draft with a random name in the same folder, and then moved into place. After an
    error, moved files are restored and drafts are removed; an OSError names the requested path. A
    new file gets the mode that the umask leaves; an existing file keeps its mode. A symbolic link
    stays, and the file that it points to is replaced.
    """
    drafts: list[tuple[Path, Path]] = []
    try:
        for name, content in contents.items():
            path = _place(name)
            if path in (other for _, other in drafts):
                raise TableError(f"{name} is named twice. Give each file its own name")
            drafts.append((_draft_name(path), path))
            with _naming(name, instead_of=drafts[-1][0]):
                mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
                _write(drafts[-1][0], content, mode)
        _move(drafts)
    finally:
        for draft, _ in drafts:
            with suppress(OSError):  # the original error is more informative
                draft.unlink()
    return [Path(name) for name in contents]


def try_writing(names: Iterable[str | Path]) -> None:
    """Check that files can be written; an OSError names the path."""
    for name in names:
        draft = _draft_name(_place(name))
        with _naming(name, instead_of=draft):
            try:
                _write(draft, b"", None)
            finally:
                draft.unlink(missing_ok=True)


def csv(frame: Any, separator: str = ",", *, spreadsheet_safe: bool = True) -> Writer:
    """Return the content of a CSV file: a data frame without its index.

    Spreadsheets run a cell that begins with = + - or @ as a formula. A leading apostrophe makes it
    text; hetsel removes the apostrophe when it reads the file.
    """
    if spreadsheet_safe:
        frame = frame.rename(columns=with_apostrophe)
        frame = frame.apply(
            lambda column: column if column.dtype.kind in "biufcM" else column.map(with_apostrophe)
        )
    return lambda file: frame.to_csv(
        file, sep=separator, index=False, mode="wb", errors="backslashreplace"
    )


def _place(name: str | Path) -> Path:
    """Return the real path of a file; refuse one that cannot be replaced."""
    given = Path(name)
    refused = None
    if given.is_dir():
        refused = errno.EISDIR, os.strerror(errno.EISDIR)
    elif given.exists() and not given.is_file():
        refused = errno.EINVAL, "it is a device or a pipe, not a file"
    elif given.exists() and not os.access(given, os.W_OK):
        refused = errno.EACCES, os.strerror(errno.EACCES)
    if refused is not None:
        raise OSError(*refused, str(name))
    with _naming(name, instead_of=given):  # the working directory may be gone
        path = Path(os.path.realpath(name))
    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"{name} cannot be written: there is no folder {path.parent}. Create it first"
        )
    return path


def _draft_name(path: Path) -> Path:
    return path.with_name(f"{DRAFT}{secrets.token_hex(8)}{path.suffix}")


def _write(draft: Path, content: Content, mode: int | None) -> None:
    """Write a new file, never an existing one; the umask applies unless a mode is given."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(draft, flags, 0o666 if mode is None else 0o600), "wb") as file:
        if isinstance(content, str):
            file.write(content.encode("utf-8", "backslashreplace"))  # lone surrogates
        elif isinstance(content, bytes):
            file.write(content)
        else:
            content(file)
        file.flush()
        os.fsync(file.fileno())
    if mode is not None:
        draft.chmod(mode)


def _move(drafts: list[tuple[Path, Path]]) -> None:
    """Move drafts into place; if one fails, restore those moved before."""
    before: dict[Path, Path | None] = {}  # the previous file
    try:
        for draft, path in drafts:
            with _naming(path, instead_of=draft):
                if path != drafts[-1][1]:  # after the last one nothing can fail
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
        for old in before.values():  # two hard links of one file: moving has no effect
            if old is not None:
                old.unlink(missing_ok=True)


def _set_aside(path: Path) -> Path | None:
    """Give a file that will be replaced a second name; None if there is no file."""
    if not path.exists():
        return None
    second = _draft_name(path)
    try:
        os.link(path, second)
    except OSError:  # a file system without hard links
        shutil.copy2(path, second)
    return second


@contextmanager
def _naming(path: str | Path, *, instead_of: Path) -> Iterator[None]:
    """Let system errors name the requested file, not its draft."""
    try:
        yield
    except OSError as reason:
        if reason.errno is None or reason.filename not in (None, instead_of, str(instead_of)):
            raise
        raise OSError(reason.errno, reason.strerror, str(path)) from reason


def own_folder() -> str:
    """Create a folder for temporary files; return an empty name where none can be created."""
    with suppress(OSError):
        return tempfile.mkdtemp(prefix="hetsel-")
    return ""


def remove_folder(folder: str) -> None:
    """Remove a folder and its content as far as possible."""
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def none_left() -> Iterator[dict[str, str]]:
    """Provide environment variables that put temporary files of programs into a removed folder.

    R removes its temporary folder only when it ends normally.
    """
    folder = own_folder()
    try:
        yield {**os.environ, "TMPDIR": folder} if folder else dict(os.environ)
    finally:
        remove_folder(folder)
