skip_without_python()

# The filters themselves are tried where mlr3 is, in a campaign: it is not in Debian.

test_that("the file of the methods says what Python says", {
  known <- hetsel_methods()
  # these cannot cross to Python, or are the filter's own
  left_out <- c("callback", "archive", "n_jobs", "secondary", "method")
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

test_that("scores are importances where these compare, and equal steps where not", {
  by_filter <- hetsel_rank(case ~ ., women(), method = "hsic")
  expect_identical(unname(filter_scores(by_filter)), by_filter$ranking$importance)
  expect_identical(filter_scores(ranked()), stats::setNames(4:0 / 4, ranked()$ranking$feature))
  expect_identical(names(which(filter_scores(searched()) == 1)), searched()$selected)
})
