"""The data sets of `sources.toml`, and the functions that load them."""

import textwrap
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import Original
from hetsel.datasets.readers import READERS, read_delimited


@dataclass(frozen=True)
class Source:
    """What the table says of a data set, see :class:`Dataset`, and its files."""

    description: str
    citation: str
    license: str = "CC BY 4.0 (UCI Machine Learning Repository)"
    n_training: int | None = None
    originals: tuple[Original, ...] = ()
    columns: Mapping[str, Any] | None = None  # of a delimited file; None: a reader of its own


def _sources() -> dict[str, Source]:
    """The table by name, line breaks of its texts made blanks."""
    text = files("hetsel.datasets").joinpath("sources.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)
    for entry in entries.values():
        for facts in (entry, *entry.get("originals", ())):
            texts = {name: text for name, text in facts.items() if isinstance(text, str)}
            facts |= {name: " ".join(text.split()) for name, text in texts.items()}
        if "same_files_as" in entry:
            entry |= {**entries[entry.pop("same_files_as")], **entry}
    return {name: msgspec.convert(entry, Source) for name, entry in entries.items()}


SOURCES = _sources()


@cache
def loader(name: str) -> Callable[[], Dataset]:
    """The function `load_NAME` of a data set."""

    def load() -> Dataset:
        source = SOURCES[name]
        paths = [original.fetch() for original in source.originals]
        if source.columns is None:
            X, y = READERS[name](*paths)
        else:
            X, y = read_delimited(*paths, **source.columns)
        facts = source.description, source.citation, source.license, source.n_training
        return Dataset(name, X, y, *facts)

    source = SOURCES[name]
    about, paper = textwrap.fill(source.description), textwrap.fill(source.citation)
    load.__name__ = load.__qualname__ = loader_name(name)
    load.__module__ = "hetsel.datasets"
    load.__doc__ = f"Load the data set {name}.\n\n{about}\n\nReferences\n----------\n{paper}"
    return load


def loader_name(name: str) -> str:
    """Name of the function that loads a data set."""
    return f"load_{name.replace('-', '_')}"
