"""What of a store's earlier runs still holds, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hetsel.study.plan.plan import changes


def lost_cells(
    before: Iterable[tuple[str, str, str, int]], finished: set[str], now: set[str]
) -> Iterator[str]:
    """The finished cells of an earlier plan that this one leaves out, by data set and method."""
    kept = finished - now
    gone: dict[str, Counter[str]] = {}
    for key, dataset, method, _ in before:
        if key in kept:
            gone.setdefault(dataset, Counter())[method] += 1
    for dataset, counts in sorted(gone.items()):
        methods = ", ".join(f"{method} {count}" for method, count in sorted(counts.items()))
        yield f"no longer part of the study, but kept: cells of {dataset}: {methods}"


def changed_tables(
    before: Iterable[Mapping[str, Any]], now: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """The data sets whose name stood for another table before, and how the two differ.

    Examples
    --------
    >>> one, two = ({"name": "own", "fingerprint": f, "rows": n} for f, n in (("a", 9), ("b", 8)))
    >>> list(changed_tables([one], [two]))
    ["the table of data set 'own': rows: 9 -> 8"]
    >>> list(changed_tables([one], [one | {"fingerprint": "c"}]))
    ["the table of data set 'own': other values in its cells, its target or its test rows"]
    """
    known = {data["name"]: data for data in before}
    for data in now:
        old = known.get(data["name"], data)
        if old["fingerprint"] != data["fingerprint"]:
            same = {"fingerprint": ""}
            differs = "; ".join(changes({**old, **same}, {**data, **same}))
            unseen = "other values in its cells, its target or its test rows"
            yield f"the table of data set {data['name']!r}: {differs or unseen}"


def other_versions(before: Sequence[Mapping[str, str]], now: Mapping[str, str]) -> str:
    """How the versions of a cell differ from those of the last cells of its method before.

    Examples
    --------
    >>> old, new = {"python": "3.11", "numpy": "1.26"}, {"python": "3.11", "numpy": "2.4"}
    >>> other_versions([old], new), other_versions([old, new], new), other_versions([], new)
    ('numpy 1.26 -> 2.4', '', '')
    """
    if not before or now in before:
        return ""
    last = before[-1]
    names = [name for name in {**last, **now} if last.get(name) != now.get(name)]
    return ", ".join(f"{n} {last.get(n, 'none')} -> {now.get(n, 'none')}" for n in names)
