"""What the paragraph of methods says of a test against chance, by how its drawing ended."""

import pytest
from frames import mixed_frame
from msgspec.structs import replace

from hetsel import Signature
from hetsel.words.methods_section import methods_paragraphs, write_paragraph


@pytest.fixture(scope="module")
def facts():
    frame, y = mixed_frame(60, 2, 1, seed=1)
    return Signature("hsic", 2, folds=3, repeats=1, permutations=39, pairs=0).fit(frame, y).facts()


def said(facts, **changed):
    told = methods_paragraphs(
        replace(facts, permutation_test=replace(facts.permutation_test, **changed))
    )
    return " ".join(write_paragraph(sentences) for _, sentences in told)


def test_all_that_were_asked_for(facts):
    text = said(facts, pvalue=0.05, standard_error=0.03)
    assert "p = 0.05 (standard error 0.03)" in text
    assert "stopped" not in text


@pytest.mark.parametrize(("settled", "ended"), [(True, "stopped"), (False, "maximum")])
def test_an_early_end_and_the_last_look(facts, settled, ended):
    text = said(facts, full=False, settled=settled, pvalue=0.03, standard_error=None)
    sentence = text.split("one-sided")[1].split(" (Besag")[0]
    assert ended in sentence
    assert "p = 0.03" in sentence
    assert "standard error" not in sentence


@pytest.mark.parametrize("full", [True, False])
def test_p_of_several_methods_is_a_multiple(facts, full):
    assert "multiplied by 2" in said(facts, full=full, tried=2, standard_error=0.03)
    assert "multiplied" not in said(facts, full=full, standard_error=0.03)
