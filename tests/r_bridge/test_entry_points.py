"""The entry points of the R package, called the way reticulate calls them."""

import warnings

import crossing as facade
import numpy as np
import pandas as pd
from crossing import column

import hetsel
from hetsel.ground.errors import FOR_DEVELOPERS
from r_bridge.from_r.guarded_calls import answered
from r_bridge.r_vectors import RVector, texts
from r_bridge.to_r import session


def said(answer):
    """The sentence in place of an answer."""
    return answer["error"]["message"]


COLUMNS = {
    "a": np.array([1, 2.5, np.nan, 4, 5.5, 6]),
    "é": column("factor", [0, 1, np.nan, 0, 1, 1], ["v", "u"]),
    "c": column("text", [0, 0, 0, 1, 1, 2], ["x", "NA", "y"]),
    "d": column("flag", [0, 1, np.nan, 1, 1, 0]),
    "o": column("ordered", [0, 1, 2, 1, 1, 0], ["lo", "mid", "hi"]),
    "t": column("date", [0, 1, 18262.5, 3, np.nan, 5]),
}
TARGET = column("factor", [0, 1, 0, 1, 1, 0], ["sick", "well"])
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
        assert answer["ranking"][name] == expected[name].tolist()
    assert answer["ranking"]["verdict"] == expected["verdict"].tolist()
    assert answer["order"] == "all 6 ranks are proved"
    assert answer["cut"] == "proved"
    assert answer["trace"]["verdict"] == [s.verdict for s in steps for _ in s.features]
    assert answer["size"] == 3
    assert answer["classes"] == {"sick": 3, "well": 3}
    assert answer["columns"]["missing"] == [1, 1, 0, 1, 0, 1]
    assert answer["columns"]["imputed"] == ["4", "u", "", "TRUE", "", "3"]
    assert answer["columns"]["levels"] == [0, 2, 3, 2, 3, 0]
    assert set(answer["trace"]["feature"]) == set(FRAME)
    assert answer["warnings"] == []


def test_columns_that_mislead_are_told_in_the_words_of_r():
    rng = np.random.default_rng(0)
    sick = np.arange(60) % 2
    columns = {"age": np.array([9999, *rng.uniform(20, 60, 59)]), "late": sick + 0.5}
    answer = facade.rank(columns, sick == 1, "t-test")
    age, late = answer["cautions"]
    assert age.startswith("age: ")
    assert 'set "9999" to NA' in age
    assert late.startswith("late: ")
    assert 'drop "late"' in late


def test_a_scale_is_that_of_python_and_another_is_refused():
    answer = facade.rank(COLUMNS, TARGET, "rfe-mkl", scale="quantile")
    selector = hetsel.RFEMKL(scale="quantile")
    selector.fit(FRAME, ["sick", "well", "sick", "well", "well", "sick"])
    assert answer["ranking"]["importance"] == selector.frame()["importance"].tolist()
    assert answer["scale"] == "quantile"
    path = facade.search(COLUMNS, TARGET, scale="robust", options={"folds": 2})
    assert path["scale"] == "robust"
    told = said(facade.rank(COLUMNS, TARGET, scale="rank"))
    assert "range, quantile, robust" in told


def test_a_method_that_claims_nothing_has_no_verdicts():
    answer = facade.rank(COLUMNS, TARGET, "hsic", 3.0)
    assert "verdict" not in answer["ranking"]
    assert (answer["order"], answer["cut"]) == ("", "")


def test_levels_in_order_are_what_the_cells_are():
    columns = {"g": np.array([10.0, 20, 30, 20, 10, 30]), "a": COLUMNS["a"]}
    answer = facade.rank(columns, TARGET, kinds={"ordinal": {"g": [30.0, 20.0, 10.0]}})
    assert answer["columns"]["kind"] == ["ordinal", "continuous"]


def test_rows_count_from_one():
    columns = {"a": np.array([1, 2, np.inf, 4, 5, 6])}
    assert "infinity (Inf) in row 3" in said(facade.rank(columns, TARGET))


def test_vectors_of_length_one_may_come_as_scalars():
    columns = {"a": COLUMNS["a"], "k": column("text", [0] * 6, ["one"])}
    answer = facade.rank(columns, TARGET, kinds={"nominal": "a", "ordinal": []})
    assert answer["columns"]["kind"] == ["nominal", "nominal"]
    levels = {"ordinal": {"c": ["x", "y", "NA"]}, "nominal": None}
    assert "ordinal" in facade.rank(COLUMNS, TARGET, kinds=levels)["columns"]["kind"][2]


def test_errors_are_sentences():
    assert said(facade.rank(COLUMNS, TARGET, "lasso")).startswith("method must be one of")
    assert said(facade.rank(COLUMNS, TARGET, size=9.0)).startswith("size must be in 1..6")
    twice = RVector("list", [column("number", range(6))] * 2, {"names": texts(["a", "a"])})
    assert "'a' more than once" in said(facade.rank(twice, TARGET))
    answer = facade.rank(COLUMNS, TARGET, options={"trees": 3.0})
    assert list(answer) == ["error"]
    assert said(answer).endswith("Got 'trees'")
    broken = facade.rank({"a": bytes(6)}, TARGET)
    assert "could not be safely coerced" in said(broken)


def test_numeric_targets_have_plain_labels():
    cells = [0, 1, 0, 1, 1, 0]
    assert [*facade.rank(COLUMNS, column("number", cells))["classes"]] == ["0", "1"]
    assert [*facade.rank(COLUMNS, column("flag", cells))["classes"]] == ["FALSE", "TRUE"]
    gap = column("flag", [*cells[:5], np.nan])
    assert "the target is missing in 1 row" in said(facade.rank(COLUMNS, gap))


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
    assert answer["equal"] == {"0.1": answer["selected"]}
    assert answer["evaluations"] == len(selector.answer_.evaluated)
    assert (answer["stopped"], answer["search"], answer["criterion"]) == ("", "sffs", "1nn")
    assert answer["classes"] == {"sick": 3, "well": 3}


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
    assert wrong(search="os").startswith('search = "os" needs a size')
    assert wrong(always="o", never="o").endswith("at most once. Got twice: o")
    assert wrong(always=[1.0]) == "always must be names of columns. Got 1"
    assert wrong(progress=1.0).endswith("Got 'progress'")


def test_a_warning_names_the_argument_of_r():
    cells = np.random.default_rng(0).normal(size=(3, 60))
    columns = dict(zip("abc", cells, strict=True))
    target = column("factor", [0] * 6 + [1] * 54, ["sick", "well"])
    (warned,) = facade.rank(columns, target, "rfe-svm")["warnings"]
    told = warned["message"]
    assert "no row of class sick" in told
    assert 'class_weight = "balanced"' in told


K = np.arange(90.0)
SICK = K % 3 == 0
LARGE = pd.DataFrame(
    {
        "dose": K * 7 % 13 + 8 * SICK,
        "smoker": (K % 4 == 0) ^ SICK,
        "site": pd.Categorical.from_codes((K % 5).astype(int), list("abcde")),
    }
)
QUICK = {"folds": 3.0, "repeats": 1.0, "permutations": 0.0, "pairs": 5.0}


def test_a_signature_is_that_of_python_with_classes_as_r_writes_them():
    answer = facade.select(LARGE, SICK, "rfe-svm", 2.0, options={**QUICK, "positive": False})
    quick = {"folds": 3, "repeats": 1, "permutations": 0, "pairs": 5}
    found = hetsel.Signature("rfe-svm", 2, positive=False, **quick).fit(LARGE, SICK)
    assert answer["features"]["feature"] == list(found.features_)
    assert answer["performance"]["class"] == ["", "TRUE", "FALSE", ""]
    rates = found.performance_.frame()["estimate"]
    assert answer["performance"]["estimate"] == rates.tolist()
    assert answer["positive"] == "FALSE"
    assert answer["changed"] == ["size", "folds", "repeats", "permutations", "pairs", "positive"]
    assert answer["classes"] == {"FALSE": 60, "TRUE": 30}
    assert (answer["seed"], answer["size"], answer["method"]) == (0, 2, "rfe-svm")
    predicted = facade.predict_signature(answer["model"], LARGE)
    # in R above 0 for the positive class, which here is the first
    assert predicted["decision"] == (-found.decision_function(LARGE)).tolist()
    assert predicted["class"] == [str(label).upper() for label in found.predict(LARGE)]


def test_errors_of_a_signature_are_in_the_words_of_r(tmp_path):
    def wrong(size=2.0, jobs=1.0, **options):
        given = {**QUICK, **options}
        return said(facade.select(LARGE, SICK, "rfe-svm", size, options=given, jobs=jobs))

    assert wrong(size="best").startswith(
        "size must be one of one-se, quarter-se, knee, equal, or a number"
    )
    assert wrong(jobs=1.5) == "jobs must be a whole number, 0 or larger. Got 1.5"
    assert wrong(jobs=-2.0) == "jobs must be a whole number, 0 or larger. Got -2"
    assert wrong(unseen="x") == "unseen must be one of error, separate. Got 'x'"
    assert said(facade.rank(LARGE, SICK, "")).startswith("method must be one of")
    for parameter, meant in (("permutation", "argument 'permutations'"), ("steps", "'step'")):
        told = said(facade.select(LARGE, SICK, "rfe-mkl", parameters={parameter: 5.0}))
        assert f"Got {parameter!r}. Did you mean" in told
        assert told.endswith(f"{meant}?")
    jobs = {"options": {"jobs": 1.0, "n_estimators": 5.0}}
    assert "ranking" in facade.rank(LARGE, SICK, "random-forest", **jobs)
    assert wrong(positive="ill").startswith("positive must be one of FALSE, TRUE")
    assert wrong(ntree=2.0).endswith("Got 'ntree'")
    assert said(facade.select(LARGE, SICK, "lasso")).startswith("method must be one of")
    told = said(facade.select({"dose": K[:6]}, SICK[:6], "rfe-svm"))
    assert "class TRUE" in told
    assert "format" in said(facade.predict_signature("{}", LARGE))
    model = facade.select(LARGE, SICK, "rfe-svm", 3.0, options=QUICK)["model"]
    assert said(facade.predict_signature(model, LARGE[["dose"]])).endswith("smoker, site")
    unknown = LARGE.assign(site=LARGE["site"].cat.rename_categories({"e": "z"}))
    told = said(facade.predict_signature(model, unknown))
    assert 'unseen = "separate"' in told
    missing = said(facade.signature_report(model, str(tmp_path / "none" / "page.html")))
    assert "none" in missing
    page = facade.signature_report(model, str(tmp_path / "page.html"), "illness")
    assert page == str(tmp_path / "page.html")
    assert "illness" in (tmp_path / "page.html").read_text()
    assert "docx" in said(facade.signature_report(model, str(tmp_path / "page.odt")))
    facade.signature_report(model, str(tmp_path / "page.md"), "illness")
    assert "class TRUE" in (tmp_path / "page.md").read_text()


def test_what_is_always_in_or_without_a_rank_is_told():
    asked = {"unsupported": "skip", "always": "c"}
    answer = facade.rank(COLUMNS, TARGET, "t-test", 2.0, options=asked)
    assert answer["always"] == "c"
    assert answer["unranked"] == ["é", "d"]
    assert sorted(answer["ranking"]["feature"]) == ["a", "c", "o", "t"]
    assert answer["ranking"]["feature"][0] == "c"


def test_a_target_of_numbers_is_that_of_python_and_is_told():
    dose = [0.5, 3.0, 1.0, 4.0, 5.5, 2.0]
    answer = facade.rank(COLUMNS, column("number", dose), "anova-f")
    expected = hetsel.get_method("anova-f")().fit(FRAME, dose).frame()
    assert answer["ranking"]["feature"] == expected["feature"].tolist()
    assert answer["classes"] == {}
    assert answer["numbers"] == "6 values from 0.5 to 5.5"
    whole = column("number", [1, 3, 1, 4, 4, 3])
    told = facade.rank(COLUMNS, whole, "anova-f", options={"target_kind": "numbers"})
    assert told["numbers"] == "3 values from 1 to 4"
    searched = facade.rank(COLUMNS, whole, "sffs-ridge", options={"target_kind": "numbers"})
    assert searched["numbers"] == "3 values from 1 to 4"
    refused = said(facade.rank(COLUMNS, column("number", dose), "t-test"))
    assert "needs classes as its target" in refused
    assert "Got numbers: 6 different values" in refused


def test_survival_times_are_those_of_python_and_are_told():
    days = [5.0, 3.0, 1.0, 4.0, 5.5, 2.0]
    events = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    told = {"times": np.array(days), "events": np.array(events)}
    answer = facade.rank(COLUMNS, told, "rfe-svm")
    expected = hetsel.RFESVM().fit(FRAME, hetsel.survival(days, events)).frame()
    for name in ("feature", "importance"):
        assert answer["ranking"][name] == expected[name].tolist()
    assert answer["classes"] == {}
    assert answer["survival"] == "4 of 6 with an event, up to 5.5"
    assert "numbers" not in answer
    residuals = facade.rank(COLUMNS, told, "rfe-svm", options={"target_kind": "martingale"})
    assert residuals["survival"] == answer["survival"]
    gap = {**told, "events": np.array([np.nan, *events[1:]])}
    assert "event is missing in 1 row" in said(facade.rank(COLUMNS, gap, "rfe-svm"))
    assert "needs classes as its target" in said(facade.rank(COLUMNS, told, "t-test"))


def test_what_python_tells_developers_is_told_in_no_call(tmp_path):
    """A file that a call before left open is closed, and named, when memory is tidied up."""

    def tidying() -> bool:
        (tmp_path / "left").open("w")
        for category in FOR_DEVELOPERS:
            warnings.warn("how it is made", category, stacklevel=1)
        warnings.warn("a column was filled", UserWarning, stacklevel=1)
        return True

    assert [told["message"] for told in answered(tidying, None).warnings] == ["a column was filled"]
