skip_without_python()

quick <- function(...) {
  hetsel_select(..., folds = 3, repeats = 1, permutations = 0, pairs = 0, progress = FALSE)
}

test_that("parameters of a method are a list, or stand by their names, in every function", {
  data <- mixed()
  ranked <- lapply(list(
    hetsel_rank(data$x, data$y, "rfe-svm", class_weight = "balanced"),
    hetsel_rank(data$x, data$y, "rfe-svm", params = list(class_weight = "balanced"))
  ), `[[`, "ranking")
  expect_identical(ranked[[1]], ranked[[2]])
  chosen <- lapply(list(
    quick(data$x, data$y, "rfe-svm", size = 2, class_weight = NULL),
    quick(data$x, data$y, "rfe-svm", size = 2, params = list(class_weight = NULL))
  ), `[[`, "parameters")
  expect_identical(chosen[[1]], chosen[[2]])
  expect_null(chosen[[1]]$class_weight)
  halves <- lapply(list(
    hetsel_halves(data$x, data$y, 1, "rfe-svm", pairs = 2, row_groups = "rows", C = 2),
    hetsel_halves(data$x, data$y, 1, "rfe-svm", pairs = 2, row_groups = "rows",
                  params = list(C = 2))
  ), `[[`, "halves")
  expect_identical(halves[[1]], halves[[2]])
})

test_that("a parameter that a method has not is refused with those that it has", {
  data <- mixed()
  for (f in list(hetsel_rank, hetsel_select, hetsel_permuted)) {
    expect_error(f(data$x, data$y, method = "rfe-svm", trees = 3), "bins, C.* Got 'trees'")
    expect_error(f(data$x, data$y, method = "rfe-svm", params = list(3)), "must be a named list")
  }
})

test_that("what features may do is asked of every method that searches", {
  data <- mixed()
  names <- names(data$x)
  costs <- stats::setNames(c(2, 1), names[1:2])
  path <- hetsel_rank(data$x, data$y, "sffs-nb", never = names[3], costs = costs, budget = 2,
                      column_groups = list(names[4:5]))
  for (features in path$path$features) {
    expect_false(names[3] %in% features)
    expect_false(all(names[1:2] %in% features))
    expect_identical(names[4] %in% features, names[5] %in% features)
  }
  found <- quick(data$x, data$y, "sffs-nb", size = 2, never = names[3])
  expect_false(names[3] %in% found$features$feature)
  for (f in list(hetsel_rank, hetsel_select)) {
    expect_error(f(data$x, data$y, budget = 3), "budget .*methods? that search.*hetsel_search")
  }
})

test_that("rows of a group are held out together by a method that holds rows out", {
  data <- mixed()
  group <- rep(seq_len(nrow(data$x) / 2), each = 2)
  asked <- function(...) hetsel_rank(data$x, data$y, "sffs-5nn", folds = 3, ...)$path
  direct <- hetsel_search(data$x, data$y, folds = 3, row_groups = group)$path
  expect_identical(asked(row_groups = group), direct)
  expect_false(identical(asked(), direct))
})

test_that("a function of R as a method has further arguments, by their names or in a list", {
  data <- mixed()
  by_place <- function(x, y, sizes, last = FALSE) if (last) rev(names(x)) else names(x)
  first <- function(...) {
    hetsel_rank(data$x, data$y, method = hetsel_method(by_place, ...))$ranking$feature
  }
  expect_identical(first(), names(data$x))
  expect_identical(first(last = TRUE), rev(names(data$x)))
  expect_identical(first(params = list(last = TRUE)), rev(names(data$x)))
  expect_error(hetsel_method(by_place, least = TRUE), "last.* Got least")
})

test_that("options that are numbers, words or truths are checked to be such", {
  data <- mixed()
  expect_error(hetsel_search(data$x, data$y, count = "many"), "count must be one number")
  expect_error(hetsel_search(data$x, data$y, rate = 3), "rate must be one character string")
  expect_error(hetsel_select(data$x, data$y, quick = 1), "quick must be TRUE or FALSE")
  expect_error(hetsel_search(data$x, data$y, ties = "a"), "ties must be one or more numbers")
})
