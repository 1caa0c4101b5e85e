"""Attach the R package hetsel in an R that Python hosts: rpy2 scripts and `%%R` notebook cells."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np

from hetsel import __version__
from hetsel.ground.errors import TableError
from hetsel.ground.writing import own_folder, remove_folder, write_files
from r_bridge.to_r import session

PACKAGE = Path(__file__).parent / "hetsel"
_KEPT: list[object] = []
_INSTALLED = """function(version) {
  file <- system.file("DESCRIPTION", package = "hetsel")
  nzchar(file) && identical(unname(read.dcf(file, "Version")[1]), version)
}"""
_ATTACH = """function(folder) {
  library("hetsel", lib.loc = if (nzchar(folder)) folder, character.only = TRUE)
}"""


def expose() -> None:
    """Attach the R package hetsel in the R that this Python runs.

    Afterwards R code that rpy2 runs and `%%R` cells can call `hetsel_rank()`, `hetsel_select()` and
    all other functions; this Python computes their results. The installed R package is used if it
    has this version; otherwise the R package of this Python is installed for the session.
    reticulate is not needed.

    Raises
    ------
    Rpy2Missing, RNotInstalled, RTooOld
        rpy2 or R cannot be used; the message states the fix.
    TableError
        Python runs inside R, or the package cannot be installed.

    Examples
    --------
    >>> import r_bridge
    >>> from rpy2 import robjects
    >>> r_bridge.expose()  # doctest: +SKIP
    >>> robjects.r("hetsel_rank(heart$x, heart$y)")  # doctest: +SKIP
    """
    session.start()
    if session.joined():
        raise TableError(
            "expose() must be called from Python that hosts R. Here R hosts Python: run "
            "library(hetsel) in R"
        )
    import rpy2.rinterface as rinterface

    from r_bridge.from_r.entry_points import answer

    def crossing(
        name: rinterface.StrSexpVector, asked: rinterface.ByteSexpVector
    ) -> rinterface.ByteSexpVector:
        return rinterface.ByteSexpVector(bytes(answer(str(name[0]), np.asarray(asked).tobytes())))

    _KEPT[:] = [rinterface.rternalize(crossing)]  # R holds no Python object
    session.call(_ATTACH, "" if session.call(_INSTALLED, __version__)[0] else _installed())
    text = rinterface.StrSexpVector
    namespace = rinterface.baseenv["asNamespace"](text(["hetsel"]))
    rinterface.baseenv["get"](text(["the"]), namespace)["answer"] = _KEPT[0]


def _installed() -> str:
    """Install the R package of this Python into a temporary library of R."""
    library = session.own_library()
    staged = own_folder()
    try:
        copy = Path(staged) / "hetsel"
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("tests"))
        description = copy / "DESCRIPTION"
        imports = description.read_text(encoding="utf-8")
        write_files({description: re.sub(r"\breticulate, ", "", imports)})
        command = [f"{session.find_r()[0]}/bin/R", "CMD", "INSTALL", "--no-docs", "--no-test-load"]
        done = subprocess.run(
            [*command, "-l", library, str(copy)], capture_output=True, text=True, check=False
        )
    finally:
        remove_folder(staged)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise TableError(
            f"the R package hetsel cannot be installed: {lines[-1] if lines else 'no output'}"
        )
    return library
