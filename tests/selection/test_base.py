"""The selector, by selectors of a few lines: from a table and a target to an answer."""

import pickle

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, same
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from hetsel import ClinicalSVC, Ranking, Schema, SearchPath, Table
from hetsel.ground.errors import TableError
from hetsel.selection import About, BaseSelector, Problem, UnivariateFilter
from hetsel.selection.about import KINDS
from hetsel.tables import Classes, Numbers


class Pairs(BaseSelector):
    """The last columns of each size up to `most`; sizes near `best` score best."""

    best: int = 2
    most: int = 3

    about = About("the last columns")

    def _select(self, problem):
        sizes = range(1, min(self.most, problem.p) + 1)
        subsets = {size: np.arange(problem.p - size, problem.p) for size in sizes}
        return SearchPath(problem.p, subsets, {size: -abs(size - self.best) for size in sizes})


class Head(BaseSelector):
    """The first two columns, no more."""

    about = About("the first columns")

    def _select(self, problem):
        order = np.arange(min(2, problem.p))
        return Ranking(order, np.isin(np.arange(problem.p), order) * 1.0)


class Spread(UnivariateFilter):
    """Numbers by their spread."""

    about = About("spread of numbers", takes=("continuous",))

    def _score(self, problem):
        return problem.table.values.std(axis=0)


FRAME, Y = mixed_frame(40, 3, 2)  # c0, c1, c2, n0, n1


def test_fit_on_a_search_path_takes_the_best_size():
    selector = Pairs().fit(FRAME, Y)
    assert isinstance(selector.answer_, SearchPath)
    assert selector.size_ == 2
    assert not hasattr(selector, "ranking_")
    assert not hasattr(selector, "importances_")
    assert selector.get_support().tolist() == [False, False, False, True, True]
    assert selector.get_support(indices=True).tolist() == [3, 4]
    assert selector.get_feature_names_out().tolist() == ["n0", "n1"]
    assert selector.signature().tolist() == [3, 4]
    assert selector.signature(3).tolist() == [2, 3, 4]
    assert selector.transform(FRAME).columns.tolist() == ["n0", "n1"]
    assert Pairs(best=3).fit(FRAME, Y).size_ == 3
    assert Pairs(size=1).fit(FRAME, Y).signature().tolist() == [4]


def test_a_size_that_the_path_lacks_is_refused_where_it_is_asked_for():
    selector = Pairs(size=4).fit(FRAME, Y)
    for ask in (selector.signature, selector.get_support, lambda: selector.transform(FRAME)):
        with pytest.raises(ValueError, match="1, 2, 3. Got 4"):
            ask()
    assert selector.signature(2).tolist() == [3, 4]


def test_the_frame_of_a_path_has_a_row_a_size():
    frame = Pairs().fit(FRAME, Y).frame()
    assert frame.columns.tolist() == ["size", "score", "features"]
    assert frame["size"].tolist() == [1, 2, 3]
    assert frame["score"].tolist() == [-1.0, 0.0, -1.0]
    assert frame["features"].tolist() == [["n1"], ["n0", "n1"], ["c2", "n0", "n1"]]


def test_the_frame_of_a_part_has_the_ranked_features_only():
    selector = Head().fit(FRAME, Y)
    assert selector.ranking_.tolist() == [1, 2, 3, 3, 3]
    frame = selector.frame()
    assert frame.columns.tolist() == ["rank", "feature", "kind", "importance"]
    assert frame["feature"].tolist() == ["c0", "c1"]
    assert frame["rank"].tolist() == [1, 2]


def test_half_of_the_features_unless_told():
    assert Spread().fit(FRAME[["c0", "c1", "c2"]], Y).size_ == 1
    assert Spread().fit(FRAME[["c0"]], Y).size_ == 1
    assert Spread(size=2).fit(FRAME[["c0", "c1", "c2"]], Y).size_ == 2


@pytest.mark.parametrize("selector", [Pairs(best=3), Head(), Pairs(size=1)], ids=repr)
def test_it_travels_and_is_cloned(selector):
    fitted = clone(selector).fit(FRAME, Y)
    back = pickle.loads(pickle.dumps(fitted))
    same(back.get_support(), fitted.get_support())
    pd.testing.assert_frame_equal(back.frame(), fitted.frame())
    pd.testing.assert_frame_equal(back.transform(FRAME), fitted.transform(FRAME))
    fresh = clone(fitted)
    assert fresh.get_params() == selector.get_params()
    with pytest.raises(NotFittedError):
        fresh.get_support()


def test_set_output_and_whole_columns():
    selector = Pairs().fit(FRAME, Y)
    assert selector.transform(FRAME).dtypes.tolist() == FRAME[["n0", "n1"]].dtypes.tolist()
    numbers = FRAME[["c0", "c1", "c2"]]
    plain = Pairs().fit(numbers.to_numpy(), Y)
    assert isinstance(plain.transform(numbers.to_numpy()), np.ndarray)
    framed = plain.set_output(transform="pandas").transform(numbers.to_numpy())
    assert framed.columns.tolist() == ["x1", "x2"]
    same(framed.to_numpy(), numbers.to_numpy()[:, 1:])


def test_a_table_is_taken_as_it_is_and_stays_one():
    table = Schema.infer(FRAME).encode(FRAME)
    selector, by_frame = Pairs().fit(table, Y), Pairs().fit(FRAME, Y)
    assert selector.schema_ is table.schema
    assert selector.n_features_in_ == 5
    same(selector.get_support(), by_frame.get_support())
    part = selector.transform(table)
    assert part.names == ["n0", "n1"]
    same(part.values, table.values[:, 3:])
    pd.testing.assert_frame_equal(selector.transform(FRAME), by_frame.transform(FRAME))
    assert by_frame.transform(table).names == ["n0", "n1"]


def test_in_a_pipeline_the_size_of_a_path_is_searched():
    pipeline = make_pipeline(Pairs(), ClinicalSVC())
    search = GridSearchCV(pipeline, {"pairs__size": [1, 2, 3]}, cv=2).fit(FRAME, Y)
    sizes = [params["pairs__size"] for params in search.cv_results_["params"]]
    assert sizes == [1, 2, 3]
    assert search.best_estimator_[0].size_ in sizes


def test_a_filter_is_its_score():
    numbers = FRAME[["c1", "c0", "c2"]]
    selector = Spread(size=1).fit(numbers, Y)
    spread = numbers.std(ddof=0)
    np.testing.assert_allclose(selector.importances_, spread)
    assert selector.frame()["feature"].tolist() == spread.sort_values().index[::-1].tolist()
    with pytest.raises(TableError, match="spread of numbers.*nominal columns: n0, n1"):
        Spread().fit(FRAME, Y)


@pytest.mark.parametrize("selector", [Pairs(), Spread()], ids=repr)
def test_scikit_learn_takes_any_of_them(selector):
    results = check_estimator(selector, on_skip=None)
    assert {r["status"] for r in results} <= {"passed", "skipped"}
    assert sum(r["status"] == "passed" for r in results) >= 40


def test_annotated_names_are_keyword_parameters():
    assert {"best": 2, "most": 3}.items() <= Pairs().get_params().items()
    assert Pairs(4).size == 4  # the size alone may come without its name
    with pytest.raises(TypeError):
        Pairs(4, 2)
    assert repr(Pairs(best=1)) == "Pairs(best=1)"


def test_solve_answers_and_fits_nothing():
    table = Schema.infer(FRAME).encode(FRAME)
    selector = Pairs()
    answer = selector.solve(Problem(table, Classes.of(Y), (1, 3)))
    assert answer.best_size == 2
    assert vars(selector) == selector.get_params()


WRONG = {
    "nothing": (None, TypeError, "Ranking or a SearchPath. Got None"),
    "an array": (np.arange(5), TypeError, "Ranking or a SearchPath"),
    "a feature twice": (Ranking(np.array([1, 1]), np.zeros(5)), ValueError, "each once"),
    "of another table": (SearchPath(4, {1: np.array([0])}), ValueError, "5 features"),
}


@pytest.mark.parametrize(("answer", "kind", "fact"), WRONG.values(), ids=WRONG)
def test_an_impossible_answer_is_refused(answer, kind, fact):
    class Wrong(BaseSelector):
        def _select(self, problem):
            return answer

    with pytest.raises(kind, match=fact):
        Wrong().fit(FRAME, Y)


@pytest.mark.parametrize("base", [BaseSelector, UnivariateFilter])
def test_a_base_is_no_method(base):
    with pytest.raises(TypeError, match=base.__name__):
        base().fit(FRAME, Y)


def test_the_seed_of_a_problem_follows_from_random_state():
    class Seeded(BaseSelector):
        def _select(self, problem):
            return Ranking.from_importance(np.full(problem.p, float(problem.seed)))

    def seed(**options):
        return Seeded(**options).fit(FRAME, Y).importances_[0]

    assert seed() == seed() == seed(random_state=0)
    assert seed(random_state=1) != seed()
    assert seed(random_state=np.random.RandomState(1)) == seed(random_state=1)
    state = np.random.RandomState(1)
    assert seed(random_state=state) != seed(random_state=state)
    with pytest.raises(TableError, match="0 to 4294967295.* Got 5000000000"):
        seed(random_state=5_000_000_000)


def test_an_importance_that_is_no_number_is_refused_by_name_and_one_beyond_the_order_is_not():
    class Told(BaseSelector):
        order: tuple = (0, 1, 2)

        about = About("told what to say")

        def _select(self, problem):
            return Ranking(np.array(self.order), np.array([1.0, np.nan, np.inf]))

    frame, y = mixed_frame(20, 3, 0)
    assert Told(order=(2, 0)).fit(frame, y).ranking_.tolist() == [2, 3, 1]
    with pytest.raises(
        TableError, match=r"told what to say: importances must be numbers .* NaN for c1"
    ):
        Told().fit(frame, y)


def test_the_inverse_keeps_missing_cells_and_text():
    frame, y = mixed_frame(30, 3, 2, missing=0.2)
    selector = Pairs(size=2).fit(frame, y)
    back = selector.inverse_transform(selector.transform(frame))
    assert back.shape == frame.shape
    chosen = selector.get_support()
    assert (pd.isna(back[:, chosen]) == frame.loc[:, chosen].isna().to_numpy()).all()
    assert (back[:, ~chosen] == 0).all()
    numbers = np.arange(90.0).reshape(30, 3)
    numbers[numbers % 7 == 0] = np.nan
    selector = Pairs(size=2).fit(numbers, y)
    same = selector.inverse_transform(selector.transform(numbers))
    np.testing.assert_array_equal(same[:, selector.get_support()], selector.transform(numbers))
    with pytest.raises(ValueError, match="2 selected columns. Got 3"):
        selector.inverse_transform(numbers)


class Slopes(UnivariateFilter):
    """Numbers by how far they go with a target of numbers."""

    about = About("slopes", takes=("continuous",), targets=("numbers",), takes_otherwise=KINDS)

    def _score(self, problem):
        return np.abs(problem.table.values.T @ (problem.numbers.values - problem.n))


DOSE = pd.Series(np.linspace(0.25, 9.5, 40), name="dose")


def test_a_kind_of_target_that_a_method_does_not_take_is_refused_by_name():
    with pytest.raises(TableError) as caught:
        Spread().fit(FRAME[["c0"]], DOSE)
    facts = ("spread of numbers needs classes", "Got numbers: 40 different values in 'dose'")
    for fact in (*facts, "Cut the numbers into classes, or use"):
        assert fact in str(caught.value)
    with pytest.raises(TableError, match=r"needs numbers as its target. Got classes: 0, 1\. Use "):
        Slopes().fit(FRAME[["c0"]], Y)
    with pytest.raises(TypeError, match="must hold classes. Got numbers"):
        Problem(Table.read(FRAME), Numbers.of(DOSE), ()).classes  # noqa: B018
    with pytest.raises(TypeError, match="must hold numbers. Got classes"):
        Problem(Table.read(FRAME), Classes.of(Y), ()).numbers  # noqa: B018


def test_a_target_of_numbers_reaches_the_method_as_it_is():
    selector = Slopes().fit(FRAME[["c0", "n0"]], DOSE)
    assert not hasattr(selector, "classes_")
    assert sorted(selector.ranking_) == [1, 2]  # other kinds of columns than for classes
    whole = np.arange(40)
    with pytest.raises(TableError, match="looks continuous"):
        Slopes().fit(FRAME[["c0"]], whole)
    said = Slopes(target_kind="numbers").fit(FRAME[["c0"]], whole)
    same(said.importances_, Slopes().fit(FRAME[["c0"]], Numbers(whole)).importances_)
