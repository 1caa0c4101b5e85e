skip_without_python()

# The filters themselves are tried where mlr3 is, in a campaign: it is not in Debian.

test_that("the file of the methods says what Python says", {
  known <- hetsel_methods()
  # these cannot cross to Python, or are the filter's own
  left_out <- c("progress", "archive", "n_jobs", "secondary", "method")
  options <- lapply(strsplit(known$options, ", (?=[A-Za-z_]+ = )", perl = TRUE), function(given) {
    setdiff(sub(" = .*", "", given), left_out)
  })
  known$options <- vapply(options, paste, "", collapse = " ")
  lines <- do.call(paste, c(known[names(catalogue_file())], sep = "\",\""))
  lines <- paste0("\"", lines, "\"")
  have <- readLines(system.file("catalogue.csv", package = "hetsel"))[-1]
  expect_identical(setdiff(lines, have), character(), info = "these belong into inst/catalogue.csv")
  expect_identical(setdiff(have, lines), character(), info = "these do not")
})

test_that("a filter has the types of features that its method takes for some target", {
  types <- function(key) feature_types_of(catalogue_file()[catalogue_file()$key == key, ])
  numbers <- c("integer", "numeric", "POSIXct", "Date")
  levels <- c("logical", "character", "factor")
  expect_setequal(types("t-test"), c(numbers, "ordered"))
  expect_setequal(types("fisher-exact"), c("ordered", levels))
  expect_setequal(types("anova-f"), c(numbers, "ordered", levels)) # of numbers only, as here
  task <- function(x, y, type) {
    list(
      feature_names = names(x), data = function(cols) x[cols], truth = function() y,
      task_type = type
    )
  }
  of_numbers <- mlr3_scores(task(iris[2:5], iris$Sepal.Length, "regr"), 4, "anova-f", list())
  p <- vapply(iris[2:5], function(x) stats::anova(stats::lm(iris$Sepal.Length ~ x))$`Pr(>F)`[1], 0)
  expect_identical(names(of_numbers), names(sort(p)))
  expect_error(
    mlr3_scores(task(iris[2:5], iris$Sepal.Length > 6, "classif"), 4, "anova-f", list()),
    "Species", class = "hetsel_error"
  )
})

test_that("scores are importances where these compare, and equal steps where not", {
  by_filter <- hetsel_rank(case ~ ., women(), method = "hsic")
  expect_identical(unname(filter_scores(by_filter)), by_filter$ranking$importance)
  expect_identical(filter_scores(ranked()), stats::setNames(4:0 / 4, ranked()$ranking$feature))
  expect_identical(names(which(filter_scores(searched()) == 1)), searched()$selected)
})
