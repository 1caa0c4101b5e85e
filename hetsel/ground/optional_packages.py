"""Packages of the extras: one that is missing is named, with the extra that installs it."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from hetsel.ground.errors import TableError

# module -> its name in a package index, the extra that has it, what needs it
PACKAGES = {
    "matplotlib": ("matplotlib", "report", "figures"),
    "jinja2": ("jinja2", "report", "reports"),
    "docx": ("python-docx", "report", "pages of signatures as .docx files"),
    "pyarrow": ("pyarrow", "files", "Parquet and Feather files"),
    "python_calamine": ("python-calamine", "files", "workbooks"),
    "pyreadstat": ("pyreadstat", "files", "files of Stata, SPSS and SAS"),
    "rdata": ("rdata", "files", "files of R"),
    "distributed": ("distributed", "dask", "runs on a Dask cluster"),
}


class PackageMissing(TableError, ImportError):
    """A package of an extra is not installed, or does not load."""


def need(module: str) -> ModuleType:
    """Import a package of an extra.

    Parameters
    ----------
    module : str
        A key of `PACKAGES`.

    Raises
    ------
    PackageMissing
        It says which extra installs the package.
    """
    try:
        return import_module(module)
    except ImportError as reason:
        name, extra, use = PACKAGES[module]
        absent = getattr(reason, "name", None) == module
        what = "is not installed" if absent else f"does not load ({reason})"
        raise PackageMissing(
            f"{name} {what}, and {use} need it: pip install 'hetsel[{extra}]'"
        ) from None


def is_dask(data: Any) -> bool:
    """Whether it is a frame of Dask, which nobody imports to say so."""
    known = sys.modules.get("dask.dataframe")
    return known is not None and isinstance(data, known.DataFrame)
