skip_without_python()

# The parts of what is signalled in place of an answer.
signalled <- function(code) {
  tryCatch(code, hetsel_error = identity, hetsel_warning = identity)
}

test_that("a refusal of either half has a class and its parts", {
  data <- mixed()
  ours <- signalled(hetsel_rank(data$x, data$y, seed = -1))
  expect_s3_class(ours, c("hetsel_error", "error", "condition"), exact = TRUE)
  expect_identical(ours$argument, "seed")
  expect_match(ours$problem, "whole number .* Got -1")
  expect_identical(ours$fix, "")

  theirs <- signalled(hetsel_rank(data$x, data$y, size = 99))
  expect_s3_class(theirs, c("hetsel_error", "error", "condition"), exact = TRUE)
  expect_identical(theirs$argument, "size")
  expect_identical(conditionMessage(theirs), theirs$problem)

  data$x$dose[3] <- NA
  mended <- signalled(hetsel_rank(data$x, data$y, missing = "error"))
  expect_identical(mended$problem, "1 value is missing, in dose")
  expect_match(mended$fix, "^Use missing = \"impute\" to impute")
  expect_identical(mended$argument, "missing")
  expect_match(conditionMessage(mended), paste0(mended$problem, ".*", mended$fix))
})

test_that("what a data set of a study refuses names the data set", {
  told <- signalled(hetsel_study(small_plan(), data = list(women = list(x = infert[0, ], y = 1))))
  expect_identical(told$argument, "data$women")
  expect_match(told$problem, "^data\\$women: the table has no rows")
})

test_that("a formula is refused with the argument that mends it", {
  told <- signalled(hetsel_rank(case ~ age * parity, infert))
  expect_identical(told$argument, "formula")
  expect_match(told$fix, "interaction()", fixed = TRUE)
})

test_that("a warning has a class and its parts", {
  k <- seq_len(60)
  x <- data.frame(a = sin(k), b = cos(k), c = sin(3 * k))
  told <- signalled(hetsel_rank(x, rep(c("sick", "well"), c(6, 54)), method = "rfe-svm"))
  expect_s3_class(told, c("hetsel_warning", "warning", "condition"), exact = TRUE)
  expect_identical(told$argument, "class_weight")
  expect_match(told$problem, "no row of class sick")
  expect_match(told$fix, "class_weight = \"balanced\"", fixed = TRUE)
})

test_that("a Python that will not do is a refusal like any other", {
  told <- signalled(getFromNamespace("no_python", "hetsel")("no Python", "install one"))
  expect_s3_class(told, c("hetsel_no_python", "hetsel_error", "error", "condition"), exact = TRUE)
  expect_identical(told$argument, "hetsel.python")
})
