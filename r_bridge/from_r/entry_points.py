"""What the R package calls: plain vectors in, plain vectors out, and no exception across.

reticulate turns a vector of length one into a scalar, so every vector is read leniently; cells
cross as the raw bytes of doubles, which keeps NA and is the same whatever the length. Each answer
is a dict, see :mod:`r_bridge.from_r.answering`.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import hetsel
from hetsel.ground.memory import available_memory
from hetsel.ground.writing import none_left
from hetsel.methods.registry import get_method, key_of, method_keys, method_table, own_parameters
from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.signature.request import balanced
from hetsel.study.plan.parts import Part
from r_bridge.from_r import signatures
from r_bridge.from_r.additive_machines import kernel, mkl, predict_model, svm
from r_bridge.from_r.answering import answer as _answer
from r_bridge.from_r.compared_methods import (
    compare_scores,
    compare_study,
    stability,
    study_stability,
)
from r_bridge.from_r.described import as_told, facts_of_call, weighed
from r_bridge.from_r.fitted import answer_of, groups_of, selector_of, weights_of
from r_bridge.from_r.judged_rankings import halves, knockoffs, permuted
from r_bridge.from_r.planning.plan_rows import plan_rows
from r_bridge.from_r.probabilities.probability_tables import by_asked, probabilities_asked
from r_bridge.from_r.probabilities.validations import validate_signature, validation_report
from r_bridge.from_r.r_words import RPY2
from r_bridge.from_r.searches import settings_of
from r_bridge.from_r.vectors import frame_of, kinds_of, target_of, usable_jobs, whole
from r_bridge.interrupts import ctrl_c_heard
from r_bridge.r_objects import dumps, loads, plain

__all__ = [
    "compare_scores",
    "compare_study",
    "doctor",
    "halves",
    "kernel",
    "knockoffs",
    "merge_stores",
    "methods",
    "mkl",
    "permuted",
    "plan_rows",
    "predict_model",
    "predict_signature",
    "rank",
    "search",
    "select",
    "signature_report",
    "stability",
    "study",
    "study_report",
    "study_stability",
    "svm",
    "validate_signature",
    "validation_report",
]


def answer(name: str, asked: bytes) -> bytearray:
    """What an entry point answers to arguments by name, both as objects of R."""
    return bytearray(  # reticulate makes a raw vector of it, of bytes it does not
        dumps(globals()[name](**(plain(loads(bytes(asked))) or {})))
    )


_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "rpy2-rinterface")


@_answer
def rank(
    columns: Sequence[Mapping[str, Any]],
    target: Mapping[str, Any],
    method: str = "rfe-mkl",
    size: float | None = None,
    missing: str = "impute",
    scale: str = "range",
    kinds: Mapping[str, Any] | None = None,
    seed: float = 0,
    options: Mapping[str, Any] | None = None,
    row_weights: Mapping[str, Any] | None = None,
    row_groups: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Rank the columns of a data frame; the same call in Python gives the same ranking.

    Parameters
    ----------
    columns : list of dict
        Per column ``name``; ``form``: "number", "date" (days since 1970-01-01), "flag", "text",
        "factor" or "ordered"; ``cells``: the bytes of n doubles (level codes from 0), or the
        numbers themselves, NaN being missing; ``levels``: text.
    target : dict
        The same for the class labels or numbers; the levels of a factor are the classes in their
        order. Of survival times ``form`` is "survival", with the bytes of ``events``, 1 or 0.
    method : str
        Key of a method.
    size : number, optional
        Size of the signature.
    missing : {"impute", "separate", "error"}
        What becomes of missing cells.
    scale : {"range", "quantile", "robust"}
        What continuous columns are measured by.
    kinds : dict, optional
        ``nominal``, ``ordinal``, ``continuous``: names of columns; ``ordinal`` may be a dict of
        name to levels in order, as a column of that name.
    seed : number
        Seed of the methods that draw.
    options : dict, optional
        Further parameters of the method.
    row_weights, row_groups : dict, optional
        A column with the weight of each row, and one that says which rows belong together.

    Returns
    -------
    dict
        ``rank``, ``feature``, ``kind``, ``importance``, best first; ``p_value`` and ``p_adjusted``
        where the method is a test; ``verdict`` of each rank, or none of any, with what it comes to
        for the ``order`` and for the ``cut`` at the size;
        ``columns``, in the order of the table, with ``name``, ``kind``, ``levels``, ``missing``,
        ``filled``, ``note``; ``cautions``, sentences on columns that may mislead, and
        ``questions`` on kinds; ``trace`` with
        ``step``, ``size``, ``feature``, ``objective``, ``gap``, ``bound``, ``verdict``; facts about
        the call; ``warnings``. Of a method that searches subsets: see :func:`search`.
    """
    treatment = {"size": whole(size), "missing": missing, "scale": scale}
    selector = selector_of(str(method), options or {}, kinds or {}, seed, **treatment)
    weights = weights_of(selector, row_weights)
    frame = frame_of(columns)
    of_rows = {"sample_weight": weights, "groups": groups_of(row_groups, len(frame))}
    found = answer_of(selector, frame, target_of(target), **of_rows)
    return {"method": key_of(type(selector)), **found}


@_answer
def search(
    columns: Sequence[Mapping[str, Any]],
    target: Mapping[str, Any],
    size: float | None = None,
    missing: str = "impute",
    scale: str = "range",
    kinds: Mapping[str, Any] | None = None,
    seed: float = 0,
    row_groups: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Search for the best subset of columns; as :class:`hetsel.SubsetSearch` does in Python.

    Parameters
    ----------
    columns, target, size, missing, scale, kinds, seed
        As :func:`rank` takes them; without a size the search finds the best one.
    row_groups : dict, optional
        A column that says which rows belong together.
    options : dict, optional
        Further parameters of the search, see :data:`r_bridge.from_r.searches.OPTIONS`.

    Returns
    -------
    dict
        See :func:`r_bridge.from_r.searches.contents`, with the facts of :func:`rank`; or
        ``interrupted``, the archive in which every evaluation is that was done when Ctrl-C came.
    """
    selector = SubsetSearch(
        size=whole(size),
        missing=missing,
        scale=scale,
        random_state=whole(seed),
        **kinds_of(kinds or {}),
        **settings_of(options or {}, "hetsel_search"),
    )
    frame = frame_of(columns)
    groups = groups_of(row_groups, len(frame))
    return {"method": "", **answer_of(selector, frame, target_of(target), groups=groups)}


@_answer
def select(
    columns: Sequence[Mapping[str, Any]],
    target: Mapping[str, Any],
    method: str | Sequence[str] = "rfe-mkl",
    size: str | float | None = None,
    missing: str = "impute",
    kinds: Mapping[str, Any] | None = None,
    seed: float = 0,
    row_groups: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    jobs: float | None = 1,
    parameters: Mapping[str, Any] | None = None,
    progress: bool = False,
    row_weights: Mapping[str, Any] | None = None,
    by: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Find the signature of a data frame; as :class:`hetsel.Signature` does in Python.

    Parameters
    ----------
    columns, target, missing, kinds, seed, row_groups
        As :func:`rank` and :func:`search` take them.
    method : str or list of str
        Of several the best is chosen, by rows that do not judge it.
    size : {"one-se", "quarter-se", "knee", "equal"}, number or None
    options : dict, optional
        Further parameters, see :data:`r_bridge.from_r.signatures.OPTIONS`.
    jobs : number, optional
        Worker processes; None takes every processor, 0 and 1 compute in this process.
    parameters : dict, optional
        Of the method.
    progress : bool
        Lines on stderr.
    row_weights : dict, optional
        A column with the weight of each row.
    by : list of dict, optional
        Columns in whose parts the performance is told as well.

    Returns
    -------
    dict
        See :func:`r_bridge.from_r.signatures.contents`, with the facts of :func:`rank`.
    """
    named = signatures.methods_asked(method, parameters or {})
    asked = {
        "method": named if len(named) > 1 else named[0],
        "size": whole(size),
        "missing": missing,
    }
    frame, y = frame_of(columns), target_of(target)
    given = probabilities_asked(options or {}, y)
    found = signatures.signature_asked(asked, kinds or {}, seed, given, jobs)
    groups = groups_of(row_groups, len(frame))
    for one in named:
        weights = weights_of(balanced(one).build(), row_weights)
    say = signatures.lines_on_stderr() if progress else None
    told = as_told(y, len(frame), found.target_kind)
    found.fit(frame, told, weights, groups=groups, by=by_asked(by), progress=say)
    table, told, groups = weighed(weights, found.schema_.encode(frame), told, groups)
    described = facts_of_call(table, told, str(found.missing), found.scale, groups)
    return signatures.contents(found) | described | {"seed": float(found.seed_)}


@_answer
def predict_signature(model: str, columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Classes, decision values and probabilities of rows, by the text of a saved signature.

    Returns
    -------
    dict
        See :func:`r_bridge.from_r.signatures.predictions`.
    """
    return signatures.predictions(str(model), frame_of(columns))


@_answer
def signature_report(model: str, path: str, target: str = "") -> dict[str, Any]:
    """Write the page of a signature from its text; ``path`` of what was written."""
    return signatures.report(str(model), path, target)


@_answer
def study(
    plan: Any,
    store: str | None = None,
    jobs: float | None = 1,
    tables: Sequence[Mapping[str, Any]] = (),
    dask: str | None = None,
    retry: bool = False,
    progress: bool = False,
    time_limit: float | None = None,
    part: str | None = None,
    anew: Sequence[str] = (),
) -> dict[str, Any]:
    """Run what the store of a study lacks; all that was found, as plain vectors.

    Parameters
    ----------
    plan : str or dict
        Path of a TOML file, or the entries of a plan.
    store : str, optional
        SQLite file, or a folder, in which it is `<name>.sqlite`, of a part its own; None is that in
        the working directory.
    jobs : number, optional
        Worker processes; None takes every processor, 0 computes in this process.
    tables : list of dict
        Own data sets: ``name``, ``columns`` and ``target`` as :func:`rank` takes them, ``kinds``,
        optional ``missing``, ``scale`` and ``positive``, the one of two classes that is;
        ``row_groups`` and ``order``, a column each, or the name of one of ``columns``.
    dask : str, optional
        Address of a Dask cluster.
    retry : bool
        Compute failed cells once more.
    progress : bool
        Lines on stderr.
    time_limit : number, optional
        Seconds that a cell may take.
    part : str, optional
        Such as 1/4: its cells only.
    anew : list of str
        Labels of methods whose cells are computed anew.

    Returns
    -------
    dict
        See :func:`r_bridge.from_r.studies.contents`; or ``interrupted``, the store in which
        everything is that was finished when Ctrl-C came.
    """
    from r_bridge.from_r import studies

    planned = studies.plan_of(plan, tables)
    chosen = None if part is None else Part.read(part)
    path = studies.store_in(store, planned, chosen)
    try:
        with ctrl_c_heard():
            results = planned.run(
                path,
                part=part,
                n_jobs=usable_jobs(jobs),
                dask=dask,
                time_limit=time_limit,
                retry=bool(retry),
                anew=tuple(anew or ()),
                progress=bool(progress),
            )
    except KeyboardInterrupt:
        return {"interrupted": os.path.abspath(path)}
    return studies.contents(results)


@_answer
def merge_stores(stores: str | Sequence[str], into: str, progress: bool = False) -> dict[str, Any]:
    """Merge the stores of parts of a study; what is found there, see :func:`study`."""
    from hetsel.study.merged_stores import merge_stores as merged
    from r_bridge.from_r import studies

    given = [stores] if isinstance(stores, str) else list(stores)
    return studies.contents(merged(given, str(into), progress=bool(progress)))


@_answer
def memory() -> dict[str, Any]:
    """Bytes that are ``free`` for a table; None where the system does not say."""
    free = available_memory()
    return {"free": None if free is None else float(free)}


@_answer
def study_signatures(store: str, dataset: str, method: str, size: float) -> dict[str, Any]:
    """What a method selects, by resampling; see :func:`r_bridge.from_r.studies.signatures`."""
    from r_bridge.from_r import studies

    return studies.signatures(str(store), str(dataset), str(method), float(size))


@_answer
def study_report(
    path: str,
    store: str | None = None,
    plan: Any = None,
    tables: Sequence[Mapping[str, Any]] = (),
    digest: str | None = None,
    figures: str | None = None,
    format: str = "pdf",
) -> dict[str, Any]:
    """Write the report of a study; ``path`` of what was written, and of its ``figures``.

    Parameters
    ----------
    path : str
        The HTML file.
    store : str, optional
        The SQLite file, or the folder that it is in; None is the one that the plan names.
    plan, tables
        As :func:`study` takes them, to read the tables again for the effect curves.
    digest : str, optional
        What the results are expected to be; others come with a warning.
    figures : str, optional
        Folder to write every figure into as well.
    format : {"pdf", "svg", "png"}
        Of these files.
    """
    from r_bridge.from_r import studies

    return studies.report(path, store, plan, tables, digest, figures, format)


@_answer
def methods() -> dict[str, Any]:
    """The catalogue: the columns of :func:`hetsel.method_table`, and options."""
    catalogue = method_table()
    answer: dict[str, Any] = {name: catalogue[name].tolist() for name in catalogue.columns}
    answer["options"] = [
        ", ".join(f"{k} = {v}" for k, v in own_parameters(get_method(key)).items())
        for key in method_keys()
    ]
    return answer


@_answer
def doctor() -> dict[str, Any]:
    """Versions and faults as seen from Python; R is tried in a process of its own."""
    from importlib.metadata import PackageNotFoundError, version

    facts: dict[str, Any] = {"python": platform.python_version(), "executable": sys.executable}
    facts["hetsel"] = hetsel.__version__
    for package in _PACKAGES:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = ""
    with none_left() as variables:
        variables.pop("R_SESSION_INITIALIZED", None)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "r_bridge.to_r.session"],
            capture_output=True,
            text=True,
            env=variables,
            check=False,
        )
    try:
        found = json.loads(done.stdout.strip().rpartition("\n")[2])
    except ValueError:
        found = {"problem": f"R crashed when Python started it (exit status {done.returncode})"}
        found["fix"] = RPY2
    problem, fix = str(found.pop("problem")), str(found.pop("fix"))
    if problem:
        facts["methods of R"] = f"not to be had, as {problem}"
        facts["to have them"] = fix if found.get("rpy2") else RPY2
    return facts | {k: str(v) for k, v in found.items() if k not in ("rpy2", "package")}
