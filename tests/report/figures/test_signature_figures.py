"""Figures of a signature."""

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.report.figures.signature_figures import plot_choice, plot_measures, plot_pieces


@pytest.fixture(scope="module")
def facts():
    """The facts of a signature whose names differ in the middle alone."""
    draw = np.random.default_rng(0)
    values = draw.normal(size=(60, 3))
    names = [f"expression of gene {k} in the liver, four hours after the dose" for k in "123"]
    frame = pd.DataFrame(values, columns=names)
    given = {"size": 2, "folds": 3, "repeats": 1, "permutations": 0, "pairs": 2, "n_jobs": 1}
    signature = hetsel.Signature(method="anova-f", **given)
    return signature.fit(frame, values[:, 0] + values[:, 1] > 0).facts()


def test_long_names_stay_different(facts):
    titles = [ax.get_title(loc="left") for ax in plot_pieces(facts).axes if ax.axison]
    assert len(set(titles)) == len(titles) == 2
    labels = [label.get_text() for ax in plot_choice(facts).axes for label in ax.get_yticklabels()]
    named = [label for label in labels if label.startswith("expre")]
    assert len(set(named)) == len(named) >= 2


def test_the_measures_are_drawn_with_their_numbers(facts):
    (ax,) = plot_measures(facts).axes
    drawn = [label.get_text() for label in ax.get_yticklabels()]
    assert drawn == ["balanced accuracy", "specificity", "sensitivity", "AUC"]
    numbers = {text.get_text() for text in ax.texts}
    for measure in facts.performance.measures:
        assert f"{measure.estimate:.3f} [{measure.low:.3f}, {measure.high:.3f}]" in numbers
