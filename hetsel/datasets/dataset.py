"""What a loader returns."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its target and what a user of it must know.

    Parameters
    ----------
    name : str
        Name of the data set.
    X : DataFrame of shape (n, p)
        The features; nominal columns have a category dtype, missing cells are NaN.
    y : Series of shape (n,)
        The class of each row; its name is the name of the target.
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
    y: pd.Series
    description: str
    citation: str
    license: str
    n_training: int | None = None
    relevant: tuple[str, ...] | None = None

    @property
    def frame(self) -> pd.DataFrame:
        """Features and target (n, p + 1) in one table, the target last."""
        return pd.concat([self.X, self.y], axis=1)

    def __repr__(self) -> str:
        counts = self.y.value_counts(sort=False).sort_index()
        classes = ", ".join(f"{label} {count}" for label, count in counts.items())
        return (
            f"{self.name}: {self.X.shape[0]} rows, {self.X.shape[1]} features, "
            f"target {self.y.name!r} ({classes})"
        )
