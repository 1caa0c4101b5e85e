"""Every number of the page of a study, in a table or a figure, is in a file of its export."""

import importlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import chain

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from study.studies import KINDS, run
from study.test_several_kinds_of_targets import study as study_of_kinds

from hetsel import Study, compare_methods, export_tables, write_study_report
from hetsel.ground import plain_number
from hetsel.report.elements.blocks import Picture, Section, placed
from hetsel.report.figures.figure_style import house_style
from hetsel.report.pages import section_list
from hetsel.report.pages.study_page import study_document
from hetsel.study.comparison.study_summary import Summary

pytestmark = pytest.mark.slow

OWN = {"rule": "own size", "analysis": "own size"}
AT_LEVEL = {"level": "0.05"}
# where the numbers of a table of the page are: by the beginning of its id, files and their rows
TABLES = {
    "data": (["data_sets", "classes"], {}),
    "ranks": (["ranks", "tests"], AT_LEVEL),
    "pairs-": (["pairs"], {}),
    "own-size": (["crossfitted", "features_kept"], OWN),
    "probable-pairs": (["bayesian_pairs"], {}),
    "probable-by-data": (["bayesian_pairs"], OWN),
    "baseline-": (["baselines"], {}),
    "printed-ranks": (["paul2015_ranks", "paul2015_tests"], AT_LEVEL),
    "printed-pairs-": (["paul2015_pairs"], {}),
    "performance": (["paul2015_performance"], {}),
    "against": (["paul2015_t_tests"], {}),
    "other-scores": (["paul2015_scores"], {}),
    "classifiers": (["paul2015_judges"], {}),
    "stability": (["paul2015_stability"], {}),
    "proofs": (["proofs"], {}),
    "seconds": (["seconds", "seconds_ranks"], {}),
    "seconds-pairs": (["seconds_pairs"], {}),
    "methods": (["methods"], {}),
    "warnings": (["warnings"], {}),
    "treatments": (["treatments"], {}),
    "judges": (["judges"], {}),
    "no-selection": (["no_selection"], {}),
    "differences-": (["effects"], {}),
    "standardized-": (["effects"], {}),
}
# and those of a figure
FIGURES = {
    "performance-by-size": ["mean_curves", "curves"],  # panels of up to 6 data sets
    "stability-against-performance": ["methods_over_data_sets"],
    "mean-ranks": ["ranks", "tests"],
    "time": ["seconds_over_data_sets"],
    "diagram-printed": ["paul2015_ranks", "paul2015_tests"],
    "diagram": ["ranks", "tests"],
    "curves": ["curves"],
    "selection": ["selection_frequencies"],
    "effects": ["effect_curves"],
    "forest": ["differences", "effects"],
    "profiles": ["profiles"],
}
# columns without which a number of the page has no place
NEEDED = [
    ("ranks", "mean_rank"),
    ("tests", "critical_difference"),
    ("paul2015_tests", "pvalue"),
    ("pairs", "nemenyi"),
    ("crossfitted", "bcr_half_naive"),
    ("features_kept", "kept"),
    ("bayesian_pairs", "equivalent"),
    ("baselines", "baseline"),
    ("paul2015_tests", "f_pvalue"),
    ("paul2015_t_tests", "pvalue_corrected"),
    ("paul2015_stability", "low"),
    ("paul2015_stability", "cw_rel"),
    ("paul2015_judges", "bcr"),
    ("paul2015_scores", "naive"),
    ("selection_frequencies", "frequency"),
    ("effect_curves", "effect"),
    ("effects", "low"),
    ("judges", "mean_rank"),
    ("profiles", "share"),
    ("curves", "low"),
    ("methods_over_data_sets", "stability"),
    ("mean_curves", "corrected"),
    ("seconds", "rank_seconds"),
    ("seconds", "rank_elapsed"),
    ("seconds_ranks", "mean_rank"),
    ("seconds_over_data_sets", "median"),
    ("seconds_pairs", "nemenyi"),
    ("proofs", "proved"),
    ("treatments", "difference"),
    ("treatments", "high"),
]
MEASURES = ("BCR", "KI", "R²", "concordance", "first score")
POWER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMBER = re.compile(
    r"(\d\.\d) × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?<![\w.])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w])"
)


class Tables(HTMLParser):
    """The tables of a page by their id: the caption, and rows of cells."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.text = {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.rows = []
            key = dict(attrs)["id"].removeprefix("table-")
            self.tables[key] = self.rows
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th", "caption"):
            self.text = ""

    def handle_data(self, data):
        if self.text is not None:
            self.text += data

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(re.sub(r"[\s\u00a0]+", " ", self.text).strip())
        elif tag == "caption":
            self.rows.append([self.text])
        if tag in ("td", "th", "caption"):
            self.text = None


def shown_and_exported(results, folder):
    """The tables of the page by their id, the figures, and the exported files by their name."""
    page = Tables(write_study_report(results, folder / "page.html").read_text(encoding="utf-8"))
    files = {
        path.stem.removeprefix("comparison_"): pd.read_csv(path)
        for path in export_tables(results, folder / "tables")
    }
    with house_style():
        shown = [one.block for _, part in placed(study_document(results)) for one in part]
    return page.tables, [one for one in shown if isinstance(one, Picture)], files


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """The page, the figures and the exported files of a study of seven data sets."""
    folder = tmp_path_factory.mktemp("study")
    datasets = []
    for k in range(7):
        X, y = mixed_frame(n=50, continuous=2, nominal=2, seed=k, missing=0.03)
        told = y if k % 2 else np.arange(50) // 2 % 2  # in every other table nothing does
        datasets.append({"name": f"table {k}", "X": X, "y": np.where(told, "yes", "no")})
    datasets.append({"name": "treated", "treatment_of": "table 1", "drop": ["n0"]})
    judges = ["naive-bayes", "5nn"]
    results = Study(
        name="small",
        datasets=datasets,
        methods=["rfe-svm", "mi-histogram", "relieff"],
        classifiers=judges,
        resamplings=10,
        sizes=[1, 2, 4],
        seed=1,
    ).run(folder / "small.sqlite", n_jobs=0, progress=False)
    return results, *shown_and_exported(results, folder)


def pieces(texts):
    """The names in heads, which are joined in several ways."""
    return {piece for text in texts for piece in (text, *re.split(r": | – |, size |, ", text))}


def rows_of(frame, heads, fixed):
    """The rows of an exported file that a cell between these heads is about."""
    if "dataset" in frame:
        frame = frame.assign(dataset=frame["dataset"].fillna("all data sets"))
    for column in frame.columns:
        values = frame[column].astype(str)
        if column in fixed:
            frame = frame[values == fixed[column]]
        elif frame[column].dtype.kind not in "fib" and values.isin(heads).any():
            frame = frame[values.isin(heads)]
    return frame


def is_shown(text, digits, values):
    """Whether a value, rounded as the page rounds, is the number of a cell."""
    if digits[0]:
        wanted = float(f"{digits[0]}e{digits[1].translate(POWER)}")
        return any(np.isclose(float(f"{value:.1e}"), wanted) for value in values)
    number = digits[2]
    places = len(number.partition(".")[2])
    percent = "%" in text or " / " in text
    for value in np.abs(values):
        rounded = {f"{value:,.{places}f}", plain_number(value), f"{value:.2g}", f"{value:#.2g}"}
        rounded |= {"1"} if value >= 0.995 else set()
        rounded |= {f"{100 * value:.{places}f}"} if percent else set()
        if number in rounded:
            return True
    return False


def lacking_in_tables(tables, files):
    """The numbers of the page that no exported file has: table, heads and cell."""
    for key, (caption, head, *rows) in tables.items():
        names, fixed = TABLES[max((k for k in TABLES if key.startswith(k)), key=len)]
        measure = {label for label in MEASURES if f"{label}:" in caption[0].replace(",", ":")}
        of_measure = {"measure": measure.pop()} if measure else {}
        texts = {str(value) for name in names for value in files[name].to_numpy().flat}
        for row in rows:
            words = [cell for cell in row if not NUMBER.fullmatch(cell)]
            for column, cell in zip(head[1:], row[1:], strict=True):
                heads = pieces([column, *words])
                numbers = np.concatenate(
                    [
                        rows_of(files[name], heads, fixed | of_measure)
                        .select_dtypes("number")
                        .to_numpy()
                        .ravel()
                        for name in names
                    ]
                )
                numbers = numbers[np.isfinite(numbers)]
                for digits in NUMBER.findall(cell):
                    if cell not in texts and not is_shown(cell, digits, numbers):
                        yield key, row[0], column, cell


def drawn_numbers(picture):
    """The numbers that a figure draws or writes, in the units of its data."""
    for ax in picture.figure.axes:
        for line in ax.lines:
            if line.get_transform() == ax.transData and ax.axison:
                if picture.key != "forest":  # its rows are data sets
                    yield from np.asarray(line.get_ydata(), dtype=float)
                if picture.key in ("stability-against-performance", "time", "forest"):
                    yield from np.asarray(line.get_xdata(), dtype=float)
        for collection in ax.collections:
            if collection.get_array() is not None:  # shades of frequencies
                yield from np.asarray(collection.get_array(), dtype=float).ravel()
            elif picture.key.startswith(("curves", "performance")):
                yield from (y for path in collection.get_paths() for _, y in path.vertices)
    if "ranks" in picture.key or "diagram" in picture.key:
        texts = [text.get_text() for ax in picture.figure.axes for text in ax.texts]
        for text in texts:
            yield from (float(value) for value in re.findall(r"\d+\.\d+", text))


def lacking_in_figures(pictures, files):
    """The numbers of the figures that no exported file has."""
    for picture in pictures:
        if picture.figure is None:
            continue
        names = FIGURES[max((k for k in FIGURES if picture.key.startswith(k)), key=len)]
        dataset = picture.key.partition("-")[2]
        values = [np.array([0.0])]  # the line of no effect
        for name in names:
            frame = files[name]
            if "dataset" in frame and dataset in set(frame["dataset"]):
                frame = frame[frame["dataset"] == dataset]
            values += list(frame.select_dtypes("number").to_numpy(float).T)
            if {"value", "corrected"} <= set(frame):
                ends = [frame["value"] + sign * frame["corrected"] for sign in (-1, 1)]
                floor = None if picture.key.startswith("performance") else 0  # R² has none
                values += [end.clip(low, 1).to_numpy() for end in ends for low in (0, floor)]
        known = np.concatenate(values)
        known = known[np.isfinite(known)]
        if picture.key == "time":
            known = np.concatenate([known.clip(1e-4), np.arange(len(known))])  # rows of methods
        written = "ranks" in picture.key or "diagram" in picture.key
        for number in drawn_numbers(picture):
            if np.isfinite(number):
                near = np.abs((known.round(2) if written else known) - number)
                if near.min(initial=1.0) > 1e-9 * max(1.0, abs(number)):
                    yield picture.key, number


def test_every_number_of_a_table_is_in_the_export(study):
    _, tables, _, files = study
    assert {"ranks", "against", "stability", "other-scores", "proofs"} <= set(tables)
    lacking = sorted(lacking_in_tables(tables, files))
    assert not lacking, "\n".join(map(str, lacking))


def test_every_measured_number_of_a_sentence_is_in_the_export(study):
    results, _, _, files = study
    summary = Summary(results)
    values = [table.select_dtypes("number").to_numpy(float).ravel() for table in files.values()]
    values = np.unique(np.concatenate(values))
    said = [("first screen", section_list.headlines(summary))]
    told, lacking = 0, []
    for title, texts in (*said, *section_list.study_paragraphs(summary)):
        for text in texts:
            cited = re.sub(r"section \d\.\d|± 0\.01|at most 0\.01", "", text.replace("\u00a0", " "))
            for found in NUMBER.finditer(cited):
                if found[1] or "." in found[3]:  # others count something
                    told += 1
                    piece = cited[found.start() : found.end() + 2]
                    if not is_shown(piece, found.groups(), values[np.isfinite(values)]):
                        lacking.append((title, piece, text))
    assert told > 60
    assert lacking == []


def test_every_number_of_a_figure_is_in_the_export(study):
    _, _, pictures, files = study
    drawn = [picture.key for picture in pictures if picture.figure is not None]
    assert {"effects-table 0", "mean-ranks", "diagram-printed-all-sizes"} <= set(drawn)
    assert sorted(set(lacking_in_figures(pictures, files))) == []


@pytest.mark.parametrize(("name", "column"), NEEDED)
def test_a_column_that_is_left_out_is_noticed(study, name, column):
    _, tables, pictures, files = study
    without = files | {name: files[name].drop(columns=column)}
    lacking = chain(lacking_in_figures(pictures, without), lacking_in_tables(tables, without))
    assert next(lacking, None) is not None


def test_python_has_the_exported_tables(study):
    results, _, _, files = study
    tables = compare_methods(results).tables(effect_curves=True)
    assert set(tables) <= set(files)
    for name, table in tables.items():
        known = files[name].select_dtypes("number").dropna(axis=1, how="all")
        own = table[known.columns].astype(float)
        pd.testing.assert_frame_equal(own.reset_index(drop=True), known.astype(float))


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    """The tables of the page, the figures and the exported files of a study of several kinds."""
    folder = tmp_path_factory.mktemp("kinds")
    results = run(study_of_kinds(seeds=range(3)), folder / "a.sqlite")
    return shown_and_exported(results, folder)


def of_kind(kind, tables, pictures, files):
    """The part of a kind of target, as a study of its own; "" is the part over all of them."""
    if not kind:
        every = tuple(f"{kind}-" for kind in KINDS)
        part = {key: table for key, table in tables.items() if not key.startswith(every)}
        return part, [one for one in pictures if not one.key.startswith(every)], files
    return (
        {k.removeprefix(f"{kind}-"): t for k, t in tables.items() if k.startswith(f"{kind}-")},
        [
            replace(one, key=one.key.removeprefix(f"{kind}-"))
            for one in pictures
            if one.key.startswith(f"{kind}-")
        ],
        {n.removesuffix(f"_{kind}"): file for n, file in files.items() if n.endswith(f"_{kind}")},
    )


@pytest.mark.parametrize("kind", ["", *KINDS])
def test_every_number_of_several_kinds_of_targets_is_in_the_export(kinds, kind):
    tables, pictures, files = of_kind(kind, *kinds)
    assert {"ranks", "seconds"} <= set(tables)
    assert {"own-size", "performance"} <= set(tables) or not kind
    lacking = sorted(lacking_in_tables(tables, files))
    assert not lacking, "\n".join(map(str, lacking))
    if kind:
        assert "forest" in [picture.key for picture in pictures if picture.figure is not None]
    assert sorted(set(lacking_in_figures(pictures, files))) == []
    for name in {"ranks", "seconds_ranks"} & set(files):
        without = files | {name: files[name].drop(columns="mean_rank")}
        assert next(lacking_in_tables(tables, without), None) is not None


def test_no_two_sections_export_a_table_of_one_name():
    modules = {entry.partition(".")[0] for entry in section_list.ORDER}
    sections = {
        id(value): value
        for module in modules
        for value in vars(importlib.import_module(f"hetsel.report.sections.{module}")).values()
        if isinstance(value, Section)
    }
    names = [name for section in sections.values() for name in section.tables]
    assert sorted(set(names)) == sorted(names)
