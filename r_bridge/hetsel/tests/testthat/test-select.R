skip_without_python()

with_gaps <- function() {
  data <- mixed()
  data$x$age[4] <- NA
  data$x$smoker[3] <- NA
  data
}
quick <- function(...) {
  given <- list(...)
  usual <- list(method = "rfe-svm", folds = 3, repeats = 1, permutations = 0, pairs = 5)
  do.call(hetsel_select, c(given, usual[setdiff(names(usual), names(given))]))
}
found <- local({
  data <- with_gaps()
  quick(data$x, data$y, permutations = 39)
})

# Text printed, blanks made one.
shown <- function(...) gsub("\\s+", " ", paste(capture.output(...), collapse = " "))

test_that("a signature is plain vectors and data frames", {
  expect_s3_class(found, "hetsel_signature")
  expect_identical(nrow(found$features), found$size)
  expect_named(found$features, c("feature", "kind", "frequency"))
  expect_true("dose" %in% found$features$feature)
  expect_identical(found$verdict, "better than chance")
  expect_identical(found$permutation_test$pvalue, 1 / 40)
  expect_length(found$permutation_test$permuted, 39)
  expect_true(found$permutation_test$full && !found$permutation_test$settled && found$permutation_test$standard_error > 0)
  expect_identical(found$performance$measure, c("BCR", "recall", "recall", "AUC"))
  expect_identical(found$performance$class, c("", "sick", "well", ""))
  expect_identical(found$performance$rows, c(60L, 20L, 40L, 60L))
  expect_named(found$sizes, c("size", "inner_auc"))
  expect_length(found$nested, 3)
  expect_setequal(found$frequency$feature, names(mixed()$x))
  expect_identical(found$stability$half_samples, 10)
  expect_identical(found$rule, "quarter-se")
  expect_identical(found$classes, c(sick = 20L, well = 40L))
  expect_identical(found$positive, "well")
  expect_identical(found$groups, NA_integer_)
  expect_true(all(c("rows sick", "rows well") %in% names(found$effects)))
  expect_identical(found$columns$imputed[found$columns$name == "smoker"], "FALSE")
  expect_identical(as.data.frame(found), found$features)
  plain <- unclass(found[setdiff(names(found), c("call", "draws", "options"))])
  kinds <- rapply(plain, typeof, how = "unlist")
  expect_true(all(kinds %in% c("character", "integer", "double", "logical")))
})

test_that("rows of each feature lie behind its pieces", {
  for (feature in found$features$feature) {
    own <- found$effects[found$effects$feature == feature, ]
    expect_identical(sum(own$rows), 60L)
    expect_identical(own$rows, own[["rows sick"]] + own[["rows well"]])
  }
})

test_that("the verdict is printed first, then what was found", {
  text <- shown(print(found))
  expect_match(text, "^Better than chance: .*p = 0.025 .*39 permutations")
  expect_match(text, "feature kind frequency")
  expect_match(text, "2 missing values in 2 columns")
  text <- shown(print(summary(found)))
  expect_match(text, "options: folds = 3, repeats = 1, permutations = 39, pairs = 5; seed 0")
  expect_match(text, "Performance on new rows: measure class estimate low high rows BCR")
  expect_match(text, "size inner_auc chosen nested 1")
  expect_match(text, "feature where effect rows rows sick rows well")
  expect_match(text, "Columns to check: seen: dates")
})

test_that("a given size needs no choice, and neither test nor halves are needed", {
  data <- with_gaps()
  two <- quick(data$x, data$y, size = 2, pairs = 0)
  expect_identical(two$size, 2L)
  expect_identical(two$rule, "")
  expect_null(two$permutation_test)
  expect_null(two$stability)
  expect_null(two$stable)
  expect_identical(nrow(two$sizes), 0L)
  expect_identical(nrow(two$frequency), 0L)
  expect_match(shown(print(two)), "^Not tested against chance.*feature kind")
  expect_error(plot(two), "nothing to draw. .*half-samples")
  expect_error(plot(two, "sizes"), "nothing to draw. The size was a number")
  two_sick <- setdiff(1:60, seq(9, 60, 3))
  few <- quick(data$x[two_sick, ], data$y[two_sick], size = 2)
  expect_identical(few$verdict, "too few rows")
  expect_identical(nrow(few$performance), 0L)
  expect_match(shown(print(few)), "^Too few rows of class sick")
})

test_that("parameters of the method are its own", {
  data <- with_gaps()
  given <- quick(data$x, data$y, size = 2, pairs = 0, params = list(C = 3))
  expect_identical(given$parameters$C, 3)
  expect_identical(given$parameters$class_weight, "balanced")
  uneven <- quick(data$x, data$y, size = 2, pairs = 0, params = list(class_weight = NULL))
  expect_null(uneven$parameters$class_weight)
  expect_error(
    quick(data$x, data$y, params = list(ntree = 3)), "parameters of rfe-svm must be .*Got 'ntree'"
  )
  expect_error(quick(data$x, data$y, params = list(3)), "must be a named list.*Got")
  expect_error(quick(data$x, data$y, params = c(C = 3)), "must be a named list.*Got")
})

test_that("of several methods the best is chosen, by rows that do not judge it", {
  data <- with_gaps()
  both <- quick(data$x, data$y, method = c("rfe-svm", "hsic"), size = 2, pairs = 0)
  expect_identical(both$methods$method, c("rfe-svm", "hsic"))
  expect_identical(sum(both$methods$nested), 3L)
  expect_true(both$method %in% both$methods$method)
  expect_match(paste(both$sentences, collapse = " "), "was chosen among 2 methods")
  expect_identical(nrow(found$methods), 0L)
  expect_error(
    quick(data$x, data$y, method = c("rfe-svm", "hsic"), params = list(C = 3)),
    "params must be empty"
  )
  expect_error(quick(data$x, data$y, method = c("hsic", "hsic"), size = 2), "different ones")
  expect_error(quick(data$x, data$y, method = c("hsic", "rfe"), size = 2), "must be one of")
})

test_that("rows have weights, one number each", {
  data <- with_gaps()
  weights <- 1 + seq_len(60) %% 3
  one <- quick(data$x, data$y, size = 2, pairs = 0, row_weights = weights)
  expect_named(one$effective_sample_size, c("class", "rows"))
  counts <- tapply(weights, data$y, function(w) sum(w)^2 / sum(w^2))
  expect_equal(one$effective_sample_size$rows, as.vector(counts[one$effective_sample_size$class]))
  expect_match(shown(print(one)), "Rows are weighted")
  scaled <- quick(data$x, data$y, size = 2, pairs = 0, row_weights = weights * 100)
  expect_identical(scaled$performance, one$performance)
  plain <- quick(data$x, data$y, size = 2, pairs = 0)
  expect_identical(nrow(plain$effective_sample_size), 0L)
  whole <- cbind(data$x, y = data$y)
  part <- hetsel_rank(y ~ dose + age, whole,
    method = "rfe-svm", subset = age > 45, row_weights = weights, class_weight = "balanced"
  )
  rows <- which(whole$age > 45)
  alone <- hetsel_rank(whole[rows, c("dose", "age")], data$y[rows],
    method = "rfe-svm", row_weights = weights[rows], class_weight = "balanced"
  )
  expect_identical(part$ranking, alone$ranking)
  expect_error(quick(data$x, data$y, row_weights = c(weights[-1], -1)), "0 or larger.*Got -1 in 1 row")
  expect_error(quick(data$x, data$y, row_weights = c(weights[-1], NA)), "missing in 1 of 60 rows")
  expect_error(quick(data$x, data$y, row_weights = weights[-1]), "each of the 60 rows. Got 59")
  expect_error(quick(data$x, data$y, row_weights = data$y), "row_weights must be numeric")
  expect_error(
    quick(data$x, data$y, method = "hsic", row_weights = weights),
    "row_weights: hsic does not support row weights.*rfe-mkl, rfe-svm"
  )
  expect_error(hetsel_rank(data$x, data$y, "hsic", row_weights = weights), "does not support row weights")
})

test_that("rows of a group are held out together", {
  data <- with_gaps()
  rows <- rep(seq_len(30), each = 2)
  together <- quick(data$x, data$y, size = 2, row_groups = rows)
  expect_identical(together$groups, 30L)
  named <- quick(data$x, data$y, size = 2, row_groups = factor(paste("patient", rows)))
  expect_identical(named$performance, together$performance)
  expect_match(shown(print(summary(together))), "30 row groups")
})

test_that("predict gives classes and decision values, whatever else newdata holds", {
  data <- with_gaps()
  class <- predict(found, data$x)
  expect_identical(levels(class), c("sick", "well"))
  expect_gt(mean(class == data$y), 0.8)
  decision <- predict(found, data$x, type = "decision")
  expect_identical(class == "well", decision > 0)
  some <- data$x[9:7, rev(found$features$feature), drop = FALSE]
  some$more <- I(list(1, 2, 3))
  expect_identical(predict(found, some, "decision"), decision[9:7])
  expect_length(predict(found, data$x[1, ]), 1)
  texts <- data$x
  texts[] <- lapply(texts, function(column) {
    if (is.factor(column)) as.character(column) else column
  })
  expect_identical(predict(found, texts, "decision"), decision)
  expect_error(predict(found), "newdata is missing")
  expect_error(predict(found, 1:3), "must be a data frame or a matrix. Got 1:3")
  expect_error(predict(found, data$x["name"]), "must have the columns .*dose")
  expect_error(predict(found, cbind(data$x, dose = 1)), "Got 'dose' more than once")
})

test_that("predict gives probabilities, a column for each class", {
  data <- with_gaps()
  p <- predict(found, data$x, "prob")
  expect_identical(dimnames(p), list(rownames(data$x), c("sick", "well")))
  expect_equal(rowSums(p), stats::setNames(rep(1, 60), 1:60))
  decision <- predict(found, data$x, "decision")
  expect_identical(order(p[, "well"], decision), order(decision))
  named <- data$x[3:1, ]
  rownames(named) <- c("a", "b", "c")
  expect_identical(predict(found, named, "prob")["b", ], p[2, ])
  wide <- predict(found, data$x[1, ], "prob")
  expect_identical(dim(wide), c(1L, 2L))
  flags <- quick(data$x, data$y == "sick", size = 2, positive = FALSE)
  expect_identical(colnames(predict(flags, data$x, "prob")), c("FALSE", "TRUE"))
  expect_identical(flags$probabilities$calibration$class, "FALSE")
  expect_match(paste(flags$sentences, collapse = " "), "calibration slope")
  three <- quick(data$x, factor(rep(c("u", "v", "w"), 20), c("w", "v", "u")), size = 3)
  expect_identical(colnames(predict(three, data$x, "prob")), c("w", "v", "u"))
  expect_identical(three$probabilities$calibration$class, c("w", "v", "u"))
})

test_that("there are no probabilities of few rows, numbers and earlier versions", {
  data <- with_gaps()
  two_sick <- setdiff(1:60, seq(9, 60, 3))
  few <- quick(data$x[two_sick, ], data$y[two_sick], size = 2)
  expect_null(few$probabilities)
  expect_error(predict(few, data$x, "prob"), "no probabilities.*too few rows of class sick")
  numbers <- quick(data$x["dose"], data$x$dose + 0.1, size = 1)
  expect_null(numbers$probabilities)
  expect_error(predict(numbers, data$x, "prob"), 'type must be "number" or "response" for')
  older <- found
  older$probabilities <- NULL
  expect_error(predict(older, data$x, "prob"), "no probabilities.*earlier version")
})

test_that("probabilities are judged at shares, thresholds and costs, and by parts of the rows", {
  data <- with_gaps()
  asked <- quick(data$x, data$y,
    size = 2, by = c("smoker", "age"), prevalence = c(sick = 0.8, well = 0.2),
    thresholds = c(0.2, 0.5), harm_ratio = 4
  )
  one <- asked$probabilities
  expect_named(one, c(
    "map", "runs", "brier", "scaled_brier", "prevalence", "threshold", "harm_ratio",
    "calibration", "curve", "decision", "thresholds", "parts", "prediction_instability", "histogram"
  ))
  expect_identical(one$prevalence, c(sick = 0.8, well = 0.2))
  expect_identical(one$threshold, 0.2)
  expect_identical(one$thresholds$threshold, c(0.2, 0.5))
  expect_identical(range(one$decision$threshold), c(0.2, 0.5))
  expect_identical(sum(one$histogram$own), 40)
  expect_identical(one$parts$column, c("smoker", "smoker", "smoker", "age", "age", "age", "age"))
  expect_identical(one$parts$level[c(1:3, 7)], c("FALSE", "TRUE", "missing", "missing"))
  expect_identical(one$parts$rows, one$parts[["rows sick"]] + one$parts[["rows well"]])
  expect_match(one$parts$few[3], "only .* of sick")
  expect_identical(one$prediction_instability$pairs, 5L)
  expect_named(one$prediction_instability$disagreement, c("threshold", "proportion"))
  expect_match(shown(print(summary(asked))), "subgroups: column level rows")
  expect_match(shown(print(summary(asked))), "prevalence = c(sick = 0.8, well = 0.2)", fixed = TRUE)
  by_frame <- quick(data$x, data$y,
    size = 2, by = data$x[c("smoker", "age")], prevalence = 0.2, thresholds = c(0.2, 0.5),
    harm_ratio = 4
  )
  expect_identical(by_frame$probabilities, one)
  by_factor <- quick(data$x, data$y, size = 2, by = factor(rep(c("u", "v"), 30)))
  expect_identical(by_factor$probabilities$parts$level, c("u", "v"))
  expect_identical(nrow(found$probabilities$parts), 0L)
  expect_true(is.na(found$probabilities$threshold))
  expect_null(found$probabilities$prevalence)
})

test_that("a formula knows the parts by columns that are no features, of the rows that are used", {
  data <- with_gaps()
  whole <- cbind(data$x, y = data$y, center = factor(rep(c("u", "v"), 30)))
  rows <- which(whole$age > 42)
  above_42 <- function(...) {
    hetsel_select(y ~ dose + exp(age), whole, "rfe-svm",
      size = 1, subset = age > 42, folds = 3, repeats = 1, permutations = 0, pairs = 5, ...
    )
  }
  part <- above_42(by = c("center", "smoker"))
  alone <- quick(whole[rows, "dose", drop = FALSE], whole$y[rows],
    size = 1, by = whole[rows, c("center", "smoker")]
  )
  expect_identical(part$probabilities$parts$rows, alone$probabilities$parts$rows)
  expect_identical(sum(part$probabilities$parts$rows[1:2]), length(rows))
  given <- above_42(by = whole$center)
  expect_identical(given$probabilities$parts$auc, part$probabilities$parts$auc[1:2])
  computed <- quick(y ~ dose + exp(age), whole,
    size = 1, by = "exp(age)", na.action = stats::na.omit
  )
  expect_identical(unique(computed$probabilities$parts$column), "exp(age)")
  expect_error(quick(y ~ dose, whole, by = "centre"), "Did you mean 'center'")
  expect_error(quick(y ~ dose, whole, by = 1:3), "by .* 60 rows of data. Got 3")
})

test_that("a level that was not there is refused or of its own", {
  data <- with_gaps()
  new <- data$x[1:2, ]
  new$site <- c("hip", "toe")
  refused <- quick(data$x["site"], data$y, size = 1, pairs = 0)
  expect_error(predict(refused, new), 'toe.*unseen = "separate"')
  taken <- quick(data$x["site"], data$y, size = 1, pairs = 0, unseen = "separate")
  expect_length(predict(taken, new), 2)
})

test_that("classes are those of the target, and the positive one is named", {
  data <- with_gaps()
  flags <- quick(data$x, data$y == "sick", size = 2, positive = FALSE)
  expect_identical(flags$positive, "FALSE")
  expect_type(predict(flags, data$x), "logical")
  expect_identical(flags$performance$class[2:3], c("TRUE", "FALSE"))
  text <- quick(data$x, factor(data$y == "sick"), size = 2, positive = FALSE)
  expect_identical(text$performance, flags$performance)
  numbers <- quick(as.matrix(data$x[c("dose", "age")]), as.integer(data$y), size = 1, positive = 1)
  expect_identical(numbers$positive, "1")
  expect_identical(names(numbers$classes), c("1", "2"))
  three <- quick(data$x, rep(c("u", "v", "w"), 20), size = 3)
  decision <- predict(three, data$x, "decision")
  expect_identical(colnames(decision), c("u", "v", "w"))
  largest <- colnames(decision)[max.col(decision, "first")]
  expect_identical(as.character(predict(three, data$x)), largest)
  expect_setequal(three$effects$class, c("u", "v", "w"))
})

test_that("a formula picks columns, which are computed anew for new rows", {
  data <- with_gaps()
  whole <- cbind(data$x, y = data$y)
  ways <- list(
    quick(y ~ ., whole, size = 2), quick(formula = y ~ ., data = whole, size = 2),
    quick(whole, y ~ ., size = 2)
  )
  for (way in ways) {
    expect_identical(way$features, ways[[1]]$features)
    expect_identical(way$call[[1]], quote(hetsel_select))
  }
  logged <- hetsel_select(y ~ exp(dose) + scale(age), whole, "rfe-svm",
    size = 2, subset = age > 42, folds = 3, repeats = 1, permutations = 0, pairs = 0
  )
  expect_setequal(logged$features$feature, c("exp(dose)", "scale(age)"))
  by_hand <- data.frame(exp(whole$dose), (whole$age - mean(whole$age, na.rm = TRUE)) /
    stats::sd(whole$age, na.rm = TRUE))
  names(by_hand) <- c("exp(dose)", "scale(age)")
  expect_equal(predict(logged, whole, "decision"), predict(logged, by_hand, "decision"))
  expect_error(predict(logged, whole["age"]), "'exp\\(dose\\)' cannot be computed: .*dose")
  again <- stats::update(logged, . ~ exp(dose) + site, size = 1)
  expect_identical(again$method, "rfe-svm")
  expect_identical(again$columns$name, c("exp(dose)", "site"))
})

test_that("what cannot be selected ends in one sentence, in the words of R", {
  data <- with_gaps()
  wrong <- function(...) {
    text <- tryCatch(hetsel_select(data$x, data$y, ...), error = conditionMessage)
    expect_type(text, "character")
    expect_false(grepl("Traceback|Error:|None|n_jobs", text))
    text
  }
  expect_match(
    wrong(size = "best"), "size must be one of one-se, quarter-se, knee, equal, or a number"
  )
  expect_match(wrong(size = 8), "size must be in 1..7 .*Got 8")
  expect_match(wrong(size = 1:2), "size must be one number. Got 1:2")
  expect_match(wrong(method = "rfe"), "method must be one of")
  expect_match(wrong(permutations = 5), "permutations must be 0 .* at least 39")
  expect_match(wrong(folds = 2), "folds must be a whole number, 3 or larger. Got 2")
  expect_match(wrong(pairs = TRUE), "pairs must be one number")
  expect_match(wrong(positive = "ill"), "positive must be one of sick, well. Got 'ill'")
  expect_match(wrong(positive = 1:2), "positive must be one")
  expect_match(wrong(unseen = "x"), "unseen must be one of error, separate. Got 'x'")
  expect_match(wrong(prevalence = "a"), "prevalence must be one number")
  expect_match(wrong(prevalence = c(0.2, 0.8)), "prevalence must be one number")
  expect_match(wrong(prevalence = c(ill = 0.2)), "sick, well.*ill")
  expect_match(wrong(prevalence = 2), "prevalence must be between 0 and 1")
  expect_match(wrong(thresholds = 2), "thresholds must be probabilities in \\(0, 1\\)")
  expect_match(wrong(thresholds = "x"), "thresholds must be one or more numbers")
  expect_match(wrong(harm_ratio = 0), "harm_ratio must be")
  expect_match(wrong(by = "nowhere"), "There is no column 'nowhere'")
  expect_match(wrong(by = rep("u", 60)), "There is no column 'u'. .*factor\\(\\)")
  expect_match(wrong(by = 1:3), "by .* 60 rows .*Got 3")
  expect_match(wrong(by = data$x["seen"]), "by must be a column of at most 12 levels")
  expect_match(wrong(jobs = 1.5), "jobs must be a whole number, 0 or larger. Got 1.5")
  expect_match(wrong(jobs = -1), "jobs must be a whole number, 0 or larger. Got -1")
  expect_match(wrong(row_groups = 1:3), "60 rows. Got 3")
  expect_match(wrong(ntree = 5), "parameters of rfe-mkl must be .*Got 'ntree'")
})

test_that("plots draw what there is, and leave the device as it was", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  before <- graphics::par(c("mai", "mfrow", "oma"))
  expect_identical(plot(found)$feature[seq_len(found$size)], found$features$feature)
  expect_identical(nrow(plot(found, top = found$size + 1)), found$size + 1L)
  expect_identical(plot(found, "effects"), found$effects)
  expect_identical(plot(found, "sizes"), found$sizes)
  data <- with_gaps()
  three <- quick(data$x, rep(c("u", "v", "w"), 20), size = 7, missing = "separate", pairs = 0)
  expect_silent(plot(three, "effects", main = "All"))
  expect_equal(graphics::par(c("mai", "mfrow", "oma")), before)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("a report is a page that has its figures", {
  file <- tempfile(fileext = ".html")
  expect_identical(
    withVisible(hetsel_report(found, file)), list(value = normalizePath(file), visible = FALSE)
  )
  expect_match(page_of(file), "Better than chance")
  expect_match(page_of(file), "for y")
  expect_error(hetsel_report(found, file, figures = "folder"), "figures must be NULL")
  for (ending in c(".md", ".docx")) {
    file <- tempfile(fileext = ending)
    hetsel_report(found, file)
    expect_gt(file.size(file), 5000)
  }
  expect_error(hetsel_report(found, tempfile(fileext = ".odt")), "docx")
  expect_error(hetsel_report(found), "path must name the file")
})

test_that("a saved signature is shown without Python, and predicts in another session", {
  file <- tempfile(fileext = ".rds")
  data <- with_gaps()
  saveRDS(list(found = found, x = data$x, decision = predict(found, data$x, "decision")), file)
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(hetsel)",
    sprintf("saved <- readRDS(%s)", deparse(file)),
    "print(saved$found); print(summary(saved$found)); plot(saved$found, 'effects')",
    "cat(isNamespaceLoaded('reticulate') && reticulate::py_available(), '\n')",
    "cat(identical(predict(saved$found, saved$x, 'decision'), saved$decision))"
  ), script)
  directory <- setwd(tempdir())
  on.exit(setwd(directory))
  text <- system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
    stdout = TRUE, stderr = TRUE
  )
  expect_null(attr(text, "status"))
  expect_identical(trimws(utils::tail(text, 2)), c("FALSE", "TRUE"))
})

test_that("Ctrl-C ends a selection as an interrupt", {
  data <- with_gaps()
  reticulate::py_run_string(paste(
    "import signal",
    "from hetsel.signature.nested.fold_models import FoldModels as hetsel_parts",
    "hetsel_run = hetsel_parts.run",
    "def hetsel_pressed(self, *args):",
    "    signal.raise_signal(signal.SIGINT)",
    "    return hetsel_run(self, *args)",
    "hetsel_parts.run = hetsel_pressed",
    sep = "\n"
  ))
  on.exit(reticulate::py_run_string("hetsel_parts.run = hetsel_run"))
  got <- tryCatch(quick(data$x, data$y), interrupt = identity)
  expect_s3_class(got, "interrupt")
  reticulate::py_run_string("hetsel_parts.run = hetsel_run")
  expect_identical(quick(data$x, data$y)$features, found$features)
})
