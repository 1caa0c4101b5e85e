"""Every scorer of scikit-learn for classes x kind of label x positive class, beside text.

    python tests/arena/campaigns/label_kinds.py [KIND ...]

Scores in cross-validation and of a fitted model, for each classifier and in pipelines, must be
those of the same labels as text. Each line: classifier, kind of label, positive class, the largest
difference over all scorers. The last line counts the comparisons and those that differ.
"""

import sys
import warnings
from pathlib import Path

from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

sys.path.insert(0, str(Path(__file__).parents[2] / "signature"))

from test_class_columns import CODES, KINDS, TEXT, X, classes, scores, signature

from hetsel import RFEMKL, ClinicalMKL, ClinicalSVC

PLAIN = {
    "ClinicalSVC": ClinicalSVC(),
    "ClinicalMKL": ClinicalMKL(),
    "RFEMKL, ClinicalSVC": make_pipeline(RFEMKL(2), ClinicalSVC()),
}
FOLDS = list(StratifiedKFold(2, shuffle=True, random_state=0).split(X, CODES))


def rows_of(y, rows):
    """Some labels, in their own container."""
    if hasattr(y, "iloc"):
        return y.iloc[rows]
    return y.take(rows.tolist()) if hasattr(y, "take") and not hasattr(y, "ndim") else y[rows]


def all_scores(model, y, larger):
    """Scores of all rows by a model of all rows, and by a model of each fold."""
    found = dict(scores(clone(model).fit(X, y), y, larger))
    for fold, (train, _) in enumerate(FOLDS):
        fitted = clone(model).fit(X.iloc[train], rows_of(y, train))
        found |= {f"{name} {fold}": value for name, value in scores(fitted, y, larger).items()}
    return found


def main():
    """Compare; 1 where anything differs."""
    warnings.simplefilter("ignore")
    texts = {name: all_scores(model, classes(TEXT), "well") for name, model in PLAIN.items()}
    text = all_scores(signature(), classes(TEXT), "well")
    counted = differing = 0
    for kind in sys.argv[1:] or KINDS:
        y, labels = KINDS[kind]
        tried = [(name, None, model, texts[name]) for name, model in PLAIN.items()]
        for positive in (None, *labels):
            tried.append(("Signature", positive, signature(positive=positive), text))
        for name, positive, model, expected in tried:
            found = all_scores(model, y, labels[1])
            gaps = [abs(found[key] - value) for key, value in expected.items() if value == value]
            counted, differing = counted + len(gaps), differing + sum(g > 1e-9 for g in gaps)
            print(f"{name:22}{kind:18}{positive!s:7}{len(gaps):5}{max(gaps):10.1e}", flush=True)
    print(f"{counted} comparisons, {differing} differ")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
