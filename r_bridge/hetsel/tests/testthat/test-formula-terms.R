# Formulas beside those of R's models: the columns of new rows are what glm(), lm(), coxph() and
# randomForest() make of the same formula, in the same session and in another, where R keeps what
# a term took of the rows of the fit; where R does not, they are those of the values written out.

skip_without_python()

women <- local({
  table <- infert
  table$age <- table$age + table$stratum / 100
  table$started <- as.Date("2020-01-01") + 7 * table$stratum
  table$stage <- factor(c("low", "mid", "high")[1 + table$induced], c("low", "mid", "high"),
    ordered = TRUE
  )
  table$ward <- c("north", "south", "east")[1 + table$stratum %% 3]
  table[["age in years"]] <- table$age
  table$weeks <- table$age * 3 + table$parity
  table$case <- table$case == 1
  table
})
old <- women[women$stratum <= 50, ]
new <- women[women$stratum > 50 & women$age > 27, ]
new$stage <- factor(new$stage, c("high", "mid", "low")) # levels in another order
new$outside <- new$age + 100

# Formulas that are written where k, f and others are known, which the workspace has otherwise.
written <- function() {
  k <- 0.01
  bounds <- c(0, 25, 35, 99)
  shift <- c(`0-5yrs` = 1, `6-11yrs` = 5, `12+ yrs` = 9)
  origin <- as.Date("2019-01-01")
  f <- function(x) log(x + k)
  g <- function(x, by = 2 * k) f(x) + by
  model <- stats::lm(age ~ parity, infert)
  ns <- splines::ns
  weeks <- function(x) x^2
  outside <- 2 * old$age
  list(
    case ~ log(age + k) + parity, case ~ f(age), case ~ g(age), case ~ I(age > 3000 * k),
    case ~ cut(age, bounds), case ~ shift[as.character(education)],
    case ~ predict(model, data.frame(parity = parity)) + age,
    case ~ vapply(age, function(v) v + k, 0), case ~ outside + age, case ~ log(outside),
    case ~ as.numeric(started - origin), case ~ Reduce(function(a, b) a * k + b, list(age, parity)),
    case ~ scale(age) + parity, case ~ scale(age, scale = FALSE), case ~ poly(age, 1),
    case ~ ns(age, df = 1), case ~ splines::ns(age, df = 1), case ~ poly(log(age), 1) + parity,
    case ~ factor(parity), case ~ I(parity^2), case ~ interaction(education, induced),
    case ~ format(started, "%m") + started, case ~ is.na(age) + parity,
    case ~ ifelse(parity > 2, "many", "few"), case ~ paste(education, ward),
    case ~ relevel(education, "12+ yrs"), case ~ log(`age in years`) + `age in years`,
    case ~ with(list(a = 2), age^a), case ~ local({ a <- 2; age^a }), case ~ weeks(weeks),
    case ~ addNA(education), case ~ . - stratum - pooled.stratum, case ~ ward + stage + education
  )
}

# What R keeps nothing of: a term, and what it is in new rows.
taken_of_all_rows <- list(
  list(case ~ I(age - mean(age)), function(x) x$age - mean(old$age)),
  list(case ~ I(age > median(age)), function(x) x$age > median(old$age)),
  list(case ~ I(age / max(age)), function(x) x$age / max(old$age)),
  list(case ~ pmin(age, quantile(age, 0.9)), function(x) pmin(x$age, quantile(old$age, 0.9))),
  list(case ~ ecdf(age)(age), function(x) ecdf(old$age)(x$age)),
  list(case ~ log(scale(age) + 9), function(x) log((x$age - mean(old$age)) / sd(old$age) + 9)),
  list(case ~ scale(age, median(age), mad(age)), function(x) {
    (x$age - median(old$age)) / mad(old$age)
  }),
  list(case ~ base::scale(age), function(x) (x$age - mean(old$age)) / sd(old$age)),
  list(case ~ age > mean(age[ward == "east"]), function(x) {
    x$age > mean(old$age[old$ward == "east"])
  }),
  list(case ~ education == names(which.max(table(education))), function(x) {
    x$education == names(which.max(table(old$education)))
  }),
  list(case ~ cut(age, quantile(age, 0:3 / 3), c("a", "b", "c")), function(x) {
    cut(x$age, quantile(old$age, 0:3 / 3), c("a", "b", "c"))
  }),
  list(case ~ as.integer(stage), function(x) match(x$stage, c("low", "mid", "high")))
)

# The cells of columns as they cross to Python, levels by name.
cells_of <- function(columns) {
  lapply(columns, function(one) {
    if (is.numeric(one) || is.logical(one)) as.double(one) else as.character(one)
  })
}

columns_made <- function(made) cells_of(columns_to_predict(made, new))

# What machines make of new rows in a session of their own with this workspace.
columns_elsewhere <- function(machines, workspace) {
  saved <- tempfile(fileext = ".rds")
  saveRDS(list(machines = machines, new = new), saved)
  script <- tempfile(fileext = ".R")
  read <- tempfile(fileext = ".rds")
  writeLines(c(
    workspace, sprintf("given <- readRDS(%s)", deparse(saved)),
    "made <- lapply(given$machines, hetsel:::columns_to_predict, given$new)",
    sprintf("saveRDS(made, %s)", deparse(read))
  ), script)
  told <- system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
    stdout = TRUE, stderr = TRUE
  )
  expect_true(file.exists(read), info = paste(told, collapse = "\n"))
  readRDS(read)
}

# The same of the model frame of a model of R, which has what its terms kept.
columns_of_model <- function(model) {
  terms <- stats::delete.response(stats::terms(model))
  frame <- stats::model.frame(terms, new, na.action = stats::na.pass)
  factors <- attr(terms, "factors") # none of `. - stratum` has stratum
  lapply(names(frame)[rowSums(factors) > 0], function(name) {
    cells_of(list(column_of(frame[[name]], name)))[[1]]
  })
}

expect_same_cells <- function(seen, expected, formula) {
  expect_equal(unname(seen), unname(expected), label = deparse1(formula))
}

formulas <- written()
machines <- lapply(formulas, hetsel_svm, data = old, class_weight = "balanced")

test_that("new rows have the columns that glm() makes of the same formula", {
  for (i in seq_along(formulas)) {
    model <- suppressWarnings(stats::glm(formulas[[i]], stats::binomial, old))
    expect_same_cells(columns_made(machines[[i]]), columns_of_model(model), formulas[[i]])
  }
})

test_that("what a term takes of all rows without R's knowing stays as it was in the fit", {
  for (term in taken_of_all_rows) {
    made <- hetsel_svm(term[[1]], old, class_weight = "balanced")
    expected <- cells_of(list(column_of(term[[2]](new), "x")))
    expect_same_cells(columns_made(made), expected, term[[1]])
  }
})

test_that("neither the workspace nor a new session changes what a formula means", {
  expect_lt(length(serialize(machines[[2]]$computed, NULL)), 3000) # f and k, not all around them
  made <- columns_elsewhere(
    machines,
    "k <- 50; f <- g <- ns <- log <- scale <- function(x, ...) 0 * x; bounds <- 1; model <- 1"
  )
  expect_identical(made, lapply(machines, columns_to_predict, new))
})

test_that("functions in terms find R's own in a session without their packages", {
  on.exit(detach("package:tools"))
  attachNamespace("tools")
  f <- function(x) toTitleCase(paste0(x, vapply(nchar(x), function(n) median(c(1, n, 4)), 0)))
  environment(f) <- globalenv()
  machine <- hetsel_svm(case ~ f(ward), old)
  expect_lt(length(serialize(machine$computed, NULL)), 3000)
  made <- columns_elsewhere(list(machine), "paste0 <- median <- nchar <- function(...) 0")
  expect_identical(made, list(columns_to_predict(machine, new)))
})

test_that("predictions of new rows are those of columns that are made by hand", {
  expected <- hetsel_svm(
    data.frame(a = log(old$age + 0.01), b = old$parity), old$case,
    class_weight = "balanced"
  )
  by_hand <- predict(expected, data.frame(a = log(new$age + 0.01), b = new$parity), "decision")
  expect_identical(predict(machines[[1]], new, type = "decision"), by_hand)
})

test_that("numbers and survival times have the columns of lm(), coxph() and randomForest()", {
  select <- function(formula, data, ...) {
    hetsel_select(formula, data, method = "univariate-tests", size = 2, folds = 3, repeats = 1,
      permutations = 0, pairs = 0, row_groups = "rows", ...
    )
  }
  k <- 0.01
  f <- function(x) sqrt(x + k)
  formulas <- list(weeks ~ f(age) + scale(parity), log(weeks) ~ poly(age, 1) + factor(parity))
  for (formula in formulas) {
    found <- select(formula, old, target_kind = "numbers")
    expected <- columns_of_model(stats::lm(formula, old))
    expect_setequal(unname(columns_made(found)), expected)
  }
  skip_if_not_installed("survival")
  formula <- survival::Surv(age, case) ~ f(weeks) + scale(parity)
  model <- suppressWarnings(survival::coxph(formula, old, model = TRUE))
  expect_setequal(unname(columns_made(select(formula, old))), columns_of_model(model))
  skip_if_not_installed("randomForest")
  formula <- factor(case) ~ weeks + education # it takes no calls
  model <- randomForest::randomForest(formula, old, ntree = 1)
  made <- hetsel_svm(formula, old, class_weight = "balanced")
  expect_same_cells(columns_made(made), columns_of_model(model), formula)
})

test_that("a term that depends on the other rows is refused by name where a model predicts", {
  late <- function(x) (x - min(x)) / diff(range(x))
  terms <- list(
    quote(cut(age, 3)), quote(rank(age)), quote(ave(age, ward)), quote(late(age)),
    quote(as.integer(factor(ward))), quote(cumsum(age)), quote(I(age + stats::runif(length(age))))
  )
  for (term in terms) {
    formula <- stats::as.formula(call("~", quote(case), term))
    error <- expect_error(hetsel_svm(formula, old), class = "hetsel_error")
    expect_match(conditionMessage(error), paste0("'", deparse1(term), "'"), fixed = TRUE)
    ranked <- hetsel_rank(formula, old, method = "univariate-tests")
    expect_identical(ranked$columns$name, deparse1(term))
  }
  expect_error(hetsel_svm(case ~ poly(age, 2), old), "poly.* per row. Got a matrix")
  made <- hetsel_svm(case ~ log(age), old)
  expect_error(predict(made, new["parity"]), "newdata has no column 'age'")
})

test_that("a target keeps what it took of the rows of the fit, and is asked for where it cannot", {
  k <- 1
  found <- hetsel_select(age > k * median(age) ~ weeks + parity, old,
    method = "univariate-tests", size = 2, folds = 3, repeats = 1, permutations = 0, pairs = 0,
    row_groups = "rows"
  )
  rm(k)
  judged <- hetsel_validate(found, new)
  expect_identical(unname(judged$classes), as.vector(table(new$age > median(old$age))))
  found$target_call <- quote(cut(age, 2)) # as hetsel_select() leaves what it cannot keep
  expect_error(hetsel_validate(found, new), "the target cut(age, 2) depends", fixed = TRUE)
  status <- rep(1:2, length.out = nrow(old))
  kept <- keep_call(
    quote(survival::Surv(age, status)), survival::Surv(old$age, status),
    cbind(old, status = status), globalenv()
  )
  censored <- computed_anew(kept, "y", data.frame(age = 1:3, status = 1))
  expect_identical(unclass(censored)[, 2], c(0, 0, 0))
})

test_that("wrappers, update() and formula() keep the formula that was given", {
  wrapper <- function(formula, table, ...) hetsel_rank(formula, table, ..., method = "t-test")
  k <- 0.01
  given <- case ~ log(age + k) + parity
  made <- wrapper(given, old, subset = age > 25, size = 1)
  expect_identical(made$rows, sum(old$age > 25))
  expect_identical(made$call$subset, quote(age > 25))
  built <- list(
    made, do.call(hetsel_rank, list(given, old, method = "t-test")),
    old |> hetsel_rank(given, method = "t-test"), hetsel_rank(data = old, given, method = "t-test")
  )
  given <- case ~ weeks
  k <- 50
  for (one in built) {
    kept <- formula(one)
    expect_equal(kept, case ~ log(age + k) + parity, ignore_formula_env = TRUE)
    expect_identical(ls(environment(kept)), "k")
    expect_identical(environment(kept)$k, 0.01)
    expect_identical(environment(formula(one, size = 2))$k, 0.01)
  }
  other <- update(built[[3]], . ~ . - parity)
  expect_identical(other$columns$name, "log(age + k)")
  expect_identical(environment(formula(other))$k, 0.01)
  again <- update(made, data = old, subset = NULL)
  expect_identical(again$ranking$importance, built[[2]]$ranking$importance)
})

test_that("cluster() gives groups of rows, and other parts of models are refused by name", {
  halves <- function(...) hetsel_halves(..., method = "t-test", size = 1, pairs = 2)
  grouped <- halves(case ~ age + parity, old, row_groups = old$stratum)
  expect_identical(halves(case ~ age + cluster(stratum) + parity, old)$features, grouped$features)
  expect_false(identical(halves(case ~ age + parity, old)$half_samples, grouped$half_samples))
  young <- halves(case ~ age + survival::cluster(stratum) + parity, old, subset = age < 30)
  expect_identical(young$rows, sum(old$age < 30))
  rank <- function(formula, ...) hetsel_rank(formula, old, method = "t-test", ...)
  expect_error(
    hetsel_knockoffs(case ~ age + cluster(stratum), old), "hetsel_knockoffs .* row groups"
  )
  expect_error(halves(case ~ age + cluster(stratum), old, row_groups = old$ward), "specified twice")
  expect_error(halves(case ~ age + cluster(stratum, ward), old), "must name one column")
  expect_error(halves(case ~ cluster(stratum), old), "must name features")
  parts <- c(
    "strata(ward)", "survival::strata(ward)", "frailty(stratum)", "tt(age)", "s(age)",
    "mgcv::s(age)", "mo(stage)", "stats::offset(age)", "Error(ward)", "te(age, weeks)"
  )
  for (part in parts) {
    error <- expect_error(
      rank(stats::reformulate(c("parity", part), "case")), class = "hetsel_error"
    )
    expect_match(conditionMessage(error), paste("must not contain", part), fixed = TRUE)
  }
  expect_error(rank(case ~ age + (1 | ward)), "random effects. Got (1 | ward)", fixed = TRUE)
  expect_error(rank(case ~ age + (age || ward)), "random effects")
  s <- function(x) x^2
  expect_identical(rank(case ~ s(age))$columns$name, "s(age)")
  expect_error(rank(case ~ nowhere(age)), "nowhere(age) of the formula cannot", fixed = TRUE)
  expect_error(rank(case ~ age + sum), "'sum', which is neither")
  expect_error(rank(case ~ log(max)), "'max', which is neither")
  expect_identical(rank(case ~ vapply(age, sqrt, 0))$columns$name, "vapply(age, sqrt, 0)")
})

test_that("positions and masks beside a formula are those of data", {
  kind <- function(...) {
    found <- hetsel_rank(case ~ age + parity + ward, old, method = "univariate-tests", ...)
    columns <- found$columns
    columns$kind[columns$name == "parity"]
  }
  place <- match("parity", names(old))
  expect_identical(kind(), "continuous")
  expect_identical(kind(nominal = place), "nominal")
  expect_identical(kind(nominal = names(old) == "parity"), "nominal")
  expect_identical(kind(ordinal = vapply(old, is.numeric, NA) & names(old) == "parity"), "ordinal")
  expect_identical(kind(nominal = vapply(old, is.numeric, NA)), "nominal")
  expect_error(kind(nominal = match("weeks", names(old))), "features .* 'weeks' of data")
  expect_error(kind(nominal = c(FALSE, TRUE, FALSE)), "each of the 13 columns")
  expect_error(kind(nominal = 99), "in 1..13", fixed = TRUE)
  found <- hetsel_search(case ~ weeks + age + parity, old,
    search = "sfs", size = 1, folds = 3, always = place, costs = seq_along(old), budget = 1e3
  )
  expect_true("parity" %in% found$selected)
})

test_that("thousands of terms may be written out", {
  wide <- as.data.frame(matrix(sin(seq_len(2 * 1500)), 2)[rep(1:2, 4), ] * 1:8)
  wide$y <- rep(c("a", "b"), 4)
  made <- hetsel_rank(stats::reformulate(names(wide)[1:1500], "y"), wide, method = "t-test")
  expect_identical(made$columns$name, names(wide)[1:1500])
})
