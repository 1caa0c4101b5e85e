"""What the signature is worth on new rows, and whether others would find the same."""

from collections.abc import Iterator

from hetsel.ground import shown
from hetsel.report.elements.blocks import Picture, PrintedTable, Shown
from hetsel.report.figures import held_out_figures, signature_figures
from hetsel.signature.performance import NestedPerformance, Performance
from hetsel.words import phrases, signature_sentences, target_words


def blocks(facts: target_words.Facts) -> Iterator[Shown]:
    """The performance with its intervals, and what held-out rows show."""
    one = facts.performance
    if one is None:
        return
    yield _rates(facts, one)
    yield f"{signature_sentences.estimate(facts)} {signature_sentences.weighing(facts)}".strip()
    yield _picture(facts)
    for what, draw in held_out_figures.HELD_OUT.items():
        if one.shown is not None and getattr(one.shown, what) is not None:
            yield Picture(f"figure-{what}", draw.caption, draw.spoken, draw.figure(one.shown))


def _rates(facts: target_words.Facts, one: NestedPerformance) -> PrintedTable:
    rows = measure_rows(facts, one)
    words = target_words.words_of(facts)
    note = f"Intervals: {words.intervals}"
    note += ", and those of a group together." if facts.groups is not None else "."
    if facts.sizes is not None:
        note += " What learning from all rows adds counts with its uncertainty."
    if facts.effective_rows is not None:
        of = " of each class" if facts.classes else ""
        note += (
            f" {words.weighted[0].upper()}{words.weighted[1:]}; intervals count Kish's effective "
            f"number of rows{of}, (sum of weights)² / sum of squared weights."
        )
    level = f"{100 * (one.main.level or 0):g} % interval"
    head = ["on new rows", "rate" if facts.classes else "value", level, "rows"]
    return PrintedTable("rates", "Performance, nested cross-validation.", head, rows, note=note)


def measure_rows(facts: target_words.AnsweredFacts, one: Performance) -> list[list[str]]:
    """A row for each measure of a performance: name, value, interval, rows."""
    two, rows = len(facts.classes) == 2, []
    for measure in one.measures:
        name, cells = measure.label, phrases.in_cells(measure)
        if measure.of_class is not None:
            name += f" of class {shown(measure.of_class)}"
            positive = str(facts.classes[-1]) == measure.of_class
            name += (" (sensitivity)" if positive else " (specificity)") if two else ""
        elif measure.key == "auc" and measure.rate is None:
            continue
        elif one.kind != "classes" and measure.rate is not None:
            value, *ends = signature_sentences.digits_of(measure)
            cells = [value, " to ".join(ends) or "–"]
        rows.append([name, *cells, f"{measure.rows:,}"])
    return rows


def _picture(facts: target_words.Facts) -> Picture:
    test, words = facts.chance, target_words.words_of(facts)
    what = "Rates" if facts.classes else "Measures"
    caption = f"{what} on new rows with their intervals; dashed: what guessing reaches."
    if test is not None:
        caption += (
            f" Right: the {words.tested} of held-out rows in {test.folds} folds, "
            f"at the size where it is largest, of these {words.permuted} and of permuted ones, "
            "which have as many folds as tell on which side they lie."
        )
    spoken = signature_sentences.performance(facts)
    return Picture("figure-performance", caption, spoken, signature_figures.plot_performance(facts))


def how_sure(facts: target_words.Facts) -> Iterator[Shown]:
    """How many features, and whether others would find the same."""
    stability, drawn = (
        signature_sentences.stability(facts),
        facts.sizes is not None or facts.frequency,
    )
    yield stability
    if drawn:
        yield _choice(facts)
    elif not stability:
        yield "Nothing was selected in halves of the rows, and the size was given."


def _choice(facts: target_words.Facts) -> Picture:
    caption = "How the size was chosen, and how often halves of the rows select a feature."
    if facts.sizes is not None:
        caption += (
            " Inner scores chose the size, so the best of them is too good: the performance "
            "is the nested one above."
        )
    if facts.stable is not None:
        caption += (
            " Dashed red: the share from which on at most one false feature is expected "
            f"({facts.stable.assumption} bound)."
        )
    return Picture(
        "figure-choice",
        caption,
        signature_sentences.stability(facts),
        signature_figures.plot_choice(facts),
    )
