"""Edits of files that hetsel reads again: signatures, models of R, schemas, plans, archives.

    python tests/arena/campaigns/fuzz_saved.py --seed 1 --edits 1000

An edit changes one digit, flips one bit, or puts something else in the place of a value, drops it
or repeats it. What is read must end with one sentence, or be what was written. A signature that was
edited is refused; loaded all the same (`trust_edited`) it predicts finite numbers and is validated,
or is refused with a sentence. An edit is drawn from the seed, its kind and its number alone.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import json
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import hetsel
from hetsel.ground.errors import HetselError
from hetsel.ground.sealed_json import plain_values
from hetsel.search.subsets.search_archive import Archive
from hetsel.study.plan.plan import Plan
from r_bridge.from_r import additive_machines

Generator = np.random.Generator
TRUST = "trust_edited" in inspect.signature(hetsel.load_signature).parameters
QUICK = {"permutations": 0, "repeats": 1, "folds": 3, "pairs": 2, "size": 3, "method": "rfe-svm"}
ODD = [None, True, 0, -1, 5, 3.5, 1e308, -1e308, 10**400, 10**5000, "", "text", "nan", [], {}, [5]]
ODD += [[[]], {"a": 1}, [None], "x" * 300, "\ud800"]
JUDGED = "judged"  # every tenth edit is validated, too, which takes a quarter of a second
LONGEST = 2_000  # characters of a sentence
RAW = ["[" * 200_000, "NaN", "Infinity", "-Infinity", "1e999", "{", '"', "\0", "1" * 400, "01"]
FRAME = pd.DataFrame({"a": [0.5, 1.5, 2.0, 3.5, 1.0, 4.0], "b": [1.0, 0.0, 2.0, 1.5, 0.5, 3.0]})
PLAN = """
name = "s"
seed = 1
resamplings = {count = 3, kind = "stratified", test_share = 0.25}
sizes = [1, 2]
datasets = [{name = "heart"}, {name = "own", file = "own.csv", target = "y", nominal = ["c"]}]
methods = ["rfe-svm", {key = "sklearn.feature_selection.SelectKBest", params = {k = 2}}]
classifiers = ["5nn", {key = "clinical-svm", params = {C = 2.0}}]
"""


def rows(seed: int = 5, n: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    """Mixed columns with gaps, and a number that they tell."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(50, 9, n).round(1),
            "size": rng.exponential(3, n).round(2),
            "site": rng.choice(["left", "right", "both"], n),
            "grade": rng.integers(1, 4, n),
        }
    )
    told = frame["age"] / 9 + (frame["site"] == "left") + rng.normal(size=n) / 2
    return frame.mask(rng.random(frame.shape) < 0.05), told.to_numpy()


class Read:
    """A file, and what reads it: a value that is the same for the same content."""

    def __init__(self, text: bytes, read: Callable[[Path, bool], Any], sealed: bool) -> None:
        self.text, self.read, self.sealed = text, read, sealed


def written(folder: Path) -> dict[str, Read]:
    """Every file and its reader."""
    frame, told = rows()
    found = {}
    event = told > np.quantile(told, 0.3)
    targets = {
        "two classes": np.where(told > np.median(told), "ill", "well"),
        "three classes": np.digitize(told, np.quantile(told, [0.33, 0.67])).astype(str),
        "numbers": told,
        "survival": hetsel.survival(told - told.min() + 1, event),
    }
    for name, y in targets.items():
        path = folder / "signature.json"
        own = {"target_kind": "numbers"} if name == "numbers" else {}
        hetsel.Signature(**QUICK, **own, ordinal=["grade"]).fit(frame, y).save(path)
        found[name] = Read(path.read_bytes(), _signature(rows(6)[0], y), True)
    hetsel.Schema.infer(frame, ordinal=["grade"]).save(folder / "schema.json")
    schema = (folder / "schema.json").read_bytes()
    found["schema"] = Read(schema, lambda p, _: hetsel.Schema.load(p).encode(frame).values, False)
    svm = hetsel.ClinicalSVC(1.0).fit(FRAME, np.array(list("xyxyxy")))
    content = {
        "format": additive_machines.FORMAT,
        "model": plain_values(additive_machines.model_content(svm)),
    }
    seal = getattr(additive_machines, "sealed_json", json.dumps)
    found["model of R"] = Read(seal(content).encode(), _model_of_r, True)
    (folder / "own.csv").write_text("c,x,y\na,1,p\nb,2,q\n")
    found["plan"] = Read(PLAN.encode(), lambda p, _: str(Plan.load(p).to_dict()), False)
    archive = Archive(folder / "archive", "of rows")
    for subset in range(1, 30):
        archive.add(subset, (subset / 7, -1 / subset))
    archive.close()
    found["archive"] = Read((folder / "archive").read_bytes(), _archive, False)
    return found


def _signature(frame: pd.DataFrame, y: Any) -> Callable[[Path, bool], Any]:
    def read(path: Path, trusted: bool) -> Any:
        saved = hetsel.load_signature(path, **({"trust_edited": True} if trusted else {}))
        told = [np.asarray(saved.decision_function(frame), dtype=float).ravel()]
        if saved.calibration is not None:
            told.append(saved.predict_proba(frame).ravel())
        if saved.kind == "classes":
            saved.predict(frame)
        if trusted and path.stem == JUDGED:
            hetsel.validate_signature(saved, frame, y, seen="drop")
        return np.concatenate(told)

    return read


def _model_of_r(path: Path, _: bool) -> Any:
    text = path.read_text(encoding="utf-8", errors="replace")  # R holds text
    found = additive_machines.predict_model(text, FRAME)
    assert found["decision"] is not None
    return np.array(found["decision"])


def _archive(path: Path, _: bool) -> Any:
    with contextlib.closing(Archive(path, "of rows")) as archive:
        return str(dict(archive.values))


def one_digit(rng: Generator, text: bytes) -> bytes:
    """Another digit in the place of one; half of them in what predicts."""
    places = [k for k, c in enumerate(text) if chr(c).isdigit()]
    start, end = text.find(b'"model": {'), text.find(b'"reference"')
    own = [k for k in places if start < k < end]
    place = int(rng.choice(own if own and rng.random() < 0.5 else places))
    digit = b"%d" % ((text[place] - 48 + rng.integers(1, 10)) % 10)
    return text[:place] + digit + text[place + 1 :]


def one_bit(rng: Generator, text: bytes) -> bytes:
    """One bit is another one."""
    place = int(rng.integers(len(text)))
    return text[:place] + bytes([text[place] ^ (1 << int(rng.integers(8)))]) + text[place + 1 :]


def structure(rng: Generator, text: bytes) -> bytes:
    """Something else in the place of a value, or as text anywhere."""
    if rng.random() < 0.15 or not text.startswith(b"{"):
        place = int(rng.integers(len(text)))
        cut = place + int(rng.integers(0, 12))
        raw = RAW[int(rng.integers(len(RAW)))].encode()
        return text[:place] + raw + text[cut:]
    content = json.loads(text)
    inside, key = content, None
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = keys[int(rng.integers(len(keys)))]
        below = inside[key]
        if not isinstance(below, dict | list) or not below or rng.random() < 0.25:
            break
        inside = below
    how = rng.random()
    if how < 0.2:
        del inside[key]
    elif how < 0.3 and isinstance(inside, list):
        inside.append(inside[key])
    else:
        inside[key] = ODD[int(rng.integers(len(ODD)))]
    sys.set_int_max_str_digits(0)
    edited = json.dumps(content, indent=1).encode()
    sys.set_int_max_str_digits(4300)
    return edited


EDITS = {"digit": one_digit, "bit": one_bit, "structure": structure}


def outcome(one: Read, path: Path, expected: Any, trusted: bool) -> str:
    """How a file is read; an outcome that begins with FAULT is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("default", UserWarning)  # of rows far from those of the fit
            got = one.read(path, trusted)
    except HetselError as reason:
        long = len(str(reason)) > LONGEST or "\n" in str(reason)
        return f"FAULT a long sentence: {reason!s:.90}" if long else "a sentence"
    except Exception as reason:
        return f"FAULT raw: {type(reason).__name__}: {str(reason).splitlines()[:1]!s:.90}"
    if isinstance(got, np.ndarray) and one.sealed and not np.isfinite(got).all():
        return "FAULT numbers that are not finite"
    if np.array_equal(np.asarray(got), np.asarray(expected)):
        return "as it was"
    return "FAULT other predictions" if one.sealed and not trusted else "read as edited"


def edited(one: Read, name: str, kind: str, seed: int, number: int) -> bytes:
    """The file after an edit."""
    rng = np.random.default_rng([seed, number, sum(map(ord, name)), len(kind)])
    return EDITS[kind](rng, one.text)


def main() -> int:
    """Run the edits; 0 where none was a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edits", type=int, default=1000, help="of each kind and file")
    parser.add_argument("--of", nargs="*", help="files of these names alone")
    options = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = written(folder)
        for name, one in files.items():
            if options.of and name not in options.of:
                continue
            (folder / "edited.toml").write_bytes(one.text)
            expected = one.read(folder / "edited.toml", False)
            for kind in EDITS:
                ended: Counter[str] = Counter()
                trusts = (False, True) if TRUST and "model" not in name and one.sealed else (False,)
                for number in range(options.edits):
                    content = edited(one, name, kind, options.seed, number)
                    path = folder / f"{'edited' if number % 10 else JUDGED}.toml"
                    for trusted in trusts:
                        path.write_bytes(content)
                        how = outcome(one, path, expected, trusted)
                        ended[("trusted: " if trusted else "") + how] += 1
                for how, count in sorted(ended.items()):
                    print(f"{name:>14} {kind:>10} {count:>6}  {how}", flush=True)
                faults += sum(n for how, n in ended.items() if "FAULT" in how)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
