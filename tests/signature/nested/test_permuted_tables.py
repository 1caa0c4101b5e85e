from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from hetsel import Signature, get_method
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.ground.errors import TableError
from hetsel.signature.nested.against_chance import ends_of_drawing
from hetsel.signature.nested.permuted_tables import ChanceDrawing, DrawnTables
from hetsel.statistics.permutation_p_values import stopped_pvalue


def test_labels_that_are_the_table_s_own_reach_it():
    groups = np.arange(6).repeat(4)
    y = (groups > 2).astype(int)
    X = pd.DataFrame({"x": y + 0.1 * np.random.default_rng(0).normal(size=24)})
    options = {"size": 1, "repeats": 1, "folds": 3, "pairs": 0}
    one = Signature("anova-f", **options, permutations=299).fit(X, y, groups=groups)
    # three groups of six, or the other three: 2 of 20 arrangements are the table's own
    own = {(0, 1, 2), (3, 4, 5)}
    share = np.mean([tuple(sorted(order[:3])) in own for order in permutations(range(6))])
    reached = int((one.permutation_test_.permuted == one.permutation_test_.statistic).sum())
    assert share == pytest.approx(0.1)
    assert abs(reached - 299 * share) < 3 * np.sqrt(299 * share * (1 - share))
    assert one.permutation_test_.pvalue >= (1 + reached) / 300
    assert Signature("anova-f", **options).fit(X, y, groups=groups).permutation_test_.pvalue > 0.05


def test_where_more_draws_of_the_table_turn_a_comparison_drawing_ends_where_it_would_have(
    monkeypatch,
):
    means = dict.fromkeys(range(1, 500), 0.5) | {40: 0.65, 75: 0.6}

    def areas(self, data, table, first, end):
        for fold in range(first, end):
            mean = means.get(table, 0.6 if fold < 8 else 0.8)  # table 0 is worth .75 in the end
            yield np.array([mean + (0.02 if fold % 2 else -0.02)])

    monkeypatch.setattr(DrawnTables, "_areas", areas)
    monkeypatch.setattr(DrawnTables, "_same", lambda self, data, table: False)
    data = SimpleNamespace(target=SimpleNamespace(kind="classes"))
    method = MethodSpec(get_method("anova-f"), {}, "anova-f")
    drawing = ChanceDrawing(DrawnTables(method, (1,), (), folds=2, seed=0), None)
    turn, computed = drawing.first(), set()
    while turn is not None:
        computed |= {table for table, _, _ in turn.work}
        drawing.learn(turn, {k: turn.run(data, k, str(k)) for k in range(len(turn))})
        turn = drawing.more()
    found = drawing.found()
    assert max(computed) == 79  # at 69 table 40 had reached the first draws of table 0
    assert (len(found.permuted), found.draws) == (69, 16)
    assert not (found.permuted >= found.statistic).any()
    assert found.pvalue == pytest.approx(1 / 70)


def test_an_end_that_drawing_does_not_reach_has_no_p_value():
    with pytest.raises(TableError, match="does not end with 0 exceedances of 79"):
        stopped_pvalue(0, 79, ends=ends_of_drawing())
