"""Pairs that tell more together: found where they do, in any kinds of columns, never in noise."""

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel import Signature
from hetsel.signature import joint_effects
from hetsel.signature.joint_effects import kernel, strongest_pair
from hetsel.words import signature_sentences

QUICK = {"method": "hsic", "size": 2, "permutations": 0, "pairs": 0, "folds": 3, "repeats": 1}


def table(seed, n=120):
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(n, 5)), columns=[f"x{j}" for j in range(5)])
    return frame.assign(g=draw.choice(list("abc"), n), h=draw.choice(list("ab"), n)), draw


def classes(frame, draw, kind):
    one, other = frame["x0"], frame["x1"] if kind == "numbers" else (frame["h"] == "a") - 0.5
    if kind == "sum":
        noise = 0.5 * draw.normal(size=len(frame))
        return np.where(frame["x0"] + frame["x1"] + noise > 0, "b", "a")
    if kind == "noise":
        return draw.permutation(np.repeat(["a", "b"], len(frame) // 2))
    if kind == "three":
        return np.where(one * other > 0, "b", np.where(one > 0, "a", "c"))
    return np.where(one * other > 0, "b", "a")


@pytest.mark.parametrize(
    ("kind", "pair"), [("numbers", ["x0", "x1"]), ("kinds", ["x0", "h"]), ("three", ["x0", "h"])]
)
def test_a_pair_that_tells_the_classes_together_only_is_named(kind, pair):
    frame, draw = table(1)
    found = Signature(**QUICK).fit(frame, classes(frame, draw, kind))
    told = found.facts().interaction
    assert told.features == pair
    assert told.with_pair > told.without_pair + 0.2
    said = signature_sentences.interaction(found.facts())
    assert said in hetsel.summary(found)
    assert all(name in said for name in pair)


def test_a_pair_is_found_in_a_sample_of_many_rows(monkeypatch):
    frame, draw = table(1, 600)
    y = classes(frame, draw, "kinds")
    monkeypatch.setattr(joint_effects, "MOST_ROWS", 200)
    rows = draw.permutation(600)
    found, other = (
        Signature(**QUICK, n_jobs=1).fit(frame.iloc[order], y[order])
        for order in (np.arange(600), rows)
    )
    assert found.facts().interaction == other.facts().interaction
    assert found.facts().interaction.features == ["x0", "h"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sum", "noise"])
def test_neither_noise_nor_sums_have_a_pair(kind):
    for seed in range(8):
        frame, draw = table(seed)
        found = Signature(**QUICK, random_state=seed).fit(frame, classes(frame, draw, kind))
        assert found.interaction_ is None


def test_the_strongest_pair_is_that_of_loops():
    frame, draw = table(3, 30)
    cells = np.array([frame["x0"], frame["x1"], frame["x2"], frame["h"] == "a"], dtype=float)
    cells -= cells.min(axis=1)[:, None]
    cells /= cells.max(axis=1)[:, None]
    nominal, codes = np.array([False, False, False, True]), draw.permutation(np.arange(30) % 2)
    y = np.where(codes == 1, 1.0, -1.0)
    centered = []
    for row, level in zip(cells, nominal, strict=True):
        own = kernel(row, row, bool(level))
        centered.append(own - own.mean(axis=0) - own.mean(axis=1)[:, None] + own.mean())
    best, pair = -np.inf, None
    for f in range(4):
        for g in range(f + 1, 4):
            pairs = [(a, b) for a in range(30) for b in range(30) if a != b]
            both = [centered[f][a, b] * centered[g][a, b] for a, b in pairs]
            alike = sum(y[a] * y[b] * k for (a, b), k in zip(pairs, both, strict=True))
            value = alike / np.sqrt(sum(k * k for k in both))
            if value > best:
                best, pair = value, (f, g)
    assert strongest_pair(cells, nominal, codes) == pair
