"""Every text can be a name: of a column, a level, a class, a data set, a method, a table."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.files.reading import read_table
from hetsel.ground.spreadsheet_apostrophes import with_apostrophe, without_apostrophe
from hetsel.ground.text import shown, visible
from hetsel.ground.writing import csv, write_files
from hetsel.report.pages.study_page import save_figures, write_study_report
from hetsel.study.run import Study

NAMES = {
    "unfinished formula": r"$\frac$",
    "subscripts": "_x_$_$",
    "formula": "$x^2$ % {0} {{ %s",
    "control": "a\x01b\x1b[31m\x85",
    "noncharacter": "a\uffffb\ufdd0",
    "half a character": "a\ud800b",
    "NUL": "a\x00b",
    "right to left": "a\u202eb\u2067",
    "lines": "a\nb\r\n\tc\u2028",
    "emoji": "😀",
    "long": "n" * 5000,
    "empty": "",
    "blank": " \u00a0 ",
    "page": "</svg><script>alert(1)</script>&amp;\"'",
    "backslash": "\\n \\frac \\",
    "cell": "=HYPERLINK(1)",
}
SHAPELESS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2067\u2028\ud800-\udfff\uffff]")


def table_of(name):
    """A table whose first column, a level of the second and a class have this name."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    cells = [name if k % 3 else "q" for k in range(60)]
    columns = [rng.normal(size=60) + y, pd.Series(cells, dtype=object), rng.normal(size=60)]
    X = pd.DataFrame(dict(enumerate(columns)))
    X.columns = pd.Index([name, "b", "c"], dtype=object)
    return X, pd.Series([name if k else "other" for k in y], dtype=object)


named = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


@pytest.mark.slow
@named
@pytest.mark.filterwarnings("ignore:the font lacks")
def test_figures_of_any_names_are_drawn_and_are_what_they_say(name, tmp_path):
    X, y = table_of(name)
    selector = hetsel.get_method("variance")(nominal=["b"], size=2).fit(X, y)
    search = hetsel.SubsetSearch(search="sfs", criterion="1nn", nominal=["b"]).fit(X, y)
    hetsel.plots.plot_ranking(selector, file=tmp_path / "0.png", data=name)
    hetsel.plots.plot_ranking(selector, file=tmp_path / "0.pdf", data=name)
    for number, (plot, fitted) in enumerate(
        [(hetsel.plots.plot_ranking, selector), (hetsel.plots.plot_path, search)]
    ):
        plot(fitted, file=tmp_path / f"{number}.svg", data=name)
        svg = (tmp_path / f"{number}.svg").read_text()
        assert not SHAPELESS.search(svg)
        drawn = [text.text for text in ElementTree.fromstring(svg).iter() if text.text]
        start = shown(name).strip()[:15].strip()
        assert any(start in text for text in drawn), drawn


@named
def test_what_is_printed_has_a_line_for_each_column_and_a_shape_for_each_character(name):
    text = str(hetsel.Schema.infer(table_of(name)[0], nominal=["b"]))
    assert not SHAPELESS.search(text)
    assert len([line for line in text.splitlines() if line.startswith("  ")]) >= 3
    assert shown(name) in text


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the font lacks")
def test_a_study_of_any_names_has_a_report_figures_and_tables(tmp_path):
    names = [NAMES[key] for key in ("unfinished formula", "control", "lines", "page", "cell")]
    tables = [(name, *table_of(name)) for name in names]
    keys = ("variance", "rfe-svm", "hsic", "mi-histogram", "relieff")
    study = Study(
        datasets=[{"name": name, "X": X, "y": y, "nominal": ["b"]} for name, X, y in tables],
        methods=[{"key": key, "label": name} for key, name in zip(keys, names, strict=True)],
        resamplings=2,
        sizes=[1, 2],
    )
    results = study.run(tmp_path / "s.sqlite", n_jobs=0, progress=False)
    assert results.failures().empty
    page = write_study_report(results, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert not SHAPELESS.search(page)
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) >= 3
    for picture in pictures:
        ElementTree.fromstring(picture)
    save_figures(results, tmp_path / "figures", ".pdf")
    results.export(tmp_path / "tables")
    files = list((tmp_path / "tables").glob("rankings*"))
    cells = [pd.read_csv(file, keep_default_na=False).iloc[:, 1] for file in files]
    assert len(cells) == len(names)
    for name in names:
        assert any(with_apostrophe(name)[:2] == cell[:2] for cell in pd.concat(cells))


@named
def test_a_schema_keeps_any_name(name, tmp_path):
    schema = hetsel.Schema.infer(table_of(name)[0], nominal=["b"])
    schema.save(tmp_path / "schema.json")
    assert hetsel.Schema.load(tmp_path / "schema.json") == schema


DANGEROUS = ["=1+1", "+x", "-x", "@SUM(A1)", "\tx", "＝1", "'=1", "''+x", "'quoted'", "'", "a=1"]


@pytest.mark.parametrize("text", DANGEROUS)
def test_a_spreadsheet_finds_no_formula_and_hetsel_the_text_as_it_was(text, tmp_path):
    frame = pd.DataFrame({text: [text, "x", None], "n": [-1.5, 2.0, 3.0]})
    write_files({tmp_path / "t.csv": csv(frame)})
    plain = pd.read_csv(tmp_path / "t.csv")
    for cell in (plain.columns[0], plain.iloc[0, 0]):
        assert cell[0] not in "=+-@\t＝"
        assert without_apostrophe(cell) == text
    assert plain["n"].tolist() == [-1.5, 2.0, 3.0]
    if text == text.strip():
        again = read_table(tmp_path / "t.csv", separator=",")
        assert again.columns.tolist() == [text, "n"]
        assert again.iloc[0, 0] == text


def test_text_is_written_as_it_is_on_request(tmp_path):
    write_files({tmp_path / "t.csv": csv(pd.DataFrame({"=a": ["+b"]}), spreadsheet_safe=False)})
    assert (tmp_path / "t.csv").read_text() == "=a\n+b\n"


def test_the_commands_write_safe_names_unless_told_otherwise(run, tmp_path):
    lines = [f"{k % 7 + k % 2}.5,{k % 5}.5,{'ab'[k % 2]}" for k in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["=u,v,y", *lines]))
    rank = ("rank", tmp_path / "t.csv", "--target", "y", "--method", "variance")
    assert run(*rank, "--out", tmp_path / "r.csv")[0] == 0
    assert "'=u" in (tmp_path / "r.csv").read_text()
    assert run(*rank, "--out", tmp_path / "r.csv", "--raw-text")[0] == 0
    assert "'=u" not in (tmp_path / "r.csv").read_text()
    assert "=u" in (tmp_path / "r.csv").read_text()


@pytest.mark.parametrize("name", ["a\x1b[31mb", "a\u202eb"])
def test_the_shell_prints_no_character_that_moves_others(run, tmp_path, name):
    lines = [f"{k % 7 + k % 2}.5,{k % 5}.5,{'ab'[k % 2]}" for k in range(40)]
    (tmp_path / "t.csv").write_text("\n".join([f"{name},v,y", *lines]))
    for command in (
        ("rank", tmp_path / "t.csv", "--target", "y", "--method", "variance", "--size", "2"),
        ("inspect", tmp_path / "t.csv", "--target", "y"),
        ("search", tmp_path / "t.csv", "--target", "y", "--criterion", "1nn"),
        ("rank", tmp_path / "t.csv", "--target", name[::-1]),
    ):
        _, out, err = run(*command)
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err


def test_what_has_no_shape_is_escaped_and_all_else_stays():
    assert visible("a\x00\n\u202e\ud800\uffff") == r"a\x00\n\u202e\ud800\uffff"
    assert visible("a\nb", "\n") == "a\nb"
    assert visible("naïve 中文 👩‍👩‍👧 עברית") == "naïve 中文 👩‍👩‍👧 עברית"
    assert [shown(text) for text in ("", "  ", "x")] == ["''", "'  '", "x"]
