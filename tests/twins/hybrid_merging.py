"""Slow twin of the hybrid methods: the merge, with every candidate's rate computed anew."""


def hybrid_order(rate, pvalue, nominal, flat=()):
    """Greedy merge of the two lists: features in order and the rate after each.

    `rate(subset)` is the criterion, computed anew for every candidate. `flat` are the constant
    columns, which come last.
    """
    told = sorted(set(range(len(pvalue))) - set(flat), key=lambda f: pvalue[f])
    numbers, levels = [f for f in told if not nominal[f]], [f for f in told if nominal[f]]
    chosen, rates = [], []
    while numbers or levels:
        heads = [queue[0] for queue in (numbers, levels) if queue]
        scores = {f: rate([*chosen, f]) for f in heads}
        best = min(heads, key=lambda f: (-scores[f], pvalue[f], f))
        (numbers if numbers and best == numbers[0] else levels).pop(0)
        chosen.append(best)
        rates.append(float(scores[best]))
    for f in sorted(flat):
        chosen.append(f)
        rates.append(float(rate(chosen)))
    return chosen, rates
