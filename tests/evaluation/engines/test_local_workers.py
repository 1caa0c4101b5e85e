"""Worker processes, seen from both ends of the pipe."""

import io
import os
import queue
import signal
import sys
import tempfile
from collections import deque
from types import SimpleNamespace

import pytest

from hetsel.evaluation.computation import CellFailure
from hetsel.evaluation.engines import worker_loop
from hetsel.evaluation.engines.cell_queue import Lost, Order, Parcel
from hetsel.evaluation.engines.local_workers import TRIES, KeptWorkers, WorkerProcess, Workers


def order(key):
    return Order(Parcel("data", b""), Parcel("recipe", b""), 0, key, 0.0)


def done(key):
    return ("outcome", CellFailure(key, "done", ""))


class Scripted:
    """A worker that has begun; `last` is what it has said by the time it is killed."""

    def __init__(self, news, keys, last=(None,), ready=True):
        self.news, self.last, self.ready = news, list(last), ready
        self.orders = deque(map(order, keys))
        self.deadline, self.late, self.gone, self.forgot = float("inf"), False, False, False

    def send(self, orders):
        self.orders.extend(orders)

    def forget(self):
        self.forgot = True

    def let_go(self):
        self.last.append("let go")

    def end(self):
        self.gone = True

    def how_it_ended(self):
        return "SIGKILL"

    def kill(self):
        for said in self.last:
            self.news.put((self, said))
        self.last, self.gone = [], True


@pytest.fixture
def workers(monkeypatch):
    monkeypatch.setattr("hetsel.evaluation.engines.local_workers.TICK", 0.01)
    return Workers(2, sys.executable, 1.0)


def add(workers, *arguments, **options):
    workers._running.append(Scripted(workers._news, *arguments, **options))
    return workers._running[-1]


def test_a_cell_is_late_also_while_others_come_back_all_the_time(workers):
    late, busy = add(workers, ["hung", "next"]), add(workers, map(str, range(5)))
    late.deadline = 0.0
    heard = []
    for key in map(str, range(5)):
        workers._news.put((busy, done(key)))
        heard += [one.key for one in workers.hear()]
    assert heard[:3] == ["0", "hung", "1"]
    assert [one.key for one in busy.orders] == ["next"]


def test_what_a_late_worker_said_before_it_was_ended_counts(workers):
    late = add(workers, ["in time", "next"], last=[done("in time"), ("begins", 0.0), None])
    late.deadline = 0.0
    heard = [*workers.hear(), *workers.hear()]
    assert [type(one) for one in heard] == [CellFailure, Lost]
    assert [one.key for one in heard] == ["in time", "next"]


def test_an_outcome_is_handed_back_once(workers):
    gone = add(workers, ["a"])
    gone.gone = True
    assert [one.key for one in workers.hear()] == ["a"]
    workers._news.put((gone, done("a")))
    assert workers.stop() == []


def test_a_worker_that_is_killed_before_it_begins_is_followed_by_another(workers, monkeypatch):
    monkeypatch.setattr(
        "hetsel.evaluation.engines.local_workers.WorkerProcess",
        lambda program, news: Scripted(news, [], ready=False),
    )
    workers.send([order("a")])
    for _ in range(TRIES - 1):
        workers._news.put((workers._running[0], None))
        assert workers.hear() == []
    workers._news.put((workers._running[0], ("ready",)))
    assert workers.hear() == []
    assert [one.key for one in workers._running[0].orders] == ["a"]
    workers._running[0].gone = True
    assert [one.key for one in workers.hear()] == ["a"]
    workers.send([order("b")])
    for _ in range(TRIES - 1):
        workers._news.put((workers._running[0], None))
        assert workers.hear() == []
    workers._news.put((workers._running[0], None))
    with pytest.raises(RuntimeError, match=r"cannot start \(SIGKILL\)"):
        workers.hear()


def test_kept_workers_outlive_a_queue_but_for_those_with_a_cell(monkeypatch):
    monkeypatch.setattr("hetsel.evaluation.engines.local_workers.TICK", 0.01)
    kept = KeptWorkers(3, sys.executable, None)
    busy, idle, begins = add(kept, ["a"]), add(kept, []), add(kept, [], ready=False)
    kept._waiting.append([order("b")])
    kept.close()
    assert (busy.gone, idle.gone, begins.gone) == (True, False, False)
    assert (idle.forgot, kept.idle) == (True, True)
    kept.send([order("c")])
    assert [one.key for one in idle.orders] == ["c"]
    kept._news.put((busy, done("a")))  # of the queue before
    kept._news.put((idle, done("c")))
    assert [one.key for one in kept.hear()] == ["c"]
    kept.end()
    assert (idle.gone, begins.gone) == (True, True)


def sent(name, key):
    """An order whose outcome says what was sent, and which process computed it."""
    method = SimpleNamespace(
        key="none",
        target=None,
        told=lambda problem: problem,
        trial=lambda: SimpleNamespace(solve=lambda problem: None),
    )
    recipe = SimpleNamespace(
        method=method,
        classifiers=(),
        run=lambda data, number, key: CellFailure(key, data.name, str(os.getpid())),
    )
    data = SimpleNamespace(target=SimpleNamespace(kind="classes"), name=name)
    return Order(Parcel("data", data), Parcel("recipe", recipe), 0, key, 0.0)


@pytest.mark.seconds
def test_a_process_serves_queue_after_queue_and_forgets_what_it_was_sent():
    kept, found = KeptWorkers(1, sys.executable, None), []
    for name in ("first", "second"):
        kept.send([sent(name, name)])
        while not kept.idle:
            found += kept.hear()
        kept.close()
    kept.end()
    assert [one.reason for one in found] == ["first", "second"]
    assert found[0].trace == found[1].trace


def test_a_worker_that_cannot_read_a_table_ends(monkeypatch):
    ended = []
    monkeypatch.setattr(worker_loop, "LAST", 0.0)
    monkeypatch.setattr(worker_loop, "_leave", ended.append)
    inbox = queue.SimpleQueue()
    too_large = b"\x80\x05\x8e" + (2**50).to_bytes(8, "little")
    worker_loop._listen(io.BufferedReader(io.BytesIO(too_large)), inbox, "folder")
    assert (inbox.get_nowait(), ended) == (None, ["folder"])


@pytest.mark.seconds
@pytest.mark.parametrize("how", ["kill", "end"])
def test_temporary_files_of_a_worker_go_with_it(how, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    news = queue.SimpleQueue()
    worker = WorkerProcess(sys.executable, news)
    assert news.get(timeout=60)[1] == ("ready",)
    (folder,) = tmp_path.iterdir()
    (folder / "RtmpLeft").mkdir()
    (folder / "left.csv").write_text("1")
    worker.let_go()
    getattr(worker, how)()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", ["stop", "close"])
def test_ctrl_c_waits_until_every_worker_is_ended(how, workers, monkeypatch):
    first, second = add(workers, ["a"]), add(workers, ["b"])
    end = first.kill

    def pressed():
        signal.raise_signal(signal.SIGINT)
        end()

    monkeypatch.setattr(first, "kill", pressed)
    with pytest.raises(KeyboardInterrupt):
        getattr(workers, how)()
    assert first.gone
    assert second.gone
