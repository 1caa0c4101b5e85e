skip_without_python()

# Nogueira's measure from its definition, for signatures of names
nogueira <- function(sets, p) {
  features <- unique(unlist(sets))
  m <- length(sets)
  share <- vapply(features, function(name) mean(vapply(sets, function(s) name %in% s, NA)), 0)
  k <- mean(lengths(sets))
  1 - sum(m / (m - 1) * share * (1 - share)) / p / (k / p * (1 - k / p))
}

test_that("signatures of a study have the stability of its summary", {
  summary <- compared()$summary
  shown <- summary[!is.na(summary$kuncheva), ]
  for (row in seq_len(nrow(shown))) {
    one <- shown[row, ]
    sets <- signatures(compared(), one$dataset, one$method, one$size)
    expect_named(sets, as.character(0:3))
    expect_true(all(lengths(sets) == one$size))
    expect_equal(nogueira(sets, 4), one$kuncheva)
  }
  expect_true(any(shown$kuncheva < 1))
})

test_that("signatures of a signature are those of its halves", {
  found <- hetsel_select(
    case ~ ., women(),
    method = "hsic", size = 2, folds = 3, repeats = 1, permutations = 0, pairs = 8
  )
  sets <- signatures(found)
  expect_length(sets, found$stability$half_samples)
  pairs <- split(seq_along(sets), (seq_along(sets) + 1) %/% 2)
  agreed <- vapply(pairs, function(pair) nogueira(sets[pair], 5), 0)
  expect_equal(mean(agreed), found$stability$nogueira)
  expect_error(signatures(flowers()), "pairs = 50", class = "hetsel_error")
})

test_that("measures of stability of hetsel take these lists", {
  sets <- signatures(compared(), "t2", "variance", size = 2)
  expect_equal(hetsel_stability(sets, p = 4)$nogueira, nogueira(sets, 4))
})

test_that("signatures of halves that judge a ranking are those of its matrix", {
  halves <- hetsel_halves(women()[1:5], women()$case, size = 2, method = "hsic", pairs = 5)
  sets <- signatures(halves)
  expect_length(sets, 10)
  expect_equal(hetsel_stability(sets, p = 5), hetsel_stability(halves))
})

test_that("signatures of a ranking or a search are those of its sizes", {
  expect_identical(
    signatures(ranked(), size = 1:2), list(`1` = ranked()$selected[1], `2` = ranked()$selected)
  )
  expect_identical(signatures(searched())[[1]], searched()$selected)
})

test_that("what a study does not have is refused", {
  expect_error(signatures(compared(), "t9"), "t1, t2", class = "hetsel_error")
  expect_error(signatures(compared(), method = "no"), "hsic", class = "hetsel_error")
  expect_error(signatures(compared(), size = 4), "1, 2, 3", class = "hetsel_error")
  moved <- compared()
  moved$store <- file.path(tempdir(), "moved.sqlite")
  expect_error(signatures(moved), "moved.sqlite", class = "hetsel_error")
})
