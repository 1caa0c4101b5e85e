"""Derive sections of the manual pages of studies in R from the docstrings in Python."""

import inspect
import re
import textwrap
from collections.abc import Callable

from hetsel.questions.option import in_r
from hetsel.study.comparison.crossfitted_scores import crossfitted_frame
from hetsel.study.comparison.pair_probabilities import bayesian_pairs
from hetsel.study.comparison.treated_pairs import compare_treatments
from hetsel.study.merged_stores import merge_stores
from hetsel.study.plan.plan import Plan
from hetsel.study.plan.plan_schema import plan_schema
from hetsel.study.results import Results

ENTRIES = ("resamplings", "sizes", "classifiers", "seed")
TABLES: dict[str, Callable[..., object]] = {  # entries of the result
    "scores": Results.frame,
    "summary": Results.summary,
    "absent_classes": Results.absent_classes,
    "failures": Results.failures,
    "warnings": Results.warnings,
    "crossfitted": crossfitted_frame,
    "bayesian_pairs": bayesian_pairs,
    "treatments": compare_treatments,
}
RETURNED = "Returns\n-------\nDataFrame\n"
SECTION = re.compile(r"\n\n[A-Z][\w ]+\n-{3,}\n")
REFERENCE = re.compile(r"[,;]? see\s+:\w+:`[^`]+`|\s*\bSee\s+:\w+:`[^`]+`\.")


def study_page() -> str:
    """Return a template of roxygen2: entries of a plan, and data frames of the result."""
    doc = inspect.getdoc(Plan) or ""
    lines = ["@section Splits, sizes and classifiers of a plan:", r"\describe{"]
    for name in ENTRIES:
        told = re.search(rf"^{name} : .*\n((?: +.*\n)+)", doc, re.MULTILINE)
        assert told, f"Plan documents no {name}"
        lines += _item(rf"\code{{{name}}}", told[1])
    lines += ["}", "@section Entries of a data set of a plan:", r"\describe{"]
    for name, entry in plan_schema()["definitions"]["DataSpec"]["properties"].items():
        words = ", ".join(f'"{word}"' for word in entry.get("enum", ()) if word.isalpha())
        said = entry["description"] + (f" ({words})" if words else "")
        lines += _item(rf"\code{{{name}}}", f"{said}.")
    lines += ["}", "@return"]
    for name, table in TABLES.items():
        lines += _item(name, f"data frame. {_returned(table)}")
    return "\n".join(f"#' {line}" for line in lines) + "\n"


def _returned(table: Callable[..., object]) -> str:
    """Return the description of a data frame: the first sentence and the columns."""
    doc = inspect.getdoc(table) or ""
    head, _, more = doc.partition("\n\n")
    head = re.sub(r"^Return (the )?", "", head)
    if RETURNED in doc:
        columns = doc.partition(RETURNED)[2]
        before = SECTION.split(more)[0] if not more.startswith("Returns\n") else ""
        of_results = table.__qualname__.startswith("Results.")
        more = f"{before if of_results else ''}\n{columns}"
    more = re.sub(r"^ *- (\w)", lambda item: item[1].upper(), SECTION.split(more)[0], flags=re.M)
    return f"{head[0].upper()}{head[1:]} {more}"


def merge_page() -> str:
    """Return a template of roxygen2 with the description and the errors of merging stores."""
    doc = inspect.getdoc(merge_stores) or ""
    head, more, *_ = doc.split("\n\n")
    refused = " ".join(doc.partition("StoreError\n")[2].split("\n\n")[0].split())
    refused = re.sub("^If ", "The merge fails if ", refused)
    lines = textwrap.wrap(f"@description {head} {more}", 97, break_on_hyphens=False)
    lines += ["@section Errors:", *textwrap.wrap(refused, 97)]
    return "\n".join(f"#' {line}" for line in lines) + "\n"


def _item(name: str, text: str) -> list[str]:
    """Return the lines of an item of a list."""
    said = " ".join(REFERENCE.sub("", " ".join(text.split())).split())
    said = said.replace("NaN", "NA").replace("a mapping", "a list")
    said = in_r(re.sub(r"\{(\w+ = [^}]*)\}", r"list(\1)", said))
    return textwrap.wrap(
        rf"\item{{{name}}}{{{said}}}", 97, subsequent_indent="  ", break_on_hyphens=False
    )
