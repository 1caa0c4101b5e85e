"""The size that --size and --size-rule ask for: a number, or chosen by inner resamplings."""

import argparse
from typing import Any

from hetsel.ground import TableError
from hetsel.shell.selection_input import Case


def fixed_size(options: argparse.Namespace) -> int | None:
    """The size that the options name; None where there is none yet."""
    if options.size_rule is not None and options.size != "auto":
        raise TableError("--size-rule needs --size auto")
    return None if options.size == "auto" else options.size


def settle_size(selector: Any, case: Case, options: argparse.Namespace) -> dict[str, Any] | None:
    """Choose the size of a fitted selector where the options leave it open; what is said of it.

    The judge of every target is 5nn: means of the neighbors of numbers, their Kaplan-Meier curve of
    survival times.
    """
    if options.size != "auto":
        return None
    from hetsel.evaluation.size_rules import choose_size

    rule = options.size_rule or "one-se"
    choice = choose_size(selector, case.table, case.y, rule, groups=case.row_groups)
    selector.size_ = choice.size
    means = choice.means.tolist()
    return {
        "size": choice.size,
        "rule": rule,
        "classifier": choice.classifier,
        "measure": choice.measure,
        "resamplings": len(choice.scores),
        "inner_score": choice.inner_score,
        "best_inner_score": max(means),
        "sizes": list(choice.sizes),
        "inner_scores": means,
    }


def print_choice(choice: dict[str, Any] | None) -> None:
    """How a size was chosen."""
    if choice is None:
        return
    print(
        f"size {choice['size']} by the rule {choice['rule']}: inner {choice['measure']} "
        f"{choice['inner_score']:.3f} (the best of {len(choice['sizes'])} sizes: "
        f"{choice['best_inner_score']:.3f}), {choice['classifier']} on the rows held out of "
        f"{choice['resamplings']} inner resamplings; it chose the size, new rows do worse"
    )
