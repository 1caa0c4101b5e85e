"""The machine code that came with hetsel: one archive in a wheel, unpacked at its first use."""

from __future__ import annotations

import contextlib
import lzma
import os
import shutil
import tarfile
import tempfile
from pathlib import Path

ARCHIVE = "machine_code-*.tar.xz"  # the middle is a digest: another content has another name


def shipped_code(package: Path, cache: str = "") -> Path:
    """The folder of the machine code that came, with a folder inside for each baseline.

    What an archive holds is unpacked beside it, or in the user's cache where the package cannot be
    written to, and appears there as a whole: other processes see all of it or nothing.

    Parameters
    ----------
    package : Path
        The folder of hetsel.
    cache : str
        A folder of the user's own for compiled code; empty: ``hetsel`` in ``~/.cache``.

    Returns
    -------
    Path
        Of a folder that may not exist: nothing came, or there was no place to unpack it.
    """
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
