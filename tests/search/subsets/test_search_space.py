"""Always in, never in, groups that move together; limits, progress, and archives that survive."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from search.subsets.scripted import Scripted, course_of, problem_of, subset_at
from search.subsets.test_paths import FLOATING, find, random_values

from hetsel.ground.errors import TableError
from hetsel.search.subsets.one_search import SEARCHES, SearchOptions, search_subsets
from hetsel.search.subsets.search_archive import Archive
from hetsel.search.subsets.subset_values import SearchLimits, Space
from hetsel.selection import Problem
from hetsel.tables import Classes, Schema

SEQUENTIAL = [s for s in SEARCHES if s != "branch-and-bound"]


@pytest.mark.parametrize("search", SEQUENTIAL)
def test_what_is_always_in_stays_and_what_is_never_in_stays_out(search):
    criterion = Scripted(random_values(4, 7))
    path = find(criterion, 7, search, (4,), always=[2, 5], never=[0])
    for subset in path.evaluated:
        assert {2, 5} <= set(subset)
        assert 0 not in subset
    assert len(path.signature(4)) == 4
    with pytest.raises(ValueError, match=r"size must be in 2\.\.6"):
        find(criterion, 7, search, (1,), always=[2, 5], never=[0])


@pytest.mark.parametrize("search", SEQUENTIAL)
def test_groups_come_and_go_together(search):
    groups = ((0, 3), (1, 4, 5))
    problem = problem_of(7, (5,) if search == "os" else (), groups)
    criterion = Scripted(random_values(5, 7))
    path = search_subsets(problem, criterion, SearchOptions(search, depth=2))
    for subset in path.evaluated:
        for group in groups:
            assert len(set(group) & set(subset)) in (0, len(group))
    if search == "exhaustive":
        assert len(path.evaluated) == 2**4 - 1
        assert path.score(path.best_size) == max(path.evaluated.values())


@pytest.mark.parametrize("search", SEQUENTIAL)
@pytest.mark.parametrize("size", [1, 3, 7])
def test_the_sizes_asked_for_are_there(search, size):
    path = find(Scripted(random_values(6, 7)), 7, search, (size, 2), count=2)
    assert {size, 2} <= set(path.sizes)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("count", [1, 2])
def test_constant_features_come_once_all_others_are_in_and_change_nothing_else(search, count):
    """Features 0 and 4 of 7 are constant; a feature of weight 0 elsewhere would come before 6."""
    if count > 1 and search in ("bif", "exhaustive", "branch-and-bound"):
        return
    weights = np.array([0.0, 0.5, 0.3, -0.4, 0.0, 0.2, -0.1])
    if search == "branch-and-bound":
        weights = np.abs(weights)
    noise = random_values(7, 5)
    told = [1, 2, 3, 5, 6]

    def value(subset):
        kept = [f for f in subset if f in told]
        swing = 0.0 if search == "branch-and-bound" else noise([told.index(f) for f in kept])
        return float(weights[kept].sum()) + swing

    x = np.random.default_rng(0).normal(size=(8, 7))
    x[:, [0, 4]] = 1.0, 5.0
    for size in (1, 3, 5, 6, 7):
        problem = Problem(Schema.infer(x).encode(x), Classes.of(np.arange(8) % 2, 8), (size,))
        path = search_subsets(problem, Scripted(value), SearchOptions(search, count=count))
        for subset in [*path.subsets.values(), *path.evaluated]:
            assert not {0, 4} & {*subset} or {*told} <= {*subset}
        if size <= 5 and not (search in ("sbs", "sbfs") and count == 2):  # a pair begins elsewhere
            part = x[:, told]
            problem = Problem(
                Schema.infer(part).encode(part), Classes.of(np.arange(8) % 2, 8), (size,)
            )
            options = SearchOptions(search, count=count)
            less = search_subsets(
                problem, Scripted(lambda subset: value([told[f] for f in subset])), options
            )
            assert path.signature(size).tolist() == [told[f] for f in less.signature(size)]
            assert path.score(size) == less.score(size)


def test_a_constant_feature_of_a_group_or_always_in_is_no_exception():
    assert Space.of(4, always=[0], groups=[[1, 2]], constant=[0, 1, 3]) == Space(
        4, ((1, 2), (3,)), (0,), 1
    )
    with pytest.raises(TableError, match="no feature to choose. Name fewer columns"):
        Space.of(2, always=[0], never=[1])


def test_a_limit_on_evaluations_keeps_what_was_found():
    whole = find(Scripted(FLOATING), 5, "sffs")
    for limit in range(5, len(whole.evaluated)):
        part = find(Scripted(FLOATING), 5, "sffs", limits=SearchLimits(evaluations=limit))
        assert part.stopped == "evaluations"
        assert len(part.evaluated) <= limit
        assert course_of(part) == course_of(whole)[: len(part.moves)]
    with pytest.raises(ValueError, match="no subset: max_evaluations"):
        find(Scripted(FLOATING), 5, "sffs", limits=SearchLimits(evaluations=1))
    with pytest.raises(ValueError, match="max_seconds must be a positive number. Got 0"):
        SearchLimits(seconds=0)
    for wrong in (0, 2.5):
        with pytest.raises(ValueError, match=f"max_evaluations must .* 1 or larger. Got {wrong}"):
            SearchLimits(evaluations=wrong)


def test_a_limit_on_time():
    def slowly(subset):
        time.sleep(0.01)
        return random_values(1, 8)(subset)

    path = find(Scripted(slowly), 8, "sffs", limits=SearchLimits(seconds=0.15))
    assert path.stopped == "seconds"
    assert 1 <= len(path.evaluated) < 25


def test_progress_counts_down_and_a_callback_ends_the_search():
    seen = []

    def told(progress):
        seen.append(progress)
        return len(seen) == 3

    path = find(Scripted(FLOATING), 5, "sfs", progress=told)
    assert path.stopped == "progress"
    assert [p.size for p in seen] == [1, 2, 3]
    assert [p.evaluations for p in seen] == [5, 9, 12]
    assert [p.best_value for p in seen] == [0.5, 0.6, 0.7]
    assert seen[0].left > 0.0


def test_an_archive_is_read_back_to_the_bit(tmp_path):
    path = tmp_path / "a.archive"
    first = Archive(path, "one")
    first.add(0b1011, (0.1 + 0.2, -1e-300))
    first.add(1 << 200, (1 / 3, 2.0))
    first.close()
    again = Archive(path, "one")
    assert again.values[0b1011] == (0.1 + 0.2, -1e-300)
    assert list(again.values) == [0b1011, 1 << 200]
    with pytest.raises(TableError, match=r"another search writes .*a\.archive"):
        Archive(path, "one")
    again.close()
    with pytest.raises(TableError, match="is the archive of another search"):
        Archive(path, "two")
    with pytest.raises(TableError, match="archive must be .* no folder .*nowhere"):
        Archive(tmp_path / "nowhere" / "a", "one")
    (tmp_path / "b").write_text("patients\n")
    with pytest.raises(TableError, match="not the archive of a search"):
        Archive(tmp_path / "b", "one")


def test_a_torn_line_is_dropped(tmp_path):
    path = tmp_path / "a.archive"
    first = Archive(path, "one")
    first.add(1, (0.5,))
    first.add(2, (0.75,))
    first.close()
    path.write_bytes(path.read_bytes()[:-3])
    again = Archive(path, "one")
    assert list(again.values) == [1]
    again.add(3, (0.25,))
    again.close()
    last = Archive(path, "one")
    assert list(last.values) == [1, 3]
    last.close()


def test_an_archive_is_locked_by_every_name_and_needs_no_other_file(tmp_path):
    path = tmp_path / "a.archive"
    victim = tmp_path / "letter.txt"
    victim.write_text("dear all")
    (tmp_path / "a.archive.lock").symlink_to(victim)
    first = Archive(path, "one")
    first.add(1, (0.5,))
    first.flush()
    (tmp_path / "soft").symlink_to(path)
    os.link(path, tmp_path / "hard")
    before = path.read_bytes()
    for name in ("a.archive", "soft", "hard"):
        with pytest.raises(TableError, match=rf"another search writes .*{name}"):
            Archive(tmp_path / name, "one")
    first.close()
    assert path.read_bytes() == before
    assert victim.read_text() == "dear all"
    again = Archive(tmp_path / "soft", "one")
    again.close()
    assert 1 in again.values


def test_of_an_archive_no_flipped_bit_goes_unnoticed(tmp_path):
    path, draw = tmp_path / "a.archive", random.Random(4)
    first = Archive(path, "one")
    for subset in range(1, 9):
        first.add(subset, (draw.random(), draw.random()))
    first.close()
    whole, values, refused = path.read_bytes(), dict(first.values), []
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
        try:
            again = Archive(path, "one")
        except TableError as reason:
            refused.append(str(reason))
            assert path.read_bytes() == damaged
        else:
            assert values.items() >= dict(again.values).items()
            again.close()
    assert len(refused) > 150
    assert all("a.archive" in reason for reason in refused)


def test_an_archive_on_a_full_disk_ends_in_its_name_and_stays_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # Python would keep half of a module
    path = tmp_path / "a.archive"
    archive = Archive(path, "one")
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, limits[1]))
    try:
        for subset in range(1, 4):
            archive.add(subset, (1 / 3,))
            archive.flush()
        archive.add(4, [1 / 3] * 20)
        with pytest.raises(OSError, match=r"a\.archive"):
            archive.flush()
        archive.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    again = Archive(path, "one")
    again.close()
    assert list(again.values) == [1, 2, 3]


@pytest.mark.seconds
@pytest.mark.parametrize("search", ["sffs", "dos", "exhaustive"])
@pytest.mark.parametrize("voting", [None, "order"])
def test_a_search_that_was_cut_anywhere_ends_as_if_it_had_not_been(search, voting, tmp_path):
    whole = Scripted(random_values(8, 7), name="cut")
    expected = find(whole, 7, search, voting=voting)
    total = len(whole.asked)
    assert total == len(expected.evaluated)
    for cut in range(3, total, 7):
        file = tmp_path / f"{cut}"
        first, second = (Scripted(random_values(8, 7), name="cut") for _ in range(2))
        try:
            find(
                first, 7, search, voting=voting, archive=file, limits=SearchLimits(evaluations=cut)
            )
        except ValueError:
            assert not first.asked
        path = find(second, 7, search, voting=voting, archive=file)
        assert path.moves == expected.moves
        assert not set(first.asked) & set(second.asked)
        assert len(first.asked) + len(second.asked) == total


KILLED = """
import sys, time
sys.path.insert(0, {tests!r})
from search.subsets.scripted import Scripted, problem_of
from search.subsets.test_paths import random_values, find
value = random_values(2, 9)
def slowly(subset):
    time.sleep(0.005)
    return value(subset)
find(Scripted(slowly, name="killed"), 9, "dos", archive={archive!r}, equal=(0.0, 0.05))
"""


@pytest.mark.slow
def test_a_search_that_was_killed_repeats_nothing(tmp_path):
    archive = tmp_path / "dos.archive"
    code = KILLED.format(tests=str(Path(__file__).parents[2]), archive=str(archive))
    known = 0
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", code], env=os.environ)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            lines = archive.read_bytes().count(b"\n") if archive.exists() else 0
            if lines > known + 20 or process.poll() is not None:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = archive.read_bytes().count(b"\n")
        assert found > known
        known = found
    value = random_values(2, 9)
    resumed = Scripted(value, name="killed")
    path = find(resumed, 9, "dos", archive=archive, equal=(0.0, 0.05))
    whole = Scripted(value, name="killed")
    expected = find(whole, 9, "dos", equal=(0.0, 0.05))
    assert path.moves == expected.moves
    assert subset_at(path, path.best_size) == subset_at(expected, expected.best_size)
    assert {k: tuple(v) for k, v in path.equal.items()} == {
        k: tuple(v) for k, v in expected.equal.items()
    }
    lines = archive.read_text().splitlines()[1:]
    subsets = [line.split(" ")[0] for line in lines]
    assert len(set(subsets)) == len(subsets) == len(whole.asked)
