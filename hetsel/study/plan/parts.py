"""Parts of a study, each run by itself: which cells each part has, with nothing to agree upon.

The splits of each table are dealt like cards, there and back again: with three parts to 1, 2, 3, 3,
2, 1, 1 and so on, and the next table begins where it evens out. So the numbers of splits of a table
in two parts differ by one at most, as do those in all, splits in the order of time are spread
evenly, and a part has splits of even and of odd number, each of which chooses the size for the
other. All methods on one split, and a table with its treatments, are in the same part: what is
compared stays together. With more parts than splits single cells are dealt, method after method.
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
    """One of the parts that a study is run in, the `number`-th, from 1, of so many."""

    number: int
    of: int

    @classmethod
    def read(cls, given: Any) -> "StudyPart":
        """The part that a text such as "1/4" or a pair of numbers names; else a PlanError.

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
        """What the name of its store ends in where none is named."""
        return f".part-{self.number}-of-{self.of}"


def dealt(places: Sequence[CellPlace], of: int) -> list[int]:
    """Number of the part, from 1, of each cell; PlanError where there are more parts than cells.

    A place is the content of table and method, and the resampling: cells of one place, those of a
    table and its treatments, stay together.

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
            f"part: the study can be run in at most {counted(len(single), 'part')}, one for each "
            f"method on each split. Got {of}"
        )
    alone = {cell: k % of + 1 for k, cell in enumerate(single)}
    return [alone[method, table, resampling] for table, method, resampling in places]


def _there_and_back(splits: Sequence[tuple[str, int]], of: int) -> dict[tuple[str, int], int]:
    """Number of the part of each split, ascending by table and resampling."""
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
    """How far each part of a study is in a store; nothing where it is not run in parts.

    `dealing` says how many parts there are, `of`, and the `numbers` of the parts of the cells.

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
    """What a store lacks by its :meth:`hetsel.Results.status`: by part, or by data set and method.

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
