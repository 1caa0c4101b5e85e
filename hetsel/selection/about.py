"""Descriptions of methods: accepted kinds, costs and help."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import log
from typing import Any, NamedTuple

from hetsel.ground import TableError, refuse_bytes
from hetsel.selection.problem import Problem
from hetsel.tables import Classes, TypedTarget

SIZES = {
    "n": "rows",
    "p": "columns",
    "d": "columns, where a nominal column counts once for each level",
    "c": "classes",
    "k": "requested features",
    "s": "rows of a sample",
}
SAMPLE = 20_000  # most rows of a sample
SEARCHED = 10_000  # most rows of a search by neighbors
ROWS_FOR_MACHINES = 5_000  # most rows of a search by SVMs or kernels of all pairs
NUMBER = 8.0  # bytes
_FACTOR = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)|(?P<log>log )?(?P<size>[npdcks])(?:\^(?P<power>\d(?:\.\d+)?))?"
)


class CostTerm(NamedTuple):
    """A term of a formula: a number times powers of sizes and of their logarithms."""

    number: float
    powers: dict[str, float]
    logs: dict[str, float]

    def at(self, sizes: dict[str, float]) -> float:
        """Return the value of the term."""
        value = self.number
        for name, power in self.powers.items():
            value *= sizes[name] ** power
        for name, power in self.logs.items():
            value *= log(max(sizes[name], 2.0)) ** power
        return value

    def below(self, other: "CostTerm") -> bool:
        """Check whether another term has all factors of this one and more."""
        more = (
            self.powers.items() <= other.powers.items() and self.logs.items() <= other.logs.items()
        )
        return more and (self.powers, self.logs) != (other.powers, other.logs)

    def __str__(self) -> str:
        powers = {**self.powers, **{f"log {name}": power for name, power in self.logs.items()}}
        return " ".join(
            name if power == 1 else f"{name}^{power:g}" for name, power in powers.items()
        )


def terms(formula: str) -> list[CostTerm]:
    """Parse a formula such as ``2.6 n^2 + n p log n`` into products of powers of SIZES."""
    parsed = []
    for text in formula.split(" + "):
        number, powers, logs = 1.0, dict[str, float](), dict[str, float]()
        for factor in re.split(r"(?<!log) ", text):
            part = _FACTOR.fullmatch(factor)
            if part is None:
                raise ValueError(f"a cost must be a formula of {', '.join(SIZES)}. Got {formula!r}")
            if part["number"]:
                number *= float(part["number"])
            else:
                to = logs if part["log"] else powers
                to[part["size"]] = to.get(part["size"], 0.0) + float(part["power"] or 1)
        parsed.append(CostTerm(number, powers, logs))
    return parsed


@dataclass(frozen=True)
class Cost:
    """Describe the time and memory that a method needs with default parameters.

    A formula is a sum of products of numbers and powers of sizes: n rows, p columns, d columns
    where a nominal column counts once for each level, c classes, k requested features (p if no size
    is requested) and s rows of a sample (n, but at most `sample`). For numeric targets and survival
    times, c is the number of directions of the target kernel. hetsel refuses a fit whose memory
    does not fit.

    Parameters
    ----------
    time : str
        Growth of the time, without constant factors and smaller terms.
    memory : str
        Memory in numbers of 8 bytes held at once, as measured, beyond the table itself. Constant
        parts are left out, such as 100 MB for a block of columns.
    sample : int
        Most rows of a sample.

    See Also
    --------
    hetsel.selection.About : The full description of a method.

    Examples
    --------
    >>> cost = Cost(time="n^2 p", memory="2 n^2 + 3 n p")
    >>> f"{cost}; {cost.bytes(n=40_000, p=10) / 1e9:.1f} GB"
    'time n^2 p, memory n^2 + n p; 25.6 GB'
    """

    time: str
    memory: str
    sample: int = SAMPLE  # most rows of a sample

    def __post_init__(self) -> None:
        for formula in (self.time, self.memory):
            terms(formula)

    @property
    def of_memory(self) -> str:
        """Growth of the memory, without factors and smaller terms."""
        every = terms(self.memory)
        large = [term for term in every if not any(term.below(other) for other in every)]
        return " + ".join(map(str, large))

    @property
    def of_sample(self) -> str:
        """The largest sample in words; empty without a sample."""
        sampled = max(self.growth("s"), self.growth("s", of="time")) > 0
        return f", s at most {self.sample:,}" if sampled else ""

    def bytes(self, **sizes: float) -> float:
        """Return the memory in bytes for sizes by letter; the default size is 1."""
        return NUMBER * self._value(self.memory, sizes)

    def steps(self, **sizes: float) -> float:
        """Return the time in arbitrary units for sizes by letter; the default size is 1."""
        return self._value(self.time, sizes)

    def growth(self, size: str, *, of: str = "memory") -> float:
        """Return the largest power of a size in the formula of "memory" or "time"."""
        formula = self.memory if of == "memory" else self.time
        return max(term.powers.get(size, 0.0) for term in terms(formula))

    def __str__(self) -> str:
        return f"time {self.time}, memory {self.of_memory}"

    def _value(self, formula: str, sizes: dict[str, float]) -> float:
        every = {**dict.fromkeys(SIZES, 1.0), "s": min(sizes.get("n", 1.0), self.sample), **sizes}
        return sum(term.at(every) for term in terms(formula))


KINDS = ("continuous", "ordinal", "nominal")
MANY_DIRECTIONS = 50  # directions of the kernel of a numeric or survival target


@dataclass(frozen=True)
class About:
    """Describe a method: its origin, the data that it accepts and its costs.

    Every selector has such a description as its class attribute `about`. The catalog, the tests and
    studies read it.

    Parameters
    ----------
    title : str
        What the method does, in one line.
    paper : str
        Where the method was published.
    takes : tuple of str
        Accepted kinds of columns: "continuous", "ordinal", "nominal".
    targets : tuple of str
        Accepted kinds of targets: "classes", "numbers", "survival".
    takes_otherwise : tuple of str
        Accepted kinds of columns for targets other than classes, if different.
    why_not : mapping of str to str
        For a kind of target that the method does not accept, why its definition does not apply.
    stands_for : mapping of str to mapping
        For a kind of target, the meaning of parameter values that are named after classes.
    requires : tuple of str
        Optional packages (extras of the installation) that the method needs.
    revision : int
        Increases when the results of the method change; studies then compute its cells again.
    draws : bool
        Whether the result depends on the seed.
    flaws : tuple of str
        Known weaknesses of the definition. "constant": an uninformative column may rank before an
        informative one. "blind": the method ignores the target, so an informative column need not
        rank first. "copies": duplicate rows are nearest neighbors of each other.
    trial : mapping
        Parameters that make the method fast where precision does not matter.
    family : str
        For a method of another package: "filters", "embedded" or "wrappers".
    cost : Cost, optional
        Time and memory.
    costs : mapping of str to Cost
        Time and memory for a kind of target, if different.
    remark : str
        What the catalog adds to the title.

    See Also
    --------
    hetsel.selection.BaseSelector : The base class of methods.
    hetsel.selection.Cost : Time and memory.

    Examples
    --------
    >>> about = About("variance of each column", takes=("continuous",), flaws=("blind",))
    >>> about.takes_for("classes")
    ('continuous',)
    """

    title: str
    paper: str = ""
    takes: tuple[str, ...] = KINDS
    targets: tuple[str, ...] = ("classes",)
    takes_otherwise: tuple[str, ...] = ()
    why_not: Mapping[str, str] = field(default_factory=dict)
    stands_for: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    revision: int = 1
    draws: bool = False
    flaws: tuple[str, ...] = ()
    trial: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""
    cost: Cost | None = None
    costs: Mapping[str, Cost] = field(default_factory=dict)
    remark: str = ""

    @property
    def line(self) -> str:
        """The title and, if any, the remark."""
        return "; ".join(filter(None, (self.title, self.remark)))

    def takes_for(self, target: str) -> tuple[str, ...]:
        """Return the accepted kinds of columns for a kind of target."""
        return self.takes if target == "classes" else self.takes_otherwise or self.takes

    def cost_for(self, target: str) -> Cost | None:
        """Return the cost for a kind of target."""
        return self.costs.get(target, self.cost)

    def costs_in_words(self) -> str:
        """Write the costs with their factors, for all kinds of targets.

        Examples
        --------
        >>> from hetsel.selection.about import Cost
        >>> About("a sample", cost=Cost("s^2 p", "s^2", 10_000)).costs_in_words()
        'time s^2 p, memory s^2 numbers of 8 bytes, s at most 10,000'
        """
        if self.cost is None:
            return ""
        every = {"": self.cost, **{f", of {kind}": cost for kind, cost in self.costs.items()}}
        return "; ".join(
            f"time{of} {cost.time}, memory {cost.memory} numbers of 8 bytes{cost.of_sample}"
            for of, cost in every.items()
        )


# keys of the methods that accept a kind of target; the catalog sets it
catalogue: dict[str, Callable[[str], list[str]]] = {}
# the descriptions of the methods by key; the catalog sets it
abouts: dict[str, Callable[[], Mapping[str, About]]] = {}


def refuse_target(method: str, about: About, target: TypedTarget) -> None:
    """Refuse a kind of target that a method does not accept; name the methods that do."""
    if target.kind in about.targets:
        return
    able = sorted(key for keys_for in catalogue.values() for key in keys_for(target.kind))
    others = f"one of: {', '.join(able)}" if able else "another method of `hetsel methods`"
    why, _, instead = about.why_not.get(target.kind, "").partition("; use ")
    every = (item for known in abouts.values() for item in known().items())
    called = next((f"method {key}" for key, one in every if one is about), method)
    raise TableError(
        f"{called} needs {' or '.join(about.targets)} as its target{why and ', since '}{why}. "
        f"Got {target.in_words()}. "
        + ("Cut the numbers into classes, or use " if target.kind == "numbers" else "Use ")
        + f"{instead}{instead and ', or '}{others}"
    )


def refuse_memory(what: str, cost: Cost, problem: Problem) -> None:
    """Refuse a fit that does not fit into memory; name the methods that do."""
    sizes = _sizes(problem)

    def instead(free: int) -> str:
        able = [
            key
            for methods in abouts.values()
            for key, about in methods().items()
            if _fits(about, problem, sizes, free)
        ]
        listing = ", ".join(sorted(able)) or "see `hetsel methods`"
        return f"a method that needs less memory: {listing}"

    refuse_bytes(what, problem.n, cost.bytes(**sizes), instead)


def _sizes(problem: Problem) -> dict[str, float]:
    """Return the sizes of a problem for the cost formulas."""
    columns, target = problem.table.schema.columns, problem.target
    return {
        "n": problem.n,
        "p": problem.p,
        "d": sum(len(c.levels) if c.kind == "nominal" else 1 for c in columns),
        "c": len(target.labels) if isinstance(target, Classes) else MANY_DIRECTIONS,
        "k": max(problem.sizes, default=problem.p),
    }


def _fits(about: About, problem: Problem, sizes: dict[str, float], free: float) -> bool:
    """Check whether a method fits the problem and the free memory, growing less than n^2."""
    kind = problem.target.kind
    cost, kinds = about.cost_for(kind), {column.kind for column in problem.table.schema.columns}
    if kind not in about.targets or "blind" in about.flaws or about.requires or cost is None:
        return False
    return kinds <= {*about.takes_for(kind)} and cost.growth("n") < 2 and cost.bytes(**sizes) < free


_HEAD = re.compile(r"^(\w+(?: Also)?)\n-+\n", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)
ORDER = (
    "Parameters",
    "Attributes",
    "Raises",
    "Warns",
    "See Also",
    "Notes",
    "References",
    "Examples",
)


# for a method of this package without an example, by the kinds that it accepts
EXAMPLE = """\
>>> import pandas as pd
>>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5] * 3, "sex": list("ffmm") * 3})
>>> NAME(size=1).fit(frame, [0, 0, 1, 1] * 3).get_feature_names_out()
array(['sex'], dtype=object)"""
EXAMPLES = {
    ("continuous", "ordinal"): """\
>>> table = [[1.0, 5.0], [2.0, 1.0], [8.0, 4.0], [9.0, 2.0]]
>>> NAME(size=1).fit(table, [0, 0, 1, 1]).signature()
array([0])""",
    ("nominal", "ordinal"): EXAMPLE.replace("[1.0, 0.0, 1.0, 0.5] * 3", 'list("abab") * 3'),
}


def with_example(doc: str, example: str, name: str) -> str:
    """Add an example to a docstring without one; NAME becomes the name of the method."""
    if re.search("^ *Examples$", doc, re.MULTILINE):
        return doc
    return f"{doc}\n\nExamples\n--------\n{example.replace('NAME', name)}"


def with_shared_parameters(doc: str, shared: str) -> str:
    """Add the parameters, attributes, errors, warnings and notes of another docstring.

    A parameter that both document keeps its own text.

    >>> shared = "All.\\n\\nParameters\\n----------\\nC, size : int\\n    How many."
    >>> with_shared_parameters("One.\\n\\nParameters\\n----------\\nC : float", shared)
    'One.\\n\\nParameters\\n----------\\nC : float\\nsize : int\\n    How many.'
    """
    own, common = _sections(doc), _sections(shared)
    for name in ("Parameters", "Attributes", "Raises", "Warns"):
        own[name] = _merged(own.get(name, ""), common.get(name, ""))
    notes = (sections.get("Notes", "") for sections in (own, common))
    own["Notes"] = "\n\n".join(text for text in notes if text)
    head = own.pop("")
    names = [*ORDER, *(name for name in own if name not in ORDER)]
    written = [f"{name}\n{'-' * len(name)}\n{own[name]}" for name in names if own.get(name)]
    return "\n\n".join([head, *written])


def _sections(doc: str) -> dict[str, str]:
    """Split a docstring into sections by name; the empty name has the text before them."""
    parts = _HEAD.split(inspect.cleandoc(doc))
    names, texts = ["", *parts[1::2]], parts[::2]
    return {name: text.strip("\n") for name, text in zip(names, texts, strict=True)}


def _merged(own: str, common: str) -> str:
    """Merge a section with the entries of another section that have other names."""
    told = {name for entry in _entries(own) for name in _names(entry)}
    written = [own] if own else []
    for entry in _entries(common):
        names, colon, text = entry.partition(" :")
        left = ", ".join(name for name in names.split(", ") if name not in told)
        written += [left + colon + text] if left else []
    return "\n".join(written)


def _entries(section: str) -> list[str]:
    """Split a section into entries; each begins with an unindented line."""
    return [entry.rstrip("\n") for entry in _ENTRY.split(section) if entry.strip()]


def _names(entry: str) -> list[str]:
    return entry.partition("\n")[0].partition(" :")[0].split(", ")
