"""Verdicts on the cuts of an order: rank by rank, by size and in words, against counts by hand."""

import itertools
import re

import numpy as np
import pytest
from frames import mixed_frame

from hetsel import Ranking, SearchPath
from hetsel.selection import About, BaseSelector
from hetsel.selection.verdicts_in_words import at_size, by_rank, cuts_in_words, tied_runs

ORDER = np.array([2, 0, 4, 1, 3])
CUTS = ("proved", "tie", "tie", "open")


class Claims(BaseSelector):
    """A fixed order of five columns with the verdicts `said`."""

    said: tuple = CUTS

    about = About("a fixed order")

    def _select(self, problem):
        return Ranking(ORDER, np.zeros(5), cuts=self.said)


def test_a_rank_is_what_the_cuts_beside_it_are():
    assert by_rank(CUTS) == ["proved", "tie 2-4", "tie 2-4", "tie 2-4, open", "open"]
    assert by_rank(["proved", "", "proved"]) == ["proved", "", "", "proved"]
    assert by_rank(["tie", "", "open"]) == ["tie 1-2", "tie 1-2", "open", "open"]
    assert by_rank([]) == ["proved"]


def test_every_short_list_of_cuts_cut_by_cut():
    for cuts in itertools.product(("proved", "tie", "open", ""), repeat=5):
        words = by_rank(cuts)
        groups = "".join("=" if cut == "tie" else "|" for cut in cuts)
        for rank, word in enumerate(words, start=1):
            beside = {cuts[k - 1] for k in (rank - 1, rank) if 1 <= k <= 5}
            assert (word == "proved") == (beside == {"proved"})
            assert ("tie" in word) == ("tie" in beside)
            assert ("open" in word) == ("open" in beside)
            if "tie" in beside:
                before = len(groups[: rank - 1]) - len(groups[: rank - 1].rstrip("="))
                after = len(groups[rank - 1 :]) - len(groups[rank - 1 :].lstrip("="))
                assert word.split(",")[0] == f"tie {rank - before}-{rank + after}"


def test_runs_of_ties():
    assert tied_runs(["tie", "proved", "tie", "tie"]) == [(1, 2), (3, 5)]
    assert tied_runs(["proved", "open", ""]) == []


def test_the_line_counts_what_is_proved_tied_and_open():
    line = cuts_in_words([*CUTS, "proved", "open", "open", ""])
    for fact in (
        "of 8 boundaries",
        "2 are proved",
        "2 are ties (ranks 2-4)",
        "3 are open",
        "4, 6-7",
    ):
        assert fact in line
    assert "1 is without a verdict" in line
    assert cuts_in_words(["proved"] * 4) == "all 5 ranks are proved"
    assert cuts_in_words(["proved"], 0.0031).endswith(
        "proved, for values that bins change by up to 0.31% of the range"
    )
    assert cuts_in_words(["open"]).endswith("0 are proved, 1 is open (after rank 1)")
    assert cuts_in_words(["", ""]) == cuts_in_words([]) == ""


def test_the_cut_of_a_size():
    assert [at_size(CUTS, size) for size in range(6)] == [
        *("", "proved", "tie of ranks 2-4", "tie of ranks 2-4", "open", "")
    ]
    ranking = Ranking(ORDER, np.zeros(5), cuts=CUTS)
    assert [ranking.cut(size) for size in range(1, 6)] == [*CUTS, ""]
    assert Ranking(ORDER, np.zeros(5)).cut(2) == ""
    assert SearchPath(5, {2: np.array([0, 1])}).cut(2) == ""
    with pytest.raises(ValueError, match=r"size must be in 1\.\.5"):
        ranking.cut(6)


@pytest.mark.parametrize("cuts", [CUTS[:3], (*CUTS, "tie"), ("proved", "tie", "sure", "open")])
def test_cuts_of_another_number_or_word_are_refused(cuts):
    with pytest.raises(ValueError, match="must have 4 cuts of"):
        Ranking(ORDER, np.zeros(5), cuts=cuts).check(5)


def test_the_frame_says_it_where_there_is_something_to_say():
    X, y = mixed_frame(40, 3, 2)
    frame = Claims().fit(X, y).frame()
    assert frame.columns.tolist() == ["rank", "feature", "kind", "importance", "verdict"]
    assert frame["verdict"].tolist() == by_rank(CUTS)
    for silent in ((), ("", "", "", "")):
        assert "verdict" not in Claims(said=silent).fit(X, y).frame()


def test_the_table_of_a_notebook_says_it():
    page = Ranking(ORDER, np.zeros(5), cuts=CUTS)._repr_html_()
    assert re.findall("<td>([a-z].*)</td>", page) == by_rank(CUTS)
    assert "verdict" not in Ranking(ORDER, np.zeros(5))._repr_html_()
