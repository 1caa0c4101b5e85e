"""The page of a signature: what it says first, and that nothing is loaded or left open."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, told_frame
from msgspec import convert
from msgspec.structs import replace
from report.page_texts import signature_page
from report.pages.test_study_page import Page

from hetsel import Signature, load_signature, survival, write_signature_report
from hetsel.ground.sealed_json import plain_values
from hetsel.report.signature_sections.full_model import _formula
from hetsel.signature.signature_facts import NOT_SHOWN, SignatureFacts

QUICK = {"method": "rfe-svm", "folds": 3, "repeats": 1, "permutations": 39, "pairs": 5}


def facts_of(frame, y, **options):
    return Signature(**{**QUICK, **options}).fit(frame, y).facts()


def as_in_a_file(facts):
    return convert(json.loads(json.dumps(plain_values(facts))), SignatureFacts)


@pytest.fixture(scope="module")
def facts():
    frame, y = mixed_frame(80, 3, 2, seed=4, missing=0.05)
    return facts_of(frame, np.where(y == 1, "yes", "no"), missing="separate", size=3)


@pytest.fixture(scope="module")
def page(facts):
    return Page(signature_page(facts))


@pytest.mark.slow
def test_nothing_is_loaded_and_links_lead_somewhere(page):
    assert page.loads == []
    assert set(page.links) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


@pytest.mark.slow
def test_the_verdict_comes_before_the_features(facts, page):
    text = " ".join(page.words)
    assert text.index("Better than chance") < text.index(facts.features[0].feature)
    rate = f"{facts.performance['bcr'].estimate:.3f}"
    assert rate in text


@pytest.mark.slow
def test_noise_is_not_shown_to_be_more_and_what_is_still_possible_is_said_with_it(page):
    draw = np.random.default_rng(4)
    noise = pd.DataFrame(draw.normal(size=(60, 4)))
    found = facts_of(noise, draw.permutation(np.repeat(["a", "b"], 30)))
    text = " ".join(Page(signature_page(found)).words)
    assert NOT_SHOWN[1:] in text
    assert f"{found.performance.main.high:.3f}" in text[: text.index("due to chance")]
    assert "say nothing" not in text  # not rejecting is no proof
    assert "due to chance" not in " ".join(page.words)


@pytest.mark.slow
def test_no_zero_is_negative(facts):
    """What rounds to 0 from below has no sign."""
    before, small = plain_values(facts), -1e-5
    for one in before["effects"]:
        one |= {"effect_low": small, "effect_high": small}
    before["performance"]["training_gain"] = small
    (of_class,) = before["probabilities"]["classes"]
    of_class["intercept"] |= {"estimate": small, "low": small}
    for at in of_class["at"]:
        at["over_better"] |= {"estimate": small, "low": small, "high": small}
        at["net_benefit"]["estimate"] = small
    text = " ".join(Page(signature_page(convert(before, SignatureFacts))).words)
    assert "+0.00" in text
    assert re.findall(r"[-−]0(?:\.0*)?(?![.\d])", text) == []


@pytest.mark.slow
def test_an_intercept_of_rounding_alone_is_zero(facts):
    assert "f = 0 + " in next(_formula(replace(facts, intercept=[-4.4e-14])))
    assert "f = -0.044 + " in next(_formula(replace(facts, intercept=[-0.044])))


def test_the_likeliest_slope_stands_below_firths(facts):
    (of_class,) = facts.probabilities.classes
    for value, words in ((1.25, "slope is 1.250."), (None, "slope is unbounded.")):
        changed = [replace(of_class, likelihood_slope=value)]
        told = replace(facts, probabilities=replace(facts.probabilities, classes=changed))
        text = " ".join(Page(signature_page(told)).words)
        assert f"{of_class.slope.estimate:.3f}" in text
        assert words in text


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kinds", [(3, 0), (0, 3)])
def test_every_kind_of_table_has_a_page(classes, kinds):
    frame, y = mixed_frame(75, *kinds, seed=2, classes=classes)
    found = facts_of(frame, y, permutations=0)
    page = signature_page(found)
    assert page == signature_page(as_in_a_file(found))  # the facts of a file as well
    assert page.count("<svg") == 5


def test_too_few_rows_have_a_page_without_a_performance():
    frame, y = mixed_frame(40, 3, 2, seed=2)
    rows = np.concatenate([np.flatnonzero(y == 1)[:2], np.flatnonzero(y == 0)])
    text = " ".join(Page(signature_page(facts_of(frame.iloc[rows], y[rows], size=2))).words)
    assert "Too few rows of class 1" in text
    assert "balanced accuracy" not in text


@pytest.mark.slow
def test_names_are_text_and_never_markup(tmp_path):
    frame, y = mixed_frame(80, 2, 1, seed=4)
    frame = frame.rename(columns={"c0": "<script>alert(1)</script>", "n0": "$\\frac$ & co"})
    found = Signature(**{**QUICK, "size": 2}).fit(frame, np.where(y == 1, "<b>", "a&b"))
    path = write_signature_report(found, tmp_path / "page.html", title="<i>x</i>")
    text = path.read_text()
    assert "<script" not in text
    assert "<i>x" not in text
    found.save(tmp_path / "a.json")
    write_signature_report(load_signature(tmp_path / "a.json"), path, title="<i>x</i>")
    assert path.read_text() == text
    with pytest.raises(ValueError, match="folder"):
        write_signature_report(found, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["numbers", "survival"])
def test_large_and_small_units_are_printed_without_exponents(target):
    frame, y = told_frame(target, 80, 3, 2, seed=1)
    frame["c0"] = 100_000 * (5 + frame["c0"])
    frame["c1"] = 1e-5 * (5 + frame["c1"])
    frame["c2"] = np.where(frame["c2"] > 0, 250_000.0, 1e-5)
    y = 1000 * y if target == "numbers" else survival(1e5 * y["time"], y["event"])
    found = facts_of(frame, y, target_kind=target, always=["c0", "c1", "c2"])
    text = " ".join(Page(signature_page(found)).words)
    assert re.findall(r"\d[.\d]*e[-+]?\d+", text) == []
    assert re.search(r"[1-9]\d\d,\d{3}", text)
    assert re.search(r"0\.0000\d+", text)
