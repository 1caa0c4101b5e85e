"""Prints what hetsel computes in this process, as JSON, for comparison with another one.

The rankings of every method, or of those that are named, the digests of three small studies, each
where its methods are among them, and what the processor's code is.
"""

import hashlib
import json
import math
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from frames import mixed_frame, told_frame
from threadpoolctl import threadpool_info

from hetsel import Study, get_method, method_keys
from hetsel.datasets import load

FIRST_STUDY = Path(__file__).parents[1] / "vignettes" / "first-study.toml"
CLASSIFIERS = ("clinical-svm", "linear-svm", "gaussian-svm", "naive-bayes", "5nn")
OF_NUMBERS = ("anova-f", "mi-knn", "hsic", "relieff", "sffs-ridge")
SEARCHED = ("hfs-nb", "hfs-5nn", "sffs-nb", "sffs-5nn", "sffs-ridge", "dos-5nn", "rfe-linear")
FIRST = ("rfe-mkl", "rfe-svm", "hfs-nb")
STUDIES = {"first": FIRST, "every": SEARCHED, "numbers": OF_NUMBERS}  # and their methods


def tables():
    """Tables by name, and their classes: the bundled one, and mixed ones with copies and gaps."""
    heart = load("heart")
    yield "heart", heart.X, heart.y
    for seed in range(4):
        frame, y = mixed_frame(
            70, 8, 4, seed=seed, missing=0.05 * (seed % 2), classes=2 + seed // 3
        )
        frame["copy"] = 7.3 - 3.7 * frame["c1"]
        yield f"mixed {seed}", frame, y


def fitting(key, frame):
    """The columns of the frame that the method takes."""
    nominal = frame.dtypes.map(lambda dtype: isinstance(dtype, pd.CategoricalDtype))
    takes = get_method(key).about.takes
    return frame.loc[:, np.where(nominal, "nominal" in takes, "continuous" in takes)]


def order(answer):
    """What the answer says of each size."""
    if hasattr(answer, "ranks"):
        return answer.ranks.tolist()
    return [np.sort(answer.signature(size)).tolist() for size in answer.sizes]


def rankings(keys):
    """Rank of each column, by table and method."""
    found = {
        f"{name}, {key}": order(
            get_method(key)(**get_method(key).about.trial).fit(fitting(key, frame), y).answer_
        )
        for name, frame, y in tables()
        for key in keys
    }
    return found | rankings_of_targets(keys)


def rankings_of_targets(keys):
    """The same of numbers and survival times, which a mixed table with copies and gaps tells."""
    found = {}
    for target in ("numbers", "survival"):
        frame, y = told_frame(target, 70, 6, 4, missing=0.05)
        frame["copy"] = 7.3 - 3.7 * frame["c1"]
        for key in keys:
            method = get_method(key)
            if target in method.about.targets:
                selector = method(**method.about.trial, target_kind=target, unsupported="skip")
                found[f"{target}, {key}"] = order(selector.fit(frame, y).answer_)
    return found


def digests(keys):
    """Digests of the first study, of one of classes with every classifier, and of one of numbers.

    But for the random forest, which is scikit-learn's; those whose methods are among the keys.
    """
    two, y = mixed_frame(60, 4, 3, seed=5, missing=0.05)
    three, z = mixed_frame(75, 4, 3, seed=6, classes=3)
    every = Study(
        datasets=[{"name": "two", "X": two, "y": y}, {"name": "three", "X": three, "y": z}],
        methods=SEARCHED,
        classifiers=CLASSIFIERS,
        resamplings=3,
    )
    outcome = three["c1"].fillna(0.5) + z + np.sin(np.arange(75.0))
    numbers = Study(
        datasets=[{"name": "outcome", "X": three, "y": outcome}],
        methods=OF_NUMBERS,
        classifiers="ridge",
        resamplings=3,
    )
    studies = {"first": Study.load(FIRST_STUDY), "every": every, "numbers": numbers}
    asked = {name: studies[name] for name, needed in STUDIES.items() if {*needed} <= {*keys}}
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, study in asked.items():
            results = study.run(Path(folder, f"{name}.sqlite"), n_jobs=1, progress=False)
            found[name] = [results.digest(), len(results.failures())]
    return found


def processor():
    """What the settings change: numba's processor, numpy's features, OpenBLAS's, bits of exp."""
    from hetsel.compiling.compiled import processor as compiled_for

    features = (np._core if hasattr(np, "_core") else np.core)._multiarray_umath.__cpu_features__
    blas = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    exponentials = np.array([math.exp(k / 997) for k in range(-20_000, 20_000)])
    return {
        "numba": compiled_for(),
        "numpy": sorted(name for name, there in features.items() if there),
        "blas": sorted({pool["architecture"] for pool in blas}),
        "threads": sorted({pool["num_threads"] for pool in blas}),
        "exp": hashlib.sha256(exponentials.tobytes()).hexdigest(),
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    # methods of R compute where settings of numba and numpy do not reach
    every = [key for key in method_keys() if "r" not in get_method(key).about.requires]
    named = sys.argv[1:] or every
    found = {"rankings": rankings(named), "studies": digests(named), "processor": processor()}
    print(json.dumps(found))
