"""A signature of one public table, judged on another one that shares its columns.

    python tests/arena/benchmarks/external_validation.py PAGES

Relapse of breast cancer within three years: developed on the women of Rotterdam
(`survival::rotterdam` of R), judged on those of the German trial (`survival::gbsg`); both come with
R's package survival. Writes the two tables, the signature and both pages into the folder PAGES.
"""

from __future__ import annotations

import argparse
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import hetsel

YEARS = 3
EXPORT = """
library(survival)
write.csv(rotterdam, file.path("{folder}", "rotterdam-as-it-is.csv"), row.names = FALSE)
write.csv(gbsg, file.path("{folder}", "gbsg-as-it-is.csv"), row.names = FALSE)
"""
GRADES = {1: "I", 2: "II", 3: "III"}


def known(frame, size, time, event):
    """The columns that both share, of rows whose three years are known."""
    within = time <= YEARS * 365.25
    outcome = np.where(event & within, "relapse", np.where(~within, "free", ""))
    found = pd.DataFrame(
        {
            "age": frame["age"],
            "meno": frame["meno"].map({0: "pre", 1: "post"}),
            "size": size,
            "grade": frame["grade"].map(GRADES),
            "nodes": frame["nodes"],
            "pgr": frame["pgr"],
            "er": frame["er"],
            "hormon": frame["hormon"].map({0: "no", 1: "yes"}),
            "outcome": outcome,
        }
    )
    return found[found["outcome"] != ""].reset_index(drop=True)


def tables(folder):
    """Both tables."""
    subprocess.run(["Rscript", "-e", EXPORT.format(folder=folder)], check=True)
    one, other = (pd.read_csv(folder / f"{name}-as-it-is.csv") for name in ("rotterdam", "gbsg"))
    event = (one["recur"] == 1) | (one["death"] == 1)
    time = one["rtime"].where(one["recur"] == 1, one["dtime"])
    size = pd.cut(other["size"], [-1, 20, 50, np.inf], labels=["<=20", "20-50", ">50"])
    return (
        known(one, one["size"], time, event),
        known(other, size.astype(str), other["rfstime"], other["status"] == 1),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pages", type=Path)
    folder = parser.parse_args().pages
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    develop, judge = tables(folder)
    options = {"permutations": 39, "pairs": 10, "repeats": 1, "positive": "relapse"}
    found = hetsel.Signature(**options, harm_ratio=4)
    found.fit(develop.drop(columns="outcome"), develop["outcome"], by="meno")
    found.save(folder / "signature.json")
    hetsel.write_signature_report(found, folder / "signature.html")
    print(hetsel.summary(found), "\n")
    new = judge.drop(columns="outcome")
    validated = hetsel.validate_signature(found, new, judge["outcome"], by="meno")
    hetsel.write_validation_report(validated, folder / "validation.html")
    print(hetsel.summary(validated))


if __name__ == "__main__":
    main()
