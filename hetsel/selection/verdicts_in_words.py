"""Verdicts on the order of features: by rank and in words."""

from collections.abc import Sequence

from hetsel.ground import listed

# verdicts on the cut between two ranks; they hold for the exact optimum of values rounded to 2^-24
# of the range, with a margin for the effect of this rounding, or of binned values
PROVED, TIE, OPEN, UNSAID = "proved", "tie", "open", ""
VERDICTS = (UNSAID, PROVED, TIE, OPEN)


def by_rank(cuts: Sequence[str]) -> list[str]:
    """Return the verdict on each rank from the cuts before and after it.

    "proved": both cuts are proved. "tie 17-19": one is a tie, with the run of tied ranks. "open":
    one is open, alone or after the tie. Empty: a cut has no verdict.
    """
    runs = {rank: f"{TIE} {a}-{b}" for a, b in tied_runs(cuts) for rank in range(a, b + 1)}
    words = []
    for rank in range(1, len(cuts) + 2):
        beside = cuts[max(rank - 2, 0) : rank]
        said = [runs[rank]] if rank in runs else []
        said += [OPEN] if OPEN in beside else []
        words.append(", ".join(said) or (UNSAID if UNSAID in beside else PROVED))
    return words


def tied_runs(cuts: Sequence[str]) -> list[tuple[int, int]]:
    """Return the first and last rank of each run of tied ranks."""
    return [(first, last + 1) for first, last in _runs(cuts, TIE)]


def cuts_in_words(cuts: Sequence[str], rounding: float = 0.0) -> str:
    """Summarize how many cuts are proved, ties and open, and where; empty without verdicts.

    `rounding` is the largest change of a value by binning, as a fraction of the range.
    """
    if not any(cuts):
        return ""
    if rounding > 0.0:
        change = f"{100 * rounding:.2g}%"
        return f"{cuts_in_words(cuts)}, for values that bins change by up to {change} of the range"
    if set(cuts) == {PROVED}:
        return f"{'both' if len(cuts) == 1 else f'all {len(cuts) + 1}'} ranks are proved"
    ties = listed(f"{a}-{b}" for a, b in tied_runs(cuts))
    opened = [str(a) if a == b else f"{a}-{b}" for a, b in _runs(cuts, OPEN)]
    after = f"after rank{'' if cuts.count(OPEN) == 1 else 's'} {listed(opened)}"
    parts = (
        (PROVED, "proved", "proved", ""),
        (TIE, "a tie", "ties", f" (ranks {ties})"),
        (OPEN, "open", "open", f" ({after})"),
        (UNSAID, "without a verdict", "without a verdict", ""),
    )
    said = []
    for verdict, one, several, where in parts:
        number = cuts.count(verdict)
        if number or verdict == PROVED:
            said.append(f"{number} {f'is {one}' if number == 1 else f'are {several}'}{where}")
    return f"of {len(cuts)} boundaries between ranks {', '.join(said)}"


def at_size(cuts: Sequence[str], size: int) -> str:
    """Return the verdict on the cut after the best `size` features; empty without one."""
    if not 1 <= size <= len(cuts):
        return UNSAID
    if cuts[size - 1] != TIE:
        return cuts[size - 1]
    return next(f"{TIE} of ranks {a}-{b}" for a, b in tied_runs(cuts) if a <= size < b)


def _runs(cuts: Sequence[str], verdict: str) -> list[tuple[int, int]]:
    """Return the first and last cut, from 1, of each run of this verdict."""
    runs: list[tuple[int, int]] = []
    for place, found in enumerate(cuts, start=1):
        if found != verdict:
            continue
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs
