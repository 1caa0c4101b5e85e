"""Run a study: compute the cells that its store lacks, with the same results on any engine."""

import time
from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self, cast

import joblib

from hetsel.evaluation.by_key import code_of_modules
from hetsel.evaluation.computation import CellFailure
from hetsel.evaluation.data import train_and_test_rows
from hetsel.evaluation.engines.cell_queue import CellQueue, Outcomes, PlannedCell
from hetsel.evaluation.engines.choice_of_engine import computed
from hetsel.evaluation.progress import RunProgress
from hetsel.ground import Fix, PlanError, StoreError, positive, text, whole_number
from hetsel.ground import plan_entries as check
from hetsel.study import plan_trial
from hetsel.study.cell import (
    CellResult,
    Judgment,
    Known,
    Recipe,
    identity_of_judge,
)
from hetsel.study.plan import stored_plan
from hetsel.study.plan.judges_of_kinds import with_judges
from hetsel.study.plan.parts import StudyPart, dealt
from hetsel.study.plan.plan import Plan, changes
from hetsel.study.planned_cells import cell_places, judges_of_cells, judgments_of, plan_cells
from hetsel.study.repeated_cells import repeat
from hetsel.study.results import Results
from hetsel.study.store import runs_in_words, sqlite_store, stored_cells
from hetsel.tables.column import open_questions


@dataclass(frozen=True, eq=False)
class Study(Plan):
    """Compare selection methods over data sets and resamplings.

    A study is a plan that can be run. On each data set every method selects features on the
    training rows of every resampling. The judge, a classifier, regressor or survival model, is
    trained on the selected features and scored on the held-out rows. Each cell (data set, method,
    resampling) is stored when it is finished, so an interrupted run continues where it stopped. See
    :class:`hetsel.study.plan.plan.Plan` for the parameters.

    See Also
    --------
    hetsel.Results : Results of a study as data frames.
    hetsel.compare_methods : Compare the methods of a study.
    hetsel.write_study_report : Write the report of a study.
    hetsel.merge_stores : Merge the stores of parts of a study.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> study = Study(datasets=["heart"], methods=["cmim", "hsic"], resamplings=2, sizes=[2])
    >>> with TemporaryDirectory() as folder:
    ...     results = study.run(f"{folder}/study.sqlite", n_jobs=0, progress=False)
    ...     results.status()["finished"]
    4
    """

    # fingerprints of the tables of the store that the plan comes from, by data set
    _tables: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a study from a plan (a TOML file) or from a store (an SQLite file).

        The plan of a store is that of its last run, or of a merge. Tables that are files are looked
        for beside the store and in the working directory; they must be those of the store.

        Parameters
        ----------
        path : str or Path
            The TOML file, whose entries are the parameters of
            :class:`hetsel.study.plan.plan.Plan`, or the store.

        Returns
        -------
        Study
            Run it with the same store to continue: ``study.run(path)``.

        Raises
        ------
        PlanError
            If the file is no plan, or if an entry is unknown or out of range.
        StoreError
            If the store cannot be used.
        """
        path = Path(path)
        if not sqlite_store.is_store(path):
            return super().load(path)
        with sqlite_store.Store(path) as file:
            written, data, judges = map(file.about, ("plan", "datasets", "asked_judges"))
        if written is None:
            raise StoreError(f"{path} holds no study yet", Fix("run", then="to start one"))
        lacking = stored_plan.tables_of_python(written)
        if lacking:
            raise PlanError(
                f"{path.name}: the tables of {text.listed(lacking)} were given in Python and are "
                "not in the store. Run the study from Python, with these tables"
            )
        folders = list(dict.fromkeys([path.absolute().parent, Path.cwd()]))
        content = stored_plan.with_files_in(stored_plan.plan_content(written, judges), folders)
        tables = {about["name"]: about["fingerprint"] for about in data}
        return cls(**content, _where=path.name, _folder=path.parent, _imports=False, _tables=tables)

    def run(
        self,
        store: str | Path | None = None,
        *,
        part: str | tuple[int, int] | None = None,
        n_jobs: int | None = None,
        dask: str | None = None,
        time_limit: float | None = None,
        retry: bool = False,
        anew: str | Sequence[str] = (),
        progress: bool = True,
    ) -> Results:
        """Compute the cells that the store of the study lacks.

        A cell has a selection and a judgment by each judge. The store keeps them apart: a further
        judge costs no selection, nor do other sizes, except for methods whose signatures depend on
        them; see :mod:`hetsel.study.asked_sizes`.

        One cell of each external method is computed twice. If the two results differ, for example
        because of a generator without a seed, the run prints a caution; see
        :meth:`hetsel.Results.warnings`.

        Before the first cell, external methods and judges and tuned methods are tried on about
        twenty rows. One that fails in every cell is refused; see :mod:`hetsel.study.plan_trial`.

        Parameters
        ----------
        store : path, optional
            SQLite file with the results. Default: NAME.sqlite, where NAME is the name in the plan.
        part : str or pair of int, optional
            Compute only part I of N parts of the cells, for independent runs. Each part has its own
            store, by default NAME.part-I-of-N.sqlite; `hetsel study merge` combines them. See
            :mod:`hetsel.study.plan.parts`.
        n_jobs : int, optional
            Number of worker processes. A method that crashes ends only its worker and its cell;
            with 0, hetsel computes in this process, which a crash ends. Default: one per processor.
        dask : str, optional
            Address of a running Dask cluster to compute on, for example tcp://host:8786. Use only a
            cluster that you trust, since its messages are unpickled and can run code.
        time_limit : float, optional
            Time limit of a cell in seconds, without the time to load compiled code. A cell that
            takes longer is stopped and fails. Default: no limit.
        retry : bool
            Compute failed and damaged cells again. Default: False.
        anew : str or sequence of str, optional
            Labels of methods and judges whose results are computed again. hetsel recomputes them by
            itself if the code of a method or judge changed, but not if something changed that it
            reads, such as a file. See :mod:`hetsel.evaluation.by_key.code_of_methods`.
        progress : bool
            Whether to report the progress on stderr. Default: True.

        Returns
        -------
        Results

        Raises
        ------
        StoreError
            If another run is using the store, or if the store cannot be used.
        PlanError, TableError
            If the plan, the part or a data set cannot be used, or if a method or judge fails in
            every cell.
        """
        chosen = None if part is None else StudyPart.read(part)
        path = self.default_store(chosen) if store is None else Path(store)
        if n_jobs is not None:
            n_jobs = whole_number("n_jobs", n_jobs, 0)
        if time_limit is not None:
            time_limit = positive("time_limit", time_limit)
        study = self.imported()
        cells = plan_cells(study)  # an invalid plan leaves no store behind
        original, study = study, with_judges(study, judges_of_cells(cells))
        labels = {spec.label for spec in (*study.methods, *study.classifiers)}
        named = check.items("anew", anew) if anew else []
        again = {check.one_of("anew", label, sorted(labels)) for label in named}
        numbers = None if chosen is None else dealt(cell_places(study, cells), chosen.of)
        compute = partial(
            computed,
            jobs=joblib.cpu_count() if n_jobs is None else n_jobs,
            dask=dask,
            time_limit=time_limit,
        )
        there = _there(path, retry, set(_keys_of(cells, again)))
        plan_trial.try_plan(cells, there, in_worker=n_jobs != 0 or dask is not None)
        with sqlite_store.Store(path, writing=True) as file:
            say = RunProgress(progress)
            facts = {
                "asked_judges": stored_plan.asked_judges(original),
                "parts": None if numbers is None else {"of": max(numbers), "numbers": numbers},
                "time_limit": time_limit,
            }
            _write_plan(file, study, cells, facts, say)
            _say_open_questions(study, cells, say)
            code = _say_unread_code(study, say)
            if chosen is not None and numbers is not None:
                say.line(f"part {chosen.number} of {chosen.of} of a study of {len(cells)} cells")
                cells = [
                    c for c, number in zip(cells, numbers, strict=True) if number == chosen.number
                ]
            if retry:
                file.drop(file.damaged())
            if again:
                _drop(file, set(_keys_of(cells, again)))
            done, failed = file.finished(), set() if retry else set(file.failed())
            lacking = {cell.key: _lacking(cell, done, failed) for cell in cells}
            missing = [cell for cell in cells if lacking[cell.key] is not None]
            if missing:
                queue = CellQueue(missing, partial(_recalled, file, done, lacking))
                outcomes = compute(queue, [cell.recipe for cell in missing])
                say.start(Counter(cell.place for cell in missing), len(cells))
                _keep(file, outcomes, queue, {cell.key: cell for cell in missing}, say)
            say.end(_failures(file, cells), len(cells), path)
            new = file.finished() - done
            for caution in [
                *_changed_code(study, code),
                *repeat(file, cells, new, compute),
            ]:
                say.line(f"caution: {caution}")
        return Results(path, original)


def _there(path: Path, retry: bool, again: Collection[str]) -> set[str]:
    """Return the keys of the results, and of failures unless they are tried again, in a store."""
    if not path.exists():
        return set()
    with sqlite_store.Store(path) as file:
        return (file.finished() | set(() if retry else file.failed())) - set(again)


def _keys_of(cells: Sequence[PlannedCell], labels: Collection[str]) -> Iterator[str]:
    """Yield the keys of the results of these methods and judges."""
    for cell in cells:
        own = cell.place[1] in labels
        if own:
            yield cell.key
        for judge, key in zip(cell.recipe.classifiers, judgments_of(cell), strict=True):
            if own or judge.label in labels:
                yield key


def _lacking(
    cell: PlannedCell, done: Collection[str], failed: Collection[str]
) -> tuple[int, ...] | None:
    """Return the judges that a cell lacks, by position, or None if nothing is to compute."""
    if cell.key not in done and cell.key in failed:
        return None
    judges = tuple(
        place
        for place, key in enumerate(judgments_of(cell))
        if key not in done and key not in failed
    )
    return judges if judges or cell.key not in done else None


def _recalled(
    file: sqlite_store.Store,
    done: Collection[str],
    lacking: Mapping[str, tuple[int, ...] | None],
    cell: PlannedCell,
) -> Known:
    """Return what the store has of a cell, and the judges that it lacks."""
    kept = next(file.selections([cell.key])) if cell.key in done else None
    return Known(kept, lacking[cell.key] or ())


def _failures(file: sqlite_store.Store, cells: Sequence[PlannedCell]) -> list[tuple[str, str]]:
    """Return the label of the method and the reason of each failed cell."""
    failed = file.failed()
    return [
        (cell.place[1], failed[key][0])
        for cell in cells
        for key in [cell.key, *judgments_of(cell)]
        if key in failed
    ]


def _drop(file: sqlite_store.Store, keys: set[str]) -> None:
    """Remove results and their facts from a store."""
    file.drop(keys)
    known = file.about("repeated") or {}
    file.write_facts({"repeated": {key: v for key, v in known.items() if key not in keys}})


def _say_unread_code(study: Plan, say: RunProgress) -> list[code_of_modules.CodeFacts]:
    """Print which code of methods and judges cannot be compared; return their modules."""
    modules = []
    for spec in (*study.methods, *study.classifiers):
        code = spec.code
        modules.append(code.in_modules)
        if code.unread:
            say.line(
                f"note: {spec.label}: changes of {text.listed(code.unread)}, which its code uses, "
                "cannot be detected. Compute its cells again with anew if one of these changes"
            )
    return modules


def _changed_code(study: Plan, before: Sequence[code_of_modules.CodeFacts]) -> Iterator[str]:
    """Yield a caution for methods and judges whose files changed since the run began."""
    for spec, known in zip((*study.methods, *study.classifiers), before, strict=True):
        if spec.code.in_modules != known:
            yield (
                f"{spec.label}: its code changed while the study ran, so its cells may come from "
                "either version. Compute them again with anew"
            )


def _write_plan(
    file: sqlite_store.Store,
    study: Plan,
    cells: list[PlannedCell],
    others: Mapping[str, Any],
    say: RunProgress,
) -> None:
    """Write the plan with other facts; print which results of an earlier plan are valid."""
    before, facts_before = file.plan(), {name: file.about(name) for name in stored_cells.FACTS}
    recipes = {cell.place[1]: cast(Recipe, cell.recipe) for cell in cells}
    facts: dict[str, Any] = {
        "plan": study.to_dict(),
        "datasets": [
            _facts(cell, several=len(judges_of_cells(cells)) > 1)
            for cell in {c.data.name: c for c in cells}.values()
        ],
        "sizes": {c.data.name: list(c.recipe.sizes) for c in cells},
        "identities": {
            "methods": [recipes[spec.label].selected_by for spec in study.methods],
            "judges": list(map(identity_of_judge, study.classifiers)),
        },
        **others,
    }
    plan = [(c.key, *c.place, c.resampling) for c in cells]
    now = stored_cells.CellPlaces(plan, facts).rows().keys()
    if before and stored_cells.CellPlaces(before, facts_before).rows().keys() != now:
        stored = file.finished()
        selections = {cell.key for cell in cells}
        counts = [(selections, "selections"), (now - selections, "judgments")]
        kept = [f"{len(keys & stored)} of its {len(keys)} {what}" for keys, what in counts]
        say.line(f"the plan has changed: {' and '.join(kept)} are in {file.path.name}")
        for change in changes(facts_before["plan"], facts["plan"]):
            say.line(f"  changed: {change}")
        for change in runs_in_words.changed_tables(facts_before["datasets"], facts["datasets"]):
            say.line(f"  changed: {change}")
        for lost in runs_in_words.lost_cells(before, stored, selections):
            say.line(f"  {lost}")
    file.write_plan(facts, plan)


def _facts(cell: PlannedCell, *, several: bool) -> dict[str, Any]:
    """Return the facts of the data set of a cell that a store keeps.

    With `several` kinds of targets they include the identities of its judges.
    """
    recipe = cast(Recipe, cell.recipe)
    share = train_and_test_rows.mean_test_share(cell.data, recipe.resamplings, recipe.seed)
    facts = cell.data.to_dict() | ({} if share is None else {"test_share": share})
    return facts | ({"judges": list(recipe.judged_by)} if several else {})


def _say_open_questions(study: Plan, cells: list[PlannedCell], say: RunProgress) -> None:
    """Print notes on the files and open questions about the columns of the user's tables."""
    own = {spec.name for spec in study.datasets if spec.file is not None or spec.X is not None}
    tables = {cell.data.name: cell.data for cell in cells if cell.data.name in own}
    for dataset, data in tables.items():
        for of_file in data.notes:
            say.line(f"note: {dataset}: {of_file}")
        for names, note in open_questions(data.table.schema.columns):
            say.line(f"note: {dataset}: {text.listed(names)}: {note}")


def _keep(
    file: sqlite_store.Store,
    outcomes: Generator[Outcomes],
    queue: CellQueue,
    cells: Mapping[str, PlannedCell],
    say: RunProgress,
) -> None:
    """Store outcomes as soon as they are computed."""
    compare = _VersionsBefore(file, say)
    with closing(outcomes):  # so that workers always end with the run
        for batch in outcomes:
            start = time.perf_counter()
            file.add(cast(list[CellResult | CellFailure], batch))  # all are of recipes
            say.stored(time.perf_counter() - start)
            for outcome in batch:
                cell, failed = cells[outcome.key], True
                if isinstance(outcome, CellResult):
                    queue.learn(outcome)
                    say.computed(outcome.rank_seconds, outcome.classify_seconds)
                    if outcome.selected:
                        compare(cell.place[1], outcome.selection.versions)
                    for judge, found in zip(
                        cell.recipe.classifiers, outcome.judgments, strict=True
                    ):
                        if isinstance(found, Judgment):
                            compare(f"judge {judge.label}", found.versions)
                    failed = any(isinstance(j, CellFailure) for j in outcome.judgments)
                say.cell(cell.place, failed)


class _VersionsBefore:
    """Print once in which versions new cells of a method differ from earlier ones."""

    def __init__(self, file: sqlite_store.Store, say: RunProgress) -> None:
        self._line = say.line
        self._said: set[str] = set()
        self._known: dict[str, list[Mapping[str, str]]] = {}
        facts = {name: file.about(name) for name in stored_cells.FACTS}
        labels = stored_cells.CellPlaces(file.plan(), facts).labels_of_rows()
        for key, versions in file.versions().items():  # the first that were used come first
            if key in labels and versions not in self._known.setdefault(labels[key], []):
                self._known[labels[key]].append(versions)

    def __call__(self, method: str, versions: Mapping[str, str]) -> None:
        differs = runs_in_words.other_versions(self._known.get(method, []), versions)
        if differs and differs not in self._said:
            self._said.add(differs)
            self._line(
                f"note: {method}: versions differ from those of its earlier cells: {differs}"
            )
