"""Lists and numbers in sentences."""

import numpy as np
import pytest

from hetsel.ground.text import in_ranges, listed, plain_number, slugs, without_numbers


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([], ""),
        (["a"], "a"),
        ("abcdef", "a, b, c, d, e, f"),
        ("abcdefg", "a, b, c, d, e, ... (7 in all)"),
        ((k for k in range(9)), "0, 1, 2, 3, 4, ... (9 in all)"),
    ],
)
def test_the_first_few_of_many_are_listed(items, said):
    assert listed(items) == said


def test_texts_that_differ_in_numbers_are_one():
    assert without_numbers("3 of 4.5 rows") == without_numbers("30 of 0.1 rows")
    assert without_numbers("3 of 4.5 rows") != without_numbers("3 in 4.5 rows")
    assert in_ranges(["9 of 10 rows", "10 of 10 rows"]) == "9 to 10 of 10 rows"  # as numbers
    assert in_ranges(["p 0.25", "p 0.125", "p 0.5"]) == "p 0.125 to 0.5"
    assert in_ranges(["no number"]) == "no number"


def test_slugs_are_safe_and_no_two_the_same():
    texts = ["a/b", "../../etc/passwd", "A b", "a-b-2", "ä ö", "", "x" * 200, "x" * 100]
    found = slugs(texts)
    assert len(set(found)) == len(texts)
    assert found[:2] == ["a-b", "etc-passwd"]
    assert all(name and not set(name) & set("/\\. ") for name in found)
    assert max(map(len, found)) <= 62


@pytest.mark.parametrize("digits", [3, 4, 6])
def test_a_plain_number_has_its_digits_and_no_exponent(digits):
    rng = np.random.default_rng(0)
    for size in range(-7, 15):
        for value in rng.uniform(1.0, 9.9, size=20) * 10.0**size * rng.choice([-1.0, 1.0], size=20):
            text = plain_number(value, digits)
            assert "e" not in text
            read = float(text.replace(",", ""))
            kept = max(digits, size + 1)  # the whole part in full
            assert read == pytest.approx(float(f"{value:.{kept}g}"), rel=1e-14)
            assert plain_number(value, digits, signed=True).lstrip("+") == text
    assert plain_number(-0.0, digits) == "0"
    assert plain_number(0.00012300, digits) == "0.000123"
    assert "e" in plain_number(1e-300, digits)
