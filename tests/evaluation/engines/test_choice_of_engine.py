"""Engines: the same results from one process, workers and a cluster, whatever methods do."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path

import pytest
from study.studies import Misbehaves, small_study

from hetsel import Results
from hetsel.evaluation.computation import CellFailure
from hetsel.evaluation.engines import cell_queue, choice_of_engine
from hetsel.evaluation.engines.cell_queue import CellQueue, Lost
from hetsel.evaluation.engines.choice_of_engine import through
from hetsel.ground.errors import Fix, HetselWarning, PlanError
from hetsel.study import cell as cells
from hetsel.study.planned_cells import plan_cells

FOREST = {"key": "random-forest", "params": {"n_estimators": 20}}
FOREST_OF_R = {"key": "rf10000", "params": {"ntree": 50}}
METHODS = ["rfe-svm", "rfe-mkl", FOREST, FOREST_OF_R]
ROOT = Path(__file__).parents[3]


def told(*ways, **params):
    """A method for each way to misbehave."""
    return [{"key": Misbehaves, "params": {"how": how, **params}, "label": how} for how in ways]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    study = small_study(methods=METHODS)
    path = tmp_path_factory.mktemp("alone") / "a.sqlite"
    return study.run(path, n_jobs=1, progress=False).digest()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [0, 2])
def test_any_number_of_workers_gives_the_same_results(alone, tmp_path, jobs):
    results = small_study(methods=METHODS).run(tmp_path / "a.sqlite", n_jobs=jobs, progress=False)
    assert results.status()["finished"] == 16
    assert results.digest() == alone


class Scripted:
    """An engine whose cells die as told: how often, by key."""

    def __init__(self, deaths, room):
        self.deaths, self.size, self.flying, self.sent = deaths, room, deque(), []

    @property
    def idle(self):
        return not self.flying

    @property
    def room(self):
        return len(self.flying) < self.size

    def send(self, orders):
        assert len(self.flying) < self.size
        self.sent.append((len(self.flying), [order.key for order in orders]))
        self.flying.append(list(orders))

    def hear(self):
        batch = self.flying.popleft()
        order = batch.pop(0)
        if batch:
            self.flying.append(batch)
        if self.deaths.get(order.key, 0):
            self.deaths[order.key] -= 1
            return [Lost(order.key, "SIGABRT")]
        return [CellFailure(order.key, "done", "")]

    def stop(self):
        return []

    def close(self):
        self.sent.append("closed")


def test_suspects_are_computed_once_more_with_nothing_beside_them():
    cells = plan_cells(small_study(resamplings=8))
    twice, once = cells[3].key, cells[6].key
    engine = Scripted({twice: 2, once: 1}, room=3)
    outcomes = [one for batch in through(engine, CellQueue(cells)) for one in batch]
    assert sorted(one.key for one in outcomes) == sorted(cell.key for cell in cells)
    reasons = {one.key: one.reason for one in outcomes}
    assert reasons.pop(twice).startswith("the worker process died twice while computing this cell")
    assert set(reasons.values()) == {"done"}
    for key in (twice, once):
        beside, batch = [sent for sent in engine.sent if key in sent[1]][1]
        assert (beside, batch) == (0, [key])
    assert max(beside for beside, _ in engine.sent[:-1]) == 2
    assert engine.sent[-1] == "closed"


@pytest.mark.slow
def test_whatever_methods_raise_or_warn_is_a_failure_or_cut(tmp_path):
    ways = ["sys.exit", "KeyboardInterrupt", "GeneratorExit", "Base", "no text", "surrogate"]
    methods = [*told(*ways, "long", "own cause", "warns"), "rfe-svm"]
    study = small_study(methods=methods, resamplings=2, classifiers=["naive-bayes"])
    results = study.run(tmp_path / "a.sqlite", n_jobs=1, progress=False)
    failures = results.failures()
    assert results.status()["missing"] == 0
    assert set(failures["method"]) == {*ways, "long", "own cause"}
    assert failures["reason"].str.len().max() < 500
    assert failures["trace"].str.contains("misbehave").all()
    assert (tmp_path / "a.sqlite").stat().st_size < 10**6
    warned = results.warnings()["warning"]
    assert "and 950 other warnings" in set(warned)
    assert warned.str.len().max() < 1500


@pytest.mark.slow
def test_a_cell_that_kills_its_worker_becomes_a_failure(tmp_path):
    methods = ["rfe-svm", *told("abort", "leaves")]
    study = small_study(methods=methods, resamplings=1, classifiers=["naive-bayes"])
    results = study.run(tmp_path / "a.sqlite", n_jobs=2, progress=False)
    status = results.status()
    assert (status["finished"], status["failed"], status["missing"]) == (1, 2, 0)
    reasons = results.failures().set_index("method")["reason"]
    assert "died twice while computing this cell" in reasons["abort"]
    assert "(SIGABRT)" in reasons["abort"]
    assert "(exit code 0)" in reasons["leaves"]


@pytest.mark.slow
def test_a_time_limit_ends_a_cell_and_no_other(tmp_path):
    methods = ["rfe-svm", *told("hangs", "spins")]
    study = small_study(methods=methods, resamplings=1, classifiers=["naive-bayes"])
    path = tmp_path / "a.sqlite"
    results = study.run(path, n_jobs=1, time_limit=2, progress=False)
    status = results.status()
    assert (status["finished"], status["failed"], status["missing"]) == (1, 2, 0)
    reasons = results.failures()["reason"]
    assert set(reasons) == {"the cell took longer than the time limit of 2 s"}
    # neither the cells nor the plan know of a limit
    fine = small_study(resamplings=1, methods=["rfe-svm"])
    limited = fine.run(tmp_path / "b.sqlite", n_jobs=1, time_limit=60, progress=False)
    assert limited.digest() == fine.run(tmp_path / "c.sqlite", n_jobs=0, progress=False).digest()


@pytest.mark.parametrize("limit", [0, -1.0, float("nan"), "1 s", True])
def test_a_limit_that_is_none(tmp_path, limit):
    with pytest.raises(ValueError, match="time_limit must be a positive number. Got"):
        small_study().run(tmp_path / "a.sqlite", time_limit=limit)
    assert not list(tmp_path.iterdir())


def interrupt_when(there):
    """Ctrl-C as soon as a file is there."""

    def wait():
        while not there.exists():
            time.sleep(0.05)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=wait, daemon=True).start()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [0, 1])
def test_the_first_ctrl_c_is_heard_in_a_hang_and_what_is_finished_is_kept(
    tmp_path, jobs, monkeypatch
):
    monkeypatch.setattr(choice_of_engine, "PATIENCE", 0.3)
    flag, path = tmp_path / "flag", tmp_path / "a.sqlite"
    methods = [*told("nothing"), *told("hangs", flag=str(flag))]
    study = small_study(methods=methods, resamplings=1, classifiers=["naive-bayes"])
    # both cells in one batch
    monkeypatch.setattr("hetsel.evaluation.engines.cell_queue.SECONDS", 9.0)
    monkeypatch.setattr(CellQueue, "take", batch_of_all)
    interrupt_when(flag)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        study.run(path, n_jobs=jobs, progress=False)
    assert signal.getsignal(signal.SIGINT) is before
    assert Results(path).status()["finished"] == 1


def batch_of_all(queue):
    (held,) = queue._waiting.values()
    jobs = [(cell.recipe, cell.resampling, cell.key, queue._recall(cell)) for cell in held]
    data = held[0].data
    held.clear()
    return data, jobs


@pytest.mark.seconds
@pytest.mark.parametrize(("times", "kept"), [(1, 3), (2, 2)])
def test_ctrl_c_once_finishes_the_cell_and_twice_drops_it(tmp_path, monkeypatch, times, kept):
    calls = []
    compute = cells.Recipe.run

    def interrupted_in_the_third(*cell):
        calls.append(cell)
        if len(calls) == 3:
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
        return compute(*cell)

    monkeypatch.setattr(cells.Recipe, "run", interrupted_in_the_third)
    before = signal.getsignal(signal.SIGINT)
    study, path = small_study(), tmp_path / "a.sqlite"
    with pytest.raises(KeyboardInterrupt):
        study.run(path, n_jobs=0, progress=False)
    assert signal.getsignal(signal.SIGINT) is before
    assert len(calls) == 3
    assert Results(path).status()["finished"] == kept
    whole = study.run(tmp_path / "b.sqlite", n_jobs=0, progress=False)
    assert study.run(path, n_jobs=0, progress=False).digest() == whole.digest()


def test_ctrl_c_after_the_last_look_at_it_interrupts_at_the_end():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), choice_of_engine.first_interrupt() as heard:
        signal.raise_signal(signal.SIGINT)
    assert heard.is_set()
    assert signal.getsignal(signal.SIGINT) is before


def test_a_process_deaf_to_ctrl_c_stays_deaf():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with choice_of_engine.first_interrupt() as heard:
            signal.raise_signal(signal.SIGINT)
        assert not heard.is_set()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


SESSION = """
import sys
from study.studies import Misbehaves, small_study
class Mine(Misbehaves):
    def _select(self, problem):
        return helped(super()._select(problem))
def helped(answer):
    print("a method prints")
    return answer
def closure():
    class Inner(Mine):
        pass
    return Inner
study = small_study(methods=[Mine, closure()], resamplings=1, classifiers=["naive-bayes"])
results = study.run(sys.argv[1], n_jobs=1, progress=False)
print(results.status()["finished"], len(results.failures()))
print(set(results.warnings()["warning"]))
"""


@pytest.mark.slow
def test_what_a_session_defines_reaches_a_worker_and_what_a_method_prints_is_kept(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SESSION, str(tmp_path / "a.sqlite")],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
    )
    assert done.stdout == "2 0\n{'printed: a method prints'}\n", done.stderr
    assert "a method prints" not in done.stderr


def test_what_cannot_be_sent_is_computed_in_this_process(tmp_path):
    lock = threading.Lock()

    class Locked(Misbehaves):
        def _select(self, problem):
            with lock:
                return super()._select(problem)

    study = small_study(methods=[Locked], resamplings=1)
    why = "method '.*Locked' cannot be sent to another process .cannot pickle '_thread.lock'"
    with pytest.warns(HetselWarning, match=why) as warned:
        results = study.run(tmp_path / "a.sqlite", n_jobs=1, progress=False)
    assert warned[0].message.fixes == (Fix("jobs", 0, "is used"),)
    assert results.failures().empty
    for where in ({"time_limit": 1.0}, {"dask": "tcp://127.0.0.1:1"}):
        with pytest.raises(PlanError, match=why):
            study.run(tmp_path / "b.sqlite", n_jobs=1, progress=False, **where)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/thread-self/children").exists(), reason="needs /proc")
def test_a_killed_run_leaves_no_worker_no_program_of_a_method_and_no_file(tmp_path):
    code = (
        "import sys\n"
        "from evaluation.engines.test_choice_of_engine import told\n"
        "from study.studies import small_study\n"
        "methods = told('runs a program', flag=sys.argv[1] + '/flag')\n"
        "small_study(methods=methods).run(sys.argv[1] + '/a.sqlite', n_jobs=1, progress=False)\n"
    )
    place = tmp_path / "temporary"
    place.mkdir()
    paths = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "TMPDIR": str(place)}
    environment = {**os.environ, **paths}
    run = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=environment)
    while not (tmp_path / "flag").exists():
        time.sleep(0.1)
        assert run.poll() is None
    (worker,) = children(run.pid)
    while not (programs := children(worker)):  # the file comes before the program
        time.sleep(0.1)
    (folder,) = place.iterdir()
    (folder / "left.csv").write_text("by a method")
    run.kill()
    run.wait()
    latest = time.monotonic() + 30
    while left := [process for process in (worker, *programs) if lives(process)]:
        if time.monotonic() > latest:
            for process in left:
                os.kill(process, signal.SIGKILL)
            raise AssertionError(f"of worker {worker} and programs {programs}, {left} live on")
        time.sleep(0.1)
    assert not list(place.iterdir())


def children(process):
    """Numbers of the processes that the first thread of a process has started."""
    return [int(n) for n in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def lives(process):
    """Whether there is such a process that has not ended."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def test_a_worker_that_cannot_begin_is_told_of(tmp_path, monkeypatch):
    monkeypatch.setattr("hetsel.evaluation.engines.local_workers.BEGIN", "import sys; sys.exit(7)")
    cannot = r"cannot start \(exit code 7\)\. .* import hetsel"
    with pytest.raises(RuntimeError, match=cannot) as refused:
        small_study().run(tmp_path / "a.sqlite", n_jobs=1, progress=False)
    assert refused.value.fixes == (Fix("jobs", 0, "to compute in this process"),)


def test_a_time_limit_names_the_option_that_starts_worker_processes(tmp_path):
    with pytest.raises(PlanError, match="time_limit needs a worker process.*n_jobs=1") as refused:
        small_study().run(tmp_path / "a.sqlite", n_jobs=0, time_limit=1.0, progress=False)
    assert refused.value.fixes == (Fix("jobs", 1, "to start one"),)


def test_methods_of_hetsel_may_load_compiled_code_beyond_a_limit():
    methods = ["rfe-svm", Misbehaves, "sklearn.feature_selection.SelectKBest"]
    queue = CellQueue(plan_cells(small_study(methods=methods, resamplings=1)))
    found = []
    while queue:
        found += [order.loading for order in cell_queue.orders_of(queue.take())]
    assert found == [cell_queue.LOADING, 0.0, 0.0]
