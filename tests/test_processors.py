"""The same rankings on another processor, as far as this one can act the part."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rankings import rankings

HERE = Path(__file__).parent
# instruction sets that numpy chooses at run time, in the names of this version of numpy
CHOSEN = [
    name
    for name in np._core._multiarray_umath.__cpu_dispatch__
    if np._core._multiarray_umath.__cpu_features__[name]
]
SETTINGS = {
    "numba for any processor": {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
    "numpy's baseline": {"NPY_DISABLE_CPU_FEATURES": " ".join(CHOSEN)},
}


@pytest.fixture(scope="module")
def here():
    return rankings()


@pytest.mark.slow
@pytest.mark.timeout(900)  # everything is compiled anew, for a processor that no cache knows
@pytest.mark.parametrize("setting", SETTINGS)
def test_another_processor_gives_the_same_rankings(setting, here):
    done = subprocess.run(
        [sys.executable, str(HERE / "rankings.py")],
        env={**os.environ, **SETTINGS[setting]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    assert there.keys() == here.keys()
    assert {name for name in here if there[name] != here[name]} == set()


@pytest.mark.skipif(not CHOSEN, reason="numpy found no instruction set beyond its baseline")
def test_the_setting_reaches_numpy():
    script = (
        "from numpy._core._multiarray_umath import __cpu_features__ as found\n"
        f"print([name for name in {CHOSEN} if found[name]])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **SETTINGS["numpy's baseline"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


if __name__ == "__main__":  # for make processors
    print(*CHOSEN)
