"""Compute the tables of ramona2012.md: results of hetsel beside those of the paper.

    python vignettes/ramona2012/tables.py run                  # all: half an hour of one processor
    python vignettes/ramona2012/tables.py run table5 table6
    python vignettes/ramona2012/tables.py                      # rewrite the page from the results

`run` replaces the lines of a table in ramona2012.jsonl. A study that was stopped continues from its
store in .build/ramona2012. Data sets are read from the folder HETSEL_DATA. Sonar and Breast Cancer
are read from .build/mlbench, which `make paper-tables` fills. printed.csv has the numbers of the
paper.
"""

from __future__ import annotations

import argparse
import json
import re
import warnings
from pathlib import Path

import ascents
import fig1
import native_or_one_hot
import pairs
import pandas as pd
import table5

import hetsel

FOLDER = Path(__file__).parent
PAGE, RESULTS = FOLDER.with_name("ramona2012.md"), FOLDER.with_name("ramona2012.jsonl")
STORES = Path(".build/ramona2012")
PLANS = tuple(path.stem for path in sorted(FOLDER.glob("*.toml")))
PROGRAMS = {"table5": table5, "table2-pairs": pairs}  # loops that a study cannot express
OTHERS = {"native-or-one-hot": native_or_one_hot, "ascents": ascents}  # tables with other columns
NAMES = (*PLANS, "fig1-linear", "fig1-gaussian", *PROGRAMS, *OTHERS)
COMPARED = tuple(name for name in (*PLANS, *PROGRAMS) if name.startswith("table"))
ACCURACY = ("table6",)  # printed as accuracy, not as error
# name of a method in printed.csv, where it is not the word before the comma
PRINTED_AS = {"fisher-score": "fisher-criterion"}


def study(name: str) -> hetsel.Study:
    """Return the study of a plan, or of one half of Fig. 1."""
    if name.startswith("fig1-"):
        return fig1.study(name.removeprefix("fig1-"))
    return hetsel.Study.load(FOLDER / f"{name}.toml")


def summarized(name: str, scores: pd.DataFrame) -> list[dict]:
    """Return mean and SD of the error in percent, for the cells that the paper has."""
    groups = scores.groupby(["data", "size", "method"], sort=False)["error"]
    table = groups.agg(["mean", "std", "size"]).round(4)
    table.columns = ["error", "deviation", "divisions"]
    places = printed(name).index.droplevel("method")
    if len(places):
        table = table[table.index.droplevel("method").isin(places)]
    return table.reset_index().to_dict("records")


def ran(name: str, plan: hetsel.Study, store: Path) -> list[dict]:
    """Run the study of a table and return its results."""
    scores = plan.run(store, n_jobs=1).frame()
    scores = scores.assign(data=scores["dataset"], error=100 * (1 - scores["accuracy"]))
    return summarized(name, scores)


def table_of(line: str) -> str:
    """Return the table of a line of the results."""
    return json.loads(line)["table"]


def lines(name: str) -> list[dict]:
    """Return the results of a table: run, or read from its store."""
    if name in OTHERS:
        return list(OTHERS[name].lines())
    if name in PROGRAMS:
        columns = ["data", "size", "method", "error"]
        return summarized(name, pd.DataFrame(PROGRAMS[name].errors(), columns=columns))
    STORES.mkdir(parents=True, exist_ok=True)
    return ran(name, study(name), STORES / f"{name}.sqlite")


def results(name: str) -> pd.DataFrame:
    """Return the kept lines of a table."""
    kept = map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())
    return pd.DataFrame([line for line in kept if line["table"] == name])


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """Format a Markdown table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def printed(name: str) -> pd.DataFrame:
    """Return the numbers of the paper for a table."""
    found = pd.read_csv(FOLDER / "printed.csv")
    found = found[found["table"] == ("table2" if name.startswith("table2") else name)]
    if name == "table2-pairs":
        found = pd.concat([found.assign(data=rule) for rule in ("votes", "coupled")])
    return found.set_index(["data", "size", "method"])[["value", "deviation"]]


def compared(name: str) -> str:
    """Compare with the paper; the difference in SDs of the paper is in parentheses."""
    here, paper = results(name), printed(name)
    if name in ACCURACY:
        here["error"] = 100 - here["error"]
    methods = list(dict.fromkeys(here["method"]))
    here = here.set_index(["data", "size", "method"])[["error", "deviation"]]
    rows, away = [], {}
    places = dict.fromkeys((data, size) for data, size, _ in paper.index)
    for place in (place for place in places if (*place, methods[0]) in here.index):
        row = {"set": place[0], "features": str(place[1])}
        for method in methods:
            own, there = here.loc[(*place, method)], PRINTED_AS.get(method, method.split(",")[0])
            row[method] = f"{own['error']:.1f} ± {own['deviation']:.1f}"
            if (*place, there) not in paper.index:
                continue
            value, deviation = paper.loc[(*place, there)]
            row[f"{there}, paper"] = f"{value:.1f}"
            if deviation > 0:
                row[f"{there}, paper"] += f" ± {deviation:.1f}"
                difference = away[f"{method}, {place[0]}, {place[1]}"] = (
                    own["error"] - value
                ) / deviation
                row[method] += f" ({difference:+.1f})"
        rows.append(row)
    return f"{markdown(list(rows[0]), [list(row.values()) for row in rows])}\n\n{summary_of(away)}"


def summary_of(away: dict[str, float]) -> str:
    """Summarize the differences from the paper, in SDs of the paper."""
    low, high = min(away, key=away.__getitem__), max(away, key=away.__getitem__)
    near = sum(abs(value) <= 1 for value in away.values())
    return (
        f"{near} of {len(away)} cells are within one SD of the paper. The differences range "
        f"from {away[low]:+.1f} ({low}) to {away[high]:+.1f} ({high})."
    )


def wide(name: str, over: str) -> str:
    """Tabulate the errors of each method over data sets, or over sizes with SDs."""
    here = results(name)
    if over == "data":
        every = here["size"].max()
        rest = here[(here["size"] == every) & (here["method"] == here["method"].iloc[0])]
        here = pd.concat([here[here["size"] < every], rest.assign(method="all features")])
    columns = list(dict.fromkeys(here[over]))
    rows = []
    for method, part in here.groupby("method", sort=False):
        cells = part.set_index(over).loc[columns]
        shown = [f"{x:.1f}" for x in cells["error"]]
        if over == "size":
            shown = [f"{x} ± {d:.1f}" for x, d in zip(shown, cells["deviation"], strict=True)]
        rows.append([str(method), *shown])
    return markdown(["method", *(str(c).removesuffix(" rows") for c in columns)], rows)


def tables() -> dict[str, str]:
    """Return all tables of the page by name."""
    found = {name: compared(name) for name in COMPARED}
    found |= {name: wide(name, "data") for name in ("fig1-linear", "fig1-gaussian")}
    found |= {name: wide(name, "size") for name in ("fig2-linear", "fig2-gaussian")}
    for name in OTHERS:
        here = results(name).drop(columns="table")
        found[name] = markdown(list(here), here.astype(str).to_numpy().tolist())
    return found


def run(names: list[str]) -> None:
    """Replace the kept results of these tables, in the order of NAMES."""
    warnings.simplefilter("ignore", UserWarning)  # ten steps always end before the maximum
    for name in names:
        new = [json.dumps({"table": name, **line}) for line in lines(name)]
        kept = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
        lined = [line for line in kept if table_of(line) != name] + new
        lined.sort(key=lambda line: NAMES.index(table_of(line)))
        RESULTS.write_text("\n".join(lined) + "\n", encoding="utf-8")


def write_page() -> None:
    """Write each table between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    for name, table in tables().items():
        form = rf"(<!-- {name} -->\n).*?(\n<!-- end -->)"
        text, count = re.subn(form, rf"\g<1>{table}\g<2>", text, flags=re.DOTALL)
        assert count == 1, f"{PAGE} has {count} places for {name}"
    PAGE.write_text(text, encoding="utf-8")


def main() -> None:
    """Run tables, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command")
    runs = commands.add_parser("run")
    runs.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    options = parser.parse_args()
    if options.command:
        run(options.names or list(NAMES))
    write_page()


if __name__ == "__main__":
    main()
