"""What is said of the runs before."""

from types import SimpleNamespace

from hetsel.study.run import _VersionsBefore
from hetsel.study.store.runs_in_words import lost_cells


def test_versions_are_compared_with_those_used_last_wherever_their_cells_stand_in_the_plan():
    lines = []
    oldest, newer = {"numpy": "1.26"}, {"numpy": "2.3"}
    file = SimpleNamespace(
        plan=lambda: [("a", "data", "m", 0), ("b", "data", "m", 1), ("c", "data", "m", 2)],
        about=lambda _: None,
        versions=lambda: {"b": oldest, "gone": oldest, "a": newer},  # by their first use
    )
    compare = _VersionsBefore(file, SimpleNamespace(line=lines.append))
    compare("m", {"numpy": "2.4"})
    compare("m", {"numpy": "2.4"})
    compare("m", newer)
    compare("other", newer)
    assert lines == ["note: m: versions differ from those of its earlier cells: numpy 2.3 -> 2.4"]


def test_cells_that_a_plan_leaves_out_are_counted_in_one_go():
    rows = [(str(k), "data", "m", k) for k in range(30_000)]
    (line,) = lost_cells(rows, {key for key, *_ in rows}, {"0"})
    assert line == "kept, but no longer in the plan: cells of data (m 29999)"
