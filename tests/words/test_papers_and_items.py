"""References that a methods section cites, and the items of the checklist."""

import re
from urllib.parse import unquote

import pytest

from hetsel.methods.registry import get_method, method_keys
from hetsel.words.checklist_answers import ANSWERS, ITEMS
from hetsel.words.cited_papers import papers, papers_named, program, references
from hetsel.words.methods_section import INTERVAL_PAPERS, MODEL_PAPERS, RULE_PAPERS
from hetsel.words.signature_sentences import RULES


@pytest.mark.parametrize("key", method_keys())
def test_the_papers_of_every_method_are_among_the_references(key):
    words = get_method(key).about.paper
    years = re.findall(r"\b(?:1[89]|20)\d\d\b", words)
    assert len(papers_named(words)) >= max(len(years), words != "none"), words


def test_keys_are_the_first_author_and_the_year_and_every_entry_says_where():
    assert len(papers()) > 60
    for key, paper in papers().items():
        assert key.endswith(paper.fields["year"])
        assert {"author", "title", "year"} < set(paper.fields)
        assert {"journal", "booktitle", "publisher", "school"} & set(paper.fields)
        assert paper.bibtex.count("{") == paper.bibtex.count("}")
        assert paper.fields["year"] in paper.described()


def test_papers_with_a_doi_link_to_it_and_carry_it():
    dois = {key: paper.fields["doi"] for key, paper in papers().items() if "doi" in paper.fields}
    assert len(dois) == len(set(dois.values())) > 50
    for key, doi in dois.items():
        assert re.fullmatch(r"10\.\d{4,5}/[^\s{}]+", doi)
        assert f"doi = {{{doi}}}" in papers()[key].bibtex
        link = papers()[key].link()
        assert unquote(link) == f"https://doi.org/{doi}"
        assert papers()[key].described().endswith(f". {link}")
        assert not set(link) & set("<> ")
    assert not any("doi.org" in papers()[key].described() for key in papers().keys() - dois.keys())


def test_what_sentences_cite_is_there():
    keys = {*RULE_PAPERS.values(), *sum(MODEL_PAPERS.values(), ())}
    keys |= {*sum(INTERVAL_PAPERS.values(), ())}
    assert keys <= set(papers())
    assert set(RULE_PAPERS) == set(RULES)
    told = references(["wilson1927", "bates2024"], "1.2.3")
    assert [paper.key for paper in told] == ["bates2024", "wilson1927", "hetsel"]
    assert "1.2.3" in program("1.2.3").bibtex


def test_the_checklist_has_27_items_of_52_parts():
    numbers = [item.number for item in ITEMS]
    assert len(set(numbers)) == len(ITEMS) == 52
    assert sorted({int(re.match(r"\d+", number)[0]) for number in numbers}) == [*range(1, 28)]
    assert set(ANSWERS) <= set(numbers)
    assert {item.number for item in ITEMS if not item.write} <= set(ANSWERS)
