"""Slow twin of information by Parzen windows: all pairs of rows, by definition."""

from math import exp, log


def information(x, y, h):
    """H(y) - H(y | x), windows of h standard deviations of x; no cell is missing."""
    n, classes = len(x), set(y)
    mean = sum(x) / n
    variance = sum((v - mean) ** 2 for v in x) / n
    total = 0.0
    for c in classes:
        share = sum(label == c for label in y) / n
        total -= share * log(share)
    for here in x:
        windows = [exp(-((here - v) ** 2) / (2 * h * h * variance)) for v in x]
        for c in classes:
            own = sum(w for w, label in zip(windows, y, strict=True) if label == c) / sum(windows)
            total += own * log(own) / n if own > 0 else 0.0
    return total
