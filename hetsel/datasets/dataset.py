"""What a loader returns."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from hetsel.ground.text import counted
from hetsel.tables.targets.survival import is_survival


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its target and what a user of it must know.

    Parameters
    ----------
    name : str
        Name of the data set.
    X : DataFrame of shape (n, p)
        The features; nominal columns have a category dtype, missing cells are NaN.
    y : Series or structured ndarray of shape (n,)
        The class of each row; its name is the name of the target. Or survival times, as
        :func:`hetsel.survival` makes them.
    description : str
        What the rows and the classes are.
    citation : str
        What to cite.
    license : str
        Under which terms the data may be used.
    n_training : int, optional
        The first so many rows are the training part that the origin defines, the others its test
        part; None where it defines none.
    relevant : tuple of str, optional
        The features that bear on the class, of a simulated table; None where nobody knows.
    """

    name: str
    X: pd.DataFrame
    y: Any
    description: str
    citation: str
    license: str
    n_training: int | None = None
    relevant: tuple[str, ...] | None = None

    @property
    def target(self) -> tuple[str, ...]:
        """Names of the columns of the target in `frame`: one, or those of time and event."""
        return ("time", "event") if is_survival(self.y) else (str(self.y.name),)

    @property
    def frame(self) -> pd.DataFrame:
        """Features and target (n, p + 1) in one table, the target last; time and event are two."""
        if not is_survival(self.y):
            return pd.concat([self.X, self.y], axis=1)
        return self.X.assign(**{name: self.y[name] for name in self.target})

    def __repr__(self) -> str:
        shape = f"{self.name}: {self.X.shape[0]} rows, {self.X.shape[1]} features"
        if is_survival(self.y):
            events = counted(int(self.y["event"].sum()), "row")
            return f"{shape}, survival times ({events} with an event)"
        counts = self.y.value_counts(sort=False).sort_index()
        classes = ", ".join(f"{label} {count}" for label, count in counts.items())
        return f"{shape}, target {self.y.name!r} ({classes})"
