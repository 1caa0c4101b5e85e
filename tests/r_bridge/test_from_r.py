"""A session in R and one in Python give the same rankings: rows of mlbench's Boston housing."""

import os
import subprocess
import sys

import pandas as pd
import pytest

import hetsel

OPTIONS = {
    "rf10000": {"ntree": 100},
    "random-forest": {"n_estimators": 50},
    "boruta": {"ntree": 50, "runs": 11},
    "cforest": {"ntree": 100},
}
SCRIPT = """
library(hetsel)
folder <- commandArgs(TRUE)[1]
data("BostonHousing2", package = "mlbench")
housing <- BostonHousing2[seq(1, 506, 3), setdiff(names(BostonHousing2), "medv")]
housing <- droplevels(housing)
stopifnot(is.factor(housing$town), is.factor(housing$chas))
write.csv(housing, file.path(folder, "housing.csv"), row.names = FALSE)
takes <- hetsel_methods()
for (k in seq_len(nrow(takes))) {
  key <- takes$key[k]
  kept <- c(names(housing)[vapply(housing, function(x) {
    grepl(if (is.factor(x)) "nominal" else "continuous", takes$takes[k])
  }, NA)], "cmedv")
  more <- switch(key,
    rf10000 = list(ntree = 100), "random-forest" = list(n_estimators = 50),
    boruta = list(ntree = 50, runs = 11), cforest = list(ntree = 100)
  )
  table <- housing[unique(kept)]
  call <- c(list(cmedv > 20 ~ ., table, method = key), more)
  ranking <- tryCatch(do.call(hetsel_rank, call), error = identity)
  if (inherits(ranking, "error")) {
    if (grepl("the R package \\\\w+ is not installed", conditionMessage(ranking))) next
    stop(ranking)
  }
  stopifnot(identical(unname(ranking$classes), c(75L, 94L)))
  result <- as.data.frame(ranking)
  value <- if (inherits(ranking, "hetsel_path")) "score" else "importance"
  result[[value]] <- sprintf("%.17g", result[[value]])
  write.csv(result, file.path(folder, paste0(key, ".csv")), row.names = FALSE)
}
"""


@pytest.fixture(scope="module")
def rankings(r_library, tmp_path_factory):
    """Folder of the data and, for every method, the ranking that R wrote."""
    folder = tmp_path_factory.mktemp("rankings")
    environment = {**os.environ, "RETICULATE_PYTHON": sys.executable, "R_LIBS": r_library}
    done = subprocess.run(
        ["Rscript", "--vanilla", "-e", SCRIPT, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def read_exactly(path, text):
    """A CSV file with every number rounded correctly, which pandas before 3.1 does not do."""
    cells = pd.read_csv(path, dtype=str)
    return cells.astype({name: float for name in cells if name not in text})


@pytest.mark.filterwarnings("ignore:R's \\w+ accepts at most \\d+ levels:UserWarning")  # town
@pytest.mark.filterwarnings("ignore:Fisher's exact test takes too long:UserWarning")
@pytest.mark.parametrize("key", hetsel.method_keys())
def test_the_ranking_from_r_is_that_from_python(rankings, key):
    categorical = ["town", "chas"]
    housing = read_exactly(rankings / "housing.csv", text=categorical)
    y = housing.pop("cmedv") > 20
    assert housing.shape == (169, 17)
    method = hetsel.get_method(key)
    kept = [
        name
        for name in housing
        if ("nominal" if name in categorical else "continuous") in method.about.takes
    ]
    nominal = [name for name in categorical if name in kept]
    selector = method(nominal=nominal, **OPTIONS.get(key, {})).fit(housing[kept], y)
    expected = selector.frame()
    got = read_exactly(rankings / f"{key}.csv", text=["feature", "features", "kind", "verdict"])
    if isinstance(selector.answer_, hetsel.SearchPath):
        assert got["size"].tolist() == expected["size"].tolist()
        assert got["score"].tolist() == expected["score"].tolist()
        assert got["features"].tolist() == expected["features"].str.join(", ").tolist()
        return
    assert got["feature"].tolist() == expected["feature"].tolist()
    assert got["importance"].tolist() == expected["importance"].tolist()
    assert got["kind"].tolist() == expected["kind"].tolist()
    assert got["rank"].tolist() == expected["rank"].tolist()
    assert ("verdict" in got) == ("verdict" in expected)
    if "verdict" in expected:
        assert got["verdict"].tolist() == expected["verdict"].tolist()
