"""Merge the stores of parts of a study.

All checks come before any writing, and all is written in one transaction. A merge that is refused,
interrupted or killed leaves the store unchanged; the same call starts it again.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hetsel.evaluation.progress import RunProgress
from hetsel.ground import Fix, StoreError, listed
from hetsel.study.plan.parts import missing_in_words
from hetsel.study.plan.plan import changes
from hetsel.study.results import Results
from hetsel.study.store import runs_in_words, stored_cells
from hetsel.study.store.sqlite_store import KeptCell, KeptFailure, Store

MOST = 8  # maximum number of differences in an error


@dataclass(frozen=True, eq=False)
class Held:
    """The content of a store."""

    path: Path
    facts: dict[str, Any]
    plan: list[tuple[str, str, str, int]]  # key, data set, method, resampling of each cell
    answers: dict[str, bytes]  # checksum of the results of each finished cell
    versions: dict[str, dict[str, str]]  # versions that computed each finished cell
    failures: list[KeptFailure]

    @classmethod
    def of(cls, file: Store) -> "Held":
        """Read an open store and check each of its cells."""
        facts = {name: file.about(name) for name in stored_cells.FACTS}
        if facts["plan"] is None:
            raise StoreError(f"{file.path} holds no study yet", Fix("run", then="to start one"))
        kept = file.kept(sorted(file.finished()))
        answers = {key: _checksum(contents) for key, _, contents in kept}
        return cls(file.path, facts, file.plan(), answers, file.versions(), file.kept_failures())

    @property
    def keys(self) -> list[str]:
        """Keys of the cells of the plan; they determine all that the cells depend on."""
        return [key for key, *_ in self.plan]


def merge_stores(
    stores: str | Path | Iterable[str | Path], into: str | Path, *, progress: bool = True
) -> Results:
    """Merge the stores of parts of a study into one store.

    The results have the same digest as those of a single run of the whole plan, in any order of the
    stores. A failed cell stays failed unless another store has its result. The merge reports which
    cells are still missing; a run of the plan with the merged store computes them.

    Parameters
    ----------
    stores : sequence of path
        Stores (.sqlite files) to merge; they remain unchanged.
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
            given.append(Held.of(file))
    _check(given)
    if given:
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
        say.line("  run the plan with this store to compute the missing cells")
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


def _checksum(contents: Sequence[Any]) -> bytes:
    return stored_cells.checksum(stored_cells.answers_in(contents).values())


def _join(file: Store, given: Sequence[Held], say: RunProgress) -> None:
    """Write the cells that the merged store lacks."""
    there = [] if file.about("plan") is None else [Held.of(file)]
    if there:
        _check([*there, *given])
    every = [*there, *given]
    for note in _notes(every):
        say.line(f"note: {note}")
    known = {key for one in there for key in one.answers}
    taken: dict[str, Held] = {}
    for one in given:
        for key in one.answers.keys() - known:
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
    facts = {**every[0].facts, "parts": _dealing(every), "repeated": repeated}
    file.write_plan(facts, every[0].plan, _cells(taken, given), failures.values())


def _cells(taken: dict[str, Held], given: Sequence[Held]) -> Iterator[KeptCell]:
    """Read the cells to take from each store again; they must be unchanged."""
    for one in given:
        with Store(one.path) as file:
            for cell in file.kept(sorted(key for key, other in taken.items() if other is one)):
                if _checksum(cell[2]) != one.answers[cell[0]]:
                    raise StoreError(f"{one.path} changed while it was read. Merge again")
                yield cell


def _dealing(every: Sequence[Held]) -> dict[str, Any] | None:
    """Return the parts of the cells if the stores agree on them."""
    dealt = [(one.keys, one.facts["parts"]["numbers"]) for one in every if one.facts["parts"]]
    by_key = [dict(zip(keys, numbers, strict=True)) for keys, numbers in dealt]
    if not by_key or any(part_of != by_key[0] for part_of in by_key):
        return None
    numbers = [by_key[0][key] for key in every[0].keys]
    return {"of": max(numbers), "numbers": numbers}


def _check(every: Sequence[Held]) -> None:
    """Raise an error if stores are not of one study or contradict each other."""
    for one in every[1:]:
        if set(one.keys) != set(every[0].keys):
            raise StoreError(
                f"{one.path} and {every[0].path} belong to different studies, so nothing was "
                f"merged. Differences: {_differences(every[0], one)}. Run all parts of one plan on "
                "the same data and with the same version of hetsel"
            )
    computed = [one for one in every if one.versions]
    for one in computed[1:]:
        first, other = _hetsel(computed[0]), _hetsel(one)
        if first != other:
            raise StoreError(
                f"{one.path} was computed with hetsel {listed(other)} and {computed[0].path} with "
                f"hetsel {listed(first)}, so nothing was merged. Run all parts with the same "
                "version"
            )
    owner: dict[str, Held] = {}
    different = [
        (owner[key], one, key)
        for one in every
        for key, answer in sorted(one.answers.items())
        if owner.setdefault(key, one).answers[key] != answer
    ]
    if different:
        raise _contradiction(*different[0], len({key for *_, key in different}))


def _hetsel(one: Held) -> list[str]:
    return sorted({versions.get("hetsel", "unknown") for versions in one.versions.values()})


def _differences(one: Held, other: Held) -> str:
    """Name the differences of two studies in plan, data or code."""
    found = [
        *changes(one.facts["plan"], other.facts["plan"]),
        *runs_in_words.changed_tables(one.facts["datasets"], other.facts["datasets"]),
    ]
    if not found:
        versions = " and ".join(listed(_hetsel(held)) or "unknown" for held in (one, other))
        return f"plans and data are the same, but the code is not (hetsel {versions})"
    more = len(found) - MOST
    return "; ".join([*found[:MOST], *([f"and {more} more"] if more > 0 else [])])


def _contradiction(one: Held, other: Held, key: str, count: int) -> StoreError:
    dataset, method, resampling = next(
        ((d, m, r) for known, d, m, r in [*one.plan, *other.plan] if known == key), ("?", "?", -1)
    )
    contents = []
    for held in (one, other):
        with Store(held.path) as file:
            contents += [cell[2] for cell in file.kept([key])]
    parts = stored_cells.other_answers(*contents)
    versions = runs_in_words.other_versions([one.versions[key]], other.versions[key])
    because = f" (versions: {versions})" if versions else ""
    more = f", as do {count - 1} other {'cell' if count == 2 else 'cells'}" if count > 1 else ""
    return StoreError(
        f"the cell {method!r} on {dataset!r}, resampling {resampling} (key {key[:12]}) differs "
        f"between {other.path} and {one.path} in {listed(parts)}{because}{more}. Nothing was "
        "merged. Leave one of the two stores out, and run the plan with the merged store to "
        "compute the missing cells"
    )


def _notes(every: Sequence[Held]) -> Iterator[str]:
    """Yield notes on differences between stores that do not affect cells."""
    known: dict[str, list[dict[str, str]]] = {}
    for one in every:
        for change in changes(every[0].facts["plan"], one.facts["plan"]):
            yield f"{one.path}: the plan differs, without effect on cells: {change}"
        methods = {key: method for key, _, method, _ in one.plan}
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
