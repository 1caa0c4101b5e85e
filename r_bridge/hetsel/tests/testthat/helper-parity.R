# Three tables for R and for Python. Python gets none of them through hetsel: it reads what is
# written here, with the types of its own columns, or loads the table that it has.

# Every row, every second row... of a table.
each <- function(step, table) table[seq(1, nrow(table), step), ]

# A data frame and its target as a file that loses no digit.
written <- function(x, y) {
  columns <- lapply(cbind(x, target = y), function(column) {
    if (is.numeric(column)) sprintf("%.17g", column) else as.character(column)
  })
  file <- tempfile(fileext = ".csv")
  utils::write.csv(as.data.frame(columns, optional = TRUE), file, row.names = FALSE)
  file
}

# Python code that reads it: X a data frame of pandas, whose categories stand in the order of the
# levels, and y an array of text.
reading <- function(x, y) {
  factors <- Filter(is.factor, x)
  levels <- vapply(factors, function(column) {
    paste0("[", paste0("'", levels(column), "'", collapse = ", "), "]")
  }, "")
  c(
    paste0("table = pd.read_csv('", written(x, y), "', dtype=str, keep_default_na=False)"),
    "y = table.pop('target').to_numpy()",
    paste0("levels = {", paste0("'", names(levels), "': ", levels, collapse = ", "), "}"),
    "X = pd.DataFrame({name: pd.Categorical(table[name], levels[name]) if name in levels",
    "                  else np.array([float(cell) for cell in table[name]]) for name in table})"
  )
}

women_table <- function() {
  x <- infert[c("age", "parity", "education", "spontaneous", "induced")]
  list(x = x, y = infert$case, python = c(reading(x, infert$case), "y = y.astype(int)"))
}

housing_table <- function() {
  testthat::skip_if_not_installed("mlbench")
  own <- new.env()
  utils::data("BostonHousing2", package = "mlbench", envir = own)
  x <- own$BostonHousing2[c("town", "chas", "crim", "nox", "rm", "lstat", "tax")]
  y <- own$BostonHousing2$cmedv > 20
  list(x = x, y = y, python = c(reading(x, y), "y = y == 'TRUE'"))
}

# The table that comes with both: Python loads its own.
heart_table <- function() {
  rows <- each(2, heart)
  list(
    x = rows[setdiff(names(rows), "diameter narrowing")],
    y = as.integer(as.character(rows$`diameter narrowing`)),
    python = c(
      "heart = hetsel.datasets.load('heart')",
      "X, y = heart.X[::2].reset_index(drop=True), np.asarray(heart.y)[::2]"
    )
  )
}

# Targets that are no classes: a number of each row, and a time with its event. Python has the same
# vectors from the file.
iris_table <- function() {
  x <- iris[c("Sepal.Width", "Petal.Length", "Petal.Width", "Species")]
  list(
    x = x, y = iris$Sepal.Length,
    python = c(reading(x, iris$Sepal.Length), "y = np.array([float(cell) for cell in y])")
  )
}

lung_table <- function() {
  testthat::skip_if_not_installed("survival")
  rows <- each(2, stats::na.omit(survival::lung))
  x <- rows[c("age", "sex", "ph.karno", "pat.karno", "meal.cal", "wt.loss")]
  x$sex <- factor(x$sex, 1:2, c("male", "female"))
  told <- reading(x, paste(rows$time, rows$status == 2))
  list(
    x = x, y = survival::Surv(rows$time, rows$status),
    python = c(
      told, "times = [float(cell.split()[0]) for cell in y]",
      "events = [cell.split()[1] == 'TRUE' for cell in y]", "y = hetsel.survival(times, events)"
    )
  )
}

# What plain code in Python leaves in `found`, a list of lists of plain values. It runs as a script
# does: names of a local scope are not seen inside of a comprehension.
in_python <- function(code) {
  head <- c(
    "import warnings", "import hetsel", "import numpy as np", "import pandas as pd",
    "from hetsel.ground.sealed_json import plain_values"
  )
  folder <- tempfile() # of R, which deletes it
  dir.create(folder)
  head <- c(head, paste0("new_file = lambda name: '", folder, "/' + name"))
  silent <- c("with warnings.catch_warnings():", "    warnings.simplefilter('ignore')")
  reticulate::py_run_string(paste(c(head, silent, paste0("    ", code)), collapse = "\n"))
  reticulate::py$found
}

# Plain vectors, however they came: what is not a number is NA, whole numbers are numbers.
plain <- function(value) {
  value <- unlist(value, use.names = FALSE)
  if (!length(value)) {
    return(NULL)
  }
  value <- if (is.factor(value)) as.character(value) else as.vector(value)
  value[is.na(value)] <- NA
  if (is.numeric(value)) as.double(value) else value
}

# Each row of a table of calls, on a table of data: the vectors of R's answer are those of Python.
expect_numbers_of_python <- function(rows, table, label) {
  for (row in rows) {
    if (!is.null(row$needs)) {
      testthat::skip_if_not_installed(row$needs)
    }
    result <- suppressWarnings(row$call(table))
    ours <- row$answer(result)
    code <- if (is.function(row$python)) row$python(result) else row$python
    theirs <- in_python(c(table$python, code))
    testthat::expect_length(ours, length(theirs))
    testthat::expect_gt(length(plain(theirs)), 0)
    for (k in seq_along(theirs)) {
      testthat::expect_identical(plain(ours[[k]]), plain(theirs[[k]]), label = paste(label, k))
    }
  }
}

# The row of a ranking by a method, and by its class in Python.
ranking_by <- function(method, class, ...) {
  list(
    call = function(t) hetsel_rank(t$x, t$y, method = method, ...),
    answer = function(r) c(r$ranking[c("feature", "rank", "kind", "importance")], list(r$selected)),
    python = c(
      paste0("ranking = ", class, ".fit(X, y)"),
      "frame = ranking.frame()",
      "found = [frame[name].tolist() for name in ('feature', 'rank', 'kind', 'importance')]",
      "found.append(frame['feature'].tolist()[:ranking.size_])"
    )
  )
}

# The rows of what takes classes, numbers and survival times alike.
permuted_of <- list(
  call = function(t) {
    hetsel_permuted(t$x, t$y, method = "rfe-svm", permutations = 9, seed = 4, row_groups = "rows")
  },
  answer = function(r) c(r$features, list(r$permuted)),
  python = c(
    "machine = hetsel.RFESVM(random_state=4)",
    "ranking = hetsel.permuted_ranking(machine, X, y, permutations=9, groups='rows')",
    "frame = ranking.frame()",
    "names = ('feature', 'rank', 'statistic', 'pvalue', 'adjusted')",
    "found = [frame[name].tolist() for name in names]",
    "found.append(ranking.permuted.ravel(order='F').tolist())"
  )
)

rankings_of <- list(
  ranking_by("rfe-mkl", "hetsel.RFEMKL(size=2)", size = 2),
  ranking_by("rfe-svm", "hetsel.RFESVM(C=0.5)", C = 0.5),
  ranking_by("hsic", "hetsel.get_method('hsic')(scale='quantile')", scale = "quantile"),
  ranking_by("relieff", "hetsel.get_method('relieff')(random_state=7)", seed = 7)
)
