"""Test, compare and count: statistics of scores, signatures and tables of counts."""

from hetsel.judging.knockoffs.controlled_selection import (
    e_benjamini_hochberg,
    knockoff_evalues,
    knockoff_threshold,
)
from hetsel.statistics.comparisons.bayesian_ranks import (
    bayesian_sign_test,
    bayesian_signed_rank_test,
    bayesian_t_test,
)
from hetsel.statistics.comparisons.control_method import compare_with_control
from hetsel.statistics.comparisons.friedman import friedman, friedman_both
from hetsel.statistics.comparisons.judges_compared import judge_effect
from hetsel.statistics.comparisons.paired_effects import (
    effect_sizes,
    fewest_blocks,
    hodges_lehmann,
    least_wilcoxon_holm,
)
from hetsel.statistics.comparisons.pairwise_ranks import nemenyi, wilcoxon_holm
from hetsel.statistics.comparisons.resampled_means import (
    crossfitted_sizes,
    resampled_interval,
    resampled_t_test,
    smallest_good_size,
)
from hetsel.statistics.comparisons.skillings_mack import nemenyi_with_gaps, skillings_mack
from hetsel.statistics.fisher import fisher_exact
from hetsel.statistics.permutation_p_values import (
    permutation_pvalue,
    sequential_pvalue,
)

__all__ = [
    "bayesian_sign_test",
    "bayesian_signed_rank_test",
    "bayesian_t_test",
    "compare_with_control",
    "crossfitted_sizes",
    "e_benjamini_hochberg",
    "effect_sizes",
    "fewest_blocks",
    "fisher_exact",
    "friedman",
    "friedman_both",
    "hodges_lehmann",
    "judge_effect",
    "knockoff_evalues",
    "knockoff_threshold",
    "least_wilcoxon_holm",
    "nemenyi",
    "nemenyi_with_gaps",
    "permutation_pvalue",
    "resampled_interval",
    "resampled_t_test",
    "sequential_pvalue",
    "skillings_mack",
    "smallest_good_size",
    "wilcoxon_holm",
]
