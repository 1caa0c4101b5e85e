"""Engines: the same results from one process, two workers and a Dask cluster."""

import signal
import subprocess
import sys

import pytest
from study.studies import Told, small_study

from hetsel import Results
from hetsel.study import in_process

FOREST = {"key": "random-forest", "params": {"n_estimators": 20}}
FOREST_OF_R = {"key": "rf10000", "params": {"ntree": 50}}
METHODS = ["rfe-svm", "rfe-mkl", FOREST, FOREST_OF_R]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    study = small_study(methods=METHODS)
    path = tmp_path_factory.mktemp("alone") / "a.sqlite"
    return study.run(path, jobs=1, progress=False).digest()


@pytest.mark.slow
def test_two_workers(alone, tmp_path):
    results = small_study(methods=METHODS).run(tmp_path / "a.sqlite", jobs=2, progress=False)
    assert results.status()["finished"] == 16
    assert results.digest() == alone


@pytest.mark.slow
def test_two_workers_where_signals_cannot_be_blocked(alone, tmp_path, monkeypatch):
    monkeypatch.delattr(signal, "pthread_sigmask")  # as on Windows
    before = signal.getsignal(signal.SIGINT)
    results = small_study(methods=METHODS).run(tmp_path / "a.sqlite", jobs=2, progress=False)
    assert results.digest() == alone
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow
def test_a_worker_that_has_begun_never_hears_ctrl_c():
    code = (
        "import os, signal\n"
        "from hetsel.study.workers import begin\n"
        "begin(os.getppid())\n"
        "signal.raise_signal(signal.SIGINT)\n"
        "print('alive')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, "alive"), done.stderr


@pytest.mark.slow
def test_a_dask_cluster(alone, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        study = small_study(methods=METHODS)
        address = cluster.scheduler_address
        results = study.run(tmp_path / "a.sqlite", dask=address, progress=False)
    assert results.failures().empty
    assert results.digest() == alone


def test_a_dask_cluster_that_does_not_fit(tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        pytest.raises(RuntimeError, match="must run one thread each"),
    ):
        small_study().run(tmp_path / "a.sqlite", dask=cluster.scheduler_address, progress=False)


@pytest.mark.slow
def test_a_cell_that_kills_its_worker_becomes_a_failure(tmp_path):
    flag = tmp_path / "flag"
    flag.touch()
    methods = ["rfe-svm", Told(flag=str(flag), deadly=True)]
    study = small_study(methods=methods, resamplings=3)
    results = study.run(tmp_path / "a.sqlite", jobs=2, progress=False)
    status = results.status()
    assert status["missing"] == 0
    assert 0 < status["failed"] <= 3
    assert results.failures()["reason"].str.contains("the worker process died").all()
    assert set(results.failures()["method"]) == {"Told"}
    flag.unlink()
    assert study.run(tmp_path / "a.sqlite", jobs=1, retry=True).status()["finished"] == 6


@pytest.mark.parametrize(("times", "kept"), [(1, 3), (2, 2)])
def test_ctrl_c_once_finishes_the_cell_and_twice_drops_it(tmp_path, monkeypatch, times, kept):
    calls = []
    compute = in_process.run_cell

    def interrupted_in_the_third(*cell):
        calls.append(cell)
        if len(calls) == 3:
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
        return compute(*cell)

    monkeypatch.setattr(in_process, "run_cell", interrupted_in_the_third)
    # a batch a cell: what the second drops is that cell alone
    monkeypatch.setattr("hetsel.study.queue.MOST", 1)
    before = signal.getsignal(signal.SIGINT)
    study, path = small_study(), tmp_path / "a.sqlite"
    with pytest.raises(KeyboardInterrupt):
        study.run(path, jobs=1, progress=False)
    assert signal.getsignal(signal.SIGINT) is before
    assert len(calls) == 3
    assert Results(path).status()["finished"] == kept
    whole = study.run(tmp_path / "b.sqlite", jobs=1, progress=False)
    assert study.run(path, jobs=1, progress=False).digest() == whole.digest()


def test_a_process_deaf_to_ctrl_c_stays_deaf():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with in_process.first_interrupt() as heard:
            signal.raise_signal(signal.SIGINT)
        assert not heard.is_set()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
