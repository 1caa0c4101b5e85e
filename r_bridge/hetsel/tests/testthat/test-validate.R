skip_without_python()

# rows of which every third is sick, by a dose that shifts; the fit has the first, others are new
rows_of <- function(n, start = 0) {
  k <- start + seq_len(n)
  sick <- k %% 3 == 0
  data.frame(
    dose = sin(k * k) + 2 * sick, age = 50 + 11 * cos(k * k * 0.7),
    site = factor(c("hip", "knee", "hand")[1 + (k + k %/% 7 + sick) %% 3]),
    smoker = k %% 4 == 0, case = factor(ifelse(sick, "sick", "well"), c("well", "sick"))
  )
}
fitted_by <- function(...) {
  hetsel_select(...,
    method = "rfe-svm", folds = 3, repeats = 1, permutations = 0, pairs = 5, progress = FALSE
  )
}
fit <- rows_of(120)
new <- rows_of(90, 500)
found <- fitted_by(case ~ exp(dose) + age + site + smoker, fit,
  size = 2, positive = "sick", by = "age"
)
checked <- hetsel_validate(found, new)
shown <- function(...) gsub("\\s+", " ", paste(capture.output(...), collapse = " "))

test_that("a validation is plain vectors, lists and data frames", {
  expect_s3_class(checked, "hetsel_validation")
  expect_identical(checked$performance$measure, c("BCR", "recall", "recall", "AUC"))
  expect_identical(checked$performance$class, c("", "well", "sick", ""))
  expect_identical(checked$performance$rows, c(90L, 60L, 30L, 90L))
  expect_identical(as.data.frame(checked), checked$performance)
  expect_identical(checked$classes, c(well = 60L, sick = 30L))
  expect_identical(checked$rows, 90L)
  expect_true(checked$verdict %in% c("better", "worse", "undecided"))
  area <- checked$performance$estimate[4] - found$performance$estimate[4]
  expect_equal(checked$difference[1], area)
  expect_identical(checked$equal_by_chance, 0L)
  expect_identical(checked$groups, NA_integer_)
  expect_identical(checked$before$performance, found$performance)
  expect_identical(checked$before$rows, 120L)
  expect_setequal(checked$features$feature, found$features$feature)
  expect_identical(checked$probabilities$calibration$class, "sick")
  expect_null(checked$probabilities$prediction_instability)
  kinds <- rapply(unclass(checked), typeof, how = "unlist")
  expect_true(all(kinds %in% c("character", "integer", "double")))
})

test_that("the target and the columns of a formula are computed anew", {
  expect_identical(hetsel_validate(found, new, new$case), checked)
  by_hand <- data.frame(exp(new$dose), new[c("age", "site", "smoker")])
  names(by_hand)[1] <- "exp(dose)"
  expect_identical(hetsel_validate(found, by_hand, new$case)$facts, checked$facts)
  expect_error(hetsel_validate(found, by_hand), "no column 'case'. .* as y")
  expect_error(hetsel_validate(found, new["case"]), "cannot be computed|must have the columns")
  plain <- fitted_by(fit[c("dose", "site")], fit$case, size = 1)
  expect_error(hetsel_validate(plain, new), "y is missing, .*no formula")
  expect_identical(hetsel_validate(plain, new, new$case)$rows, 90L)
})

test_that("rows are predicted as predict() does", {
  right <- predict(found, new) == new$case
  rates <- tapply(right, new$case, mean)
  expect_equal(checked$performance$estimate[2:3], as.vector(rates[c("well", "sick")]))
  p <- predict(found, new, "prob")[, "sick"]
  expect_equal(checked$probabilities$brier$estimate, mean((p - (new$case == "sick"))^2))
  at <- checked$probabilities$thresholds
  above <- vapply(at$threshold, function(t) mean(p >= t), 0)
  expect_equal(at$above, above)
})

test_that("rows of the fit are refused, or left out", {
  both <- rbind(fit[1:7, ], new)
  told <- tryCatch(hetsel_validate(found, both), hetsel_error = identity)
  expect_match(told$problem, "equal or nearly equal training rows")
  expect_identical(told$fix, 'Use seen = "drop" to leave them out')
  expect_identical(told$argument, "seen")
  expect_error(hetsel_validate(found, fit, seen = "drop"), "none of 120 rows is new")
  none <- rep(0, 90)
  expect_error(hetsel_validate(found, new, row_weights = none), "no row is left that has a weight")
  expect_error(hetsel_validate(found, fit, seen = "x"), 'seen must be "error" or "drop"')
  # by all columns that the signature was chosen from, where they are there
  all <- fitted_by(fit[c("dose", "age", "site")], fit$case, size = 1)
  dropped <- hetsel_validate(all, both, both$case, seen = "drop")
  expect_identical(dropped$left_out, 7L)
  expect_identical(dropped$rows, 90L)
})

test_that("rows have weights, groups and parts, and other costs and shares", {
  part <- hetsel_validate(found, new,
    by = c("smoker", "age"), row_groups = rep(1:45, 2), row_weights = 1 + seq_len(90) %% 2,
    prevalence = c(sick = 0.1, well = 0.9), thresholds = c(0.1, 0.3), harm_ratio = 4
  )
  expect_identical(part$groups, 45L)
  expect_identical(unique(part$probabilities$parts$column), c("smoker", "age"))
  expect_identical(part$probabilities$parts$level[1:2], c("FALSE", "TRUE"))
  expect_identical(part$probabilities$parts$rows[1:2], as.vector(unname(table(new$smoker))))
  expect_identical(part$probabilities$prevalence, c(well = 0.9, sick = 0.1))
  expect_identical(part$probabilities$thresholds$threshold, c(0.1, 0.2, 0.3))
  own <- hetsel_validate(found, new, by = new$smoker, prevalence = 0.1)
  expect_identical(own$probabilities$parts$column, c("by", "by"))
  expect_error(hetsel_validate(found, new, by = "smoke"), "Did you mean 'smoker'")
  expect_error(hetsel_validate(found, new, by = 1:3), "by .* 90 rows.*Got 3")
  for (name in c("row_groups", "row_weights")) {
    given <- stats::setNames(list(1:3), name)
    told <- tryCatch(do.call(hetsel_validate, c(list(found, new), given)), error = identity)
    expect_identical(told$argument, name)
  }
})

test_that("what is new in the rows is told", {
  strange <- new
  strange$site <- ifelse(seq_len(90) %% 10 == 0, "toe", as.character(new$site))
  sites <- fitted_by(case ~ site + smoker, fit, size = 2)
  told <- hetsel_validate(sites, strange, seen = "drop")
  site <- told$features[told$features$feature == "site", ]
  expect_identical(site$levels, "toe")
  expect_identical(site$unseen, 9L)
  expect_match(shown(print(told)), "site has 9 rows with toe")
  older <- new
  older$dose <- new$dose + 4
  moved <- hetsel_validate(found, older)
  expect_gt(moved$features$above[moved$features$feature == "exp(dose)"], 20)
})

test_that("it is printed, summed up and written", {
  expect_match(shown(print(checked)), "^90 new rows .60 of class well, 30 of class sick.")
  text <- shown(print(summary(checked)))
  expect_match(text, "Performance on the new rows .before")
  expect_match(text, "class intercept slope O/E")
  expect_match(text, "Features in the new rows")
  for (ending in c(".html", ".md", ".docx")) {
    file <- tempfile(fileext = ending)
    hetsel_report(checked, file)
    expect_gt(file.size(file), 1000)
  }
  expect_error(hetsel_report(checked, file, figures = "folder"), "figures must be NULL for a validation")
})

test_that("a saved signature and a saved validation are of use in another session", {
  file <- tempfile(fileext = ".rds")
  saveRDS(list(found = found, checked = checked), file)
  again <- readRDS(file)
  expect_identical(hetsel_validate(again$found, new), checked)
  page <- tempfile(fileext = ".md")
  hetsel_report(again$checked, page)
  expect_match(page_of(page), "90 new rows")
})

test_that("numbers and survival times have no probabilities, and no prevalence", {
  of_numbers <- fitted_by(fit[c("age", "site")], fit$dose, size = 1)
  told <- hetsel_validate(of_numbers, new, new$dose)
  expect_null(told$probabilities)
  expect_identical(told$kind, "numbers")
  expect_identical(told$performance$measure[1], "R\u00b2")
  expect_error(hetsel_validate(found, new, new$dose), class = "hetsel_error")
  expect_error(hetsel_validate(1, new), "object must be a result of hetsel_select")
  expect_error(hetsel_validate(found), "newdata is missing")
  expect_error(hetsel_validate(found, 1:3), "newdata must be a data frame or a matrix")
})
