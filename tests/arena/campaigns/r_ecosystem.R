# Filters of mlr3, scores of filtro and measures of stabm, which Debian does not have. Run by hand,
# where they are:
#   R_LIBS=<libraries> Rscript tests/arena/campaigns/r_ecosystem.R
# Each filter is held to what the tests of mlr3filters ask of every filter: scores of all features,
# also with missing cells, a task of a wrong type refused, a copy and a hash of its own.

library(testthat)
library(hetsel)
library(mlr3)
library(mlr3filters)
lgr::get_logger("mlr3")$set_threshold("warn")

keys <- grep("^hetsel[.]", mlr_filters$keys(), value = TRUE)

expect_filter <- function(filter, task = NULL) {
  expect_s3_class(filter, c("Filter", "R6"))
  expect_false(anyDuplicated(filter$packages) > 0)
  expect_true(all(filter$task_types %in% mlr_reflections$task_types$type))
  expect_true(all(filter$feature_types %in% unname(mlr_reflections$task_feature_types)))
  expect_s3_class(filter$param_set, "ParamSet")
  expect_identical(names(formals(filter$calculate)), c("task", "nfeat"))
  expect_type(filter$scores, "double")
  expect_false(anyDuplicated(names(filter$scores)) > 0)
  if (!is.null(task)) {
    expect_setequal(names(filter$scores), task$feature_names)
    expect_false(is.unsorted(-filter$scores))
  }
}

# A task of a type, with a column of every type that a filter declares, or that its method takes for
# classes.
task_for <- function(filter, type, gap = FALSE) {
  types <- filter$feature_types
  if (type == "classif") {
    about <- hetsel:::catalogue_file()
    about <- about[hetsel:::mlr3_key(about$key) == filter$id, ]
    types <- hetsel:::feature_types_of(replace(about, "takes_otherwise", ""))
  }
  k <- seq_len(48)
  sick <- k %% 2 == 0
  own <- list(
    numeric = sin(k) + sick, integer = as.integer((7 * k) %% 31 + 5 * sick),
    factor = factor(c("hip", "knee", "hand")[1 + (k + sick) %% 3]),
    ordered = factor(c("I", "II", "III")[1 + (k %/% 5) %% 3], ordered = TRUE),
    logical = (k %% 5 == 0) == sick, character = c("a", "b", "c")[1 + (k %/% 2) %% 3],
    Date = as.Date("2020-01-01") + (11 * k) %% 97
  )
  x <- as.data.frame(own[names(own) %in% types])
  if (gap) {
    x[[1]][3] <- NA
  }
  if (type == "classif") {
    return(as_task_classif(cbind(x, y = factor(sick)), target = "y"))
  }
  as_task_regr(cbind(x, y = k + cos(k)), target = "y")
}

expect_identical(length(keys), nrow(hetsel_methods()))
for (key in keys) {
  test_that(paste(key, "is a filter of mlr3"), {
    filter <- flt(key)
    if (key == "hetsel.rf10000") {
      filter$param_set$set_values(ntree = 100)
    }
    expect_filter(filter)
    expect_true("missings" %in% filter$properties)
    for (type in filter$task_types) {
      for (gap in c(FALSE, TRUE)) {
        task <- task_for(filter, type, gap)
        suppressWarnings(filter$calculate(task))
        expect_filter(filter, task)
      }
    }
    copy <- filter$clone(deep = TRUE)
    expect_identical(copy$scores, filter$scores)
    expect_identical(copy$hash, filter$hash)
    if (!"regr" %in% filter$task_types) {
      expect_error(filter$calculate(tsk("mtcars")), "not compatible|unsupported feature types")
    }
  })
}

test_that("a hash is that of the method", {
  expect_identical(anyDuplicated(vapply(keys, function(key) flt(key)$hash, "")), 0L)
})

test_that("scores order features as the ranking does, a search scores its subset", {
  task <- tsk("german_credit")$select(c("age", "amount", "purpose", "job"))
  x <- as.data.frame(task$data(cols = task$feature_names))
  expected <- hetsel_rank(x, task$truth(), C = 1)$ranking$feature
  expect_identical(names(flt("hetsel.rfe_mkl", C = 1)$calculate(task)$scores), expected)
  filter <- flt("hetsel.sfs_5nn")$calculate(task, nfeat = 2)
  best <- hetsel_rank(x, task$truth(), method = "sfs-5nn", size = 2)$selected
  expect_setequal(names(which(filter$scores == 1)), best)
})

test_that("scores of filtro are those of the ranking, and bind with others", {
  women <- transform(
    infert[c("age", "parity", "education", "spontaneous", "case")], case = factor(case)
  )
  fit <- generics::fit
  scored <- fit(score_hetsel("hsic"), case ~ ., women)
  ranking <- hetsel_rank(case ~ ., women, method = "hsic")$ranking
  results <- S7::prop(scored, "results")
  expect_identical(results$predictor, ranking$feature)
  expect_identical(results$score, ranking$importance)
  weights <- rep(1:4, 62)
  weighted <- fit(score_hetsel("rfe-mkl", C = 0.1), case ~ ., women, case_weights = weights)
  expected <- hetsel_rank(case ~ ., women, C = 0.1, row_weights = weights)$ranking$feature
  expect_identical(S7::prop(weighted, "results")$predictor, expected)
  expect_setequal(filtro::required_pkgs(scored), c("filtro", "hetsel"))
  bound <- filtro::bind_scores(list(scored, weighted))
  expect_setequal(bound$predictor, names(women)[1:4])
  expect_named(bound, c("outcome", "predictor", "hsic", "rfe_mkl"))
  best <- filtro::show_best_score_num(scored, num_terms = 2)
  expect_identical(best$predictor, ranking$feature[1:2])
  fitted <- fit(score_hetsel("hsic"), Sepal.Length ~ ., iris)
  expect_setequal(S7::prop(fitted, "results")$predictor, names(iris)[-1])
  expect_error(fit(score_hetsel("sfs-5nn"), case ~ ., women), "scores no single column")
  expect_error(score_hetsel("nothing"), "no method nothing")
})

test_that("stabm says of the signatures of a study what its summary says", {
  tables <- lapply(1:3, function(number) {
    k <- 0:59
    x <- data.frame(
      dose = sin(k * number) + (k %% 2), site = factor(c("hip", "knee", "hand")[1 + k %% 3]),
      age = cos(k * number), weight = (k * 11) %% 37
    )
    list(x = x, y = k %% 2 == 0)
  })
  study <- hetsel_study(
    list(methods = c("rfe-svm", "hsic", "variance"), resamplings = 6, sizes = 1:3),
    store = tempfile(fileext = ".sqlite"), data = stats::setNames(tables, c("a", "b", "c"))
  )
  rows <- study$summary[!is.na(study$summary$kuncheva), ]
  theirs <- vapply(seq_len(nrow(rows)), function(row) {
    sets <- signatures(study, rows$dataset[row], rows$method[row], rows$size[row])
    stabm::stabilityNogueira(sets, p = 4)
  }, 0)
  expect_equal(theirs, rows$kuncheva)
  expect_true(any(theirs < 1))
  found <- hetsel_select(
    tables[[1]]$x, tables[[1]]$y, method = "hsic", size = 2, folds = 3, repeats = 1,
    permutations = 0, pairs = 8
  )
  sets <- signatures(found)
  pairs <- split(seq_along(sets), (seq_along(sets) + 1) %/% 2)
  agreed <- vapply(pairs, function(pair) stabm::stabilityNogueira(sets[pair], p = 4), 0)
  expect_equal(mean(agreed), found$stability$nogueira)
})
