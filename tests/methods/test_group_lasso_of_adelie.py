"""Paths of group lassos on mixed columns against adelie: entries, effects, what is minimized."""

import os
import sys
from itertools import pairwise
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pandas as pd
import pytest

from hetsel import Schema, get_method, survival
from hetsel.solvers.cox_ridge import RiskOrder
from hetsel.solvers.group_lasso_path import Blocks, lasso_path, standardized
from hetsel.solvers.group_losses import GroupLoss

# adelie wants IPython, which none of its solvers use, and is left without it; its threads are not
# to hold this process, and all that it starts, to one processor
wants_ipython = "IPython.display" not in sys.modules
if wants_ipython:
    sys.modules["IPython.display"] = SimpleNamespace(HTML=None)
processors = os.sched_getaffinity(0)
try:
    with mock.patch.dict(os.environ, OMP_PROC_BIND="FALSE"):
        adelie = pytest.importorskip(
            "adelie", reason="make test installs it: pip install --no-deps adelie==1.1.52"
        )
finally:
    if wants_ipython:
        del sys.modules["IPython.display"]
assert os.sched_getaffinity(0) == processors

GroupLasso = get_method("group-lasso")
EXACT = {"tol": 1e-20, "irls_tol": 1e-20, "early_exit": False, "progress_bar": False}
TARGETS = ["numbers", "breslow", "efron", "two classes", "three classes"]
targets = pytest.mark.parametrize("target", TARGETS)
seeds = pytest.mark.parametrize("seed", range(3))


def mixed(seed, n=120, missing=0.0):
    """Two numbers of different units, columns of two to five levels, and what these tell."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"dose": rng.normal(size=n), "age": 40 + 15 * rng.normal(size=n)})
    for name, levels in [("flag", 2), ("grade", 3), ("town", 5), ("noise", 4)]:
        share = rng.dirichlet(np.full(levels, 5.0))
        frame[name] = rng.choice(list("abcde")[:levels], n, p=share)
    told = frame["dose"] - frame["age"] / 20 + (frame["town"] == "c") - (frame["grade"] == "a")
    told = told.to_numpy() + 2.0 + rng.normal(size=n)
    return frame.mask(rng.random(frame.shape) < missing), told


def followed(told, seed, ties):
    """Survival times whose hazard is exp(told), some two fifths of them censored."""
    rng = np.random.default_rng(seed)
    happened, seen = rng.exponential(size=(2, len(told))) * [np.exp(-told), np.ones(len(told))]
    times = np.minimum(happened, seen)
    return np.ceil(30 * times) if ties else times, happened <= seen


def asked(target, told, seed):
    """The y of a target, and the loss of adelie with the outputs that it has.

    Efron's way of ties is Breslow's where there are none.
    """
    if target == "numbers":
        return 100 + 7 * told, adelie.glm.gaussian((told - told.mean()) / told.std()), 1
    if target in ("breslow", "efron"):
        times, events = followed(told, seed, ties=target == "breslow")
        repeated = len(np.unique(times[events])) < events.sum()
        assert repeated == (target == "breslow")
        return survival(times, events), cox(times, events, target), 1
    if target == "two classes":
        y = (told > np.median(told)).astype(int)
        return y, adelie.glm.binomial(y.astype(float)), 1
    y = np.digitize(told, np.quantile(told, [0.3, 0.7]))
    return y, adelie.glm.multinomial((y[:, None] == np.arange(3)) * 1.0), 3


def cox(times, events, ties):
    return adelie.glm.cox(np.full(len(times), -1.0), times, events * 1.0, tie_method=ties)


def orthonormal(frame):
    """Columns of mean 0 and of variance 1, uncorrelated within a feature; where each starts.

    As many as the feature has degrees of freedom: its effect has the length of its coefficients
    for standard deviation, and adelie's own penalty factors are the weights of a feature. A missing
    number is the mean, a missing level a level.
    """
    parts = []
    for name in frame:
        if frame[name].dtype.kind == "f":
            z = frame[[name]].fillna(frame[name].mean()).to_numpy()
        else:
            z = pd.get_dummies(frame[name], dummy_na=bool(frame[name].isna().any())).to_numpy()
        u, sizes, _ = np.linalg.svd(z - z.mean(axis=0), full_matrices=False)
        parts.append(np.sqrt(len(z)) * u[:, sizes > 1e-9 * sizes[0]])
    starts = np.cumsum([0, *(part.shape[1] for part in parts)])
    return np.asfortranarray(np.hstack(parts)), starts


def of_adelie(z, starts, loss, outputs, penalties=None):
    """Coefficients (steps, d, outputs), intercepts (steps, outputs) and the largest lambda.

    adelie divides the multinomial loss by the number of classes.
    """
    options = {"intercept": not hasattr(loss, "tie_method"), **EXACT}
    if penalties is None:
        options["lmda_path_size"] = 2
    else:
        options["lmda_path"] = penalties / outputs
    factors = np.sqrt(np.diff(starts))
    state = adelie.grpnet(z, loss, groups=starts[:-1], penalty=factors, **options)
    beta = np.asarray(state.betas.todense()).reshape(-1, z.shape[1], outputs)
    intercepts = np.asarray(state.intercepts).reshape(len(beta), outputs)
    return beta, intercepts, state.lmda_max * outputs


def lengths(beta, starts):
    """Lengths (steps, p) of the coefficients of each feature."""
    return np.sqrt(np.add.reduceat((beta**2).sum(axis=2), starts[:-1], axis=1))


@pytest.mark.seconds
@seeds
@targets
@pytest.mark.parametrize("missing", [0.0, 0.08])
def test_features_enter_where_they_enter_in_adelie(target, seed, missing):
    frame, told = mixed(seed, missing=missing)
    y, loss, outputs = asked(target, told, seed)
    found = GroupLasso(steps=60, missing="separate").fit(frame, y)
    z, starts = orthonormal(frame)
    first = of_adelie(z, starts, loss, outputs)[2]
    penalties = first * 0.05 ** (np.arange(61) / 60)
    size = lengths(of_adelie(z, starts, loss, outputs, penalties)[0], starts)
    inside = size > 1e-7
    entry = np.where(inside.any(axis=0), penalties[inside.argmax(axis=0)], 0.0)
    np.testing.assert_allclose(found.answer_.extras["entry"], entry, rtol=1e-9)
    assert found.importances_.max() == pytest.approx(first, abs=2.0**-20)
    later = entry[:, None] < entry
    assert (found.importances_[:, None] < found.importances_)[later].all()
    assert later.sum() > 5


def of_ours(frame, target, y, penalty_steps):
    """Points of our path, and the effects (steps, n, p, outputs) of the features there.

    These have any mean; the intercepts make up for it.
    """
    table = Schema.infer(frame).encode(frame)
    rows = np.arange(len(frame))
    if target == "numbers":
        loss = GroupLoss.of_numbers(standardized(y))
    elif target in ("breslow", "efron"):
        order = RiskOrder.of(y["time"].copy(), y["event"].copy())
        rows, loss = order.rows, GroupLoss.of_survival(order)
    else:
        loss = GroupLoss.of_classes(y.astype(np.int64))
    blocks = Blocks.of(table.values[rows], table.nominal)
    points = list(lasso_path(blocks, loss, penalty_steps, 0.02, 1e-11))
    outputs = points[0].coefficients.shape[1]
    effects = np.zeros((len(points), *table.values.shape, outputs))
    for step, point in enumerate(points):
        for f, column in enumerate(blocks.columns.T):
            own = slice(blocks.starts[f], blocks.starts[f + 1])
            beta, roots = point.coefficients[own], blocks.roots[own]
            if len(roots) == 1:
                effects[step, rows, f] = column[:, None] * beta
            else:
                effects[step, rows, f] = (beta * roots[:, None])[column.astype(int)]
    return points, effects


@pytest.mark.seconds
@seeds
@targets
def test_effects_and_objective_are_those_of_adelie(target, seed):
    frame, told = mixed(seed)
    y, loss, outputs = asked(target, told, seed)
    points, effects = of_ours(frame, target, y, 12)
    z, starts = orthonormal(frame)
    penalties = np.array([point.penalty for point in points])
    beta, intercepts, first = of_adelie(z, starts, loss, outputs, penalties)
    assert penalties[0] == pytest.approx(first, rel=1e-12)
    theirs = np.stack([z[:, a:b] @ beta[:, a:b] for a, b in pairwise(starts)], axis=2)
    away = effects - effects.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(away, theirs, atol=1e-6 if outputs == 1 else 1e-5)
    sizes = lengths(beta, starts)
    assert (np.array([point.inside for point in points])[1:] == (sizes > 1e-7)[1:]).all()
    assert (sizes[-1] > 0.03).sum() >= 4
    factors = np.sqrt(np.diff(starts))
    for step, point in enumerate(points):
        ours = outputs * loss_of(loss, effects[step].sum(axis=1) + point.intercepts)
        ours += point.penalty * factors @ np.sqrt((away[step] ** 2).sum(axis=2).mean(axis=0))
        best = outputs * loss_of(loss, theirs[step].sum(axis=1) + intercepts[step])
        best += point.penalty * factors @ sizes[step]
        assert ours == pytest.approx(best, abs=1e-9)


def loss_of(loss, scores):
    """Of adelie, at scores (n, outputs)."""
    return loss.loss(scores[:, 0] if scores.shape[1] == 1 else scores)


@seeds
def test_ties_are_breslows_and_not_efrons(seed):
    frame, told = mixed(seed)
    times, events = followed(told, seed, ties=True)
    found = GroupLasso(steps=20).fit(frame, survival(times, events)).importances_.max()
    z, starts = orthonormal(frame)
    breslow, efron = (
        of_adelie(z, starts, cox(times, events, ties), 1)[2] for ties in ("breslow", "efron")
    )
    assert found == pytest.approx(breslow, abs=2.0**-20)
    assert abs(found - efron) > 1e-3
