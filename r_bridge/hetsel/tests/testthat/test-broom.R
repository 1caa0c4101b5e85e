skip_if_not_installed("broom")
skip_without_python()

# the rules of broom for tidiers
expect_tidy <- function(table, rows = NULL) {
  expect_s3_class(table, if (requireNamespace("tibble", quietly = TRUE)) "tbl_df" else "data.frame")
  expect_match(names(table), "^[.]?[a-z][A-Za-z0-9._]*$")
  expect_false(anyDuplicated(names(table)) > 0)
  expect_identical(row.names(table), as.character(seq_len(nrow(table))))
  if (!is.null(rows)) {
    expect_identical(nrow(table), as.integer(rows))
  }
}

test_that("tidy has a row for each feature, size, piece or rate", {
  table <- broom::tidy(ranked())
  expect_tidy(table, 5)
  expect_identical(table$term[table$selected], ranked()$selected)
  expect_tidy(broom::tidy(searched()), 5)
  for (type in c("features", "frequency", "effects", "performance", "alternatives")) {
    expect_tidy(broom::tidy(signed(), type), nrow(signed()[[type]]))
  }
  rates <- broom::tidy(signed(), "performance")
  expect_identical(rates$estimate, signed()$performance$estimate)
  expect_true(all(rates$conf.low[1:3] < rates$estimate[1:3]))
  expect_tidy(broom::tidy(compared()), nrow(compared()$summary))
  worth <- broom::tidy(signed(), "probabilities")
  expect_tidy(worth, 5)
  expect_identical(worth$estimate[1], signed()$probabilities$brier$estimate)
  slope <- worth[worth$metric == "calibration slope", ]
  kept <- signed()$probabilities$calibration
  expect_identical(slope$conf.low, kept$slope_low)
  expect_identical(slope$class, kept$class)
  expect_tidy(broom::tidy(flowers(), "probabilities"), 2 + 3 * 3)
  numbers <- hetsel_select(
    Sepal.Length ~ ., iris, size = 2, folds = 3, repeats = 1, permutations = 0, pairs = 0
  )
  expect_tidy(broom::tidy(numbers, "probabilities"), 0)
  expect_tidy(broom::tidy(signed(), "points"), nrow(hetsel_points(signed())$values))
})

test_that("glance is one row, whatever was computed", {
  for (result in list(ranked(), searched(), signed(), flowers(), compared())) {
    expect_tidy(broom::glance(result), 1)
  }
  one <- broom::glance(signed())
  expect_identical(one$bcr, signed()$performance$estimate[1])
  expect_lt(one$auc.conf.low, one$auc)
  expect_identical(one$brier, signed()$probabilities$brier$estimate)
  expect_identical(one$p.value, signed()$permutation_test$pvalue)
  expect_identical(one$stability, signed()$stability$nogueira)
  expect_identical(broom::glance(flowers())$p.value, NA_real_)
  expect_identical(names(one), names(broom::glance(flowers())))
})

test_that("augment keeps rows and columns as they are and adds predictions", {
  rows <- women()[c(9, 3, 200), ]
  rows$parity[2] <- NA
  table <- broom::augment(signed(), newdata = rows)
  expect_tidy(table, 3)
  expect_equal(as.data.frame(table[names(rows)]), rows, ignore_attr = "row.names")
  expect_identical(table$.fitted, predict(signed(), rows))
  expect_identical(table$.decision, predict(signed(), rows, type = "decision"))
  shares <- predict(signed(), rows, type = "prob")
  expect_equal(
    as.matrix(table[paste0(".pred_", colnames(shares))]), shares, ignore_attr = TRUE
  )
  expect_identical(broom::augment(signed(), rows), table)
  expect_error(broom::augment(signed()), "newdata is missing", class = "hetsel_error")
})

test_that("augment of several classes has a decision value of each, and row names stay", {
  rows <- iris[c(1, 60, 120), ]
  row.names(rows) <- c("x", "y", "z")
  table <- broom::augment(flowers(), rows)
  expect_identical(table$.rownames, c("x", "y", "z"))
  values <- as.matrix(table[paste0(".decision_", levels(iris$Species))])
  expect_identical(levels(iris$Species)[max.col(values)], as.character(table$.fitted))
})
