"""A function of R as a method, as Python sees it."""

import json

import pandas as pd
import pytest
from frames import mixed_frame
from study.studies import small_study

from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.ground.errors import TableError
from r_bridge.to_r import session
from r_bridge.to_r.r_function import RFunction

KEY = "r_bridge.to_r.r_function.RFunction"


def packed(source):
    """The bytes of a function, as text."""
    serialized = session.call(f"function() serialize({source}, NULL, version = 2)")
    return bytes(serialized).hex()


def version_of_r():
    return str(session.call("function() format(getRversion())")[0])


def test_a_plan_names_it_by_its_import_path_and_is_read_again():
    params = {"packed": packed("function(x, y, sizes) rev(names(x))"), "source": "rev(names(x))"}
    params["versions"] = {"R": version_of_r()}
    spec = MethodSpec.of("methods[0]", {"key": KEY, "params": params, "label": "reversed"})
    assert spec.selector is RFunction
    assert spec.label == "reversed"
    written = json.loads(json.dumps(spec.to_dict()))
    again = MethodSpec.of("the plan", {k: written[k] for k in ("key", "params", "label")})
    assert again.to_dict() == spec.to_dict()
    frame, y = mixed_frame(40, 2, 2)
    assert again.build().fit(frame, y).frame()["feature"].tolist() == frame.columns[::-1].tolist()


def test_an_import_path_is_the_method_itself_and_takes_no_encoding():
    with pytest.raises(ValueError, match="encoding needs a selector of scikit-learn"):
        MethodSpec.of("methods[0]", {"key": KEY, "encoding": "whole"})
    with pytest.raises(ValueError, match="packages"):
        MethodSpec.of("methods[0]", {"key": KEY, "params": {"packages": "MASS"}})


def test_without_a_function_it_says_where_one_comes_from():
    frame, y = mixed_frame(40, 2, 2)
    with pytest.raises(TableError, match=r"packed must be a function from hetsel_method\(\)"):
        RFunction().fit(frame, y)


def test_levels_are_written_as_r_writes_them_and_kinds_are_kept():
    told = "paste(class(v)[1], paste(levels(v), collapse = ' '))"
    source = f"function(x, y, sizes) stop(paste(sapply(x, function(v) {told}), collapse = '; '))"
    frame = pd.DataFrame(
        {
            "flag": [True, False, True, True] * 5,
            "code": [1.0, 2.5, 2.5, 1.0] * 5,
            "grade": pd.Categorical(["b", "a", "c", "a"] * 5, ["c", "b", "a"], ordered=True),
            "dose": range(20),
        }
    )
    selector = RFunction(packed=packed(source), nominal=["code"])
    with pytest.raises(session.RError) as caught:
        selector.fit(frame, [0, 1] * 10)
    assert str(caught.value) == "factor FALSE TRUE; factor 1 2.5; ordered c b a; numeric"


def test_warnings_and_output_of_the_function_are_kept_apart(tmp_path, capfd):
    source = "function(x, y, sizes) { print(1); message(2); warning('odd'); names(x) }"
    frame, y = mixed_frame(60, 3, 1)
    method = {"key": KEY, "params": {"packed": packed(source)}, "label": "loud"}
    data = {"name": "mixed", "X": frame, "y": y}
    found = small_study(datasets=data, methods=[method]).run(
        str(tmp_path / "loud.sqlite"), n_jobs=1, progress=False
    )
    assert found.failures().empty
    assert found.warnings()["warning"].tolist() == ["RWarning: odd"]
    assert "1\n" not in capfd.readouterr().out
