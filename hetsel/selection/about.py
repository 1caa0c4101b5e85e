"""What a method knows about itself: what it takes, what it costs, what its help says."""

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
    "d": "columns of which a nominal one counts once for each level",
    "c": "classes",
    "k": "features asked for",
    "s": "rows of a sample",
}
SAMPLE = 20_000  # rows that a method takes at most, if it takes a sample
SEARCHED = 10_000  # rows that a search by neighbors takes at most
ROWS_FOR_MACHINES = 5_000  # rows that a search by machines or kernels of all pairs takes at most
NUMBER = 8.0  # bytes
_FACTOR = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)|(?P<log>log )?(?P<size>[npdcks])(?:\^(?P<power>\d(?:\.\d+)?))?"
)


class CostTerm(NamedTuple):
    """A term of a formula: a number times powers of sizes, and of logarithms of sizes."""

    number: float
    powers: dict[str, float]
    logs: dict[str, float]

    def at(self, sizes: dict[str, float]) -> float:
        """Its value."""
        value = self.number
        for name, power in self.powers.items():
            value *= sizes[name] ** power
        for name, power in self.logs.items():
            value *= log(max(sizes[name], 2.0)) ** power
        return value

    def below(self, other: "CostTerm") -> bool:
        """Whether another term has its factors and more."""
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
    """The terms of a formula such as ``2.6 n^2 + n p log n``: products of powers of SIZES."""
    parsed = []
    for text in formula.split(" + "):
        number, powers, logs = 1.0, dict[str, float](), dict[str, float]()
        for factor in re.split(r"(?<!log) ", text):
            part = _FACTOR.fullmatch(factor)
            if part is None:
                raise ValueError(f"no formula of {', '.join(SIZES)}: {formula!r}")
            if part["number"]:
                number *= float(part["number"])
            else:
                to = logs if part["log"] else powers
                to[part["size"]] = to.get(part["size"], 0.0) + float(part["power"] or 1)
        parsed.append(CostTerm(number, powers, logs))
    return parsed


@dataclass(frozen=True)
class Cost:
    """What a method costs at the defaults of its parameters, beyond the table that it is given.

    A formula is a sum of products of numbers and of powers of the sizes n, p, d, c, k and s, see
    SIZES: k is p where no size is asked for, s is n up to `sample`; kernels of numbers and of
    survival times have some tens of directions in place of classes. Factors and smaller terms of
    the time are left out; those of the memory, in numbers of eight bytes that are held at once,
    were measured. What does not grow with the table is left out, such as 100 MB for a block of
    columns.

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
        """How the memory grows, without factors and smaller terms."""
        every = terms(self.memory)
        large = [term for term in every if not any(term.below(other) for other in every)]
        return " + ".join(map(str, large))

    @property
    def of_sample(self) -> str:
        """How large a sample is, if there is one."""
        sampled = max(self.growth("s"), self.growth("s", of="time")) > 0
        return f", s at most {self.sample:,}" if sampled else ""

    def bytes(self, **sizes: float) -> float:
        """The memory in bytes, for sizes by their letters; those left out are 1."""
        return NUMBER * self._value(self.memory, sizes)

    def steps(self, **sizes: float) -> float:
        """The time in steps of some length, for sizes by their letters; those left out are 1."""
        return self._value(self.time, sizes)

    def growth(self, size: str, *, of: str = "memory") -> float:
        """The largest power of a size in the formula of "memory" or of "time"."""
        formula = self.memory if of == "memory" else self.time
        return max(term.powers.get(size, 0.0) for term in terms(formula))

    def __str__(self) -> str:
        return f"time {self.time}, memory {self.of_memory}"

    def _value(self, formula: str, sizes: dict[str, float]) -> float:
        every = {**dict.fromkeys(SIZES, 1.0), "s": min(sizes.get("n", 1.0), self.sample), **sizes}
        return sum(term.at(every) for term in terms(formula))


KINDS = ("continuous", "ordinal", "nominal")
MANY_DIRECTIONS = 50  # of the kernel of a target of numbers or survival times, in place of classes


@dataclass(frozen=True)
class About:
    """What a method is, takes and needs: the catalogue, the tests and a study read it.

    Parameters
    ----------
    title, paper, remark : str
        What the method does, in a line; where it comes from; what a catalogue adds to the title.
    takes, takes_otherwise : tuple of str
        Kinds of columns that it takes; where its target is no classes, if these are others.
    targets : tuple of str
        Kinds of targets that it takes: "classes", "numbers", "survival".
    why_not : mapping of str to str
        By a kind of target that it does not take, why its definition does not carry over.
    stands_for : mapping of str to mapping
        By a kind of target, what values of parameters that are named after classes stand for.
    requires : tuple of str
        Extras of the installation that it needs.
    revision : int
        Goes up when the method's answers change: cells of a study know it.
    draws : bool
        Whether the answer depends on the seed.
    flaws : tuple of str
        Known weaknesses of the definition, such as "constant": a column that says nothing may come
        before one that does; "blind": the class has no part in the answer, and so a column that
        tells it need not come first; "copies": repeated rows are each other's nearest neighbors.
    trial : mapping
        Parameters with which the method is quick, where precision does not matter.
    family : str
        Of a method of another package: "filters", "embedded" or "wrappers", hetsel's folders.
    cost, costs : Cost, mapping of str to Cost
        Time and memory, of which what would not fit is refused; by a kind of target, if another.
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
        """The title, and the remark if there is one."""
        return "; ".join(filter(None, (self.title, self.remark)))

    def takes_for(self, target: str) -> tuple[str, ...]:
        """Kinds of columns that it takes for a kind of target."""
        return self.takes if target == "classes" else self.takes_otherwise or self.takes

    def cost_for(self, target: str) -> Cost | None:
        """What it costs for a kind of target."""
        return self.costs.get(target, self.cost)

    def costs_in_words(self) -> str:
        """Its costs with their factors, those of other targets too.

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


# keys of the methods that take a kind of target; set by the catalogue, which stands above
catalogue: dict[str, Callable[[str], list[str]]] = {}
# what the methods know about themselves, by key; set by the catalogue, too
abouts: dict[str, Callable[[], Mapping[str, About]]] = {}


def refuse_target(method: str, about: About, target: TypedTarget) -> None:
    """Refuse a target of a kind that a method does not take, and name the methods that do."""
    if target.kind in about.targets:
        return
    able = sorted(key for keys_for in catalogue.values() for key in keys_for(target.kind))
    others = f"one of: {', '.join(able)}" if able else "another of `hetsel methods`"
    why = f": {about.why_not[target.kind]}" if target.kind in about.why_not else ""
    raise TableError(
        f"{method}: takes {' or '.join(about.targets)} as its target{why}. "
        f"Got {target.in_words()}. "
        + ("Cut them into classes, or take " if target.kind == "numbers" else "Take ")
        + others
    )


def refuse_memory(what: str, cost: Cost, problem: Problem) -> None:
    """Refuse what does not fit into memory, before anything is taken, and name methods that do."""
    sizes = _sizes(problem)

    def instead(free: int) -> str:
        able = [
            key
            for methods in abouts.values()
            for key, about in methods().items()
            if _fits(about, problem, sizes, free)
        ]
        few = "grows less than with their square" if cost.growth("n") >= 2 else "needs less"
        return f"what {few}: {', '.join(sorted(able)) or 'see `hetsel methods`'}"

    refuse_bytes(what, problem.n, cost.bytes(**sizes), instead)


def _sizes(problem: Problem) -> dict[str, float]:
    """What the formulas of costs count."""
    columns, target = problem.table.schema.columns, problem.target
    return {
        "n": problem.n,
        "p": problem.p,
        "d": sum(len(c.levels) if c.kind == "nominal" else 1 for c in columns),
        "c": len(target.labels) if isinstance(target, Classes) else MANY_DIRECTIONS,
        "k": max(problem.sizes, default=problem.p),
    }


def _fits(about: About, problem: Problem, sizes: dict[str, float], free: float) -> bool:
    """Whether a method answers the problem, in memory that grows less than with n^2 and is free."""
    kind = problem.target.kind
    cost, kinds = about.cost_for(kind), {column.kind for column in problem.table.schema.columns}
    if kind not in about.targets or "blind" in about.flaws or about.requires or cost is None:
        return False
    return kinds <= {*about.takes_for(kind)} and cost.growth("n") < 2 and cost.bytes(**sizes) < free


_HEAD = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
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


# of a method of this package that documents none of its own, by the kinds that it takes
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
    """A docstring with an example, NAME in which is the name of the method, if it has none."""
    if re.search("^ *Examples$", doc, re.MULTILINE):
        return doc
    return f"{doc}\n\nExamples\n--------\n{example.replace('NAME', name)}"


def with_shared_parameters(doc: str, shared: str) -> str:
    """A docstring, and behind its own parameters, attributes, errors, warnings and notes another's;
    a parameter that both document keeps its own text.

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
    """The sections of a docstring by name; what is above the first one by the empty name."""
    parts = _HEAD.split(inspect.cleandoc(doc))
    names, texts = ["", *parts[1::2]], parts[::2]
    return {name: text.strip("\n") for name, text in zip(names, texts, strict=True)}


def _merged(own: str, common: str) -> str:
    """Entries of a section, then those of another one that are of other names."""
    told = {name for entry in _entries(own) for name in _names(entry)}
    written = [own] if own else []
    for entry in _entries(common):
        names, colon, text = entry.partition(" :")
        left = ", ".join(name for name in names.split(", ") if name not in told)
        written += [left + colon + text] if left else []
    return "\n".join(written)


def _entries(section: str) -> list[str]:
    """What a section documents: each begins where a line is not indented."""
    return [entry.rstrip("\n") for entry in _ENTRY.split(section) if entry.strip()]


def _names(entry: str) -> list[str]:
    return entry.partition("\n")[0].partition(" :")[0].split(", ")
