skip_without_python()

# Sixty rows; `g` has three values, in whatever type a test gives it.
graded <- function(g) {
  k <- seq_len(60)
  x <- data.frame(dose = sin(k) + 2 * (k %% 2), age = cos(k), noise = cos(3 * k))
  x$g <- g
  x
}
three <- rep(c(10, 20, 30), 20)
sick <- rep(c(TRUE, FALSE), 30)
read <- function(g, ...) {
  columns <- hetsel_rank(graded(g), sick, ...)$columns
  columns[columns$name == "g", ]
}
labelled <- function(x, ...) {
  structure(x, ..., class = c("haven_labelled", "vctrs_vctr", typeof(x)))
}

test_that("levels in order have the type of their column, or stand for its values", {
  day <- as.Date("2020-01-01")
  text <- rep(c("I", "II", "III"), 20)
  cases <- list(
    numbers = list(three, c(30, 20, 10)), "whole numbers" = list(as.integer(three), 3:1 * 10L),
    "text of numbers" = list(three, c("30", "20", "10")),
    "numbers of text" = list(as.character(three), c(30, 20, 10)),
    factor = list(factor(three), c(30, 20, 10)), logical = list(three > 10, c(TRUE, FALSE)),
    dates = list(day + three, day + c(30, 20, 10)),
    "text of dates" = list(day + three, format(day + c(30, 20, 10))),
    names = list(text, c(x = "III", y = "II", z = "I")), list = list(text, list("III", "II", "I"))
  )
  for (case in names(cases)) {
    found <- read(cases[[case]][[1]], ordinal = list(g = cases[[case]][[2]]))
    expect_identical(found$kind, "ordinal", info = case)
    expect_identical(found$levels, length(unique(cases[[case]][[1]])), info = case)
  }
  expect_error(read(three, ordinal = list(g = c(30, 20))), "must .*10")
  expect_error(read(three, ordinal = list(g = c(30, NA))), "levels of column 'g' .*must be .* NA")
})

test_that("the order of the levels counts", {
  importance <- function(levels) {
    found <- hetsel_rank(graded(three), three == 20, "t-test", ordinal = list(g = levels))$ranking
    found$importance[found$feature == "g"]
  }
  expect_equal(importance(c(30, 20, 10)), importance(c(10, 20, 30)))
  expect_false(isTRUE(all.equal(importance(c(20, 10, 30)), importance(c(10, 20, 30)))))
})

test_that("classes of any type have weights", {
  names <- c(a = 3, b = 1)
  by_name <- function(y, names) {
    hetsel_rank(graded(three), y, class_weight = stats::setNames(c(3, 1), names))$ranking
  }
  expected <- by_name(ifelse(sick, "a", "b"), c("a", "b"))
  expect_equal(by_name(sick, c("TRUE", "FALSE")), expected, tolerance = 1e-5)
  expect_identical(by_name(as.integer(!sick), c("0", "1")), expected)
  expect_identical(by_name(as.double(!sick), c("0", "1")), expected)
  expect_identical(by_name(factor(ifelse(sick, "a", "b"), c("b", "a")), c("a", "b")), expected)
  other <- by_name(sick, c("FALSE", "TRUE"))
  expect_false(isTRUE(all.equal(other, expected, tolerance = 1e-5)))
  expect_error(by_name(sick, c("yes", "no")), "classes among (FALSE, TRUE|TRUE, FALSE)")
})

test_that("names of vectors do no harm", {
  expected <- hetsel_rank(graded(three), sick, size = 2, C = 2)
  named <- hetsel_rank(
    graded(three), stats::setNames(sick, 1:60), c(m = "rfe-mkl"), c(s = 2),
    missing = c(m = "impute"), C = c(C = 2)
  )
  expect_identical(named$ranking, expected$ranking)
})

test_that("labels of haven are levels, and what is declared missing is missing", {
  grade <- c(high = 30, low = 10, mid = 20)
  expect_identical(read(labelled(three, labels = grade))[c("kind", "levels")], data.frame(
    kind = "nominal", levels = 3L, row.names = 4L
  ))
  filled <- read(labelled(replace(three, c(1, 3), NA), labels = grade, label = "Grade"))
  expect_identical(filled$imputed, "mid")
  ordered <- read(labelled(three, labels = grade), ordinal = "g")
  expect_identical(ordered$kind, "ordinal")
  for (levels in list(c("mid", "high", "low"), c(20, 30, 10))) {
    expect_identical(read(labelled(three, labels = grade), ordinal = list(g = levels))$levels, 3L)
  }
  expect_identical(read(labelled(three, labels = grade), continuous = "g")$kind, "continuous")
  some <- read(labelled(three, labels = c(low = 10)))
  expect_identical(some$levels, 3L) # as haven::as_factor(): values without a label stay
  text <- read(labelled(as.character(three), labels = c(low = "10", high = "30")))
  expect_identical(text$levels, 3L)
  spss <- read(labelled(three, labels = grade, na_values = 30))
  expect_identical(c(spss$levels, spss$missing), c(2L, 20L))
  range <- read(labelled(three, labels = grade, na_range = c(20, Inf)))
  expect_identical(c(range$levels, range$missing), c(1L, 40L))
  # only what is missing has a label: the values are measured
  expect_identical(read(labelled(three, labels = c(refused = 30), na_values = 30))$kind,
    "continuous")
  classes <- hetsel_rank(graded(three), labelled(sick + 1, labels = c(well = 1, ill = 2)))$classes
  expect_identical(classes, c(well = 30L, ill = 30L))
})

test_that("classes keep the order of the levels of the target", {
  y <- factor(ifelse(sick, "sick", "well"), levels = c("well", "unused", "sick"))
  expect_identical(hetsel_rank(graded(three), y)$classes, c(well = 30L, sick = 30L))
  grade <- factor(three, levels = c(20, 30, 10), labels = c("lo", "mid", "hi"), ordered = TRUE)
  expect_named(hetsel_rank(graded(three), grade)$classes, c("lo", "mid", "hi"))
  expect_named(hetsel_rank(graded(three), 1e6 * three)$classes, c("10000000", "20000000", "30000000"))
})

test_that("dates are written as dates", {
  day <- as.Date("2020-01-01") + three
  time <- as.POSIXct("2020-01-01 10:00", tz = "America/New_York") + 3600 * three
  expect_identical(read(replace(day, 3, NA))$imputed, "2020-01-21")
  expect_identical(read(replace(time, 3, NA))$imputed, "2020-01-02 06:00")
  expect_identical(read(replace(day, c(1, 3), NA), nominal = "g")$imputed, "2020-01-21")
  expect_match(read(replace(time, c(1, 3), NA), nominal = "g")$imputed, "^2020-01-02 06:00")
  expect_identical(read(day, ordinal = "g")$kind, "ordinal")
  expect_named(
    hetsel_rank(graded(three), as.Date("2020-01-01") - sick)$classes, c("2019-12-31", "2020-01-01")
  )
  expect_named(
    hetsel_rank(graded(three), as.POSIXct("2020-01-01 10:00", tz = "UTC") + 3600 * sick)$classes,
    c("2020-01-01 10:00:00", "2020-01-01 11:00:00")
  )
  gap <- tryCatch(read(replace(three, 3, Inf)), error = conditionMessage)
  expect_match(gap, "in row 3")
})

test_that("a column is named once, and by a mask of all columns", {
  kind <- function(...) hetsel_rank(graded(three), sick, ...)$columns$kind
  expected <- c("continuous", "continuous", "continuous", "nominal")
  masks <- list(
    c(FALSE, FALSE, FALSE, TRUE), names(graded(three)) == "g", sapply(graded(three), max) > 20
  )
  for (mask in masks) {
    expect_identical(kind(nominal = mask), expected)
  }
  expect_identical(kind(nominal = c(other = FALSE, g = TRUE)), expected)
  expect_identical(kind(nominal = TRUE), rep("nominal", 4))
  expect_error(kind(nominal = c(TRUE, FALSE)), "each of the 4 columns. Got 2")
  expect_error(kind(nominal = c(TRUE, NA, FALSE, FALSE)), "nominal must be TRUE or FALSE .* NA")
  expect_error(kind(nominal = c("g", NA)), "nominal must name columns. Got NA")
  expect_error(kind(nominal = c(4, 5)), "nominal .* 1..4. Got 4, 5")
  expect_error(kind(nominal = 0), "nominal .* 1..4. Got 0")
  expect_error(kind(nominal = "h"), "no column 'h'")
  expect_error(kind(nominal = c("g", "g")), "column 'g' more than once")
  expect_error(kind(nominal = c(4, 4)), "column 'g' more than once")
  expect_error(kind(ordinal = list(g = 1:3, g = 3:1)), "column 'g' more than once")
  expect_error(kind(nominal = list(g = 1:3)), "Only ordinal accepts levels")
  expect_error(kind(nominal = 1i), "Got an object of class complex")
})

test_that("a class may have an empty name", {
  y <- factor(ifelse(sick, "", "well"), c("well", ""))
  expect_identical(unname(hetsel_rank(graded(three), y)$classes), c(30L, 30L))
  expect_identical(names(hetsel_rank(graded(three), y)$classes), c("well", ""))
})
