"""A large delimited file, read block by block, is the table that the whole text is."""

import gzip
import re

import numpy as np
import pandas as pd
import pytest
from twins import odd_lines

from hetsel.files import large_delimited, reading
from hetsel.files.line_blocks import Unfit, check_lines
from hetsel.files.reading import read_table
from hetsel.ground import memory
from hetsel.ground.errors import TableError
from hetsel.tables.missing_cells import MISSING_MARKS

pytest.importorskip("pyarrow")

NEVER = 2**62
# pools of cells: what a column holds, and what comes to it now and then
POOLS = {
    "whole": ("1 7 12 -3 0 100", "NA 2.5 -0 007 +4 9007199254740993 x 1e3"),
    "float": (
        "0.1 2.5 -1e-05 1E5 .5 3. 0.30000000000000004 123456.789e-7",
        "NA inf -0 1e400 +1 5%",
    ),
    "wide": (
        "9007199254740993 9007199254740992 18446744073709551615 1",
        "NA 1.5 1e20 -99999999999999999999",
    ),
    "code": ("007 7 012", "NA x 0"),
    "zeros": ("00 01 02 0", "0.5 NA"),
    "sign": ("12%|5%|0.5%", "12|NA|%|5 %"),
    "money": ("$1,200|$5|$300", "NA|$|EUR 5"),
    "group": ("1'200|5|300", "NA|1'20"),
    "decimal": ("1,5|2,25|3", "NA|1.5"),
    "flag": ("True False", "NA true 1 TRUE"),
    "date": ("2020-01-02 1999-12-31", "NA 2020-1-2 12:30 2020-01-02T10:00"),
    "text": ("low|high|not known|Smith, J|é|A;B|it's", "NA| low|high |'=1+1|nan|-| "),
    "sparse": ("", "1 x 0.5"),
    "marks": ("-9 1 2", "-9.0 NA ? 3.5 -09"),
    "hex": ("1 0x10 0b1", "1_0 ０ ５"),
    "quoted": ('a ""b""|""|""c', 'NA|,""|"" d'),
    "long": ("abcdefgh" * 20 + " b", "NA"),
    "blank": ("1| 2|3 ", "NA | NA|\t4|5\t"),
    "unicode": ("ä|\u00a0b|c\u2009|日本", "NA|\u2028|−5|5\u00a0%"),
}
FAULTS = ["short", "long", "quote", "inner", "open", "blank", "spaces", "line", "doubled"]
SEPARATORS = {"csv": ",", "tsv": "\t", "txt": ";", "data": " "}


def cells_of(rng, pool, n):
    usual, rare = (
        np.array(text.split("|" if "|" in text else " "), dtype=object) for text in POOLS[pool]
    )
    cells = rng.choice(usual, n)
    late = rng.random(n) < rng.choice([0, 0.02, 0.2])
    late[: rng.integers(0, n)] = False
    cells[late] = rng.choice(rare, late.sum())
    if rng.random() < 0.5:
        cells[rng.random(n) < 0.1] = ""
    return cells


def hostile(seed):
    """Name, text and options of an odd file."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(45, 400)), int(rng.integers(1, 7))
    kind = str(rng.choice([*SEPARATORS, "csv", "csv"]))
    separator = SEPARATORS[kind]
    pools = rng.choice([*POOLS], p)
    columns = [cells_of(rng, pool, n) for pool in pools]
    names = [f"{pool}{j}" for j, pool in enumerate(pools)]
    odd = rng.choice([*[""] * 12, *["names", "rows", "short", "ends"] * 2, "twice", "gap"])
    if odd in ("rows", "short"):
        rows = [str(i) for i in range(n)]
        rows[-1] = "3" if rng.random() < 0.2 else rows[-1]
        columns.insert(0, np.array(rows, dtype=object))
        names = ["", *names] if odd == "rows" else names
    names = {"twice": [*names[:-1], names[0]], "names": ["a b", *names[1:]]}.get(odd, names)
    if odd == "gap":
        names[-1] = ""
    always = rng.random() < 0.2  # quotation marks

    def line(cells):
        return separator.join(
            f'"{c}"' if always or separator in c or '"' in c or (c and rng.random() < 0.02) else c
            for c in cells
        ) + (separator if odd == "ends" else "")

    lines = [line(names), *map(line, zip(*columns, strict=True))]
    place = int(rng.integers(1, len(lines)))
    if rng.random() < 0.3:
        lines[place] = faulty(str(rng.choice(FAULTS)), lines[place], separator)
    options = {}
    if rng.random() < 0.1:
        lines, options = [f'a title{separator} "of it', *lines], {"skip": 1}
    if kind in ("txt", "data") and rng.random() < 0.8:
        options["separator"] = separator
    if rng.random() < 0.15:
        options["decimal"] = ","
    elif rng.random() < 0.1:
        options["thousands"] = str(rng.choice(list(",'")))
    if rng.random() < 0.1:
        options["missing_marks"] = (
            ("-9", "NA") if rng.random() < 0.5 else (*MISSING_MARKS, "-9", "x")
        )
    if rng.random() < 0.05:
        options["header"] = bool(rng.random() < 0.5)
    end = str(rng.choice(["\n", "\n", "\n", "\r\n", "\r"]))
    text = end.join(lines) + (end if rng.random() < 0.7 else "")
    return f"a.{kind}", ("\ufeff" if rng.random() < 0.1 else "") + text, options


def faulty(fault, line, separator):
    """A line with something odd in it."""
    return {
        "short": line.rpartition(separator)[0] or line,
        "long": line + separator + "1",
        "quote": line + '"',
        "inner": line[:1] + '"' + line[1:],
        "open": '"' + line,
        "blank": line + "\n\n",
        "spaces": line + "\n   ",
        "line": '"' + line.replace(separator, '\n"' + separator, 1),
        "doubled": '"a ""b"""' + separator + line.partition(separator)[2],
    }.get(fault, line)


def outcome(path, options, monkeypatch, large, block=2**24):
    """The table, or the sentence that refuses it; and whether it was read block by block."""
    by_blocks = []
    whole = large_delimited.read_large_file

    def read_large(*args):
        by_blocks.append(True)  # a refusal is an answer, too
        frame = whole(*args)
        by_blocks[0] = frame is not None
        return frame

    with monkeypatch.context() as patch:
        patch.setattr(reading, "LARGE", large)
        patch.setattr(large_delimited, "BLOCK", block)
        patch.setattr(large_delimited, "FIRST", block // 4)
        patch.setattr(large_delimited, "read_large_file", read_large)
        try:
            found = read_table(path, **options)
        except TableError as reason:
            return str(reason), by_blocks
    return found, by_blocks


def assert_same(blocks, whole):
    if isinstance(whole, str) or isinstance(blocks, str):
        assert blocks == whole
        return
    assert blocks.attrs["notes"] == whole.attrs["notes"]
    pd.testing.assert_frame_equal(blocks, whole, check_exact=True, check_column_type="exact")
    for name in whole:
        if whole[name].dtype == float:  # -0 is not 0
            signs = [np.signbit(frame[name].fillna(1)) for frame in (blocks, whole)]
            np.testing.assert_array_equal(*signs)
        elif whole[name].dtype == object:
            assert [type(x) for x in blocks[name]] == [type(x) for x in whole[name]]


@pytest.mark.seconds
@pytest.mark.parametrize("part", range(10))
def test_odd_files_are_the_same_table_or_the_same_sentence_block_by_block(
    tmp_path, monkeypatch, part
):
    n_by_blocks = 0
    for seed in range(60 * part, 60 * (part + 1)):
        name, text, options = hostile(seed)
        path = tmp_path / name
        path.write_bytes(text.encode())
        whole, _ = outcome(path, options, monkeypatch, NEVER)
        for block in (4000, 9000, 2**24):
            blocks, by_blocks = outcome(path, options, monkeypatch, 0, block)
            n_by_blocks += any(by_blocks)
            try:
                assert_same(blocks, whole)
            except AssertionError:
                print(seed, block, options, text, sep="\n")
                raise
    assert n_by_blocks > 30


def read_by_blocks(path, monkeypatch, block=4000, **options):
    """The table of a file that has to be read block by block, or the refusal of it."""
    found, by_blocks = outcome(path, options, monkeypatch, 0, block)
    assert by_blocks == [True]
    return found


def table_text(n=400, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    frame["text"] = rng.choice(["low", "high", "Smith, J"], n)
    frame["whole"] = pd.array(rng.integers(0, 9, n), dtype="Int64")
    frame.loc[n // 2, "whole"] = pd.NA
    return frame.to_csv(index=False)


def test_decimals_are_rounded_as_python_rounds_them(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    values = rng.integers(0, 2**63, 3000).view(np.float64)
    # halfway between two floats, and next to it
    ends = [".5", ".50000000000000000000001", ".49999999999999999999999"]
    halves = [f"{v}{ends[k % 3]}" for k, v in enumerate(rng.integers(2**52, 2**53, 3000))]
    texts = [
        [repr(float(v)) if np.isfinite(v) and v < 1e15 else "0.5" for v in values],
        halves,
        [f"0.{a}{b}" for a, b in rng.integers(10**17, 10**18, (3000, 2))],
    ]
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n" + "\n".join(map(",".join, zip(*texts, strict=True))))
    frame = read_by_blocks(path, monkeypatch, 20_000)
    for name, column in zip("abc", texts, strict=True):
        np.testing.assert_array_equal(frame[name], [float(text) for text in column])


@pytest.mark.parametrize(
    "rare",
    ["x", "2.5", "NA", "-0", "007", "+1", "0x1F", "1e400", "9007199254740993", "5 %", " 5", "True"],
)
def test_a_column_that_is_other_than_its_first_rows_is_read_again(tmp_path, monkeypatch, rare):
    rows = [f"{i % 7},{i % 5}.5,{'ab'[i % 2]}" for i in range(900)]
    rows[700] = f"{rare},{rare},{rare}"
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["n,f,t", *rows]))
    assert_same(read_by_blocks(path, monkeypatch), outcome(path, {}, monkeypatch, NEVER)[0])


@pytest.mark.parametrize("cell", ["a" * 2**17, "0." + "1" * 2**17, "a" * (2**17 - 1)])
def test_very_long_cells_are_taken_or_refused_alike(tmp_path, monkeypatch, cell):
    path = tmp_path / "a.csv"
    path.write_text(table_text(100) + f"1,2,3,low,4\n0,1,2,{cell},4\n")
    whole, _ = outcome(path, {}, monkeypatch, NEVER)
    assert_same(outcome(path, {}, monkeypatch, 0, 4000)[0], whole)


@pytest.mark.parametrize("name", ["a.csv.gz", "a.CSV.GZ"])
def test_packed_files_are_read_block_by_block(tmp_path, monkeypatch, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(table_text().encode()))
    assert_same(read_by_blocks(path, monkeypatch), outcome(path, {}, monkeypatch, NEVER)[0])
    path.write_bytes(path.read_bytes()[:-20])
    assert "cannot be unpacked" in outcome(path, {}, monkeypatch, 0)[0]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1", "cp1252"])
def test_other_encodings_are_left_to_the_reader_of_whole_texts(tmp_path, monkeypatch, encoding):
    path = tmp_path / "a.csv"
    path.write_bytes(table_text().replace("low", "é").encode(encoding))
    for options in ({}, {"encoding": encoding}):
        assert_same(
            outcome(path, options, monkeypatch, 0, 4000)[0],
            outcome(path, options, monkeypatch, NEVER)[0],
        )


REFUSED_AT_ONCE = {
    "another separator": (lambda text: text.replace(",", ";"), "only one column"),
    "no header": (lambda text: text.partition("\n")[2], "does not look like column names"),
    "a title": (lambda text: "Results\n" + text, "not part of its table"),
    "a line of another width": (
        lambda text: text.replace("\n", "\nx,", 60).replace("\nx,", "\n", 59),
        "line 61 of a.csv must have 5 values, as the first line. Got 6",
    ),
}


@pytest.mark.parametrize(("change", "what"), REFUSED_AT_ONCE.values(), ids=REFUSED_AT_ONCE)
def test_what_the_first_block_shows_is_refused_before_the_rest_is_read(
    tmp_path, monkeypatch, change, what
):
    path = tmp_path / "a.csv"
    text = change(table_text(100).replace('"Smith, J"', "mid"))
    path.write_text(text + table_text(3000, 1).partition("\n")[2])
    shares = []
    found = read_by_blocks(path, monkeypatch, 6000, watch=shares.append)
    assert what in found
    assert not shares


def test_a_table_that_does_not_fit_into_memory_is_refused_by_its_first_block(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text(table_text(20_000))
    monkeypatch.setattr(memory, "WORTH", 0)
    monkeypatch.setattr(memory, "available_memory", lambda: 2 * 10**7)
    assert isinstance(read_by_blocks(path, monkeypatch, 30_000), pd.DataFrame)
    monkeypatch.setattr(memory, "available_memory", lambda: 5 * 10**5)
    found = read_by_blocks(path, monkeypatch, 30_000)
    needed, rows = re.search(r"a.csv needs (\d+) MB of memory for ([\d,]+) rows", found).groups()
    assert int(rows.replace(",", "")) == pytest.approx(20_000, rel=0.05)
    assert needed == "1"


def test_the_share_that_is_read_grows_and_its_watch_can_end_the_reading(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text(table_text(2000))
    shares = []
    read_by_blocks(path, monkeypatch, 8000, watch=shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 5
    assert shares[-1] == 1

    def interrupt(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_by_blocks(path, monkeypatch, 8000, watch=interrupt)


def test_without_pyarrow_a_large_file_is_the_same_table_with_one_note_more(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text(table_text())
    whole, _ = outcome(path, {}, monkeypatch, NEVER)
    monkeypatch.setattr(reading, "find_spec", lambda name: None)
    slow, by_blocks = outcome(path, {}, monkeypatch, 0)
    assert not by_blocks
    *notes, last = slow.attrs["notes"]
    assert "hetsel[files]" in str(last)
    assert notes == [*whole.attrs["notes"]]
    pd.testing.assert_frame_equal(slow, whole)


def test_the_walk_over_bytes_is_its_slow_twin():
    rng = np.random.default_rng(3)
    signs = np.array(list('aa,,;"" \t\n\n0019x-+.é'))
    found = {"unfit": 0, "odd": 0, "plain": 0}
    for _ in range(6000):
        text = "".join(rng.choice(signs, rng.integers(0, 9))) + "\n"
        separator = str(rng.choice(list(",;\t ")))
        slow = odd_lines.checked(text, separator)
        found["unfit" if slow is None else "odd" if slow[1] else "plain"] += 1
        if slow is None:
            with pytest.raises(Unfit):
                check_lines(text.encode(), separator)
        else:
            content, odd = check_lines(text.encode(), separator)
            assert (content.decode(), odd) == slow, (text, separator)
    assert min(found.values()) > 500
