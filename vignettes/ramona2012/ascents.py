"""Compare Algorithm 1 of Ramona, Richard and David (2012) with the maximum of the alignment.

The data are eight draws of 240 rows of Ionosphere. Factors are equal at the start.

    python tables.py run ascents
"""

import numpy as np

import hetsel
from hetsel.kernels.class_separation import alignment, rate_factors
from hetsel.kernels.scaled_kernels import Expansion, ScaledKernel
from hetsel.solvers.ascent import bounded_ascent, gradient_ascent
from hetsel.tables import Classes, Schema

ROWS, DRAWS, STEPS = 240, 8, 200
RATES = (1.0, 10.0, 100.0)


def lines():
    """Yield mean alignment and number of evaluations of each ascent."""
    data = hetsel.datasets.load("ionosphere")
    table = Schema.infer(data.X).encode(data.X)
    rng = np.random.default_rng(2012)
    found = {}
    for _ in range(DRAWS):
        rows = rng.permutation(len(data.y))[:ROWS]
        part, y = table.take(rows=rows), Classes.of(data.y.to_numpy()[rows])
        features = Expansion.of(np.ascontiguousarray(part.values.T), part.nominal)
        features = features.subset(np.flatnonzero(features.varies))
        objective = rate_factors(alignment(y), features, ScaledKernel())
        equal = np.full(features.p, 1.0 / features.p)
        ends = {"to the maximum": bounded_ascent(objective, equal, equal)}
        for rate in RATES:
            ends[f"Algorithm 1, eta {rate:.0f}"] = gradient_ascent(
                objective, equal, rate=rate, iterations=STEPS
            )
        for name, end in ends.items():
            found.setdefault(name, []).append((end.value, end.evaluations))
    for name, values in found.items():
        value, evaluations = np.mean(values, axis=0)
        yield {"ascent": name, "alignment": round(value, 4), "evaluations": round(evaluations)}
