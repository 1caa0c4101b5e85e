"""The page of a signature as one list of sections; every format of it walks over the list."""

from importlib import import_module

from hetsel.ground.text import counted, plain_number, shown
from hetsel.report.elements.document import Document, Facts, SignatureSection
from hetsel.report.figures.figure_style import house_style

ORDER = (  # files of `report/signature_sections`, each with a SECTION
    "what_was_found",
    "how_good",
    "probabilities",
    "how_sure",
    "what_features_do",
    "points_to_add_up",
    "rows_and_columns",
    "how_it_was_done",
    "full_model",
    "for_the_paper",
    "reporting_checklist",
)


def signature_document(facts: Facts, title: str | None = None) -> Document:
    """All that the page of a signature shows, in its order.

    Parameters
    ----------
    facts : mapping
        Those of a signature, see :func:`hetsel.signature.reported.reported_values.facts_of`; files
        of earlier versions have fewer.
    title : str, optional
    """
    with house_style():
        parts = [section.part(facts) for section in signature_sections()]
    return Document(
        title or _title(facts), _lead(facts), facts["version"], [part for part in parts if part]
    )


def signature_sections() -> list[SignatureSection]:
    """The sections in order."""
    folder = "hetsel.report.signature_sections"
    return [import_module(f"{folder}.{file}").SECTION for file in ORDER]


def _title(facts: Facts) -> str:
    """What was selected for what, as far as it is known."""
    table, target = facts.get("table"), facts.get("target")
    about = f" for {shown(target)}" if target else ""
    return f"A signature of {counted(facts['size'], 'feature')}{about}" + (
        f", {shown(table)}" if table else ""
    )


def _lead(facts: Facts) -> str:
    groups = facts["groups"]
    grouped = "" if groups is None else f" in {counted(groups, 'group')}"
    by = f" ({shown(facts['row_weights'])})" if facts.get("row_weights") else ""
    weighted = f" with weights{by}" if facts.get("effective_rows") is not None else ""
    return (
        f"{facts['rows']:,} rows{weighted}{grouped}, {counted(facts['columns'], 'feature')}; "
        f"{_told(facts)}. hetsel {facts['version']}."
    )


def _told(facts: Facts) -> str:
    """What the target holds."""
    one = facts.get("told")
    if one is None:
        each = zip(facts["classes"], facts["class_rows"], strict=True)
        return "classes " + ", ".join(f"{shown(str(label))}: {rows:,}" for label, rows in each)
    if facts["kind"] == "survival":
        events = counted(one["events"], "event")
        return (
            f"{events}, followed until {plain_number(one['longest'])}, the median row until "
            f"{plain_number(one['median_time'])}"
        )
    names = ("least", "largest", "mean", "deviation")
    least, largest, mean, deviation = (plain_number(one[name]) for name in names)
    return f"numbers from {least} to {largest}, mean {mean}, standard deviation {deviation}"
