"""Which rows and columns there were: participant flow, missing cells, candidates, left out."""

from collections.abc import Iterator

from hetsel.ground.text import listed, shown
from hetsel.report.elements.document import Block, Facts, Items, PrintedTable, SignatureSection
from hetsel.report.paper.said_of_methods import missing_told

PRINTED = 40  # columns of a table, those of the signature first
NAMED = 12  # columns of a sentence


def _blocks(facts: Facts) -> Iterator[Block | None]:
    yield _flow(facts)
    known = facts.get("candidates")
    if known is None:
        yield "The file of the signature is of an earlier version, which kept no candidates."
        return
    told = missing_told(facts)
    yield f"{told[0].upper()}{told[1:]}."
    yield _missing(facts)
    yield _candidates(facts)
    yield Items(_left_out(facts)) if _left_out(facts) else None


def _flow(facts: Facts) -> PrintedTable:
    """From the rows that were read to those that were analyzed, and what these are."""
    flow = facts.get("flow") or {}
    lines = [
        ("read", flow.get("read")),
        ("left out: no target", flow.get("unlabeled")),
        ("left out: weight 0", flow.get("weightless")),
    ]
    rows = [[what, f"{count:,}"] for what, count in lines if count]
    rows.append(["analyzed", f"{facts['rows']:,}"])
    for label, count in zip(facts["classes"], facts["class_rows"], strict=True):
        rows.append([f"of class {shown(str(label))}", f"{count:,}"])
    if facts.get("kind") == "survival":
        events = facts["told"]["events"]
        rows += [["with the event", f"{events:,}"], ["censored", f"{facts['rows'] - events:,}"]]
    if facts["groups"] is not None:
        rows.append(["groups of rows that belong together", f"{facts['groups']:,}"])
    if facts.get("copies"):
        rows.append(["equal or nearly equal to other rows", f"{facts['copies']['rows']:,}"])
    note = (
        "Rows that never were in the table (not eligible, not asked, lost) are not known here: add "
        "them."
    )
    return PrintedTable("flow", "Rows, from reading to analysis.", ["rows", "number"], rows, note)


def _first(facts: Facts, columns: list[int]) -> tuple[list[int], str]:
    """The columns that are printed, those of the signature first, and a note on the others."""
    names = facts["candidates"]["names"]
    chosen = {one["feature"] for one in facts["features"]}
    ordered = sorted(columns, key=lambda j: names[j] not in chosen)  # else in their order
    more = len(columns) - PRINTED
    note = f"{more:,} more columns are in the file of the signature." if more > 0 else ""
    return ordered[:PRINTED], note


def _mark(facts: Facts, name: str) -> str:
    return "yes" if name in {one["feature"] for one in facts["features"]} else "–"


def _missing(facts: Facts) -> PrintedTable | None:
    """Columns with missing cells, those with most first."""
    known, rows = facts["candidates"], facts["rows"]
    counts = known["missing"]
    columns = sorted((j for j, count in enumerate(counts) if count), key=lambda j: -counts[j])
    if not columns:
        return None
    first, note = _first(facts, columns)
    lines = [
        [
            shown(known["names"][j]),
            f"{counts[j]:,}",
            f"{100 * counts[j] / rows:.1f} %",
            _mark(facts, known["names"][j]),
        ]
        for j in first
    ]
    head = ["column", "missing cells", "share", "in the signature"]
    return PrintedTable("missing", "Missing cells by column.", head, lines, note=note)


def _candidates(facts: Facts) -> PrintedTable:
    """All candidate features."""
    known = facts["candidates"]
    first, note = _first(facts, list(range(len(known["names"]))))
    lines = [
        [
            shown(known["names"][j]),
            known["kinds"][j],
            known["values"][j],
            _mark(facts, known["names"][j]),
        ]
        for j in first
    ]
    head = ["candidate", "kind", "range or levels", "in the signature"]
    caption = f"Candidate features, {len(known['names']):,}."
    return PrintedTable("candidates", caption, head, lines, note=note, of_words=True)


def _left_out(facts: Facts) -> list[str]:
    """Columns that were no candidates, or none that could be selected, and why."""
    told = [
        f"No candidate, {one['why']}: {listed(one['columns'], NAMED)}."
        for one in facts.get("left_out", ())
    ]
    if constant := facts["candidates"]["constant"]:
        told.append(f"Of one value, and so ranked last: {listed(constant, NAMED)}.")
    doubtful = [one for one in facts.get("cautions", ()) if one["what"] == "identifier"]
    return told + [
        f"Kept, though by its cells an identifier: {listed(one['columns'], NAMED)}."
        for one in doubtful
    ]


SECTION = SignatureSection(
    key="rows", title="Rows and columns", short="Rows and columns", blocks=_blocks
)
