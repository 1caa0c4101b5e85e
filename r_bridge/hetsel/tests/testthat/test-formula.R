skip_without_python()

whole <- local({
  data <- mixed()
  cbind(data$x, y = data$y)
})
expected <- hetsel_rank(whole[names(whole) != "y"], whole$y)
columns <- function(...) hetsel_rank(...)$columns$name

test_that("a formula picks the columns it names", {
  expect_identical(hetsel_rank(y ~ ., whole)$ranking, expected$ranking)
  expect_identical(hetsel_rank(y == "well" ~ ., whole)$ranking, expected$ranking)
  expect_identical(
    columns(y ~ site + log(age) + factor(smoker) + I(dose^2), whole),
    c("site", "log(age)", "factor(smoker)", "I(dose^2)")
  )
  without <- hetsel_rank(y ~ . - name, whole, size = 3)
  expect_identical(without$columns$name, setdiff(names(whole), c("name", "y")))
  expect_length(without$selected, 3)
  spaced <- stats::setNames(whole, sub("dose", "dose in mg", names(whole)))
  expect_identical(columns(y ~ `dose in mg` + age, spaced), c("dose in mg", "age"))
  outside <- rev(whole$dose)
  expect_identical(columns(y ~ age + outside, whole), c("age", "outside"))
  whole$age[3] <- NA
  expect_identical(hetsel_rank(y ~ age + site, whole)$columns$missing, c(1L, 0L))
})

test_that("formula and data may come by name and in either order, as from a pipe", {
  ways <- list(
    hetsel_rank(formula = y ~ ., data = whole), hetsel_rank(data = whole, formula = y ~ .),
    hetsel_rank(x = y ~ ., data = whole), hetsel_rank(formula = y ~ ., whole),
    whole |> hetsel_rank(y ~ .), whole |> hetsel_rank(formula = y ~ ., "rfe-mkl"),
    hetsel_rank(y ~ ., data = whole, "rfe-mkl")
  )
  for (way in ways) {
    expect_identical(way$ranking, expected$ranking)
    expect_identical(way$target, "y")
    expect_identical(way$call[[2]], quote(y ~ .))
    expect_identical(names(way$call)[2:3], c("formula", "data"))
  }
  found <- whole |> hetsel_search(y ~ dose + age, search = "sfs", subset = age > 45)
  expect_identical(found$rows, sum(whole$age > 45))
  expect_identical(found$call$subset, quote(age > 45))
})

test_that("subset and na.action choose rows as in R's models", {
  rows <- whole$age > 45
  expected <- hetsel_rank(whole[rows, c("dose", "site")], whole$y[rows])$ranking
  least <- 45
  expect_identical(hetsel_rank(y ~ dose + site, whole, subset = age > least)$ranking, expected)
  expect_identical(hetsel_rank(y ~ dose + site, whole, subset = which(rows))$ranking, expected)
  by_name <- row.names(whole)[rows]
  expect_identical(hetsel_rank(y ~ dose + site, whole, subset = by_name)$ranking, expected)
  expect_error(hetsel_rank(y ~ dose, whole, subset = 1:61), "of the 60 rows")
  expect_error(hetsel_rank(y ~ dose, whole, subset = c(TRUE, FALSE)), "of the 60 rows")
  gaps <- whole
  gaps$age[3] <- NA
  gaps$y[9] <- NA
  expect_error(hetsel_rank(y ~ age, gaps), "target is missing in 1 row")
  expect_identical(hetsel_rank(y ~ age + dose, gaps, na.action = na.omit)$rows, 58L)
  expect_identical(hetsel_rank(y ~ ., gaps, na.action = "na.omit", subset = 4:60)$rows, 56L)
  expect_error(hetsel_rank(y ~ age + dose, gaps, na.action = na.fail), "missing values")
  groups <- rep(1:20, 3)
  found <- hetsel_search(y ~ dose + age, whole,
    search = "sfs", subset = age > 45, row_groups = groups, folds = 3
  )
  expect_identical(found$rows, sum(rows))
})

test_that("what a formula of a model may hold and a ranking cannot use is refused", {
  expect_error(hetsel_rank(y ~ dose + offset(age), whole), "must not contain an offset")
  expect_error(hetsel_rank(y ~ . + offset(age), whole), "must not contain an offset")
  expect_error(hetsel_rank(y ~ dose, whole, offset = age), "no offset")
  expect_error(hetsel_rank(y ~ dose, whole, weights = age), "row_weights")
  expect_error(hetsel_search(whole, y ~ dose, weights = age), "row_weights")
  expect_error(hetsel_rank(y ~ age:site, whole), "interactions. Got age:site")
  expect_error(hetsel_rank(y ~ age * site, whole), "interactions. Got age:site")
  expect_error(hetsel_rank(y ~ .^2, whole), "interactions")
  expect_error(hetsel_rank(y ~ dose | site, whole), "groups after |", fixed = TRUE)
  expect_error(hetsel_rank(y ~ y + age, whole), "features. Got y on both sides")
  expect_error(hetsel_rank(~age, whole), "name the target")
  expect_error(hetsel_rank(y ~ 1, whole), "must name features")
  expect_error(hetsel_rank(y ~ nothing, whole), "'nothing', which is neither a column")
  expect_error(hetsel_rank(nothing ~ ., whole), "'nothing', which is neither a column")
  expect_error(hetsel_rank(y ~ Dosse, whole), "nor a variable. Did you mean 'dose'?", fixed = TRUE)
  expect_error(hetsel_rank(y ~ nothing, whole), "nor a variable$")
  expect_error(hetsel_rank(y ~ . - agee, whole), "'agee', .*Did you mean 'age'")
  expect_error(hetsel_rank(y ~ ., whole, row_groups = "y"), "must not name the target. Got 'y'")
  expect_error(hetsel_rank(y ~ age), "data is missing")
  expect_error(hetsel_rank(y ~ ., as.list(whole)), "data must be a data frame")
  expect_error(hetsel_rank(y ~ cbind(dose, age), whole), "Got a matrix")
  twice <- stats::setNames(whole, sub("age", "dose", names(whole)))
  expect_error(hetsel_rank(y ~ dose, twice), "must be unique. Got 'dose'")
  expect_identical(columns(y ~ site, twice), "site")
})

test_that("a result records the call, the options, the target and the seed", {
  result <- hetsel_rank(y ~ dose + site, whole, method = "rf10000", ntree = 50, seed = 3)
  expect_identical(result$target, "y")
  expect_identical(result$options$ntree, 50L)
  expect_identical(result$options$many_levels, "merge")
  expect_identical(result$seed, 3)
  expect_output(print(result), "options: ntree = 50; seed 3", fixed = TRUE)
  expect_output(print(result), "target y; classes: sick (20), well (40)", fixed = TRUE)
  expect_output(print(result), "call: hetsel_rank(formula = y ~ dose + site, ", fixed = TRUE)
  expect_output(print(summary(result)), "options: ntree = 50; seed 3", fixed = TRUE)
  expect_output(str(result), "ntree +: int 50")
  expect_false(grepl("10,000", result$title))
  expect_identical(eval(result$call)$ranking, result$ranking)
  plain <- hetsel_rank(whole["dose"], whole$y == "sick", class_weight = "balanced")
  expect_identical(plain$target, 'whole$y == "sick"')
  expect_output(print(plain), 'options: class_weight = "balanced"\n', fixed = TRUE)
  expect_identical(hetsel_search(y ~ dose + age, whole, folds = 3)$options$folds, 3L)
})

test_that("update() takes a recorded call up", {
  result <- hetsel_rank(y ~ ., whole, size = 2)
  other <- update(result, . ~ . - age, method = "rfe-svm")
  expect_identical(other$columns$name, setdiff(names(whole), c("age", "y")))
  expect_identical(other$method, "rfe-svm")
  expect_length(other$selected, 2)
  by_parts <- hetsel_rank(whole["dose"], whole$y)
  expect_error(update(by_parts, . ~ . + age), "no formula")
})

test_that("no table and no environment is saved with a call", {
  long <- whole[rep(1:60, 20), ]
  result <- do.call(hetsel_rank, list(y ~ dose + site, long))
  expect_identical(result$call, quote(hetsel_rank(formula = y ~ dose + site, data = `<data.frame>`)))
  expect_lt(length(serialize(result, NULL)), 5000)
  plain <- do.call(hetsel_rank, list(long["dose"], long$y))
  expect_identical(plain$target, "y")
})
