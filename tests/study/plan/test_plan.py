"""The plan: what it takes, and that every error names the entry and the legal values."""

import json
import re
from functools import partial

import numpy as np
import pytest
from frames import mixed_frame
from sklearn import feature_selection
from sklearn.feature_selection import mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from study.studies import Told, small_study

from hetsel import RFESVM, Study
from hetsel.datasets import load_heart
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import PlanError
from hetsel.study.plan.plan import changes

PLAN = """
name = "mine"
seed = 4
methods = ["rfe-mkl", {key = "rfe-svm", params = {C = 1.0}, label = "C one"}]
sizes = [3, 1]
[resamplings]
count = 7
test_share = 0.2
kind = "random"
[[datasets]]
name = "heart"
[[datasets]]
file = "patients.csv"
target = "relapse"
nominal = ["stage"]
missing_marks = ["unknown"]
missing = "separate"
"""


@pytest.fixture
def plan(tmp_path):
    rows = [f"{i % 5},{i % 3},{'unknown' if i == 4 else i % 7},{i % 2}" for i in range(40)]
    text = "age,stage,dose,relapse\n" + "\n".join(rows) + "\n"
    (tmp_path / "patients.csv").write_text(text)
    path = tmp_path / "mine.toml"
    path.write_text(PLAN)
    return path


K_FOLD = {"count": 10, "kind": "k-fold"}


def test_a_file_and_a_call_say_the_same(plan):
    study = Study.load(plan)
    assert [spec.name for spec in study.datasets] == ["heart", "patients"]
    assert [spec.label for spec in study.methods] == ["rfe-mkl", "C one"]
    assert study.methods[1].parameters()["C"] == 1.0
    assert (study.resamplings.count, study.resamplings.kind) == (7, "random")
    assert study.sizes == (1, 3)
    patients = study.datasets[1].to_dict()
    called = Study(
        name="mine",
        seed=4,
        sizes=[1, 3],
        methods=["rfe-mkl", {"key": "rfe-svm", "params": {"C": 1.0}, "label": "C one"}],
        resamplings={"count": 7, "test_share": 0.2, "kind": "random"},
        datasets=["heart", {**patients, "file": plan.parent / "patients.csv"}],
    )
    assert called.to_dict() == study.to_dict()


@pytest.mark.slow
def test_the_plans_that_come_with_hetsel_are_legal(request):
    plans = sorted((request.config.rootpath / "vignettes").glob("*.toml"))
    assert len(plans) >= 2
    for path in plans:
        assert Study.load(path).methods


def test_sizes():
    study = small_study()
    assert study.sizes_for(40) == tuple(range(1, 41))
    assert study.sizes_for(41)[:3] == (1, 2, 3)
    assert study.sizes_for(41)[-2:] == (33, 41)
    assert len(study.sizes_for(262)) == 23
    assert small_study(sizes=[2, 50]).sizes_for(5) == (2,)


def test_tables_and_selectors_from_python():
    X, y = mixed_frame()
    study = Study(
        datasets=[load_heart(), {"name": "own", "X": X.assign(z=y), "target": "z"}],
        methods=[
            RFESVM(C=2.0),
            Told,
            {"key": Told, "params": {"flag": "x"}, "label": "told twice"},
        ],
    )
    assert [spec.key for spec in study.methods] == [
        "rfe-svm",
        "study.studies.Told",
        "study.studies.Told",
    ]
    assert study.methods[0].params["C"] == 2.0
    assert "machine" not in str(study.to_dict())


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 4", "sed = 4", r"mine.toml has no key 'sed'.* Did you mean 'seed'\?"),
        ("seed = 4", "seed = -1", "mine.toml: seed must be a whole number, 0 or larger. Got -1"),
        ('file = "', 'fil = "', r"has no key 'fil'. The keys .*treatment_of. Did you mean 'file'"),
        ("seed = 4", "seed = 4 5", "mine.toml is not TOML: .*line 3"),
        ('"rfe-mkl"', '"rfe-mlk"', r"mine.toml: methods\[0\].key must be one of .*'rfe-mkl'\?"),
        (
            "C = 1.0",
            "c = 1.0",
            r"methods\[1\].params has no key 'c'. The keys are C, always, bins, class_w",
        ),
        ("C one", "rfe-mkl", "methods must name each entry once. Got 'rfe-mkl' twice. Give one"),
        ("[3, 1]", "[3, 3]", "mine.toml: sizes must name each entry once. Got '3' twice"),
        ("[3, 1]", '"all"', r"sizes must be 'auto' or a list such as \[1, 5, 10\]. Got 'all'"),
        ("[3, 1]", "[0]", r"sizes\[0\] must be a whole number, 1 or larger. Got 0"),
        ("count = 7", "number = 7", "resamplings has no key 'number'"),
        ("count = 7", "count = 0", "resamplings.count must be .* from 1 to 1,000,000. Got 0"),
        ("count = 7", "count = 1e11", "from 1 to 1,000,000. Got 100000000000.0"),
        ("0.2", "20", "resamplings.test_share must be a number between 0 and 1, e.g. 0.1. Got 20"),
        ('"random"', '"randon"', "kind must be one of stratified, random. .*'random'"),
        ('name = "heart"', 'name = "hart"', r"datasets\[0\].name must be one of .*mean 'heart'"),
        ("patients.csv", "patient.csv", r"datasets\[1\].file: no such file: .*patient.csv"),
        ('target = "relapse"', "", r"datasets\[1\] must have target"),
        ('"separate"', '"drop"', r"datasets\[1\].missing must be one of impute, separate, error"),
        ('"separate"', '"seperate"', r"datasets\[1\].missing .*Did you mean 'separate'"),
        ("nominal", "nominall", r"datasets\[1\] has no key 'nominall'.* Did you mean 'nominal'"),
        ('["unknown"]', "[9]", r"datasets\[1\].missing_marks must be a text or a list.*Got \[9\]"),
        ('missing = "', 'decimal = "', r"datasets\[1\].decimal must be '.' or ','. Got 'separate'"),
        (
            'missing = "',
            'header = "',
            r"datasets\[1\].header must be true or false. Got 'separate'",
        ),
        ("count = 7", "count = 7.5", "resamplings.count must be a whole number.* Got 7.5"),
        ('key = "rfe-svm", ', "", r"methods\[1\].key must be one of .* Got None"),
        ("C one", " ", r"methods\[1\].label must be text"),
        (
            "label =",
            'encoding = "hot", label =',
            r"methods\[1\].encoding must be one of one-hot, w",
        ),
        (
            "label =",
            'encoding = "whole", label =',
            r"methods\[1\].encoding needs .* Got rfe-svm\. Leave it out",
        ),
    ],
)
def test_errors_name_the_entry(plan, old, new, message):
    plan.write_text(PLAN.replace(old, new, 1))
    with pytest.raises(PlanError, match=message):
        Study.load(plan)


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"methods": []}, "Study: methods must have at least one entry"),
        ({"methods": [np.mean]}, r"Study: methods\[0\] must be the key of a method, a selector"),
        (
            {"methods": [dict]},
            r"methods\[0\] must be a method, a subclass of BaseSelector .* Got dict",
        ),
        ({"methods": ["rfe-svm", {"key": "rfe-svm", "label": "b"}]}, "are the same method"),
        (
            {"methods": {"key": "rfe-svm", "params": 3}},
            r"params must be a table of parameters",
        ),
        ({"classifiers": ["svm"]}, r"classifiers\[0\].key must be one of clinical-svm, linear-svm"),
        ({"classifiers": {"key": "5nn", "params": {"neighbors": 0}}}, "neighbors must be a whole"),
        ({"classifiers": {"key": "clinical-svm", "params": {"C": 0}}}, "C must be a positive numb"),
        ({"datasets": np.ones((2, 2))}, r"Got an object of type ndarray$"),
        ({"datasets": 3}, r"datasets\[0\] must be the name of a data set, a Dataset or a mapping"),
        (
            {"datasets": {"name": "a", "X": [[1.0]]}},
            r"must have either y \(classes, numbers or survival times\) or target",
        ),
        (
            {"datasets": {"name": "a", "X": [[1.0]], "y": [0], "file": "b"}},
            "has a table X. Leave out file",
        ),
        ({"datasets": {"name": "heart", "decimal": ","}}, "is a data set of hetsel. Leave out"),
        ({"name": " "}, "name must be text"),
        ({"seed": True}, "seed must be a whole number, 0 or larger. Got True"),
        (
            {"classifiers": {"key": "5nn", "params": {"k": 3}}},
            r"params has no key 'k'.* neighbors",
        ),
        ({"classifiers": {"key": "clinical-svm", "params": {"C": np.inf}}}, "C must be a positive"),
        (
            {"classifiers": {"key": "linear-svm", "params": {"C": 0}}},
            "number or 'radius', .* Got 0",
        ),
        ({"classifiers": {"key": "linear-svm", "params": {"gamma": 1}}}, "no key 'gamma'"),
        (
            {"classifiers": {"key": "gaussian-svm", "params": {"gamma": "scale"}}},
            "gamma must be a positive number or 'size', .* Got 'scale'",
        ),
        ({"classifiers": {"params": {}}}, r"classifiers\[0\] must have the key key.*clinical-svm"),
        (
            {"resamplings": {"test_share": 0.2, "train_count": 9}},
            "resamplings has test_share and train_count",
        ),
        (
            {"resamplings": {"train_per_class": 5, "train_count": 9}},
            "has train_count and train_per_class",
        ),
        (
            {"resamplings": {"train_per_class": 5, "kind": "random"}},
            "has train_per_class, .* Got kind = 'random'",
        ),
        (
            {"resamplings": {"train_per_class": 5, "kind": "time-ordered"}},
            "has train_per_class, .* Got kind = 'time-ordered'",
        ),
        (
            {"resamplings": {"count": 10, "folds": 5}},
            "has folds, .* Got kind = 'stratified'",
        ),
        (
            {"resamplings": {"count": 12, "folds": 5, "kind": "k-fold"}},
            "count must be a multiple of folds = 5. Got 12",
        ),
        (
            {"resamplings": {"count": 10, "test_share": 0.2, "kind": "k-fold"}},
            "has test_share, .* kind = 'k-fold'",
        ),
        (
            {"resamplings": {"count": 2, "train_count": 9, "kind": "time-ordered"}},
            "has train_count, .* Specify test_count",
        ),
        (
            {"datasets": {"name": "heart", "split": {"test_count": 5}}, "resamplings": K_FOLD},
            r"datasets\[0\].split has test_count, .* kind = 'k-fold'",
        ),
        (
            {"datasets": {"name": "heart", "test_rows": "a"}, "resamplings": K_FOLD},
            r"datasets\[0\] has test_rows, .* Got 'k-fold'",
        ),
        (
            {"datasets": "heart", "resamplings": {"count": 2, "kind": "time-ordered"}},
            r"datasets\[0\] must have order",
        ),
        (
            {"datasets": {"name": "heart", "order": "age"}},
            r"datasets\[0\] has order, .* Got kind = 'stratified'",
        ),
        ({"resamplings": {"train_count": 0}}, "train_count must be a whole number, 1 or larger"),
        (
            {"datasets": {"name": "heart", "split": {"test_share": 0.2, "test_count": 9}}},
            r"datasets\[0\].split has test_share and test_count",
        ),
        (
            {"datasets": {"name": "heart", "split": {"train": 9}}},
            r"datasets\[0\].split has no key 'train'. The keys are test_share, test_count, train_c",
        ),
        (
            {"datasets": {"name": "heart", "split": 9}},
            r"datasets\[0\].split must be a table such as {train_count = 100}. Got 9",
        ),
        ({"methods": {"key": "sklearn"}}, r"methods\[0\].key must be one of .* Got 'sklearn'"),
        (
            {"datasets": {"name": "d", "X": np.eye(4), "y": [0, 1, 0, 1], "drop_unlabeled": True}},
            r"datasets\[0\].drop_unlabeled needs a target that is a column of X",
        ),
        ({"methods": 3}, r"methods\[0\] must be the key of a method, a selector .* Got 3"),
    ],
)
def test_errors_from_python(changes, message):
    with pytest.raises(PlanError, match=message):
        small_study(**changes)


def test_a_plan_without_data_sets(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text('methods = ["rfe-svm"]')
    with pytest.raises(PlanError, match=re.escape("a.toml must have the entry 'datasets'")):
        Study.load(path)
    with pytest.raises(PlanError, match="no such file"):
        Study.load(tmp_path / "b.toml")


def test_parameters_are_known_by_what_is_written_down():
    def one(**entries):
        return Study(datasets="heart", **entries).methods[0].to_dict()["params"]

    # a function is written down as its address, which another one may have next
    with pytest.raises(PlanError, match="flag must be a number, text, or a list"):
        one(methods=[Told(flag=lambda: 1)])
    with pytest.raises(PlanError, match="flag must be a number"):
        one(methods=[{"key": Told, "params": {"flag": [len, print, plan]}}])
    assert one(methods=[Told(flag=np.arange(3))])["flag"] == [0, 1, 2]
    whole, point = ({"key": "rfe-svm", "params": {"C": c}} for c in (1, 1.0))
    assert one(methods=[whole]) == one(methods=[point])
    assert type(one(methods=[whole])["C"]) is float
    with pytest.raises(PlanError, match="same"):
        one(methods=[whole | {"label": "a"}, point | {"label": "b"}])


def test_sizes_of_any_sequence():
    for sizes in (range(1, 4), np.array([3, 1, 2]), (1, 2, 3)):
        assert Study(datasets="heart", methods="rfe-svm", sizes=sizes).sizes == (1, 2, 3)


def test_whole_floats_are_whole_numbers():
    options = {"count": 3.0, "test_share": 0.2}
    study = Study(datasets="heart", methods="rfe-svm", resamplings=options, sizes=[2.0], seed=5.0)
    assert json.dumps(study.to_dict()["resamplings"]["count"]) == "3"
    assert (study.sizes, study.seed) == ((2,), 5)


def test_a_byte_order_mark_of_an_editor_is_no_part_of_a_plan(tmp_path):
    (tmp_path / "mine.toml").write_text(
        'name = "a"\ndatasets = "heart"\nmethods = "rfe-svm"\n', encoding="utf-8-sig"
    )
    assert Study.load(tmp_path / "mine.toml").name == "a"


def test_a_plan_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "mine.toml").write_bytes('name = "f\u00fcnf"'.encode("latin-1"))
    with pytest.raises(PlanError, match="mine.toml must be a TOML file in UTF-8"):
        Study.load(tmp_path / "mine.toml")


def test_numbers_of_numpy_are_numbers():
    study = Study(
        datasets="heart",
        methods="rfe-svm",
        resamplings={"count": np.int64(3), "test_share": np.float64(0.2)},
        classifiers={"key": "clinical-svm", "params": {"C": np.float32(2)}},
        seed=np.int32(5),
    )
    assert study.to_dict()["resamplings"] == {"count": 3, "test_share": 0.2, "kind": "stratified"}
    assert (study.seed, dict(study.classifiers[0].params)["C"]) == (5, 2.0)
    assert json.loads(json.dumps(study.to_dict())) == study.to_dict()


@pytest.mark.parametrize("key", ["rfe-linear", "rfe-svm", "rfe-mkl", "bahsic", "fspp"])
def test_a_step_of_one_feature_is_one_method_however_it_is_written(key):
    whole, float_ = (
        MethodSpec.of("methods[0]", {"key": key, "params": {"step": s}}) for s in (1, 1.0)
    )
    assert whole.to_dict() == float_.to_dict()
    x = np.random.default_rng(0).normal(size=(24, 6))
    ranking = whole.build().fit(x, [0, 1] * 12).answer_
    assert [step.size for step in ranking.steps] == [6, 5, 4, 3, 2, 1]


def test_whole_numbers_of_r_and_json_are_whole_numbers_of_a_plan():
    float_, whole = (
        MethodSpec.of("methods[0]", {"key": "relieff", "params": {"neighbors": k}})
        for k in (5.0, 5)
    )
    assert float_.to_dict() == whole.to_dict()
    assert type(float_.params["neighbors"]) is int


def test_a_data_set_may_be_split_in_its_own_way():
    entries = [{"name": "heart", "split": {"train_per_class": 50}}, "hepatitis"]
    resamplings = {"count": 3, "train_count": 40, "test_count": 60}
    study = Study(datasets=entries, methods="rfe-svm", resamplings=resamplings)
    own, other = (study.resamplings.of_data(spec.split) for spec in study.datasets)
    assert own.to_dict() == {"count": 3, "train_per_class": 50, "kind": "stratified"}
    assert other.to_dict() == {**resamplings, "kind": "stratified"}
    assert other.in_words() == "40 training rows and 60 held-out rows"
    assert own.in_words() == "50 training rows of each class and all other rows held out"
    written = study.to_dict()
    assert written["datasets"][0]["split"] == {"train_per_class": 50}
    assert "test_share" not in written["resamplings"]
    assert json.loads(json.dumps(written)) == written


def test_settings_of_the_machines_are_numbers_or_words():
    def params(**given):
        entry = {"key": "gaussian-svm", "params": given}
        return Study(datasets="heart", methods="rfe-svm", classifiers=entry).classifiers[0].params

    assert params() == (("C", 1.0), ("gamma", "size"))
    assert params(C="radius", gamma=2)[:2] == (("C", "radius"), ("gamma", 2.0))


def test_what_is_not_given_is_none(plan):
    entry = {"file": plan.parent / "patients.csv", "target": "relapse", "missing_marks": "unknown"}
    given = Study(datasets=entry | {"header": True}, methods="rfe-svm").datasets[0]
    assert given.reading == {"missing_marks": ("unknown",), "header": True}
    assert prepare(given).to_dict()["kinds"] == ["continuous"] * 3
    none = dict.fromkeys(("X", "y", "nominal", "drop", "separator", "missing"))
    spec = Study(datasets=entry | none, methods="rfe-svm").datasets[0]
    assert spec.to_dict() == {
        "name": "patients",
        "target": "relapse",
        "missing": "impute",
        "file": "patients.csv",
        "missing_marks": ["unknown"],
    }


RFE = "sklearn.feature_selection.RFE"
KBEST = "sklearn.feature_selection.SelectKBest"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"params": {"estimator": {"key": "SVC"}}}, r"params.estimator.key must be an import path"),
        (
            {"params": {"estimator": {"key": "sklearn.svm.SVC", "parms": {}}}},
            r"methods\[0\].params.estimator has no key 'parms'.* Did you mean 'params'",
        ),
        (
            {"params": {"estimators": 3}},
            r"no key 'estimators'.* Did you mean 'estimator'",
        ),
        ({"encoding": "onehot"}, r"encoding must be one of one-hot, whole.*mean 'one-hot'"),
        ({"key": "sklearn.feature_selection.SelectBest"}, "cannot be imported"),
        ({"key": "nowhere.Selector"}, "cannot be imported"),
        ({"key": "sklearn.feature_selection.f_classif"}, "a selector, a class .* Got .*f_classif"),
    ],
)
def test_the_entry_of_an_import_path_is_read(entry, message):
    with pytest.raises(PlanError, match=message):
        small_study(methods={"key": RFE} | entry)


def test_a_selector_of_scikit_learn_by_its_path_and_as_an_object():
    rfe = {
        "key": RFE,
        "params": {
            "estimator": {"key": "sklearn.linear_model.LogisticRegression", "params": {"C": 0.5}},
            "n_features_to_select": 1,
        },
    }
    best = {
        "key": KBEST,
        "params": {"score_func": "sklearn.feature_selection.mutual_info_classif", "k": 3},
        "label": "mutual information",
        "encoding": "whole",
    }
    study = small_study(methods=[rfe, best, "rfe-svm"])
    assert [spec.label for spec in study.methods] == ["RFE", "mutual information", "rfe-svm"]
    assert [spec.key for spec in study.methods] == [RFE, KBEST, "rfe-svm"]
    made = study.methods[0].build().estimator
    assert made.estimator.C == 0.5
    objects = [
        feature_selection.RFE(LogisticRegression(C=0.5), n_features_to_select=1),
        {**best, "key": feature_selection.SelectKBest(mutual_info_classif, k=3), "params": {}},
        "rfe-svm",
    ]
    again = small_study(methods=objects)
    assert again.to_dict()["methods"] == study.to_dict()["methods"]
    # what is written down makes the same methods once more
    told = json.loads(json.dumps(study.to_dict()))["methods"]
    entries = [{k: v for k, v in entry.items() if k != "revision"} for entry in told]
    assert small_study(methods=entries).to_dict()["methods"] == told


def test_a_search_over_a_pipeline_by_its_path_and_as_an_object():
    model = "sklearn.linear_model.LogisticRegression"
    steps = [["select", {"key": KBEST}], ["model", {"key": model}]]
    grid = {"select__k": [1, 2], "model": [{"key": model, "params": {"C": C}} for C in (0.1, 1)]}
    entry = {
        "key": "sklearn.model_selection.HalvingGridSearchCV",
        "params": {
            "estimator": {"key": "sklearn.pipeline.Pipeline", "params": {"steps": steps}},
            "param_grid": grid,
        },
    }
    (spec,) = small_study(methods=entry).methods
    search = spec.build().estimator
    pipeline = Pipeline(
        [["select", feature_selection.SelectKBest()], ["model", LogisticRegression()]]
    )
    models = [LogisticRegression(C=C) for C in (0.1, 1)]
    other = type(search)(pipeline, {"select__k": [1, 2], "model": models})
    (again,) = small_study(methods=other).methods
    assert spec.to_dict() == again.to_dict()
    assert spec.identity() == again.identity()
    entry["params"]["param_grid"] = grid | {"select__k": [1, 3]}
    assert small_study(methods=entry).methods[0].identity() != spec.identity()


@pytest.mark.parametrize(
    "score",
    [
        lambda X, y: np.ones(X.shape[1]),
        partial(mutual_info_classif, n_neighbors=5),
        type("C", (), {"__call__": len})(),
    ],
)
def test_a_function_without_a_path_is_refused(score):
    chosen = feature_selection.SelectKBest(score)
    with pytest.raises(PlanError, match="score_func must be a function with an import path"):
        small_study(methods=chosen)


def test_of_a_long_value_that_changed_a_digest_is_said():
    packed = ["58" * 5000, "58" * 4999 + "59"]
    (said,) = changes({"params": {"packed": packed[0]}}, {"params": {"packed": packed[1]}})
    before, _, now = said.removeprefix("params.packed: ").partition(" -> ")
    assert before != now
    assert before.startswith("10,002 characters (digest ")
    assert len(said) < 120
    assert list(changes({"C": 0.1}, {"C": 1.0})) == ["C: 0.1 -> 1.0"]
