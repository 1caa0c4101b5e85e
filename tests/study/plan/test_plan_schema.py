"""The JSON schema of a plan: it says of a TOML file what reading the plan says."""

import json
import tomllib

import jsonschema
import pytest

from hetsel import RFESVM, Study, method_keys
from hetsel.ground.errors import PlanError
from hetsel.shell.main import main
from hetsel.study.plan.plan_schema import plan_schema

PLAN = """
datasets = ["heart", {file = "own.csv", target = "y", nominal = ["a"], ordinal = {b = [1, 0]}}]
methods = ["rfe-mkl", {key = "rfe-svm", params = {C = 1}, label = "C one"}]
classifiers = ["5nn", {key = "random-forest", params = {trees = 20}}]
sizes = [1, 2]
[resamplings]
count = 3
test_share = 0.2
"""


@pytest.fixture(scope="module")
def validator():
    schema = plan_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


@pytest.fixture
def read(tmp_path):
    (tmp_path / "own.csv").write_text("a,b,y\n0,1,0\n1,0,1\n")

    def load(text):
        (tmp_path / "plan.toml").write_text(text)
        return Study.load(tmp_path / "plan.toml")

    return load


def test_the_plans_that_come_with_hetsel_are_valid(request, validator):
    plans = sorted((request.config.rootpath / "vignettes").glob("*.toml"))
    assert len(plans) >= 2
    for path in plans:
        validator.validate(tomllib.loads(path.read_text()))


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ('"heart", {', '{name = "heart"}, {'),
        ('target = "y"', 'target = "y", drop = "a", missing = "separate", header = true'),
        ('target = "y"', 'target = "y", separator = "\\t", decimal = ",", missing_marks = ["-"]'),
        ('target = "y"', 'target = "y", missing_marks = "unknown"'),
        ("[1, 2]", '"auto"'),
        ('["5nn",', '["clinical-svm", "naive-bayes",'),
        ("params = {C = 1}", "tune = {C = [0.1, 1], step = [1, 0.2]}"),
        ("test_share = 0.2", "train_count = 5\ntest_count = 3"),
        ("test_share = 0.2", "train_per_class = 5"),
        ('target = "y"', 'target = "y", split = {train_per_class = 5}, test_rows = "a"'),
        ('"random-forest", params = {trees = 20', '"linear-svm", params = {C = 2'),
        ('"random-forest", params = {trees = 20', '"gaussian-svm", params = {C = "radius"'),
        ('"random-forest", params = {trees = 20', '"sklearn.svm.SVC", params = {C = 2'),
        ('"5nn"', '"sklearn.svm.SVC"'),
        ('["5nn"', '[{key = "sklearn.svm.SVC", encoding = "whole"}'),
        ('target = "y"', 'target = "y", target_kind = "numbers"'),
        ('"random-forest", params = {trees = 20', '"ridge", params = {alpha = 2'),
        ("0.2", '0.2\nkind = "random"'),
        ('target = "y"', 'target = "y", row_groups = "a"'),
        ("count = 3\ntest_share = 0.2", 'count = 20\nkind = "k-fold"'),
        ("test_share = 0.2", 'kind = "k-fold"\nfolds = 3'),
        ('"heart", {', '"heart", {name = "q", treatment_of = "heart", scale = "quantile"}, {'),
        ('"heart", {', '"heart", {name = "o", treatment_of = "own", drop = "a", skip = 0}, {'),
        ('"heart", {', '{file = "own.csv", name = "o", target = "y", treatment_of = "own"}, {'),
    ],
)
def test_legal_plans_are_valid(validator, read, old, new):
    text = PLAN.replace(old, new, 1)
    assert (text == PLAN) == (not old)
    read(text)
    validator.validate(tomllib.loads(text))


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("datasets =", "dataset ="),
        ('"heart"', '"hart"'),
        ('"heart"', '{name = "hart"}'),
        ('target = "y", ', ""),
        ("nominal", "nominall"),
        ('target = "y"', 'target = "y", missing = "drop"'),
        ('target = "y"', 'target = "y", separator = ":"'),
        ('target = "y"', 'target = "y", missing_marks = [9]'),
        ('target = "y"', 'target = "y", drop = []'),
        ('"rfe-mkl"', '"rfe-mlk"'),
        ('key = "rfe-svm"', 'key = "rfe-smv"'),
        ("C = 1", "c = 1"),
        ("params = {C = 1}", "params = 3"),
        ("params = {C = 1}", 'encoding = "whole"'),
        ("params = {C = 1}", "tune = {C = []}"),
        ("params = {C = 1}", "tune = {C = 1}"),
        ("params = {C = 1}", "tune = {c = [1]}"),
        ('key = "rfe-svm", ', ""),
        ('"5nn"', '"6nn"'),
        ('["5nn"', '[{key = "5nn", encoding = "whole"}'),
        ('["5nn"', '[{key = "sklearn.svm.SVC", encoding = "hot"}'),
        ("trees = 20", "trees = 0"),
        ("trees = 20", "neighbors = 3"),
        ('"random-forest", params = {trees = 20', '"linear-svm", params = {C = "radios"'),
        ('"random-forest", params = {trees = 20', '"gaussian-svm", params = {gamma = 0'),
        ("[1, 2]", "[0]"),
        ("[1, 2]", "[]"),
        ("[1, 2]", '"all"'),
        ("count = 3", "count = 0"),
        ("count = 3", "number = 3"),
        ("0.2", "20"),
        ("0.2", "0.2\ntrain_count = 5"),
        ("test_share = 0.2", "train_count = 5\ntrain_per_class = 5"),
        ("test_share = 0.2", 'train_per_class = 5\nkind = "random"'),
        ('target = "y"', 'target = "y", split = {count = 5}'),
        ('target = "y"', 'target = "y", split = {test_share = 0.2, test_count = 5}'),
        ("0.2", '0.2\nkind = "randon"'),
        ('target = "y"', 'target = "y", row_groups = 1'),
        ("0.2", "0.2\nfolds = 3"),
        ("0.2", '0.2\nkind = "k-fold"\nfolds = 3'),
        ("test_share = 0.2", 'kind = "k-fold"\nfolds = 1'),
        ("test_share = 0.2", 'kind = "time-ordered"\ntrain_count = 3'),
        ("test_share = 0.2", 'kind = "time-ordered"\ntrain_per_class = 3'),
        ("sizes", "seed = -1\nsizes"),
        ("sizes", "name = ''\nsizes"),
        ('"heart", {', '"heart", {treatment_of = "heart", scale = "quantile"}, {'),
        ('"heart", {', '"heart", {name = "q", treatment_of = 1}, {'),
        ('"heart", {', '"heart", {name = "o", treatment_of = "own", target = "a"}, {'),
        ('"heart", {', '"heart", {name = "o", treatment_of = "own", split = {test_count = 1}}, {'),
    ],
)
def test_broken_plans_are_not(validator, read, old, new):
    text = PLAN.replace(old, new, 1)
    assert text != PLAN
    with pytest.raises(PlanError):
        read(text)
    assert not validator.is_valid(tomllib.loads(text))


def test_an_import_path_has_parameters_of_its_own(validator):
    def valid(text):
        return validator.is_valid(tomllib.loads(f'datasets = "heart"\nmethods = [{text}]'))

    svc = '{key = "sklearn.svm.SVC", params = {C = 2, base = {key = "a.B", params = {}}}}'
    rfe = 'key = "sklearn.feature_selection.RFE", params = {estimator = ESTIMATOR, step = 2}'
    assert valid(f'{{{rfe.replace("ESTIMATOR", svc)}, encoding = "one-hot"}}')
    assert not valid(f'{{{rfe.replace("ESTIMATOR", svc)}, encoding = "hot"}}')
    assert not valid(f"{{{rfe.replace('ESTIMATOR', svc.replace('a.B', 'B'))}}}")
    assert not valid(f"{{{rfe.replace('ESTIMATOR', svc.replace('C = 2, b', 'B'))}, parms = {{}}}}")


def test_the_shell_prints_it_with_every_method_and_its_parameters(capsys):
    assert main(["study", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema == json.loads(json.dumps(plan_schema()))
    assert schema["definitions"]["MethodKey"]["anyOf"][0]["enum"] == method_keys()
    assert "null" not in json.dumps(schema["definitions"]["DataSpec"])
    shapes = schema["definitions"]["MethodEntry"]["allOf"]
    params = next(
        shape["then"]["properties"]["params"]["properties"]
        for shape in shapes
        if shape["if"]["properties"]["key"].get("const") == "rfe-svm"
    )
    assert params["C"] == {"default": RFESVM().C}
    assert "random_state" not in params
