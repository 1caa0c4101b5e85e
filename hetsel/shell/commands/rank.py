"""Run the command `hetsel rank`."""

import argparse
import time
from typing import Any

import numpy as np

from hetsel.ground import TableError, counted, listed, shown
from hetsel.methods.registry import get_method, own_parameters, refuse_weights
from hetsel.questions import of_a_table, option
from hetsel.selection.verdicts_in_words import OPEN, at_size, cuts_in_words
from hetsel.shell import selection_output
from hetsel.shell.asked_options import arguments
from hetsel.shell.asked_target import residuals_asked
from hetsel.shell.chosen_size import fixed_size, print_choice, settle_size
from hetsel.shell.output_files import output_paths, written
from hetsel.shell.printing import elapsed, print_json
from hetsel.shell.selection_input import columns_of, read_case, rules_of


def run(options: argparse.Namespace) -> int:
    """Rank the features; print, write and draw the ranking."""
    if options.top is not None and options.top < 1:
        raise TableError(f"--top must be at least 1. Got {options.top}")
    paths = output_paths(options)
    selector = _selector(options)
    _check_weights(selector, options)
    case = read_case(options)
    names = list(case.table.names)
    always = columns_of("--always", options.always, names)
    selector.set_params(always=always, **rules_of(options, names))
    facts = {"method": options.method, **case.facts}
    start = time.perf_counter()
    with elapsed(f"{options.method} on {facts['rows']} rows, {facts['features']} features"):
        weights = {} if case.row_weights is None else {"sample_weight": case.row_weights}
        selector.fit(case.table, case.y, groups=case.row_groups, **weights)
        choice = settle_size(selector, case, options)
    facts["seconds"] = round(time.perf_counter() - start, 3)
    how = {"name": facts["table"], "top": options.top, "raw_text": options.raw_text}
    with written(
        paths,
        lambda *which: selection_output.answer_files(selector, *which, **how),
        quiet=options.json,
    ):
        _print(selector, facts, choice, options)
    return 0


def _selector(options: argparse.Namespace) -> Any:
    """Return the selector with its parameters."""
    settings = arguments(options, of_a_table.Cells, of_a_table.Seed) | {
        "target_kind": residuals_asked(options)
    }
    return get_method(options.method)(size=fixed_size(options), **settings, **own_options(options))


def _check_weights(selector: Any, options: argparse.Namespace) -> None:
    """Raise an error if the method or the choice of a size cannot use row weights."""
    if options.row_weights is None:
        return
    refuse_weights(selector, "--row-weights")
    if options.size == "auto":
        raise TableError(
            "--size auto scores sizes by 5nn, which cannot use row weights. Use a number for "
            "--size, or `hetsel select`, which uses row weights in all steps"
        )


def own_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of the method that the options name.

    Raises
    ------
    TableError
        The method is unknown, or lacks a parameter.
    """
    legal = sorted(own_parameters(get_method(options.method)))
    given = dict(options.params)
    if options.prove and "prove" not in legal:
        raise TableError(
            f"--prove is for the method rfe-mkl. Got {options.method}: leave --prove out"
        )
    given |= {"prove": True} if options.prove else {}
    for name in of_a_table.RULES:
        if getattr(options, name) and name not in legal:
            raise TableError(
                f"{option.flag(name)} is for methods that search subsets, such as sffs-5nn, and "
                f"for `hetsel search`. Got {options.method}"
            )
    for name in given:
        if name not in legal:
            raise TableError(
                f"{options.method} has no parameter {name!r}. "
                + (f"Its parameters are {', '.join(legal)}" if legal else "It has no parameters")
            )
    taken = options.unsupported
    return given if taken == "error" else {**given, "unsupported": taken}


def _print(
    selector: Any, facts: dict[str, Any], choice: dict[str, Any] | None, options: argparse.Namespace
) -> None:
    """Print the ranking, or the subsets of a search, as JSON or as a table."""
    if options.json:
        found = (
            selection_output.path_facts(selector)
            if selection_output.is_path(selector)
            else _ranking_facts(selector, options)
        )
        print_json({**facts, **found} | ({"size_choice": choice} if choice else {}))
        return
    selection_output.print_head(facts["method"], facts, facts["seconds"])
    if selection_output.is_path(selector):
        selection_output.print_path(selector, options.top)
    else:
        _print_ranking(selector, options)
    selection_output.print_sample(selector, facts["rows"])
    print_choice(choice)


def _ranking_facts(selector: Any, options: argparse.Namespace) -> dict[str, Any]:
    """Return the ranking for JSON."""
    names = selector.schema_.names
    trace = [
        {**vars(step), "features": [names[j] for j in step.features]}
        for step in selector.answer_.steps
    ]
    return {
        "signature": _signature(selector, options),
        "cut": None if options.size is None else selector.answer_.cut(selector.size_) or None,
        "ranking": selector.frame().to_dict("records"),
        "trace": trace,
        "sampled": selector.answer_.sampled or None,
        "always": [names[j] for j in selector.answer_.order[: selector.answer_.always]],
        "unranked": list(selector.unranked_),
    }


def _signature(selector: Any, options: argparse.Namespace) -> list[str] | None:
    """Return the names of the features of the requested signature."""
    if options.size is None:
        return None
    return [selector.schema_.columns[j].name for j in selector.signature()]


def _print_ranking(selector: Any, options: argparse.Namespace) -> None:
    ranking, steps, cuts = selector.frame(), selector.answer_.steps, selector.answer_.cuts
    best = ranking.head(len(ranking) if options.top is None else options.top).copy()
    best["feature"] = best["feature"].map(shown)
    width = max(len("feature"), *map(len, best["feature"]))
    verdicts = [f"  {word}" for word in best["verdict"]] if any(cuts) else [""] * len(best)
    tested = "p_value" in best
    head = f"{'rank':>4}  {'feature':<{width}}  {'kind':<10}  importance"
    head += f"  {'p':>8}  p adjusted" if tested else ""
    print(head + ("  rank is" if any(cuts) else ""))
    if tested:
        pairs = zip(best["p_value"], best["p_adjusted"], verdicts, strict=True)
        verdicts = [f"  {_p(p):>8}  {_p(adjusted):>10}{word}" for p, adjusted, word in pairs]
    for row, verdict in zip(best.iloc[:, :4].itertuples(index=False), verdicts, strict=True):
        place, feature, kind, importance = row
        shown_importance = "-" if np.isnan(importance) else f"{importance:.4g}"
        line = f"{place:>4}  {feature:<{width}}  {kind:<10}  {shown_importance:>10}{verdict}"
        print(line.rstrip())
    if len(best) < len(ranking):
        print(f"      ... and {counted(len(ranking) - len(best), 'more feature')}")
    if tested:
        over = counted(len(ranking), "column")
        print(f"p adjusted: by the method of Benjamini and Hochberg over {over}")
    _print_asked(selector, options)
    signature = _signature(selector, options)
    if signature is not None:
        verdict = at_size(cuts, len(signature))
        said = f"{len(signature)} ({verdict})" if verdict else f"{len(signature)}"
        print(f"signature of size {said}: {', '.join(map(shown, signature))}")
    if any(cuts):
        print(f"order: {cuts_in_words(cuts, selector.answer_.rounding)}")
    if OPEN in cuts:
        more = getattr(selector, "prove", True)
        print(
            "open boundaries keep the computed order; --size K decides the boundary after rank K"
            + ("" if more else ", and --prove spends more work on all")
        )
    if steps:
        what = (
            "the method removes features" if steps[0].size == len(ranking) else "a search proceeds"
        )
        print(
            f"{what} in steps; importances of different steps are not comparable: compare ranks "
            "only"
        )


def _p(value: float) -> str:
    """Format a p-value; a value below the smallest double is 0.

    Examples
    --------
    >>> _p(0.0123), _p(0.0), _p(float("nan"))
    ('0.012', '<5e-324', '-')
    """
    if value != value:
        return "-"
    return f"{value:.2g}" if value > 0 else "<5e-324"


def _print_asked(selector: Any, options: argparse.Namespace) -> None:
    """Print which features are always included, and which have no rank."""
    names, answer = selector.schema_.names, selector.answer_
    if answer.always:
        first = [shown(names[j]) for j in answer.order[: answer.always]]
        print(f"always included, and therefore first: {listed(first)}")
    if selector.unranked_:
        takes = " and ".join(selector.about.takes)
        others = listed(map(shown, selector.unranked_), 30)
        print(f"not ranked, since {options.method} takes {takes} columns only: {others}")
