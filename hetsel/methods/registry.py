"""The registry of methods: hetsel's own, those of other packages, and names from elsewhere."""

import difflib
import importlib
import re
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

import pandas as pd

from hetsel.ground import TableError, listed
from hetsel.methods import class_in, class_names, homes
from hetsel.selection.base import SHARED, BaseSelector, WeighingSelector
from hetsel.selection.column_choices import EVERY


def _others() -> dict[str, EntryPoint]:
    """Return the methods of other packages by key."""
    return {entry.name: entry for entry in entry_points(group="hetsel.methods")}


def method_keys() -> list[str]:
    """Return the keys of all methods: hetsel's own, then those of other packages.

    Returns
    -------
    list of str

    See Also
    --------
    get_method : The class of a method.
    method_table : The catalogue as a data frame.

    Examples
    --------
    >>> import hetsel
    >>> hetsel.method_keys()[:3]
    ['anova-f', 'arom', 'auc']
    """
    return sorted(homes()) + sorted(_others())


def get_method(key: str) -> type[BaseSelector]:
    """Return the class of a method.

    Parameters
    ----------
    key : str
        Key of the method, see :func:`hetsel.method_keys`.

    Returns
    -------
    type
        The class, a scikit-learn selector.

    Raises
    ------
    TableError
        No method has this key.

    See Also
    --------
    method_keys : The keys of all methods.

    Examples
    --------
    >>> import hetsel
    >>> hetsel.get_method("rfe-svm")(size=3).size
    3
    """
    is_name = isinstance(key, str)
    if is_name and (home := homes().get(key)):  # looking up other packages takes 4 ms
        module = importlib.import_module(home.module)
        return cast(type[BaseSelector], getattr(module, class_in(home.path)))
    others = _others()
    if not is_name or key not in others:
        raise TableError(no_method("method", key))
    return cast(type[BaseSelector], others[key].load())


def of_other_package(key: str) -> bool:
    """Return whether a package other than hetsel registers the method of this key."""
    entry = None if key in homes() else _others().get(key)
    return entry is not None and (entry.dist is None or entry.dist.name != "hetsel")


def no_method(option: str, name: Any) -> str:
    """Return the error text for an unknown method, with the nearest keys.

    Examples
    --------
    >>> from hetsel.methods.registry import no_method
    >>> no_method("method", "lasso")[-41:]
    " Got 'lasso'. Did you mean 'group-lasso'?"
    """
    keys = method_keys()
    near = likeliest_keys(name, keys, class_names())
    hint = f". Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"{option} must be one of the {len(keys)} of hetsel.method_keys(). Got {name!r}{hint}"


def key_of(method: type[BaseSelector]) -> str:
    """Return the key of a method, or the full name of a class that is not registered."""
    for key, home in homes().items():
        if home.module == method.__module__ and class_in(home.path) == method.__qualname__:
            return key
    full = f"{method.__module__}:{method.__qualname__}"
    for key, entry in _others().items():
        if entry.value == full:
            return key
    return full.replace(":", ".")


def family_of(method: type[BaseSelector]) -> str:
    """Return the family of a method: the folder of its file, or the family in its `about`."""
    home = homes().get(key_of(method))
    return home.family if home else method.about.family


def own_parameters(method: type[BaseSelector]) -> dict[str, Any]:
    """Return the parameters that only the method itself has, with their defaults."""
    every = method().get_params(deep=False)
    return {name: value for name, value in every.items() if name not in (*SHARED, *EVERY)}


def refuse_weights(selector: BaseSelector, option: str = "sample_weight") -> None:
    """Raise a TableError for row weights that a selector cannot use, and list the methods that can.

    `option` is the name of the weights in the call.
    """
    if not isinstance(selector, WeighingSelector):
        able = [key for key in method_keys() if issubclass(get_method(key), WeighingSelector)]
        key = key_of(type(selector))
        raise TableError(
            f"{option}: {key} does not support row weights. Use one of: {listed(able)}"
        )
    selector.refuse_weights(option)


def method_table() -> pd.DataFrame:
    """Return the catalogue of methods as a data frame.

    Returns
    -------
    DataFrame
        One row per method. Columns: ``key``, ``title``, ``family``; ``takes``, the kinds of columns
        that the method accepts for classes; ``takes_otherwise``, the kinds for a numeric target or
        survival times, empty for a method for classes only; ``targets``; ``requires``; ``time`` and
        ``memory``, their growth as in :class:`hetsel.selection.about.Cost`; and ``paper``.

    See Also
    --------
    method_keys : The keys alone.
    get_method : The class of a method.

    Examples
    --------
    >>> import hetsel
    >>> table = hetsel.method_table().set_index("key")
    >>> table.loc["t-test", ["title", "takes", "targets"]].tolist()
    ["Welch's t-test, or the F-test for more than two classes", 'continuous, ordinal', 'classes']
    """
    rows = []
    for key in method_keys():
        method = get_method(key)
        about = method.about
        others = [target for target in about.targets if target != "classes"]
        takes_otherwise = about.takes_for(others[0]) if others else ()
        rows.append(
            {
                "key": key,
                "title": about.line,
                "family": family_of(method),
                "takes": ", ".join(about.takes),
                "takes_otherwise": ", ".join(takes_otherwise),
                "targets": ", ".join(about.targets),
                "requires": ", ".join(about.requires),
                "time": about.cost.time if about.cost else "",
                "memory": about.cost.of_memory if about.cost else "",
                "paper": about.paper,
            }
        )
    return pd.DataFrame(rows)


# names in scikit-learn, R, Weka and papers, in lower case with hyphens, and the keys they mean
_MEANINGS = {
    "anova f-classif f-test": "anova-f",
    "chi chi2 chi-squared": "chi-square",
    "correlation": "pearson spearman",
    "coxnet grplasso lasso": "group-lasso",
    "elastic-net elasticnet logistic": "l1-logistic",
    "entropy gain-ratio information-gain": "mi-histogram",
    "extra-trees permutation-importance rf": "random-forest",
    "f-score": "fisher-score",
    "fisher": "fisher-criterion fisher-exact fisher-score",
    "fisher-test": "fisher-exact",
    "forward sequential": "sffs-5nn sfs-5nn",
    "genetic": "dos-5nn sffs-5nn",
    "gini": "random-forest-gini",
    "hsiclasso": "hsic-lasso",
    "kruskal mann-whitney ranksum wilcoxon": "kruskal-wallis",
    "ksg mutual-info-classif": "mi-knn",
    "l1": "group-lasso l1-logistic l1-svm",
    "linearsvc": "l1-svm rfe-linear",
    "mi mutual-info mutual-information": "mi-knn mi-histogram",
    "mid": "mrmr",
    "miq": "mrmr-quotient",
    "mkl": "rfe-mkl gmkl",
    "relief relief-f surf": "relieff",
    "rfe rfecv": "rfe-svm rfe-linear rfe-mkl",
    "selectkbest": "anova-f chi-square mi-knn",
    "sequentialfeatureselector": "sfs-5nn sffs-5nn",
    "stability-selection": "ensemble",
    "svm": "rfe-svm l1-svm",
    "svm-rfe": "rfe-linear rfe-svm",
    "symmetrical-uncertainty": "cfs",
    "t ttest welch": "t-test",
    "variancethreshold": "variance",
}
ALSO = {name: tuple(keys.split()) for names, keys in _MEANINGS.items() for name in names.split()}
# known elsewhere, without a similar method in hetsel
NOTHING = ("catboost", "lightgbm", "pca", "shap", "umap", "xgboost")


def likeliest_keys(given: Any, keys: list[str], classes: dict[str, str]) -> list[str]:
    """Return the keys that a name may mean, the likeliest first; an empty list if none is similar.

    `classes` has the key of a method by the name of its class.

    Examples
    --------
    >>> from hetsel.methods.registry import likeliest_keys
    >>> likeliest_keys("lasso", ["group-lasso", "t-test"], {})
    ['group-lasso']
    >>> likeliest_keys("RFEMKL", ["rfe-mkl"], {"RFEMKL": "rfe-mkl"})
    ['rfe-mkl']
    >>> likeliest_keys("rfe_mkl", ["rfe-mkl"], {})
    ['rfe-mkl']
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
