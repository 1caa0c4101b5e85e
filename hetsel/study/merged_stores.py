"""Stores of the parts of a study, merged into one.

All that could speak against it is looked at before anything is written, and all is written in one
transaction: a merge that is refused, interrupted or killed leaves the store as it was, and is begun
again by the same call.
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

MOST = 8  # differences that an error names


@dataclass(frozen=True, eq=False)
class Held:
    """What a store holds."""

    path: Path
    facts: dict[str, Any]
    plan: list[tuple[str, str, str, int]]  # key, data set, method, resampling of each cell
    answers: dict[str, bytes]  # checksum of what each finished cell found
    versions: dict[str, dict[str, str]]  # what each of them was computed with
    failures: list[KeptFailure]

    @classmethod
    def of(cls, file: Store) -> "Held":
        """What an open store holds; each of its cells is checked."""
        facts = {name: file.about(name) for name in stored_cells.FACTS}
        if facts["plan"] is None:
            raise StoreError(f"{file.path} holds no study yet", Fix("run", then="starts one"))
        kept = file.kept(sorted(file.finished()))
        answers = {key: _checksum(contents) for key, _, contents in kept}
        return cls(file.path, facts, file.plan(), answers, file.versions(), file.kept_failures())

    @property
    def keys(self) -> list[str]:
        """Keys of the cells of the plan, which tell what the cells depend on."""
        return [key for key, *_ in self.plan]


def merge_stores(
    stores: str | Path | Iterable[str | Path], into: str | Path, *, progress: bool = True
) -> Results:
    """Merge the stores of parts of a study into one, which then is as if one run had written it.

    What was found has the digest of a single run of the whole plan, whatever the order of the
    stores. Cells that failed are kept as such, unless another store has their result. What is still
    missing is said, and a run of the plan with the merged store computes it.

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
        A run still works on a store; stores of different studies, data or versions of hetsel; a
        cell with different answers in two of them; a store that is damaged or given twice. Nothing
        is written then.

    Examples
    --------
    >>> import tempfile
    >>> from hetsel import Study
    >>> study = Study(datasets=["heart"], methods=["t-test"], resamplings=4)
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
        say.line("  a run of the plan with this store computes what is missing")
    return results


def _each_once(stores: str | Path | Iterable[str | Path], target: Path) -> list[Path]:
    """The files to read; the one that is written to is none of them."""
    paths = [Path(p) for p in ([stores] if isinstance(stores, str | Path) else stores)]
    if not paths:
        raise StoreError("there is nothing to merge: name the stores of the parts")
    files: dict[Any, Path] = {}
    for path in paths:
        name = _file(path)
        if name in files:
            also = f", as {files[name]}, too" if str(files[name]) != str(path) else ""
            raise StoreError(f"{path} is given twice{also}: name each store once")
        files[name] = path
    files.pop(_file(target), None)
    return list(files.values())


def _file(path: Path) -> Any:
    """What a file is known by, whatever it is called."""
    try:
        found = os.stat(path)
    except OSError:  # opening it says so
        return os.path.abspath(path)
    return found.st_dev, found.st_ino


def _checksum(contents: Sequence[Any]) -> bytes:
    return stored_cells.checksum(stored_cells.answers_in(contents).values())


def _join(file: Store, given: Sequence[Held], say: RunProgress) -> None:
    """Write what the merged store lacks."""
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
    """The cells that are taken from each store, read once more and still what they were."""
    for one in given:
        with Store(one.path) as file:
            for cell in file.kept(sorted(key for key, other in taken.items() if other is one)):
                if _checksum(cell[2]) != one.answers[cell[0]]:
                    raise StoreError(f"{one.path} changed while it was read: merge once more")
                yield cell


def _dealing(every: Sequence[Held]) -> dict[str, Any] | None:
    """How the cells were dealt to parts, where the stores agree on it."""
    dealt = [(one.keys, one.facts["parts"]["numbers"]) for one in every if one.facts["parts"]]
    by_key = [dict(zip(keys, numbers, strict=True)) for keys, numbers in dealt]
    if not by_key or any(part_of != by_key[0] for part_of in by_key):
        return None
    numbers = [by_key[0][key] for key in every[0].keys]
    return {"of": max(numbers), "numbers": numbers}


def _check(every: Sequence[Held]) -> None:
    """Refuse stores that are not of one study, or contradict each other."""
    for one in every[1:]:
        if set(one.keys) != set(every[0].keys):
            raise StoreError(
                f"{one.path} is of another study than {every[0].path}, and nothing was merged: "
                f"{_differences(every[0], one)}. Run all parts of one plan, on the same data and "
                "with the same version of hetsel"
            )
    computed = [one for one in every if one.versions]
    for one in computed[1:]:
        first, other = _hetsel(computed[0]), _hetsel(one)
        if first != other:
            raise StoreError(
                f"{one.path} was computed with hetsel {listed(other)}, {computed[0].path} with "
                f"hetsel {listed(first)}, and nothing was merged: run all parts with the same "
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
    """In what two studies differ; their plans and tables may be the same, but not their code."""
    found = [
        *changes(one.facts["plan"], other.facts["plan"]),
        *runs_in_words.changed_tables(one.facts["datasets"], other.facts["datasets"]),
    ]
    if not found:
        versions = " and ".join(listed(_hetsel(held)) or "unknown" for held in (one, other))
        return f"plans and data are the same, but not what cells are made of (hetsel {versions})"
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
    more = f", as are {count - 1} other cells" if count > 1 else ""
    return StoreError(
        f"the cell {method!r} on {dataset!r}, resampling {resampling} (key {key[:12]}) is another "
        f"in {other.path} than in {one.path}{more}, and nothing was merged: it differs in "
        f"{listed(parts)}{because}. Leave one of the two stores out; a run of the plan with the "
        "merged store computes what is missing then"
    )


def _notes(every: Sequence[Held]) -> Iterator[str]:
    """What differs between the stores without making the cells others."""
    known: dict[str, list[dict[str, str]]] = {}
    for one in every:
        for change in changes(every[0].facts["plan"], one.facts["plan"]):
            yield f"{one.path}: the plan differs in what no cell depends on: {change}"
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
            yield f"{one.path}: {method}: other versions than in the stores before: {differs}"
