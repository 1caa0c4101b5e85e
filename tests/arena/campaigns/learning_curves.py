"""How often the band of a learning curve holds the true rate of two and four times the rows.

    python tests/arena/campaigns/learning_curves.py [--tables 60] [--rows 60]

Each design draws tables of so many rows from one distribution; the true rate of m rows is the mean
over tables of m rows, each with a signature and a model of its own, on rows that none has seen.
"""

import argparse

import numpy as np

import hetsel
from hetsel.signature.planning.learning_curve import learning_curve
from hetsel.signature.planning.row_plan import _read

# shift of the classes in each of the columns, and the share of the second class
DESIGNS = {
    "strong": ((1.2, 1.2, 0, 0, 0, 0), 0.5),
    "weak": ((0.5, 0.5, 0.5, 0, 0, 0, 0, 0, 0, 0), 0.5),
    "rare class": ((1.0, 1.0, 0, 0, 0, 0), 0.2),
    "noise": ((0.0,) * 6, 0.5),
}
TIMES = (1, 2, 4)


def drawn(rng, n, design):
    shifts, share = DESIGNS[design]
    y = (np.arange(n) < round(share * n)).astype(int)
    return rng.normal(size=(n, len(shifts))) + np.outer(y, shifts), y


def true_rate(rng, n, design, tables):
    """Mean balanced rate of signatures of n rows on new rows."""
    x_new, y_new = drawn(rng, 10_000, design)
    rates = []
    for _ in range(tables):
        x, y = drawn(rng, n, design)
        best = hetsel.get_method("t-test")(size=2).fit(x, y).get_support()
        model = hetsel.ClinicalSVC(10.0, class_weight="balanced").fit(x[:, best], y)
        right = model.predict(x_new[:, best]) == y_new
        rates.append(np.mean([right[y_new == c].mean() for c in (0, 1)]))
    return float(np.mean(rates))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    asked = hetsel.Signature("t-test", 2, folds=5, repeats=1)
    for number, design in enumerate(DESIGNS):
        rng = np.random.default_rng(number)
        sizes = [times * options.rows for times in TIMES]
        truth = np.array([true_rate(rng, n, design, 40) for n in sizes])
        held, told, wide = [], [], []
        for _ in range(options.tables):
            data, procedure = _read(*drawn(rng, options.rows, design), "rows", asked)
            middle, low, high = learning_curve(data, procedure, options.repeats).band(sizes)
            held.append((low <= truth) & (truth <= high))
            told.append(middle)
            wide.append(high - low)
        for k, n in enumerate(sizes):
            print(
                f"{design}, {n} rows: true {truth[k]:.3f}, told {np.mean(told, axis=0)[k]:.3f}, "
                f"held {np.mean(held, axis=0)[k]:.2f}, width {np.mean(wide, axis=0)[k]:.2f}"
            )


if __name__ == "__main__":
    main()
