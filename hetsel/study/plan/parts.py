"""Assign the cells of a study to parts that run independently, without communication.

The splits of each data set are dealt back and forth: with three parts to 1, 2, 3, 3, 2, 1, 1 and so
on. The next data set begins where the numbers become even. The numbers of splits of a data set in
two parts therefore differ by at most one, as do the total numbers. Time-ordered splits are spread
evenly. Every part has even-numbered and odd-numbered splits, each of which choose the size for the
other. All methods on one split, and a data set with its treatments, are in the same part, so that
what is compared stays together. With more parts than splits, single cells are dealt by method.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from hetsel.ground import PlanError, counted, is_whole, listed

CellPlace = tuple[str, str, int]  # table, method, resampling


@dataclass(frozen=True)
class StudyPart:
    """Part `number` (from 1) `of` the parts of a study."""

    number: int
    of: int

    @classmethod
    def read(cls, given: Any) -> "StudyPart":
        """Read a part from a text such as "1/4" or a pair of numbers.

        Examples
        --------
        >>> StudyPart.read("1/4") == StudyPart.read((1, 4)), str(StudyPart.read("1/4"))
        (True, '1/4')
        """
        found = given
        if isinstance(given, str):
            text = re.fullmatch(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*", given)
            found = () if text is None else [int(number) for number in text.groups()]
        pair = isinstance(found, list | tuple) and len(found) == 2
        if not pair or not all(map(is_whole, found)) or not 1 <= found[0] <= found[1]:
            raise PlanError(
                "part must be i/n, the i-th of n parts with 1 <= i <= n, such as 1/4. Got "
                f"{given!r:.60}"
            )
        return cls(int(found[0]), int(found[1]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def suffix(self) -> str:
        """Suffix of the default store of the part."""
        return f".part-{self.number}-of-{self.of}"


def dealt(places: Sequence[CellPlace], of: int) -> list[int]:
    """Return the number of the part, from 1, of each cell.

    A place is the content of data set and method, and the resampling. Cells of one place, such as
    those of a data set and its treatments, are in the same part.

    Examples
    --------
    >>> places = [("t", m, r) for r in range(3) for m in ("a", "b")]
    >>> dealt(places, 2), dealt(places, 5)
    ([1, 1, 2, 2, 2, 2], [1, 4, 2, 5, 3, 1])
    """
    splits = sorted({(table, resampling) for table, _, resampling in places})
    if of <= len(splits):
        place = _there_and_back(splits, of)
        return [place[table, resampling] for table, _, resampling in places]
    single = sorted({(method, table, resampling) for table, method, resampling in places})
    if of > len(single):
        raise PlanError(
            f"part must be one of at most {counted(len(single), 'part')}, since the study has this "
            f"number of methods times splits. Got {of} parts"
        )
    alone = {cell: k % of + 1 for k, cell in enumerate(single)}
    return [alone[method, table, resampling] for table, method, resampling in places]


def _there_and_back(splits: Sequence[tuple[str, int]], of: int) -> dict[tuple[str, int], int]:
    """Return the number of the part of each split, ascending by data set and resampling."""
    place: dict[tuple[str, int], int] = {}
    for _, own in groupby(splits, key=lambda split: split[0]):
        first = len(place)
        for k, split in enumerate(own):
            turn, card = divmod(k, of)
            place[split] = (first + (of - 1 - card if turn % 2 else card)) % of + 1
    return place


def by_part(
    dealing: Mapping[str, Any] | None,
    keys: Iterable[str],
    finished: Collection[str],
    failed: Collection[str],
) -> list[dict[str, int]]:
    """Count cells of each part of a study in a store; empty if there are no parts.

    `dealing` has the number of parts, `of`, and the `numbers` of the parts of the cells.

    Examples
    --------
    >>> by_part({"of": 2, "numbers": [1, 2, 1]}, "abc", {"a"}, {"c"})[0]
    {'part': 1, 'of': 2, 'cells': 2, 'finished': 1, 'failed': 1}
    """
    if dealing is None:
        return []
    parts = [
        {"part": i + 1, "of": dealing["of"], "cells": 0, "finished": 0, "failed": 0}
        for i in range(dealing["of"])
    ]
    for key, number in zip(keys, dealing["numbers"], strict=True):
        part = parts[number - 1]
        part["cells"] += 1
        part["finished"] += key in finished
        part["failed"] += key in failed and key not in finished
    return parts


def missing_in_words(status: Mapping[str, Any]) -> Iterator[str]:
    """Describe the missing cells of a :meth:`hetsel.Results.status`, by part or by method.

    Examples
    --------
    >>> parts = by_part({"of": 3, "numbers": [1, 2, 3, 1]}, "abcd", {"a", "b"}, set())
    >>> list(missing_in_words({"by_part": parts}))
    ['part 1 of 3: 1 of 2 cells missing', 'part 3 of 3: all cells missing (1)']
    >>> one = {"dataset": "own", "method": "t-test", "cells": 3, "finished": 1, "failed": 0}
    >>> list(missing_in_words({"by_part": [], "parts": [one]}))
    ['t-test on own: 2 of 3 cells missing']
    """
    absent = []
    for part in status["by_part"]:
        missing = part["cells"] - part["finished"] - part["failed"]
        if missing == part["cells"]:
            absent.append(part)
        elif missing:
            cells = counted(part["cells"], "cell")
            yield f"part {part['part']} of {part['of']}: {missing} of {cells} missing"
    if absent:
        noun = "part" if len(absent) == 1 else "parts"
        numbers = listed(part["part"] for part in absent)
        cells = sum(part["cells"] for part in absent)
        yield f"{noun} {numbers} of {absent[0]['of']}: all cells missing ({cells})"
    for one in () if status["by_part"] else status["parts"]:
        missing = one["cells"] - one["finished"] - one["failed"]
        if missing:
            cells = counted(one["cells"], "cell")
            yield f"{one['method']} on {one['dataset']}: {missing} of {cells} missing"
