# Formulas end to end beside those of glm(), lm(), coxph() and randomForest(), on R's own tables:
#   R_LIBS=<library> RETICULATE_PYTHON=<python> Rscript tests/arena/campaigns/formulas.R [SEED]
# where hetsel, survival and randomForest are installed. The peer and hetsel are fitted by the same
# formula; what hetsel predicts of new rows must be what it predicts if it is given, in place of the
# formula, the columns that the peer makes of the rows, under other names and in another order: in
# this session, and in a new one whose workspace has every name of the formulas for something else.
# Some formulas take of all rows what the peer does not keep, as in I(x - mean(x)): there the
# columns are written by hand, as is checked. With a seed the rows of the fit are shuffled. The
# line of a formula ends with the largest difference in this session and in the new one. The exit
# code is 1 if one is above 1e-10, or if a term that must be refused by name is not.

library(hetsel)
library(splines)
library(survival, warn.conflicts = FALSE)
library(tools) # which the new session has not

TOLERANCE <- 1e-10
seed <- commandArgs(TRUE)
own_file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(own_file), "formula_cases.R")) # tables and every_case()

# Fits of the models of R; nominal is hetsel's alone.
peers <- list(
  glm = function(formula, data, ..., nominal) suppressWarnings(glm(formula, binomial, data, ...)),
  lm = lm, coxph = coxph,
  randomForest = function(formula, data, ..., nominal) {
    randomForest::randomForest(formula, data, ..., ntree = 2)
  }
)

# A fit by hetsel, for a formula and data as for columns and a target.
hetsel_of <- function(peer, size, numbers, grouped) {
  own <- if (grouped) NULL else "rows"
  if (peer == "glm") {
    function(formula, data, ...) hetsel_svm(formula, data, class_weight = "balanced", ...)
  } else if (peer == "randomForest" && !numbers) {
    function(formula, data, ...) hetsel_mkl(formula, data, class_weight = "balanced", ...)
  } else {
    function(formula, data, ..., row_groups = own) {
      hetsel_select(formula, data, method = "univariate-tests", size = size, folds = 3, repeats = 1,
        permutations = 0, pairs = 0, target_kind = if (numbers) "numbers",
        row_groups = row_groups, ...
      )
    }
  }
}

# The variables that the peer makes of rows, by its own terms, each a column.
columns_of <- function(peer, rows) {
  terms <- delete.response(terms(peer))
  levels <- c(peer$xlevels, Filter(is.character, peer$forest$xlevels))
  frame <- model.frame(terms, rows, na.action = na.pass, xlev = levels)
  columns <- as.list(frame)[rowSums(attr(terms, "factors")) > 0]
  lapply(columns, function(x) if (is.matrix(x)) x[, 1] else x)
}

renamed <- function(columns) {
  as.data.frame(setNames(rev(columns), paste0("x", rev(seq_along(columns)))))
}

same <- function(one, other) {
  isTRUE(all.equal(lapply(unname(one), as.vector), lapply(other, as.vector)))
}

predicted <- function(fit, rows) {
  type <- c("decision", "number", "risk")[c(
    inherits(fit, "hetsel_machine"), !is.null(fit$numbers), !is.null(fit$survival)
  )]
  suppressWarnings(stats::predict(fit, rows, type)) # many a new row is far from the old ones
}

# The fit by the formula, and what is predicted by it and by the columns.
fitted_twice <- function(case) {
  old <- tables[[case$table]]$old
  new <- tables[[case$table]]$new
  peer <- case$fit(peers[[case$peer]], old)
  formula <- formula(terms(peer))
  used <- if (is.null(case$rows)) seq_len(nrow(old)) else which(eval(case$rows, old))
  y <- eval(formula[[2]], old, environment(formula))
  columns <- list(columns_of(peer, old), columns_of(peer, new))
  if (!is.null(case$by_hand)) {
    by_hand <- lapply(list(old, new), case$by_hand, old)
    stopifnot(same(columns[[1]], by_hand[[1]]), !same(columns[[2]], by_hand[[2]]))
    columns <- by_hand
  }
  numbers <- is.numeric(y) && !is.Surv(y)
  fit <- hetsel_of(case$peer, length(columns[[1]]), numbers, !is.null(case$groups))
  more <- list()
  if (!is.null(case$nominal)) more$nominal <- match(case$nominal, rev(names(columns[[1]])))
  if (!is.null(case$groups)) more$row_groups <- old[[case$groups]][used]
  by_columns <- do.call(fit, c(list(renamed(columns[[1]])[used, , drop = FALSE], y[used]), more))
  made <- case$fit(fit, old)
  list(
    formula = formula, fit = made, new = new, seen = predicted(made, new),
    expected = predicted(by_columns, renamed(columns[[2]]))
  )
}
cases <- every_case()
fits <- lapply(cases, fitted_twice)

# The same predictions in a new session, where each name of the formulas means something else; but
# list(), without which R's own predict() of the model in one of them does nothing.
folder <- tempfile("formulas-")
dir.create(folder)
files <- file.path(folder, paste0(seq_along(fits), ".rds"))
invisible(Map(function(one, file) saveRDS(one[c("fit", "new")], file), fits, files))
elsewhere <- function(files) {
  for (file in files) {
    given <- readRDS(file)
    saveRDS(tryCatch(predicted(given$fit, given$new), error = conditionMessage), file)
  }
}
environment(predicted) <- baseenv()
environment(elsewhere) <- list2env(list(predicted = predicted), parent = baseenv())
named <- unique(unlist(lapply(fits, function(one) all.names(one$formula))))
given <- file.path(folder, "given.rds")
saveRDS(list(elsewhere = elsewhere, files = files, named = setdiff(named, "list")), given)
script <- file.path(folder, "session.R")
writeLines(c(
  "invisible(loadNamespace('hetsel'))", sprintf("given <- readRDS(%s)", deparse(given)),
  "for (name in given$named) assign(name, function(...) stop('of the workspace'))",
  "k <- 50", "given$elsewhere(given$files)"
), script)
stopifnot(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script))) == 0)
again <- lapply(files, readRDS)
unlink(folder, recursive = TRUE)

# What is part of a model, or cannot be computed in new rows, is refused by its name.
refused <- c(
  "strata(ward)", "frailty(stratum)", "tt(age)", "s(age)", "mo(stage)", "(1 | ward)", "offset(age)",
  "stats::offset(age)", "age:weeks", "cut(age, 3)", "rank(age)", "poly(age, 2)", "cluster(stratum)"
)
words <- sub("^offset.*", "an offset", sub("^cluster.*", "cluster()", refused))
by_name <- mapply(function(part, word) {
  formula <- reformulate(c("parity", part), "case")
  said <- tryCatch(hetsel_svm(formula, women), hetsel_error = conditionMessage)
  is.character(said) && grepl(word, said, fixed = TRUE)
}, refused, words)

apart <- function(seen, expected) {
  if (is.numeric(seen) && length(seen) == length(expected)) max(abs(seen - expected)) else Inf
}
here <- vapply(fits, function(one) apart(one$seen, one$expected), 0)
there <- mapply(function(one, seen) apart(seen, one$expected), fits, again)
alike <- vapply(fits, function(one) sd(one$expected), 0) < 0.01 # which would tell nothing
wrong <- alike | is.na(here + there) | pmax(here, there) > TOLERANCE
by_hand <- !vapply(cases, function(case) is.null(case$by_hand), NA)
peer <- vapply(cases, `[[`, "", "peer")
written <- mapply(function(case, one) {
  strtrim(deparse1(if (is.function(case$formula)) one$formula else case$formula), 64)
}, cases, fits)
cat(sprintf("%-12s %-64s %7.1e %7.1e%s%s\n", peer, written, here, there,
  ifelse(by_hand, " by hand", ""), ifelse(wrong, " WRONG", "")
), sep = "")
for (said in again[!vapply(again, is.numeric, NA)]) cat(said, "\n")
counts <- table(factor(peer, names(peers)))
cat(
  sum(!wrong), " of ", length(fits), " formulas predict as the columns do (",
  paste(names(counts), counts, collapse = ", "), "),\n", sum(by_hand),
  " of them as columns by hand, since the peer follows the new rows; ",
  "the largest difference is ", format(max(here, there), digits = 2), "\n",
  sum(by_name), " of ", length(refused), " other terms are refused by name",
  if (!all(by_name)) paste(", but", refused[!by_name]), "\n",
  sep = ""
)
quit(status = as.integer(any(wrong) || !all(by_name)))
