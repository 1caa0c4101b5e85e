"""The figure of a search: what it shows is what the path says."""

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from hetsel import Column, Ranking, Schema, SearchPath, SubsetSearch
from hetsel.report.figures import search_path_figure
from hetsel.report.figures.search_path_figure import ENTERED, LEFT, STAYED, plot_path


def schema(p):
    return Schema(tuple(Column(f"f{j}", "continuous", ()) for j in range(p)))


def searched(**changes):
    """Sizes 1, 2 and 4 of five features: 3; then 0 and 1 without 3; then all but 4."""
    subsets = {1: np.array([3]), 2: np.array([0, 1]), 4: np.array([0, 1, 2, 3])}
    evaluated = {(): 0.0, (3,): 0.7, (4,): 0.1, (0, 1): 0.9, (0, 3): 0.8, (0, 1, 2, 3): 0.85}
    given = {"evaluated": evaluated} | changes
    return SearchPath(5, subsets, {1: 0.7, 2: 0.9, 4: 0.85}, **given)


def cells(ax, look):
    """The (size, name) of every mark of a look."""
    names = [label.get_text() for label in ax.get_yticklabels()]
    return {
        (int(x), names[int(y)])
        for line in ax.lines
        if line.get_marker() == look.marker and line.get_color() == look.color
        for x, y in line.get_xydata()
    }


def drawn(ax, word):
    """Points of the line whose label has a word."""
    return [
        [tuple(xy) for xy in line.get_xydata()] for line in ax.lines if word in line.get_label()
    ]


def words(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_what_entered_stayed_and_left():
    _, below = plot_path(searched(), schema=schema(5)).axes
    assert cells(below, ENTERED) == {(1, "f3"), (2, "f0"), (2, "f1"), (4, "f2"), (4, "f3")}
    assert cells(below, STAYED) == {(4, "f0"), (4, "f1")}
    assert cells(below, LEFT) == {(2, "f3")}


def test_rows_by_how_early_they_enter_and_stay():
    _, below = plot_path(searched(), schema=schema(5)).axes
    assert [t.get_text() for t in below.get_yticklabels()] == ["f3", "f0", "f1", "f2"]
    assert below.get_ylim()[0] > below.get_ylim()[1]


def test_top_keeps_the_chosen_features_and_says_what_it_leaves_out():
    _, below = plot_path(searched(), 2, schema=schema(5)).axes
    assert [t.get_text() for t in below.get_yticklabels()] == ["f0", "f1"]
    assert [t.get_text() for t in below.texts] == ["… and 2 more features"]
    with pytest.raises(ValueError, match=r"top must be at least 1\. Got 0"):
        plot_path(searched(), 0, schema=schema(5))


def test_the_score_by_size_the_dots_and_the_chosen_size():
    above, _ = plot_path(searched(), schema=schema(5)).axes
    assert "inner score" in above.get_ylabel()
    assert "maximized" in above.get_ylabel()
    assert drawn(above, "best subset") == [[(1, 0.7), (2, 0.9), (4, 0.85)]]
    (dots,) = drawn(above, "evaluated")
    assert set(dots) == {(1, 0.7), (1, 0.1), (2, 0.9), (2, 0.8), (4, 0.85)}
    assert "5 evaluated subsets (1 below the axis)" in words(above)
    assert drawn(above, "chosen: 2 features") == [[(2, 0.9)]]
    settled, _ = plot_path(searched(chosen=1), schema=schema(5)).axes
    assert drawn(settled, "chosen: 1 feature") == [[(1, 0.7)]]


def test_subsets_treated_as_equal_are_marked_where_there_are_several():
    one = {0.0: np.array([0, 1])}
    above, _ = plot_path(searched(equal=one), schema=schema(5)).axes
    assert not drawn(above, "counts as equal")
    several = one | {0.1: np.array([0, 3]), 0.2: np.array([3]), 0.3: np.array([3])}
    above, _ = plot_path(searched(equal=several), schema=schema(5)).axes
    assert drawn(above, "counts as equal") == [[(2, 0.9), (2, 0.8), (1, 0.7)]]
    assert [text.get_text() for text in above.texts] == ["0", "0.1", "0.2 to 0.3"]


def test_many_evaluated_subsets_are_thinned_and_it_is_said(monkeypatch):
    monkeypatch.setattr(search_path_figure, "DRAWN", 3)
    above, _ = plot_path(searched(), schema=schema(5)).axes
    assert [len(line) for line in drawn(above, "3 of 5 evaluated subsets")] == [3]


def test_a_path_without_scores_has_its_features_only():
    bare = SearchPath(3, {1: np.array([2]), 3: np.array([0, 1, 2])})
    (below,) = plot_path(bare, schema=schema(3)).axes
    assert cells(below, STAYED) == {(3, "f2")}


def test_a_fitted_search_with_the_name_of_its_method_and_data():
    x = np.random.default_rng(0).normal(size=(40, 3))
    figure = plot_path(SubsetSearch(criterion="1nn").fit(x, x[:, 1] > 0), data="made up")
    assert figure.get_suptitle().startswith("SubsetSearch on made up · best subset of each of")
    assert plot_path(searched(), schema=schema(5), title="mine").get_suptitle() == "mine"


def test_fifty_seven_sizes_do_not_touch(tmp_path):
    subsets = {size: np.arange(size) for size in range(1, 58)}
    path = SearchPath(57, subsets, {size: size / 57 for size in subsets})
    figure = plot_path(path, schema=schema(57), file=tmp_path / "a.png")
    below = figure.axes[1]
    left, right = below.get_xlim()
    width = below.get_window_extent().width / figure.dpi * 72 / (right - left)
    assert max(line.get_markersize() for line in below.lines if line.get_marker() != "None") < width
    with Image.open(tmp_path / "a.png") as image:
        pixels = np.asarray(image.convert("L"))
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge == 255).all()


def test_marks_differ_in_gray_too():
    assert len({look.marker for look in (STAYED, ENTERED, LEFT)}) == 3


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_files_are_the_same_each_time_and_no_setting_is_touched(tmp_path, suffix):
    before = dict(mpl.rcParams)
    files = [tmp_path / f"{k}.{suffix}" for k in range(2)]
    for file in files:
        plot_path(searched(), schema=schema(5), file=file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert dict(mpl.rcParams) == before


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="Specify schema="):
        plot_path(searched())
    with pytest.raises(ValueError, match=r"search must be a SearchPath .* plot_ranking"):
        plot_path(Ranking.from_importance(np.zeros(2)), schema=schema(2))
