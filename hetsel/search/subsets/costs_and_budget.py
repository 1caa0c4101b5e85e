"""The cost of a subset, and the budget of a search."""

from collections.abc import Callable, Sequence

from hetsel.ground import TableError, not_negative
from hetsel.search.subsets.subset_values import Space


def subset_cost(space: Space, costs: Sequence[float], subset: int) -> float:
    """Return the total cost of the features of a subset; minus it is J2(X) (Eq. 14)."""
    return float(sum(costs[f] for f in space.features(subset)))


def within_budget(
    space: Space, costs: Sequence[float] | None, budget: float | None, search: str
) -> Callable[[int], bool] | None:
    """Return a function that checks a subset against the budget; None without a budget."""
    if costs is None:
        return None
    if len(costs) != space.p:
        raise TableError(
            f"costs must be {space.p} numbers, one for each feature. Got {costs!r:.80}"
        )
    for cost in costs:
        not_negative("costs", cost)
    if budget is None:
        return None
    smallest = [space.least] if space.least else [space.least | mask for mask in space.masks]
    least = min(subset_cost(space, costs, subset) for subset in smallest)
    if least > budget:
        raise TableError(
            f"budget must be at least {least:g}, the cost of the cheapest subset. Got {budget:g}"
        )
    if search in ("sbs", "sbfs", "branch-and-bound"):
        raise TableError(
            f"search={search!r} starts with every feature and allows no budget. Leave budget out, "
            "or use search='sffs'"
        )
    return lambda subset: subset_cost(space, costs, subset) <= budget
