"""The entry points of the R package: they take and return objects of R and raise no exception."""

import json
import platform
import subprocess
import sys
from typing import Any

import pandas as pd

import hetsel
from hetsel.ground.memory import available_memory
from hetsel.ground.writing import none_left
from hetsel.methods.registry import get_method, method_keys, method_table, own_parameters
from hetsel.signature.request import balanced
from r_bridge.from_r import (
    additive_machines,
    compared_methods,
    judged_rankings,
    row_plans,
    selections,
    signatures,
    studies,
    validations,
)
from r_bridge.from_r.asked import Cells, Labels, groups_of, weights_of
from r_bridge.from_r.described import as_told, facts_of_call, weighed
from r_bridge.from_r.guarded_calls import answered
from r_bridge.from_r.probability_tables import probabilities_asked
from r_bridge.from_r.r_words import RPY2
from r_bridge.r_vectors import Values, dumps, loads

_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "rpy2-rinterface")


def answer(name: str, asked: bytes) -> bytearray:
    """Call an entry point with named arguments and return its answer, both as objects of R."""
    # reticulate makes a raw vector of a bytearray, of bytes it does not
    return bytearray(dumps(answered(ENTRIES[name], loads(bytes(asked)))))


def select(
    columns: pd.DataFrame,
    target: Labels,
    method: str | list[str] = "rfe-mkl",
    size: str | float | None = None,
    row_groups: Cells | None = None,
    row_weights: Cells | None = None,
    by: pd.DataFrame | None = None,
    progress: bool = False,
    options: Values | None = None,
    **of_signature: Any,
) -> Values:
    """Select the signature of a data frame like :class:`hetsel.Signature`."""
    given = probabilities_asked(options, target)
    found = signatures.signature_asked(method, size, options=given, **of_signature)
    groups = groups_of(row_groups, len(columns))
    every = found.method if isinstance(found.method, list) else [found.method]
    weights = weights_of(row_weights, *(balanced(one).build() for one in every))
    say = signatures.lines_on_stderr() if progress else None
    told = as_told(target, len(columns), found.target_kind)
    found.fit(columns, told, weights, groups=groups, by=by, progress=say)
    table, told, groups = weighed(weights, found.schema_.encode(columns), told, groups)
    more = signatures.facts_of_method(found)
    facts = facts_of_call(table, told, found.missing, found.scale, groups, more)
    return signatures.contents(found, facts)


def memory() -> float | None:
    """Return the free memory in bytes; NA where it is unknown."""
    return available_memory()


def methods() -> pd.DataFrame:
    """Return :func:`hetsel.method_table` with the parameters of each method."""
    parameters = [own_parameters(get_method(key)) for key in method_keys()]
    options = [", ".join(f"{k} = {v}" for k, v in own.items()) for own in parameters]
    return method_table().assign(options=options)


def doctor() -> dict[str, str]:
    """Return versions and problems; R is started in a separate process."""
    from importlib.metadata import PackageNotFoundError, version

    facts = {"python": platform.python_version(), "executable": sys.executable}
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
        found = {"problem": f"R crashed when Python started it, exit status {done.returncode}"}
        found["fix"] = RPY2
    problem, fix = str(found.pop("problem")), str(found.pop("fix"))
    if problem:
        facts["methods of R"] = f"not available: {problem}"
        facts["to install them"] = fix if found.get("rpy2") else RPY2
    return facts | {k: str(v) for k, v in found.items() if k not in ("rpy2", "package")}


_MODULES = {
    selections: "rank search",
    signatures: "predict_signature signature_report",
    validations: "validate_signature validation_report",
    row_plans: "plan_rows",
    judged_rankings: "halves knockoffs permuted",
    additive_machines: "svm mkl predict_model kernel",
    compared_methods: "compare_scores compare_study stability study_stability",
    studies: "study merge_stores study_signatures study_report",
}
ENTRIES = {f.__name__: f for f in (select, methods, memory, doctor)} | {
    name: getattr(module, name) for module, names in _MODULES.items() for name in names.split()
}
