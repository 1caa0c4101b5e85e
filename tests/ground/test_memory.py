"""What will not fit into memory is refused first, with what it needs and what copes."""

import tracemalloc

import numpy as np
import pytest
from frames import mixed_frame
from test_conformance import fitting, make

from hetsel import ClinicalMKL, ClinicalSVC, SubsetSearch, get_method, method_keys
from hetsel.evaluation.by_key.judges_by_key import OWN, ClassifierSpec
from hetsel.ground import memory
from hetsel.ground.errors import TableError
from hetsel.models.final_classifiers import FINAL
from hetsel.models.train_test_arrays import Split
from hetsel.tables import Table

# measured, as the peak of the process over 8 n^2 bytes: 0.3 or more
SQUARE = {"arom", "bahsic", "dos-5nn", "dos-hybrid", "dos-voting", "fohsic", "fspp", "gmkl"}
SQUARE |= {"hfs-5nn", "r2w2", "rfe-gaussian", "rfe-linear", "rfe-mkl", "rfe-svm"}
SQUARE |= {"rfe-svm-printed", "sffs-5nn", "sffs-svm", "sfs-5nn"}
# as what they run is refused
SQUARE |= {"ensemble", "ensemble-rfe-mkl", "ensemble-rfe-svm"}
# above 5,000 or 10,000 rows these take none, or that of a sample
SQUARE_OF_FEW = {"rfe-mkl", "rfe-svm", "rfe-svm-printed"}
SQUARE_OF_FEW |= {"dos-5nn", "dos-hybrid", "dos-voting", "hfs-5nn", "sffs-5nn", "sfs-5nn"}
SQUARE_OF_FEW |= {"sffs-svm"}
SQUARE_OF_FEW |= {"ensemble", "ensemble-rfe-mkl", "ensemble-rfe-svm"}
ROWS = 2000


@pytest.fixture
def little(monkeypatch):
    """Memory for many copies of the table, and less than a square of 0.5 n^2."""
    monkeypatch.setattr(memory, "available_memory", lambda: 8 * ROWS * 600)
    monkeypatch.setattr(memory, "WORTH", 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", [key for key in method_keys() if "r" not in get_method(key).about.requires]
)
def test_methods_whose_memory_grows_with_the_square_of_the_rows(key, little):
    frame, y = mixed_frame(ROWS, 3, 2)
    frame = fitting(key, frame)
    if key not in SQUARE:
        make(key).fit(frame, y)
        return
    with pytest.raises(
        TableError, match=r"needs \d+ MB of memory for 2,000 rows. Only 10 MB are free"
    ):
        make(key).fit(frame, y)


@pytest.mark.parametrize("criterion", ["5nn", "1nn,3nn", "svm", "gaussian-svm", "hsic"])
def test_criteria_of_a_search(criterion, little):
    frame, y = mixed_frame(ROWS, 3, 0)
    with pytest.raises(TableError, match="of memory for 2,000 rows"):
        SubsetSearch(search="sfs", criterion=criterion).fit(frame, y)


@pytest.mark.parametrize("estimator", [ClinicalSVC(), ClinicalMKL()])
def test_classifiers(estimator, little):
    frame, y = mixed_frame(ROWS, 3, 0)
    with pytest.raises(TableError, match="naive-bayes or random-forest"):
        estimator.fit(frame, y)


@pytest.mark.seconds
@pytest.mark.parametrize("key", sorted(FINAL))
def test_final_classifiers(key, little):
    frame, y = mixed_frame(2 * ROWS, 3, 0)
    table = Table.read(frame)
    train, test = table.take(rows=slice(ROWS)), table.take(rows=slice(ROWS, 2 * ROWS))
    halves = Split.of(train, test, y[:ROWS])
    classifier = ClassifierSpec.of("classifier", key)
    assert key in OWN
    if key in ("naive-bayes", "random-forest", "clinical-svm"):  # no matrix of so many rows
        classifier.classify(halves, [np.arange(2)], seed=0)
        return
    with pytest.raises(TableError, match=f"{key} needs .* of memory for 2,000 rows"):
        classifier.classify(halves, [np.arange(2)], seed=0)


def test_the_methods_that_declare_a_square_are_those_that_hold_one():
    keys = {key for key in method_keys() if get_method(key).about.cost.growth("n") >= 2}
    assert keys == SQUARE - SQUARE_OF_FEW


def test_a_search_of_a_sample_needs_the_memory_of_a_sample(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**9)
    x = np.random.default_rng(0).normal(size=(40_000, 2))
    # 4 n^2 bytes are 6.4 GB; refused before a row is looked at, where all rows are asked for
    with pytest.raises(TableError, match="needs 6.4 GB of memory for 40,000 rows"):
        SubsetSearch(search="bif", sample="all").fit(x, x[:, 0] > 0)
    with pytest.raises(TableError, match="needs 7.7 GB of memory for 40,000 rows"):
        get_method("hfs-5nn")(sample=None).fit(x, x[:, 0] > 0)
    few = SubsetSearch(search="bif", sample=500).fit(x, x[:, 0] > 0).answer_
    assert few.sampled == 501


def test_forty_thousand_rows_are_refused_before_anything_is_taken(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 4 * 10**9)
    x = np.random.default_rng(0).normal(size=(40_000, 2))
    with pytest.raises(TableError, match="needs 26 GB of memory for 40,000 rows.* 4 GB are free"):
        get_method("rfe-mkl")(solver="gram").fit(x, x[:, 0] > 0)


def test_limits_of_the_machine_of_containers_and_of_the_address_space(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(memory, "_of_address_space", lambda: ())
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text("MemTotal: 900 kB\nMemAvailable: 800 kB\n")
    assert memory.available_memory() == 800 * 1024
    inner = tmp_path / "groups/box/inner"
    inner.mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("0::/box/inner\n")
    assert memory.available_memory() == 800 * 1024
    for folder, limit, used in ((inner, "max", 5), (inner.parent, "600000", 500_000)):
        (folder / "memory.max").write_text(f"{limit}\n")
        (folder / "memory.current").write_text(f"{used}\n")
        (folder / "memory.stat").write_text("anon 7\ninactive_file 1000\n")
    assert memory.available_memory() == 101_000
    old = tmp_path / "groups/memory/box"
    old.mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("3:cpu,memory:/box\n2:pids:/\n")
    (old / "memory.limit_in_bytes").write_text("70000")
    (old / "memory.usage_in_bytes").write_text("80000")
    (old / "memory.stat").write_text("total_inactive_file 1\n")
    assert memory.available_memory() == 0


# what asks for n x n numbers and writes to none of them fails under a limit of address space
@pytest.mark.parametrize("key", ["hsic", "l1-logistic", "sffs-ridge", "hfs-nb", "mi-knn", "kfds"])
def test_methods_that_cope_ask_for_no_square(key):
    x = np.random.default_rng(0).normal(size=(3_000, 3))
    y = x[:, 0] > 0
    make(key).fit(x[:100], y[:100])
    tracemalloc.start()
    try:
        make(key).fit(x, y)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 0.4 * 8 * 3_000**2
