skip_if_not_installed("caret")
skip_without_python()

test_that("rfe of caret ranks and predicts a mixed table", {
  x <- women()[1:5]
  y <- factor(women()$case, labels = c("no", "yes"))
  folds <- split(seq_along(y), seq_along(y) %% 3)
  control <- caret::rfeControl(
    functions = hetselFuncs, method = "cv", index = lapply(folds, function(k) seq_along(y)[-k]),
    allowParallel = FALSE
  )
  found <- caret::rfe(x, y, sizes = 1:3, rfeControl = control, method = "hsic")
  expect_s3_class(found$fit, "hetsel_signature")
  expect_length(caret::predictors(found), found$optsize)
  # what caret says of size 1 is what these folds say
  rates <- vapply(folds, function(k) {
    best <- hetsel_rank(x[-k, ], y[-k], method = "hsic")$ranking$feature[1]
    fitted <- hetsel_svm(x[-k, best, drop = FALSE], y[-k], class_weight = "balanced")
    mean(predict(fitted, x[k, ]) == y[k])
  }, 0)
  expect_equal(found$results$Accuracy[found$results$Variables == 1], mean(rates))
  factors <- caret::rfe(x["education"], y, sizes = 1, rfeControl = control, method = "hsic")
  expect_identical(caret::predictors(factors), "education")
  predicted <- predict(found, x[1:4, ])
  expect_identical(levels(predicted$pred), levels(y))
  expect_equal(predicted$no + predicted$yes, rep(1, 4))
})

test_that("summaries of probabilities and of numbers are what the held-out rows give", {
  x <- women()[c("age", "education", "spontaneous")]
  y <- factor(women()$case, labels = c("no", "yes"))
  resampled <- function(x, y, functions, ...) {
    control <- caret::rfeControl(
      functions = functions, method = "cv", index = list(Fold1 = which(seq_along(y) %% 3 > 0)),
      allowParallel = FALSE, saveDetails = TRUE
    )
    caret::rfe(x, y, sizes = 1, rfeControl = control, method = "univariate-tests", ...)
  }
  areas <- utils::modifyList(hetselFuncs, list(summary = caret::twoClassSummary))
  found <- resampled(x, y, areas, metric = "ROC")
  held <- found$pred[found$pred$Variables == 3, ]
  pairs <- outer(held$no[held$obs == "no"], held$no[held$obs == "yes"], `-`)
  expect_equal(
    found$results$ROC[found$results$Variables == 3], mean((sign(pairs) + 1) / 2)
  )
  numbers <- resampled(x[c("age", "education")], women()$parity, hetselFuncs) # whole ones
  held <- numbers$pred[numbers$pred$Variables == 2, ]
  expect_equal(
    numbers$results$RMSE[numbers$results$Variables == 2], sqrt(mean((held$pred - held$obs)^2))
  )
  expect_type(predict(numbers, x[1:2, ]), "double")
})

test_that("what caret cannot use is refused", {
  expect_error(
    hetselFuncs$fit(women()[1:2], as.character(1:248), TRUE, TRUE), "must be a factor",
    class = "hetsel_error"
  )
  fitted <- hetselFuncs$fit(iris[1:2], iris$Species, TRUE, TRUE, method = "sfs-5nn")
  expect_error(
    hetselFuncs$rank(fitted, iris[1:2], iris$Species), "no ranking",
    class = "hetsel_error"
  )
})
