"""Feature selection for tables that mix continuous and categorical columns.

`import hetsel` loads no other module: a public name is imported when it is first used.
"""

import importlib

__version__ = "0.1.0"

_NAMESPACES = ("datasets", "plots", "selection", "stability", "stats")
_HOMES = {
    "Column": "tables.column",
    "Schema": "tables.table",
    "Table": "tables.table",
    "Rescaling": "tables.rescaling",
    "survival": "tables.survival_times",
    "Ranking": "selection.answer",
    "SearchPath": "selection.answer",
    "ScikitSelector": "selection.scikit_selectors",
    "SubsetSearch": "search.subsets.subset_selector",
    "nearly_best": "search.subsets.nearly_best",
    "cost_frontier": "search.subsets.nearly_best",
    "choose_size": "evaluation.size_rules",
    "selection_in_halves": "judging.half_samples",
    "permuted_ranking": "judging.permuted_importances",
    "knockoff_selection": "judging.knockoffs.controlled_selection",
    "knockoff_check": "judging.knockoffs.check",
    "Signature": "signature.estimator",
    "load_signature": "signature.saved_signature",
    "validate_signature": "signature.validation.validated",
    "summary": "words.summary",
    "write_validation_report": "report.pages.validation_page",
    "plan_rows": "signature.planning.row_plan",
    "get_method": "methods.registry",
    "method_keys": "methods.registry",
    "method_table": "methods.registry",
    "clinical_kernel": "kernels.clinical_kernel",
    "ClinicalKernel": "kernels.clinical_kernel",
    "ClinicalSVC": "models.clinical_machines",
    "ClinicalMKL": "models.clinical_machines",
    "ClinicalSVR": "models.clinical_machines",
    "ClinicalSurvivalSVM": "models.clinical_machines",
    "knockoffs": "judging.knockoffs.construction",
    "cautions": "pitfalls.cautions_on_columns",
    "read_table": "files.reading",
    "Study": "study.run",
    "merge_stores": "study.merged_stores",
    "Results": "study.results",
    "compare_methods": "report.pages.method_comparison",
    "compare_treatments": "study.comparison.treated_pairs",
    "export_tables": "report.pages.exported_tables",
    "write_study_report": "report.pages.study_page",
    "archive_study": "report.pages.study_archive",
    "verify_archive": "report.pages.study_archive",
    "write_signature_report": "report.pages.signature_page",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"hetsel.{_HOMES[name]}"), name)
    if name in _NAMESPACES:
        return importlib.import_module(f"hetsel.{name}")
    methods = importlib.import_module("hetsel.methods")
    if name == "__all__":
        return ["__version__", *_NAMESPACES, *_HOMES, *methods.class_names()]
    if name in methods.class_names():
        home = methods.homes()[methods.class_names()[name]]
        return getattr(importlib.import_module(home.module), name)
    raise AttributeError(f"module 'hetsel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__getattr__("__all__"))  # type: ignore[call-overload]
