skip_without_python()

test_that("every type of column gets its kind", {
  columns <- columns_read(mixed()$x)
  expect_equal(columns$kind, c(
    "continuous", "continuous", "nominal", "ordinal", "nominal", "nominal", "continuous"
  ))
  expect_equal(columns$levels, c(0, 0, 3, 3, 2, 3, 0))
  expect_equal(columns$missing, rep(0, 7))
  expect_match(columns["seen", "note"], "^dates")
})

test_that("NA of every type is missing, and so is NaN", {
  x <- data.frame(
    integer = c(1L, NA, 3L, 4L, 7L, 9L),
    double = c(NA, 2.5, 3.5, 4.5, 1.5, 2.25),
    nan = c(1.5, NaN, NA, 4.5, 2.5, 0.5),
    logical = c(TRUE, NA, FALSE, TRUE, FALSE, FALSE),
    character = c("a", NA, "NA", "b", "b", "a"),
    factor = factor(c("u", "v", NA, "u", "u", "v")),
    ordered = factor(c(NA, 1, 2, 3, 2, NA), ordered = TRUE),
    date = as.Date(c("2020-01-01", NA, "2021-05-05", "2022-01-01", "2023-01-01", "2024-01-01")),
    time = as.POSIXct("2020-01-01", tz = "UTC") + c(3600 * (1:5), NA),
    stringsAsFactors = FALSE
  )
  columns <- columns_read(x)
  expect_equal(columns$missing, c(1, 1, 2, 1, 1, 1, 2, 1, 1))
  expect_equal(columns[c("logical", "factor", "ordered"), "levels"], c(2, 2, 3))
  expect_equal(columns["character", "levels"], 3) # "NA" in quotes is a level
  expect_equal(columns[c("integer", "logical", "factor"), "imputed"], c("4", "FALSE", "u"))
  expect_error(columns_read(x, missing = "error"), "11 values are missing")
  expect_equal(columns_read(x, missing = "separate")$imputed, rep("", 9))
})

test_that("NA as a level of its own, as addNA() makes it, is missing", {
  columns <- columns_read(data.frame(a = addNA(factor(c("u", NA, "v", "v"))), b = 1:4))
  expect_equal(columns["a", "missing"], 1)
  expect_equal(columns["a", "levels"], 2)
})

test_that("names, levels and classes beyond ASCII arrive and return unharmed", {
  x <- data.frame(
    a = factor(c("\u00e9t\u00e9", "\u65e5\u672c", NA, "\u00e9t\u00e9", "\u65e5\u672c", "x")),
    b = c("\u00f1", NA, "n", "\u00f1", "n", "n"), stringsAsFactors = FALSE
  )
  names(x) <- c("\u00fcber all", "\u540d\u524d")
  latin <- "gr\xfcn"
  Encoding(latin) <- "latin1"
  result <- hetsel_rank(x, c("\u00e9", latin, "\u00e9", latin, "\u00e9", latin))
  expect_setequal(result$ranking$feature, names(x))
  expect_equal(result$columns$imputed, c("\u00e9t\u00e9", "n"))
  expect_setequal(names(result$classes), c("\u00e9", "gr\u00fcn"))
  nominal <- columns_read(data.frame("\u00fc" = c(1, 2, 2, 1), b = 1:4, check.names = FALSE),
    nominal = "\u00fc"
  )
  expect_equal(nominal$kind, c("nominal", "continuous"))
})

test_that("the order of levels, which depends on the locale, does not matter", {
  data <- mixed()
  other <- data$x
  other$site <- factor(as.character(other$site), levels = c("knee", "unused", "hip", "hand"))
  other$name <- factor(other$name, levels = c("c", "a", "b"))
  y <- factor(as.character(data$y), levels = c("well", "sick"))
  for (method in c("rfe-mkl", "hfs-nb")) {
    one <- hetsel_rank(data$x, data$y, method = method)
    two <- hetsel_rank(other, y, method = method)
    expect_identical(one$ranking, two$ranking)
    expect_identical(one$trace, two$trace)
  }
})

test_that("kinds can be set by name, position and mask", {
  x <- data.frame(a = c(1, 2, 3, 2), b = c("lo", "hi", "mid", "hi"), c = c(0.5, 1, 2, 9))
  expect_equal(columns_read(x, nominal = "a")$kind, c("nominal", "nominal", "continuous"))
  expect_equal(columns_read(x, nominal = 3)$kind, c("continuous", "nominal", "nominal"))
  mask <- c(TRUE, FALSE, FALSE)
  ordered <- columns_read(x, ordinal = mask)
  expect_equal(ordered$kind, c("ordinal", "nominal", "continuous"))
  levels <- columns_read(x, ordinal = list(b = c("lo", "mid", "hi")))
  expect_equal(levels$kind, c("continuous", "ordinal", "continuous"))
  expect_error(columns_read(x, ordinal = "b"), 'ordinal = list("b" = c(', fixed = TRUE)
  expect_error(columns_read(x, nominal = 4), "nominal .* 1..3. Got 4")
  expect_error(columns_read(x, nominal = "d"), "no column 'd'")
})

test_that("what is no plain column is refused in words", {
  x <- data.frame(a = 1:4)
  x$b <- list(1, 2, 3, "x")
  expect_error(columns_read(x), "column 'b' must have one value per row. Got a list")
  x$b <- complex(real = 1:4)
  expect_error(columns_read(x), "column 'b' .* Got class complex")
  x$b <- matrix(1:8, 4)
  expect_error(columns_read(x), "column 'b' must have one value per row. Got a matrix")
  x$b <- c(1, Inf, 2, 3)
  expect_error(columns_read(x), "infinity")
  x$b <- NA
  expect_error(columns_read(x), "no value at all")
  x$b <- as.POSIXlt("2020-01-01", tz = "UTC") + 1:4
  expect_equal(columns_read(x)$kind, c("continuous", "continuous"))
  expect_error(hetsel_rank(list(1), 1), "x must be a data frame")
  twice <- stats::setNames(data.frame(1:4, 4:1), c("a", "a"))
  expect_error(columns_read(twice), "names must be unique")
})
