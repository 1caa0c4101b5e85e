"""Measure how the gap of a final machine in bins changes its decision values. No timing.

    python tests/arena/benchmarks/decisions_in_bins.py

Two thirds of the rows of Adult (in HETSEL_DATA) are training rows, the others are held out, with
14, 9, 6, 4 and 3 columns in an order of `rfe-mkl`. Each machine starts from the machine with one
more column, as final machines do. Each gap is compared with a gap of 1e-8, for the worst number of
columns: the largest difference of 99% of the decision values, the proportion of rows in another
class, and the difference of balanced accuracy. A second table has the AUC for each number of
columns, from decision values as they are and rounded to 1e-3. Output is Markdown.
"""

import large_tables
import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from hetsel.kernels.training_ranges import Scaling
from hetsel.models.rows_in_bins import RowsInBins, effect
from hetsel.solvers.svm.two_class_svm import problem_bounds, two_class_problems
from hetsel.tables import Table

ORDER = [
    *("capital_gain", "relationship", "age", "occupation", "education", "hours_per_week"),
    *("workclass", "fnlwgt", "capital_loss", "race", "sex", "native_country"),
    *("marital_status", "education_num"),
]
SIZES, GAPS, C = (14, 9, 6, 4, 3), (1e-8, 1e-7, 1e-6, 1e-5, 1e-4), 10.0


def main():
    """Both tables."""
    frame, target = large_tables.adult()
    y = pd.factorize(frame.pop(target), sort=True)[0]
    table = Table.read(frame).resolve_missing("impute")
    rows = np.random.default_rng(0).permutation(len(y))
    learn, judge = np.split(rows, [2 * len(y) // 3])
    train = table.take(rows=learn)
    scaling = Scaling.fit(train)
    new = scaling.apply(table.take(rows=judge))

    def decisions(size, gap):
        inside = RowsInBins(train, scaling.apply(train), y[learn])
        codes = y[learn][inside.rows]
        asked = two_class_problems(codes), problem_bounds(codes, C, "balanced"), np.inf
        for k in (size + 1, size) if size < len(ORDER) else (size,):
            columns = np.sort([table.names.index(name) for name in ORDER[:k]])
            found, _ = inside.solve(columns, *asked, tube=0.0, tolerance=gap)
        total = np.full(len(judge), found.bias[0])
        for f, curve in zip(columns, inside.curves(columns), strict=True):
            total += effect(curve, new[f], bool(table.nominal[f]))[0]
        return total

    found = {(size, gap): decisions(size, gap) for size in SIZES for gap in GAPS}
    print(
        "| gap | difference of decision values, 99% of the rows | proportion in another class | "
        "difference of balanced accuracy |\n|--:|--:|--:|--:|"
    )
    for gap in GAPS[1:]:
        worst = np.zeros(3)
        for size in SIZES:
            best, own = found[size, GAPS[0]], found[size, gap]
            rates = [balanced_accuracy_score(y[judge], values > 0) for values in (best, own)]
            apart = np.quantile(np.abs(own - best), 0.99), np.mean((own > 0) != (best > 0))
            worst = np.maximum(worst, [*apart, abs(rates[1] - rates[0])])
        print(f"| {gap:.0e} | {worst[0]:.1e} | {worst[1]:.1e} | {worst[2]:.1e} |")
    print(f"\n| AUC with columns | {' | '.join(f'gap {gap:.0e}, rounded' for gap in GAPS)} |")
    print("|--:|" + "--:|" * len(GAPS))
    for size in SIZES:
        values = [found[size, gap] for gap in GAPS]
        areas = [[roc_auc_score(y[judge], own) for own in (v, np.round(v, 3))] for v in values]
        print(f"| {size} | {' | '.join(f'{own:.4f}, {equal:.4f}' for own, equal in areas)} |")


if __name__ == "__main__":
    main()
