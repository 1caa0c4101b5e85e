"""A signature's page in all formats: the same facts in each, and names that stay names."""

import io
import re
import warnings
import zipfile
from types import SimpleNamespace

import docx
import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, told_frame
from msgspec.structs import replace
from report.page_texts import WORDS, signature_page, squeezed

from hetsel import Signature, load_signature, write_signature_report
from hetsel.ground.errors import TableError
from hetsel.report.elements.blocks import PrintedTable
from hetsel.report.figures.signature_figures import plot_pieces
from hetsel.report.pages.signature_page import report_files, signature_document
from hetsel.report.signature_sections import full_model, what_features_do
from hetsel.report.signature_sections.full_model import model_lines
from hetsel.report.signature_sections.points_to_add_up import points_tables
from hetsel.signature.signature_facts import Candidates, Effect, Feature, Flow, LeftOut

QUICK = {"method": "univariate-tests", "folds": 3, "repeats": 1, "permutations": 39, "pairs": 4}
ENDS = ("html", "md", "docx")
# classes in every format, other targets in one: what differs by target is the same document in each
ENDS_OF = {"classes": ENDS, "numbers": ("html",), "survival": ("md",)}
HOSTILE = {
    "c0": "<img src=x>|*b* `c` $d$",
    "c1": "a\nb ~s~ ^t^ [u](v) ![w](y)",
    "n0": "🙂 __e__ {f} @g &lt; # h",
}


def fitted(kind, **options):
    if kind == "classes":
        frame, y = mixed_frame(80, 3, 2, seed=4, missing=0.05)
        return Signature(**{**QUICK, "size": 3, **options}).fit(frame, y), frame
    frame, y = told_frame(kind, 80, 3, 2, missing=0.05, seed=1)
    asked = {**QUICK, "size": 3, "target_kind": kind, **options}
    return Signature(**asked).fit(frame, y), frame


@pytest.mark.seconds
def test_of_four_groups_the_curve_has_no_band_and_a_page(tmp_path):
    rng = np.random.default_rng(11)
    frame = pd.DataFrame(rng.normal(size=(120, 10))).add_prefix("f")
    asked = {"size": 3, "folds": 3, "repeats": 1, "permutations": 0, "pairs": 10}
    found = Signature("anova-f", **asked).fit(
        frame, np.arange(120) % 2, groups=np.arange(120) // 30
    )
    for end in ENDS:
        path = write_signature_report(found, tmp_path / f"page.{end}")
        assert path.stat().st_size > 5000


@pytest.fixture(scope="module", params=["classes", "numbers", "survival"])
def found(request):
    return fitted(request.param)[0]


@pytest.fixture(scope="module")
def saved_facts():
    """The facts of a signature of classes that is not tested against chance."""
    return fitted("classes", permutations=0)[0].facts()


@pytest.fixture
def facts(saved_facts):
    return saved_facts


def texts(facts, tmp_path, ends=ENDS):
    """The words of formats, as a program that reads them has them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the font lacks")
        paths = [write_signature_report(facts, tmp_path / f"a.{end}") for end in ends]
    return [" ".join(WORDS[path.suffix](path)) for path in paths]


@pytest.mark.slow
def test_every_format_has_all_sections_and_numbers(found, tmp_path):
    facts = found.facts()
    parts = signature_document(facts).parts
    assert len(parts) == 10 + (found.target_kind_ == "classes")  # which have probabilities
    rate = facts.performance.main.estimate
    for text in texts(facts, tmp_path):
        for part in parts:
            assert part.title in squeezed(text)
        assert f"{rate:.3f}" in text
        assert "for you to add" in text
        assert "@article{collins2024," in text


@pytest.mark.slow
def test_the_same_facts_give_the_same_bytes_also_by_a_file(found, tmp_path):
    found.save(tmp_path / "a.json")
    saved = load_signature(tmp_path / "a.json").facts
    for end in ENDS_OF[found.target_kind_]:
        files = report_files(found.facts(), tmp_path / f"a.{end}")
        assert files == report_files(saved, tmp_path / f"a.{end}")
        pictures = [path for path in files if str(path).endswith(".png")]
        assert bool(pictures) == (end == "md")
        for name in pictures:
            assert f"({name.name})" in files[tmp_path / "a.md"]


def added_up(facts, frame):
    """f (n, classes or 1) by the intercept and the printed lines alone."""
    several = len(facts.classes) > 2
    labels = [f" (class {label})" for label in facts.classes] if several else [""]
    out = np.repeat([facts.intercept], len(frame), axis=0)
    lines = pd.DataFrame(model_lines(facts), columns=["name", "value", "adds"])
    lines["adds"] = lines["adds"].str.replace(",", "").astype(float)
    for one in facts.features:
        cells = frame[one.feature]
        fill = facts.imputed_values.get(one.feature)
        cells = cells if fill is None else cells.fillna(fill)
        for column, label in enumerate(labels):
            own = lines[lines["name"] == one.feature + label]
            if one.kind == "continuous":
                knots = own["value"].str.replace(",", "").astype(float)
                out[:, column] += np.interp(cells.astype(float), knots, own["adds"])
            else:
                steps = dict(zip(own["value"], own["adds"], strict=True))
                out[:, column] += [steps[str(cell)] for cell in cells]
    return out


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["classes", "numbers", "survival"])
def test_the_printed_model_adds_up_to_what_the_model_predicts(kind):
    found, frame = fitted(kind, permutations=0, pairs=0, scale="robust")
    predicted = found.decision_function(frame)
    f = added_up(found.facts(), frame)[:, 0]
    np.testing.assert_allclose(f, predicted, atol=2e-4 * np.ptp(predicted))


@pytest.mark.slow
def test_the_printed_model_adds_up_for_each_of_three_classes():
    frame, y = mixed_frame(75, 2, 2, seed=2, classes=3)
    found = Signature(**{**QUICK, "size": 3, "permutations": 0, "pairs": 0}).fit(frame, y)
    predicted = found.decision_function(frame)
    f = added_up(found.facts(), frame)
    np.testing.assert_allclose(f, predicted, atol=2e-4 * np.ptp(predicted))


def test_ordered_levels_and_missing_cells_have_their_names():
    codes = np.random.default_rng(5).integers(0, 3, 90)
    grade = pd.Series(np.array(["low", "mid", "top"])[codes]).mask(np.arange(90) % 9 == 0)
    frame = pd.DataFrame({"grade": grade, "x": np.arange(90.0) % 7})
    ordered = {"ordinal": {"grade": ["low", "mid", "top"]}}
    asked = {**QUICK, "size": 1, "permutations": 0, "pairs": 0, **ordered}
    facts = Signature(**asked).fit(frame, codes > 0).facts()
    (effects,) = (t for t in what_features_do.blocks(facts) if isinstance(t, PrintedTable))
    points = points_tables(facts)[0]
    median = ["low", "mid", "top"][int(np.median(codes[grade.notna()]))]
    assert [row[1] for row in effects.rows] == ["low", "mid", "top"]
    filled = codes[grade.notna()].tolist() + [1] * int(grade.isna().sum())
    assert [int(row[3]) for row in effects.rows] == np.bincount(filled).tolist()
    panel = plot_pieces(facts).axes[0]
    assert [tick.get_text().split(" ")[0] for tick in panel.get_xticklabels()] == [
        "low",
        "mid",
        "top",
    ]
    assert f"grade = {median}" in points.note


def test_a_long_model_is_thinned_and_says_how_far_it_is_off():
    knots = np.linspace(0.0, 10.0, 400)
    effects = np.sin(knots / 2)
    pieces = [
        Effect("x", "1", a, b, u, v, 1, [1, 0])
        for a, b, u, v in zip(knots, knots[1:], effects, effects[1:], strict=False)
    ]
    facts = SimpleNamespace(
        classes=[0, 1],
        features=[Feature("x", "continuous", None, [])],
        effects=pieces,
        ordered={},
        intercept=[0.25],
        scale="range",
        imputed_values={},
        probability_map=None,
    )
    assert len(model_lines(facts)) == 400
    for off in (0.002, 0.01, 0.05):
        lines = pd.DataFrame(model_lines(facts, off), columns=["name", "value", "adds"])
        drawn = np.interp(knots, lines["value"].astype(float), lines["adds"].astype(float))
        assert len(lines) < 80
        assert np.abs(drawn - effects).max() <= off + 1e-5
    (table,) = [one for one in full_model.blocks(facts) if hasattr(one, "rows")]
    assert len(table.rows) < 80
    assert "at most 0.002" in table.note


@pytest.mark.slow
def test_names_stay_names_in_every_format(tmp_path):
    frame, y = mixed_frame(80, 2, 1, seed=4)
    frame = frame.rename(columns=HOSTILE)
    level = frame.columns[2]
    frame[level] = frame[level].cat.rename_categories(lambda one: f"1. <b>{one}</b> |")
    y = np.where(y == 1, "- *yes* <i>", "no|--no ...")
    facts = Signature(**{**QUICK, "permutations": 0, "size": 3}).fit(frame, y).facts()
    for text in texts(facts, tmp_path):
        for name in frame.columns:
            assert name.replace("\n", "\\n") in squeezed(text)
        for label in ("- *yes* <i>", "no|--no ..."):
            assert f"class {label}" in squeezed(text)
    for block in (tmp_path / "a.md").read_text(encoding="utf-8").split("\n\n"):
        if block.startswith("| "):  # as many cells in each row as in the head
            lines = block.strip().split("\n")
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1


@pytest.mark.seconds
def test_a_word_file_tells_no_time_and_nobody(facts, tmp_path):
    (content,) = report_files(facts, tmp_path / "a.docx").values()
    with zipfile.ZipFile(io.BytesIO(content)) as members:
        assert {member.date_time for member in members.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    document = docx.Document(io.BytesIO(content))
    assert document.core_properties.author == ""
    assert document.core_properties.created.year == 1980
    drawn = len(document.inline_shapes)
    assert drawn == signature_page(facts).count("<svg")
    assert all(shape._inline.docPr.get("descr") for shape in document.inline_shapes)


@pytest.mark.seconds
def test_columns_of_a_word_file_fit_the_page_and_long_cells_have_the_room(facts, tmp_path):
    tables = docx.Document(write_signature_report(facts, tmp_path / "a.docx")).tables
    for table in tables:
        widths = [column.width.inches for column in table.columns]
        assert sum(widths) <= 6.5 + 1e-6  # between the margins
        for row in table.rows:
            longest = [max(map(len, cell.text.split()), default=0) for cell in row.cells]
            assert all(w > 0.07 * n for w, n in zip(widths, longest, strict=True))
    (steps,) = (one for one in tables if one.cell(0, 1).text == "description")
    widths = [column.width.inches for column in steps.columns]
    assert widths[1] > 1.5 * max(widths[0], *widths[2:])


def test_another_ending_is_refused_with_those_there_are(facts, tmp_path):
    with pytest.raises(TableError, match=r"\.html.*\.md.*\.docx.*a\.pdf"):
        write_signature_report(facts, tmp_path / "a.pdf")
    with pytest.raises(TableError, match="file must be a path. Got 5"):
        write_signature_report(facts, 5)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.seconds
def test_ten_thousand_candidates_are_counted_and_the_signature_comes_first(facts):
    names = [f"gene {j}" for j in range(10_000)] + [one.feature for one in facts.features]
    kinds, values = ["continuous"] * len(names), ["0 to 1"] * len(names)
    facts = replace(
        facts,
        candidates=Candidates(names, kinds, values, [1] * len(names), names[:5000]),
        columns=len(names),
        left_out=[LeftOut("dropped", names[:500])],
    )
    (part,) = [one for one in signature_document(facts).parts if one.key == "rows"]
    tables = {block.key: block for block in part.blocks if hasattr(block, "key")}
    for key in ("missing", "candidates"):
        assert len(tables[key].rows) == 40
        assert "9,963" in tables[key].note
        first = {row[0] for row in tables[key].rows[:3]}
        assert first == {one.feature for one in facts.features}
    assert len(signature_page(facts)) < 400_000


@pytest.mark.slow
def test_rows_that_were_left_out_and_cells_that_lack_are_counted():
    frame, y = mixed_frame(80, 3, 2, seed=4, missing=0.05)
    weights = np.r_[np.zeros(7), np.ones(73)]
    rng = np.random.default_rng(1)
    frame["same"] = 1.0
    order = rng.permutation(80)
    found = Signature(**{**QUICK, "method": "rfe-svm", "permutations": 0, "size": 2}).fit(
        frame.iloc[order], y[order], sample_weight=weights[order]
    )
    facts = found.facts()
    assert facts.flow == Flow(80, 0, 7)
    known = frame.iloc[7:]
    assert facts.candidates.names == [*frame.columns]
    assert facts.candidates.missing == known.isna().sum().tolist()
    assert facts.candidates.constant == ["same"]
    low, high = known["c0"].min(), known["c0"].max()
    told = facts.candidates.values[0].split(" to ")
    np.testing.assert_allclose([float(end) for end in told], [low, high], rtol=1e-3)
