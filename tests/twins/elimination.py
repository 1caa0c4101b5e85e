"""Slow twin of recursive elimination: the algorithm as it is printed."""

import numpy as np


def elimination(importance, p, share=0.2):
    """Algorithm 1 of paul2015, literally; importance(left) -> one number a feature left."""
    left, order = list(range(p)), []
    while left:
        scores = importance(np.array(left))
        drop = max(1, round(share * len(left)))
        # worst first; of equal ones the higher column index goes first
        ranked = sorted(range(len(left)), key=lambda i: (scores[i], -left[i]))
        for i in ranked[:drop]:
            order.insert(0, left[i])
        gone = {left[i] for i in ranked[:drop]}
        left = [f for f in left if f not in gone]
    return np.array(order)
