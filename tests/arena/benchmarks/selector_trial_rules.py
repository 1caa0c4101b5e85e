"""How the trial chooses a size: rules on inner scores, and the configurations that it compares."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from selector_trial_methods import METHODS

from hetsel.evaluation.size_rules import knee, one_standard_error, treated_as_equal

Record = dict[str, Any]
Config = Callable[[Record], tuple[str, int]]  # the method and the size of its signature
BOTH = ("logistic", "svm 10")  # what the size is chosen by in the trial
QUICK = ("rfe-mkl", "rfe-svm", "mutual information")  # asked as `hetsel select` asks
BEFORE = "hetsel select before"  # the smallest size within a standard error of the best BCR
NOW = "hetsel select"


def paired_error(sizes: Any, scores: np.ndarray, count: float, share: float = 1.0) -> int:
    """The smallest size below the best by no more than the standard error of the difference."""
    best = int(np.argmax(np.round(scores.mean(axis=0), 9)))
    away = scores[:, [best]] - scores
    error = away.std(axis=0, ddof=1) / np.sqrt(count)
    return int(sizes[int(np.argmax(away.mean(axis=0) <= share * error + 1e-9))])


def best(sizes: Any, scores: np.ndarray, count: float) -> int:
    """The size with the best mean."""
    return int(sizes[int(np.argmax(np.round(scores.mean(axis=0), 9)))])


def errors(share: float) -> Callable[..., int]:
    """The rule of a share of one standard error."""
    return lambda sizes, scores, count: one_standard_error(sizes, scores, count / share**2)


RULES: dict[str, Callable[..., int]] = {
    "best": best,
    "one-se": errors(1.0),
    "half-se": errors(0.5),
    "quarter-se": errors(0.25),
    "equal 1 %": lambda sizes, scores, count: treated_as_equal(sizes, scores, 0.01),
    "equal 2 %": lambda sizes, scores, count: treated_as_equal(sizes, scores, 0.02),
    "knee": lambda sizes, scores, count: knee(sizes, scores),
    "paired se": paired_error,
    "paired half-se": lambda *given: paired_error(*given, share=0.5),
}


def inner_scores(
    record: Record, method: str, judges: Iterable[str], measure: int = 0
) -> tuple[list[int], np.ndarray]:
    """Sizes and scores (folds, sizes) of the five inner folds, the mean of some judges."""
    judges, folds = tuple(judges), record["inner"]
    sizes = sorted(set.intersection(*(set(map(int, f[method]["logistic"])) for f in folds)))
    scores = [
        [np.mean([f[method][j][str(s)][measure] for j in judges]) for s in sizes] for f in folds
    ]
    return sizes, np.array(scores)


def inner(
    method: str,
    rule: str = "best",
    judges: Iterable[str] = BOTH,
    measure: int = 0,
) -> Config:
    """The size by the five inner folds."""

    def size(record: Record) -> tuple[str, int]:
        sizes, scores = inner_scores(record, method, judges, measure)
        return method, RULES[rule](sizes, scores, len(scores))

    return size


def asked(method: str, rule: str, penalty: str = "svm 10", runs: int | None = None) -> Config:
    """The size as `hetsel select` chooses it, by a rule and by the machine of some C."""

    def size(record: Record) -> tuple[str, int]:
        select = record["select"]
        scores = np.array(select[method][penalty])
        scores = scores[: None if runs is None else runs * select["folds"]]
        return method, RULES[rule](select["sizes"], scores, select["folds"])

    return size


def best_of(methods: Iterable[str], rule: str, judges: Iterable[str], measure: int) -> Config:
    """The method that the inner folds prefer, at its size."""
    methods = tuple(methods)

    def size(record: Record) -> tuple[str, int]:
        tops = [inner_scores(record, m, judges, measure)[1].mean(axis=0).max() for m in methods]
        return inner(methods[int(np.argmax(np.round(tops, 9)))], rule, judges, measure)(record)

    return size


def as_it_comes(record: Record) -> tuple[str, int]:
    """What `hetsel select` selected itself."""
    (size,) = record["subsets"][NOW]
    return NOW, int(size)


def thirteen(selector: str, measure: int = 0) -> dict[str, Config]:
    """`hetsel select`, now or before, and twelve others at their best size by BCR or areas."""
    own = as_it_comes if selector == NOW else asked("rfe-mkl", "one-se")
    return {selector: own} | {method: inner(method, measure=measure) for method in METHODS}


def key_of(record: Record, choice: tuple[str, int]) -> tuple[int, ...]:
    """The features of a choice."""
    return tuple(sorted(record["subsets"][choice[0]][str(choice[1])]))


def candidates() -> dict[str, Config]:
    """What `hetsel select` could be without options."""
    out = {}
    for measure, label in (("BCR", "svm 10"), ("AUC", "svm 10 AUC")):
        for rule in ("best", "quarter-se", "paired half-se", "half-se", "one-se"):
            out[f"rfe-mkl, {rule} by {measure}"] = asked("rfe-mkl", rule, label)
    for method in QUICK:
        for rule in ("best", "quarter-se", "paired half-se", "half-se"):
            out[f"{method}, {rule} by AUC, one run"] = asked(method, rule, "svm 10 AUC", runs=1)
    return out


def rule_configs() -> dict[str, Config]:
    """Size rules as `hetsel select` would use them, by measure and C of the machine, and others."""
    out = {}
    for penalty in ("10", "1"):
        for measure, more in (("BCR", ""), ("AUC", " AUC")):
            for rule in RULES:
                name = f"{rule} by {measure}, C = {penalty}"
                out[name] = asked("rfe-mkl", rule, f"svm {penalty}{more}")
    for rule in ("best", "quarter-se", "one-se"):
        out[f"{rule} by AUC, C = 10, one run"] = asked("rfe-mkl", rule, "svm 10 AUC", runs=1)
        out[f"{rule} by BCR, C = 10, one run"] = asked("rfe-mkl", rule, "svm 10", runs=1)
    return out


def method_configs(rule: str, measure: int) -> dict[str, Config]:
    """All methods under one rule, by five folds and hetsel's machine; the best of some, too."""
    judges = ["svm 10"]
    out = {method: inner(method, rule, judges, measure) for method in METHODS}
    for some in (METHODS[:3], METHODS):
        out[f"best of {len(some)} inside"] = best_of(some, rule, judges, measure)
    return out


# what all four machines judge
WANTED: dict[str, Config] = thirteen(BEFORE) | thirteen(NOW) | candidates()
