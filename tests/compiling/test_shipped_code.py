"""Machine code that comes with hetsel is read where it fits, and only there."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hetsel.compiling import compiled, plain_numba
from hetsel.compiling.plain_numba import llvm, njit

ROOT = Path(__file__).parents[2]
TRIAL = """
import sys
from pathlib import Path
import numpy as np
from hetsel.compiling import compiled
compiled.SHIPPED = Path(sys.argv[1])

@compiled.compiled
def total(x):
    return x.sum() + 1.0

print(total(np.arange(4.0)), compiled.compilations(), compiled.processor()[0])
print(compiled.examine_code()["came"], compiled.examine_code()["fit"])
"""
PROCESSOR = compiled.processor()[0]
baseline = pytest.mark.skipif(
    PROCESSOR not in compiled.BASELINES, reason="this processor is another"
)


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """A program with one function, run with a folder of shipped code and a setting of numba's."""
    place = tmp_path_factory.mktemp("trial")
    program, shipped = place / "trial.py", place / "shipped"
    program.write_text(TRIAL)
    shipped.joinpath(PROCESSOR).mkdir(parents=True)

    def run(cache, **settings):
        variables = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        paths = [str(ROOT), variables.get("PYTHONPATH", "")]
        variables |= {"PYTHONPATH": os.pathsep.join(paths), "NUMBA_CACHE_DIR": str(place / cache)}
        done = subprocess.run(
            [sys.executable, str(program), str(shipped)],
            capture_output=True,
            text=True,
            check=True,
            env=variables | settings,
        )
        return done.stdout.split()

    run("made")
    (made,) = (place / "made").rglob("*.nbc")
    shutil.copyfile(made, shipped / PROCESSOR / made.name)
    return run, program, shipped / PROCESSOR / made.name, made.read_bytes()


@pytest.mark.slow
@baseline
def test_code_that_came_is_read_whatever_the_dates_and_nothing_is_written(trial):
    run, program, *_ = trial
    os.utime(program, (0, 0))
    assert run("empty") == ["7.0", "0", PROCESSOR, "1", "1"]
    assert not list(program.with_name("empty").rglob("*.nbc"))


@pytest.mark.slow
@baseline
def test_code_that_came_is_not_read_where_source_or_processor_is_another_or_it_is_damaged(trial):
    run, program, path, code = trial
    assert run("own", NUMBA_CPU_NAME="generic") == ["7.0", "1", "generic", "0", "0"]
    assert run("own", NUMBA_CPU_NAME="generic") == ["7.0", "0", "generic", "0", "0"]
    program.write_text(TRIAL.replace("+ 1.0", "+ 2.0"))
    assert run("changed") == ["8.0", "1", PROCESSOR, "1", "0"]
    program.write_text(TRIAL)
    path.write_bytes(code[:-1])
    assert run("damaged") == ["7.0", "1", PROCESSOR, "1", "0"]
    path.write_bytes(code)


@pytest.mark.slow
@baseline
def test_code_that_came_whole_and_cannot_be_used_is_compiled_once(trial):
    run, _, path, code = trial
    body = code[32:].split(b"\n")[0] + b"\n" + b"no pickle"
    path.write_bytes(hashlib.sha256(body).digest() + body)
    assert run("unusable") == ["7.0", "1", PROCESSOR, "1", "1"]
    assert run("unusable") == ["7.0", "0", PROCESSOR, "1", "1"]
    path.write_bytes(code)


def test_functions_of_others_are_compiled_for_the_processor_at_hand():
    @njit
    def others(x):
        return x + 1

    @compiled.compiled
    def own(x):
        return x + 1

    assert others(1) == own(1) == 2
    assert own.targetctx.codegen().magic_tuple()[1:] == compiled.processor()
    if "NUMBA_CPU_NAME" not in os.environ:
        assert others.targetctx.codegen().magic_tuple()[1] == llvm.get_host_cpu_name()


@pytest.fixture
def features(monkeypatch):
    """Those of a processor that runs every baseline, to be changed; no code came with hetsel."""
    everything = dict.fromkeys(compiled.BASELINES["x86-64-v4"], True)
    monkeypatch.setattr(plain_numba.llvm, "get_process_triple", lambda: "x86_64-unknown-linux-gnu")
    monkeypatch.setattr(plain_numba.llvm, "get_host_cpu_features", lambda: everything)
    monkeypatch.setattr(compiled, "_named_by_numba", lambda: ("old", "+sse2"))
    monkeypatch.setattr(compiled, "SHIPPED", Path("nowhere"))
    for name, value in {"CPU_NAME": None, "CPU_FEATURES": None, "ENABLE_AVX": True}.items():
        monkeypatch.setattr(plain_numba.config, name, value)
    return everything


@pytest.mark.parametrize("feature", compiled.BASELINES["x86-64-v4"])
def test_a_processor_that_lacks_one_feature_of_a_baseline_has_the_next_one(feature, features):
    assert compiled.processor.__wrapped__() == ("x86-64-v4", "")
    features[feature] = False
    old = feature in compiled.BASELINES["x86-64-v3"]
    assert compiled.baselines() == ([] if old else ["x86-64-v3"])
    assert compiled.processor.__wrapped__() == (("old", "+sse2") if old else ("x86-64-v3", ""))


def test_the_baseline_is_one_for_which_code_came_if_there_is_one(features, monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "SHIPPED", tmp_path)
    tmp_path.joinpath("x86-64-v3").mkdir()
    assert compiled.processor.__wrapped__() == ("x86-64-v3", "")
    tmp_path.joinpath("x86-64-v4").mkdir()
    assert compiled.processor.__wrapped__() == ("x86-64-v4", "")
    features["avx512f"] = False
    assert compiled.processor.__wrapped__() == ("x86-64-v3", "")


@baseline
@pytest.mark.slow
@pytest.mark.timeout(900)  # the first of these runs compiles, if nothing has been compiled ahead
def test_nothing_is_compiled_after_it_was_compiled_ahead():
    from hetsel import compile_ahead

    tasks = ["rfe-mkl", "hsic", "commands"]
    assert set(tasks) <= set(compile_ahead.tasks())
    code = (
        "import sys\nfrom hetsel.compile_ahead import run_task\n"
        "print([*map(run_task, sys.argv[1:])])"
    )
    command = [sys.executable, "-c", code, *tasks]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == str([(task, 0) for task in tasks])
