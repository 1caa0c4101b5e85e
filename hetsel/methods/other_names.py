"""What a method is called elsewhere: the question that follows a name that hetsel does not have."""

import difflib
import re
from typing import Any

# other names of a method of hetsel, in small letters with hyphens: of scikit-learn, R, Weka, papers
ALSO = {
    "anova": ("anova-f",),
    "chi": ("chi-square",),
    "chi2": ("chi-square",),
    "chi-squared": ("chi-square",),
    "correlation": ("pearson", "spearman"),
    "coxnet": ("group-lasso",),
    "elastic-net": ("l1-logistic",),
    "elasticnet": ("l1-logistic",),
    "entropy": ("mi-histogram",),
    "extra-trees": ("random-forest",),
    "f-classif": ("anova-f",),
    "f-score": ("fisher-score",),
    "f-test": ("anova-f",),
    "fisher": ("fisher-criterion", "fisher-exact", "fisher-score"),
    "fisher-test": ("fisher-exact",),
    "forward": ("sffs-5nn", "sfs-5nn"),
    "gain-ratio": ("mi-histogram",),
    "genetic": ("dos-5nn", "sffs-5nn"),
    "gini": ("random-forest-gini",),
    "grplasso": ("group-lasso",),
    "hsiclasso": ("hsic-lasso",),
    "information-gain": ("mi-histogram",),
    "kruskal": ("kruskal-wallis",),
    "ksg": ("mi-knn",),
    "l1": ("group-lasso", "l1-logistic", "l1-svm"),
    "lasso": ("group-lasso",),
    "linearsvc": ("l1-svm", "rfe-linear"),
    "logistic": ("l1-logistic",),
    "mann-whitney": ("kruskal-wallis",),
    "mi": ("mi-knn", "mi-histogram"),
    "mid": ("mrmr",),
    "miq": ("mrmr-quotient",),
    "mkl": ("rfe-mkl", "gmkl"),
    "mutual-info": ("mi-knn", "mi-histogram"),
    "mutual-info-classif": ("mi-knn",),
    "mutual-information": ("mi-knn", "mi-histogram"),
    "permutation-importance": ("random-forest",),
    "ranksum": ("kruskal-wallis",),
    "relief": ("relieff",),
    "relief-f": ("relieff",),
    "rf": ("random-forest",),
    "rfe": ("rfe-svm", "rfe-linear", "rfe-mkl"),
    "rfecv": ("rfe-svm", "rfe-linear", "rfe-mkl"),
    "selectkbest": ("anova-f", "chi-square", "mi-knn"),
    "sequential": ("sffs-5nn", "sfs-5nn"),
    "sequentialfeatureselector": ("sfs-5nn", "sffs-5nn"),
    "stability-selection": ("ensemble",),
    "surf": ("relieff",),
    "svm": ("rfe-svm", "l1-svm"),
    "svm-rfe": ("rfe-linear", "rfe-svm"),
    "symmetrical-uncertainty": ("cfs",),
    "t": ("t-test",),
    "ttest": ("t-test",),
    "variancethreshold": ("variance",),
    "welch": ("t-test",),
    "wilcoxon": ("kruskal-wallis",),
}
# known elsewhere, and nothing of hetsel is like them
NOTHING = ("catboost", "lightgbm", "pca", "shap", "umap", "xgboost")


def nearest(given: Any, keys: list[str], classes: dict[str, str]) -> list[str]:
    """The keys that a name may have meant, the likeliest first; none where nothing is like it.
    `classes` has the key of a method by the name of its class.

    >>> nearest("lasso", ["group-lasso", "t-test"], {})
    ['group-lasso']
    >>> nearest("RFEMKL", ["rfe-mkl"], {"RFEMKL": "rfe-mkl"}), nearest("rfe_mkl", ["rfe-mkl"], {})
    (['rfe-mkl'], ['rfe-mkl'])
    """
    if not isinstance(given, str):
        return []
    if given in classes:
        return [classes[given]]
    name = re.sub(r"[\W_]+", "-", given.lower()).strip("-")
    if name in NOTHING:
        return []
    if name in keys:
        return [name]
    known = [key for key in ALSO.get(name, ()) if key in keys]
    if known:
        return known
    near = difflib.get_close_matches(name, [*keys, *ALSO], n=1)
    return [key for word in near for key in ALSO.get(word, (word,)) if key in keys]
