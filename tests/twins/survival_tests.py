"""Cox's score test and the log-rank test by their sums over risk sets, in fractions."""

from fractions import Fraction


def risk_sets(times, events):
    """At each time of an event: the rows at risk, and those with an event then."""
    for s in sorted({t for t, d in zip(times, events, strict=True) if d}):
        at_risk = [i for i, t in enumerate(times) if t >= s]
        yield at_risk, [i for i in at_risk if times[i] == s and events[i]]


def cox_score_fraction(x, times, events):
    """The statistic of one column without gaps, 0 where it cannot vary."""
    x = [Fraction(float(one)) for one in x]
    score, variance = Fraction(0), Fraction(0)
    for at_risk, died in risk_sets(times, events):
        n, d = len(at_risk), len(died)
        mean = sum(x[i] for i in at_risk) / n
        score += sum(x[i] - mean for i in died)
        if n > 1:
            spread = sum((x[i] - mean) ** 2 for i in at_risk) / n
            variance += Fraction(d * (n - d), n - 1) * spread
    return score**2 / variance if variance else Fraction(0)


def log_rank_fraction(codes, times, events):
    """The statistic of one column of levels, one level left out, by Gauss's elimination."""
    levels = sorted(set(codes))[1:]
    k = len(levels)
    away = [Fraction(0)] * k
    matrix = [[Fraction(0)] * k for _ in levels]
    for at_risk, died in risk_sets(times, events):
        n, d = len(at_risk), len(died)
        shares = [Fraction(sum(codes[i] == level for i in at_risk), n) for level in levels]
        for a, level in enumerate(levels):
            away[a] += sum(codes[i] == level for i in died) - d * shares[a]
            for b in range(k):
                if n > 1:
                    spread = Fraction(d * (n - d), n - 1)
                    matrix[a][b] += spread * shares[a] * ((a == b) - shares[b])
    total = Fraction(0)
    for a in range(k):
        if not matrix[a][a]:
            continue
        total += away[a] ** 2 / matrix[a][a]
        for b in range(a + 1, k):
            factor = matrix[b][a] / matrix[a][a]
            away[b] -= factor * away[a]
            matrix[b] = [x - factor * y for x, y in zip(matrix[b], matrix[a], strict=True)]
    return total
