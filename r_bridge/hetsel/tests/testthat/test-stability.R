skip_without_python()

# The measures by their formulas, pair by pair.
kuncheva_by_hand <- function(x) {
  s <- sum(x[1, ])
  p <- ncol(x)
  mean(utils::combn(nrow(x), 2, function(k) (sum(x[k[1], ] & x[k[2], ]) - s^2 / p) / (s - s^2 / p)))
}

tanimoto_by_hand <- function(x) {
  mean(utils::combn(nrow(x), 2, function(k) {
    sum(x[k[1], ] & x[k[2], ]) / sum(x[k[1], ] | x[k[2], ])
  }))
}

consistency_by_hand <- function(x) {
  k <- nrow(x)
  p <- ncol(x)
  counts <- colSums(x)
  n <- sum(counts)
  cw <- sum(counts * (counts - 1)) / (n * (k - 1))
  d <- n %% p
  h <- n %% k
  least <- (n^2 - p * (n - d) - d^2) / (p * n * (k - 1))
  most <- (h^2 + n * (k - 1) - h * k) / (n * (k - 1))
  (cw - least) / (most - least)
}

nogueira_by_hand <- function(x) {
  k <- nrow(x)
  shares <- colMeans(x)
  m <- mean(rowSums(x)) / ncol(x)
  1 - mean(k / (k - 1) * shares * (1 - shares)) / (m * (1 - m))
}

drawn_signatures <- list(c(1, 2, 5), c(1, 3, 5), c(2, 1, 4), c(1, 5, 6), c(2, 6, 7), c(1, 2, 5))

test_that("every measure is that of its formula", {
  x <- t(vapply(drawn_signatures, function(one) 1:9 %in% one, logical(9)))
  found <- hetsel_stability(drawn_signatures, p = 9)
  expect_identical(c(found$subsets, found$features), c(6L, 9L))
  expect_equal(found$kuncheva, kuncheva_by_hand(x))
  expect_equal(found$ati, tanimoto_by_hand(x))
  expect_equal(found$cw_rel, consistency_by_hand(x))
  expect_equal(found$nogueira, nogueira_by_hand(x))
  expect_equal((found$low + found$high) / 2, found$nogueira)
  wide <- hetsel_stability(x, level = 0.99)
  expect_equal(
    (wide$high - wide$low) / (found$high - found$low), stats::qnorm(0.995) / stats::qnorm(0.975)
  )
})

test_that("signatures of different sizes have no index of Kuncheva", {
  x <- rbind(c(TRUE, TRUE, FALSE, FALSE), c(TRUE, FALSE, FALSE, FALSE), c(TRUE, TRUE, TRUE, FALSE))
  found <- hetsel_stability(x)
  expect_identical(found$kuncheva, NA_real_)
  expect_equal(found$nogueira, nogueira_by_hand(x))
  expect_equal(found$cw_rel, consistency_by_hand(x))
  expect_true(is.na(found$low))
})

test_that("names, positions, results and halves are signatures", {
  by_place <- hetsel_stability(drawn_signatures, p = 9)
  by_name <- hetsel_stability(lapply(drawn_signatures, function(one) letters[one]), p = 9)
  expect_identical(by_name, by_place)
  data <- mixed()
  rankings <- lapply(list(1:40, 11:50, 21:60), function(rows) {
    hetsel_rank(data$x[rows, ], data$y[rows], method = "hsic", size = 2)
  })
  selected <- lapply(rankings, `[[`, "selected")
  expect_identical(hetsel_stability(rankings), hetsel_stability(selected, p = 7))
  halves <- hetsel_halves(data$x, data$y, size = 2, method = "hsic", pairs = 4)
  expect_identical(hetsel_stability(halves), hetsel_stability(halves$half_samples))
})

test_that("what is no signature is refused", {
  wrong <- function(...) conditionMessage(tryCatch(hetsel_stability(...), hetsel_error = identity))
  expect_match(wrong(list(c("a", "b"), "a")), "p is missing")
  expect_match(wrong(list(c("a", "b"), "c"), p = 2), "p must be 3 or larger")
  expect_match(wrong(list("a", 1), p = 2), "must contain names of features")
  expect_match(wrong(list(c(1, 1), 2), p = 2), "different features in 1..2")
  expect_match(wrong(list(3, 2), p = 2), "different features in 1..2")
  expect_match(wrong(list(1), p = 2), "x must have 2 signatures or more")
  expect_match(wrong(list(integer(), integer()), p = 2), "no subset contains a feature")
  expect_match(wrong(1:3, p = 3), "x must be a list of signatures")
  expect_match(wrong(matrix(1, 2, 2)), "must be logical")
  expect_match(wrong(matrix(TRUE, 2, 2), p = 3), "p must be 2")
  expect_match(wrong(list(1, 2), p = 2, level = 2), "level must be")
})

test_that("NA is no name of a feature", {
  expect_error(
    hetsel_stability(list(c("a", NA), c("b", "c")), p = 10), "names of features. Got NA",
    class = "hetsel_error"
  )
  expect_error(hetsel_stability(list(factor(c("a", NA))), p = 10), "names of features. Got NA")
})
