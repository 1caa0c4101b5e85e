"""Options of a search: each is kept, or refused in an error that names it."""

import numpy as np
import pandas as pd
import pytest
from search.subsets.test_subset_selector import mixed_frame

from hetsel import SubsetSearch, get_method
from hetsel.ground.errors import HetselError
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate

FRAME, Y = mixed_frame(40, 3, 2)
QUICK = {"criterion": "mutual-information"}
SEARCHES = ("bif", "sfs", "sbs", "sffs", "sbfs", "os", "dos", "exhaustive")


def searched(frame=FRAME, **options):
    return SubsetSearch(**{**QUICK, **options}).fit(frame, Y)


@pytest.mark.parametrize("search", [*SEARCHES, "branch-and-bound"])
def test_what_is_always_in_is_a_subset_of_its_size(search):
    found = searched(search=search, size=1, always=["c1"])
    assert found.get_feature_names_out().tolist() == ["c1"]
    assert np.isfinite(found.answer_.score(1))
    criterion = SubsetSearch(**QUICK, search="exhaustive", size=1).fit(FRAME, Y).answer_
    assert found.answer_.score(1) == criterion.evaluated[(1,)]


@pytest.mark.parametrize("search", ["sfs", "sffs", "os", "dos", "sbs", "sbfs"])
def test_a_count_without_room_takes_one_at_a_time(search):
    found = searched(search=search, size=2, count=3)
    assert len(found.signature()) == 2
    costs = {name: 1.0 for name in FRAME.columns}
    if search in ("sfs", "sffs", "dos"):
        cheap = searched(search=search, count=3, costs=costs, budget=2.0)
        assert 1 <= len(cheap.signature()) <= 2


@pytest.mark.parametrize("search", ["bif", "sfs", "sffs", "dos", "exhaustive"])
def test_a_budget_holds_for_every_subset_of_the_path(search):
    costs = dict(zip(FRAME.columns, [3.0, 1.0, 1.0, 0.5, 2.0], strict=True))
    found = searched(search=search, costs=costs, budget=2.5)
    for size in found.answer_.sizes:
        names = FRAME.columns[found.signature(size)]
        assert sum(costs[name] for name in names) <= 2.5, names


@pytest.mark.parametrize(
    ("option", "options"),
    [
        ("count", {"count": 6}),
        ("count", {"count": 3, "never": ["c0", "c1", "n0"]}),
        ("count", {"count": 2, "search": "bif"}),
        ("depth", {"depth": 2, "search": "sfs"}),
        ("early_stopping", {"early_stopping": True, "search": "sffs"}),
        ("early_stopping", {"early_stopping": True, "search": "sfs", "size": 2}),
        ("early_stopping", {"early_stopping": "yes", "search": "sfs"}),
        ("n_jobs", {"n_jobs": 0, "criterion": "5nn"}),
        ("n_jobs", {"n_jobs": "x", "criterion": "5nn"}),
        ("n_jobs", {"n_jobs": True, "criterion": "5nn"}),
        ("n_jobs", {"criterion": NeighborsRate(3, n_jobs=0)}),
        ("secondary", {"secondary": len}),
        ("secondary", {"secondary": 3, "ties": 0.1}),
        ("secondary", {"secondary": lambda subset: "x", "ties": 0.1}),
        ("column_groups", {"column_groups": [[]]}),
        ("column_groups", {"column_groups": [["c0"], []]}),
        ("voting", {"voting": "order"}),
        ("voting", {"voting": "order", "criterion": ["3nn"]}),
        ("voting", {"voting": "order", "criterion": "1nn,3nn", "search": "exhaustive"}),
        ("costs", {"costs": {"c0": "x"}, "budget": 1.0}),
        ("costs", {"costs": {"c0": float("nan")}, "budget": 1.0}),
        ("costs", {"costs": [1.0, 1.0, 1.0, 1.0, None], "ties": 0.1}),
        ("costs", {"costs": {"c0": 1.0}}),
        ("prefilter", {"prefilter": "nonsense", "hybrid": 0.5}),
        ("prefilter", {"prefilter": "hsic"}),
        ("hybrid", {"hybrid": 1.5}),
        ("hybrid", {"hybrid": 0.5, "search": "bif"}),
        ("ties", {"ties": 1.5}),
        ("ties", {"ties": "x"}),
        ("always", {"always": ["c0", "c0"]}),
        ("size", {"size": 1, "column_groups": [["c0", "c1"]], "never": ["c2", "n0", "n1"]}),
        ("max_evaluations", {"max_evaluations": 1}),
        ("random_state", {"random_state": "x"}),
    ],
)
def test_an_option_that_cannot_be_kept_is_named(option, options):
    with pytest.raises(HetselError, match=rf"\b{option}\b"):
        searched(**options)


@pytest.mark.parametrize("jobs", [0, "x", 1.5, True])
def test_no_number_of_jobs_is_refused_by_all_that_take_one(jobs):
    for method in (get_method("random-forest")(n_jobs=jobs), get_method("sfs-5nn")(n_jobs=jobs)):
        with pytest.raises(HetselError, match="n_jobs must be a whole number"):
            method.fit(FRAME, Y)


def test_one_feature_alone_is_found_whatever_the_count():
    alone = pd.DataFrame({"age": FRAME["c0"]})
    assert searched(alone, search="dos").signature().tolist() == [0]
    with pytest.raises(HetselError, match=r"count must be in 1\.\.1 "):
        searched(alone, count=3)
