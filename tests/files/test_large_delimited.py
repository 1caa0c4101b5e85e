"""A large delimited file, read block by block, is the table that the whole text is."""

import gzip

import numpy as np
import pandas as pd
import pytest
from twins import odd_lines

from hetsel.files import large_delimited
from hetsel.files.line_blocks import Unfit, checked
from hetsel.files.reading import MISSING_MARKS, read_table
from hetsel.ground.errors import TableError
from hetsel.tables import memory

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
    whole = large_delimited.read_large

    def read_large(*args):
        by_blocks.append(True)  # a refusal is an answer, too
        frame = whole(*args)
        by_blocks[0] = frame is not None
        return frame

    with monkeypatch.context() as patch:
        patch.setattr(large_delimited, "LARGE", large)
        patch.setattr(large_delimited, "BLOCK", block)
        patch.setattr(large_delimited, "read_large", read_large)
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
