skip_without_python()

test_that("head, tail and two indices give rows of the table of a result", {
  for (result in list(ranked(), searched(), signed(), compared())) {
    table <- as.data.frame(result)
    expect_identical(head(result, 2), head(table, 2))
    expect_identical(tail(result, 1), tail(table, 1))
    expect_identical(result[1, ], table[1, ])
    expect_identical(result[, 1], table[, 1, drop = FALSE])
    expect_identical(result[1, 1, drop = TRUE], table[1, 1])
  }
})

test_that("one index gives entries of the list, as before", {
  expect_identical(ranked()["size"], list(size = 2L))
  expect_identical(ranked()[], ranked())
  expect_identical(names(searched()[2:3]), names(searched())[2:3])
})

test_that("results are lists to str(), lapply() and all.equal()", {
  expect_output(str(signed()), "sentences")
  expect_length(lapply(ranked(), class), length(unclass(ranked())))
  expect_true(all.equal(ranked(), ranked()))
})

test_that("variable.names are the features of a size", {
  expect_identical(variable.names(ranked()), ranked()$selected)
  expect_identical(variable.names(ranked(), size = 3), ranked()$ranking$feature[1:3])
  expect_identical(variable.names(searched()), searched()$selected)
  expect_identical(variable.names(searched(), 1), searched()$path$features[[1]])
  expect_identical(variable.names(signed()), signed()$features$feature)
  expect_error(variable.names(ranked(), 9), "in 1..5. Got 9", class = "hetsel_error")
  expect_error(variable.names(searched(), 0), "one of|in 1..5", class = "hetsel_error")
  expect_error(variable.names(signed(), signed()$size + 1), "hetsel_select", class = "hetsel_error")
})

test_that("nobs, coef and format say what the result says", {
  expect_identical(nobs(ranked()), nrow(women()))
  expect_identical(nobs(signed()), nrow(women()))
  expect_identical(coef(signed()), signed()$effects)
  for (result in list(ranked(), searched(), signed(), compared())) {
    expect_length(format(result), 1)
    expect_false(grepl("\n", format(result)))
  }
  expect_match(format(signed()), signed()$verdict, fixed = TRUE)
})

test_that("what has no model of a size refuses to predict and says what does", {
  expect_error(predict(ranked(), women()), "hetsel_select.*size = 2", class = "hetsel_error")
  expect_error(predict(searched(), women()), "no model", class = "hetsel_error")
  other <- signed()$size + 1
  expect_error(predict(signed(), women(), size = other), "hetsel_select", class = "hetsel_error")
  expect_identical(
    predict(signed(), women(), size = signed()$size), predict(signed(), women())
  )
})

test_that("the formula of a signature is that of other models", {
  expect_equal(formula(ranked(), size = 1), as.formula(paste("case ~", ranked()$selected[1])))
  model <- glm(formula(ranked(), size = 2), binomial, women())
  expect_setequal(names(coef(model))[-1], ranked()$selected)
  expect_setequal(all.vars(formula(ranked())[[3]]), ranked()$columns$name)
})

test_that("the formula of a result drops what the formula of the call drops, without a warning", {
  table <- cbind(women(), id = seq_len(nrow(women())), `b c` = 1)
  names(table)[ncol(table)] <- "b c"
  terms_of <- function(formula) {
    terms <- expect_silent(formula(hetsel_rank(formula, table)))
    attr(terms(terms), "term.labels")
  }
  features <- setdiff(names(women()), "case")
  expect_identical(terms_of(case ~ . - id - `b c`), features)
  expect_setequal(terms_of(case ~ . - id - age + log(age) - `b c`), c(features[-1], "log(age)"))
})

test_that("what a formula computed is a call in its reduced formula, and a name is never code", {
  computed <- hetsel_rank(case ~ log(age) + parity, women(), size = 2)
  terms <- attr(terms(formula(computed, size = 2)), "term.labels")
  expect_setequal(terms, c("log(age)", "parity"))
  table <- women()[c("age", "case")]
  names(table)[1] <- "stop('run')"
  told <- formula(hetsel_rank(case ~ ., table), size = 1)
  expect_true(is.name(told[[3]]))
  expect_silent(glm(told, binomial, table))
})

test_that("a target is named as the user wrote it", {
  table <- infert[c("age", "parity", "case")]
  expect_identical(hetsel_rank(factor(case) ~ ., table)$target, "case")
  expect_identical(hetsel_rank(as.factor(case > 0) ~ ., table)$target, "case > 0")
  expect_identical(hetsel_rank(table[1:2], factor(table$case))$target, "table$case")
})

test_that("summaries speak R", {
  text <- capture.output(
    print(summary(ranked())), print(summary(signed())), print(compared()),
    print(summary(compared()))
  )
  expect_false(any(grepl("\\b(True|False|None)\\b|[a-z_]+='", text)))
  expect_identical(unique(compared()$datasets$classes), "FALSE (30), TRUE (30)")
})
