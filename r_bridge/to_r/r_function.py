"""Use a function of R as a method, as sent by `hetsel_method()` of the R package."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed
from hetsel.selection import About, Answer, BaseSelector, Problem, Ranking, SearchPath
from hetsel.selection.answer import SeededCall
from hetsel.tables import Classes, Numbers, TypedTarget
from r_bridge.from_r.r_words import text_of
from r_bridge.r_vectors import RVector, data_frame, factor, texts
from r_bridge.to_r import convert, session

WANTED = (
    "the function must return the names of columns, best first, or an importance of each column by "
    "its name, or a list of the names of the columns of each size"
)
# The answer crosses by the name of the form that it has.
_CALL = """
function(packed, x, y, sizes, names, versions) {
  of_r <- names == "R"
  found <- vapply(names, function(name) {
    if (name == "R") return(paste(R.version$major, R.version$minor, sep = "."))
    if (nzchar(system.file(package = name))) format(utils::packageVersion(name)) else "none"
  }, "")
  other <- which(found != versions)
  if (length(other)) {
    stop(
      "the function was created with ", names[other[1]], " ", versions[other[1]],
      ", and this R has ", found[other[1]], ". Create it again by hetsel_method()"
    )
  }
  new <- setdiff(paste0("package:", names[!of_r]), c("package:", search()))
  for (name in sub("package:", "", new)) library(name, character.only = TRUE)
  on.exit(for (name in new) detach(name, character.only = TRUE))
  f <- unserialize(packed)
  if (is.data.frame(y)) y <- survival::Surv(y$time, y$event == 1)
  told <- f(x, y, sizes)
  is_names <- function(v) is.character(v) && length(v) && !anyNA(v)
  if (is_names(told)) {
    list(order = enc2utf8(told))
  } else if (is.numeric(told) && !is.null(names(told))) {
    list(importance = stats::setNames(as.double(told), enc2utf8(names(told))))
  } else if (is.list(told) && length(told) && all(vapply(told, is_names, NA))) {
    list(subsets = lapply(unname(told), enc2utf8))
  } else {
    what <- if (is.numeric(told)) "numbers without names" else
      if (is.character(told) && anyNA(told)) "names that are missing (NA)" else
      if (is.character(told)) "no names" else
      if (is.null(told)) "NULL" else paste("an object of class", class(told)[1])
    list(other = what)
  }
}
"""


class RFunction(BaseSelector):
    """Rank or select features by a user's function of R.

    The function is called with a data frame of the rows, the target and the requested sizes. It
    returns names of columns, best first, as a ranking of all or of the best columns; numbers named
    by all columns as importances; or a list of names of columns as a subset for each size. Nominal
    columns are factors with all their levels, ordinal columns ordered factors, and all others
    doubles. Classes are a factor with sorted levels, and survival times a ``Surv`` object of the
    package survival. R's random number generator is seeded before the call and restored afterwards.

    Parameters
    ----------
    packed : str
        The function, as hexadecimal text of the bytes of R's ``serialize``.
    source : str
        The function as readable text.
    versions : mapping of str to str, optional
        Versions of R and of the packages that the function needs, which are attached for the call.
        With other versions the call fails.
    draws : bool
        Whether the function draws random numbers.
    """

    packed: str = ""
    source: str = ""
    versions: Mapping[str, str] | None = None
    draws: bool = False

    use_of_sizes = "subsets"
    about = About(
        "a function of R",
        paper="none",
        targets=("classes", "numbers", "survival"),
        requires=("r",),
        draws=True,
        flaws=("constant",),  # the order is the user's own
        # what a study loads beforehand is R; the function sees no table but the study's
        trial={"packed": ""},
        family="wrappers",
    )

    @classmethod
    def foreign_versions(cls) -> dict[str, str]:
        return {"R": session.find_r()[1]}

    def _select(self, problem: Problem) -> Answer:
        if not self.packed:
            raise TableError("packed must be a function from hetsel_method() of R. Got ''")
        versions = dict(self.versions or {})
        seed = int(problem.rng().integers(2**31 - 1))
        arguments = (
            bytes.fromhex(self.packed),
            convert.to_r(problem.table, text_of),
            _target(problem.target),
            np.array(problem.sizes or range(1, problem.p + 1)),
            texts(versions),
            texts(versions.values()),
        )
        try:
            ((form, told),) = session.call_seeded(_CALL, seed, *arguments).by_name.items()
        finally:
            session.code_of_others_ran()
        assert told is not None
        if form == "other":
            raise TableError(f"{WANTED}. Got {told[0]}")
        seeded = SeededCall(seed, tuple(range(problem.p)))
        return _answer(form, told, seeded, problem)


def _answer(form: str, told: RVector, seeded: SeededCall, problem: Problem) -> Answer:
    """Convert the value that R returned."""
    names, p = problem.table.names, problem.p
    if form == "subsets":
        subsets: dict[int, np.ndarray] = {}
        for subset in told.values:
            columns = _places(subset.values, names)
            if len(columns) in subsets:
                raise TableError(f"{WANTED}. Got two of size {len(columns)}")
            subsets[len(columns)] = columns
        return SearchPath(p, subsets)
    columns = _places((told.names or []) if form == "importance" else told.values, names)
    if form == "order":
        importance = np.full(p, -float(len(columns) + 1))
        importance[columns] = -np.arange(1.0, len(columns) + 1)
        return Ranking(columns, importance, first=np.empty(0), seeded=seeded)
    if not len(columns):
        raise TableError(f"{WANTED}. Got no names")
    if len(columns) < p:
        lacking = listed([names[j] for j in np.setdiff1d(np.arange(p), columns)])
        raise TableError(f"{WANTED}. Got no importance of {lacking}")
    importance = np.empty(p)
    importance[columns] = told.values
    return replace(Ranking.from_importance(importance), seeded=seeded)


def _places(named: list[str], names: list[str]) -> np.ndarray:
    """Return the indices of columns by name, each once."""
    place = {name: j for j, name in enumerate(names)}
    for name in named:
        if name not in place:
            raise TableError(
                f"{WANTED}. Got {name!r}, which is no column. A factor is one column with one "
                "importance"
            )
    columns = np.array([place[name] for name in named], dtype=np.intp)
    found, counts = np.unique(columns, return_counts=True)
    if (counts > 1).any():
        twice = names[found[np.argmax(counts > 1)]]
        raise TableError(f"{WANTED}. Got {twice!r} more than once")
    return columns


def _target(target: TypedTarget) -> RVector:
    """Convert the target: classes to a factor with sorted levels, times to a data frame."""
    if isinstance(target, Classes):
        ordered = target.by_label()
        return factor(ordered.codes + 1, map(text_of, ordered.labels.tolist()))
    if isinstance(target, Numbers):
        return RVector("double", target.values)
    times, events = RVector("double", target.times), RVector("double", target.events)
    return data_frame({"time": times, "event": events})
