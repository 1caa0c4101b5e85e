"""What users get where an option or a table cannot be used: one family of errors."""

import ast
from pathlib import Path

import pytest

from hetsel.ground.errors import HetselError
from hetsel.methods.registry import get_method
from hetsel.statistics.comparisons.friedman import friedman

ROOT = Path(__file__).parent.parent
# a function that may raise a bare ValueError, and why
BARE = {
    ("hetsel/ground/sealed_json.py", "_refuse"): "caught where the file is read",
    ("hetsel/ground/sealed_json.py", "_within_floats"): "caught where the file is read",
    ("hetsel/methods/__init__.py", "_method_in"): "a file of a method without a method",
    ("hetsel/selection/answer.py", "check"): "an answer that a method got wrong, not its user",
    ("hetsel/selection/about.py", "terms"): "a formula that a method got wrong, not its user",
    ("hetsel/shell/machine_checks.py", "_probe_r"): "caught two lines below",
}


def bare(path):
    """Functions of a file that raise a bare ValueError, with the lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Raise) and _name(node.exc) == "ValueError":
                    yield function.name, node.lineno


def _name(raised):
    called = raised.func if isinstance(raised, ast.Call) else raised
    return getattr(called, "id", None)


@pytest.mark.slow
def test_no_bare_value_error_reaches_a_user():
    found = {}
    for path in sorted([*ROOT.glob("hetsel/**/*.py"), *ROOT.glob("r_bridge/**/*.py")]):
        for function, line in bare(path):
            found.setdefault((path.relative_to(ROOT).as_posix(), function), []).append(line)
    new = {place: lines for place, lines in found.items() if place not in BARE}
    assert not new, f"raise a TableError (or another HetselError) at {new}"
    assert set(BARE) == set(found), "an exception that is no more"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: get_method("svm"),
        lambda: friedman([[1.0, 2.0]], names=["a"]),
        lambda: get_method("rfe-svm")(step=7.5).fit([[0.0], [1.0]] * 4, [0, 1] * 4),
    ],
)
def test_a_wrong_option_is_a_hetsel_error_and_so_a_value_error(wrong):
    with pytest.raises(HetselError):
        wrong()
