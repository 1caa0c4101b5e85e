"""Split the effect curves of a model into pieces, and count the rows of each."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from hetsel.ground.rounding import scaled_to_one
from hetsel.models.additive_model import EffectCurve
from hetsel.tables import Classes, Table, TypedTarget

MARGIN = 1e-6  # decision values closer to -1 or 1 differ from them by the solver's error only
# levels of an ordinal column that are separate pieces; with more levels, pieces end at bends
LEVELS = 12
STRAIGHT = 1e-9  # relative to the range of an effect: smaller bends are rounding errors


def effects_by_piece(
    curves: Sequence[EffectCurve], table: Table, target: TypedTarget
) -> pd.DataFrame:
    """List the pieces on which each effect is linear, or its levels, and the rows of each piece.

    Effects are linear on the scale of the model; on the quantile scale in the proportion of
    training rows below. `table` (n, k) has the training rows and the columns of the curves. Missing
    values are imputed, or NaN if they are a separate value, which is a piece named "missing".
    Columns: feature; class (to which the effect refers, empty for numbers and survival times); low
    and high, the ends of a piece, or twice the level; effect_low and effect_high, the effect there;
    rows between them (the lower end counts in the first piece only), and `rows <class>` of each
    class. Few rows make a piece uncertain.
    """
    labels = [""]
    if isinstance(target, Classes):
        labels = [str(label) for label in target.labels.tolist()]
    several = len(labels) > 2

    def rows_of(mask: np.ndarray) -> dict[str, int]:
        if not isinstance(target, Classes):
            return {"rows": int(mask.sum())}
        counts = np.bincount(target.codes[mask], minlength=len(labels)).tolist()
        held = {f"rows {label}": n for label, n in zip(labels, counts, strict=True)}
        return {"rows": int(mask.sum()), **held}

    content: list[dict[str, object]] = []
    for column, curve in enumerate(curves):
        cells = table.values[:, column]
        for row, effect in enumerate(curve.values):
            about = {"feature": curve.name, "class": labels[row] if several else labels[-1]}
            for piece, mask in _pieces(curve, effect, cells, table, column):
                content.append({**about, **piece, **rows_of(mask)})
            gaps = np.isnan(cells)
            if gaps.any():
                value = float(curve.missing[row])
                ends = dict.fromkeys(("low", "high"), "missing")
                effects = dict.fromkeys(("effect_low", "effect_high"), value)
                content.append({**about, **ends, **effects, **rows_of(gaps)})
    return pd.DataFrame(content)


def on_margin(decisions: np.ndarray) -> float:
    """Compute the proportion of decision values that are -1 or 1.

    The hinge loss has its corners there. With a large C and columns of few values, many rows can be
    at a corner of the smallest loss at once, where features may be left out that are equally
    informative.

    Examples
    --------
    >>> on_margin(np.array([-1.0, 0.3, 1.0, 3.0]))
    0.5
    """
    return float((np.abs(np.abs(decisions) - 1.0) < MARGIN).mean())


def _pieces(
    curve: EffectCurve, effect: np.ndarray, cells: np.ndarray, table: Table, column: int
) -> Iterator[tuple[dict[str, object], np.ndarray]]:
    """Iterate over the pieces of one effect, with the mask (n,) of their rows."""
    if curve.kind == "nominal":
        levels = [*table.schema.columns[column].levels]
        for level, value in zip(curve.knots.tolist(), effect.tolist(), strict=True):
            ends = {"low": level, "high": level, "effect_low": value, "effect_high": value}
            yield ends, cells == (levels.index(level) if level in levels else np.nan)
        return
    knots = np.asarray(curve.knots, dtype=np.float64)
    if not len(knots):
        return
    cells = np.clip(cells, knots[0], knots[-1])  # a robust scale can end before the values do
    if curve.kind == "ordinal" and len(knots) <= LEVELS:
        for level, value in zip(knots.tolist(), effect.tolist(), strict=True):
            ends = {"low": level, "high": level, "effect_low": value, "effect_high": value}
            yield ends, cells == level
        return
    bends = _bends(knots if curve.places is None else curve.places, effect)
    if len(bends) == 1:
        (k,) = bends
        ends = {"low": knots[k], "high": knots[k]}
        yield {**ends, "effect_low": effect[k], "effect_high": effect[k]}, cells == knots[k]
    for first, last in pairwise(bends):
        mask = (cells <= knots[last]) & ((cells > knots[first]) | (first == 0))
        ends = {"low": float(knots[first]), "high": float(knots[last])}
        values = {"effect_low": float(effect[first]), "effect_high": float(effect[last])}
        yield {**ends, **values}, mask


def _bends(knots: np.ndarray, effect: np.ndarray) -> list[int]:
    """Return the positions of the knots at which the slope changes, including both ends."""
    if len(knots) < 3:
        return list(range(len(knots)))
    knots = scaled_to_one(knots) / 2
    scale = float(np.ptp(effect)) / float(np.ptp(knots))
    with np.errstate(all="ignore"):  # a step beyond the range of doubles has an infinite slope
        slopes = np.diff(effect) / np.diff(knots)
        bent = np.abs(np.diff(slopes)) > STRAIGHT * max(scale, 1e-300)
    return [0, *(np.flatnonzero(bent) + 1).tolist(), len(knots) - 1]
