"""The entry points of the R package, called the way reticulate calls them."""

import warnings

import numpy as np
import pandas as pd

import hetsel
from hetsel.ground.errors import FOR_DEVELOPERS
from r_bridge.from_r import entry_points as facade
from r_bridge.from_r.answering import answer
from r_bridge.to_r import session


def said(answer):
    """The sentence in place of an answer."""
    return answer["error"]["message"]


def number(name, cells):
    return {"name": name, "form": "number", "cells": np.asarray(cells, float).tobytes()}


COLUMNS = [
    number("a", [1, 2.5, np.nan, 4, 5.5, 6]),
    {"name": "é", "form": "factor", "cells": [0, 1, np.nan, 0, 1, 1], "levels": ["v", "u"]},
    {"name": "c", "form": "text", "cells": [0, 0, 0, 1, 1, 2], "levels": ["x", "NA", "y"]},
    {"name": "d", "form": "flag", "cells": [0, 1, np.nan, 1, 1, 0]},
    {"name": "o", "form": "ordered", "cells": [0, 1, 2, 1, 1, 0], "levels": ["lo", "mid", "hi"]},
    {"name": "t", "form": "date", "cells": [0, 1, 18262.5, 3, np.nan, 5]},
]
TARGET = {"form": "factor", "cells": [0, 1, 0, 1, 1, 0], "levels": ["sick", "well"]}
FRAME = pd.DataFrame(
    {
        "a": [1, 2.5, np.nan, 4, 5.5, 6],
        "é": pd.Categorical(["v", "u", None, "v", "u", "u"]),
        "c": ["x", "x", "x", "NA", "NA", "y"],
        "d": [False, True, None, True, True, False],
        "o": pd.Categorical(
            ["lo", "mid", "hi", "mid", "mid", "lo"], categories=["lo", "mid", "hi"], ordered=True
        ),
        "t": pd.to_datetime([0, 1, 18262.5, 3, np.nan, 5], unit="D"),
    }
)


def test_the_answer_is_that_of_python():
    answer = facade.rank(COLUMNS, TARGET, "rfe-mkl", 3.0, options={"C": 1.0})
    selector = hetsel.RFEMKL(3, C=1.0).fit(FRAME, ["sick", "well", "sick", "well", "well", "sick"])
    expected, steps = selector.frame(), selector.answer_.steps
    for name in ("rank", "feature", "kind", "importance"):
        assert answer[name] == expected[name].tolist()
    assert answer["verdict"] == expected["verdict"].tolist()
    assert answer["order"] == "all 6 ranks are proved"
    assert answer["cut"] == "proved"
    assert answer["trace"]["verdict"] == [s.verdict for s in steps for _ in s.features]
    assert answer["size"] == 3
    assert answer["classes"] == ["sick", "well"]
    assert answer["counts"] == [3, 3]
    assert answer["columns"]["missing"] == [1, 1, 0, 1, 0, 1]
    assert answer["columns"]["filled"] == ["4", "u", "", "True", "", "3"]
    assert answer["columns"]["levels"] == [0, 2, 3, 2, 3, 0]
    assert set(answer["trace"]["feature"]) == set(FRAME)
    assert answer["warnings"] == []


def test_columns_that_mislead_are_told_in_the_words_of_r():
    rng = np.random.default_rng(0)
    sick = np.arange(60) % 2
    columns = [number("age", [9999, *rng.uniform(20, 60, 59)]), number("late", sick + 0.5)]
    answer = facade.rank(columns, {"form": "flag", "cells": sick}, "t-test")
    age, late = answer["cautions"]
    assert age.startswith("age: ")
    assert 'make "9999" NA' in age
    assert late.startswith("late: ")
    assert 'drop "late"' in late


def test_a_scale_is_that_of_python_and_another_is_refused():
    answer = facade.rank(COLUMNS, TARGET, "rfe-mkl", scale="quantile")
    selector = hetsel.RFEMKL(scale="quantile")
    selector.fit(FRAME, ["sick", "well", "sick", "well", "well", "sick"])
    assert answer["importance"] == selector.frame()["importance"].tolist()
    assert answer["scale"] == "quantile"
    path = facade.search(COLUMNS, TARGET, scale="robust", options={"folds": 2})
    assert path["scale"] == "robust"
    told = said(facade.rank(COLUMNS, TARGET, scale="rank"))
    assert "range, quantile, robust" in told


def test_a_method_that_claims_nothing_has_no_verdicts():
    answer = facade.rank(COLUMNS, TARGET, "hsic", 3.0)
    assert (answer["verdict"], answer["order"], answer["cut"]) == ([], "", "")


def test_levels_in_order_are_what_the_cells_are():
    numbers = number("g", [30, 20, 10])
    columns = [number("g", [10, 20, 30, 20, 10, 30]), COLUMNS[0]]
    answer = facade.rank(columns, TARGET, kinds={"ordinal": {"g": numbers}})
    assert answer["columns"]["kind"] == ["ordinal", "continuous"]


def test_rows_count_from_one():
    columns = [number("a", [1, 2, np.inf, 4, 5, 6])]
    assert "infinity (inf) in row 3:" in said(facade.rank(columns, TARGET))


def test_values_are_plain():
    def plain(value):
        if isinstance(value, dict):
            return all(isinstance(k, str) and plain(v) for k, v in value.items())
        if isinstance(value, list):
            return all(plain(v) for v in value)
        return value is None or type(value) in (str, bool, int, float)

    assert plain(facade.rank(COLUMNS, TARGET))
    assert plain(facade.methods())


def test_vectors_of_length_one_may_come_as_scalars():
    columns = [*COLUMNS[:1], {"name": "k", "form": "text", "cells": [0.0] * 6, "levels": "one"}]
    answer = facade.rank(columns, TARGET, kinds={"nominal": "a", "ordinal": []})
    assert answer["columns"]["kind"] == ["nominal", "nominal"]
    levels = {"ordinal": {"c": ["x", "y", "NA"]}, "nominal": None}
    assert "ordinal" in facade.rank(COLUMNS, TARGET, kinds=levels)["columns"]["kind"][2]


def test_errors_are_sentences():
    assert said(facade.rank(COLUMNS, TARGET, "lasso")).startswith("method must be one of")
    assert said(facade.rank(COLUMNS, TARGET, size=9.0)).startswith("size must be in 1..6")
    assert "'a' more than once" in said(facade.rank(COLUMNS[:1] * 2, TARGET))
    answer = facade.rank(COLUMNS, TARGET, options={"trees": 3.0})
    assert list(answer) == ["error"]
    assert said(answer).startswith("rfe-mkl has no option 'trees'; its options are: ")
    broken = facade.rank([{"name": "a"}], TARGET)
    assert said(broken) == "KeyError: 'form'"


def test_numeric_targets_have_plain_labels():
    target = {"form": "number", "cells": [0, 1, 0, 1, 1, 0]}
    assert facade.rank(COLUMNS, target)["classes"] == ["0", "1"]
    flags = {"form": "flag", "cells": [0, 1, 0, 1, 1, 0]}
    assert facade.rank(COLUMNS, flags)["classes"] == ["False", "True"]
    gap = {"form": "flag", "cells": [0, 1, 0, 1, 1, np.nan]}
    assert said(facade.rank(COLUMNS, gap)) == "the target is missing in 1 row: drop them"


def test_the_catalogue_names_options():
    catalogue = facade.methods()
    assert catalogue["key"] == hetsel.method_keys()
    options = dict(zip(catalogue["key"], catalogue["options"], strict=True))
    assert options["rf10000"] == "many_levels = merge, mtry = None, ntree = 10000, scaled = False"


def test_the_doctor_finds_r_and_python():
    facts = facade.doctor()
    assert "methods of R" not in facts  # nothing is amiss with them
    assert facts["randomForest"].startswith("4.")
    assert facts["hetsel"] == hetsel.__version__


def test_without_rpy2_r_is_told_how_its_methods_come(monkeypatch):
    def lacking(*_):
        raise session.Rpy2Missing("the Python package rpy2 is not installed", "pip install it")

    monkeypatch.setattr(session, "start", lacking)
    monkeypatch.setattr(session, "require_package", lacking)
    told = facade.rank(COLUMNS, TARGET, "rf10000", options={"ntree": 5.0})["error"]
    assert told["problem"] == "the Python package rpy2 is not installed"
    assert 'install_hetsel(extras = c("report", "r"))' in told["fix"]


def test_a_search_is_that_of_python():
    settings = {"ties": 0.1, "always": "a", "column_groups": [["c", "d"]], "costs": {"o": 2.0}}
    options = {"criterion": "1nn", "folds": 2.0, **settings}
    answer = facade.search(COLUMNS, TARGET, options=options, row_groups=None)
    settings = {**settings, "always": ["a"]}
    selector = hetsel.SubsetSearch(criterion="1nn", folds=2, **settings)
    expected = selector.fit(FRAME, ["sick", "well", "sick", "well", "well", "sick"]).frame()
    for name in ("size", "score", "features"):
        assert answer["path"][name] == expected[name].tolist()
    assert answer["selected"] == selector.get_feature_names_out().tolist()
    assert answer["equal"] == {"share": [0.1], "features": [answer["selected"]]}
    assert answer["evaluations"] == len(selector.answer_.evaluated)
    assert (answer["stopped"], answer["search"], answer["criterion"]) == ("", "sffs", "1nn")
    assert answer["counts"] == [3, 3]


def test_a_method_that_searches_answers_with_its_path():
    options = {"folds": 2.0, "criterion": ["1nn", "3nn"]}
    answer = facade.rank(COLUMNS, TARGET, "dos-5nn", options=options)
    assert (answer["method"], answer["search"]) == ("dos-5nn", "dos")
    assert answer["criterion"] == "1nn, 3nn"
    searched = facade.search(COLUMNS, TARGET, options={"search": "dos", **options})
    for name in ("path", "selected", "moves", "columns", "classes"):
        assert answer[name] == searched[name]


def test_errors_of_a_search_are_in_the_words_of_r():
    def wrong(**options):
        return said(facade.search(COLUMNS, TARGET, options={"folds": 2.0, **options}))

    assert wrong(max_seconds=-1.0) == "max_seconds must be a positive number. Got -1"
    assert wrong(search="os").startswith('search = "os" looks for subsets of one size')
    assert wrong(always="o", never="o").endswith("must name a feature once. Got twice: o")
    assert wrong(always=[1.0]) == "always must hold names of columns. Got [1.0]"
    assert wrong(progress=1.0).startswith("hetsel_search has no option 'progress'")


def test_a_warning_names_the_argument_of_r():
    cells = np.random.default_rng(0).normal(size=(3, 60))
    columns = [number(name, row) for name, row in zip("abc", cells, strict=True)]
    target = {"form": "factor", "cells": [0] * 6 + [1] * 54, "levels": ["sick", "well"]}
    (warned,) = facade.rank(columns, target, "rfe-svm")["warnings"]
    told = warned["message"]
    assert "no row of class sick" in told
    assert 'class_weight = "balanced"' in told


K = np.arange(90.0)
SICK = K % 3 == 0
LARGE = [
    number("dose", K * 7 % 13 + 8 * SICK),
    {"name": "smoker", "form": "flag", "cells": (K % 4 == 0) ^ SICK},
    {"name": "site", "form": "factor", "cells": K % 5, "levels": list("abcde")},
]
ILL = {"form": "flag", "cells": SICK}
QUICK = {"folds": 3.0, "repeats": 1.0, "permutations": 0.0, "pairs": 5.0}


def test_a_signature_is_that_of_python_with_classes_as_r_writes_them():
    answer = facade.select(LARGE, ILL, "rfe-svm", 2.0, options={**QUICK, "positive": False})
    dose, smoker = K * 7 % 13 + 8 * SICK, (K % 4 == 0) ^ SICK
    site = pd.Categorical.from_codes((K % 5).astype(int), list("abcde"))
    frame = pd.DataFrame({"dose": dose, "smoker": smoker, "site": site})
    quick = {"folds": 3, "repeats": 1, "permutations": 0, "pairs": 5}
    found = hetsel.Signature("rfe-svm", 2, positive=False, **quick).fit(frame, SICK)
    assert answer["features"]["feature"] == list(found.features_)
    assert answer["performance"]["class"] == ["", "TRUE", "FALSE", ""]
    rates = found.performance_.frame()["rate"]
    assert answer["performance"]["rate"] == rates.tolist()
    assert answer["positive"] == "FALSE"
    assert answer["changed"] == ["size", "folds", "repeats", "permutations", "pairs", "positive"]
    assert answer["counts"] == [60, 30]
    predicted = facade.predict_signature(answer["model"], LARGE)
    # in R above 0 for the positive class, which here is the first
    assert predicted["decision"] == [(-found.decision_function(frame)).tolist()]
    assert predicted["class"] == [str(label).upper() for label in found.predict(frame)]


def test_errors_of_a_signature_are_in_the_words_of_r(tmp_path):
    def wrong(size=2.0, jobs=1.0, **options):
        given = {**QUICK, **options}
        return said(facade.select(LARGE, ILL, "rfe-svm", size, options=given, jobs=jobs))

    assert wrong(size="best").startswith(
        "size must be one of one-se, quarter-se, knee, equal, or a number"
    )
    assert wrong(jobs=1.5) == "jobs must be a whole number, 0 or larger. Got 1.5"
    assert wrong(jobs=-2.0) == "jobs must be a whole number, 0 or larger. Got -2"
    assert wrong(unseen="x") == "unseen must be 'error' or 'separate'. Got 'x'"
    assert wrong(positive="ill").startswith("positive must be one of FALSE, TRUE")
    assert wrong(ntree=2.0).startswith("hetsel_select has no option 'ntree'")
    assert said(facade.select(LARGE, ILL, "lasso")).startswith("method must be one of")
    few = {"form": "flag", "cells": SICK[:6]}
    told = said(facade.select([number("dose", K[:6])], few, "rfe-svm"))
    assert "class TRUE" in told
    assert "format" in said(facade.predict_signature("{}", LARGE))
    model = facade.select(LARGE, ILL, "rfe-svm", 3.0, options=QUICK)["model"]
    assert said(facade.predict_signature(model, LARGE[:1])).endswith("no smoker, site")
    unknown = [*LARGE[:2], {**LARGE[2], "levels": list("abcdz")}]
    told = said(facade.predict_signature(model, unknown))
    assert 'unseen = "separate" in the fit' in told
    missing = said(facade.signature_report(model, str(tmp_path / "none" / "page.html")))
    assert "none" in missing
    page = facade.signature_report(model, str(tmp_path / "page.html"), "illness")["path"]
    assert page == str(tmp_path / "page.html")
    assert "illness" in (tmp_path / "page.html").read_text()
    assert "docx" in said(facade.signature_report(model, str(tmp_path / "page.odt")))
    facade.signature_report(model, str(tmp_path / "page.md"), "illness")
    assert "class TRUE" in (tmp_path / "page.md").read_text()


def test_what_is_always_in_or_without_a_rank_is_told():
    asked = {"unsupported": "skip", "always": "c"}
    answer = facade.rank(COLUMNS, TARGET, "t-test", 2.0, options=asked)
    assert answer["always"] == ["c"]
    assert answer["unranked"] == ["é", "d"]
    assert sorted(answer["feature"]) == ["a", "c", "o", "t"]
    assert answer["feature"][0] == "c"


def test_a_target_of_numbers_is_that_of_python_and_is_told():
    dose = [0.5, 3.0, 1.0, 4.0, 5.5, 2.0]
    answer = facade.rank(COLUMNS, number("y", dose), "anova-f")
    expected = hetsel.get_method("anova-f")().fit(FRAME, dose).frame()
    assert answer["feature"] == expected["feature"].tolist()
    assert (answer["classes"], answer["counts"]) == ([], [])
    assert answer["numbers"] == "6 values from 0.5 to 5.5"
    whole = number("y", [1, 3, 1, 4, 4, 3])
    told = facade.rank(COLUMNS, whole, "anova-f", options={"target_kind": "numbers"})
    assert told["numbers"] == "3 values from 1 to 4"
    searched = facade.rank(COLUMNS, whole, "sffs-ridge", options={"target_kind": "numbers"})
    assert searched["numbers"] == "3 values from 1 to 4"
    refused = said(facade.rank(COLUMNS, number("y", dose), "t-test"))
    assert "takes classes as its target" in refused
    assert "Got numbers: 6 different values" in refused


def test_survival_times_are_those_of_python_and_are_told():
    days = [5.0, 3.0, 1.0, 4.0, 5.5, 2.0]
    events = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    told = {**number("y", days), "form": "survival"}
    told["events"] = number("y", events)["cells"]
    answer = facade.rank(COLUMNS, told, "rfe-svm")
    expected = hetsel.RFESVM().fit(FRAME, hetsel.survival(days, events)).frame()
    assert answer["feature"] == expected["feature"].tolist()
    assert answer["importance"] == expected["importance"].tolist()
    assert (answer["classes"], answer["counts"]) == ([], [])
    assert answer["survival"] == "4 of 6 with an event, up to 5.5"
    assert "numbers" not in answer
    residuals = facade.rank(COLUMNS, told, "rfe-svm", options={"target_kind": "martingale"})
    assert residuals["survival"] == answer["survival"]
    gap = {**told, "events": number("y", [float("nan"), *events[1:]])["cells"]}
    assert said(facade.rank(COLUMNS, gap, "rfe-svm")) == "event is missing in 1 row: drop them"
    assert "takes classes as its target" in said(facade.rank(COLUMNS, told, "t-test"))


def test_what_python_tells_developers_is_told_in_no_call(tmp_path):
    """A file that a call before left open is closed, and named, when memory is tidied up."""

    @answer
    def tidying():
        (tmp_path / "left").open("w")
        for category in FOR_DEVELOPERS:
            warnings.warn("how it is made", category, stacklevel=1)
        warnings.warn("a column was filled", UserWarning, stacklevel=1)
        return {}

    assert [told["message"] for told in tidying()["warnings"]] == ["a column was filled"]
