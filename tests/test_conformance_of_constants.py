"""Every method with every target: a column that tells nothing by construction comes last."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, told_frame

from hetsel import Ranking, get_method, method_keys

# what cannot have it, and why; the flaw is named in `about.flaws`, and shown in its own test
EXCEPTIONS = {
    "rfe-svm-printed": "as printed, J(f) is least where a column hardly moves the margin, and the "
    "elimination keeps these: another order would be another definition",
}
TAKEN = [
    pytest.param(key, target, id=f"{key}-{target}")
    for key in method_keys()
    for target in get_method(key).about.targets
    if key not in EXCEPTIONS
]
STILL = ["constant", "one level", "one number", "seen or missing"]  # the last two have gaps


def fitting(key, target):
    """A table whose first columns are constant, those that the method takes, and the target."""
    frame, y = mixed_frame(60, 4, 3) if target == "classes" else told_frame(target, 60, 4, 3)
    # exactly independent of two classes that alternate: as unimportant as a constant
    frame["even"] = np.tile([0.0, 0.0, 1.0, 1.0], 15)
    frame["even levels"] = pd.Categorical(np.tile(list("aabb"), 15))
    still = pd.DataFrame(
        {
            "constant": 1.0,
            "one level": pd.Categorical(["only"] * 60),
            "one number": np.where(np.arange(60) % 7 < 2, np.nan, 3.0),
            "seen or missing": pd.Categorical(["seen", None, "seen"] * 20),
        }
    )
    frame = pd.concat([still, frame], axis=1)
    nominal = frame.dtypes.map(lambda dtype: isinstance(dtype, pd.CategoricalDtype))
    takes = get_method(key).about.takes_for(target)
    return frame.loc[:, np.where(nominal, "nominal" in takes, "continuous" in takes)], y


def signatures(key, target, frame, y, **options):
    """Names of the features of each size that the answer has, and of the order if it is one."""
    method = get_method(key)
    kind = None if target == "classes" else target
    selector = method(**method.about.trial, target_kind=kind, **options).fit(frame, y)
    answer, names = selector.answer_, np.array(frame.columns)
    found = {size: names[answer.signature(size)].tolist() for size in answer.sizes}
    return found, names[answer.order].tolist() if isinstance(answer, Ranking) else None


@pytest.mark.slow
@pytest.mark.parametrize(("key", "target"), TAKEN)
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_no_signature_has_a_constant_column_while_another_one_is_left(key, target, missing):
    frame, y = fitting(key, target)
    # where a missing cell is a value of its own, a column with gaps has two values
    still = {*(STILL if missing == "impute" else STILL[:2])} & {*frame}
    told = frame.shape[1] - len(still)
    for size in (None, 1, 3, told):
        found, order = signatures(key, target, frame, y, missing=missing, size=size)
        assert size is None or size in found
        for count, names in found.items():
            assert len(still & {*names}) == max(0, count - told)
        if order is not None and len(order) == frame.shape[1]:
            assert {*order[told:]} == still


@pytest.mark.slow
@pytest.mark.parametrize(("key", "target"), TAKEN)
def test_a_constant_column_that_is_always_in_is_in_and_the_others_stay_last(key, target):
    frame, y = fitting(key, target)
    asked, *others = [name for name in STILL if name in frame]
    for size in (None, 3):
        found, order = signatures(key, target, frame, y, always=[asked], size=size)
        for count, names in found.items():
            assert asked in names
            assert count > frame.shape[1] - len(others) or not {*others} & {*names}
        assert order is None or order[0] == asked


def test_what_is_excepted_names_its_flaw():
    flawed = {key for key in method_keys() if "constant" in get_method(key).about.flaws}
    assert flawed == set(EXCEPTIONS)
