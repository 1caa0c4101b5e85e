"""Feature selection for tables that mix continuous and categorical columns.

The public names are resolved at first use: `import hetsel` itself loads nothing.
"""

import importlib

__version__ = "0.1.0"

_HOMES = {
    "Column": "tables.column",
    "Schema": "tables.table",
    "Table": "tables.table",
    "Rescaling": "tables.rescaling",
    "Ranking": "selection.answer",
    "SearchPath": "selection.answer",
    "Problem": "selection.problem",
    "About": "selection.about",
    "BaseSelector": "selection.base",
    "WeighingSelector": "selection.base",
    "UnivariateFilter": "selection.base",
    "ScikitSelector": "selection.scikit",
    "SubsetSearch": "search.subset_search",
    "nearly_best": "search.pivots",
    "cost_frontier": "search.pivots",
    "choose_size": "search.size_rules",
    "selection_in_halves": "search.half_samples",
    "permuted_ranking": "search.permuted_importances",
    "knockoff_selection": "search.knockoff_selection",
    "knockoff_check": "search.knockoff_check",
    "Signature": "signature.estimator",
    "load_signature": "signature.saved",
    "get_method": "methods.registry",
    "method_keys": "methods.registry",
    "method_table": "methods.registry",
    "clinical_kernel": "kernels.clinical",
    "ClinicalKernel": "kernels.clinical",
    "ClinicalSVC": "models.clinical_machines",
    "ClinicalMKL": "models.clinical_machines",
    "knockoffs": "models.knockoffs",
    "cautions": "statistics.column_cautions",
    "fisher_exact": "statistics.fisher",
    "read_table": "files.reading",
    "kuncheva": "statistics.stability",
    "cw_rel": "statistics.stability",
    "ati": "statistics.stability",
    "nogueira": "statistics.stability",
    "nogueira_interval": "statistics.stability_interval",
    "false_selection_bound": "statistics.false_selections",
    "selection_threshold": "statistics.false_selections",
    "most_selected": "statistics.false_selections",
    "knockoff_threshold": "statistics.knockoff_filter",
    "knockoff_evalues": "statistics.knockoff_filter",
    "e_benjamini_hochberg": "statistics.knockoff_filter",
    "permutation_pvalue": "statistics.permutation_values",
    "sequential_pvalue": "statistics.permutation_values",
    "friedman": "statistics.friedman",
    "friedman_both": "statistics.friedman",
    "nemenyi": "statistics.pairs",
    "wilcoxon_holm": "statistics.pairs",
    "skillings_mack": "statistics.skillings_mack",
    "nemenyi_with_gaps": "statistics.skillings_mack",
    "resampled_t_test": "statistics.resampled",
    "resampled_interval": "statistics.resampled",
    "smallest_good_size": "statistics.resampled",
    "crossfitted_sizes": "statistics.crossfit",
    "bayesian_t_test": "statistics.bayesian_resamplings",
    "bayesian_signed_rank_test": "statistics.bayesian_ranks",
    "bayesian_sign_test": "statistics.bayesian_ranks",
    "Study": "study.run",
    "Results": "study.results",
    "plot_ranking": "report.figures",
    "plot_path": "report.paths",
    "compare_methods": "report.comparison",
    "compare_treatments": "report.treatments",
    "write_report": "report.page",
    "save_figures": "report.page",
    "write_signature_report": "report.signature_page",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"hetsel.{_HOMES[name]}"), name)
    if name == "datasets":
        return importlib.import_module("hetsel.datasets")
    methods = importlib.import_module("hetsel.methods")
    if name == "__all__":
        return ["__version__", "datasets", *_HOMES, *methods.class_names()]
    if name in methods.class_names():
        home = methods.homes()[methods.class_names()[name]]
        return getattr(importlib.import_module(home.module), name)
    raise AttributeError(f"module 'hetsel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__getattr__("__all__"))  # type: ignore[call-overload]
