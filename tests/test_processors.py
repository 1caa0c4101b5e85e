"""The same rankings and digests on another processor, as far as this one can act the part."""

import json
import os
import platform
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from processors import FEW, SETTINGS, environment, here
from rankings import FIRST, STUDIES

from hetsel.compiling import compiled

PROGRAM = Path(__file__).with_name("rankings.py")
ALL = os.environ.get("HETSEL_PROCESSORS") == "all"
NAMES = tuple(SETTINGS) if ALL else FEW

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),  # everything is compiled anew, for a processor that no cache knows
    pytest.mark.skipif(not here(), reason="this processor has no code to choose from"),
]


@cache
def computed(name=None, methods=(), **variables):
    """What a process computes under a setting, or with nothing set; of these methods, or of all."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *methods],
        env=environment(name) | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def assert_reached(name, usual, other):
    """Fail unless each variable of a setting has changed what it is for."""
    asked = SETTINGS[name]
    if "NUMBA_CPU_NAME" in asked:
        assert other["numba"] == [asked["NUMBA_CPU_NAME"], ""]
    without = asked.get("NPY_DISABLE_CPU_FEATURES", "").split()
    assert not set(other["numpy"]) & set(without)
    if "OPENBLAS_CORETYPE" in asked:
        wanted = asked["OPENBLAS_CORETYPE"]
        assert other["blas"] in ([wanted], ["Katmai" if wanted == "Prescott" else wanted])
    # OpenBLAS takes no more than this process may have
    may = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count())
    assert other["threads"] == [min(int(asked["OPENBLAS_NUM_THREADS"]), len(may))]
    if "GLIBC_TUNABLES" in asked and platform.libc_ver()[0] == "glibc" and "FMA3" in usual["numpy"]:
        assert other["exp"] != usual["exp"]


@pytest.mark.parametrize("name", NAMES)
def test_another_processor_gives_the_same_rankings_and_digests(name):
    usual = computed()
    named = {key.partition(", ")[2] for key in usual["rankings"]}
    if not ALL and "NUMBA_CPU_NAME" in SETTINGS[name]:
        named = {*FIRST}  # all are compiled anew
    other = computed(name, tuple(sorted(named)))
    expected = {
        key: ranks for key, ranks in usual["rankings"].items() if key.partition(", ")[2] in named
    }
    assert len(expected) > (15 if named == {*FIRST} else 300)
    assert expected.keys() == other["rankings"].keys()
    different = {key for key, ranks in expected.items() if ranks != other["rankings"][key]}
    assert different == set()
    studies = {study: usual["studies"][study] for study in other["studies"]}
    assert studies == other["studies"]
    assert {*studies} == ({"first"} if named == {*FIRST} else {*STUDIES})
    assert {failures for _, failures in studies.values()} == {0}
    assert_reached(name, usual["processor"], other["processor"])


@pytest.mark.skipif(not ALL, reason="minutes; `make processors` has it")
def test_shipped_code_gives_the_same_and_nothing_is_compiled(tmp_path):
    shutil.copytree(
        PROGRAM.parents[1] / "hetsel",
        tmp_path / "hetsel",
        ignore=shutil.ignore_patterns("__pycache__", "machine_code"),
    )
    folder, kept = tmp_path / "hetsel" / "machine_code", tmp_path / "kept"
    command = [sys.executable, "-m", "hetsel.compile_ahead", str(folder)]
    subprocess.run(command, env=environment(), check=True, capture_output=True)
    first, *others = compiled.baselines()
    for name in (first, *others):
        named = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""} if name in others else {}
        found = computed(PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(kept), **named)
        assert found["processor"]["numba"] == [name, ""]
        assert {**found, "processor": computed()["processor"]} == computed()
        assert [path.name for path in kept.rglob("*.nbc")] == []
