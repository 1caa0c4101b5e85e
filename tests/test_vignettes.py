"""The programs of the vignettes give today what their pages report."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hetsel

VIGNETTES = Path(__file__).parents[1] / "vignettes"
CAMPAIGNS = Path(__file__).parent / "arena/campaigns"


def program(name):
    spec = importlib.util.spec_from_file_location(name, VIGNETTES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kept(name, **which):
    """The line of a file of results."""
    lines = map(json.loads, (VIGNETTES / f"{name}.jsonl").read_text().splitlines())
    return next(line for line in lines if which.items() <= line.items())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("experiment", "method", "params"),
    [
        ("three", "chi-square", {}),
        ("three", "anova-f", {}),
        ("three", "univariate-tests", {}),
        ("three", "sffs-nb", {}),
        ("noise", "rfe-svm", {"normalize": "norm"}),
        ("noise", "hsic", {"normalize": "p-value"}),
        ("planted", "jmi", {}),
        ("heart", "hsic", {}),
    ],
)
def test_what_comes_first_by_chance(experiment, method, params):
    found = program("chance_by_levels").line(experiment, method, params)
    expected = kept("chance_by_levels", experiment=experiment, method=method, params=params)
    assert {**found, "seconds": 0} == {**{name: expected[name] for name in found}, "seconds": 0}


def same_unit_of_the_twelve_tables(data, method):
    found = program("which_method_when").quiet_line(data, method, 0)
    expected = kept("which_method_when", data=data, method=method, split=0)
    assert found["chosen"] == expected["chosen"]
    for judge in ("clinical-svm", "5nn", "naive-bayes"):
        assert found[judge] == pytest.approx(expected[judge], abs=1e-5)


@pytest.mark.parametrize("method", ["none", "mi-histogram", "cmim"])
def test_units_of_the_heart_table_have_the_results_of_their_file(method):
    same_unit_of_the_twelve_tables("heart", method)


@pytest.mark.originals
@pytest.mark.parametrize(
    ("data", "method"),
    [
        *(("anneal", "none"), ("arrhythmia", "anova-f"), ("autos", "cmim"), ("bands", "relieff")),
        *(("breast", "rfe-mkl"), ("credit-approval", "hsic"), ("german-credit", "mrmr")),
        *(("heart-failure", "rfe-svm"), ("hepatitis", "mi-histogram"), ("mammographic", "auc")),
        ("titanic", "univariate-tests"),
    ],
)
def test_units_of_original_tables_have_the_results_of_their_file(data, method):
    same_unit_of_the_twelve_tables(data, method)


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("tables", "target", "design", "method"),
    [
        ("planted", "numbers", "signal to noise 0.5", "rfe-svm"),
        ("planted", "survival", "weak, 60 % censored", "relieff"),
        ("planted", "martingale", "strong, 20 % censored", "spearman"),
        ("planted", "classes", "signal to noise 2", "rfe-svm"),
        ("noise", "survival", "60 % censored", "univariate-tests"),
    ],
)
def test_planted_columns_are_found_as_reported(tables, target, design, method, monkeypatch):
    monkeypatch.syspath_prepend(CAMPAIGNS)
    import planted_targets

    told = {"tables are": tables, "target": target, "design": design}
    expected = kept("numbers_and_survival", **told, method=method)
    found = planted_targets.line((method, {}), told, expected["tables"])
    assert {**expected, "seconds": 0} == {**expected, **found, "seconds": 0}


def test_the_costs_are_those_that_the_methods_of_the_catalogue_declare():
    text = (VIGNETTES / "costs.md").read_text(encoding="utf-8")
    table = re.search(r"^\| method \|.*?(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)[0]
    found = [re.findall(r"(?<=\| )[^|]*?(?= \|)", line) for line in table.splitlines()[2:]]
    methods = {key: hetsel.get_method(key).about for key in hetsel.method_keys()}
    assert [row[:3] for row in found] == [
        [f"`{key}`", about.cost.time, about.cost.of_memory]
        for key, about in methods.items()
        if not about.requires
    ]


def test_the_document_on_numbers_and_survival_has_the_tables_of_its_results():
    text = (VIGNETTES / "numbers_and_survival.md").read_text()
    assert [table for table in program("numbers_and_survival").tables() if table not in text] == []


@pytest.mark.seconds
def test_the_tables_and_sentences_of_somol2011_are_those_of_its_results():
    text = (VIGNETTES / "somol2011.md").read_text()
    for name, block in program("somol2011_tables").BLOCKS.items():
        assert f"<!-- {name} -->\n\n{block()}\n\n<!-- /{name} -->" in text, name


def test_how_often_votes_of_somol2011_are_more_accurate_counted_by_loops():
    rates = defaultdict(list)
    for line in map(json.loads, (VIGNETTES / "somol2011.jsonl").read_text().splitlines()):
        if line["table"] == "3":
            rates[line["data"], line["split"] // 10, line["voting"]].append(line["outer"])
    text = (VIGNETTES / "somol2011.md").read_text()
    for how, words in (("order", "votes by order"), ("weighted", "weighted votes")):
        away = [
            round(sum(rates[data, seed, how]) - sum(alone), 9)
            for (data, seed, voting), alone in rates.items()
            if voting == "single"
        ]
        counts = [sum(map(f, away)) for f in ((0.0).__lt__, (0.0).__eq__, (0.0).__gt__)]
        sentence = text[text.index(f"**Outer accuracy** of {words}") :].split("\n")[0]
        shown = re.search(r"seed: higher in (\d+), equal in (\d+), lower in (\d+) of", sentence)
        assert list(map(int, shown.groups())) == counts


@pytest.mark.seconds
def test_units_of_somol2011_that_are_computed_again_have_the_results_of_its_file():
    somol = program("somol2011")
    assert somol.check(8, [("3", "wine"), ("5", "wdbc")])
    assert somol.check(1, [("3", "wdbc")])


@pytest.mark.originals
@pytest.mark.seconds
def test_units_of_somol2011_on_original_files_have_the_results_of_its_file():
    somol = program("somol2011")
    assert somol.check(3, [("1", "dermatology"), ("3", "house"), ("3", "ionosphere")])


def test_a_unit_of_somol2011_with_another_result_is_reported(monkeypatch, tmp_path, capsys):
    somol = program("somol2011")
    monkeypatch.setitem(somol.PLAN, "3", {"wine": 1})
    monkeypatch.setattr(somol, "RESULTS", tmp_path / "results.jsonl")
    wine = [("3", "wine")]
    somol.run(wine, anew=False)
    lines = somol.RESULTS.read_text().splitlines()
    assert len(lines) == 3
    changed = json.dumps({**json.loads(lines[0]), "size": 99})
    somol.RESULTS.write_text("\n".join([changed, *lines[1:]]) + "\n")
    assert not somol.check(3, wine)
    somol.run(wine, anew=False)  # what is there is left as it is
    assert not somol.check(3, wine)
    somol.run(wine, anew=True)
    assert somol.check(3, wine)
    printed = capsys.readouterr().out
    assert re.findall(r"^(\d+) of (\d+) units", printed, re.MULTILINE) == [
        (same, "3") for same in "223"
    ]


@pytest.mark.originals
def test_the_bundled_tables_of_somol2011_are_the_originals():
    somol = program("somol2011")
    folder = Path(os.environ["HETSEL_DATA"])
    for name, file, target, first in (
        ("wine", "wine/wine.csv", -1, 0),
        ("wdbc", "wdbc/wdbc.data", 0, 1),
    ):
        cells = np.array([line.split(",") for line in (folder / file).read_text().split()])[
            :, first:
        ]
        x, y = somol.load(name)
        assert y.tolist() == cells[:, target].tolist()
        assert (x.to_numpy() == np.delete(cells, target, axis=1).astype(float)).all()


@pytest.fixture
def ramona(monkeypatch):
    monkeypatch.syspath_prepend(VIGNETTES / "ramona2012")
    return program("ramona2012/tables")


def test_the_document_of_ramona2012_has_the_tables_of_its_results(ramona):
    text = (VIGNETTES / "ramona2012.md").read_text()
    tables = ramona.tables().items()
    assert [n for n, table in tables if f"<!-- {n} -->\n{table}\n<!-- end -->" not in text] == []


def same_cells(ramona, name, found):
    """Cells that come out are those that are kept, to half a digit of the page."""
    key = ["data", "size", "method"]
    both = pd.DataFrame(found).merge(ramona.results(name), on=key, suffixes=("", "_kept"))
    assert len(both) == len(found) > 0
    for column in ("error", "deviation", "divisions"):
        np.testing.assert_allclose(both[column], both[f"{column}_kept"], atol=0.05)


@pytest.fixture
def tables_of_r(tmp_path):
    if shutil.which("Rscript") is None:
        pytest.skip("Rscript writes the data of mlbench")
    script = VIGNETTES / "ramona2012" / "mlbench.R"
    subprocess.run(["Rscript", "--vanilla", script, tmp_path], check=True)
    return tmp_path


def same_cells_of_a_part(ramona, name, whole, data, methods, folder):
    plan = replace(
        whole,
        datasets=[one for one in whole.datasets if one.name == data],
        methods=[one for one in whole.methods if one.label in methods],
    )
    same_cells(ramona, name, ramona.ran(name, plan, folder / "study.sqlite"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("fig1-linear", ["fisher-criterion", "kfds"]),
        ("fig1-gaussian", ["fisher-criterion", "sas, ten steps"]),
    ],
)
def test_cells_of_figure_1_of_ramona2012_come_out_as_reported(ramona, name, methods, tmp_path):
    same_cells_of_a_part(ramona, name, ramona.study(name), "20 rows", methods, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "data", "methods"),
    [("table4-linear", "heart", ["sas", "kfds"]), ("table6", "sonar", ["kfds"])],
)
def test_cells_of_ramona2012_come_out_as_reported(ramona, name, data, methods, tables_of_r):
    text = (VIGNETTES / "ramona2012" / f"{name}.toml").read_text()
    plan = tables_of_r / f"{name}.toml"
    plan.write_text(text.replace("../../.build/mlbench", str(tables_of_r)))
    same_cells_of_a_part(ramona, name, hetsel.Study.load(plan), data, methods, tables_of_r)


@pytest.mark.slow
@pytest.mark.originals
@pytest.mark.filterwarnings("ignore:the ascent stopped")
def test_table_5_of_ramona2012_comes_out_as_reported(ramona, monkeypatch):
    """Ten steps of SAS: the cells that changed unseen when an iteration became a step."""
    module = ramona.table5
    methods = {name: module.METHODS[name] for name in ("sas, ten steps", "kfds")}
    monkeypatch.setattr(module, "METHODS", methods)
    same_cells(ramona, "table5", ramona.lines("table5"))


def claims():
    return list(map(json.loads, (VIGNETTES / "claims.jsonl").read_text().splitlines()))


def test_each_claim_names_a_program_that_takes_its_options():
    commands = {line["command"] for line in claims()} - {None}
    assert len(commands) > 4
    for command in commands:
        words = shlex.split(command)
        if words[0] == "hetsel":
            assert (VIGNETTES.parent / words[-1]).exists(), command
            continue
        source = (VIGNETTES.parent / words[1]).read_text()
        options = [word for word in words if word.startswith("--")]
        assert all(f'"{option}"' in source for option in options), command
        assert "add_results_option(parser)" in source, command


def test_the_document_of_the_claims_asks_for_lines_that_exist():
    fields = {"claim", "command", "design", "error", "measure", "method", "tables", "value"}
    assert all(line.keys() == fields for line in claims())
    text = (VIGNETTES / "what-it-claims.Rmd").read_text()
    asked = set(re.findall(r'(?:lines_of|value_of)\(\s*"([^"]+)",\s*"([^"]+)"', text))
    assert len(asked) > 20
    assert asked <= {(line["claim"], line["measure"]) for line in claims()}


def test_a_claim_stands_once():
    keys = [
        json.dumps([line[name] for name in ("claim", "design", "method", "measure")])
        for line in claims()
    ]
    assert len(keys) == len(set(keys))


@pytest.mark.seconds
def test_a_campaign_appends_the_lines_that_are_kept(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(CAMPAIGNS)
    import repeated_rows

    results = tmp_path / "results.jsonl"
    monkeypatch.setattr(sys, "argv", ["repeated_rows.py", "--results", str(results)])
    repeated_rows.found_share("thrice, noise 0.02, numbers", 20, results)
    found = list(map(json.loads, results.read_text().splitlines()))
    assert len(found) == 5
    assert {line["value"] for line in found} > {1.0}
    for line in found:
        assert line in claims()


DOCUMENTS = sorted(VIGNETTES.glob("*.Rmd"))


@pytest.fixture(params=DOCUMENTS, ids=lambda file: file.stem)
def document(request):
    return request.param.read_text()


def test_a_document_has_a_title_and_says_what_it_is_for(document):
    title = re.search(r'^title: "(.+)"$', document, re.MULTILINE)[1]
    assert f"%\\VignetteIndexEntry{{{title}}}" in document
    prose = re.sub(
        r"\A---\n.*?\n---\n|^```\{.*?^```$", "", document, flags=re.DOTALL | re.MULTILINE
    )
    assert prose.strip().startswith("After this document you can ")


def test_a_document_names_files_that_exist(document):
    read = re.findall(r'(?:source|read_lines)\("([^"]+)"\)', document)
    linked = [name + ".Rmd" for name in re.findall(r"\]\(([\w-]+)\.html\)", document)]
    assert "setup.R" in read
    assert [name for name in read + linked if not (VIGNETTES / name).exists()] == []
    named = re.findall(r"\b(?:vignettes|tests)/[\w/.-]+\.\w+", document)
    assert [name for name in named if not (VIGNETTES.parent / name).exists()] == []


def test_a_document_names_methods_and_functions_that_exist(document):
    hyphened = set(re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`", document))
    listed = r'(?<![\w.])(?:methods?|keys) = (?:c\(|list\(|\[)?\s*((?:"[^"]*"(?:,\s*)?)+)'
    quoted = {key for part in re.findall(listed, document) for key in re.findall('"(.+?)"', part)}
    assert hyphened | quoted <= {*hetsel.method_keys(), "none"}  # none: all features
    functions = set(re.findall(r"\b(hetsel_\w+|install_hetsel)\(", document))
    namespace = (VIGNETTES.parent / "r_bridge" / "hetsel" / "NAMESPACE").read_text()
    assert functions <= set(re.findall(r"^export\((.+)\)$", namespace, re.MULTILINE))
    for name in set(re.findall(r"\bhetsel\.([A-Za-z]\w*)", document)):
        assert hasattr(hetsel, name), name


def test_the_r_package_carries_documents_that_exist():
    text = (VIGNETTES.parent / ".ci" / "stage-r-package").read_text()
    carried = re.search(r"documents=\((.*?)\)", text, re.DOTALL)[1].split()
    assert len(carried) > 2
    assert [name for name in carried if VIGNETTES / f"{name}.Rmd" not in DOCUMENTS] == []
    linked = {
        link
        for name in carried
        for link in re.findall(r"\]\(([\w-]+)\.html\)", (VIGNETTES / f"{name}.Rmd").read_text())
    }
    assert linked <= set(carried)
