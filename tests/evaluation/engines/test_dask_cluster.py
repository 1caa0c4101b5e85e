"""A Dask cluster: the same results and the same failures; what does not fit is refused."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from evaluation.engines.test_choice_of_engine import told
from frames import mixed_frame
from study.studies import small_study

from hetsel import Results, Signature, plan_rows
from hetsel.evaluation.engines import cell_queue, choice_of_engine, dask_cluster, local_workers
from hetsel.evaluation.engines.cell_queue import CellQueue
from hetsel.study.planned_cells import plan_cells

distributed = pytest.importorskip("distributed")


HOST = """
import sys
sys.path[:] = {path}
import distributed
cluster = distributed.LocalCluster(
    n_workers=1,
    threads_per_worker=1,
    processes=False,
    protocol="tcp://",
    dashboard_address=":0",
)
print(cluster.scheduler_address, flush=True)
sys.stdin.read()
"""


def local(**options):
    """A cluster on this machine."""
    default = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    return distributed.LocalCluster(**(default | options))


@pytest.mark.slow
def test_results_and_failures_are_those_of_workers_and_a_table_is_sent_once(tmp_path, monkeypatch):
    sent = []
    scatter = distributed.Client.scatter
    monkeypatch.setattr(
        distributed.Client,
        "scatter",
        lambda client, data, **options: sent.append(list(data)) or scatter(client, data, **options),
    )
    methods = ["rfe-svm", *told("sys.exit", "leaves")]
    study = small_study(methods=methods, resamplings=1)
    with local(processes=False) as cluster:
        address = cluster.scheduler_address
        results = study.run(tmp_path / "a.sqlite", dask=address, progress=False)
        hang = small_study(methods=told("hangs"), resamplings=1, classifiers=["naive-bayes"])
        late = hang.run(tmp_path / "c.sqlite", dask=address, time_limit=0.5, progress=False)
    assert len(sent) == 2
    assert late.failures()["reason"].tolist() == [
        "the cell took longer than the time limit of 0.5 s"
    ]
    reasons = results.failures().groupby("method")["reason"].unique()
    assert list(reasons["sys.exit"]) == ["SystemExit: (without a message)"]
    assert "the worker process died twice while computing this cell" in reasons["leaves"][0]
    alone = small_study(resamplings=1, methods=["rfe-svm"])
    fine = alone.run(tmp_path / "b.sqlite", n_jobs=0, progress=False)
    columns = ["resampling", "size", "bcr", "auc"]
    assert results.frame()[columns].equals(fine.frame()[columns])


@pytest.mark.slow
def test_a_signature_on_a_cluster_is_that_of_this_process(monkeypatch):
    X, y = mixed_frame(60, 3, 1, seed=5)
    asked = {"size": 2, "folds": 3, "repeats": 1, "permutations": 39, "pairs": 3}
    alone = Signature(**asked).fit(X, y)
    monkeypatch.setattr(choice_of_engine, "in_process", None)  # nothing is computed here
    with local(processes=False) as cluster:
        there = Signature(**asked, dask=cluster.scheduler_address).fit(X, y)
        planned = plan_rows(
            X, y, width=0.3, repeats=2, signature=Signature(size=2, dask=there.dask)
        )
    assert there.facts() == alone.facts()
    monkeypatch.undo()
    known = plan_rows(X, y, width=0.3, repeats=2, signature=Signature(size=2))
    assert planned.frame().equals(known.frame())


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_lost_scheduler_is_one_sentence_and_what_is_finished_is_kept(tmp_path, monkeypatch, how):
    monkeypatch.setattr(dask_cluster, "PATIENCE", 1.0)
    flag, path = tmp_path / "flag", tmp_path / "a.sqlite"
    methods = ["rfe-svm", *told("hangs", flag=str(flag))]
    study = small_study(methods=methods, resamplings=1, classifiers=["naive-bayes"])
    command = [sys.executable, "-c", HOST.format(path=sys.path)]  # workers need its modules
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as host:
        address = host.stdout.readline().strip()

        def end():
            while not flag.exists() and host.poll() is None:
                time.sleep(0.05)
            time.sleep(1.0)
            host.send_signal(how)

        threading.Thread(target=end).start()
        try:
            with pytest.raises(RuntimeError, match=r"has lost its .*\. Finished cells are kept"):
                study.run(path, dask=address, progress=False)
        finally:
            host.kill()
    assert Results(path).status()["finished"] == 1


def test_a_worker_of_other_code_is_refused(tmp_path, monkeypatch):
    code = cell_queue.code_of_recipes
    monkeypatch.setattr(
        cell_queue, "code_of_recipes", lambda recipes: {**code(recipes), "hetsel": "version 9"}
    )
    with (
        local(processes=False) as cluster,
        pytest.raises(
            RuntimeError, match=r"worker .* hetsel: version .* instead of version 9\. Install"
        ),
    ):
        small_study().run(tmp_path / "a.sqlite", dask=cluster.scheduler_address, progress=False)
    assert Results(tmp_path / "a.sqlite").status()["missing"] == 8


def test_the_code_that_counts(tmp_path, monkeypatch):
    (tmp_path / "own_way.py").write_text(
        "from study.studies import Misbehaves\nclass OwnWay(Misbehaves):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from own_way import OwnWay

    pipeline = "sklearn.feature_selection.SelectKBest"
    cells = plan_cells(small_study(methods=[OwnWay, pipeline], resamplings=1))
    code = cell_queue.code_of_recipes([cell.recipe for cell in cells])
    assert {"hetsel", "the code of hetsel", "method 'rf10000'", "module 'own_way'"} <= set(code)
    assert code["package 'sklearn'"].startswith("version ")
    assert cell_queue.code_difference(code) == ""
    for name in code:
        assert cell_queue.code_difference({**code, name: "other"}).startswith(f"{name}: ")
    missing = {name: what for name, what in code.items() if name != "method 'rf10000'"}
    assert "instead of none" in cell_queue.code_difference(missing)
    (tmp_path / "own_way.py").write_text("# another revision\n")
    assert cell_queue.code_difference(code).startswith("module 'own_way': sha256 ")


def test_workers_of_several_threads_are_refused(tmp_path):
    with (
        local(threads_per_worker=2, processes=False) as cluster,
        pytest.raises(RuntimeError, match="must run one thread each"),
    ):
        small_study().run(tmp_path / "a.sqlite", dask=cluster.scheduler_address, progress=False)


@pytest.mark.slow
def test_a_kept_cluster_goes_on_where_a_queue_left_a_batch_on_its_way():
    cells = plan_cells(small_study(methods=told("nothing"), resamplings=2))
    code = cell_queue.code_of_recipes([cell.recipe for cell in cells])
    with local(processes=False) as cluster:
        kept = dask_cluster.KeptCluster(cluster.scheduler_address, None, code)
        left = cell_queue.orders_of(CellQueue(cells).take())
        kept.send(left)
        kept.close()
        assert kept.idle
        kept.send(left)  # the same keys once more
        heard = []
        while not kept.idle:
            heard += kept.hear()
        kept.end()
    assert [one.key for one in heard] == [order.key for order in left]


def children():
    return Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/thread-self/children").exists(), reason="needs /proc")
def test_no_worker_process_outlives_its_run(monkeypatch):
    monkeypatch.setattr(dask_cluster, "IDLE", 0.1)
    cells = plan_cells(small_study(methods=told("nothing"), resamplings=2))
    batch = cell_queue.orders_of(CellQueue(cells).take())
    data = cell_queue.Parcel(batch[0].data.name, batch[0].data.packed())
    given = (data, batch, None, cell_queue.code_of_recipes([cell.recipe for cell in cells]))
    before = children()
    dask_cluster.end("over")
    assert dask_cluster.compute_batch("over", *given) == []
    assert children() == before
    monkeypatch.setattr(local_workers, "BEGIN", "import sys; sys.exit(7)")
    with pytest.raises(RuntimeError, match="cannot start"):
        dask_cluster.compute_batch("run", *given)
    monkeypatch.undo()
    monkeypatch.setattr(dask_cluster, "IDLE", 0.1)
    keys = [one.key for one in dask_cluster.compute_batch("run", *given)]
    assert keys == [order.key for order in batch]  # of this batch only
    for _ in range(100):  # the session that sent it is gone, or has nothing for this worker
        if children() == before:
            break
        time.sleep(0.1)
    assert children() == before
