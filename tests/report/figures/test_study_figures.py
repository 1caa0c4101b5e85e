"""Figures of a study: what they show is what they are given; nothing overlaps."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text
from report.synthetic_study import Synthetic

from hetsel import ClinicalSVC
from hetsel.datasets import load
from hetsel.models.additive_model import EffectCurve
from hetsel.report.figures.critical_difference import plot_critical_difference
from hetsel.report.figures.effects_and_selections import plot_effects, plot_selection
from hetsel.report.figures.figure_style import LINES, OTHER, inline_svg, method_lines
from hetsel.report.figures.method_points import plot_rows, plot_stability_against_performance
from hetsel.report.figures.size_curves import Panel, plot_size_curves
from hetsel.study.model_on_all_rows import ModelOnAllRows, final_model
from hetsel.study.run import Study

LONG = [f"a-method-with-a-very-long-name-number-{k}" for k in range(12)]


def ranks(names, mean_ranks, cd=1.9, groups=()):
    return SimpleNamespace(
        names=names, mean_ranks=mean_ranks, critical_difference=cd, groups=groups
    )


def drawn(figure):
    """Words of a figure with the boxes they take, in dots."""
    renderer = figure.canvas.get_renderer()
    figure.draw(renderer)
    out = []
    for text in figure.findobj(Text):
        if text.get_text().strip() and text.get_visible():
            out.append((text.get_text(), text.get_window_extent(renderer)))
    return out


def overlapping(figure):
    return [
        (a, b)
        for (a, p), (b, q) in combinations(drawn(figure), 2)
        if min(p.x1, q.x1) - max(p.x0, q.x0) > 1 and min(p.y1, q.y1) - max(p.y0, q.y0) > 3
    ]


def test_diagram_without_a_critical_difference_in_common():
    gapped = ranks(["a", "b", "c"], [2.1, 0.95, 2.95], np.nan, [("a", "c")])
    figure = plot_critical_difference([gapped, ranks(["a", "b"], [1.5, 1.5], 0.7)])
    words = [text for text, _ in drawn(figure)]
    assert {"0.95", "2.95", "CD = 0.70"} <= set(words)
    assert "CD = nan" not in words
    assert any("no common critical difference" in text for text in words)
    assert overlapping(figure) == []


def test_diagram_shows_ranks_groups_and_bar():
    one = ranks(["a", "b", "c"], [2.0, 1.25, 2.75], 0.9, [("b", "a"), ("a", "c")])
    figure = plot_critical_difference(one, titles="BCR")
    words = [text for text, _ in drawn(figure)]
    for text in ("a", "b", "c", "2.00", "1.25", "2.75", "CD = 0.90", "BCR", "1", "2", "3"):
        assert text in words
    ax = figure.axes[0]
    thick = [line.get_xdata() for line in ax.lines if line.get_linewidth() > 3]
    assert [np.round(x, 1).tolist() for x in thick] == [[1.2, 2.0], [2.0, 2.8]]
    bars = [line.get_xdata() for line in ax.lines if line.get_linewidth() == 1.4]
    assert [1.0, 1.9] in [list(x) for x in bars]
    where = {text: box for text, box in drawn(figure)}
    assert where["b"].x1 < where["c"].x0  # the best on the left, the worst on the right
    assert where["b"].y0 > where["a"].y0  # the best on top


def test_diagram_says_when_the_bar_is_longer_than_the_axis():
    figure = plot_critical_difference(ranks(["a", "b", "c"], [1.5, 2.0, 2.5], 2.34))
    words = " ".join(text for text, _ in drawn(figure))
    assert "CD = 2.34, longer than the axis" in words


@pytest.mark.seconds
@pytest.mark.parametrize("number", [2, 5, 12])
def test_no_overlap_with_long_names_and_near_ranks(number):
    near = [6.0 + 0.01 * k for k in range(number)] if number > 6 else [1.5] * number
    one = ranks(LONG[:number], near, 1.0, [tuple(LONG[:number])])
    figure = plot_critical_difference([one, one], titles=["BCR", "KI"])
    assert overlapping(figure) == []
    frame = figure.bbox
    for text, box in drawn(figure):
        assert frame.x0 <= box.x0, text
        assert box.x1 <= frame.x1, text


def curves(methods, sizes):
    rows = [(m, s, 0.7 + 0.01 * k, 0.69, 0.72) for k, m in enumerate(methods) for s in sizes]
    return pd.DataFrame(rows, columns=["method", "size", "value", "low", "high"])


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[1], [1, 2, 3], list(range(1, 41)), [1, 30, 900, 4955]])
def test_curves(sizes):
    methods = ["rfe-mkl", "rfe-svm-printed", "hfs-nb"]
    panels = [Panel(name, curves(methods, sizes)) for name in ("BCR", "KI", "number")]
    figure = plot_size_curves(panels, chosen=sizes[0], lines=method_lines(methods))
    assert len(figure.axes) == 3
    for ax in figure.axes:
        assert ax.get_xscale() == "log"
        full = [line for line in ax.lines if len(line.get_xdata()) == len(sizes)]
        assert {line.get_color() for line in full} >= {LINES[k].color for k in range(3)}
        assert len({ax.get_xlim() for ax in figure.axes}) == 1
    words = [text for text, _ in drawn(figure)]
    assert words.count("rfe-svm-printed") == 1  # one legend
    assert f"chosen size, {sizes[0]}" in words
    assert overlapping(figure) == []


def test_eight_methods_look_different_without_color_and_the_others_are_gray():
    lines = method_lines(LONG)
    told = [line for line in lines.values() if line is not OTHER]
    assert len(told) == len({(line.marker, str(line.dashes)) for line in told}) == 8
    few = method_lines(LONG, LONG[5:7])
    assert [method for method, line in few.items() if line is not OTHER] == LONG[5:7]


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 8, 40])
def test_a_point_of_each_method_and_no_name_on_another(number):
    names = [f"method-{k}" for k in range(number)]
    lines = method_lines(names, names[:5])
    angle = np.linspace(0, 6, number)
    points = pd.DataFrame(
        {"stability": np.cos(angle), "performance": 0.7 + 0.1 * np.sin(angle), "half": 0.01},
        index=names,
    ).assign(front=angle < np.pi / 2)
    figure = plot_stability_against_performance(points, lines, ("KI", "BCR"), (4.0, 3.0))
    words = [text for text, _ in drawn(figure)]
    assert set(names[:5]) <= set(words)
    assert overlapping(figure) == []


def test_methods_at_one_point_share_a_label():
    points = pd.DataFrame({"stability": 1.0, "performance": [0.8, 0.8, 0.7], "half": np.nan})
    points["front"] = [True, True, False]
    points.index = ["a", "b", "c"]
    lines = method_lines(["a", "b", "c"])
    figure = plot_stability_against_performance(points, lines, ("KI", "BCR"), (4.0, 3.0))
    assert {"a\nb", "c"} <= {text for text, _ in drawn(figure)}
    assert max(figure.axes[0].get_xticks()) <= 1  # no stability is above 1


@pytest.mark.seconds
@pytest.mark.parametrize("number", [2, 12, 40])
def test_rows_name_some_methods_and_show_all(number):
    names = [f"method-{k}" for k in range(number)]
    values = pd.DataFrame({"value": np.geomspace(0.01, 50, number)}, index=names[::-1])
    values = values.assign(low=values["value"] / 2, high=values["value"] * 2)
    figure = plot_rows(values, method_lines(names, names[5:7]), "seconds", width=4.0, log=True)
    words = [text for text, _ in drawn(figure)]
    named = [word for word in words if word.startswith("method")]
    assert {names[0], names[-1], *names[5:7]} <= set(named) if number > 2 else set(named)
    assert len(named) <= 12
    marks = [x for line in figure.axes[0].lines for x in line.get_xdata()]
    assert set(values["value"]) <= set(marks)
    if len(named) < number:
        assert f"{number - len(named)} others" in words
    assert overlapping(figure) == []


def test_effects():
    nominal = np.array(["a level of a long name", "b", "c"], dtype=object)
    features = [
        EffectCurve("a", "continuous", np.array([0.0, 1.0]), np.array([[0.0, 2.0]]), np.zeros(1)),
        EffectCurve("b", "nominal", nominal, np.array([[-3.0, 0.0, 3.0]]), np.zeros(1)),
    ]
    figure = plot_effects(features, ["no", "yes"])
    titles = [ax.get_title(loc="left") for ax in figure.axes if ax.axison]
    assert titles == ["b", "a"]  # the widest first
    line = figure.axes[1].lines[-1]
    assert line.get_ydata().tolist() == [-1.0, 1.0]  # centered
    assert overlapping(figure) == []


def test_effects_of_many_classes():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(12, 5)) * np.arange(1, 13)[:, None]
    curve = EffectCurve("a", "continuous", np.arange(5.0), values, np.zeros(12))
    figure = plot_effects([curve], [f"c{k}" for k in range(12)])
    words = [text for text, _ in drawn(figure)]
    drawn_classes = [word for word in words if word.startswith("c")]
    widest = np.sort(np.argsort(np.ptp(values, axis=1))[-8:])
    assert drawn_classes == [f"c{k}" for k in widest]
    assert "4 classes with smaller effects not shown" in words
    lines = [line.get_ydata() for line in figure.axes[0].lines if len(line.get_ydata()) == 5]
    for line, row in zip(lines, values[widest], strict=True):
        np.testing.assert_allclose(line, row - row.mean())
    assert overlapping(figure) == []


def test_effects_of_many_levels_go_by_their_size():
    rng = np.random.default_rng(1)
    levels = np.array([f"level {k}" for k in range(40)], dtype=object)
    values = rng.normal(size=40)
    curve = EffectCurve("a", "nominal", levels, values[None, :], np.zeros(1))
    figure = plot_effects([curve], ["no", "yes"])
    dots = figure.axes[0].lines[-1].get_ydata()
    np.testing.assert_allclose(dots, np.sort(values) - values.mean())
    words = [text for text, _ in drawn(figure)]
    assert "40 levels, sorted by effect" in words
    assert not any(word.startswith("level ") for word in words)


def test_selection_counts_in_percent():
    shares = pd.DataFrame({"m": [0.25, 1.0, 0.0], "n": [0.5, 0.0, 0.0]}, index=["x", "y", "z"])
    words = [text for text, _ in drawn(plot_selection(shares))]
    assert {"25", "100", "50", "x", "y", "m", "n"} <= set(words)
    assert "z" not in words
    wide = pd.DataFrame(np.full((20, 12), 0.5), index=LONG + list("abcdefgh"), columns=LONG)
    assert overlapping(plot_selection(wide)) == []


def test_identifiers_of_two_figures_never_meet():
    methods = ["a", "b"]
    first, second = (
        inline_svg(plot_size_curves([Panel("BCR", curves(methods, [1, 2]))]), prefix, "words")
        for prefix in ("one", "two")
    )
    assert 'id="one-' in first
    assert 'id="one-' not in second
    assert "<style" not in first


def test_the_final_model_is_the_svm_on_the_signature():
    data = load("heart")
    study = Study(datasets=["heart"], methods=["rfe-mkl"], resamplings=2)
    results = Synthetic(("heart",))
    results.study, results.plan = study, study.to_dict()
    told = final_model(results, "heart", "rfe-mkl", 3)
    assert told == "no final model: the table is not the one that the study used"
    from hetsel.evaluation.data.encoded_data import prepare

    results.datasets["heart"] = prepare(study.datasets[0]).to_dict()
    for known in (study, None):  # from the plan at hand, and from what the store knows
        results.study = known
        model = final_model(results, "heart", "rfe-mkl", 3)
        assert isinstance(model, ModelOnAllRows)
        columns = [name for name in data.X.columns if name in model.names]
        expected = ClinicalSVC(10.0).fit(data.X[columns], data.y).effect_curves()
        for one, other in zip(model.curves, expected, strict=True):
            assert one.name == other.name
            np.testing.assert_allclose(one.values, other.values, atol=1e-12)
