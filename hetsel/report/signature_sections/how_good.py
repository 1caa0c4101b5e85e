"""The performance on new rows, the size, and the stability of the selection."""

from collections.abc import Iterator

from hetsel.ground import listed
from hetsel.report.elements.blocks import Picture, PrintedTable, Shown
from hetsel.report.figures import held_out_figures, signature_figures
from hetsel.signature import signature_facts
from hetsel.signature.performance import NestedPerformance, Performance
from hetsel.words import phrases, signature_sentences, target_words

NAMED = 12  # features of a caption


def blocks(facts: target_words.Facts) -> Iterator[Shown]:
    """Yield the performance with its intervals, and the figures of held-out rows."""
    one = facts.performance
    if one is None:
        return
    yield f"{signature_sentences.estimate(facts)} {signature_sentences.weighing(facts)}".strip()
    yield _rates(facts, one)
    if facts.permutation_test is not None:
        yield _picture(facts, facts.permutation_test)
    for what, draw in held_out_figures.HELD_OUT.items():
        if one.shown is not None and getattr(one.shown, what) is not None:
            yield Picture(f"figure-{what}", draw.caption, draw.spoken, draw.figure(one.shown))


def _rates(facts: target_words.Facts, one: NestedPerformance) -> PrintedTable:
    rows = measure_rows(facts, one)
    words = target_words.words_of(facts)
    note = f"Method of the CIs: {words.intervals}."
    if facts.groups is not None:
        note += " The rows of a group count as a whole."
    if facts.sizes is not None:
        note += " The CIs also include the uncertainty of the training gain."
    if facts.effective_sample_size is not None:
        of = " of each class" if facts.classes else ""
        note += (
            f" {words.weighted[0].upper()}{words.weighted[1:]}. The CIs use the effective sample "
            f"size (Kish){of}: (sum of weights)² / sum of squared weights."
        )
    level = f"{100 * (one.main.level or 0):g}% CI"
    head = ["measure", "value", level, "rows"]
    caption = "Estimates by nested cross-validation."
    return PrintedTable("rates", caption, head, rows, note=note)


def measure_rows(facts: target_words.AnsweredFacts, one: Performance) -> list[list[str]]:
    """List a row for each measure: name, value, interval, rows."""
    rows = []
    for measure in one.measures:
        name, cells = target_words.measure_name(facts, measure), phrases.in_cells(measure)
        if measure.key == "auc" and measure.estimate is None:
            continue
        if one.kind != "classes" and measure.estimate is not None:
            value, *ends = signature_sentences.digits_of(measure)
            cells = [value, " to ".join(ends) or "–"]
        rows.append([name, *cells, f"{measure.rows:,}"])
    return rows


def drawn_measures(facts: target_words.Facts) -> Picture | None:
    """Return the picture of the measures with their intervals; errors stand in the caption."""
    one = facts.performance
    if one is None or (figure := signature_figures.plot_measures(facts)) is None:
        return None
    level = f"{100 * (one.main.level or 0):g}%"
    caption = f"Performance on new rows with {level} CIs. The dotted line is the chance level."
    others = [
        f"{target_words.measure_name(facts, measure)} {signature_sentences.measured(measure)}"
        for measure in one.measures
        if measure.estimate is not None and not signature_figures.is_drawn(measure)
    ]
    if others:
        caption += f" {', '.join(others)}."
    return Picture("figure-rates", caption, signature_sentences.performance(facts), figure)


def _picture(facts: target_words.Facts, test: signature_facts.PermutationTest) -> Picture:
    words = target_words.words_of(facts)
    caption = (
        f"Permutation test. For each permutation of the {words.permuted}, {test.folds}-fold "
        f"cross-validation computes the {words.tested} for every number of features. Bars: the "
        f"largest {words.tested} of each permutation. Line: the largest {words.tested} with the "
        f"original {words.permuted}. Estimates for new rows are in the table above, not in this "
        "figure."
    )
    spoken = "Histogram of the permutation test"
    figure = signature_figures.plot_permutations(facts)
    return Picture("figure-performance", caption, spoken, figure)


def how_sure(facts: target_words.Facts) -> Iterator[Shown]:
    """Yield the choice of the size and the stability of the selection."""
    stability, drawn = (
        signature_sentences.stability(facts),
        facts.sizes is not None or facts.frequency,
    )
    yield stability
    if drawn:
        yield _choice(facts)
    elif not stability:
        yield "The size was specified. No selections in half-samples were computed."


def _choice(facts: target_words.Facts) -> Picture:
    both = facts.sizes is not None and bool(facts.frequency)
    left, right = ("Left: ", "Right: selection") if both else ("", "Selection")
    parts = []
    if facts.sizes is not None:
        parts.append(
            f"{left}{target_words.inner_score(facts)} by number of features, in the "
            "cross-validation that chose the number (dashed line). These values are optimistic; "
            "“Performance on new rows” has the estimates."
        )
    if facts.frequency:
        parts.append(
            f"{right} frequency in half-samples (blue: signature); features that were never "
            "selected are not shown."
        )
    if facts.stable is not None:
        out = facts.stable.doubtful
        own = f"; it does not apply to {listed(out, NAMED)} (see above)" if out else ""
        parts.append(f"Orange dashed line: threshold of stable features{own}.")
    spoken = "Performance by size and selection frequencies of the features"
    picture = signature_figures.plot_choice(facts)
    return Picture("figure-choice", " ".join(parts), spoken, picture)
