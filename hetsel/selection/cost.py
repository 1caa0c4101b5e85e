"""What a method costs: time and memory as formulas that are printed and evaluated."""

import re
from dataclasses import dataclass
from math import log
from typing import NamedTuple

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
MACHINES = 5_000  # rows that a search by machines or by kernels of all pairs of rows takes at most
NUMBER = 8.0  # bytes
_FACTOR = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)|(?P<log>log )?(?P<size>[npdcks])(?:\^(?P<power>\d(?:\.\d+)?))?"
)


class Term(NamedTuple):
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

    def below(self, other: "Term") -> bool:
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


def terms(formula: str) -> list[Term]:
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
        parsed.append(Term(number, powers, logs))
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
