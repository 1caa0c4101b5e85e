"""The first screen of a report: few sentences, a figure for each question, all else in folds."""

import re
from pathlib import Path

import pytest
from report.pages.test_study_page import Page, chromium
from report.pages.test_treatments import Treated
from report.synthetic_study import METHODS, Drawn, Gapped, Many, Synthetic, page_of, summary_of

from hetsel.report import sections
from hetsel.report.elements.blocks import Picture, PrintedTable
from hetsel.report.pages import section_list
from hetsel.report.pages.first_screen import overview
from hetsel.report.pages.section_list import headlines, parts, study_paragraphs
from hetsel.report.pages.study_page import write_study_report
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables.means_over_data_sets import data_set_means
from hetsel.words.rank_sentences import small_size
from hetsel.words.study_sentences import completeness, lead, sizes_rule

FIGURES = ["performance-by-size", "stability-against-performance", "mean-ranks", "time"]
STUDIES = {  # each computed once
    "one of each": summary_of(Synthetic, datasets=("alpha",), methods=METHODS[:1], resamplings=1),
    "one data set": summary_of(Drawn, datasets=1),
    "three resamplings": summary_of(Drawn, datasets=1, resamplings=3),
    "two data sets": summary_of(Synthetic),
    "six data sets": summary_of(Drawn, lead=0.2, chance=0.1),
    "noise": summary_of(Drawn, seed=3),
    "gaps": summary_of(Gapped, lead=0.2),
    "treatments": summary_of(Treated),
}


@pytest.fixture(scope="module")
def many():
    """More methods than a figure can tell apart, on more data sets than there are panels."""
    return summary_of(Many, datasets=7, methods=24, resamplings=4, p=6)


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_at_most_five_sentences_and_none_of_what_cannot_be(study):
    said = headlines(STUDIES[study])
    assert len(said) <= 5
    for sentence in said:
        assert sentence.endswith(".")
        assert not re.search(r"[a-z]\. [A-Z]", sentence), sentence  # one sentence each
        assert not re.search("not compared|needs|too few|no rank test|nan", sentence), sentence


@pytest.mark.slow
def test_what_is_found_is_said():
    said = " ".join(headlines(STUDIES["six data sets"]))
    assert "first has the best mean rank and is better than" in said
    assert "All methods are significantly above chance" in said
    noise = " ".join(headlines(STUDIES["noise"]))
    assert noise.count("methods do not differ significantly") == 2
    assert "No method is significantly above chance and the majority class." in noise
    one = " ".join(headlines(summary_of(Drawn, lead=0.3, datasets=1)))
    assert "first has the best value" in one
    assert "first is significantly better than" in one


@pytest.mark.slow
def test_many_names_are_counted(many):
    said = headlines(many)
    assert all(len(sentence) < 220 for sentence in said)
    assert re.search(r"is better than \d+ other methods", said[0])


@pytest.mark.slow
def test_one_figure_for_each_question_that_has_an_answer():
    keys = {study: [one.key for one in overview(STUDIES[study])] for study in STUDIES}
    assert keys["six data sets"] == FIGURES
    assert keys["one data set"] == [key for key in FIGURES if key != "mean-ranks"]
    assert keys["three resamplings"] == keys["one data set"]  # at the size of the reference
    assert keys["one of each"] == ["performance-by-size", "time"]  # stability takes two
    assert "mean-ranks" not in keys["treatments"]  # treatments are no data sets


@pytest.mark.slow
def test_many_methods_are_five_lines_and_no_more(many):
    pictures = list(overview(many))
    assert [one.key for one in pictures] == FIGURES
    best = many.leaders[:5]
    for one in pictures:
        texts = {
            text.get_text() for text in one.figure.findobj(match=lambda o: hasattr(o, "get_text"))
        }
        assert sum(any(name == t for t in texts) for name in best) == 5, one.key
        assert one.spoken
        assert one.figure.get_figheight() < 3.7
    legend = pictures[0].figure.legends[0]
    assert [text.get_text() for text in legend.get_texts()] == [
        *(method for method in many.methods if method in best),
        "19 others",
    ]


def test_means_over_data_sets_by_hand():
    results = Drawn(datasets=3)
    scores = Summary(results).shared_scores
    mean = data_set_means(scores, ["method", "size"], ["d0", "d1"]).set_index(["method", "size"])
    rows = scores[scores["dataset"] != "d2"].set_index(["method", "size"]).loc[("third", 2)]
    assert mean.loc[("third", 2), "value"] == pytest.approx(rows["value"].sum() / 2)
    half = sum(rows["corrected"] ** 2) ** 0.5 / 2
    assert mean.loc[("third", 2), "corrected"] == pytest.approx(half)
    lacking = scores[(scores["dataset"] != "d1") | (scores["method"] != "third")]
    kept = data_set_means(lacking, ["method", "size"], ["d0", "d1"])
    assert set(kept["method"]) == {"first", "second-method"}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("first") / "report.html"
    path.write_text(page_of(Drawn, datasets=1), encoding="utf-8")
    return path


@pytest.mark.slow
def test_all_else_is_in_folds_and_a_link_can_lead_there(page):
    text = page.read_text(encoding="utf-8")
    parsed = Page(text)
    first = re.sub(r"\s+", " ", "".join(parsed.first))
    assert "cannot" not in first
    assert "needs" not in first
    assert "a rank test needs at least 2 blocks" in parsed.text  # where it belongs
    folds = re.findall(
        r"<details( open)?>\s*<summary>.*?</summary>\s*<section id=\"(.*?)\"", text, re.S
    )
    assert [key for _, key in folds] == [
        "words",
        "comparison",
        "printed",
        "data-1",
        "seconds",
        "plan",
    ]
    # the only data set is open
    assert [key for opened, key in folds if opened] == ["data-1"]
    for table in (
        "data",
        "ranks",
        "own-size",
        "printed-ranks",
        "performance",
        "seconds",
        "methods",
    ):
        assert f"table-{table}" in parsed.ids


@pytest.mark.slow
@pytest.mark.parametrize(("place", "fold"), [("table-seconds", "seconds"), ("plan", "plan")])
def test_a_link_opens_its_fold(page, tmp_path, place, fold):
    script = (
        "<script>addEventListener('load', () => setTimeout(() => "
        "document.body.setAttribute('data-o', "
        "[...document.querySelectorAll('details[open] > section')].map(s => s.id)), 200))</script>"
    )
    copy = tmp_path / "linked.html"
    copy.write_text(page.read_text("utf-8").replace("</body>", script + "</body>"), "utf-8")
    dom = chromium(tmp_path, "--virtual-time-budget=2000", "--dump-dom", f"{copy.as_uri()}#{place}")
    assert fold in re.search(r'data-o="([^"]*)"', dom)[1].split(",")


@pytest.mark.slow
def test_names_are_data(tmp_path):
    evil = '</summary><script>alert(1)</script>{{ 7 * 7 }}"'
    results = Synthetic((evil,), (evil + "m", "b"))
    results.frame = lambda: (
        Drawn(datasets=1)
        .frame()
        .assign(dataset=evil)
        .pipe(
            lambda frame: frame[frame["method"] != "third"].assign(
                method=frame["method"].map({"first": evil + "m", "second-method": "b"})
            )
        )
    )
    results.signatures = lambda d, m, s: Drawn(datasets=1).signatures("d0", "first", s)
    text = write_study_report(results, tmp_path / "r.html").read_text(encoding="utf-8")
    parsed = Page(text)
    assert "<script" not in text
    assert parsed.loads == []
    assert "{{ 7 * 7 }}" in parsed.text


@pytest.mark.slow
def test_nothing_is_lost():
    summary = summary_of(Synthetic)
    shown = Page(page_of(Synthetic))
    facts = [sentence for title, said in study_paragraphs(summary) for sentence in (title, *said)]
    facts += [sizes_rule(summary), small_size(summary), completeness(summary)]
    facts += [lead(summary, name) for name in summary.datasets]
    for one in [block for part in parts(summary) for block in part.blocks]:
        if isinstance(one, Picture):
            facts.append(one.caption)
        if isinstance(one, PrintedTable):
            facts += [one.caption, one.note, *one.head, *(c for row in one.rows for c in row)]
    plain = re.sub(r"\s+", " ", shown.text)
    assert [fact for fact in facts if re.sub(r"\s+", " ", fact) not in plain] == []


def test_every_section_has_its_place_in_the_list():
    for path in Path(sections.__file__).parent.glob("[!_]*.py"):
        line = f'add to ORDER in report/pages/section_list.py: "{path.stem}",'
        assert path.stem in section_list.ORDER, line
