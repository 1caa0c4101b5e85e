"""The tables of a paper: numbers by hand, one model in three formats, LaTeX that compiles."""

import os
import re
import shutil
import subprocess
from itertools import combinations

import docx
import numpy as np
import pandas as pd
import pytest
from report.page_texts import squeezed, words_of_markdown
from report.synthetic_study import METHODS, Drawn, Gapped, Synthetic
from scipy import stats
from statsmodels.stats.multitest import multipletests

from hetsel import export_tables
from hetsel.ground.errors import TableError
from hetsel.report.elements.blocks import Bold, Italic
from hetsel.report.elements.paper_tables import paper_tables
from hetsel.stability import nogueira_interval
from hetsel.study.comparison.study_summary import Summary

HOSTILE = [r"a_b & 50%", "{x}", r"\foo", "[1] # $", "~^<|>", "\"--''`", "Łódź é ą «»", "中文 ★ ħ"]
SHARE = 0.1  # of held-out rows in these studies


def tables_of(results, score=None):
    return {table.key: table for table in paper_tables(Summary(results, score))}


def body(table):
    """The rows of the data sets, without those below."""
    return table.rows[: len(table.rows) - table.below]


def test_means_and_corrected_errors_by_hand():
    results = Drawn(datasets=2, lead=0.04)
    own = Summary(results).own_size.frame
    for row in body(tables_of(results)["performance"]):
        for method, cell in zip(METHODS, row[1:], strict=True):
            x = own[(own["dataset"] == row[0]) & (own["method"] == method)]["value"]
            assert len(x) == 12
            error = np.sqrt((1 / 12 + SHARE / (1 - SHARE)) * x.var(ddof=1))
            assert cell == f"{x.mean():.3f} ± {error:.3f}"


@pytest.mark.parametrize("lead", [0.0, 0.06, 0.2])
def test_bold_is_best_and_italics_are_not_shown_to_be_worse(lead):
    """The test by its formula: t with variance factor 1/K + r/(1 - r), r = 2 s (1 - s); Holm."""
    results = Drawn(datasets=4, lead=lead)
    frame = Summary(results).own_size.frame
    factor = 1 / 12 + (r := 2 * SHARE * (1 - SHARE)) / (1 - r)
    kinds = set()
    for row in body(tables_of(results)["performance"]):
        table = frame[frame["dataset"] == row[0]].pivot(
            index="resampling", columns="method", values="value"
        )
        best, pairs = table.mean().idxmax(), list(combinations(METHODS, 2))
        pvalues = []
        for one, other in pairs:
            apart = table[one] - table[other]
            t = apart.mean() / np.sqrt(factor * apart.var(ddof=1))
            pvalues.append(2 * stats.t.sf(abs(t), 11))
        adjusted = multipletests(pvalues, method="holm")[1]
        of = dict(zip(map(frozenset, pairs), adjusted, strict=True))
        for method, cell in zip(METHODS, row[1:], strict=True):
            kind = (
                Bold if method == best else Italic if of[frozenset((method, best))] > 0.05 else str
            )
            assert type(cell) is kind, (row[0], method)
            kinds.add(kind)
    assert kinds >= ({Bold, str} if lead == 0.2 else {Bold, Italic})


def test_ranks_and_p_value_below_are_those_of_all_data_sets():
    table = tables_of(Drawn(datasets=6, lead=0.1))["performance"]
    ranks, p = table.rows[-2:]
    means = np.array([[float(cell.split(" ")[0]) for cell in row[1:]] for row in body(table)])
    expected = (-means).argsort(axis=1).argsort(axis=1).mean(axis=0) + 1
    assert [float(rank) for rank in ranks[1:]] == pytest.approx(expected, abs=0.006)
    assert type(ranks[1 + expected.argmin()]) is Bold
    test = Summary(Drawn(datasets=6, lead=0.1)).analyses(Summary(Drawn()).performance)[1].test
    assert float(p[1]) == pytest.approx(test.permutation, rel=0.05)
    assert "rank test because" in tables_of(Drawn(datasets=1))["performance"].note


def test_stability_has_the_error_of_nogueira_of_both_halves():
    results = Drawn(datasets=2, resamplings=40)
    frame = Summary(results).own_size.frame
    for row in body(tables_of(results)["stability"]):
        for method, cell in zip(METHODS, row[1:], strict=True):
            own = frame[(frame["dataset"] == row[0]) & (frame["method"] == method)]
            halves = []
            for start in (0, 1):
                size = int(own.sort_values("resampling")["size"].iloc[start])
                _, chosen = results.signatures(row[0], method, size)
                halves.append(nogueira_interval(chosen[start::2]))
            variances = [((one.high - one.low) / 2 / stats.norm.ppf(0.975)) ** 2 for one in halves]
            mean = np.mean([one.stability for one in halves])
            error = np.sqrt(sum(variances)) / 2
            shown = f"{mean:.3f} ± {error:.3f}".replace("-", "−").replace("−0.000", "0.000")
            assert cell.replace("−0.000", "0.000") == shown
        assert not any(isinstance(cell, Italic) for cell in row)


def test_seconds_are_better_if_they_are_few():
    assert {"elapsed-seconds", "cpu-seconds"} < set(tables_of(Synthetic()))
    table = tables_of(Synthetic())["cpu-seconds"]  # 0, 2, 4 and 6 s, a second more on beta
    error = np.sqrt((1 / 4 + 1 / 9) * np.var([0, 2, 4, 6], ddof=1))
    assert table.rows[0] == ["alpha", *[f"3.00 ± {error:.2f}"] * 3]
    assert all(type(cell) is Bold for cell in table.rows[0][1:])
    results = Drawn(datasets=2)
    frame = results.frame()
    frame["rank_seconds"] = 1 + frame["method"].map(METHODS.index) + frame["resampling"] % 2 / 10
    results.frame = lambda: frame
    table = tables_of(results)["cpu-seconds"]
    assert [type(cell) for cell in table.rows[0][1:]] == [Bold, str, str]
    assert [float(rank) for rank in table.rows[-2][1:]] == [1, 2, 3]


def test_few_resamplings_and_gaps():
    few = tables_of(Synthetic())
    assert "own cross-fitted size" in few["performance"].caption
    assert not any(type(cell) is Italic for row in few["performance"].rows for cell in row)
    one = tables_of(Synthetic(resamplings=1))["performance"]
    assert "at the size that first chooses" in one.caption
    assert "±" not in "".join(cell for row in one.rows for cell in row)
    gapped = tables_of(Gapped())["performance"]
    assert gapped.rows[1][3] == "–"
    assert "Skillings and Mack" in gapped.note


class Hostile(Drawn):
    """The names of data sets and methods are commands of LaTeX, Markdown or nothing of the kind."""

    def __init__(self):
        super().__init__(datasets=len(HOSTILE), lead=0.1)
        self.renamed = dict(zip(METHODS, HOSTILE, strict=False))
        self.tables = dict(zip(self.names, HOSTILE, strict=True))
        self.datasets = {self.tables[name]: about for name, about in self.datasets.items()}
        self.methods = list(self.renamed.values())
        for about, name in zip(self.datasets.values(), HOSTILE, strict=True):
            about["name"] = name

    @property
    def test_shares(self):
        return dict.fromkeys(HOSTILE, SHARE)

    def frame(self):
        frame = super().frame() if self.methods == list(METHODS) else self._drawn()
        return frame.assign(
            dataset=frame["dataset"].map(self.tables), method=frame["method"].map(self.renamed)
        )

    def _drawn(self):
        methods, self.methods = self.methods, list(METHODS)
        frame = Drawn.frame(self)
        self.methods = methods
        return frame

    def signatures(self, dataset, method, size):
        back = {new: old for old, new in (*self.tables.items(), *self.renamed.items())}
        name = next(old for old, new in self.tables.items() if new == dataset)
        return super().signatures(name, back[method], size)


def has_latex():
    """Whether there is a LaTeX with the packages of the tables."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    return subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not has_latex(), reason="no LaTeX with booktabs here")
@pytest.mark.parametrize("make", [Hostile, lambda: Drawn(datasets=3, lead=0.1)])
def test_latex_compiles_and_shows_the_names(tmp_path, make):
    results = make()
    names = {path.name for path in export_tables(results, tmp_path, format="latex")}
    tables = ["performance.tex", "stability.tex", "tables.tex"]
    tables += ["elapsed-seconds.tex", "cpu-seconds.tex"]
    assert names == {*tables, "tables-example.tex"}
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables-example.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**os.environ, "TEXMFVAR": str(tmp_path / "fonts")},  # not into the home
    )
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-1500:]
    log = (tmp_path / "tables-example.log").read_text(encoding="utf-8", errors="replace")
    assert "Overfull" not in log
    assert "Missing character" not in log
    if shutil.which("pdftotext") is None:
        return
    text = subprocess.run(
        ["pdftotext", "-layout", "tables-example.pdf", "-"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in results.datasets:
        if name.isascii() and '"' not in name:
            assert squeezed(name) in squeezed(text)


def test_markdown_and_word_have_the_same_cells(tmp_path):
    results = Hostile()
    for form in ("markdown", "docx"):
        export_tables(results, tmp_path, format=form)
    for key, table in tables_of(results).items():
        cells = [squeezed(cell) for row in (table.head, *table.rows) for cell in row]
        (there,) = docx.Document(tmp_path / f"{key}.docx").tables
        assert [squeezed(cell.text) for row in there.rows for cell in row.cells] == cells
        for line, row in zip(there.rows[1:], table.rows, strict=True):
            for cell, own in zip(line.cells, row, strict=True):
                (run,) = cell.paragraphs[0].runs
                assert (run.bold, run.italic) == (
                    type(own) is Bold or None,
                    type(own) is Italic or None,
                )
        text = squeezed(" ".join(words_of_markdown(tmp_path / f"{key}.md", italics=True)))
        assert [cell for cell in cells if cell not in text] == []
        italics = sum(type(cell) is Italic for row in table.rows for cell in row)
        source = (tmp_path / f"{key}.md").read_text(encoding="utf-8")
        assert len(re.findall(r"\| \*(?!\*)[^*|]+\*(?= \|)", source)) == italics


def test_a_format_that_is_none_and_a_study_without_cells_are_refused(tmp_path):
    with pytest.raises(TableError, match="csv, latex, markdown, docx. Got 'pdf'"):
        export_tables(Synthetic(), tmp_path / "out", format="pdf")
    empty = Synthetic()
    empty.frame = lambda: pd.DataFrame(columns=Synthetic().frame().columns)
    with pytest.raises(TableError, match="no cell of the study is finished"):
        export_tables(empty, tmp_path / "out", format="latex")
    assert not (tmp_path / "out").exists()
