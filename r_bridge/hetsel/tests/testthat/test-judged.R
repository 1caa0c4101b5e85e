skip_without_python()

# Normal columns without a draw: quantiles of a low-discrepancy sequence.
spread <- function(n = 200, p = 12) {
  steps <- sqrt(c(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37))[seq_len(p)]
  x <- vapply(steps, function(step) stats::qnorm((seq_len(n) * step) %% 1), double(n))
  list(x = as.data.frame(x), y = rowSums(x[, seq_len(min(6, p))]) > 0)
}

test_that("frequencies are the shares of the halves, and the bound is that of the theorem", {
  data <- spread()
  found <- hetsel_halves(
    data$x, data$y, size = 3, method = "anova-f", pairs = 20, threshold = 0.8,
    assumption = "meinshausen-buehlmann"
  )
  expect_identical(dim(found$half_samples), c(40L, 12L))
  expect_true(all(rowSums(found$half_samples) == 3))
  shares <- colMeans(found$half_samples)
  expect_equal(found$features$frequency, unname(shares[found$features$feature]))
  expect_false(is.unsorted(-found$features$frequency))
  expect_setequal(found$selected, names(shares)[shares >= 0.8])
  expect_equal(found$bound, 3^2 / (12 * (2 * 0.8 - 1)))
  enough <- length(found$selected) > 2 * found$bound
  expect_identical(found$kept, if (enough) found$selected else character())
})

test_that("without a threshold the smallest one is taken that keeps the bound", {
  data <- spread()
  given <- list(data$x, data$y, size = 2, method = "anova-f", pairs = 15, assumption = "none")
  found <- do.call(hetsel_halves, c(given, bound = 0.5))
  expect_lte(found$bound, 0.5)
  less <- do.call(hetsel_halves, c(given, threshold = found$threshold - 1 / 30))
  expect_gt(less$bound, 0.5)
})

test_that("rows of one group are in one half, and copies are refused until groups are named", {
  data <- spread(60, 8)
  x <- data$x[rep(1:60, each = 2), ]
  y <- data$y[rep(1:60, each = 2)]
  refused <- tryCatch(hetsel_halves(x, y, 2, "hsic", pairs = 3), hetsel_error = identity)
  expect_match(refused$fix, 'row_groups = "copies"', fixed = TRUE)
  expect_error(hetsel_halves(x, y, 2, "hsic", row_groups = "copie"), "Did you mean 'copies'")
  expect_false(grepl("hetsel_select", conditionMessage(refused)))
  copies <- hetsel_halves(x, y, 2, "hsic", pairs = 3, row_groups = "copies")
  named <- hetsel_halves(x, y, 2, "hsic", pairs = 3, row_groups = rep(1:60, each = 2))
  expect_identical(named$half_samples, copies$half_samples)
  formula <- hetsel_halves(case ~ age + parity, infert, size = 1, method = "hsic", pairs = 3)
  expect_identical(deparse(formula(formula)), "case ~ age + parity")
})

test_that("p-values follow from the statistics under permuted labels", {
  data <- spread(80, 5)
  data$y <- data$x$V2 > 0.1
  found <- hetsel_permuted(data$x, data$y, method = "anova-f", permutations = 60)
  features <- found$features
  null <- found$permuted[, features$feature]
  expect_identical(dim(null), c(60L, 5L))
  reached <- function(null) colSums(null >= rep(features$statistic, each = 60))
  expect_equal(features$pvalue, unname(1 + reached(null)) / 61)
  highest <- matrix(apply(null, 1, max), 60, 5)
  expect_equal(features$adjusted, (1 + reached(highest)) / 61)
  f <- vapply(data$x, function(x) {
    stats::oneway.test(x ~ data$y, var.equal = TRUE)$statistic
  }, 0)
  expect_equal(order(-f), match(features$feature, names(data$x)))
  expect_identical(features$feature[1], "V2")
})

test_that("what is selected wins against its knockoff beyond the threshold of knockoff+", {
  data <- spread()
  found <- hetsel_knockoffs(data$x, data$y, method = "l1-logistic", fdr = 0.25, check = FALSE)
  W <- found$W[1, ]
  candidates <- sort(unique(abs(W[W != 0])))
  false <- vapply(candidates, function(t) (1 + sum(W <= -t)) / max(1, sum(W >= t)), 0)
  threshold <- c(candidates[false <= 0.25], Inf)[1]
  expect_equal(found$thresholds, threshold)
  expect_setequal(found$selected, names(W)[W >= threshold])
  expect_gt(length(found$selected), 3)
  expect_equal(found$features$W, unname(W[found$features$feature]))
  several <- hetsel_knockoffs(data$x, data$y, method = "l1-logistic", repeats = 2, check = FALSE)
  expect_identical(dim(several$W), c(2L, 12L))
  expect_identical(several$run_fdr, 0.1)
})

test_that("judged rankings are plain, print and are summed up", {
  data <- spread(80, 5)
  found <- hetsel_permuted(data$x, data$y, method = "hsic", permutations = 9)
  expect_false(any(rapply(unclass(found), typeof, how = "unlist") == "environment"))
  expect_identical(as.data.frame(found), found$features)
  expect_output(print(found, top = 2), "... and 3 more features", fixed = TRUE)
  expect_output(print(summary(found)), "Columns:")
})

test_that("what cannot be judged is refused", {
  data <- spread(80, 5)
  said <- function(code) conditionMessage(tryCatch(code, hetsel_error = identity))
  expect_match(said(hetsel_halves(data$x, data$y)), "size is missing")
  expect_match(said(hetsel_halves(data$x, data$y, 9)), "size must be in 1..5")
  expect_match(said(hetsel_permuted(data$x, data$y, permutations = 0)), "permutations must be")
  expect_match(said(hetsel_permuted(data$x, data$y, method = "sfs-5nn")), "must rank all features")
  expect_match(said(hetsel_knockoffs(data$x, data$y, fdr = 2)), "fdr must be")
  expect_match(said(hetsel_knockoffs(data$x, data$y, pairs = 2)), "must be among .*Got 'pairs'")
  expect_match(said(hetsel_permuted(data$x, data$y, params = list(trees = 1))), "Got .trees")
})
