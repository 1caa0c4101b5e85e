"""Determine the size from --size and --size-rule: a number, or chosen by inner resamplings."""

import argparse
from typing import Any

from hetsel.ground import TableError, counted
from hetsel.shell.selection_input import Case


def fixed_size(options: argparse.Namespace) -> int | None:
    """Return the size that the options name; None if it is not yet known."""
    if options.size_rule is not None and options.size != "auto":
        raise TableError("--size-rule needs --size auto")
    return None if options.size == "auto" else options.size


def settle_size(selector: Any, case: Case, options: argparse.Namespace) -> dict[str, Any] | None:
    """Choose the size of a fitted selector for --size auto, and return the facts of the choice.

    The judge is 5nn for every target: it predicts the mean of the neighbors for numbers, and their
    Kaplan-Meier curve for survival times.
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
    """Print how the size was chosen."""
    if choice is None:
        return
    print(
        f"size {choice['size']} by the rule {choice['rule']}: inner {choice['measure']} "
        f"{choice['inner_score']:.3f} (best of {len(choice['sizes'])} sizes: "
        f"{choice['best_inner_score']:.3f}) of {choice['classifier']} on the held-out rows of "
        f"{counted(choice['resamplings'], 'inner resampling')}. It is optimistic, since it chose "
        "the size."
    )
