"""Merge the stores of one study: its parts, other methods, judges, data sets or resamplings.

All checks come before any writing, and all is written in one transaction. A merge that is refused,
interrupted or killed leaves the store unchanged; the same call starts it again.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hetsel.evaluation.progress import RunProgress
from hetsel.ground import StoreError, counted, listed
from hetsel.study.joined_plans import (
    PlanRow,
    StoreContent,
    joined_plan,
    other_labels,
)
from hetsel.study.plan.parts import missing_in_words
from hetsel.study.results import Results
from hetsel.study.store import runs_in_words, stored_cells
from hetsel.study.store.sqlite_store import KeptFailure, KeptRow, Store


def merge_stores(
    stores: str | Path | Iterable[str | Path], into: str | Path, *, progress: bool = True
) -> Results:
    """Merge the stores of one study into one store.

    The stores are those of parts of a plan, or of plans that differ in methods, judges, data sets
    or the number of resamplings. The merged plan has all of them; other options, such as the seed
    and the sizes, must be equal. The results have the same digest as those of a single run of the
    merged plan, in any order of the stores. A failed cell stays failed unless another store has its
    result. The merge reports which cells are still missing; a run of the merged plan with the
    merged store computes them.

    Parameters
    ----------
    stores : sequence of path
        Stores (.sqlite files) to merge; they remain unchanged. Names, labels and the order of data
        sets and methods are those of the first store that has them.
    into : path
        Merged store. An existing store keeps its cells and gets the missing ones.
    progress : bool
        Whether to report the progress on stderr. Default: True.

    Returns
    -------
    Results

    Raises
    ------
    StoreError
        If a run is using one of the stores, if the stores belong to different studies, data or
        versions of hetsel, if a cell differs between two stores, or if a store is damaged or named
        twice. In these cases nothing is written.

    See Also
    --------
    hetsel.Study.run : Run a part of a study.

    Examples
    --------
    >>> import tempfile
    >>> from hetsel import Study
    >>> study = Study(datasets=["heart"], methods=["hsic"], resamplings=4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     options = {"n_jobs": 0, "progress": False}
    ...     parts = [f"{folder}/{i}.sqlite" for i in (1, 2)]
    ...     for i, part in enumerate(parts, start=1):
    ...         _ = study.run(part, part=(i, 2), **options)
    ...     merged = merge_stores(parts, f"{folder}/all.sqlite", progress=False)
    ...     whole = study.run(f"{folder}/whole.sqlite", **options)
    ...     merged.status()["missing"], merged.digest() == whole.digest()
    (0, True)
    """
    target, say = Path(into), RunProgress(progress)
    given = []
    for path in _each_once(stores, target):
        with Store(path) as file:
            file.refuse_writer()
            file.verify()
            given.append(StoreContent.of(file))
    if given:
        joined_plan(given)
        _check(given)
        with Store(target, writing=True) as file:
            _join(file, given, say)
    results = Results(target)
    status = results.status()
    say.line(
        f"{target}: {status['finished']} of {status['cells']} cells, {status['failed']} failed"
    )
    for missing in missing_in_words(status):
        say.line(f"  {missing}")
    if status["missing"]:
        say.line(f"  `hetsel study run {target}` computes the missing cells")
    return results


def _each_once(stores: str | Path | Iterable[str | Path], target: Path) -> list[Path]:
    """Return the files to read, without the one that is written."""
    paths = [Path(p) for p in ([stores] if isinstance(stores, str | Path) else stores)]
    if not paths:
        raise StoreError("stores must be one or more files. Got none. Name the stores of the parts")
    files: dict[Any, Path] = {}
    for path in paths:
        name = _file(path)
        if name in files:
            also = f", also as {files[name]}" if str(files[name]) != str(path) else ""
            raise StoreError(f"{path} is named twice{also}. Name each store once")
        files[name] = path
    files.pop(_file(target), None)
    return list(files.values())


def _file(path: Path) -> Any:
    """Return what identifies a file, whatever its path."""
    try:
        found = os.stat(path)
    except OSError:  # opening the file raises the error
        return os.path.abspath(path)
    return found.st_dev, found.st_ino


def _join(file: Store, given: Sequence[StoreContent], say: RunProgress) -> None:
    """Write the cells that the merged store lacks."""
    there = [] if file.about("plan") is None else [StoreContent.of(file)]
    if there:
        _check([*there, *given])
    every = [*there, *given]
    facts, plan = joined_plan(every)
    for note in _notes(every, facts):
        say.line(f"note: {note}")
    known = {key for one in there for key in one.results}
    taken: dict[str, StoreContent] = {}
    for one in given:
        for key in one.results.keys() - known:
            taken.setdefault(key, one)
    failed = {row[0] for one in there for row in one.failures}
    failures: dict[str, KeptFailure] = {}
    for one in given:
        for row in one.failures:
            if row[0] not in known | taken.keys() | failed:
                failures.setdefault(row[0], row)
    repeated: dict[str, Any] = {}
    for one in every:
        repeated |= one.facts["repeated"] or {}
    facts |= {"parts": _dealing(every, plan), "repeated": repeated}
    file.write_plan(facts, plan, _rows(taken, given), failures.values())


def _rows(taken: dict[str, StoreContent], given: Sequence[StoreContent]) -> Iterator[KeptRow]:
    """Read the results to take from each store again; they must be unchanged."""
    for one in given:
        own = sorted(key for key, other in taken.items() if other is one)
        with Store(one.path) as file:
            for name in stored_cells.CONTENTS:
                for row in file.kept(name, (key for key in own if one.tables[key] == name)):
                    if stored_cells.checksum_of_results(row[0], row[3]) != one.results[row[1]]:
                        raise StoreError(f"{one.path} changed while it was read. Merge again")
                    yield row


def _dealing(every: Sequence[StoreContent], plan: Sequence[PlanRow]) -> dict[str, Any] | None:
    """Return the parts of the cells if the stores agree on them."""
    by_key = [
        {row[0]: number for row, number in zip(one.plan, dealt["numbers"], strict=True)}
        for one in every
        if (dealt := one.facts["parts"])
    ]
    keys = [key for key, *_ in plan]
    if not by_key or {*keys} != {*by_key[0]} or any(part_of != by_key[0] for part_of in by_key):
        return None
    numbers = [by_key[0][key] for key in keys]
    return {"of": max(numbers), "numbers": numbers}


def _check(every: Sequence[StoreContent]) -> None:
    """Raise an error if stores contradict each other."""
    computed = [one for one in every if one.versions]
    for one in computed[1:]:
        first, other = computed[0].hetsel, one.hetsel
        if first != other:
            raise StoreError(
                f"{one.path} was computed with hetsel {listed(other)} and {computed[0].path} with "
                f"hetsel {listed(first)}, so nothing was merged. Run all parts with the same "
                "version"
            )
    owner: dict[str, StoreContent] = {}
    different = [
        (owner[key], one, key)
        for one in every
        for key, answer in sorted(one.results.items())
        if owner.setdefault(key, one).results[key] != answer
    ]
    if different:
        raise _contradiction(*different[0], len({key for *_, key in different}))


def _contradiction(one: StoreContent, other: StoreContent, key: str, count: int) -> StoreError:
    place = next((known[key] for held in (one, other) if key in (known := held.places.rows())), "?")
    table, contents = one.tables[key], []
    for held in (one, other):
        with Store(held.path) as file:
            contents += [row[3] for row in file.kept(table, [key])]
    parts = stored_cells.different_results(table, *contents)
    versions = runs_in_words.other_versions([one.versions[key]], other.versions[key])
    because = f" (versions: {versions})" if versions else ""
    more = f", as do {counted(count - 1, 'other result')}" if count > 1 else ""
    return StoreError(
        f"the cell {place} (key {key[:12]}) differs between {other.path} and {one.path} in "
        f"{listed(parts)}{because}{more}. Nothing was merged. Leave one of the two stores out, and "
        "run the plan with the merged store to compute the missing cells"
    )


def _notes(every: Sequence[StoreContent], facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield notes on differences between stores that do not affect results."""
    known: dict[str, list[dict[str, str]]] = {}
    for one in every:
        for what, own, kept in other_labels(facts, one):
            yield f"{one.path}: {what} {own!r} is {kept!r} in the merged plan"
        methods = one.places.labels_of_rows()
        new: dict[tuple[str, str], None] = {}
        for key, versions in one.versions.items():
            method = methods.get(key, "")
            before = known.setdefault(method, [])
            if differs := runs_in_words.other_versions(before, versions):
                new[method, differs] = None
            if versions not in before:
                before.append(versions)
        for method, differs in new:
            yield f"{one.path}: {method}: versions differ from those of earlier stores: {differs}"
