"""Rows and columns: participant flow, missing values, candidates, and what was excluded."""

from collections.abc import Iterator

from hetsel.ground import listed, shown
from hetsel.report.elements.blocks import Items, PrintedTable, Shown
from hetsel.words import methods_section, phrases, target_words

PRINTED = 40  # columns of a table, those of the signature first
NAMED = 12  # columns of a sentence
REASONS = {  # terms for why a column is no candidate
    "says which rows belong together": "row groups",
    "holds the weights of the rows": "row weights",
}


def blocks(facts: target_words.Facts) -> Iterator[Shown]:
    """Yield the flow of rows, missing values, candidates and excluded columns."""
    yield _flow(facts)
    yield f"{methods_section.missing_values(facts)}."
    yield _missing(facts)
    yield _candidates(facts)
    if left_out := _left_out(facts):
        yield Items(left_out)


def _flow(facts: target_words.Facts) -> PrintedTable:
    """Tabulate the rows from reading to analysis."""
    flow = facts.flow
    lines = [
        ("read", flow.read),
        ("excluded: no target value", flow.unlabeled),
        ("excluded: weight 0", flow.zero_weight),
    ]
    rows = [[what, f"{count:,}"] for what, count in lines if count]
    rows.append(["analyzed", f"{facts.rows:,}"])
    rows += [[f"of class {label}", f"{count:,}"] for label, count in target_words.classes_of(facts)]
    if facts.kind == "survival":
        events = facts.target_facts["events"]
        rows += [["with an event", f"{events:,}"], ["censored", f"{facts.rows - events:,}"]]
    if facts.groups is not None:
        rows.append(["row groups", f"{facts.groups:,}"])
    if facts.duplicate_rows:
        rows.append(["duplicate rows", f"{facts.duplicate_rows.rows:,}"])
    note = (
        "In your paper, also report the participants who never entered the table (not eligible, "
        "not invited, lost). hetsel does not know them."
    )
    return PrintedTable("flow", "Rows, from reading to analysis.", ["rows", "number"], rows, note)


def _first(facts: target_words.Facts, columns: list[int]) -> tuple[list[int], str]:
    """Choose the columns to print, those of the signature first, and a note on the others."""
    names = facts.candidates.names
    chosen = {one.feature for one in facts.features}
    ordered = sorted(columns, key=lambda j: names[j] not in chosen)  # else in their order
    more = len(columns) - PRINTED
    note = f"{phrases.count(more, 'more column')} in the file of the signature." if more > 0 else ""
    return ordered[:PRINTED], note


def _mark(facts: target_words.Facts, name: str) -> str:
    return "yes" if name in {one.feature for one in facts.features} else "–"


def _missing(facts: target_words.Facts) -> PrintedTable | None:
    """Tabulate the columns with missing values, most first."""
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
            f"{100 * counts[j] / rows:.1f}%",
            _mark(facts, known.names[j]),
        ]
        for j in first
    ]
    head = ["column", "missing values", "proportion", "in the signature"]
    return PrintedTable("missing", "Missing values by column.", head, lines, note=note)


def _candidates(facts: target_words.Facts) -> PrintedTable:
    """Tabulate all candidate features."""
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
    caption = f"Candidate features ({len(known.names):,})."
    return PrintedTable("candidates", caption, head, lines, note=note, of_words=True)


def _left_out(facts: target_words.Facts) -> list[str]:
    """List the columns that were not candidates or could not be selected, and why."""
    excluded = [
        f"Not a candidate ({REASONS.get(one.why, one.why)}): {listed(one.columns, NAMED)}."
        for one in facts.left_out or ()
    ]
    if constant := facts.candidates.constant:
        excluded.append(f"Constant, therefore ranked last: {listed(constant, NAMED)}.")
    doubtful = [one for one in facts.cautions or () if one.what == "identifier"]
    return excluded + [
        f"Kept, although the values look like an identifier: {listed(one.columns, NAMED)}."
        for one in doubtful
    ]
