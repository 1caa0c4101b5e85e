# Survival times as a target: Surv() in formulas and vectors, and what is refused of it.

skip_if_not_installed("survival")
skip_without_python()

lung <- function() {
  rows <- survival::lung[c("time", "status", "age", "sex", "ph.karno", "wt.loss")]
  rows$sex <- factor(rows$sex, 1:2, c("male", "female"))
  rows
}

with_surv <- function(formula) {
  environment(formula) <- list2env(list(Surv = survival::Surv), parent = globalenv())
  formula
}

order_by <- function(...) hetsel_rank(..., method = "rfe-svm")$ranking

test_that("columns inside of Surv() are the target, whichever way the formula is written", {
  rows <- lung()
  features <- c("age", "sex", "ph.karno", "wt.loss")
  told <- survival::Surv(rows$time, rows$status)
  expected <- order_by(rows[features], told)
  expect_setequal(expected$feature, features)
  expect_identical(order_by(with_surv(Surv(time, status) ~ .), rows), expected)
  expect_identical(order_by(survival::Surv(time, status) ~ ., rows), expected)
  expect_identical(order_by(rows, survival::Surv(time, status) ~ .), expected)
  expect_identical(order_by(with_surv(Surv(time, status == 2) ~ .), rows), expected)
  expect_identical(
    order_by(survival::Surv(time, status) ~ age + sex + ph.karno + wt.loss, rows), expected
  )
  expect_identical(
    order_by(with_surv(Surv(time, status) ~ . - age), rows),
    order_by(rows[setdiff(features, "age")], told)
  )
  rows$told <- told
  expect_identical(order_by(told ~ ., rows[c(features, "told")]), expected)
})

test_that("a column called survival stays a feature beside survival::Surv()", {
  rows <- lung()
  names(rows)[names(rows) == "age"] <- "survival"
  expect_true("survival" %in% order_by(survival::Surv(time, status) ~ ., rows)$feature)
})

test_that("the unit of time and R's two ways to write the status change nothing", {
  rows <- lung()
  x <- rows[c("age", "sex", "ph.karno", "wt.loss")]
  expected <- order_by(x, survival::Surv(rows$time, rows$status))
  expect_identical(order_by(x, survival::Surv(rows$time / 7, rows$status - 1)), expected)
  expect_identical(order_by(x, survival::Surv(rows$time, rows$status == 2)), expected)
})

test_that("what the target is taken for is printed", {
  found <- hetsel_rank(survival::Surv(time, status) ~ ., lung(), method = "rfe-svm")
  expect_identical(found$survival, "165 of 228 with an event, up to 1022")
  expect_output(print(found), "survival times: 165 of 228 with an event, up to 1022")
  expect_length(found$classes, 0)
  expect_identical(nobs(found), 228L)
  expect_identical(tidy.hetsel_ranking(found)$term, found$ranking$feature)
  expect_identical(glance.hetsel_ranking(found)$nobs, 228L)
})

test_that("subset and na.action take rows of survival times, with the package survival or without", {
  rows <- lung()
  rows$time[3:4] <- NA
  kept <- hetsel_rank(survival::Surv(time, status) ~ age + sex, rows,
    method = "rfe-svm", subset = age > 50, na.action = na.omit
  )
  expect_identical(kept$rows, sum(rows$age > 50 & !is.na(rows$time)))
  told <- survival::Surv(rows$time, rows$status)
  expect_identical(unclass(rows_of_survival(told, 5:9))[, 1], rows$time[5:9])
  expect_identical(attr(rows_of_survival(told, 5:9), "type"), "right")
})

test_that("a feature that tells the outcome is named", {
  rows <- lung()
  rows$told <- survival::Surv(rows$time, rows$status)
  cautions <- hetsel_rank(told ~ ., rows, method = "rfe-svm")$cautions
  expect_match(cautions, "^time: a column with a rank correlation of 1", all = FALSE)
  expect_match(cautions, "^status: a column that alone predicts which rows have an event .* 100%", all = FALSE)
})

test_that("what is not right-censored is refused in words, with the fix", {
  refused <- function(y, x = lung()["age"]) {
    expect_error(hetsel_rank(x, y, method = "rfe-svm"), class = "hetsel_error")
    tryCatch(hetsel_rank(x, y, method = "rfe-svm"), error = conditionMessage)
  }
  rows <- lung()
  surv <- function(...) survival::Surv(...)
  time <- rows$time
  event <- rows$status == 2
  expect_match(refused(surv(time, time + 1, event)), "of type counting, .*times of entry")
  expect_match(refused(surv(time, event, type = "left")), "of type left")
  expect_match(refused(surv(time, time + 1, type = "interval2")), "of type interval, .*interval censoring")
  expect_match(refused(surv(time, factor(rows$status))), "of type mright, .*several states")
  expect_match(refused(surv(time, 0 * time)), "event")
  expect_match(refused(surv(time, replace(event, 2:4, NA))), "missing in 3 rows.*status == 1")
  expect_match(refused(surv(-time, event)), "0 or larger")
  expect_match(refused(surv(c(NA, time[-1]), event)), "time is missing in 1 row")
  expect_match(refused(surv(time[-1], event[-1])), "228 rows .*Got 227")
})

test_that("a formula whose target cannot be computed, or is a feature, is refused", {
  refused <- function(formula) {
    tryCatch(hetsel_rank(formula, lung(), method = "rfe-svm"), hetsel_error = conditionMessage)
  }
  expect_match(refused(with_surv(Surv(time, status) ~ time + age)), "'time' is part of Surv")
  expect_match(refused(survival::Surv(time, status) ~ log(time) + age), "'time' is part of")
  bare <- Surv(time, status) ~ .
  environment(bare) <- baseenv()
  expect_match(refused(bare), "Surv\\(\\), which was not found. .*library\\(survival\\)")
  expect_match(refused(survival::Surv(tim, status) ~ .), "Did you mean 'time'")
  expect_match(refused(survival::Surv(time, paste(status)) ~ age), "the event as a condition")
})

test_that("a method without survival times says why, and which take them", {
  error <- tryCatch(
    hetsel_rank(survival::Surv(time, status) ~ age, lung(), method = "t-test"),
    hetsel_error = conditionMessage
  )
  expect_match(error, "needs classes as its target")
  expect_match(error, "Got survival times: 228 rows, 165 with an event")
})

test_that("a function of R is given what Surv() makes", {
  seen <- tempfile()
  looking <- function(x, y, sizes) {
    saveRDS(y, seen)
    names(x)
  }
  rows <- lung()
  told <- survival::Surv(rows$time, rows$status)
  found <- hetsel_rank(rows[c("age", "sex")], told, method = hetsel_method(looking))
  expect_identical(found$ranking$feature, c("age", "sex"))
  expect_identical(as.matrix(readRDS(seen)), as.matrix(told))
  expect_s3_class(readRDS(seen), "Surv")
})

test_that("a signature predicts risks, or numbers, and is told by its main measure", {
  rows <- stats::na.omit(lung())
  select <- function(formula, rows, ...) {
    hetsel_select(formula, rows, method = "univariate-tests", size = 2, folds = 3, repeats = 1,
      permutations = 0, pairs = 2, ...
    )
  }
  found <- select(survival::Surv(time, status) ~ ., rows)
  expect_identical(found$performance$measure[1], "Harrell's C")
  risk <- predict(found, rows)
  expect_type(risk, "double")
  expect_identical(predict(found, rows, type = "risk"), risk)
  expect_error(predict(found, rows, type = "class"), "type must be \"risk\"")
  concordance <- survival::concordance(
    survival::Surv(time, status) ~ risk, cbind(rows, risk), reverse = TRUE
  )
  expect_gt(concordance$concordance, 0.55)
  expect_identical(glance.hetsel_signature(found)$metric, "Harrell's C")
  expect_identical(augment.hetsel_signature(found, rows)$.fitted, risk)
  expect_output(print(summary(found)), "Effects on the risk")
  expect_output(print(hetsel_points(found)), "^1 point = [^;]+ of the risk score\\n") # and no class
  page <- hetsel_report(found, tempfile(fileext = ".html"))
  expect_match(paste(readLines(page, warn = FALSE), collapse = "\n"), "Harrell")
  numbers <- select(age ~ sex + ph.karno + wt.loss, rows, target_kind = "numbers")
  expect_match(numbers$numbers, "values from 39 to 82")
  years <- predict(numbers, rows, type = "number")
  expect_true(all(years > 39 & years < 82))
  expect_output(print(summary(numbers)), "Effects on the predicted number")
})
