"""The ranking figure: what it shows is what the ranking says."""

import sys
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from hetsel import Column, Ranking, Schema, SearchPath
from hetsel.report.figures.figure_style import LOOK, SVG, save_figure
from hetsel.report.figures.ranking_figure import plot_ranking
from hetsel.selection.answer import Step

KINDS = ("continuous", "ordinal", "nominal")


def schema(p):
    return Schema(tuple(Column(f"f{j}", KINDS[j % 3], ()) for j in range(p)))


def filtered(p=6):
    return Ranking.from_importance(np.arange(p, dtype=float) - 1.0)


def eliminated():
    """Five features: 5 left, two dropped; 3 left, one dropped; then two, then one."""
    trace = (Step(5, (1, 0)), Step(3, (2,)), Step(2, (3,)), Step(1, (4,)))
    return Ranking(np.array([4, 3, 2, 1, 0]), np.array([0.1, 0.2, 0.9, 0.3, 1.0]), trace)


def names(ax):
    return [label.get_text().split()[0] for label in ax.get_yticklabels()]


def points(ax):
    """Row -> importance of every marker drawn, and row -> kind by its color."""
    kind_of = {look.color: kind for kind, look in LOOK.items()}
    where, kinds = {}, {}
    for line in ax.lines:
        if line.get_marker() in {look.marker for look in LOOK.values()}:
            for x, y in line.get_xydata():
                where[round(y)] = x
                kinds[round(y)] = kind_of[line.get_color()]
    return where, kinds


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_best_on_top_with_importance_and_kind():
    ax = plot_ranking(filtered(), schema=schema(6))
    assert names(ax) == ["f5", "f4", "f3", "f2", "f1", "f0"]
    where, kinds = points(ax)
    assert where == dict(enumerate([4.0, 3.0, 2.0, 1.0, 0.0, -1.0]))
    assert [kinds[row] for row in range(6)] == [KINDS[j % 3] for j in (5, 4, 3, 2, 1, 0)]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # rank 1 above
    assert ax.get_xlim()[0] < -1.0
    assert "larger is better" in ax.get_xlabel()


def test_kinds_differ_in_gray_too():
    markers = [look.marker for look in LOOK.values()]
    assert len(set(markers)) == len(markers)
    legend = plot_ranking(filtered(), schema=schema(6)).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == list(KINDS)


def test_the_legend_has_only_the_kinds_there_are():
    ax = plot_ranking(filtered(1), schema=schema(1))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["continuous"]


def test_top_cuts_and_says_so():
    ax = plot_ranking(filtered(), 2, schema=schema(6), data="heart")
    assert names(ax) == ["f5", "f4"]
    assert ax.get_title(loc="left") == "heart · the best 2 of 6 features"
    with pytest.raises(ValueError, match=r"top must be at least 1\. Got 0"):
        plot_ranking(filtered(), 0, schema=schema(6))


def test_an_elimination_shows_its_steps_and_warns():
    ax = plot_ranking(eliminated(), schema=schema(5))
    assert "within a band" in ax.get_xlabel()
    assert {"1", "2", "3", "5"} <= set(texts(ax))
    assert len(ax.patches) == 2  # every second of four bands is shaded
    middle = [t.xy[1] for t in ax.texts if t.get_text() == "5" and t.xy[0] == 1.0]
    assert middle == [3.5]  # between the two features dropped together


def test_a_trace_that_is_no_elimination_has_no_bands():
    forward = Ranking(
        np.array([1, 0]), np.array([0.5, 0.9]), (Step(0, (1,), 0.5), Step(1, (0,), 0.9))
    )
    ax = plot_ranking(forward, schema=schema(2))
    assert not ax.patches
    assert "band" not in ax.get_xlabel()


def test_a_partial_ranking_is_drawn_as_the_best_of_all_features():
    partial = Ranking(np.array([4, 1]), np.array([0.0, 0.7, 0.0, 0.0, 0.9]))
    ax = plot_ranking(partial, schema=schema(5))
    assert names(ax) == ["f4", "f1"]
    assert points(ax)[0] == {0: 0.9, 1: 0.7}
    assert ax.get_title(loc="left") == "the best 2 of 5 features"


def test_the_bands_of_a_partial_elimination_are_those_of_the_complete_one():
    complete = eliminated()
    partial = Ranking(complete.order[:3], complete.importance, complete.steps)
    ax = plot_ranking(partial, schema=schema(5))
    assert "within a band" in ax.get_xlabel()
    margin = [text.get_text() for text in ax.texts if text.xycoords != "data"]
    assert [text for text in margin if text.isdigit()] == ["1", "2", "3"]


def test_an_elimination_that_keeps_its_best_together_has_no_bands():
    ranking = Ranking(np.array([2, 1, 0]), np.array([0.1, 0.8, 0.9]), (Step(3, (0,)),))
    ax = plot_ranking(ranking, schema=schema(3))
    assert not ax.patches
    assert "band" not in ax.get_xlabel()


def test_long_names_keep_their_ends():
    name = "a very long name of a measurement that goes on and on, in mg per liter"
    ax = plot_ranking(filtered(1), schema=Schema((Column(name, "nominal"),)))
    label = ax.get_yticklabels()[0].get_text()
    assert label.startswith("a very long name")
    assert "mg per liter" in label or label.rstrip("1\u00a0").endswith("per liter")
    assert "…" in label
    assert len(label) < 42


def test_importance_that_is_not_a_number_is_drawn_as_none():
    ranking = Ranking(np.array([1, 0]), np.array([np.nan, 2.0]))
    ax = plot_ranking(ranking, schema=schema(2))
    assert "none" in texts(ax)


def test_all_importances_zero_is_drawn():
    ax = plot_ranking(Ranking.from_importance(np.zeros(3)), schema=schema(3))
    low, high = ax.get_xlim()
    assert low <= 0 < high


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_files_by_suffix_are_the_same_each_time(tmp_path, suffix, start):
    paths = [tmp_path / f"{k}.{suffix}" for k in range(2)]
    for path in paths:
        plot_ranking(eliminated(), schema=schema(5), file=path)
    first, second = (path.read_bytes() for path in paths)
    assert first.startswith(start)
    assert first == second


def test_text_of_an_svg_stays_text_with_all_its_blanks(tmp_path):
    path = tmp_path / "a.svg"
    plot_ranking(eliminated(), schema=schema(5), file=path, data="heart")
    texts = [text.text for text in ElementTree.parse(path).iter(f"{{{SVG}}}text")]
    assert {"f4", "continuous", "heart"} <= {word for text in texts for word in text.split()}
    assert not [text for text in texts if "  " in text]  # a browser would draw one blank


def test_a_png_has_ink_and_200_dots_per_inch(tmp_path):
    path = tmp_path / "a.png"
    plot_ranking(eliminated(), schema=schema(5), file=path)
    with Image.open(path) as image:
        assert image.info["dpi"] == pytest.approx((200, 200), abs=0.1)
        assert len(image.convert("RGB").getcolors(1 << 20)) > 20


def test_nothing_is_cut_off(tmp_path):
    ranking = Ranking.from_importance(np.array([1234567.0, 0.5]))
    wide = Schema((Column("m" * 80, "nominal"), Column("x", "continuous")))
    path = tmp_path / "a.png"
    plot_ranking(ranking, schema=wide, file=path)
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("L"))
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge == 255).all()


def test_an_axes_of_the_user_is_drawn_on():
    figure = Figure()
    ax = figure.add_subplot()
    assert plot_ranking(filtered(), schema=schema(6), ax=ax) is ax


def test_a_file_that_cannot_be_a_figure_is_refused(tmp_path):
    path = tmp_path / "a.gif"
    with pytest.raises(ValueError, match=r"one of \.svg, \.png, \.pdf\. Got '\.gif'"):
        plot_ranking(filtered(), schema=schema(6), file=path)
    assert not path.exists()
    ax = Figure().add_subplot()
    ax.remove()
    with pytest.raises(ValueError, match="removed from their figure"):
        save_figure(ax, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_neither_pyplot_nor_settings_are_touched(tmp_path):
    before = dict(mpl.rcParams)
    plot_ranking(filtered(), schema=schema(6), file=tmp_path / "a.svg")
    assert dict(mpl.rcParams) == before
    assert (
        "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()
    )


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="Specify schema="):
        plot_ranking(filtered())
    path = SearchPath(4, {1: np.array([2]), 3: np.array([0, 1, 3])})
    with pytest.raises(ValueError, match=r"Got a SearchPath .* sizes 1, 3\. .* plot_path"):
        plot_ranking(path, schema=schema(4))
    with pytest.raises(ValueError, match="ranking must be a Ranking or a fitted selector"):
        plot_ranking([1, 2])
