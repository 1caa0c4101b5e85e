skip_if_not_installed("recipes")
skip_without_python()

table <- function() transform(women(), case = factor(case))

test_that("a step keeps the features of the signature, factors whole", {
  step <- step_select_hetsel(
    recipes::recipe(case ~ ., table()), recipes::all_predictors(),
    size = 2, options = list(C = 1)
  )
  prepared <- recipes::prep(step)
  expected <- hetsel_rank(case ~ ., table(), size = 2, C = 1)
  baked <- recipes::bake(prepared, table()[5:1, ])
  expect_setequal(names(baked), c(expected$selected, "case"))
  expect_identical(baked$spontaneous, table()$spontaneous[5:1])
  tidied <- recipes::tidy(prepared, 1)
  expect_identical(tidied$terms, expected$ranking$feature)
  expect_identical(tidied$terms[!tidied$removed], expected$selected)
  factors <- step_select_hetsel(recipes::recipe(case ~ ., table()), education, size = 1)
  expect_s3_class(recipes::bake(recipes::prep(factors), table())$education, "factor")
})

test_that("a size beyond the columns keeps all, a search selects without ranks", {
  every <- step_select_hetsel(recipes::recipe(case ~ ., table()), age, parity, size = 10)
  expect_setequal(names(recipes::bake(recipes::prep(every), table())), names(table()))
  by_search <- recipes::prep(step_select_hetsel(
    recipes::recipe(case ~ ., table()), recipes::all_predictors(),
    method = "sfs-5nn"
  ))
  expected <- hetsel_rank(case ~ ., table(), method = "sfs-5nn")$selected
  expect_setequal(names(recipes::bake(by_search, table())), c(expected, "case"))
  expect_true(all(is.na(recipes::tidy(by_search, 1)$rank)))
})

test_that("case weights are the weights of rows", {
  weighted <- table()
  weights <- 1 + seq_len(nrow(weighted)) %% 7
  weighted$w <- recipes::importance_weights(weights)
  step <- step_select_hetsel(
    recipes::recipe(case ~ ., weighted), recipes::all_predictors(),
    size = 2
  )
  expected <- hetsel_rank(case ~ ., table(), size = 2, row_weights = weights)
  expect_identical(recipes::tidy(recipes::prep(step), 1)$importance, expected$ranking$importance)
  refused <- step_select_hetsel(
    recipes::recipe(case ~ ., weighted), recipes::all_predictors(),
    method = "hsic"
  )
  said <- tryCatch(recipes::prep(refused), error = identity)
  expect_s3_class(said$parent, "hetsel_error")
})

test_that("a step prints, is tuned by its size, and names its package", {
  step <- step_select_hetsel(
    recipes::recipe(case ~ ., table()), recipes::all_predictors(),
    id = "k"
  )
  expect_output(print(step), "rfe-mkl")
  expect_output(print(recipes::prep(step)), "removed: .*education|trained")
  expect_identical(recipes::tidy(step, 1)$id, "k")
  expect_identical(recipes::tunable(step)$name, "size")
  expect_identical(recipes::required_pkgs(step$steps[[1]]), "hetsel")
  two <- recipes::recipe(case + age ~ ., table())
  refused <- step_select_hetsel(two, recipes::all_predictors())
  said <- tryCatch(recipes::prep(refused), error = identity)
  expect_match(conditionMessage(said$parent), "one outcome. Got 2")
})
