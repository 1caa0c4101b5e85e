skip_without_python()

test_that("a result holds plain vectors and data frames", {
  data <- mixed()
  result <- hetsel_rank(data$x, data$y, size = 2)
  expect_s3_class(result, "hetsel_ranking")
  expect_identical(result$ranking$rank, 1:7)
  expect_setequal(result$ranking$feature, names(data$x))
  expect_identical(result$selected, result$ranking$feature[1:2])
  expect_identical(result$classes, c(sick = 20L, well = 40L))
  expect_true(all(vapply(unclass(result[names(result) != "options"]), function(part) {
    is.data.frame(part) || is.atomic(part) || is.call(part)
  }, NA)))
  expect_setequal(result$trace$feature, names(data$x))
  expect_false(any(rapply(unclass(result), typeof, how = "unlist") %in% c("environment", "list")))
})

test_that("a method that is a test has p-values, adjusted as p.adjust() does", {
  data <- mixed()
  numbers <- data$x[vapply(data$x, is.numeric, NA)]
  ranking <- hetsel_rank(numbers, data$y, method = "t-test")$ranking
  expected <- vapply(ranking$feature, function(name) {
    stats::t.test(numbers[[name]] ~ data$y)$p.value
  }, 0)
  expect_equal(ranking$p_value, unname(expected))
  for (method in c("t-test", "univariate-tests")) {
    table <- if (method == "t-test") numbers else data$x
    ranking <- as.data.frame(hetsel_rank(table, data$y, method = method))
    expect_equal(ranking$p_adjusted, stats::p.adjust(ranking$p_value, "BH"))
    expect_true(any(ranking$p_adjusted > ranking$p_value))
  }
  expect_false(any(c("p_value", "p_adjusted") %in% names(hetsel_rank(numbers, data$y)$ranking)))
})

test_that("the scale of quantiles is that of rank()", {
  data <- mixed()
  data$x$dose[1] <- 9999
  ranked <- data$x
  numbers <- vapply(ranked, function(x) is.numeric(x) || inherits(x, "Date"), NA)
  ranked[numbers] <- lapply(ranked[numbers], function(x) rank(as.numeric(x)))
  result <- hetsel_rank(data$x, data$y, scale = "quantile")
  expected <- hetsel_rank(ranked, data$y)
  expect_identical(result$ranking$feature, expected$ranking$feature)
  expect_equal(result$ranking$importance, expected$ranking$importance, tolerance = 1e-5)
  expect_identical(c(result$scale, expected$scale), c("quantile", "range"))
  expect_output(print(result), "scale quantile")
  expect_false(any(grepl("scale", capture.output(print(expected)))))
  by_formula <- hetsel_rank(y ~ ., cbind(data$x, y = data$y), scale = "quantile")
  expect_identical(by_formula$ranking, result$ranking)
  path <- hetsel_search(data$x, data$y, folds = 2, scale = "robust", size = 2, search = "sfs")
  expect_identical(path$scale, "robust")
})

test_that("what is proved of the order is said, where a method says it", {
  data <- mixed()
  result <- hetsel_rank(data$x, data$y, size = 2)
  expect_named(result$ranking, c("rank", "feature", "kind", "importance", "verdict", "step"))
  expect_true(all(grepl("^(proved|tie \\d+-\\d+)$", result$ranking$verdict)))
  expect_match(result$order, "7 ranks are proved")
  expect_output(print(result), paste0("order: ", result$order), fixed = TRUE)
  expect_output(print(result), paste0("size 2 (", result$cut, ")"), fixed = TRUE)
  expect_output(print(summary(result)), "verdict")
  expect_true(all(result$trace$verdict %in% c("proved", "tie", "")))
  # five noise-free copies of one column are equal, whatever the model
  copies <- as.data.frame(replicate(5, data$x$dose))
  tied <- hetsel_rank(copies, data$y, size = 2)
  expect_identical(tied$ranking$verdict, rep("tie 1-5", 5))
  expect_identical(tied$cut, "tie of ranks 1-5")
  expect_output(print(tied), "4 are ties\\s+\\(ranks\\s+1-5\\)")  # lines break at any blank
  silent <- hetsel_rank(data$x, data$y, method = "hsic")
  expect_named(silent$ranking, c("rank", "feature", "kind", "importance"))
  expect_false(any(grepl("order:|proved", capture.output(print(silent)))))
  opened <- result
  opened$ranking$verdict[1:2] <- "open"
  expect_output(print(opened), "size = K decides")
})

test_that("the target may be a factor, text, logical, whole numbers or a one-column frame", {
  data <- mixed()
  sick <- data$y == "sick"
  expected <- order_of(data$x, data$y)
  expect_identical(order_of(data$x, as.character(data$y)), expected)
  expect_identical(order_of(data$x, data["y"] |> as.data.frame()), expected)
  expect_identical(order_of(data$x, as.integer(!sick)), expected)
  expect_identical(order_of(data$x, as.double(!sick)), expected)
  expect_identical(order_of(data$x, !sick), expected)
  expect_named(hetsel_rank(data$x, sick)$classes, c("FALSE", "TRUE"))
  expect_named(hetsel_rank(data$x, as.integer(sick))$classes, c("0", "1"))
})

test_that("matrices, one column, and relatives of data frames work", {
  data <- mixed()
  values <- as.matrix(data$x[c("dose", "age")])
  expect_identical(hetsel_rank(values, data$y)$columns$kind, rep("continuous", 2))
  expect_identical(order_of(values, data$y), order_of(data$x[c("dose", "age")], data$y))
  expect_setequal(order_of(unname(values), data$y), c("x1", "x2"))
  one <- hetsel_rank(data$x["site"], data$y)
  expect_identical(one$ranking$feature, "site")
  expect_identical(one$selected, "site")
  tibble <- structure(data$x, class = c("tbl_df", "tbl", "data.frame"))
  expect_identical(order_of(tibble, data$y), order_of(data$x, data$y))
})

test_that("what cannot be ranked ends in one sentence, without a traceback", {
  data <- mixed()
  wrong <- function(...) {
    text <- tryCatch(hetsel_rank(...), error = conditionMessage)
    expect_false(grepl("Traceback|Error:", text))
    text
  }
  expect_match(wrong(data$x), "y is missing")
  expect_match(wrong(data$x, NULL), "y is missing")
  expect_match(wrong(data$x, data$y[-1]), "60 rows .*Got 59")
  expect_match(wrong(data$x, rep("a", 60)), "at least two classes")
  expect_match(wrong(data$x, rep(c("a", NA), 30)), "target is missing in 30 rows")
  expect_match(wrong(data$x, data$x$dose, method = "t-test"), "classes as its target.*Got numbers: 60")
  expect_match(wrong(data$x, seq_len(60)), "looks continuous")
  expect_match(wrong(data$x, c("once", rep(c("a", "b"), length.out = 59))), "Class once has one")
  expect_match(wrong(data$x, data$y, method = "lasso"), "method must be one of .*'lasso'.*'group-lasso'")
  expect_match(wrong(data$x, data$y, method = ""), "method must be one of .*Got ''")
  expect_match(wrong(data$x, data$y, method = c("a", "b")), "method must be one character string")
  expect_match(wrong(data$x, data$y, size = 8), "size must be in 1..7 .*Got 8")
  expect_match(wrong(data$x, data$y, size = 0), "size must be in 1..7 .*Got 0")
  expect_match(wrong(data$x, data$y, size = 1.5), "size must be a whole number in 1..7. Got 1.5")
  expect_match(wrong(data$x, data$y, missing = "drop"), "missing must be one of")
  expect_match(wrong(data$x, data$y, scale = "rank"), "must be one of range, quantile, robust")
  expect_match(wrong(data$x, data$y, scale = 1), "scale must be one character string")
  expect_match(wrong(data$x, data$y, trees = 5), "parameters of rfe-mkl must be .*Got 'trees'")
  expect_match(wrong(data$x, data$y, "rfe-mkl", 1, "impute", NULL, NULL, NULL, 0, 5), "be named")
  expect_match(wrong(data$x[0, ], data$y[0]), "no rows")
  expect_match(wrong(data$x[0], data$y), "no columns")
  expect_match(wrong(data.frame(a = rep(1, 60), b = "x"), data$y), "constant")
})

test_that("the catalogue lists every method with its options", {
  catalogue <- hetsel_methods()
  expect_true(all(c("rfe-mkl", "rfe-svm", "hfs-nb", "t-test", "rf10000") %in% catalogue$key))
  expect_match(catalogue$options[catalogue$key == "rf10000"], "ntree = 10000")
  expect_type(catalogue$title, "character")
  targets <- unlist(strsplit(catalogue$targets, ", "))
  expect_setequal(targets, c("classes", "numbers", "survival"))
})

test_that("a module of the working directory takes the place of no other", {
  hetsel_methods()
  places <- reticulate::py_run_string("import sys\nplaces = sys.path[:-1]", local = TRUE)$places
  expect_false("" %in% places)
})

test_that("what is no value of an option is refused with what was given", {
  data <- mixed()
  wrong <- function(...) tryCatch(hetsel_rank(data$x, data$y, ...), error = conditionMessage)
  expect_match(wrong(class_weight = c(sick = NA)), "class_weight must not contain NA")
  expect_match(wrong(C = NA_integer_), "C must not contain NA")
  expect_match(wrong(C = mean), "C must be text, numbers or a list. Got an object of class function")
  for (seed in list(-1, 1.5, Inf, 2^32)) {
    expect_match(wrong(seed = seed), "seed must be a whole number .* 4294967295. Got")
  }
  expect_match(wrong(method = 3), "method must be one character string. Got 3")
  expect_match(wrong(size = data$x), "size must be one number. Got an object of class data.frame")
})

test_that("a named vector crosses with its names", {
  expect_identical(hetsel:::crossing(c(a = 1, b = 2L), "plan"), list(a = 1, b = 2))
  expect_identical(hetsel:::crossing(c(a = "b"), "plan"), list(a = "b"))
})

test_that("columns are always in, or have no rank where a method does not take them", {
  data <- mixed()
  kept <- names(data$x)[7]
  ranking <- hetsel_rank(data$x, data$y, "rfe-svm", size = 2, always = 7)
  expect_identical(ranking$ranking$feature[1], kept)
  expect_identical(ranking$always, kept)
  expect_output(print(ranking), "always included.*: seen")
  partial <- hetsel_rank(data$x, data$y, "t-test", unsupported = "skip")
  expect_setequal(c(partial$ranking$feature, partial$unranked), names(data$x))
  expect_gt(length(partial$unranked), 0)
  expect_output(print(partial), "not ranked, .*t-test.*: site, smoker, name")
  found <- hetsel_select(data$x, data$y, "rfe-svm",
    size = 2, folds = 3, repeats = 1, permutations = 0, pairs = 0, always = kept
  )
  expect_true(kept %in% found$features$feature)
  expect_identical(found$always, kept)
})

test_that("a target of numbers is ranked by the methods that take them", {
  data <- mixed()
  numbers <- data$x[c("dose", "age")]
  outcome <- sin(seq_len(60)) + data$x$age / 100
  result <- hetsel_rank(numbers, outcome, method = "pearson")
  expect_equal(
    result$ranking$importance,
    sort(abs(vapply(numbers, cor, 0, outcome)), decreasing = TRUE),
    ignore_attr = TRUE
  )
  expect_length(result$classes, 0)
  expect_output(print(result), "numbers: 60 values from")
  whole <- hetsel_rank(data$x["dose"], data$x$age, method = "pearson", target_kind = "numbers")
  expect_match(whole$numbers, "values from 40 to 70")
})

test_that("set.seed() neither changes an answer nor is changed by one", {
  data <- mixed()
  answers <- lapply(1:2, function(seed) {
    set.seed(seed)
    before <- .Random.seed
    answer <- hetsel_rank(data$x, data$y, method = "random-forest", n_estimators = 20)
    expect_identical(.Random.seed, before)
    answer
  })
  expect_identical(answers[[1]], answers[[2]])
})
