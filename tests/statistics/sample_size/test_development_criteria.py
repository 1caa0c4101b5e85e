"""Rows to develop a model: the numbers of pmsampsize 1.1.3 (R), and of its published examples."""

import numpy as np
import pytest
from scipy.stats import chi2, norm, t
from sklearn.linear_model import LogisticRegression

from hetsel.statistics.sample_size.development_criteria import (
    DevelopmentLimits,
    largest_r2,
    largest_survival_r2,
    r2_of_c_statistic,
    rows_for_more_classes,
    rows_for_numbers,
    rows_for_survival,
    rows_for_two_classes,
)


@pytest.mark.parametrize(
    ("given", "rows"),
    [  # P, R^2, phi, S; the first four are tests of pmsampsize
        ((24, 0.288, 0.174, 0.9), (623, 662, 221)),
        ((24, 0.55, 0.174, 0.9), (255, 532, 221)),
        ((36, 0.288, 0.174, 0.9), (934, 992, 221)),
        ((24, 0.288, 0.25, 0.9), (623, 590, 289)),
        ((24, 0.2902, 0.174, 0.9), (617, 661, 221)),  # from C = 0.89, as it rounds R^2
        ((30, 0.05, 0.07, 0.95), (11098, 1455, 101)),
        ((30, 0.106, 0.3, 0.9), (2395, 790, 323)),
    ],
)
def test_two_classes_are_those_of_pmsampsize(given, rows):
    parameters, r2, prevalence, shrinkage = given
    found = rows_for_two_classes(parameters, r2, prevalence, DevelopmentLimits(shrinkage))
    assert tuple(found.values()) == rows


@pytest.mark.parametrize(
    ("given", "rows"),
    [  # P, R^2, rate, mean follow-up, horizon: tests of pmsampsize
        ((25, 0.051, 0.065, 2.07, 2), (4286, 866)),
        ((25, 0.065, 0.065, 2.07, 2), (3335, 859)),
        ((50, 0.051, 0.065, 2.07, 2), (8572, 1731)),
        ((25, 0.051, 0.1, 2.07, 2), (4286, 731)),
        ((25, 0.051, 0.065, 2.07, 4), (4286, 866)),
        ((25, 0.051, 0.065, 4, 2), (4286, 679)),
        ((40, 0.06, 0.08, 5, 3), (5798, 969)),
        ((10, 0.03, 0.09, 3, 3), (2950, 272)),
        ((80, 0.3, 0.03, 5, 1), (1974, 2272)),
        ((30, 0.051, 0.065, 2.07, 2), (5143, 1039)),  # its published example
    ],
)
def test_survival_times_are_those_of_pmsampsize(given, rows):
    found = rows_for_survival(*given)
    assert (found["shrinkage"], found["optimism"]) == rows
    assert max(found.values()) == max(rows)


def test_the_risk_at_the_horizon_is_within_the_margin_by_no_row_more():
    """Against the interval that pmsampsize prints."""
    rate, follow_up, horizon = 0.065, 2.07, 2.0
    rows = rows_for_survival(30, 0.051, rate, follow_up, horizon)["overall risk"]

    def away(n):
        upper = rate + 1.96 * (rate / (follow_up * n)) ** 0.5
        return np.exp(-rate * horizon) - np.exp(-upper * horizon)

    assert away(rows) <= 0.05 < away(rows - 1)
    # of 5,143 rows it prints 0.122 (0.113, 0.130)
    assert round(1 - np.exp(-rate * horizon) + away(5143), 3) == 0.13


@pytest.mark.parametrize(
    ("given", "shrinkage", "rows"),
    [  # P, R^2, mean, deviation: tests of pmsampsize, by which the mean asks for nothing more
        ((25, 0.2, 1.9, 0.6), 0.9, (918, 401, 259)),
        ((25, 0.3, 1.9, 0.6), 0.9, (574, 351, 259)),
        ((50, 0.2, 1.9, 0.6), 0.9, (1924, 801, 284)),
        ((25, 0.2, 10, 0.6), 0.9, (918, 401, 259)),
        ((25, 0.2, 1.9, 2), 0.9, (918, 401, 259)),
        ((100, 0.5, 1.9, 2), 0.9, (1264, 1001, 334)),
        ((30, 0.89, 3.3, 1.1), 0.84, (32, 67, 264)),
        ((10, 0.6, 100, 2), 0.9, (76, 81, 244)),
    ],
)
def test_numbers_are_those_of_pmsampsize(given, shrinkage, rows):
    found = rows_for_numbers(*given, DevelopmentLimits(shrinkage))
    assert tuple(found.values())[:3] == rows
    assert found["mean"] <= max(rows)


def test_the_mean_is_known_within_its_ratio_by_no_row_more():
    parameters, r2, mean, deviation = 10, 0.6, 0.2, 2.0
    rows = rows_for_numbers(parameters, r2, mean, deviation)["mean"]

    def ratio(n):
        half = t.ppf(0.975, n - parameters - 1) * (deviation**2 * (1 - r2) / n) ** 0.5
        return (mean + half) / mean

    assert ratio(rows) <= 1.1 < ratio(rows - 1)


@pytest.mark.parametrize(
    ("given", "rows"),
    [  # examples of multsampsize: pairs of one Nagelkerke R^2, and criteria 2 and 3 of Pate et al.
        (((50, 100, 150), [0.15] * 3, 17), (2660, 714, None)),
        (((2557, 186, 176, 467, 120), None, 17), (None, 1477, 524)),
    ],
)
def test_more_classes_are_those_of_multsampsize(given, rows):
    counts, nagelkerke, parameters = given
    shares = np.array(counts) / np.sum(counts)
    pairs = [(i, j) for i in range(len(shares)) for j in range(i + 1, len(shares))]
    most = [largest_r2(shares[[i, j]] / shares[[i, j]].sum()) for i, j in pairs]
    each = [0.15 * one for one in most] if nagelkerke is None else np.multiply(nagelkerke, most)
    found = rows_for_more_classes(parameters, each, 0.15 * largest_r2(shares), shares)
    for own, known in zip(found.values(), rows, strict=True):
        assert known is None or own == known  # its criterion 3 always divides 0.05 by 5


def test_the_worked_example_of_pate_is_near_by_c_statistics_that_are_not_simulated():
    areas = [0.85, 0.92, 0.99, 0.95, 0.75, 0.95, 0.87, 0.87, 0.71, 0.82]
    counts = np.array([2557, 186, 176, 467, 120])
    pairs = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    each = [
        r2_of_c_statistic(area, counts[j] / (counts[i] + counts[j]))
        for area, (i, j) in zip(areas, pairs, strict=True)
    ]
    printed = [0.116, 0.179, 0.497, 0.168, 0.185, 0.499, 0.372, 0.329, 0.128, 0.210]
    np.testing.assert_allclose(each, printed, atol=1.5e-3)
    shares = counts / counts.sum()
    found = rows_for_more_classes(17, each, 0.15 * largest_r2(shares), shares)
    assert abs(found["shrinkage"] / 13136 - 1) < 0.01


@pytest.mark.parametrize(
    ("c_statistic", "prevalence", "drawn"),
    [  # R^2 of pmsampsize with a million drawn rows and the seeds 123456, 1 and 2
        (0.6, 0.5, (0.031011, 0.031261, 0.031070)),
        (0.7, 0.174, (0.072459, 0.073058, 0.072353)),
        (0.81, 0.77, (0.212441, 0.212957, 0.212217)),
        (0.89, 0.174, (0.290172, 0.290770, 0.290091)),
        (0.95, 0.02, (0.086759, 0.087691, 0.086804)),
    ],
)
def test_r2_of_a_c_statistic_is_that_of_drawn_rows(c_statistic, prevalence, drawn):
    assert abs(r2_of_c_statistic(c_statistic, prevalence) - np.mean(drawn)) < 1.2e-3


@pytest.mark.parametrize(("c_statistic", "prevalence"), [(0.65, 0.1), (0.8, 0.5), (0.9, 0.7)])
def test_r2_of_a_c_statistic_is_that_of_a_logistic_regression(c_statistic, prevalence):
    """Of scikit-learn, on the quantiles of both classes in place of draws."""
    mu, points = np.sqrt(2) * norm.ppf(c_statistic), 20_000
    quantiles = norm.ppf((np.arange(points) + 0.5) / points)
    x = np.concatenate([quantiles, quantiles + mu])[:, None]
    y = np.repeat([0, 1], points)
    weight = np.repeat([1 - prevalence, prevalence], points) / points
    model = LogisticRegression(C=np.inf, tol=1e-10).fit(x, y, weight * 2 * points)
    p = model.predict_proba(x)[np.arange(len(y)), y]
    gained = (weight * np.log(p / np.repeat([1 - prevalence, prevalence], points))).sum()
    assert r2_of_c_statistic(c_statistic, prevalence) == pytest.approx(
        1 - np.exp(-2 * gained), abs=2e-5
    )


def test_the_largest_r2_are_those_of_pmsampsize():
    assert round(largest_r2([0.174, 0.826]), 3) == 0.603
    assert round(largest_survival_r2(0.065, 2.07), 7) == 0.5547265
    assert round(largest_survival_r2(0.03, 5), 3) == 0.581


def test_residual_deviation_within_a_tenth_needs_234_rows_more_than_parameters():
    """The number that the papers and pmsampsize write."""
    rows = rows_for_numbers(1, 0.5)["residual deviation"]
    assert rows == 235
    df = rows - 2
    assert (df / chi2.ppf(0.025, df)) ** 0.5 <= 1.1 < ((df - 1) / chi2.ppf(0.025, df - 1)) ** 0.5
