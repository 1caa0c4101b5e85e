"""Feature selection for tables that mix continuous and categorical columns.

The public names are resolved at first use: `import hetsel` itself loads nothing.
"""

import importlib

__version__ = "0.1.0"

_HOMES = {
    "Column": "table",
    "Schema": "table",
    "Table": "table",
    "Ranking": "ranking",
    "BaseSelector": "base",
    "get_method": "base",
    "method_keys": "base",
    "method_table": "base",
    "clinical_kernel": "kernels.clinical",
    "ClinicalKernel": "kernels.clinical",
    "ClinicalSVC": "classifiers",
    "ClinicalMKL": "classifiers",
    "RFEMKL": "methods.rfe_mkl",
    "RFESVM": "methods.rfe_svm",
    "RFESVMPrinted": "methods.rfe_svm_printed",
    "HybridFeatureSelector": "methods.hfs_nb",
    "HybridFeatureSelectorKNN": "methods.hfs_5nn",
    "TTestSelector": "methods.t_test",
    "FisherExactSelector": "methods.fisher_exact",
    "RandomForestSelector": "methods.random_forest",
    "fisher_exact": "fisher",
    "read_table": "files",
    "kuncheva": "stability",
    "cw_rel": "stability",
    "ati": "stability",
    "nogueira": "stability",
    "nogueira_interval": "stability_inference",
    "friedman": "comparison",
    "friedman_both": "comparison",
    "nemenyi": "pairwise",
    "wilcoxon_holm": "pairwise",
    "resampled_t_test": "resampled",
    "resampled_interval": "resampled",
    "smallest_good_size": "resampled",
    "Study": "study.plan",
    "Results": "study.results",
    "plot_ranking": "report.figures",
}

__all__ = ["__version__", "datasets", *_HOMES]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"hetsel.{_HOMES[name]}"), name)
    if name == "datasets":
        return importlib.import_module("hetsel.datasets")
    raise AttributeError(f"module 'hetsel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
