"""Labels of groups of rows: what is one group, and what is refused."""

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.evaluation.data.columns_about_rows import group_numbers
from hetsel.ground.errors import TableError
from hetsel.tables.row_labels import group_codes

ALIKE = {
    "number and text": [1, "1", 2, 2],
    "fraction and text": [0.5, "0.5", 2, 2],
    "whole float and text": [1.0, "1", 2, 2],
    "bytes": [b"7", "7", "8", "8"],
    "flag and text": [True, "True", "no", "no"],
    "blanks": ["7 ", "7", "8", "8"],
    "zeros": ["07", "7", "8", "8"],
    "text of floats": ["7.0", "7", "8", "8"],
}
ONE = {
    "whole floats": [1, 1.0, 2, 2],
    "numpy": [np.int64(1), 1.0, 2, np.float32(2)],
    "text": ["a", "a", "A", "A"],
    "pairs": [("x", 1), ("x", 1), ("x", 2), ("x", 2)],
    "codes": ["7a", "7a", "07a", "07a"],
}
MISSING = {
    "nan": [1.0, np.nan, 2.0, 2.0],
    "none": ["a", None, "b", "b"],
    "NA": pd.array([1, None, 2, 2], dtype="Int64"),
    "blank": ["a", " ", "b", "b"],
    "masked": np.ma.masked_array([1, 1, 2, 2], [0, 1, 0, 0]),
    "time": pd.to_datetime(["2020-01-01", None, "2020-01-02", "2020-01-02"]),
}


@pytest.mark.parametrize("labels", ALIKE.values(), ids=ALIKE)
@pytest.mark.parametrize("column", [False, True])
def test_labels_that_read_alike_are_refused(labels, column):
    labels = pd.Series(labels, dtype=object)
    with pytest.raises(TableError, match="alike"):
        group_numbers("'who'", labels) if column else group_codes(labels.tolist(), 4)


@pytest.mark.parametrize("labels", ONE.values(), ids=ONE)
def test_labels_that_are_equal_are_one_group(labels):
    assert group_codes(labels, 4).tolist() == [0, 0, 1, 1]


def test_a_word_that_is_no_label_per_row_is_refused():
    with pytest.raises(TableError, match="groups must .* 'copies' or 'rows'. Got 'copie'"):
        group_codes("copie", 4)


@pytest.mark.parametrize("labels", MISSING.values(), ids=MISSING)
def test_missing_labels_are_refused(labels):
    with pytest.raises(TableError, match="missing in 1 of 4 rows"):
        group_codes(labels, 4)
    with pytest.raises(TableError, match="missing in 1"):
        group_numbers("'who'", pd.Series(labels))


def test_categories_of_pandas_and_columns_are_taken():
    labels = pd.Series(["b", "a", "b"], dtype="category")
    for given in (labels, labels.array, labels.to_frame(), labels.to_numpy()[:, None]):
        assert group_codes(given, 3).tolist() == [0, 1, 0]


def test_no_estimator_parts_the_rows_of_one_patient():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    mixed = [i // 4 if i % 4 < 2 else str(i // 4) for i in range(40)]
    for selector in (hetsel.get_method("anova-f")(), hetsel.Signature(permutations=0)):
        with pytest.raises(TableError, match="alike"):
            selector.fit(X, y, groups=mixed)
