"""Which rows and columns there were: participant flow, missing cells, candidates, left out."""

from collections.abc import Iterator

from hetsel.ground import listed, shown
from hetsel.report.elements.blocks import Items, PrintedTable, Shown
from hetsel.words import methods_section, target_words

PRINTED = 40  # columns of a table, those of the signature first
NAMED = 12  # columns of a sentence


def blocks(facts: target_words.Facts) -> Iterator[Shown]:
    """Rows from reading to analysis, missing cells, candidates and what was left out."""
    yield _flow(facts)
    yield f"{methods_section.missing_told(facts)}."
    yield _missing(facts)
    yield _candidates(facts)
    if left_out := _left_out(facts):
        yield Items(left_out)


def _flow(facts: target_words.Facts) -> PrintedTable:
    """From the rows that were read to those that were analyzed, and what these are."""
    flow = facts.flow
    lines = [
        ("read", flow.read),
        ("left out: no target", flow.unlabeled),
        ("left out: weight 0", flow.weightless),
    ]
    rows = [[what, f"{count:,}"] for what, count in lines if count]
    rows.append(["analyzed", f"{facts.rows:,}"])
    rows += [[f"of class {label}", f"{count:,}"] for label, count in target_words.classes_of(facts)]
    if facts.kind == "survival":
        events = facts.told["events"]
        rows += [["with the event", f"{events:,}"], ["censored", f"{facts.rows - events:,}"]]
    if facts.groups is not None:
        rows.append(["groups of rows that belong together", f"{facts.groups:,}"])
    if facts.copies:
        rows.append(["equal or nearly equal to other rows", f"{facts.copies.rows:,}"])
    note = (
        "Rows that never were in the table (not eligible, not asked, lost) are not known here: add "
        "them."
    )
    return PrintedTable("flow", "Rows, from reading to analysis.", ["rows", "number"], rows, note)


def _first(facts: target_words.Facts, columns: list[int]) -> tuple[list[int], str]:
    """The columns that are printed, those of the signature first, and a note on the others."""
    names = facts.candidates.names
    chosen = {one.feature for one in facts.features}
    ordered = sorted(columns, key=lambda j: names[j] not in chosen)  # else in their order
    more = len(columns) - PRINTED
    note = f"{more:,} more columns are in the file of the signature." if more > 0 else ""
    return ordered[:PRINTED], note


def _mark(facts: target_words.Facts, name: str) -> str:
    return "yes" if name in {one.feature for one in facts.features} else "–"


def _missing(facts: target_words.Facts) -> PrintedTable | None:
    """Columns with missing cells, those with most first."""
    known, rows = facts.candidates, facts.rows
    counts = known.missing
    columns = sorted((j for j, count in enumerate(counts) if count), key=lambda j: -counts[j])
    if not columns:
        return None
    first, note = _first(facts, columns)
    lines = [
        [
            shown(known.names[j]),
            f"{counts[j]:,}",
            f"{100 * counts[j] / rows:.1f} %",
            _mark(facts, known.names[j]),
        ]
        for j in first
    ]
    head = ["column", "missing cells", "share", "in the signature"]
    return PrintedTable("missing", "Missing cells by column.", head, lines, note=note)


def _candidates(facts: target_words.Facts) -> PrintedTable:
    """All candidate features."""
    known = facts.candidates
    first, note = _first(facts, list(range(len(known.names))))
    lines = [
        [
            shown(known.names[j]),
            known.kinds[j],
            known.values[j],
            _mark(facts, known.names[j]),
        ]
        for j in first
    ]
    head = ["candidate", "kind", "range or levels", "in the signature"]
    caption = f"Candidate features, {len(known.names):,}."
    return PrintedTable("candidates", caption, head, lines, note=note, of_words=True)


def _left_out(facts: target_words.Facts) -> list[str]:
    """Columns that were no candidates, or none that could be selected, and why."""
    told = [
        f"No candidate, {one.why}: {listed(one.columns, NAMED)}." for one in facts.left_out or ()
    ]
    if constant := facts.candidates.constant:
        told.append(f"Of one value, and so ranked last: {listed(constant, NAMED)}.")
    doubtful = [one for one in facts.cautions or () if one.what == "identifier"]
    return told + [
        f"Kept, though by its cells an identifier: {listed(one.columns, NAMED)}."
        for one in doubtful
    ]
