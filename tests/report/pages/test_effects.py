"""The section on effects: every number of its tables and figures is exported, and figures fit."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from report.figures.test_study_figures import LONG, overlapping
from report.pages.test_study_page import Page
from report.synthetic_study import METHODS, Drawn, Gapped, Many, Synthetic, summary_of

from hetsel.report.elements.blocks import Paragraph, Picture, PrintedTable
from hetsel.report.figures.critical_difference import plot_critical_difference
from hetsel.report.figures.forest import plot_forest
from hetsel.report.pages.section_list import sections, study_paragraphs
from hetsel.report.pages.study_page import write_study_report
from hetsel.report.sections import (
    against_reference,
    effects_over_data_sets,
    performance_profiles,
)
from hetsel.study.comparison.study_summary import Summary


class Eight(Many):
    def __init__(self):
        super().__init__(datasets=8, methods=8, resamplings=10, p=4)


STUDIES = {
    "eight": (Eight, "method-3"),
    "lead": (lambda: Drawn(lead=0.1, datasets=8), "third"),
    "gaps": (Gapped, "first"),
    "four data sets": (lambda: Drawn(datasets=4), None),
}


@cache
def studied(name):
    """The summary of a study that nobody changes, computed once for all tests."""
    make, control = STUDIES[name]
    return Summary(make(), control=control)


@pytest.fixture(params=STUDIES)
def summary(request):
    return studied(request.param)


def blocks(summary, kind=object):
    every = [one.SECTION for one in (effects_over_data_sets, against_reference)]
    shown = [part for one in every if one.applies(summary) for part in one.parts(summary)]
    return [block for part in shown for block in part.blocks if isinstance(block, kind)]


def numbers_in(texts):
    """Numbers of a text, with as many digits as it has."""
    found = re.findall(r"[−+]?\d+\.\d+", " ".join(texts))
    return {text.replace("−", "-").lstrip("+") for text in found}


def test_each_number_of_the_section_is_in_an_exported_table(summary):
    files = (effects_over_data_sets, against_reference)
    exported = {n: t(summary) for one in files for n, t in one.SECTION.tables.items()}
    kept = exported.values()
    values = np.concatenate([t.select_dtypes("number").to_numpy(float).ravel() for t in kept])
    values = np.concatenate([values[np.isfinite(values)], [0.147, 0.33, 0.474, 0.05]])
    of_ranks = [
        rank for m in summary.measures for a in summary.analyses(m) for rank in a.test.mean_ranks
    ]
    values = np.concatenate([values, -values, 100 * values, of_ranks])
    rounded = {f"{value:z.{d}f}" for value in values for d in (2, 3)}
    rounded |= {f"{value:.4g}" for value in values} | {f"{value:.2g}" for value in values}
    rounded |= {f"{value:.1e}".split("e")[0] for value in values}  # 8.5 × 10⁻⁵
    shown = [one.text for one in blocks(summary, Paragraph)]
    for one in blocks(summary, Picture):
        shown += [one.caption, one.spoken]
    for one in blocks(summary, PrintedTable):
        shown += [one.caption, one.note, *(cell for row in one.rows for cell in row)]
    assert len(numbers_in(shown)) > 20
    assert numbers_in(shown) - rounded == set()


def test_what_could_not_be_shown_is_said_before_the_table():
    summary = studied("eight")
    first, second, *_ = blocks(summary)
    assert "8 data sets and 28 pairs" in first.text
    assert "0.22" in first.text
    assert "At least 11 data sets" in first.text
    assert "7 comparisons with method-3" in second.text
    assert "At least 9 data sets" in second.text
    enough = studied("lead")
    assert blocks(enough, Paragraph) == []


def test_intervals_below_the_level_have_theirs_in_parentheses():
    four, eight = studied("four data sets"), studied("lead")
    for summary, shown in ((four, True), (eight, False)):
        table = effects_over_data_sets.pair_differences(summary, summary.performance)
        cells = [cell for row in table.rows for cell in row[2:]]
        assert all(cell.endswith("(87.5%)") == shown for cell in cells)
        assert ("fewer than 6" in table.note) == shown


def test_a_pair_has_one_order_in_all_columns(summary):
    for measure in summary.measures:
        table = effects_over_data_sets.pair_differences(summary, measure)
        effects = summary.effects[summary.effects["measure"] == measure.label]
        for row in table.rows:
            first, second = row[0].split(" – ")
            for analysis, cell in zip(table.head[2:], row[2:], strict=True):
                own = effects[effects["analysis"] == analysis].set_index(["better", "worse"])
                if cell == "–":  # fewer than two data sets have both
                    assert not {(first, second), (second, first)} & set(own.index)
                    continue
                if (first, second) in own.index:
                    value = own.loc[(first, second), "estimate"]
                else:
                    value = -own.loc[(second, first), "estimate"]
                assert float(cell.split()[0].replace("−", "-")) == pytest.approx(value, abs=5e-4)


def test_the_forest_plot_shows_the_reference_method_minus_each_other_one():
    summary = studied("lead")
    picture = effects_over_data_sets.forest(summary)
    scores = summary.own_size.scores.pivot_table("value", "dataset", "method")
    others = [ax.get_title(loc="left") for ax in picture.figure.axes]
    assert set(others) == {"minus first", "minus second-method"}
    for ax in picture.figure.axes:
        other = ax.get_title(loc="left").removeprefix("minus ")
        (points,) = [line for line in ax.lines if line.get_marker() == "s"]
        expected = scores["third"] - scores[other]
        np.testing.assert_allclose(points.get_xdata(), expected[summary.datasets], atol=1e-12)
        # its intervals contain their points
        ends = [line.get_xdata() for line in ax.lines if len(line.get_ydata()) == 2][1:9]
        assert all(low < x < high for (low, high), x in zip(ends, points.get_xdata(), strict=True))
    assert overlapping(picture.figure) == []


def test_without_a_reference_the_best_method_is_drawn_and_the_caption_says_so():
    summary = summary_of(Drawn, lead=0.2, chance=0.1)
    picture = effects_over_data_sets.forest(summary)
    assert picture.title == "first against other methods"
    assert "best mean rank" in picture.caption


@pytest.mark.parametrize("number", [1, 4, 7])
def test_names_of_a_forest_plot_do_not_overlap(number):
    datasets = [f"a data set with a very long name, number {k}" for k in range(5)]
    rows = [
        (m, d, 0.01 * k, 0.01 * k - 0.1, 0.01 * k + 0.1)
        for m in LONG[:number]
        for k, d in enumerate(datasets)
    ]
    table = pd.DataFrame(rows, columns=["other", "dataset", "difference", "low", "high"])
    totals = pd.DataFrame({"estimate": 0.02, "low": -0.1, "high": 0.1}, index=LONG[:number])
    figure = plot_forest(table, totals, "difference in BCR")
    assert overlapping(figure) == []


def test_the_bonferroni_dunn_diagram_joins_the_reference_with_what_does_not_differ():
    summary = studied("eight")
    table = summary.control_tests
    own = table[(table["measure"] == "BCR") & (table["analysis"] == "all sizes")]
    assert 0 < own["differs"].sum() < 7
    picture = next(iter(against_reference.bonferroni_dunn_diagrams(summary)))
    ax = picture.figure.axes[0]
    ranks = dict(
        zip(summary.methods, summary.analyses(summary.performance)[0].test.mean_ranks, strict=True)
    )
    alike = [ranks[m] for m in own.loc[~own["differs"], "method"]] + [ranks["method-3"]]
    (thick,) = [line.get_xdata() for line in ax.lines if line.get_linewidth() > 3]
    assert thick == pytest.approx([min(alike), max(alike)], abs=0.1)
    (band,) = ax.collections
    low, high = band.get_paths()[0].get_extents().intervalx
    distance = own["bonferroni_dunn_cd"].iloc[0]
    assert low == pytest.approx(max(1, ranks["method-3"] - distance))
    assert high == pytest.approx(min(8, ranks["method-3"] + distance))
    assert overlapping(picture.figure) == []


def test_a_diagram_without_a_reference_has_no_band():
    test = summary_of(Drawn).analyses(summary_of(Drawn).performance)[0].test
    assert len(plot_critical_difference(test).axes[0].collections) == 0


def test_the_reference_is_in_words_and_no_reference_is_not():
    summary = studied("lead")
    said = dict(study_paragraphs(summary))
    text = said["Predictive performance, against third"][0]
    assert "first is better than third" in text
    assert not any("against" in heading for heading, _ in study_paragraphs(summary_of(Drawn)))
    keys = {name for section in sections(summary_of(Drawn)) for name in section.tables}
    assert {"effects", "differences", "effect_limits"} <= keys
    assert "control" not in keys


def test_a_profile_is_drawn_as_it_is_exported_and_not_where_all_tie():
    summary = studied("gaps")
    picture = performance_profiles.profiles(summary)
    table = performance_profiles.SECTION.tables["profiles"](summary)
    table = table[(table["measure"] == "BCR") & (table["analysis"] == "own size")]
    lines = picture.figure.axes[0].lines
    for (_, own), line in zip(table.groupby("method", sort=False), lines, strict=True):
        np.testing.assert_array_equal(line.get_xdata()[:-1], own["distance"])
        np.testing.assert_array_equal(line.get_ydata()[:-1], own["share"])
    assert overlapping(picture.figure) == []
    assert performance_profiles.profiles(summary_of(Synthetic)) is None


@pytest.mark.slow
def test_a_page_has_the_tests_against_the_reference(tmp_path):
    path = write_study_report(Drawn(lead=0.2, datasets=8), tmp_path / "r.html", reference="third")
    text = Page(path.read_text(encoding="utf-8")).text
    for method in METHODS[:2]:
        assert f"{method}, own size" in text
    assert "Bonferroni–Dunn" in text
