"""Labels of figures: long names are shortened in the middle and stay different."""

from collections.abc import Collection, Iterable, Sequence

from hetsel.ground import shown

LONGEST = 34  # characters of a label
HEAD = 6  # characters that stay before an ellipsis if names differ only deep inside


def distinct_labels(names: Iterable[object], longest: int = LONGEST) -> list[str]:
    """Shorten long names in the middle so that different names have different labels.

    A label keeps the first two thirds of its length and the end of the name, which is often a unit
    or a number. If two names would have the same label, other parts are kept in which they differ.

    Examples
    --------
    >>> distinct_labels(["age", "systolic blood pressure, mmHg"], 20)
    ['age', 'systolic bloo…, mmHg']
    >>> distinct_labels(["expression of gene 11 at 4 h", "expression of gene 12 at 4 h"], 15)
    ['expres…1 at 4 h', 'expres…2 at 4 h']
    """
    texts = [shown(name) for name in names]
    labels = {text: _without_middle(text, longest) for text in texts}
    alike: dict[str, list[str]] = {}
    for text, label in labels.items():
        alike.setdefault(label, []).append(text)
    for group in alike.values():
        if len(group) > 1:
            others = {labels[text] for text in labels.keys() - set(group)}
            labels |= dict(zip(group, _told_apart(group, longest, others), strict=True))
    return [labels[text] for text in texts]


def shorten_name(name: object, longest: int = LONGEST) -> str:
    """Shorten one long name in its middle; several beside each other need distinct labels.

    Examples
    --------
    >>> shorten_name("systolic blood pressure, mmHg", 20)
    'systolic bloo…, mmHg'
    """
    return _without_middle(shown(name), longest)


def _without_middle(text: str, longest: int, tail: int | None = None) -> str:
    """Replace the middle of a text that is too long; a third of the label is the end of it."""
    if len(text) <= longest:
        return text
    tail = longest // 3 if tail is None else tail
    return f"{text[: longest - tail - 1].rstrip()}…{text[len(text) - tail :].lstrip()}"


def _told_apart(texts: Sequence[str], longest: int, others: Collection[str]) -> list[str]:
    """Find labels that differ: a longer end, a window at the first difference, or numbers."""
    tails = sorted(range(longest), key=lambda tail: abs(tail - longest // 3))
    window = longest - HEAD - 2
    pairs = zip(*texts, strict=False)
    same = next((k for k, signs in enumerate(pairs) if len(set(signs)) > 1), min(map(len, texts)))
    first = max(same - 2, HEAD)
    trials = [[_without_middle(text, longest, tail) for text in texts] for tail in tails]
    trials.append([f"{text[:HEAD]}…{text[first : first + window]}…" for text in texts])
    for labels in trials:
        if len(set(labels)) == len(labels) and set(others).isdisjoint(labels):
            return labels
    return [
        f"{_without_middle(text, longest - len(end))}{end}"
        for text, end in zip(texts, [f" ({k})" for k in range(1, len(texts) + 1)], strict=True)
    ]
