"""Slow twins of the kernels of numbers and of survival times: full matrices by the definitions."""

import numpy as np
from twins.traces import centered


def number_gram(y):
    """exp(-(y_i - y_j)^2 / (2 s^2))."""
    y = np.asarray(y, dtype=float)
    return np.exp(-0.5 * np.subtract.outer(y, y) ** 2 / y.var())


def time_gram(times, events):
    """The Gaussian kernel of 1 - S(t), S the Kaplan-Meier estimate; of rows with an event."""
    happened = []
    for t in times:
        survived = 1.0
        for u in sorted({u for u, event in zip(times, events, strict=True) if event and u <= t}):
            deaths = sum(event and v == u for v, event in zip(times, events, strict=True))
            survived *= 1.0 - deaths / sum(v >= u for v in times)
        happened.append(1.0 - survived)
    own = np.array(happened)
    spread = own[np.asarray(events)].std()
    away = np.subtract.outer(own, own)
    return np.exp(-0.5 * (away / spread) ** 2) if spread else np.ones_like(away)


def kernel_log_rank(gram, times, events, of_time=True):
    """n^2 Psi^2, the squared norm of sum_i [k(t_i, x_i) - mean over j at risk of k(t_i, x_j)].

    Over the events i, of the features of the kernel K(x, x') L(t, t'), by loops over the rows.
    """
    n = len(times)
    told = time_gram(times, events) if of_time else np.ones((n, n))
    at_risk = [[j for j in range(n) if times[j] >= times[i]] for i in range(n)]
    total = 0.0
    for i in range(n):
        for k in range(n):
            if events[i] and events[k]:
                own = gram[i, k]
                own -= np.mean([gram[j, k] for j in at_risk[i]])
                own -= np.mean([gram[i, j] for j in at_risk[k]])
                own += np.mean([gram[j, m] for j in at_risk[i] for m in at_risk[k]])
                total += told[i, k] * own
    return total


def log_rank_gram(times, events):
    """V = (I - A)' (L o e e') (I - A)."""
    n = len(times)
    at_risk = np.array([[float(u >= t) for u in times] for t in times])
    away = np.eye(n) - at_risk / at_risk.sum(axis=1, keepdims=True)
    e = np.asarray(events, dtype=float)
    return away.T @ (time_gram(times, events) * np.outer(e, e)) @ away


def told_gram(y):
    """The centered kernel of numbers (n,) or of (times, events)."""
    return log_rank_gram(*y) if isinstance(y, tuple) else centered(number_gram(y))
