"""What the product answers, as a folder of text files, to compare before and after a restructuring.

    python tests/arena/campaigns/unchanged.py record FOLDER [--tree CLONE] [--only PATTERN]
    python tests/arena/campaigns/unchanged.py compare FOLDER1 FOLDER2 [--lines N]

`record` asks the shell and the public names of Python, of this clone or of CLONE, with fixed seeds
and small tables. Into FOLDER go

    commands/   exit code, stdout and stderr of every command, and --help of each
    files/      what commands write: signatures, tables, exports of studies, pages
    answers/    the answer of every method of Python to a target of each kind
    public/     names and signatures of Python and R
    sentences/  the text of the sources, one literal of three words or more a line

Seconds, versions, dates, folders and places in the sources are left out of all of them; a figure is
its words and a digest. `compare` prints a short diff of each file that differs; the exit code is 1
if one does. What a commit renames on purpose it renames in SPELLED. It takes five minutes of one
processor, and several more where code is still to be compiled (`python -m hetsel.compile_ahead`).
Methods of R are not asked. With --only some commands lack the files that others write.
"""

from __future__ import annotations

import argparse
import ast
import csv
import difflib
import hashlib
import html
import inspect
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[3]
# where a tree has its sources of Python, and its R package
SOURCES = ("hetsel", "r_bridge")
R_PACKAGE = "r_bridge/hetsel"

# Commands, options, their values and the keys of plans by the names that the lists below call them,
# and as this tree spells them. A commit that renames one changes its right side, and nothing else
SPELLED = {
    **{name: name for name in ("inspect", "select", "predict", "validate", "plan-rows", "rank")},
    **{name: name for name in ("search", "methods", "study", "doctor")},
    **{name: name for name in ("run", "merge", "status", "export", "report", "schema")},
    # the table and its target
    "target": "--target",
    "kind-of-target": "--as",
    "time": "--time",
    "event": "--event",
    "nominal": "--nominal",
    "ordinal": "--ordinal",
    "drop": "--drop",
    "from-schema": "--schema",
    "separator": "--separator",
    "missing-mark": "--missing-mark",
    "skip": "--skip",
    "decimal": "--decimal",
    # the rows
    "row-groups": "--row-groups",
    "row-weights": "--row-weights",
    "drop-unlabeled": "--drop-unlabeled",
    "drop-seen": "--drop-seen",
    "missing": "--missing",
    "scale": "--scale",
    "seed": "--seed",
    # the selection
    "method": "--method",
    "several": "--methods",
    "param": "--param",
    "prove": "--prove",
    "always": "--always",
    "never": "--never",
    "unsupported": "--unsupported",
    "size": "--size",
    "size-rule": "--size-rule",
    "top": "--top",
    "positive": "--positive",
    "folds": "--folds",
    "repeats": "--repeats",
    "permutations": "--permutations",
    "pairs": "--pairs",
    "quick": "--quick",
    "jobs": "--jobs",
    # searches
    "how": "--search",
    "criterion": "--criterion",
    "rate": "--rate",
    "ties": "--ties",
    "voting": "--voting",
    "hybrid": "--hybrid",
    "together": "--group",
    "costs": "--costs",
    "budget": "--budget",
    "most-evaluations": "--max-evaluations",
    "archive": "--archive",
    # probabilities
    "prevalence": "--prevalence",
    "harm-ratio": "--harm-ratio",
    "thresholds": "--thresholds",
    "by": "--by",
    "unseen": "--unseen",
    "keep": "--keep",
    "trust": "--trust-edited",
    # plans of rows
    "candidates": "--candidates",
    "c-statistic": "--c-statistic",
    "r2": "--r2",
    "event-rate": "--event-rate",
    "follow-up": "--follow-up",
    "horizon": "--horizon",
    "mean": "--mean",
    "deviation": "--deviation",
    "width": "--width",
    "wanted-rate": "--rate",
    "find-effect": "--find-effect",
    "plantings": "--plantings",
    # what is written
    "out": "--out",
    "plot": "--plot",
    "save": "--save",
    "page": "--report",
    "save-schema": "--save-schema",
    "without-sketches": "--without-sketches",
    "raw-text": "--raw-text",
    "all": "--all",
    "json": "--json",
    "help": "--help",
    # studies
    "store": "--store",
    "part": "--part",
    "into": "--into",
    "quiet": "--quiet",
    "score": "--score",
    "figures": "--figures",
    "format": "--format",
    "plan_resamplings": "resamplings",
    "plan_classifiers": "classifiers",
    "plan_methods": "methods",
    "plan_datasets": "datasets",
    "plan_seed": "seed",
}
FEW = "{folds} 3 {repeats} 1 {permutations} 39 {pairs} 3 {jobs} 1"
TIMES = "{time} days {event} died"
PILOT = "{method} rfe-svm {size} 2 {folds} 3 {repeats} 2 {plantings} 4"
# name and arguments, in this order; a + before a name asks once more for JSON
COMMANDS = {
    "methods": "{methods}",
    "+methods-two": "{methods} rfe-mkl mrmr",
    "+inspect-heart": "{inspect} heart",
    "+inspect-patients": "{inspect} patients.csv {target} relapse {save-schema} schema.json",
    "inspect-schema": "{inspect} patients.csv {from-schema} schema.json {target} relapse",
    "+inspect-messy": "{inspect} messy.txt {separator} ; {decimal} , {missing-mark} -999 {skip} 1",
    "inspect-kinds": "{inspect} patients.csv {nominal} code {ordinal} grade=I<II<III {drop} id",
    "inspect-trial": "{inspect} trial.csv {time} days {event} died {row-groups} ward",
    "inspect-homes": "{inspect} homes.csv {target} price {row-weights} weight",
    "inspect-wide": "{inspect} wide.csv {target} class {all}",
    "+rank-heart": "{rank} heart {out} ranking.csv {plot} ranking.svg {save-schema} heart.json",
    "rank-top": "{rank} heart {method} hsic {top} 5 {size} 4 {scale} quantile",
    "rank-wide": "{rank} wide.csv {target} class {method} t-test {unsupported} skip {top} 10",
    "rank-tested": "{rank} heart {method} univariate-tests {missing} separate",
    "rank-weighted": "{rank} patients.csv {target} relapse {drop} id {row-weights} weight "
    "{method} rfe-svm {param} C=1.0 {always} age",
    "rank-proved": "{rank} patients.csv {target} relapse {drop} id {prove} {size} 3",
    "rank-sized": "{rank} heart {method} mrmr {size} auto {size-rule} knee",
    "rank-homes": "{rank} homes.csv {target} price {method} random-forest {seed} 3",
    "+rank-trial": "{rank} trial.csv " + TIMES + " {row-groups} ward",
    "rank-martingale": "{rank} trial.csv " + TIMES + " {kind-of-target} martingale {method} mi-knn",
    "rank-kinds": "{rank} kinds.csv {target} kind {method} relieff {out} kinds.tsv",
    "+search-heart": "{search} heart {ties} 0.01,0.05 {out} path.csv {plot} path.svg",
    "search-voting": "{search} heart {how} dos {criterion} 1nn,3nn,5nn {voting} order {hybrid} 0.5",
    "search-costs": "{search} patients.csv {target} relapse {drop} id {criterion} naive-bayes "
    "{costs} marker=30,pressure=2 {budget} 20 {together} sex,ward {never} code {always} age",
    "search-trial": "{search} trial.csv " + TIMES + " {criterion} ridge {how} sfs {size} 3",
    "search-homes": "{search} homes.csv {target} price {criterion} ridge {rate} press "
    "{how} sfs {archive} archive.txt {most-evaluations} 20",
    "+select-patients": "{select} patients.csv {target} relapse {drop} id,ward {by} ward "
    "{row-weights} weight {save} two.json {page} two.html {out} two.csv {harm-ratio} 4 "
    "{method} rfe-svm " + FEW,
    "select-heart": "{select} heart {method} hsic {page} heart.md {thresholds} 0.2,0.5 "
    "{prevalence} 0.2 " + FEW,
    "select-quick": "{select} heart {quick} {jobs} 1 {save} quick.json {without-sketches} "
    "{page} quick.docx",
    "select-several": "{select} heart {several} hsic,univariate-tests {size} knee {positive} 0 "
    "{folds} 3 {repeats} 1 {permutations} 0 {pairs} 3 {jobs} 1",
    "select-kinds": "{select} kinds.csv {target} kind {method} hsic {size} one-se "
    "{save} three.json {page} three.html " + FEW,
    "select-homes": "{select} homes.csv {target} price {drop} weight {method} rfe-mkl "
    "{save} numbers.json {page} numbers.html " + FEW,
    "+select-trial": "{select} trial.csv " + TIMES + " {row-groups} ward {method} univariate-tests "
    "{always} age {save} survival.json {page} survival.html " + FEW,
    "+predict-two": "{predict} two.json new.csv {unseen} separate {keep} id {missing-mark} -999",
    "predict-strange": "{predict} two.json new.csv",
    "predict-out": "{predict} two.json patients.csv {out} predicted.csv",
    "predict-three": "{predict} three.json kinds_new.csv",
    "predict-numbers": "{predict} numbers.json homes_new.csv",
    "+predict-survival": "{predict} survival.json trial_new.csv",
    "predict-edited": "{predict} edited.json patients.csv",
    "predict-trusted": "{predict} edited.json patients.csv {trust}",
    "+validate-two": "{validate} two.json later.csv {target} relapse {by} sex {page} later.html",
    "validate-seen": "{validate} two.json patients.csv {target} relapse",
    "validate-dropped": "{validate} two.json mixed.csv {target} relapse {drop-seen} "
    "{drop-unlabeled} {thresholds} 0.2,0.5 {page} later.md",
    "validate-three": "{validate} three.json kinds_new.csv {target} kind {page} kinds.docx",
    "validate-numbers": "{validate} numbers.json homes_new.csv {target} price {page} homes.html",
    "validate-survival": "{validate} survival.json trial_new.csv " + TIMES + " {page} trial.html",
    "+plan-rows-two": "{plan-rows} {candidates} 24 {prevalence} 0.174 {c-statistic} 0.89 "
    "{width} 0.1 {out} plan.csv",
    "plan-rows-three": "{plan-rows} {candidates} 17 {prevalence} 0.2,0.3,0.5 {r2} 0.3",
    "plan-rows-survival": "{plan-rows} {candidates} 30 {event-rate} 0.065 {follow-up} 2.07 "
    "{horizon} 2 {r2} 0.051",
    "plan-rows-numbers": "{plan-rows} {candidates} 25 {r2} 0.2 {mean} 1.9 {deviation} 0.6",
    "plan-rows-pilot": "{plan-rows} patients.csv {target} relapse {drop} id {width} 0.1 "
    "{wanted-rate} 0.8 {find-effect} 1 {json} " + PILOT,
    "plan-rows-trial": "{plan-rows} trial.csv " + TIMES + " {wanted-rate} 0.7 " + PILOT,
    "study-schema": "{study} {schema}",
    "study-classes": "{study} {run} classes.toml {jobs} 1 {quiet}",
    "study-survival": "{study} {run} survival.toml {jobs} 1 {quiet}",
    "study-part-1": "{study} {run} numbers.toml {jobs} 1 {quiet} {part} 1/2",
    "+study-status-part": "{study} {status} numbers.part-1-of-2.sqlite",
    "study-part-2": "{study} {run} numbers.toml {jobs} 1 {quiet} {part} 2/2",
    "study-merge": "{study} {merge} numbers.part-1-of-2.sqlite numbers.part-2-of-2.sqlite "
    "{into} numbers.sqlite",
    "+study-status": "{study} {status} classes.toml",
    "study-export-classes": "{study} {export} classes.toml {out} classes",
    "study-export-numbers": "{study} {export} numbers.toml {out} numbers {score} mae {raw-text}",
    "study-export-survival": "{study} {export} survival.toml {out} survival",
    "study-report-classes": "{study} {report} classes.toml {out} classes.html",
    "study-report-numbers": "{study} {report} numbers.toml {out} study_numbers.html",
    "study-report-survival": "{study} {report} survival.toml {out} study_survival.html "
    "{figures} figures {format} svg",
    "study-changed": "{study} {status} changed.toml {store} classes.sqlite",
    "study-failing": "{study} {run} failing.toml {jobs} 1",
    "study-failed": "{study} {status} failing.toml",
    "study-export-failed": "{study} {export} failing.toml {out} failing",
    "study-report-failed": "{study} {report} failing.toml {out} failing.html",
    "study-nowhere": "{study} {run} nowhere.toml",
    # what is refused
    "no-command": "frobnicate",
    "no-table": "{rank} nowhere.csv {target} relapse",
    "no-target": "{rank} patients.csv {target} relaps",
    "no-method": "{rank} heart {method} rfe-mlk",
    "no-parameter": "{rank} heart {param} depth=3",
    "no-target-of-method": "{rank} homes.csv {target} price {method} chi-square",
    "no-columns-of-method": "{rank} heart {method} chi-square",
    "no-weights": "{rank} heart {method} hsic {row-weights} age",
    "no-size": "{rank} heart {size} 99",
    "no-suffix": "{rank} heart {out} ranking.xyz",
    "no-folder": "{rank} heart {out} nowhere/ranking.csv",
    "two-targets": "{rank} trial.csv {target} age " + TIMES,
    "no-event": "{rank} trial.csv {time} days",
    "missing-refused": "{rank} heart {missing} error",
    "one-class": "{rank} constant.csv {target} y",
    "few-permutations": "{select} heart {permutations} 10",
    "no-criterion": "{search} heart {criterion} magic",
    "dear": "{search} patients.csv {target} relapse {costs} age=x",
    "no-model": "{predict} patients.csv patients.csv",
    "no-column": "{predict} two.json homes_new.csv",
    "no-prevalence": "{plan-rows} {candidates} 24",
    "no-plan": "{study} {run} absent.toml",
    "wrong-plan": "{study} {run} wrong.toml",
    "no-store": "{study} {report} patients.csv {out} nothing.html",
}
HELP = (
    *("", "inspect", "select", "predict", "validate", "plan-rows", "rank", "search", "methods"),
    *("study", "doctor", "study run", "study merge", "study status", "study export"),
    *("study report", "study schema"),
)
PLANS = {
    "classes": """\
{plan_methods} = ["rfe-mkl", "univariate-tests", "hfs-nb"]
{plan_classifiers} = ["clinical-svm", "naive-bayes"]
{plan_resamplings} = 4
{plan_datasets} = ["heart"]
""",
    "numbers": """\
{plan_methods} = ["rfe-mkl", "rfe-svm"]
{plan_classifiers} = ["ridge", "sklearn.linear_model.LinearRegression"]
{plan_resamplings} = 3
[[{plan_datasets}]]
name = "homes"
file = "homes.csv"
target = "price"
row_weights = "weight"
[[{plan_datasets}]]
name = "by shares"
treatment_of = "homes"
scale = "quantile"
""",
    "survival": """\
{plan_methods} = ["rfe-mkl", "univariate-tests", "variance"]
{plan_resamplings} = {{count = 3, test_share = 0.3}}
[[{plan_classifiers}]]
key = "cox"
[[{plan_classifiers}]]
key = "sksurv.linear_model.CoxPHSurvivalAnalysis"
params = {{alpha = 0.1}}
[[{plan_datasets}]]
name = "trial"
file = "trial.csv"
row_groups = "ward"
target = {{time = "days", event = "died"}}
""",
    "changed": '{plan_methods} = ["rfe-mkl", "hsic"]\n{plan_datasets} = ["heart"]\n',
    "failing": """\
{plan_resamplings} = 2
{plan_datasets} = ["heart"]
[[{plan_methods}]]
key = "hsic"
[[{plan_methods}]]
key = "sklearn.feature_selection.SelectFwe"
params = {{alpha = -1.0}}
""",
    "nowhere": '{plan_methods} = ["no-such.method.Anywhere"]\n{plan_datasets} = ["heart"]\n',
    "wrong": '{plan_methods} = ["rfe-mlk"]\n{plan_datasets} = ["heart"]\nresampling = 3\n',
}
PACKAGES = (
    *("numpy", "scipy", "pandas", "scikit-learn", "statsmodels", "numba", "joblib", "matplotlib"),
    *("jinja2", "python", "Python", "python-docx", "scikit-survival", "sksurv", "sklearn"),
)
# expressions of public names, on the data of `given`
CALLS = (
    *("kuncheva(subsets, 8)", "cw_rel(subsets, 8)", "ati(subsets, 8)", "nogueira(subsets, 8)"),
    *("nogueira_interval(subsets, 8)", "false_selection_bound(q=5, p=50, threshold=0.8)"),
    *("selection_threshold(q=5, p=50, bound=1.0)", "most_selected(p=50, threshold=0.8, bound=1.0)"),
    *(
        "knockoff_threshold(W, 0.4)",
        "knockoff_evalues(W, 0.4)",
        "e_benjamini_hochberg(np.abs(W) * 9)",
    ),
    *("permutation_pvalue([0, 3], 99)", "sequential_pvalue(10, 40, enough=10, most=499)"),
    *("friedman(scores)", "nemenyi(scores)", "wilcoxon_holm(scores)", "fisher_exact(counts)"),
    *("skillings_mack(gaps)", "nemenyi_with_gaps(gaps)", "bayesian_sign_test(W)"),
    *("bayesian_t_test(W, test_share=0.1)", "bayesian_signed_rank_test(W)"),
    *("resampled_t_test(W, test_share=0.1)", "resampled_interval(W, test_share=0.1)"),
    "smallest_good_size(scores, [1, 2, 4, 8], test_share=0.1)",
    "crossfitted_sizes(scores, [1, 2, 4, 8], test_share=0.1)",
    *("clinical_kernel(X)[:3, :3]", "knockoffs(X).values[:3]", "knockoff_check(X)"),
    *("cautions(X, y)", "Schema.infer(X).to_json()", "Schema.infer(X).encode(X).values[:3]"),
    *("ClinicalSVC().fit(X, y).decision_function(X)[:5]", "ClinicalMKL().fit(X, y).predict(X)[:5]"),
    "ClinicalSVR().fit(X, X['marker']).predict(X)[:5]",
    "choose_size(get_method('hsic')().fit(X, y), X, y)",
    "selection_in_halves(get_method('hsic')(), X, y, 2, pairs=5)",
    "permuted_ranking(get_method('hsic')(), X, y, permutations=19)",
    "knockoff_selection(get_method('rfe-mkl')(), X, y, fdr=0.5, check=False)",
    "survival([2.0, 1.5, 3.0], ['dead', 'alive', 'dead'], event_value='dead')",
)


def cohort(seed: int, n: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Patients, the columns of every kind, and what of their fate the columns tell."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "id": [f"p{seed}-{k}" for k in range(n)],
            "age": rng.normal(60, 9, n).round(1),
            "sex": rng.choice(["f", "m"], n),
            "grade": rng.choice(["I", "II", "III"], n, p=[0.5, 0.3, 0.2]),
            "code": rng.integers(1, 5, n),
            "marker": rng.exponential(2, n).round(3),
            "pressure": rng.integers(90, 170, n),
            "seen": (np.datetime64("2020-01-01") + rng.integers(0, 900, n)).astype(str),
            "ward": np.arange(n) // 4,
            "weight": rng.choice([0.5, 1.0, 2.0], n),
        }
    )
    told = (frame["age"] - 60) / 9 + 1.5 * (frame["grade"] == "III") + frame["marker"] / 2
    told += (frame["code"] == 3) + 0.5 * (frame["sex"] == "m")
    return frame, told.to_numpy() - told.mean() + rng.normal(0, 0.7, n)


def patients(seed: int, n: int) -> pd.DataFrame:
    """Two classes, and missing cells."""
    frame, told = cohort(seed, n)
    frame["relapse"] = np.where(told > 0.2, "yes", "no")
    frame.loc[3::17, "marker"] = np.nan
    frame.loc[5::23, "grade"] = None
    return frame


def kinds(seed: int, n: int) -> pd.DataFrame:
    """Three classes."""
    frame, told = cohort(seed, n)
    frame["kind"] = np.array(["mild", "plain", "severe"])[np.digitize(told, [-0.7, 0.8])]
    return frame.drop(columns=["id", "ward", "weight", "seen"])


def homes(seed: int, n: int) -> pd.DataFrame:
    """Numbers."""
    frame, told = cohort(seed, n)
    return frame.drop(columns=["id", "ward", "seen"]).assign(price=(told + 9).round(2))


def trial(seed: int, n: int) -> pd.DataFrame:
    """Survival times."""
    frame, told = cohort(seed, n)
    rng = np.random.default_rng([seed, 1])
    days = rng.exponential(300 * np.exp(-told)) + 1
    known = rng.uniform(50, 900, n)
    frame = frame.drop(columns=["id", "weight", "seen"])
    return frame.assign(days=np.minimum(days, known).round(1), died=(days <= known).astype(int))


def messy(n: int = 40) -> str:
    """A file as spreadsheets write it: a title, decimal commas, marks of missing cells."""
    rng = np.random.default_rng(11)
    rows = ["Export of the register", "no;=name;size in cm;site;empty;one;when;mixed;y"]
    for k in range(n):
        size = "-999" if k % 9 == 4 else f"{rng.normal(170, 9):.1f}".replace(".", ",")
        cells = [k, f"n{k}", size, "RomeOslo"[k % 2 * 4 :][:4], "", 7, f"{1 + k % 28}.03.2021"]
        rows.append(";".join(map(str, [*cells, "abc"[k % 3] if k % 5 else k, k % 2])))
    return "\n".join(rows) + "\n"


def write_tables(folder: Path) -> None:
    """The tables and the plans that the commands name."""
    import hetsel

    new = patients(3, 12).drop(columns="relapse").astype({"marker": float})
    new.loc[1, ["sex", "age"]] = ["x", 150.0]
    new.loc[2, "marker"] = -999
    later = patients(2, 80)
    mixed = pd.concat([patients(1, 20), later.tail(60)], ignore_index=True)
    mixed.loc[30:32, "relapse"] = None
    wide = hetsel.datasets.simulate_linear(60, seed=1, levels=4)
    frames = {
        **{"patients": patients(1, 120), "later": later, "new": new, "mixed": mixed},
        **{"kinds": kinds(4, 120), "kinds_new": kinds(5, 60)},
        **{"homes": homes(6, 120), "homes_new": homes(7, 60)},
        **{"trial": trial(8, 140), "trial_new": trial(9, 80)},
        "constant": kinds(4, 20).assign(y=1),
        "wide": pd.concat([wide.X, wide.y], axis=1),
    }
    for name, frame in frames.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    (folder / "messy.txt").write_text(messy(), encoding="utf-8")
    for name, plan in PLANS.items():
        called = "classes" if name == "changed" else name
        head = f'name = "{called}"\n{SPELLED["plan_seed"]} = 1\n'
        (folder / f"{name}.toml").write_text(head + plan.format_map(SPELLED), encoding="utf-8")


class Clean:
    """Takes out of a text what is of the machine, the day or the place in the sources."""

    def __init__(self, tree: Path, work: Path, version: str) -> None:
        packages = "|".join(map(re.escape, PACKAGES))
        number = r"\d+(?:\.\d+)+\w*"
        self._rules = [
            (re.escape(str(tree)), "TREE"),
            (re.escape(str(work)), "WORK"),
            (re.escape(sys.prefix), "PREFIX"),
            (date.today().isoformat(), "TODAY"),
            (rf"(?<![\w.]){re.escape(version)}(?!\w|\.\d)", "VERSION"),
            (rf"\b({packages})((?:</span>)? v?|-|==){number}", r"\1\2#"),
            (rf"Matplotlib v{number}", "Matplotlib #"),
            (r"machine (?:Linux|Darwin|Windows) \w+", "machine #"),
            (r"hetsel: (?:note: compiling|.* cells?, .* (?:passed|elapsed)).*\n", ""),
            (r"\([\w-]+\.pyx?:\d+\)", "(#)"),
            (r" at 0x[0-9a-f]+>", ">"),
            (r"ForwardRef\(('[^']*')\)", r"\1"),
            (r'("(?:\w+_)?seconds": )[\d.e-]+', r"\1#"),
            (r'("facts\.version": )"\w+"', r'\1"#"'),
            (r"(, |in )[\d.]+ s( \([\d.]+ % in the store\))?(?=$|:)", r"\1# s"),
            # what a study says of processor time
            (r"(A ranking takes from ).*?( of processor time)", r"\1#\2"),
            (r'(?s)(<table id="table-seconds">.*?<tbody>).*?(</tbody>)', r"\1#\2"),
        ]

    def __call__(self, text: str) -> str:
        for form, then in self._rules:
            text = re.sub(form, then, text, flags=re.MULTILINE)
        return text

    def file(self, path: Path) -> str:
        """The text of a file that a command wrote."""
        if path.suffix == ".docx":
            return self(words_of_docx(path))
        if path.suffix == ".png":
            return hashlib.sha256(path.read_bytes()).hexdigest() + "\n"
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            return self(re.sub(r"(?<=>)(?=<)", "\n", re.sub(r"(?s)<svg.*?</svg>", drawn, text)))
        if path.suffix == ".svg":
            return self(drawn(text)) + "\n"
        return self(without_places(text) if path.suffix == ".csv" else text)


def drawn(found: re.Match[str] | str) -> str:
    """A figure as its label, its words and a digest; of seconds nothing but that it is there."""
    svg = found if isinstance(found, str) else found[0]
    svg = re.sub(r"Matplotlib v[\d.]+", "", svg)
    label = html.unescape(" ".join(re.findall(r'aria-label="([^"]*)"', svg)))
    if "econds of one ranking" in svg:
        return "<figure of seconds>"
    words = [html.unescape(word) for word in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]
    mark = hashlib.sha256(svg.encode()).hexdigest()[:16]
    return f"<figure {mark}: {label}\n  {' | '.join(words)}>"


def words_of_docx(path: Path) -> str:
    """The text of a Word file, a paragraph each line."""
    with zipfile.ZipFile(path) as parts:
        body = parts.read("word/document.xml").decode()
    paragraphs = re.findall(r"(?s)<w:p[ >].*?</w:p>", body)
    told = ("".join(re.findall(r"(?s)<(?:w|m):t(?: [^>]*)?>(.*?)</", p)) for p in paragraphs)
    return "\n".join(html.unescape(line) for line in told if line) + "\n"


def without_places(text: str) -> str:
    """A CSV file, columns of seconds and of traces through the sources emptied."""
    head, *rows = list(csv.reader(io.StringIO(text))) or [[]]
    left = {k for k, name in enumerate(head) if "seconds" in name or name == "trace"}
    if not left:
        return text
    kept = [["#" if k in left else cell for k, cell in enumerate(row)] for row in rows]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, *kept])
    return out.getvalue()


class Recorder:
    """Asks the product of a tree, and writes what it answers.

    Parameters
    ----------
    folder, tree, work : Path
        Where the answers go; the clone that is asked; where its commands run.
    only : str
        A form that the names of commands to run must have; they still run in order.
    """

    def __init__(self, folder: Path, tree: Path, work: Path, only: str) -> None:
        import hetsel

        self.folder, self.tree, self.work, self.only = folder, tree, work, only
        self.clean = Clean(tree, work, hetsel.__version__)

    def write(self, name: str, text: str) -> None:
        """A file of the record."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def said(self, arguments: list[str], shown: str) -> str:
        """A command, with its exit code and what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", "hetsel", *arguments],
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        parts = f"--- stdout\n{done.stdout}--- stderr\n{done.stderr}"
        return f"hetsel {shown}\nexit code {done.returncode}\n{self.clean(parts)}"

    def commands(self) -> None:
        """Every command as text, some as JSON, and the files that they write."""
        for key, line in COMMANDS.items():
            name = key.lstrip("+")
            if not re.search(self.only, name):
                continue
            self.prepare(name)
            before = self.written()
            for end in ("", " {json}") if key != name else ("",):
                arguments = [word.format_map(SPELLED) for word in shlex.split(line + end)]
                file = f"commands/{name}{'-json' if end else ''}.txt"
                self.write(file, self.said(arguments, line + end))
            for path, mark in sorted(self.written().items()):
                if before.get(path) != mark and path.suffix != ".sqlite":
                    self.keep(path)
        for words in HELP:
            arguments = [SPELLED[word] for word in words.split()]
            shown = f"{words} {{help}}".strip()
            name = f"commands/help-{words.replace(' ', '-') or 'all'}.txt"
            self.write(name, self.said([*arguments, SPELLED["help"]], shown))

    def keep(self, path: Path) -> None:
        """Record a file of the folder of work."""
        self.write(f"files/{path.relative_to(self.work)}.txt", self.clean.file(path))

    def pages(self) -> None:
        """The pages of saved signatures as Python writes them, in the formats not yet there."""
        import hetsel

        for name in ("two", "three", "numbers", "survival"):
            if not (file := self.work / f"{name}.json").exists():
                continue
            saved = hetsel.load_signature(file)
            for suffix in (".md", ".docx"):
                page = hetsel.write_signature_report(saved, self.work / f"{name}{suffix}")
                self.keep(page)

    def prepare(self, name: str) -> None:
        """Before the first command of an edited signature, the edit."""
        if name == "predict-edited" and (file := self.work / "two.json").exists():
            saved = json.loads(file.read_text(encoding="utf-8"))
            saved["model"]["C"] = saved["model"]["C"] * 2
            (self.work / "edited.json").write_text(json.dumps(saved), encoding="utf-8")

    def written(self) -> dict[Path, int]:
        """The files of the folder of work, and when each was written."""
        found = (path for path in self.work.rglob("*") if path.is_file())
        return {path: path.stat().st_mtime_ns for path in found}

    def doctor(self) -> None:
        """What is looked at, without what is found: that is of the machine."""
        arguments = [SPELLED["doctor"]]
        lines = self.said(arguments, "{doctor}").splitlines()
        names = [line[9:27].strip() for line in lines if re.match("ok|missing|problem", line)]
        names = [name for name in names if not re.search(r"\bR\b|rpy2", name)]  # R may be slow
        told = self.said([*arguments, SPELLED["json"]], "{doctor} {json}")
        found = json.loads(re.search(r"(?s)--- stdout\n(.*)--- stderr", told)[1])
        keys = {str(sorted(check)) for check in found["checks"]}
        listed = [*names, str(sorted(found)), *sorted(keys)]
        self.write("commands/doctor.txt", "\n".join(listed) + "\n")

    def answers(self) -> None:
        """The answer of every method of Python to small tables, and those of single functions."""
        import hetsel

        catalogue = hetsel.method_table()
        times = trial(8, 60)
        targets = {
            "two": ("classes", patients(1, 60).drop(columns=["id", "seen"]), "relapse"),
            "three": ("classes", kinds(4, 60), "kind"),
            "numbers": ("numbers", homes(6, 60), "price"),
            "survival": ("survival", times.drop(columns=["days"]), "died"),
        }
        for name, (kind, frame, column) in targets.items():
            X, y = frame.drop(columns=column), frame[column]
            if kind == "survival":
                y = hetsel.survival(times["days"], times["died"])
            for row in catalogue.to_dict("records"):
                if kind in row["targets"].split(", ") and not row["requires"]:
                    told = self.clean(answer(row["key"], X, y))
                    self.write(f"answers/{name}/{row['key']}.txt", told)
        self.write("answers/functions.txt", self.clean("\n".join(calls())))

    def public(self) -> None:
        """Names and signatures, and the sentences of the sources."""
        self.write("public/python.txt", self.clean("\n".join(python_names()) + "\n"))
        package = self.tree / R_PACKAGE
        names = (package / "NAMESPACE").read_text(encoding="utf-8")
        self.write("public/r_namespace.txt", names)
        sources = sorted((package / "R").glob("*.R"))
        text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
        self.write("public/r_formals.txt", r_formals(names, package / "R"))
        self.write("sentences/r.txt", catalogue_of(r_strings(text)))
        found = (
            literal
            for folder in SOURCES
            for path in (self.tree / folder).rglob("*.py")
            for literal in literals(ast.parse(path.read_text(encoding="utf-8")))
        )
        self.write("sentences/python.txt", catalogue_of(found))


def answer(key: str, X: pd.DataFrame, y: Any) -> str:
    """What a method finds in a table, or why not."""
    import hetsel

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = hetsel.get_method(key)(unsupported="skip").fit(X, y).frame()
            text = found.to_csv(index=False)
        except Exception as reason:
            text = f"{type(reason).__name__}: {reason}\n"
    notes = {f"{one.category.__name__}: {one.message}" for one in told}
    return "\n".join([text, *sorted(notes)])


def calls() -> Iterator[str]:
    """Each expression of CALLS and what it is."""
    import hetsel

    rng = np.random.default_rng(5)
    frame = patients(1, 60)
    scores = rng.normal(0.8, 0.05, (9, 4)).round(3)
    known = {
        "np": np,
        "X": frame[["age", "sex", "code", "marker", "pressure"]].fillna({"marker": 1.0}),
        "y": frame["relapse"],
        "W": rng.normal(1, 1, 20).round(3),
        "scores": scores,
        "gaps": np.where(rng.uniform(size=scores.shape) < 0.1, np.nan, scores),
        "counts": np.array([[7, 2], [3, 8]]),
        "subsets": [[0, 1, 2], [0, 1, 3], [0, 2, 5], [0, 1, 2]],
    }
    for call in CALLS:
        names = {
            name: getattr(home, name)
            for home in (hetsel.stability, hetsel.stats, hetsel)
            for name in re.findall(r"[A-Za-z_]+", call)
            if hasattr(home, name)
        }
        with warnings.catch_warnings(), np.printoptions(threshold=100_000, precision=15):
            warnings.simplefilter("ignore")
            try:
                found = eval(call, {**known, **names})
                text = found if isinstance(found, str) else repr(found)
            except Exception as reason:
                text = f"{type(reason).__name__}: {reason}"
        yield f"> {call}\n{text}"


def python_names() -> Iterator[str]:
    """Public names of Python with their signatures, classes with those of their methods."""
    import hetsel

    for home in (hetsel, *map(hetsel.__getattr__, hetsel._NAMESPACES)):
        for name in sorted(home.__all__):
            thing = getattr(home, name)
            yield f"{home.__name__}.{name}{signature(thing)}"
            if not isinstance(thing, type):
                continue
            for inner in sorted(dir(thing)):
                of = inspect.getattr_static(thing, inner)
                of = getattr(of, "__func__", getattr(of, "fget", of))
                ours = inspect.isfunction(of) and of.__module__.startswith("hetsel")
                if not inner.startswith("_") and ours:
                    yield f"    {name}.{inner}{signature(of)}"


def signature(thing: Any) -> str:
    """The signature of what can be called; the kind of other things."""
    try:
        return str(inspect.signature(thing)) if callable(thing) else f": {type(thing).__name__}"
    except (TypeError, ValueError):
        return ": no signature"


R_TOKEN = re.compile(
    r"""(?s)#[^\n]*|(?<![\w.])[rR](["'])(-*)[(\[{](.*?)[)\]}]\2\1"""
    r"""|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`"""
)
# files are read until each has what it reads of others
FORMALS = """
args <- commandArgs(TRUE)
home <- new.env()
left <- list.files(args[1], "[.]R$", full.names = TRUE)
fails <- function(file) inherits(try(sys.source(file, home), silent = TRUE), "try-error")
for (turn in 1:5) left <- Filter(fails, left)
for (file in left) cat("cannot be read:", basename(file), "\\n")
for (name in args[-1]) {
  found <- get0(name, home)
  said <- if (is.function(found)) head(trimws(deparse(args(found), 500)), -1) else class(found)
  cat(name, ": ", paste(said, collapse = " "), "\\n", sep = "")
}
"""


def r_strings(text: str) -> Iterator[str]:
    """The strings of R sources."""
    for found in R_TOKEN.finditer(text):
        if found[3] is not None:
            yield found[3]
        elif found[0][0] in "\"'":
            yield found[0][1:-1]


def r_formals(names: str, folder: Path) -> str:
    """Each exported function and method of R with its arguments, where R is installed."""
    if shutil.which("Rscript") is None:
        return "R is not here\n"
    every = re.findall(r"export\((\w+)\)", names)
    for generic, of in re.findall(r'S3method\("?([^",]+)"?,([\w.]+)\)', names):
        every.append(f"{generic.rpartition(':')[2]}.{of}")
    command = ["Rscript", "--vanilla", "-e", FORMALS, str(folder), *sorted(every)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def literals(tree: ast.AST) -> Iterator[str]:
    """String literals and templates of f-strings; docstrings and parts of templates are none."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(p.value if isinstance(p, ast.Constant) else "{}" for p in node.values)
            left += [p.value for p in node.values if isinstance(p, ast.FormattedValue)]
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        left += ast.iter_child_nodes(node)


def catalogue_of(found: Iterator[str]) -> str:
    """Those of three words or more, each once, one a line."""
    kept = {
        text.replace("\\", "\\\\").replace("\n", "\\n")
        for text in found
        if len(re.findall(r"(?:^|\s)\S*(?:[^\W\d_]|\{\})\S*", text)) >= 3
    }
    return "\n".join(sorted(kept)) + "\n"


def record(folder: Path, tree: Path, only: str) -> int:
    """Write the record of a tree."""
    import hetsel

    assert Path(hetsel.__file__).is_relative_to(tree), f"{hetsel.__file__} is not of {tree}"
    if folder.exists() and any(folder.iterdir()):
        print(f"{folder} is not empty", file=sys.stderr)
        return 2
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hetsel-unchanged-") as place:
        work = Path(place).resolve()
        recorder = Recorder(folder, tree, work, only)
        write_tables(work)
        recorder.public()
        recorder.commands()
        if not only:
            recorder.pages()
            recorder.answers()
            recorder.doctor()
    written = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    seconds, used = time.monotonic() - began, sum(os.times()[:4])
    size = f"{len(written)} files, {sum(written) / 1e6:.1f} MB"
    print(f"{size}, {seconds:.0f} s, {used:.0f} s of processor time: {folder}")
    return 0


def in_own_process(tree: Path) -> None:
    """Begin anew with the environment of the record, if this is not yet it."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HETSEL", "PYTHON"))}
    made = {
        **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "NUMEXPR", "MKL")},
        **{"PYTHONPATH": str(tree), "COLUMNS": "100", "LC_ALL": "C.UTF-8", "TZ": "UTC"},
    }
    if dict(os.environ) != (wanted := kept | made):
        os.execve(sys.executable, [sys.executable, *sys.argv], wanted)


def compare(first: Path, second: Path, most: int) -> int:
    """Print what differs; 1 if anything does."""
    files = [
        {str(p.relative_to(f)): p.read_text(encoding="utf-8") for p in f.rglob("*") if p.is_file()}
        for f in (first, second)
    ]
    differ = 0
    for name in sorted({*files[0], *files[1]}):
        texts = [one.get(name) for one in files]
        if texts[0] == texts[1]:
            continue
        differ += 1
        if None in texts:
            print(f"{name}: only in {first if texts[1] is None else second}")
            continue
        lines = [text.splitlines() for text in texts if text is not None]
        found = list(difflib.unified_diff(*lines, n=1, lineterm=""))[2:]
        print(f"{name}: {sum(line[0] in '+-' for line in found)} lines differ")
        print(*(f"    {line[:300]}" for line in found[:most]), sep="\n")
        if len(found) > most:
            print(f"    ... and {len(found) - most} lines more")
    print(f"{differ} of {len({*files[0], *files[1]})} files differ")
    return int(differ > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    actions = parser.add_subparsers(dest="action", required=True)
    recording = actions.add_parser("record")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--tree", type=Path, default=ROOT, help="default: this clone")
    recording.add_argument("--only", default="", help="commands whose names have this form")
    comparing = actions.add_parser("compare")
    comparing.add_argument("folders", type=Path, nargs=2)
    comparing.add_argument("--lines", type=int, default=20, help="of each diff; default 20")
    options = parser.parse_args()
    if options.action == "compare":
        return compare(*options.folders, options.lines)
    tree = options.tree.resolve()
    in_own_process(tree)
    return record(options.folder, tree, options.only)


if __name__ == "__main__":
    sys.exit(main())
