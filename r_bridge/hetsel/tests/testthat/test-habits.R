# What users of other models of R expect.
skip_without_python()

k <- seq_len(60)
table <- data.frame(dose = sin(k) + 3 * (k %% 2), age = cos(k), ward = rep(1:12, 5))
sick <- k %% 2 == 1
quick <- function(..., size = 1) {
  hetsel_select(..., size = size, folds = 3, repeats = 1, permutations = 0, pairs = 0)
}
by_flag <- quick(sick ~ dose + age, table)

test_that("classes are predicted as the target had them", {
  expect_identical(predict(by_flag, table) == sick, rep(TRUE, 60))
  levels <- c("well", "sick", "dead")
  y <- factor(ifelse(sick, "sick", "well"), levels)
  found <- quick(y ~ dose + age, table)
  expect_identical(predict(found, table), y)
  ordered <- factor(y, levels, ordered = TRUE)
  expect_identical(predict(hetsel_svm(table[1:2], ordered), table), ordered)
  expect_identical(predict(hetsel_svm(table[1:2], sick), table), sick)
  expect_identical(levels(predict(quick(table[1:2], as.character(y)), table)), c("sick", "well"))
})

test_that("a response is the probability of the positive class, or the number", {
  given <- predict(by_flag, table, type = "response")
  expect_identical(given, predict(by_flag, table, type = "prob")[, "TRUE"])
  numbers <- quick(dose ~ age + ward, table)
  expect_identical(predict(numbers, table, type = "response"), predict(numbers, table))
})

test_that("no rows give no predictions", {
  none <- table[0, ]
  expect_identical(predict(by_flag, none), logical())
  expect_identical(predict(by_flag, none, type = "decision"), double())
  expect_identical(predict(by_flag, none, type = "response"), double())
  expect_identical(dim(predict(by_flag, none, type = "prob")), c(0L, 2L))
  expect_identical(predict(hetsel_svm(table[1:2], sick), as.matrix(none)), logical())
  expect_error(hetsel_rank(none, logical()), "no rows", class = "hetsel_error")
})

test_that("row groups are a column by name or formula, which is no feature", {
  expected <- quick(table[1:2], sick, row_groups = table$ward)
  for (given in list("ward", 3, ~ward)) {
    found <- quick(table, sick, row_groups = given)
    expect_identical(found$columns$name, c("dose", "age"))
    expect_identical(found$performance, expected$performance)
    by_formula <- quick(sick ~ ., table, row_groups = given)
    expect_identical(by_formula$columns$name, c("dose", "age"))
    expect_identical(by_formula$performance, expected$performance)
  }
  expect_identical(quick(sick ~ dose + ward, table, row_groups = "ward")$columns$name, c("dose", "ward"))
  expect_error(quick(table, sick, row_groups = "war"), "Did you mean 'ward'", class = "hetsel_error")
  expect_error(quick(table, sick, row_groups = ~ log(ward)), "one column", class = "hetsel_error")
})

test_that("a function stands for a method, of x and y or of sizes, too", {
  by_correlation <- function(x, y) vapply(x, function(v) abs(cor(v, as.integer(y))), 0)
  found <- hetsel_rank(table[1:2], sick, method = by_correlation)
  expected <- sort(abs(cor(table[1:2], sick)[, 1]), decreasing = TRUE)
  expect_equal(stats::setNames(found$ranking$importance, found$ranking$feature), expected)
  expect_identical(found$method, "by_correlation")
})

test_that("whole numbers as classes are told with the option that makes them numbers", {
  stage <- k %% 3
  said <- function(...) any(grepl("target_kind", hetsel_rank(table[1:2], ..., method = "anova-f")$cautions))
  expect_true(said(stage))
  expect_false(said(factor(stage)))
  expect_false(said(stage, target_kind = "classes"))
  expect_false(said(stage > 1) || said(as.integer(sick)))
})

test_that("a row of weight 0 is left out", {
  weights <- rep(c(0, 1, 2), 20)
  left <- weights > 0
  found <- hetsel_rank(table, sick, "rfe-svm", row_weights = weights)
  expected <- hetsel_rank(table[left, ], sick[left], "rfe-svm", row_weights = weights[left])
  expect_identical(found$ranking, expected$ranking)
  machine <- hetsel_svm(table, sick, row_weights = weights)
  other <- hetsel_svm(table[left, ], sick[left], row_weights = weights[left])
  expect_identical(machine$dual[left, ], other$dual[, 1])
  expect_identical(machine$dual[!left, ], rep(0, sum(!left)))
  expect_identical(predict(machine, table, "decision"), predict(other, table, "decision"))
  expect_error(hetsel_rank(table, sick, "rfe-svm", row_weights = -weights), "0 or larger")
})

test_that("different times, and values of one label, are different levels", {
  levels_of <- function(column) {
    x <- data.frame(dose = table$dose)
    x$g <- rep(column, length.out = 60)
    found <- hetsel_rank(x, sick, "hsic", ordinal = "g")$columns
    found$levels[found$name == "g"]
  }
  autumn <- as.POSIXct("2024-10-27 00:30:00", tz = "Europe/Berlin") + 3600 * 0:3
  expect_identical(levels_of(autumn), 4L)
  expect_identical(levels_of(autumn[1] + c(0, 0.25, 0.5, 7)), 4L)
  labelled <- structure(
    c(1, 2, 3), labels = c(low = 1, low = 3, high = 2),
    class = c("haven_labelled", "vctrs_vctr", "double")
  )
  x <- data.frame(dose = table$dose)
  x$g <- structure(
    rep(unclass(labelled)[1:3], 20), labels = attr(labelled, "labels"), class = class(labelled)
  )
  found <- hetsel_rank(x, sick, "hsic", ordinal = "g")$columns
  expect_identical(found$levels[found$name == "g"], 3L)
})

test_that("a difftime and a number do not stand for each other", {
  x <- data.frame(dose = table$dose, stay = as.difftime(20 + 3 * sin(k) + 8 * sick, units = "hours"))
  found <- quick(x, sick, size = 2)
  days <- transform(x, stay = as.difftime(as.numeric(stay, units = "days"), units = "days"))
  expect_equal(predict(found, days, type = "decision"), predict(found, x, type = "decision"))
  plain <- transform(x, stay = as.numeric(stay, units = "days"))
  expect_error(predict(found, plain), "'stay' must have class difftime", class = "hetsel_error")
  expect_error(predict(quick(plain, sick, size = 2), x), "'stay' must not have class difftime")
})

test_that("a target of the class difftime keeps its unit", {
  stay <- as.difftime(100 + 20 * table$dose + 5 * table$age, units = "mins")
  found <- quick(table[1:2], stay, size = 2)
  plain <- quick(table[1:2], as.numeric(stay), size = 2)
  expect_identical(found$unit, "mins")
  expect_identical(predict(found, table), predict(plain, table))
  new <- data.frame(dose = table$dose + 0.3, age = rev(table$age))
  hours <- as.difftime(as.numeric(stay) / 60, units = "hours")
  rates <- function(object, y) hetsel_validate(object, new, y)$performance$estimate
  expect_equal(rates(found, hours), rates(plain, as.numeric(stay)))
  expect_equal(rates(found, as.numeric(stay)), rates(plain, as.numeric(stay)))
  expect_error(rates(plain, hours), "must be numeric.* Got a difftime", class = "hetsel_error")
})

test_that("a difference of times is a target, in whichever unit R writes it", {
  start <- as.POSIXct("2020-01-01", tz = "UTC")
  data <- cbind(table, from = start, to = start + 60 * (70 + 20 * table$dose + 5 * table$age))
  found <- quick(to - from ~ dose + age, data, size = 2)
  expect_identical(found$unit, "mins")
  new <- transform(data, dose = dose + 0.3, age = rev(age))
  new$to <- new$to + 3600
  made <- hetsel_validate(found, new)
  given <- hetsel_validate(found, new, as.numeric(new$to - new$from, units = "mins"))
  expect_identical(units(new$to - new$from), "hours")
  expect_equal(made$performance, given$performance)
})

test_that("flags, their text and their factors match", {
  flag <- k %% 4 < 2
  as_given <- list(flag, as.character(flag), factor(flag), tolower(flag))
  tables <- lapply(as_given, function(l) data.frame(l = l, a = table$age, stringsAsFactors = FALSE))
  expected <- predict(hetsel_svm(tables[[1]], sick), tables[[1]], "decision")
  for (fit in tables[1:3]) {
    machine <- hetsel_svm(fit, sick)
    for (new in tables[c(1:3, if (is.logical(fit$l)) 4)]) {
      expect_equal(predict(machine, new, "decision"), expected)
    }
  }
  strange <- transform(tables[[1]], l = "maybe")
  expect_error(predict(hetsel_svm(tables[[1]], sick), strange), "unseen.*maybe")
})

test_that("columns and rows are told of the rows that have weight", {
  gaps <- transform(table, dose = replace(exp(dose), k %% 7 == 0, NA))
  weights <- as.double(k %% 3 == 0)
  left <- gaps[weights > 0, ]
  for (fit in list(
    function(...) hetsel_rank(..., method = "rfe-svm"), hetsel_svm, function(...) quick(...)
  )) {
    found <- fit(gaps, sick, row_weights = weights)
    expect_identical(found$rows, 20L)
    expect_identical(found$classes, c("FALSE" = 10L, "TRUE" = 10L))
    expect_identical(found$columns$missing, c(sum(is.na(left$dose)), 0L, 0L))
    middle <- stats::median(left$dose, na.rm = TRUE)
    expect_identical(found$columns$imputed, c(sprintf("%.6g", middle), "", ""))
  }
  three <- factor(ifelse(weights > 0, as.character(sick), "other"))
  machine <- hetsel_svm(gaps, three, row_weights = weights)
  expect_identical(dim(machine$dual), c(60L, 1L))
  expect_identical(names(machine$classes), c("FALSE", "TRUE"))
  expect_identical(grep("^rows ", names(machine$effects), value = TRUE), c("rows FALSE", "rows TRUE"))
})

test_that("a target of numbers has its effective number of rows", {
  weights <- as.double(k %% 3)
  found <- quick(dose ~ age + ward, table, row_weights = weights)
  expect_identical(found$rows, 40L)
  expect_identical(found$effective_sample_size$class, "")
  expect_equal(found$effective_sample_size$rows, sum(weights)^2 / sum(weights^2))
})

test_that("a class may have an empty name", {
  y <- ifelse(sick, "", "yes")
  for (positive in c("yes", "")) {
    found <- quick(table[1:2], y, positive = positive)
    all <- predict(found, table, "prob")
    expect_setequal(colnames(all), c("", "yes"))
    expect_identical(predict(found, table, "response"), all[, match(positive, colnames(all))])
  }
  skip_if_not_installed("generics")
  expect_identical(nrow(generics::augment(found, table)), 60L)
})

test_that("options are named as in R", {
  told <- tryCatch(hetsel_rank(table, sick, row_weights = 1:3), hetsel_error = identity)
  expect_match(told$problem, "^row_weights must .*60 rows. Got 3$")
  expect_identical(told$argument, "row_weights")
  told <- tryCatch(hetsel_halves(table, sick, size = 1, pairs = 0), hetsel_error = identity)
  expect_match(told$problem, "^pairs must be")
  expect_identical(told$argument, "pairs")
  expect_error(hetsel_rank(table, sick, row_weights = 1e-300 * k), "w / max(w)", fixed = TRUE)
})

test_that("names of several methods mean nothing", {
  found <- hetsel_select(
    table, sick,
    method = c(hsic = "variance", variance = "relieff"), size = 1, folds = 3, repeats = 1,
    permutations = 0, pairs = 0
  )
  expect_identical(sort(found$methods$method), c("relieff", "variance"))
})

test_that("names are UTF-8 in any locale", {
  before <- Sys.getlocale("LC_CTYPE")
  on.exit(Sys.setlocale("LC_CTYPE", before))
  great <- "gro\u00df"
  y <- factor(ifelse(sick, great, "klein"))
  Sys.setlocale("LC_CTYPE", "C")
  found <- hetsel_svm(table, y)
  expect_identical(Encoding(names(found$effects)[9]), "UTF-8")
  expect_identical(names(found$effects)[9], paste("rows", great))
})

test_that("an interval or a period of lubridate is refused", {
  skip_if_not_installed("lubridate")
  day <- as.Date("2020-01-01")
  x <- data.frame(dose = table$dose)
  x$stay <- lubridate::interval(day, day + k)
  expect_error(hetsel_rank(x, sick), "'stay' has class Interval", class = "hetsel_error")
  x$stay <- lubridate::period(k, "month")
  expect_error(hetsel_rank(x, sick), "'stay' has class Period", class = "hetsel_error")
})

test_that("refusals are conditions of hetsel", {
  table$age[1] <- NA
  expect_error(hetsel_rank(sick ~ ., table, na.action = na.fail), class = "hetsel_error")
  expect_error(hetsel_rank(sick ~ ., table, na.action = "nothing"), "na.omit. Got \"nothing\"", class = "hetsel_error")
  expect_error(predict(hetsel_svm(table[1], sick), table, type = "x"), class = "hetsel_error")
  expect_error(plot(by_flag, "x"), class = "hetsel_error")
  expect_error(hetsel_stability(list()), class = "hetsel_error")
})

test_that("points of many levels print within the width", {
  x <- data.frame(dose = table$dose, place = rep(sprintf("a ward with a long name, number %02d", 1:20), 3))
  printed <- utils::capture.output(print(hetsel_points(quick(x, sick, size = 2))))
  expect_match(printed[1], "of the decision value; positive class .* from [0-9]+ points?")
  expect_true(all(nchar(printed) <= 130))
})
