"""Find the original files of the data sets in `sources.toml`, and define the loaders.

hetsel does not contain these files. It looks for a file in the folder that HETSEL_DATA names, in
the package that contains it, and in the cache of the user; it downloads a public file into the
cache once. The sha256 of the file must be the one that the loader expects.
"""

import hashlib
import importlib.util
import os
import sys
import textwrap
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from hetsel.datasets.readers import READERS, read_coded_file
from hetsel.ground import TableError, counted, write_files
from hetsel.tables.survival_times import is_survival


@dataclass(frozen=True, eq=False)
class Dataset:
    """Hold a table with its target, description, citation and license.

    Parameters
    ----------
    name : str
        Name of the data set.
    X : DataFrame of shape (n, p)
        Features; nominal columns have a category dtype, and missing values are NaN.
    y : Series or structured ndarray of shape (n,)
        Class of each row, named like the target; or survival times from :func:`hetsel.survival`.
    description : str
        Description of rows and classes.
    citation : str
        Reference to cite.
    license : str
        Terms of use of the data.
    n_training : int, optional
        Number of the first rows that the source defines as training rows; the others are its test
        rows. None: the source defines no split.
    relevant : tuple of str, optional
        Features on which the class of a simulated table depends. None: unknown.

    Examples
    --------
    >>> from hetsel.datasets import load_heart
    >>> heart = load_heart()
    >>> heart.X.shape, heart.target, heart.n_training
    ((303, 13), ('diameter narrowing',), None)
    """

    name: str
    X: pd.DataFrame
    y: Any
    description: str
    citation: str
    license: str
    n_training: int | None = None
    relevant: tuple[str, ...] | None = None

    @property
    def target(self) -> tuple[str, ...]:
        """Return the columns of the target in `frame`: one, or time and event."""
        return ("time", "event") if is_survival(self.y) else (str(self.y.name),)

    @property
    def frame(self) -> pd.DataFrame:
        """Return features and target in one table (n, p + 1), or (n, p + 2) with time and event."""
        if not is_survival(self.y):
            return pd.concat([self.X, self.y], axis=1)
        return self.X.assign(**{name: self.y[name] for name in self.target})

    def __repr__(self) -> str:
        shape = f"{self.name}: {self.X.shape[0]} rows, {self.X.shape[1]} features"
        if is_survival(self.y):
            events = counted(int(self.y["event"].sum()), "row")
            return f"{shape}, survival times ({events} with an event)"
        counts = self.y.value_counts(sort=False).sort_index()
        classes = ", ".join(f"{label} {count}" for label, count in counts.items())
        return f"{shape}, target {self.y.name!r} ({classes})"


TIMEOUT = 30  # seconds without an answer
LONGEST = 600  # seconds of a whole download
LARGEST = 1 << 28  # bytes; more than ten times the largest original
PAUSES = (1, 4)  # seconds before each further attempt
CHUNK = 1 << 16


@dataclass(frozen=True)
class Original:
    """Describe a file that a loader reads."""

    path: str  # in the folder of HETSEL_DATA, and in the cache
    sha256: str
    url: str | None = None  # None: it cannot be downloaded
    hint: str = ""  # how to get the file otherwise, for the error
    package: tuple[str, str] | None = None  # a package with the file, and the path in it

    def fetch(self) -> Path:
        """Return the checked file from HETSEL_DATA, a package, the cache or its address."""
        folder = data_folder()
        if folder is not None and (local := folder / self.path).exists():
            self._check(local)
            return local
        if (carried := self._carried()) is not None:
            return carried
        kept = cache_folder() / self.path
        if kept.exists() and _sha256(kept) == self.sha256:
            return kept
        if self.url is None:
            if kept.exists():
                self._check(kept)
            raise TableError(self._lacking("it cannot be downloaded"))
        self._download(kept)
        return kept

    def _carried(self) -> Path | None:
        """Return the file in the package that contains it, if the version is right."""
        if self.package is None:
            return None
        name, place = self.package
        spec = importlib.util.find_spec(name)  # finds the package without loading it
        folders = spec.submodule_search_locations if spec else None
        for path in (Path(folder, place) for folder in folders or ()):
            if path.is_file() and _sha256(path) == self.sha256:
                return path
        return None

    def _check(self, path: Path) -> None:
        if (got := _sha256(path)) != self.sha256:
            raise TableError(
                f"the sha256 of {path} must be {self.sha256}. Got {got}: replace the file by the "
                "original"
            )

    def _download(self, target: Path) -> None:
        """Download the file, check it and write it to the cache."""
        assert self.url is not None
        try:
            content = _persist(self.url)
            got = hashlib.sha256(content).hexdigest()
            if got != self.sha256:
                raise TableError(
                    self._lacking(f"{self.url} has another file now, with sha256 {got}")
                )
            target.parent.mkdir(parents=True, exist_ok=True)
            write_files({target: content})
        except (OSError, HTTPException) as reason:
            why: object = reason
            if isinstance(reason, urllib.error.HTTPError):
                reason.close()
            elif isinstance(reason, urllib.error.URLError):
                why = reason.reason
            raise TableError(self._lacking(f"the download of {self.url} failed ({why})")) from None

    def _lacking(self, why: str) -> str:
        folder = data_folder()
        place = f"{folder} (HETSEL_DATA)" if folder else "a folder, and set HETSEL_DATA to it"
        text = (
            f"the file {self.path} is not available: {why}. Save the original as {self.path} in "
            f"{place}. Its sha256 is {self.sha256}"
        )
        return f"{text}. {self.hint}" if self.hint else text


def required_data_folder() -> Path:
    """Return the folder that HETSEL_DATA names; raise an error if it is not set."""
    if (folder := data_folder()) is None:
        raise TableError("HETSEL_DATA must name the folder of the original files. It is not set")
    return folder


def data_folder() -> Path | None:
    """Return the folder that HETSEL_DATA names; None if it is not set."""
    if not (name := os.environ.get("HETSEL_DATA")):
        return None
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise TableError(f"HETSEL_DATA must name a folder that exists. Got {name!r}")
    return folder


def cache_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the cache folder: HETSEL_CACHE, else `hetsel` in the cache of the platform."""
    if folder := environment.get("HETSEL_CACHE"):
        return Path(folder).expanduser()
    home = Path.home()
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "hetsel/Cache"
    if platform == "darwin":
        return home / "Library" / "Caches" / "hetsel"
    return Path(environment.get("XDG_CACHE_HOME") or home / ".cache") / "hetsel"


def _persist(url: str) -> bytes:
    """Download a URL, with further attempts after a broken connection or a server error."""
    until = time.monotonic() + LONGEST
    for pause in PAUSES:
        try:
            return _receive(url, until)
        except (ConnectionError, HTTPException, urllib.error.HTTPError) as reason:
            if isinstance(reason, urllib.error.HTTPError):
                reason.close()
                if reason.code < 500:
                    raise
        time.sleep(pause)
    return _receive(url, until)


def _receive(url: str, until: float) -> bytes:
    """Download a URL."""
    request = urllib.request.Request(url, headers={"User-Agent": "hetsel"})
    content = bytearray()
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        length = answer.headers.get("Content-Length")
        promised = int(length) if length is not None and length.isdecimal() else None
        if promised is not None and promised > LARGEST:
            raise OSError(
                f"the server announces {promised:,} bytes, but an original has at most {LARGEST:,}"
            )
        while chunk := answer.read1(
            CHUNK
        ):  # returns partial data, so that the time limit is checked
            content += chunk
            if len(content) > LARGEST:
                raise OSError(f"the file has more than {LARGEST:,} bytes, the limit of an original")
            if time.monotonic() > until:
                raise TimeoutError(f"not finished after {LONGEST} s and {len(content)} bytes")
    if promised is not None and len(content) < promised:
        raise ConnectionError(f"the connection broke after {len(content)} of {promised} bytes")
    return bytes(content)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as reason:
        raise TableError(f"{path} cannot be read: {reason.strerror}") from None


@dataclass(frozen=True)
class DataSource:
    """Hold the entry of a data set in `sources.toml`: facts and files; see :class:`Dataset`."""

    description: str
    citation: str
    license: str = "CC BY 4.0 (UCI Machine Learning Repository)"
    n_training: int | None = None
    originals: tuple[Original, ...] = ()
    columns: Mapping[str, Any] | None = (
        None  # of a delimited file; None: the data set has its own reader
    )


def _sources() -> dict[str, DataSource]:
    """Read `sources.toml`; line breaks in its texts become blanks."""
    text = files("hetsel.datasets").joinpath("sources.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)
    for entry in entries.values():
        for facts in (entry, *entry.get("originals", ())):
            texts = {name: text for name, text in facts.items() if isinstance(text, str)}
            facts |= {name: " ".join(text.split()) for name, text in texts.items()}
        if "same_files_as" in entry:
            entry |= {**entries[entry.pop("same_files_as")], **entry}
    return {name: msgspec.convert(entry, DataSource) for name, entry in entries.items()}


SOURCES = _sources()


@cache
def loader(name: str) -> Callable[[], Dataset]:
    """Return the function `load_NAME` of a data set."""

    def load() -> Dataset:
        source = SOURCES[name]
        paths = [original.fetch() for original in source.originals]
        if source.columns is None:
            X, y = READERS[name](*paths)
        else:
            X, y = read_coded_file(*paths, **source.columns)
        facts = source.description, source.citation, source.license, source.n_training
        return Dataset(name, X, y, *facts)

    source = SOURCES[name]
    about, paper = textwrap.fill(source.description), textwrap.fill(source.citation)
    load.__name__ = load.__qualname__ = loader_name(name)
    load.__module__ = "hetsel.datasets"
    skip = "" if name == "heart" else "  # doctest: +SKIP"
    shown = f">>> from hetsel.datasets import {load.__name__}\n>>> X = {load.__name__}().X{skip}"
    sections = {"Returns": "Dataset", "References": paper, "Examples": shown}
    written = [f"{head}\n{'-' * len(head)}\n{text}" for head, text in sections.items()]
    load.__doc__ = "\n\n".join([f"Load the data set {name}.", about, *written])
    return load


def loader_name(name: str) -> str:
    """Return the name of the function that loads a data set."""
    return f"load_{name.replace('-', '_')}"
