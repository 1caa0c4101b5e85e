"""Other processors, as far as this one can act the part: by the settings of what computes.

numba, numpy, OpenBLAS and the C library choose their code by the processor they find. Run as a
program it runs a command under each setting, or prints the names.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np

CORE = (np._core if hasattr(np, "_core") else np.core)._multiarray_umath  # numpy 2; numpy 1
FEATURES = CORE.__cpu_features__
# instruction sets that numpy chooses at run time, in the names of this version of numpy
CHOSEN = [name for name in CORE.__cpu_dispatch__ if FEATURES[name]]
WIDE = [name for name in CHOSEN if "V4" in name or "AVX512" in name]
BEFORE_2013 = "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"
BUILD = Path(__file__).parents[1] / ".build"


def setting(numba="", without=(), blas="", threads=1, c_library=""):
    """Variables of the environment; what is not named is as the processor has it."""
    named = {
        "NUMBA_CPU_NAME": numba,
        "NPY_DISABLE_CPU_FEATURES": " ".join(without),
        "OPENBLAS_CORETYPE": blas,
        "GLIBC_TUNABLES": c_library,
    }
    variables = {name: value for name, value in named.items() if value}
    if numba:
        variables["NUMBA_CPU_FEATURES"] = ""  # those of the name only
    return variables | {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}


OLDEST = setting("generic", CHOSEN, "Prescott", 1, BEFORE_2013)
SETTINGS = {
    "the oldest": OLDEST,
    "Haswell, two threads": setting("haswell", WIDE, "Haswell", 2),
    "Nehalem in OpenBLAS and the C library": setting("", (), "Nehalem", 2, BEFORE_2013),
    "numba for any processor": setting("generic"),
    "numba for x86-64-v2, numpy's baseline": setting("x86-64-v2", CHOSEN),
    "Zen without AVX-512, Sandy Bridge in OpenBLAS": setting("znver2", WIDE, "Sandybridge", 2),
    "numba's baseline and numpy without AVX-512": setting("x86-64-v3", WIDE),
}
if WIDE:  # code that this processor could not run
    SETTINGS["Skylake-X, two threads"] = setting("skylake-avx512", (), "SkylakeX", 2)
# the one that differs most, for the methods of the first study, and code of this processor by old
# libraries on two threads, for all methods; `make processors` has all methods in every setting
FEW = ("the oldest", "Nehalem in OpenBLAS and the C library")


def environment(name=None):
    """The variables of a process under a setting; code of its own for each processor of numba.

    Without a name nothing is set; a setting of this process itself does not count.
    """
    outside = {key: value for key, value in os.environ.items() if key not in OLDEST}
    variables = SETTINGS[name] if name else {}
    own = {}
    if variables.get("NUMBA_CPU_NAME"):
        own["NUMBA_CACHE_DIR"] = str(BUILD / f"numba-{variables['NUMBA_CPU_NAME']}")
    return {**outside, **variables, **own}


def here():
    """Whether this processor can act the parts."""
    return platform.machine() in ("x86_64", "AMD64") and bool(CHOSEN)


if __name__ == "__main__":
    for name in SETTINGS:
        print(f"== {name}: {SETTINGS[name]}", flush=True)
        if sys.argv[1:]:
            subprocess.run(sys.argv[1:], env=environment(name), check=True)
