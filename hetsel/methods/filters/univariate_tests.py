from typing import Literal

import numpy as np

from hetsel.ground import TableError
from hetsel.ground.equal_numbers import equalized
from hetsel.search.rankings import logs_of_column_tests
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking, order_best_first
from hetsel.statistics.column_tests import chi_squared, group_means, linear_tests, survival_tests
from hetsel.tables import canonical_form

OfNumbers = Literal["t-test", "anova-f", "kruskal-wallis"]
OfLevels = Literal["fisher-exact", "chi-square"]


class UnivariateTests(BaseSelector):
    """Rank columns of all kinds by the p-value of one test per column.

    J(f) = -log10 p_f, with the test chosen by the kind of the column and of the target. J(f) stays
    finite if p_f is below the smallest double, so that columns of all kinds are ordered on one
    scale far beyond that point. Prefer it as the classical filter for mixed tables. For classes p_f
    is that of the method of the same name on the column alone. Columns of equal p-values are
    ordered by their effect, then by content, and copies by their position. With missing="separate"
    the test of a continuous column omits its missing values, and a nominal column takes missing as
    a level.

    Each option names a test for classes. For another target it selects the corresponding test:

    ==============  ===============  ==================================  =========================
    option          classes          numeric target                      survival times
    ==============  ===============  ==================================  =========================
    t-test          Welch's, or F    t-test of the slope (of Pearson's   Cox's score test
                                     correlation)
    anova-f         F                the same                            refused
    kruskal-wallis  Kruskal-Wallis   Mantel's test of Spearman's         Cox's score test of the
                                     correlation                         ranks
    fisher-exact    Fisher's exact   F-test of the target over levels    log-rank, permutation
                                                                         variance
    chi-square      Pearson's        Kruskal-Wallis over levels          log-rank
    ==============  ===============  ==================================  =========================

    Cox's score test is for discrete times, as in R with `ties = "exact"`: for a column of two
    values it is the log-rank test, R's `survdiff`. For columns with rare levels that test is too
    liberal. The variance over all permutations of the rows, as in R's `coin::logrank_test`,
    corrects this. Its p-value is chi-squared with that variance; no rows are permuted.

    Parameters
    ----------
    numbers : {"t-test", "anova-f", "kruskal-wallis"}
        Test of continuous columns: Welch's t-test (the F-test for more than two classes); the
        F-test; or the Kruskal-Wallis test (for two classes the test of Wilcoxon, Mann and Whitney).
    levels : {"fisher-exact", "chi-square"}
        Test of nominal columns: Fisher's exact test, or Pearson's chi-square test.
    ordered : {"kruskal-wallis", "t-test", "anova-f", "fisher-exact", "chi-square"}
        Test of ordinal columns: a test for continuous columns, applied to the numbers of the
        levels, or a test for nominal columns, which ignores the order of the levels.
    samples, limit : int
        As in `fisher-exact`, if the target is classes.

    Attributes
    ----------
    answer_ : Ranking
        Its extras are `p_value` (p,) and `effect` (p,) in 0..1. For classes the effect is the
        correlation ratio eta of the column with the class (of its ranks for Kruskal-Wallis), and
        Cramer's V of a nominal column. For a numeric target it is the absolute correlation, or eta
        of the target over levels, of ranks if the test uses ranks. For survival times it is sqrt(1
        - exp(-X^2 / events)) with X^2 the statistic (O'Quigley, Xu and Stare 2005, Statistics in
        Medicine 24, 479-489, with the statistic of the score test).

    See Also
    --------
    TTest : The test of continuous columns alone.
    FisherExact : The test of nominal columns alone.
    HSIC : A filter for all kinds by kernels.

    References
    ----------
    Saeys, Inza and Larranaga 2007, Bioinformatics 23, 2507-2517, section 2.2.

    Examples
    --------
    >>> from hetsel import UnivariateTests, datasets
    >>> heart = datasets.load("heart")
    >>> selector = UnivariateTests().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "kind", "importance"]].head(3).round(2)
                     feature        kind  importance
    0                   thal     nominal       19.21
    1             chest pain     nominal       17.96
    2  major vessels colored  continuous       15.00
    """

    numbers: OfNumbers = "t-test"
    levels: OfLevels = "fisher-exact"
    ordered: Literal[OfNumbers, OfLevels] = "kruskal-wallis"
    samples: int = 100_000
    limit: int = 3_000_000

    about = About(
        "one test per column, chosen by the kinds of column and target",
        paper="Saeys, Inza and Larranaga 2007, section 2.2",
        cost=Cost("n p log n", "1.3 n p + 28 n"),
        targets=("classes", "numbers", "survival"),
        stands_for={
            "numbers": {
                "t-test": "t-test of the slope",
                "kruskal-wallis": "Mantel's test of Spearman's correlation",
                "fisher-exact": "F-test of the target over levels",
                "chi-square": "Kruskal-Wallis test of the target over levels",
            },
            "survival": {
                "t-test": "Cox's score test",
                "kruskal-wallis": "Cox's score test of the ranks",
                "fisher-exact": "log-rank test with permutation variance",
                "chi-square": "log-rank test",
            },
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        kinds = np.array([column.kind for column in problem.table.schema.columns])
        chosen = {"continuous": self.numbers, "nominal": self.levels, "ordinal": self.ordered}
        tests = np.array([chosen[kind] for kind in kinds])
        logs, effect = np.zeros(problem.p), np.zeros(problem.p)
        tested = {
            "classes": self._tested,
            "numbers": _tested_with_numbers,
            "survival": _tested_with_survival,
        }[problem.target.kind]
        for test in np.unique(tests):
            columns = np.flatnonzero(tests == test)
            logs[columns], effect[columns] = tested(problem, test, columns)
        logs, effect = equalized(logs), equalized(effect)
        importance = logs_of_column_tests.to_importance(logs)
        order = order_best_first(importance, effect, -_places(problem, importance, effect))
        return Ranking(order, importance, extras={"p_value": np.exp(logs), "effect": effect})

    def _tested(
        self, problem: Problem, test: str, columns: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return log p-values and effects of some columns by one test, for classes."""
        table, codes = problem.table.take(columns=columns), problem.classes.codes
        if test == "fisher-exact":
            seed = int(problem.rng().integers(2**31))
            given = {"samples": self.samples, "limit": self.limit, "seed": seed}
            found = logs_of_column_tests.fisher_tests(
                table, codes, **given, judging=not problem.proved
            )
            return logs_of_column_tests.fisher_logs(found), cramers_v(
                chi_squared.chi_square(table.values, codes), codes
            )
        if test == "chi-square":
            pearson = chi_squared.chi_square(table.values, codes)
            return pearson.log_pvalue, cramers_v(pearson, codes)
        if test == "kruskal-wallis":
            of_ranks = group_means.anova_f(chi_squared.mid_ranks(table.values), codes)
            return chi_squared.kruskal_wallis(
                table.values, codes
            ).log_pvalue, group_means.correlation_ratio(of_ranks)
        anova = group_means.anova_f(table.values, codes)
        logs = (
            logs_of_column_tests.t_test_logs(table.values, codes)
            if test == "t-test"
            else anova.log_pvalue
        )
        return logs, group_means.correlation_ratio(anova)


def _tested_with_numbers(
    problem: Problem, test: str, columns: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return log p-values and effects of some columns for a numeric target."""
    values, y = problem.table.values[:, columns], problem.numbers.values
    if test == "fisher-exact":
        found = linear_tests.levels_f(values, y)
        return found.log_pvalue, linear_tests.correlation(found)
    if test == "chi-square":
        found = linear_tests.levels_kruskal_wallis(values, y)
        return found.log_pvalue, linear_tests.rank_correlation(
            found, np.full(len(columns), problem.n)
        )
    if test == "kruskal-wallis":
        found, known = linear_tests.rank_trend(values, y), (~np.isnan(values)).sum(axis=0)
        return found.log_pvalue, linear_tests.rank_correlation(found, known)
    found = linear_tests.slope_f(values, y)
    return found.log_pvalue, linear_tests.correlation(found)


def _tested_with_survival(
    problem: Problem, test: str, columns: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return log p-values and effects of some columns for survival times."""
    values, target = problem.table.values[:, columns], problem.survival
    if test == "anova-f":
        raise TableError(
            "univariate-tests: anova-f is not available for survival times, whose mean is unknown. "
            "Use t-test for Cox's score test, or kruskal-wallis for the score test of the ranks"
        )
    if test in ("fisher-exact", "chi-square"):
        over_levels = (
            survival_tests.permuted_log_rank if test == "fisher-exact" else survival_tests.log_rank
        )
        found, known = over_levels(values, target.times, target.events), target.events.sum()
    else:
        numbers = chi_squared.mid_ranks(values) if test == "kruskal-wallis" else values
        found = survival_tests.cox_score(numbers, target.times, target.events)
        known = (~np.isnan(values) & target.events[:, None]).sum(axis=0)
    return found.log_pvalue, survival_tests.explained_order(found, known)


def cramers_v(pearson: group_means.TestResult, codes: np.ndarray) -> np.ndarray:
    """Return Cramer's V (p,) = sqrt(X^2 / (n min(levels - 1, classes - 1))); 0 for one level.

    Cramer 1946, Mathematical Methods of Statistics, section 21.9.
    """
    others = len(np.unique(codes)) - 1.0
    least = np.minimum(np.asarray(pearson.df) / others, others)
    return np.asarray(np.sqrt(pearson.statistic / (len(codes) * np.maximum(least, 1.0))))


def _places(problem: Problem, *keys: np.ndarray) -> np.ndarray:
    """Return places (p,) of the columns by content, or by column if the keys are all distinct."""
    if len(np.unique(np.column_stack(keys), axis=0)) == problem.p:
        return np.arange(problem.p)
    places = np.empty(problem.p, dtype=np.intp)
    places[canonical_form(problem.table, problem.target.content).columns] = np.arange(problem.p)
    return places
