"""One signature as a page that a reader of papers understands: words first, then figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from hetsel import __version__
from hetsel.ground.text import counted, listed, plain_number, shown
from hetsel.ground.writing import write_files
from hetsel.report.elements.points_tables import points_sentence, points_tables
from hetsel.report.elements.section import Picture, PrintedTable
from hetsel.report.figures.figure_style import house_style
from hetsel.report.figures.held_out_figures import HELD_OUT
from hetsel.report.figures.signature_figures import plot_choice, plot_performance, plot_pieces
from hetsel.report.pages.study_page import check_page_path, rendered, shown_figure
from hetsel.signature import sentences
from hetsel.signature.sentences import ABOVE, FEW, NOT_SHOWN
from hetsel.signature.wording_by_target import main_of, relative_risks, words_of

PRINTED = 60  # lines of the table of effects
NAMED = 4  # alternatives of a feature
BANDS = 5  # of a feature of numbers, about


def write_signature_report(facts: Any, path: str | Path, *, title: str | None = None) -> Path:
    """Write the page of a signature as one HTML file; all it shows is inside.

    Parameters
    ----------
    facts : Signature, SavedSignature or mapping
        A fitted signature, one from its file, or the facts of one.
    path : str or Path
    title : str, optional

    Raises
    ------
    TableError
        The path cannot be a file.
    """
    check_page_path(path)
    if not isinstance(facts, Mapping):
        facts = facts.facts() if callable(facts.facts) else facts.facts
    return write_files({path: signature_page(facts, title=title)})[0]


def signature_page(facts: Mapping[str, Any], *, title: str | None = None) -> str:
    """The page as text; the same facts give the same page."""
    with house_style():
        return rendered("signature.html", _content(facts, title))


def _content(given: Mapping[str, Any], title: str | None) -> dict[str, Any]:
    facts = relative_risks(given)
    moods = {ABOVE: "good", NOT_SHOWN: "bad", FEW: "bad"}
    return {
        "facts": facts,
        "title": title or _title(facts),
        "lead": _lead(facts),
        "mood": moods.get(facts["verdict"], ""),
        "copies": sentences.copies(facts),
        "verdict": sentences.verdict(facts),
        "features": sentences.features(facts),
        "performance": sentences.performance(facts),
        "estimate": f"{sentences.estimate(facts)} {sentences.weighing(facts)}".strip(),
        "stability": sentences.stability(facts),
        "warning": _warning(facts),
        "cautions": _cautions(facts),
        "joint": sentences.joint(facts),
        "without_effect": sentences.without_effect(facts),
        "table": _features(facts),
        "rates": _rates(facts),
        "effects": _effects(facts),
        "points": points_tables(facts),
        "rounding": points_sentence(facts),
        "figures": _figures(facts),
        "how": _how(facts),
        "settings": _settings(facts),
    }


def _title(facts: Mapping[str, Any]) -> str:
    """What was selected for what, as far as it is known."""
    table, target = facts.get("table"), facts.get("target")
    about = f" for {shown(target)}" if target else ""
    return f"A signature of {counted(facts['size'], 'feature')}{about}" + (
        f", {shown(table)}" if table else ""
    )


def _lead(facts: Mapping[str, Any]) -> str:
    groups = facts["groups"]
    grouped = "" if groups is None else f" in {counted(groups, 'group')}"
    by = f" ({shown(facts['row_weights'])})" if facts.get("row_weights") else ""
    weighted = f" with weights{by}" if facts.get("effective_rows") is not None else ""
    return (
        f"{facts['rows']:,} rows{weighted}{grouped}, {counted(facts['columns'], 'feature')}; "
        f"{_told(facts)}. hetsel {facts['version']}."
    )


def _told(facts: Mapping[str, Any]) -> str:
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


def _cautions(facts: Mapping[str, Any]) -> list[str]:
    """What was said of columns before the selection: identifiers, outcomes, and what tells all."""
    return [
        f"{listed(one['columns'])}: {one['note']}"
        for one in facts.get("cautions", ())
        if one["what"] in ("identifier", "outcome", "leak")
    ]


def _warning(facts: Mapping[str, Any]) -> str:
    """What a reader must not overlook."""
    if facts["verdict"] == NOT_SHOWN:
        return "Features and effects below may be chance alone: these rows do not settle it."
    one = facts["performance"]
    if one is not None and main_of(one)["high"] - main_of(one)["low"] > words_of(facts).wide:
        return "The interval is wide: so few rows do not tell how good the signature is."
    return ""


def _features(facts: Mapping[str, Any]) -> PrintedTable:
    halves = facts["stability"] or {}
    rows = [
        [
            shown(one["feature"]),
            one["kind"],
            "–" if one["frequency"] is None else f"{100 * one['frequency']:.0f} %",
            listed(map(shown, one["alternatives"]), NAMED) if one["alternatives"] else "–",
        ]
        for one in facts["features"]
    ]
    head = ["feature", "kind", "selected in halves", "as good in its place"]
    note = ""
    if halves:
        note = (
            f"Selected in halves: of {halves['halves']} random halves of the rows, the share in "
            "which the feature is selected once more. As good in its place: with it the model "
            "predicts held-out rows as well, within one standard error."
        )
    return PrintedTable("features", "The signature, best first.", head, rows, note=note)


def _rates(facts: Mapping[str, Any]) -> PrintedTable:
    one = facts["performance"]
    if one is None:
        return PrintedTable("rates", "", [], [])
    rows = _measures(facts, one) if "measures" in one else _class_rates(facts, one)
    words = words_of(facts)
    note = f"Intervals: {words.intervals}"
    note += ", and those of a group together." if facts["groups"] is not None else "."
    if facts["sizes"] is not None:
        note += " What learning from all rows adds counts with its uncertainty."
    if facts.get("effective_rows") is not None:
        of = " of each class" if facts["classes"] else ""
        note += (
            f" {words.weighted[0].upper()}{words.weighted[1:]}; intervals count Kish's effective "
            f"number of rows{of}, (sum of weights)² / sum of squared weights."
        )
    level = f"{100 * main_of(one)['level']:g} % interval"
    head = ["on new rows", "rate" if facts["classes"] else "value", level, "rows"]
    return PrintedTable("rates", "Performance, nested cross-validation.", head, rows, note=note)


def _class_rates(facts: Mapping[str, Any], one: Mapping[str, Any]) -> list[list[str]]:
    positive = facts["positive"]
    rows = [["balanced classification rate", *_cells(one["bcr"]), f"{facts['rows']:,}"]]
    for recall in one["recalls"]:
        name = f"right of class {shown(recall['class'])}"
        if positive is not None:
            own = str(positive) == recall["class"]
            name += " (sensitivity)" if own else " (specificity)"
        rows.append([name, *_cells(recall), f"{recall['rows']:,}"])
    if one["auc"] is not None:
        rows.append(["area under the ROC curve", f"{one['auc']:.3f}", "–", f"{facts['rows']:,}"])
    return rows


def _measures(facts: Mapping[str, Any], one: Mapping[str, Any]) -> list[list[str]]:
    """Of a target without classes: a value, and its interval as `low to high`."""
    rows = []
    for measure in one["measures"]:
        value, _, ends = sentences.measured(measure).partition(" ")
        between = ends.strip("[]").replace(", ", " to ") or "–"
        rows.append([measure["label"], value, between, f"{facts['rows']:,}"])
    return rows


def _cells(rate: Mapping[str, float]) -> list[str]:
    return [f"{rate['rate']:.3f}", f"{rate['low']:.3f} to {rate['high']:.3f}"]


def _effects(facts: Mapping[str, Any]) -> PrintedTable:
    """The effects by level, or by bands of values, with the rows behind each."""
    rows = []
    several, classes = len(facts["classes"]) > 2, facts["classes"]
    for one in _bands(facts):
        level = one["low"] == one["high"]
        where = _ends(one["low"], one["high"])
        ends = [one["effect_low"], *([] if level else [one["effect_high"]])]
        effect = " to ".join(dict.fromkeys(_effect(end, bool(classes)) for end in ends))
        counts = [f"{one[f'rows {label}']:,}" for label in facts["classes"]]
        name = shown(one["feature"]) + (f" (class {shown(one['class'])})" if several else "")
        rows.append([name, where, effect, f"{one['rows']:,}", *counts])
    more = len(rows) - PRINTED
    labels = [f"of {shown(str(label))}" for label in facts["classes"]]
    head = ["feature", "value", "effect", "rows", *labels]
    toward = shown(str(classes[-1])) if classes else ""
    note = "" if several else words_of(facts).effect_sign.replace("{class}", toward)
    note += "Of a band of values the effect is that at its two ends, and the figure has its course."
    note += f" {more} further lines are in the file of the signature." if more > 0 else ""
    caption = "Effects by levels and bands of values, and the rows behind each."
    return PrintedTable("effects", caption, head, rows[:PRINTED], note=note)


def _ends(low: Any, high: Any) -> str:
    """A level, or the values that a band begins and ends with."""
    if low != high:
        return f"{plain_number(low)} to {plain_number(high)}"
    return plain_number(low, 6) if isinstance(low, float) else shown(str(low))


def _effect(effect: float, logarithm: bool) -> str:
    """What a value adds to a decision value, or to a number, or to a risk."""
    return f"{effect:+.2f}" if logarithm else plain_number(effect, 3, signed=True)


def _bands(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The pieces of the effects; of a feature of numbers neighbors are joined to about five."""
    fewest = facts["rows"] / BANDS
    kinds = {one["feature"]: one["kind"] for one in facts["features"]}
    counted_by = ["rows", *(f"rows {label}" for label in facts["classes"])]
    bands: list[dict[str, Any]] = []
    for piece in facts["effects"]:
        last = bands[-1] if bands else None
        joins = (
            last is not None
            and kinds[piece["feature"]] != "nominal"
            and piece["low"] != "missing"
            and all(last[key] == piece[key] for key in ("feature", "class"))
            and last["high"] == piece["low"]
            and last["rows"] < fewest
        )
        if joins and last is not None:
            last |= {key: piece[key] for key in ("high", "effect_high")}
            last |= {key: last[key] + piece[key] for key in counted_by}
        else:
            bands.append(dict(piece))
    return bands


def _figures(facts: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The figures by section, numbered."""
    pictures: dict[str, Picture] = {}

    def add(section: str, figure: Figure, caption: str, spoken: str) -> None:
        pictures[section] = Picture(f"figure-{section}", caption, spoken, figure)

    one, test, words = facts["performance"], facts["chance"], words_of(facts)
    if one is not None:
        what = "Rates" if facts["classes"] else "Measures"
        caption = f"{what} on new rows with their intervals; dashed: what guessing reaches."
        if test is not None:
            caption += (
                f" Right: the {words.tested} of held-out rows in {test['folds']} folds, "
                f"at the size where it is largest, of these {words.permuted} and of permuted ones."
            )
        add("performance", plot_performance(facts), caption, sentences.performance(facts))
        for what, draw in HELD_OUT.items():
            if what in one.get("shown", ()):
                add(what, draw.figure(facts), draw.caption, draw.spoken)
    if facts["sizes"] is not None or facts["frequency"]:
        caption = "How the size was chosen, and how often halves of the rows select a feature."
        if facts["sizes"] is not None:
            caption += (
                " Inner scores chose the size, so the best of them is too good: the performance "
                "is the nested one above."
            )
        if facts["stable"] is not None:
            caption += (
                " Dashed red: the share from which on at most one false feature is expected, if "
                f"the shares of noise are {facts['stable']['assumption']}."
            )
        add("choice", plot_choice(facts), caption, sentences.stability(facts))
    names = ", ".join(shown(name["feature"]) for name in facts["features"])
    caption = (
        f"Effect of each feature on {words.effect} exact; they add up. "
        "Gray: the rows behind each piece, numbers at the levels. Little gray, little knowledge."
    )
    if len(facts["features"]) > 12:
        caption += " The first 12 are drawn."
    add("effects", plot_pieces(facts), caption, f"Effect curves: {names}")
    return {
        section: shown_figure(picture, number, picture.key)
        for number, (section, picture) in enumerate(pictures.items(), 1)
    }


def _how(facts: Mapping[str, Any]) -> list[str]:
    """The methods section of a paper, more or less."""
    rule = facts["rule"]
    size = f"the size by {sentences.RULES[rule]}" if rule else f"{facts['size']} features, as given"
    said = [
        f"Features were selected by {facts['method']} on all rows, {size}; the final model is a "
        f"{facts['model']}. A categorical column is one feature."
    ]
    one, test, words = facts["performance"], facts["chance"], words_of(facts)
    if one is not None:
        held = "Rows of one group were held out together. " if facts["groups"] is not None else ""
        said.append(
            f"Performance: {counted(one['runs'], 'nested cross-validation')} of {one['folds']} "
            "folds; without the rows of a fold everything was done anew: what fills missing cells, "
            "selection, choice of the size by the other folds, and model. "
            f"{held}What models of all rows gain over those of the folds "
            f"({one['learning']:+.3f}) is estimated by models that leave out two folds."
        )
    if facts.get("effective_rows") is not None:
        said.append(
            "Rows have weights: in selection and model the weight of a row multiplies its C, "
            f"{words.weighted}, and a weight stays with its row when {words.permuted} are permuted "
            "(Kish 1965 for the effective number of rows). Folds and halves are drawn from the "
            "rows as they are."
        )
    if test is not None:
        said.append(
            f"Test against chance: {len(test['permuted'])} permutations of the "
            f"{words.permuted}, each with "
            f"selection and model anew in {test['folds']} folds, by the {words.tested} "
            f"of held-out rows at the size where it is largest, the mean of {test['draws']} draws "
            "of folds; folds and permutations are drawn by the content of the table, so that no "
            f"seed changes p (standard error {test['error']:.2g}; (1 + as large) / (1 + all), "
            "Phipson and Smyth 2010; drawing may end early, Besag and Clifford 1991)."
        )
    if facts["stability"] is not None:
        said.append(
            "Stability: Nogueira's measure over complementary pairs of halves of the rows; the "
            "bound on false selections is that of Shah and Samworth (2013)."
        )
    if not facts["classes"]:
        said.append(
            "Pairs of features that tell more together than one by one are looked for only where "
            "the target holds classes: a joint effect has no place on this page."
        )
    return said


def _settings(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    given = facts["parameters"]
    meant = {name: f" ({words})" for name, words in facts.get("stands_for", {}).items()}
    told = [f"{name} = {value}{meant.get(name, '')}" for name, value in given.items()]
    parameters = ", ".join(told) or "none"
    rarest = f"{int(pd.Series(facts['class_rows']).min()):,}" if facts["classes"] else ""
    settings = [
        ("method", f"{facts['method']} ({parameters})"),
        ("final model", facts["model"]),
        ("missing cells", facts["missing"]),
        ("scale of numbers", facts["scale"]),
        ("rows of the rarest class", rarest),
        ("seed", str(facts["seed"])),
        ("hetsel", f"{facts['version']}; this page {__version__}"),
    ]
    return [(name, value) for name, value in settings if value]
