"""What manual pages of studies in R say in the words of Python's docstrings."""

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
TABLES: dict[str, Callable[..., object]] = {  # entries of the answer
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


def study_page() -> str:
    """A template of roxygen2: the entries of a plan, and the data frames of the answer."""
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
        doc = inspect.getdoc(table) or ""
        rest = doc.partition(RETURNED if RETURNED in doc else "\n\n")[2]
        head, columns = (text.partition("\n\n")[0] for text in (doc, rest))
        lines += _item(name, f"data frame. {head} {columns}")
    return "\n".join(f"#' {line}" for line in lines) + "\n"


def merge_page() -> str:
    """A template of roxygen2: what merging stores does, and what it refuses."""
    doc = inspect.getdoc(merge_stores) or ""
    head, more, *_ = doc.split("\n\n")
    refused = doc.partition("StoreError\n")[2].split("\n\n")[0]
    lines = textwrap.wrap(f"@description {head} {more}", 97, break_on_hyphens=False)
    lines += ["@section Errors:", *textwrap.wrap(" ".join(refused.split()), 97)]
    return "\n".join(f"#' {line}" for line in lines) + "\n"


def _item(name: str, text: str) -> list[str]:
    """An item of a list, in lines."""
    said = " ".join(re.sub(r",? see :\w+:`[^`]+`", "", " ".join(text.split())).split())
    said = said.replace("NaN", "NA").replace("a mapping", "a list")
    said = in_r(re.sub(r"\{(\w+ = [^}]*)\}", r"list(\1)", said))
    return textwrap.wrap(
        rf"\item{{{name}}}{{{said}}}", 97, subsequent_indent="  ", break_on_hyphens=False
    )
