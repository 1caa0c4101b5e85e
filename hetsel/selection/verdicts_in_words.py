"""Verdicts on the cuts of an order: rank by rank, and in words."""

from collections.abc import Sequence

from hetsel.ground import listed

# on the cut between two ranks: of the optimum for cells rounded to 2^-24 of the range, with
# a margin for what the rounding does to each importance by itself; or for cells in bins
PROVED, TIE, OPEN, UNSAID = "proved", "tie", "open", ""
VERDICTS = (UNSAID, PROVED, TIE, OPEN)


def by_rank(cuts: Sequence[str]) -> list[str]:
    """What the cuts before and after each rank say of it: "proved" if both are; "tie 17-19" if one
    is a tie, with the run of ranks that ties join; "open" if one is open, alone or after the tie;
    empty if a cut has no verdict."""
    runs = {rank: f"{TIE} {a}-{b}" for a, b in tied_runs(cuts) for rank in range(a, b + 1)}
    words = []
    for rank in range(1, len(cuts) + 2):
        beside = cuts[max(rank - 2, 0) : rank]
        said = [runs[rank]] if rank in runs else []
        said += [OPEN] if OPEN in beside else []
        words.append(", ".join(said) or (UNSAID if UNSAID in beside else PROVED))
    return words


def tied_runs(cuts: Sequence[str]) -> list[tuple[int, int]]:
    """First and last rank of each run of ranks with ties between them."""
    return [(first, last + 1) for first, last in _runs(cuts, TIE)]


def cuts_in_words(cuts: Sequence[str], rounding: float = 0.0) -> str:
    """How many cuts are proved, ties and open, and where; empty if there is no verdict. `rounding`
    is how far binning moved a cell, as a share of the range of its column."""
    if not any(cuts):
        return ""
    if rounding > 0.0:
        share = f"{100 * rounding:.2g} %"
        return f"{cuts_in_words(cuts)}, for cells that bins move by up to {share} of the range"
    if set(cuts) == {PROVED}:
        return f"{'both' if len(cuts) == 1 else f'all {len(cuts) + 1}'} ranks are proved"
    ties = listed(f"{a}-{b}" for a, b in tied_runs(cuts))
    opened = [str(a) if a == b else f"{a}-{b}" for a, b in _runs(cuts, OPEN)]
    after = f"after rank{'' if cuts.count(OPEN) == 1 else 's'} {listed(opened)}"
    parts = (
        (PROVED, "proved", "proved", ""),
        (TIE, "a tie", "ties", f" (ranks {ties})"),
        (OPEN, "open", "open", f" ({after})"),
        (UNSAID, "without a claim", "without a claim", ""),
    )
    said = []
    for verdict, one, several, where in parts:
        number = cuts.count(verdict)
        if number or verdict == PROVED:
            said.append(f"{number} {f'is {one}' if number == 1 else f'are {several}'}{where}")
    return f"of {len(cuts)} boundaries between ranks {', '.join(said)}"


def at_size(cuts: Sequence[str], size: int) -> str:
    """What the cut after the best `size` features says of their signature; empty without one."""
    if not 1 <= size <= len(cuts):
        return UNSAID
    if cuts[size - 1] != TIE:
        return cuts[size - 1]
    return next(f"{TIE} of ranks {a}-{b}" for a, b in tied_runs(cuts) if a <= size < b)


def _runs(cuts: Sequence[str], verdict: str) -> list[tuple[int, int]]:
    """First and last cut, from 1, of each run of cuts with this verdict."""
    runs: list[tuple[int, int]] = []
    for place, found in enumerate(cuts, start=1):
        if found != verdict:
            continue
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs
