"""The plan with all parameters, failures, warnings, versions and digest."""

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Any

import pandas as pd

from hetsel import __version__
from hetsel.evaluation.computation import in_a_line
from hetsel.report.elements.blocks import Head, Names, Part, PrintedTable, Section, Shown, part_of
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.study_sentences import asked_columns, kind_of_splits, number_of_resamplings

DIGEST = "SHA-256 of rankings, verdicts, held-out rows, predictions and decision values (not times)"
DRAWN_WITH = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "matplotlib", "jinja2")


def _parts(summary: Summary) -> Iterator[Part]:
    results = summary.study
    failures, warned = _failures(results), _warnings(results)
    elements: list[Shown] = [
        _plan(summary),
        _methods(results.plan),
        Head("Failures"),
        failures or "No cell failed.",
        Head("Warnings") if warned else None,
        warned,
        Head("Versions"),
        _versions(results),
        Head("Digest"),
        f"{DIGEST}: {results.digest()}",
    ]
    yield part_of("plan", "Plan", elements)


def _plan(summary: Summary) -> Names:
    """List the entries of the plan except its methods."""
    plan = summary.results.plan
    splits, sizes = plan["resamplings"], plan["sizes"]
    drawn = f"{kind_of_splits(summary)}: {Resamplings.of('the plan', splits).in_words()}"
    numbers = number_of_resamplings(summary).rpartition(" ")[0]
    auto = (
        "auto: every size up to 40 features; above 40, the sizes of an elimination of 20% per step"
    )
    classifiers = (
        f"{c['label']} ({_settings(_of(c, 'key', 'encoding'))})" for c in plan["classifiers"]
    )
    entries = ({**entry, **entry.get("split", {})} for entry in plan["datasets"])
    sources = (
        entry["name"]
        + (f" ({_settings(entry, without=('name', 'split'))})" if len(entry) > 1 else "")
        for entry in entries
    )
    return Names(
        [
            ("data sets", "; ".join(sources)),
            ("resamplings", f"{numbers}, {drawn}"),
            ("sizes", auto if sizes == "auto" else ", ".join(map(str, sizes))),
            (f"judges ({summary.judge}s)", "; ".join(classifiers)),
            ("seed", str(plan["seed"])),
        ]
    )


def _methods(plan: dict[str, Any]) -> PrintedTable:
    rows = [
        [m["label"], m["key"], str(m.get("revision", "–")), _settings(_of(m, "target"))]
        for m in plan["methods"]
    ]
    head, note = ["method", "key", "revision", "parameters"], asked_columns(plan["methods"])
    caption = "Methods with all their parameters."
    return PrintedTable("methods", caption, head, rows, note=note, of_words=True)


def _of(entry: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the parameters of a method or judge, after its import path or target."""
    beside = {name: entry[name] for name in names if names[-1] in entry}
    return beside | entry["params"]


def _settings(values: dict[str, Any], without: Iterable[str] = ()) -> str:
    told = {k: in_a_line(str(v)) for k, v in values.items() if k not in without}
    return ", ".join(f"{k} = {v}" for k, v in told.items()) or "none"


def _failures(results: Any) -> PrintedTable | None:
    """Tabulate failed cells, grouped by reason."""
    frame = results.failures()
    if frame.empty:
        return None
    groups = frame.groupby(["dataset", "method", "reason"], sort=False)["resampling"]
    rows = []
    for (dataset, method, reason), numbers in groups:
        shown = ", ".join(map(str, sorted(numbers)[:12])) + (" …" if len(numbers) > 12 else "")
        rows.append([str(dataset), str(method), f"{len(numbers)}", shown, str(reason)])
    head = ["data set", "method", "cells", "resamplings", "reason"]
    caption = "Failed cells. No number above uses them."
    return PrintedTable("failures", caption, head, rows, of_words=True)


def _warnings(results: Any) -> PrintedTable | None:
    frame = results.warnings()[["dataset", "method", "cells", "warning"]]
    if frame.empty:
        return None
    rows = [[str(value) for value in row] for row in frame.itertuples(index=False)]
    head = ["data set", "method", "cells", "warning"]
    caption = "Warnings of finished cells. The numbers above use these cells."
    return PrintedTable("warnings", caption, head, rows, of_words=True)


def _versions(results: Any) -> Names:
    """List the versions that computed the cells and those of this report."""
    lines = [", ".join(f"{k} {v}" for k, v in one.items()) for one in results.versions()]
    out = [(f"cells ({k})" if len(lines) > 1 else "cells", s) for k, s in enumerate(lines, 1)]
    drawn = (f"{package} {version(package)}" for package in DRAWN_WITH)
    return Names([*out, ("this report", f"hetsel {__version__}, {', '.join(drawn)}")])


def plan_frame(summary: Summary) -> pd.DataFrame:
    """Return the entries of the plan and the digest."""
    entries = [*_plan(summary).pairs, ("digest", summary.results.digest())]
    return pd.DataFrame(entries, columns=["entry", "value"])


def methods_frame(summary: Summary) -> pd.DataFrame:
    table = _methods(summary.results.plan)
    return pd.DataFrame(table.rows, columns=table.head)


def versions_frame(summary: Summary) -> pd.DataFrame:
    """Return the versions that computed the cells and those of this export."""
    rows = [
        (f"cells {k}", *used)
        for k, versions in enumerate(summary.results.versions(), 1)
        for used in versions.items()
    ]
    rows += [("report", "hetsel", __version__)]
    rows += [("report", package, version(package)) for package in DRAWN_WITH]
    return pd.DataFrame(rows, columns=["used_by", "package", "version"])


SECTION = Section(
    parts=_parts,
    tables={
        "plan": plan_frame,
        "methods": methods_frame,
        "warnings": lambda summary: summary.results.warnings(),
        "versions": versions_frame,
    },
)
