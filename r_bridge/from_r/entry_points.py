"""What the R package calls: objects of R in, objects of R out, and no exception across."""

import json
import platform
import subprocess
import sys

import pandas as pd

import hetsel
from hetsel.ground.memory import available_memory
from hetsel.ground.writing import none_left
from hetsel.methods.registry import get_method, method_keys, method_table, own_parameters
from hetsel.signature.request import balanced
from r_bridge.from_r import signatures
from r_bridge.from_r.additive_machines import kernel, mkl, predict_model, svm
from r_bridge.from_r.asked import (
    Column,
    Frame,
    Kinds,
    Options,
    Target,
    groups_of,
    weights_of,
    whole,
)
from r_bridge.from_r.compared_methods import (
    compare_scores,
    compare_study,
    stability,
    study_stability,
)
from r_bridge.from_r.described import as_told, facts_of_call, weighed
from r_bridge.from_r.guarded_calls import answered
from r_bridge.from_r.judged_rankings import halves, knockoffs, permuted
from r_bridge.from_r.probability_tables import probabilities_asked
from r_bridge.from_r.r_words import RPY2
from r_bridge.from_r.row_plans import plan_rows
from r_bridge.from_r.selections import rank, search
from r_bridge.from_r.studies import merge_stores, study, study_report, study_signatures
from r_bridge.from_r.validations import validate_signature, validation_report
from r_bridge.r_vectors import dumps, loads

_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "rpy2-rinterface")


def answer(name: str, asked: bytes) -> bytearray:
    """What an entry point answers to arguments by name, both as objects of R."""
    # reticulate makes a raw vector of a bytearray, of bytes it does not
    return bytearray(dumps(answered(ENTRIES[name], loads(bytes(asked)))))


def select(
    columns: Frame,
    target: Target,
    method: str | list[str] = "rfe-mkl",
    size: str | float | None = None,
    missing: str = "impute",
    kinds: Kinds | None = None,
    seed: float = 0,
    row_groups: Column | None = None,
    options: Options | None = None,
    jobs: float | None = 1,
    parameters: Options | None = None,
    progress: bool = False,
    row_weights: Column | None = None,
    by: Frame | None = None,
) -> signatures.SignatureAnswer:
    """Find the signature of a data frame; as :class:`hetsel.Signature` does in Python."""
    named = signatures.methods_asked(method, parameters or {})
    asked = {
        "method": named if len(named) > 1 else named[0],
        "size": whole(size),
        "missing": missing,
    }
    given = probabilities_asked(options or {}, target)
    found = signatures.signature_asked(asked, kinds or {}, seed, given, jobs)
    groups = groups_of(row_groups, len(columns))
    for one in named:
        weights = weights_of(balanced(one).build(), row_weights)
    say = signatures.lines_on_stderr() if progress else None
    told = as_told(target, len(columns), found.target_kind)
    found.fit(columns, told, weights, groups=groups, by=by, progress=say)
    table, told, groups = weighed(weights, found.schema_.encode(columns), told, groups)
    facts = facts_of_call(
        table,
        told,
        str(found.missing),
        found.scale,
        groups,
        **signatures.facts_of_method(found),
    )
    return signatures.contents(found, facts)


def predict_signature(model: str, columns: Frame) -> signatures.Prediction:
    """Classes, decision values and probabilities of rows, by the text of a saved signature."""
    return signatures.predictions(str(model), columns)


def signature_report(model: str, path: str, target: str = "") -> str:
    """Write the page of a signature from its text; the path of what was written."""
    return signatures.report(str(model), path, target)


def memory() -> float | None:
    """Bytes that are free for a table; NA where the system does not say."""
    return available_memory()


def methods() -> pd.DataFrame:
    """The catalogue: :func:`hetsel.method_table`, and the options of each method."""
    parameters = [own_parameters(get_method(key)) for key in method_keys()]
    options = [", ".join(f"{k} = {v}" for k, v in own.items()) for own in parameters]
    return method_table().assign(options=options)


def doctor() -> dict[str, str]:
    """Versions and faults as seen from Python; R is tried in a process of its own."""
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
        found = {"problem": f"R crashed when Python started it (exit status {done.returncode})"}
        found["fix"] = RPY2
    problem, fix = str(found.pop("problem")), str(found.pop("fix"))
    if problem:
        facts["methods of R"] = f"not to be had, as {problem}"
        facts["to have them"] = fix if found.get("rpy2") else RPY2
    return facts | {k: str(v) for k, v in found.items() if k not in ("rpy2", "package")}


ENTRIES = {
    function.__name__: function
    for function in (
        *(rank, search, select, predict_signature, signature_report),
        *(validate_signature, validation_report, plan_rows, halves, knockoffs, permuted),
        *(svm, mkl, predict_model, kernel, compare_scores, compare_study, stability),
        *(study, merge_stores, study_signatures, study_report, study_stability),
        *(methods, memory, doctor),
    )
}
