test_that("rf10000 runs R's randomForest in this very session", {
  data <- mixed()
  set.seed(1)
  before <- .Random.seed
  result <- hetsel_rank(data$x, data$y, method = "rf10000", ntree = 200)
  expect_identical(.Random.seed, before) # the session's own draws go on as before
  expect_true("dose" %in% result$ranking$feature[1:2])
  again <- hetsel_rank(data$x, data$y, method = "rf10000", ntree = 200)
  expect_identical(result, again)
  other <- hetsel_rank(data$x, data$y, method = "rf10000", ntree = 200, seed = 1)
  expect_false(identical(result$ranking$importance, other$ranking$importance))
  expect_output(print(result), "Random forest of R")
})

test_that("rf10000 takes missing cells and a factor of 92 levels", {
  k <- seq_len(400)
  x <- data.frame(
    town = factor(paste("town", (k * 37) %% 92)),
    noise = cos(k),
    gap = ifelse(k %% 7 == 0, NA, sin(k))
  )
  for (classes in 2:3) {
    y <- letters[1 + ((k * 37) %% 92) %% classes]
    for (missing in c("impute", "separate")) {
      result <- hetsel_rank(x, y, method = "rf10000", ntree = 100, missing = missing)
      expect_identical(result$ranking$feature[1], "town")
      expect_identical(result$columns$levels, c(92L, 0L, 0L))
    }
  }
})

test_that("options of the forest are checked", {
  data <- mixed()
  expect_error(hetsel_rank(data$x, data$y, "rf10000", ntree = 0), "ntree must be a whole number")
  expect_error(hetsel_rank(data$x, data$y, "rf10000", ntree = 5, mtry = 8), "mtry .* 1..7. Got 8")
})
