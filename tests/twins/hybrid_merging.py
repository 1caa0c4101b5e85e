"""Slow twin of the hybrid methods: the merge, with every candidate's rate computed anew."""


def hybrid_order(rate, pvalue, nominal):
    """Greedy merge of the two lists: features in order and the rate after each.

    `rate(subset)` is the criterion, computed anew for every candidate.
    """
    numbers = sorted((f for f in range(len(pvalue)) if not nominal[f]), key=lambda f: pvalue[f])
    levels = sorted((f for f in range(len(pvalue)) if nominal[f]), key=lambda f: pvalue[f])
    chosen, rates = [], []
    while numbers or levels:
        heads = [queue[0] for queue in (numbers, levels) if queue]
        scores = {f: rate([*chosen, f]) for f in heads}
        best = min(heads, key=lambda f: (-scores[f], pvalue[f], f))
        (numbers if numbers and best == numbers[0] else levels).pop(0)
        chosen.append(best)
        rates.append(float(scores[best]))
    return chosen, rates
