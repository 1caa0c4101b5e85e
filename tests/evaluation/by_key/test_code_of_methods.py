"""Code that is not hetsel's stands in keys: what changes a number makes another key, no more."""

import ast
import copy
import linecache
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.stats import loguniform
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_selection import RFE, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV

from hetsel.evaluation.by_key import code_of_modules
from hetsel.evaluation.by_key.code_of_methods import code_of
from hetsel.evaluation.by_key.import_paths import path_in_keys, path_of
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.engines import cell_queue
from hetsel.ground.errors import PlanError
from hetsel.ground.plan_entries import plain_parameter
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.cell import Recipe, identity_of_method
from hetsel.study.plan.plan import Plan

HEAD = """
import functools, threading
import numpy as np
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from hetsel import Ranking
from hetsel.selection import About, BaseSelector
"""
SELECTOR = """
class Sel(BaseSelector):
    about = About("own")
    sign: int = 1
    def _select(self, problem):
        return Ranking.from_importance({} * np.arange(float(problem.p)))
thing = Sel()
"""
FACTORY = """
def make(k, f=abs):
    class Sel(BaseSelector):
        about = About("own")
        def _select(self, problem):
            return Ranking.from_importance(f(k) * np.arange(float(problem.p)))
    return Sel()
def times(a, v):
    return a * v
"""
DECORATED = """
def scaled(f):
    @functools.wraps(f)
    def inner(p):
        return {} * f(p)
    return inner
@scaled
def h(p):
    return p
"""
JUDGE = """
class Judge(LogisticRegression):
    def fit(self, X, y):
        return super().fit(X, {})
"""
BASE = (
    SELECTOR.replace("Sel(", "Base(", 1).replace("Sel()", "0")
    + """
class Sel(Base):
    pass
thing = Sel()
"""
)


def session(text):
    """What a notebook knows as `thing` after this text: its module has no file."""
    module = ModuleType("a_session")
    sys.modules[module.__name__] = module
    name = f"<cell {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), module.__dict__)
    return module.thing


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of modules, which the test imports and which are forgotten."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture(autouse=True)
def no_session():
    yield
    sys.modules.pop("a_session", None)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (SELECTOR, "1", "-1"),
        ("S = {}\n" + SELECTOR.format("S"), "1", "-1"),
        ("S = np.ones(2) * {}\n" + SELECTOR.format("S[0]"), "1", "-1"),
        ("def h(p):\n    return {}\n" + SELECTOR.format("h(0)"), "1", "-1"),
        ("def h(p, s={}):\n    return s\n" + SELECTOR.format("h(0)"), "1", "-1"),
        ("def h(p, *, s={}):\n    return s\n" + SELECTOR.format("h(0)"), "1", "-1"),
        ("h = lambda p: {}\n" + SELECTOR.format("h(0)"), "1", "-1"),
        ("h = {{'a': [lambda p: {}]}}\n" + SELECTOR.format("h['a'][0](0)"), "1", "-1"),
        (DECORATED + SELECTOR.format("h(1)"), "1", "-1"),
        (FACTORY + "thing = make({})\n", "1", "-1"),
        (FACTORY + "thing = make(1, functools.partial(times, {}))\n", "1", "-1"),
        (SELECTOR.replace("sign: int = 1", "s = {}").replace("{} *", "self.s *"), "1", "-1"),
        (BASE, "1", "-1"),
        (JUDGE + "thing = Judge()\n", "y", "y[::-1]"),
        ("E = LogisticRegression(C={})\n" + SELECTOR.format("E.C"), "1", "2"),
        ("def score(X, y):\n    return {}\nthing = SelectKBest(score)\n", "1", "-1"),
    ],
)
def test_what_a_session_defines(text, first, second):
    known = code_of(session(HEAD + text.format(first)))
    assert known == code_of(session(HEAD + text.format(first)))
    assert known == code_of(session(HEAD + text.format(first) + "other = 3\n"))
    assert known.digest != code_of(session(HEAD + text.format(second))).digest
    assert known.digest
    assert known.unread == ()


def test_code_that_comes_as_text():
    def made(sign):
        module = ModuleType("a_session")
        sys.modules[module.__name__] = module
        exec(HEAD + SELECTOR.format(sign), module.__dict__)
        return module.thing

    assert code_of(made(1)).digest == code_of(made(1)).digest != code_of(made(-1)).digest


def test_values_that_cannot_be_told_are_named():
    text = HEAD + "lock = threading.Lock()\n" + SELECTOR.format("lock.locked()")
    found = code_of(session(text))
    assert found.unread == ("lock of Sel._select (lock)",)
    assert found.digest


FILES = {
    "pk/__init__.py": "",
    "pk/_a.py": HEAD + "from .b import sign\n" + SELECTOR.format("sign()"),
    "pk/b.py": "def sign():\n    from pk.c.d import S\n    return S\n",
    "pk/c/__init__.py": "",
    "pk/c/d.py": "import alone\nS = 1\n",
    "alone.py": "A = 1\n",
    "pk/other.py": "B = 1\n",
}


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_files_with_all_that_they_import(folder):
    write(folder, FILES)
    from pk._a import Sel

    code = code_of(Sel())
    names = ("pk", "pk._a", "pk.b", "pk.c", "pk.c.d", "alone")
    assert {n.name for n in code.facts if n.kind == "module"} == set(names)
    assert not {"pk.c.d", "alone"} & set(sys.modules)  # nothing is imported for it
    for name, text in FILES.items():
        write(folder, {name: text + "# another\n"})
        assert (code_of(Sel()).digest != code.digest) == (name != "pk/other.py"), name
        write(folder, {name: text.replace("\n", "\r\n")})  # of another machine
        assert code_of(Sel()) == code
        write(folder, {name: text})


def test_closures_and_bases_of_files(folder):
    write(
        folder,
        {"made.py": HEAD + FACTORY, "sub.py": "from pk._a import Sel\nclass Own(Sel): ...\n"},
    )
    write(folder, FILES)
    from made import make
    from sub import Own

    assert code_of(make(1)).digest == code_of(make(1)).digest != code_of(make(2)).digest
    before = code_of(Own())
    write(folder, {"pk/b.py": "def sign():\n    return 2\n"})
    assert code_of(Own()).digest != before.digest


DECORATORS = """
import functools
def plain(f):
    @functools.wraps(f)
    def inner(X, y):
        return f(X, y)
    return inner
class Kept:
    def __init__(self, f):
        self.times = 1
        functools.update_wrapper(self, f)
    def __call__(self, X, y):
        return self.times * self.__wrapped__(X, y)
"""
SCORED = """
import functools, numba
import decorators
@{}
def score(X, y):
    return 1 * X.sum(axis=0)
"""


@pytest.mark.parametrize(
    "decorator", ["decorators.plain", "decorators.Kept", "functools.cache", "numba.njit"]
)
def test_functions_that_decorators_made(folder, decorator):
    files = {"decorators.py": DECORATORS, "scored.py": SCORED.format(decorator)}
    write(folder, files)
    from scored import score

    known = code_of(SelectKBest(score))
    assert {"module 'scored'", "module 'decorators'"} <= set(known.facts)
    assert known == code_of(SelectKBest(score))
    for name, text in files.items():
        write(folder, {name: text.replace("1", "-1")})
        assert code_of(SelectKBest(score)).digest != known.digest
        write(folder, {name: text})


OBJECT = """
class Conf:
    def __init__(self, sign):
        self.sign = sign
    def __repr__(self):
        return "Conf"
    def signed(self, x):
        return self.sign * x
"""


TWO_OF_ONE = """
import functools
def by(change):
    def outer(f):
        @functools.wraps(f)
        def inner(X, y):
            return change(f(X, y))
        return inner
    return outer
def neg(f):
    @functools.wraps(f)
    def inner(X, y):
        return -f(X, y)
    return inner
def same(f):
    @functools.wraps(f)
    def inner(X, y):
        return f(X, y)
    return inner
def score(X, y):
    return X.sum(axis=0)
made = [neg(score), same(score), by(lambda v: v)(score), by(lambda v: -v)(score)]
class Kept:
    def __init__(self, sign):
        self.sign = sign
    def __call__(self, X, y):
        return self.sign * score(X, y)
    def __get__(self, held, kind):
        return self
"""


def test_functions_that_are_made_of_one_are_several(folder):
    write(folder, {"two.py": TWO_OF_ONE})
    import two

    made = [*two.made, two.Kept(1), two.Kept(-1)]
    digests = [code_of(SelectKBest(one)).digest for one in made]
    assert digests == [code_of(SelectKBest(one)).digest for one in made]
    assert len(set(digests)) == len(made)


@pytest.mark.parametrize(
    ("files", "body"),
    [
        ({"helpers.py": "S = 1\n"}, "    import helpers\n    return helpers.S\n"),
        ({"helpers.py": "S = 1\n"}, "    from helpers import S\n    return S\n"),
        ({"hs/h.py": "S = 1\n", "hs/__init__.py": ""}, "    from hs import h\n    return h.S\n"),
        ({"hs/h.py": "S = 1\n", "hs/__init__.py": ""}, "    return hs.h.S\n"),
    ],
)
def test_modules_that_functions_of_a_session_use(folder, files, body):
    write(folder, files)
    head = HEAD + ("import hs.h\n" if "hs.h" in body else "") + "def score(X, y):\n" + body
    thing = session(head + "thing = SelectKBest(score)\n")
    known = code_of(thing)
    assert known == code_of(thing)
    write(folder, {name: text.replace("1", "-1") for name, text in files.items()})
    assert code_of(thing).digest != known.digest


def test_what_copies_and_uses_add_to_a_class_is_not_its_code():
    thing = session(HEAD + JUDGE.format("y") + "thing = Judge()\n")
    known = code_of(thing)
    assert copy.copy(thing) is not thing  # which notes the names of slots in the class
    assert type(thing).__annotations__ == {}
    assert code_of(thing) == known


def test_a_factory_of_a_field_is_code():
    text = "import dataclasses\n@dataclasses.dataclass\nclass Conf:\n    s: list = {}\n"
    text += "def score(X, y):\n    return Conf().s\nthing = SelectKBest(score)\n"
    factory = "dataclasses.field(default_factory=lambda: [{}])"
    first, second = (code_of(session(HEAD + text.format(factory.format(k)))) for k in (1, -1))
    assert first.digest != second.digest


def test_tables_that_are_parameters(folder):
    write(folder, {"sel.py": HEAD + "class Sel(SelectKBest): ...\n"})
    from sel import Sel

    frame = pd.DataFrame({"a": np.arange(300.0)})
    other = frame.assign(a=frame["a"].replace(150.0, 0.0))
    kinds = (pd.DataFrame.copy, lambda table: table["a"], csr_array)
    for kind in kinds:
        digests = [code_of(Sel(k=kind(table))).digest for table in (frame, frame, other)]
        assert digests[0] == digests[1] != digests[2]


def test_parameters_that_are_drawn_or_sets_are_written_in_full():
    search = RandomizedSearchCV(LogisticRegression(), {"C": loguniform(0.01, 10.0)})
    assert "loguniform [0.01, 10.0]" in str(ClassifierSpec.of("", search).identity())
    assert plain_parameter({"b", "a"}) == "set [\"'a'\", \"'b'\"]"


def test_a_measure_inside_of_a_search_is_code(folder):
    write(folder, {"measured.py": "def share(y, found):\n    return 1 * (y == found).mean()\n"})
    from measured import share

    search = GridSearchCV(LogisticRegression(), {"C": [1]}, scoring={"share": make_scorer(share)})
    assert "module 'measured'" in code_of(search).facts
    assert code_of(GridSearchCV(LogisticRegression(), {}, scoring={"a": "f1"})).digest == ""


def test_a_file_that_falls_back_on_a_module_beside_it(folder):
    text = "try:\n    from .tools import S\n    from . import tools\nexcept ImportError:\n"
    files = {"alone.py": HEAD + text + "    from tools import S\n" + SELECTOR.format("S")}
    write(folder, files | {"tools.py": "S = 1\n"})
    from alone import Sel

    known = code_of(Sel())
    write(folder, {"tools.py": "S = -1\n"})
    assert code_of(Sel()).digest != known.digest


def test_objects_that_are_parameters(folder):
    write(folder, {"conf.py": OBJECT, "sel.py": HEAD + "class Sel(SelectKBest): ...\n"})
    from conf import Conf
    from sel import Sel

    known = code_of(Sel(k=Conf(1)))
    assert known == code_of(Sel(k=Conf(1)))
    assert known.digest != code_of(Sel(k=Conf(-1))).digest
    write(folder, {"conf.py": OBJECT.replace("*", "-")})
    assert known.digest != code_of(Sel(k=Conf(1))).digest


@pytest.mark.parametrize("given", ["Conf(1).signed", "Conf.made"])
def test_methods_of_objects_are_refused(folder, given):
    write(folder, {"conf.py": OBJECT + "    @classmethod\n    def made(cls, x): ...\n"})
    import conf

    with pytest.raises(PlanError, match="must be a function with an import path"):
        MethodSpec.of("methods", SelectKBest(eval(given, vars(conf))))


@pytest.mark.parametrize("given", [object(), np.random.RandomState(3), [object()]])
def test_parameters_whose_text_is_another_one_each_time_are_refused(given):
    with pytest.raises(PlanError, match="a study identifies cells by their written form"):
        MethodSpec.of("methods", RFE(LogisticRegression(random_state=given)))


def test_files_of_packages_run_before_their_modules(folder):
    init = "from pk import registry\n"
    files = {"pk/a.py": HEAD + "from pk import b\n" + SELECTOR.format("b.S"), "pk/b.py": "S = 2\n"}
    write(folder, files | {"pk/__init__.py": init, "pk/registry.py": "from pk import b\nb.S = 1\n"})
    from pk.a import Sel

    known = code_of(Sel())
    for name, text in (
        ("registry", "from pk import b\nb.S = -1\n"),
        ("__init__", init + "b = 1\n"),
    ):
        write(folder, {f"pk/{name}.py": text})
        assert code_of(Sel()).digest != known.digest
        known = code_of(Sel())


def test_an_own_file_with_the_name_of_a_module_of_python(folder):
    sys.modules.pop("this", None)  # Python's prints a poem
    write(folder, {"this.py": HEAD + SELECTOR.format("1")})
    from this import Sel

    known = code_of(Sel())
    assert "module 'this'" in known.facts
    write(folder, {"this.py": HEAD + SELECTOR.format("-1")})
    assert code_of(Sel()).digest != known.digest
    assert all(code_of_modules.is_known(name) for name in sys.stdlib_module_names - {"this"})


def test_an_installed_package_is_known_by_its_version(folder, monkeypatch):
    write(folder, {"site-packages/foreign.py": HEAD + SELECTOR.format(1)})
    monkeypatch.syspath_prepend(folder / "site-packages")
    from foreign import Sel

    def code_at(number):
        monkeypatch.setattr(code_of_modules, "version", lambda name: number)
        code_of_modules._version.cache_clear()
        return code_of(Sel())

    first = code_at("1.0")
    assert first.facts["package 'foreign'"] == "version 1.0"
    assert first.digest != code_at("1.1").digest
    write(folder, {"site-packages/foreign.py": "# compiled anew\n"})
    assert code_at("1.0") == first

    def unknown(name):
        if name == "foreign":
            raise PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(code_of_modules, "version", unknown)
    code_of_modules._version.cache_clear()
    assert "module 'foreign'" in code_of(Sel()).facts
    code_of_modules._version.cache_clear()


def test_keys_of_scikit_learn_are_what_they_were():
    judge = HistGradientBoostingClassifier()
    method, classifier = MethodSpec.of("", RFE(judge)).identity(), ClassifierSpec.of("", judge)
    path = "sklearn.ensemble.gradient_boosting.HistGradientBoostingClassifier"
    assert method["params"]["estimator"]["key"] == classifier.identity()[0] == path
    assert "code" not in method
    assert len(classifier.identity()) == 3
    assert path_of(type(judge)) == "sklearn.ensemble.HistGradientBoostingClassifier"
    assert path_in_keys(LogisticRegression) == "sklearn.linear_model.LogisticRegression"
    assert "code" not in MethodSpec.of("", "rfe-svm").identity()


def test_two_private_modules_are_two_methods(folder):
    best = "from sklearn.feature_selection import SelectKBest\nclass Best(SelectKBest): ...\n"
    write(folder, {"pk/__init__.py": "from ._b import Best\n", "pk/_a.py": best, "pk/_b.py": best})
    write(folder, {"_alone.py": best})
    from _alone import Best as Alone
    from pk._a import Best as A
    from pk._b import Best as B

    assert [path_of(kind) for kind in (Alone, A, B)] == ["_alone.Best", "pk._a.Best", "pk.Best"]
    specs = [MethodSpec.of("", kind(k=1)) for kind in (A, B)]
    first, second = map(identity_of_method, specs)
    assert first != second
    written = specs[1].to_dict()
    assert as_in("pk._b.Best", written) == as_in("pk.Best", written) == "pk.Best"
    assert as_in("pk._a.Best", written | {"key": "pk._b.Best"}) == "pk._a.Best"


def as_in(given, written):
    (spec,) = Plan(datasets="heart", methods=given, _imports=False).methods
    return spec.as_in(written)["key"]


def test_workers_elsewhere_need_the_code_of_judges_and_of_functions(folder):
    write(folder, FILES)
    write(folder, {"judged.py": HEAD + JUDGE.format("y")})
    write(folder, {"scored.py": "import alone\ndef score(X, y):\n    return X.sum(axis=0)\n"})
    from judged import Judge
    from scored import score

    judges = (ClassifierSpec.of("", Judge()),)
    recipe = Recipe(MethodSpec.of("", SelectKBest(score)), (1,), judges, Resamplings(2), 0)
    code = cell_queue.code_of_recipes([recipe])
    assert {"module 'judged'", "module 'scored'", "module 'alone'"} <= set(code)
    assert cell_queue.code_difference(code) == ""
    write(folder, {"alone.py": "A = 2\n"})
    assert cell_queue.code_difference(code).startswith("module 'alone': sha256 ")


def test_threads_parse_one_after_the_other_and_again_after_a_fault_of_python(monkeypatch):
    parse, inside, most, faults = ast.parse, [], [], iter([True, False, True, True, False])

    def told(source):
        inside.append(source)
        most.append(len(inside))
        time.sleep(0.001)
        inside.pop()
        if next(faults, False):  # python/cpython#106905
            raise SystemError("AST constructor recursion depth mismatch (before=171, after=96)")
        return parse(source)

    monkeypatch.setattr(ast, "parse", told)
    origin = Path(code_of_modules.__file__)
    with ThreadPoolExecutor(4) as pool:
        imported = list(
            pool.map(lambda _: list(code_of_modules._imported_by("one", origin)), range(8))
        )
    assert max(most) == 1
    assert all(names == imported[0] for names in imported)
    assert "ast" in imported[0]
