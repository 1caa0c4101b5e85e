skip_without_python()

store <- new_store()
study <- hetsel_study(small_plan(), store = store, data = own_table())

test_that("a study holds plain lists and data frames", {
  expect_s3_class(study, "hetsel_study")
  expect_identical(
    study$status[c("cells", "finished", "failed", "missing")],
    list(cells = 12L, finished = 12L, failed = 0L, missing = 0L)
  )
  expect_identical(nrow(study$scores), 12L * 3L)
  expect_identical(unique(study$scores$dataset), c("heart", "women"))
  expect_identical(sort(unique(study$scores$resampling)), 0:2)
  expect_identical(nrow(study$summary), 2L * 2L * 3L)
  expect_identical(study$methods, c("rfe-mkl", "hfs-nb"))
  expect_identical(nrow(study$failures), 0L)
  expect_match(study$digest, "^[0-9a-f]{64}$")
  expect_identical(study$store, normalizePath(store))
  expect_identical(study$versions[[1]][["hetsel"]], study$version)
  kinds <- rapply(unclass(study), typeof, how = "unlist")
  expect_false(any(kinds %in% c("environment", "externalptr", "closure")))
})

test_that("means in the summary are those of the scores", {
  one <- subset(study$scores, dataset == "heart" & method == "hfs-nb" & size == 2)
  row <- subset(study$summary, dataset == "heart" & method == "hfs-nb" & size == 2)
  expect_equal(row$bcr, mean(one$bcr))
  expect_equal(row$auc, mean(one$auc))
  expect_equal(one$bcr, (one$sensitivity + one$specificity) / 2)
  expect_true(row$bcr_low_corrected < row$bcr_low_naive && row$bcr_low_naive < row$bcr)
  expect_equal(row$bcr_high_corrected, min(1, 2 * row$bcr - row$bcr_low_corrected)) # a rate
  expect_identical(row$scored, row$resamplings)
  expect_true(all(one$bcr_by_chance == 0.5) && all(one$absent_classes == 0L))
  expect_identical(nrow(study$absent_classes), 0L)
  expect_identical(nrow(study$crossfitted), 0L) # three resamplings have no two halves of two
  expect_identical(nrow(study$bayesian_pairs), 0L)
  expect_identical(study$probable, "")
  expect_match(study$found[1], "^Predictive performance")
  expect_identical(study$reference, "rfe-mkl")
  expect_false(any(is.nan(unlist(Filter(is.double, study$summary)))))
})

test_that("treatments of a table are compared with it", {
  expect_identical(nrow(study$treatments), 0L)
  plan <- small_plan(datasets = list(
    list(name = "quantiles", treatment_of = "women", scale = "quantile"),
    list(name = "less", treatment_of = "women", drop = "age")
  ), methods = "hfs-nb", sizes = c(1, 2))
  both <- hetsel_study(plan, store = new_store(), jobs = 0, data = own_table())
  found <- both$treatments
  expect_identical(found$treatment, c("quantiles", "less"))
  expect_identical(found$dataset, c("women", "women"))
  expect_identical(found$changed, c("scale quantile, not range", "without age"))
  bcr <- function(name, size) with(both$scores, bcr[dataset == name & both$scores$size == size])
  expect_equal(found$difference[2], mean(bcr("less", found$size[2]) - bcr("women", found$size[2])))
  expect_true(all(is.na(found$pvalue))) # of three resamplings
  expect_match(refusal(small_plan(datasets = list("heart", list(
    name = "other", treatment_of = "hart", scale = "quantile"
  ))), store = new_store()), "treatment_of must be one of heart")
})

test_that("columns of a data frame keep their kinds", {
  women <- study$datasets[study$datasets$dataset == "women", ]
  expect_identical(women$rows, nrow(infert))
  expect_identical(women$row_groups, NA_integer_)
  expect_identical(c(women$continuous, women$categorical), c(2L, 2L))
  expect_identical(women$missing_cells, 1L)
  expect_identical(women$classes, "0 (165), 1 (83)")
  expect_true(women$chosen %in% c(1, 2, 4))
})

test_that("pairs of methods come with probabilities that add up", {
  plan <- small_plan(resamplings = 10, methods = c("rfe-svm", "variance", "mi-histogram"))
  study <- hetsel_study(plan, store = new_store(), jobs = 0)
  pairs <- study$bayesian_pairs
  expect_identical(
    vapply(pairs, typeof, ""),
    c(
      analysis = "character", dataset = "character", one = "character", other = "character",
      number = "integer", difference = "double", one_better = "double", equivalent = "double",
      other_better = "double"
    )
  )
  expect_identical(pairs$analysis, rep(c("own size", "one size"), each = 3))
  expect_identical(pairs$one[1:3], c("rfe-svm", "rfe-svm", "variance"))
  expect_identical(unique(pairs$dataset), "heart") # one data set has nothing over data sets
  expect_identical(unique(pairs$number), 10L)
  expect_equal(pairs$one_better + pairs$equivalent + pairs$other_better, rep(1, 6))
  means <- subset(study$crossfitted, rule == "own size")
  rate <- stats::setNames(means$bcr, means$method)
  expect_equal(pairs$difference[1:3], unname(rate[pairs$one[1:3]] - rate[pairs$other[1:3]]))
  expect_match(study$probable, "[Oo]n single data sets")
  expect_output(print(summary(study)), "practically equivalent.*:\n.*single data sets")
})

test_that("rows of a table may belong together, or have an order in time", {
  person <- infert$stratum
  table <- function(x = infert[c("age", "spontaneous")], ...) {
    list(w = list(x = x, y = infert$case, ...))
  }
  plan <- small_plan(
    methods = "rfe-svm", sizes = 1, datasets = NULL,
    resamplings = list(count = 5, kind = "k-fold", folds = 5)
  )
  run <- function(data, plan_ = plan) hetsel_study(plan_, new_store(), jobs = 0, data = data)
  digest <- function(...) run(...)$digest
  together <- digest(table(row_groups = person))
  expect_identical(run(table(row_groups = person))$datasets$row_groups, 83L)
  expect_identical(digest(table(row_groups = factor(paste("p", person)))), together)
  named <- cbind(infert[c("age", "spontaneous")], person)
  expect_identical(digest(table(named, row_groups = "person")), together)
  expect_identical(digest(table(named, row_groups = 3)), together)
  weights <- 1 + person %% 3
  weighted <- digest(table(row_weights = weights))
  expect_false(weighted %in% c(digest(table()), together))
  expect_identical(digest(table(row_weights = 7 * weights)), weighted)
  expect_false(identical(digest(table()), together))
  later <- utils::modifyList(plan, list(resamplings = list(
    count = 2, kind = "time-ordered", folds = NULL
  )))
  k <- seq_len(nrow(infert))
  dates <- as.Date("2020-01-01") + (k * 37) %% 248
  expect_identical(
    digest(table(order = dates), later), digest(table(order = as.integer(dates)), later)
  )
  store <- new_store()
  own <- function(...) refusal(plan, store = store, jobs = 0, data = table(...))
  expect_match(own(row_groups = 1:3), "row_groups must have 248 values, .*Got 3")
  expect_match(own(row_groups = "men"), "no column 'men'")
  expect_match(own(row_groups = replace(person, 2, NA)), "row_groups: .* missing in 1 row")
  expect_match(own(order = dates), "order.*k-fold")
  expect_match(own(row_groups = list(1, 2)), "row_groups must be a vector .* Got a list")
  expect_match(
    refusal(small_plan(datasets = list(list(name = "heart", row_groups = 2)))),
    "row_groups must be the name of a column. Got 2"
  )
})

test_that("a second run computes nothing; two workers find the same", {
  file <- study$store
  seconds <- study$scores$rank_seconds
  again <- hetsel_study(small_plan(), store = file, data = own_table())
  expect_identical(again$scores$rank_seconds, seconds)
  expect_identical(again, study)
  two <- hetsel_study(small_plan(), store = new_store(), jobs = 2, data = own_table())
  expect_identical(two$digest, study$digest)
  timeless <- setdiff(names(study$scores), c("rank_seconds", "rank_elapsed"))
  expect_identical(two$scores[timeless], study$scores[timeless])
})

test_that("the forest of R runs, and finds the same in one worker and in two", {
  plan <- small_plan(methods = list(list(key = "rf10000", params = list(ntree = 20), label = "rf")))
  one <- hetsel_study(plan, store = new_store())
  expect_identical(one$methods, "rf")
  two <- hetsel_study(plan, store = new_store(), jobs = 2)
  expect_identical(two$status$finished, 3L)
  expect_identical(one$digest, two$digest)
})

test_that("a plan may be a TOML file", {
  file <- tempfile(fileext = ".toml")
  writeLines(c(
    "name = \"small\"", "seed = 3", "datasets = [\"heart\"]", "sizes = [1, 2, 4]",
    "methods = [\"rfe-mkl\", \"hfs-nb\"]", "resamplings = 3"
  ), file)
  from_file <- hetsel_study(file, store = study$store, data = own_table())
  expect_identical(from_file$digest, study$digest)
  expect_identical(from_file$scores, study$scores)
  folder <- tempfile()
  dir.create(folder)
  before <- setwd(folder)
  on.exit(setwd(before))
  alone <- hetsel_study(file, jobs = 0)
  expect_identical(alone$store, file.path(dirname(normalizePath(file)), "small.sqlite"))
  expect_identical(unique(alone$scores$dataset), "heart")
  expect_match(page_of(hetsel_report(file, "small.html")), alone$digest)
  # other formats by the ending, the figures of Markdown beside it
  written <- readLines(hetsel_report(file, "small.md"), encoding = "UTF-8")
  expect_true(any(grepl(substr(alone$digest, 1, 16), written, fixed = TRUE)))
  figures <- sub("^!\\[.*\\]\\((.*)\\)$", "\\1", grep("^!\\[", written, value = TRUE))
  expect_true(length(figures) > 0 && all(file.exists(figures)))
  expect_gt(file.size(hetsel_report(file, "small.docx")), 10000)
})

test_that("without a store nothing is written into the working directory", {
  folder <- tempfile()
  dir.create(folder)
  before <- setwd(folder)
  on.exit(setwd(before))
  plan <- small_plan(name = "unnamed place", methods = "hsic", sizes = 1, resamplings = 1)
  unnamed <- hetsel_study(plan, jobs = 0)
  expect_identical(unnamed$store, file.path(normalizePath(tempdir()), "unnamed-place.sqlite"))
  expect_match(capture.output(print(unnamed)), "[(]temporary[)]", all = FALSE)
  expect_identical(hetsel_study(plan, jobs = 0)$digest, unnamed$digest)
  expect_match(page_of(hetsel_report(unnamed, tempfile(fileext = ".html"))), unnamed$digest)
  expect_error(hetsel_study(plan, part = "1/2"), "store must name a file .*part")
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), character())
})

test_that("entries may be lists, factors, whole or decimal numbers", {
  plan <- list(
    name = "small", datasets = list("heart"), seed = 3L, sizes = list(4, 1L, 2),
    methods = list("rfe-mkl", list(key = "hfs-nb", params = list())),
    resamplings = list(count = 3L, test_share = 0.1, kind = factor("stratified")),
    classifiers = list(list(key = "clinical-svm", params = list(C = 10L)))
  )
  expect_identical(
    hetsel_study(plan, store = study$store, data = own_table())$digest, study$digest
  )
  short <- hetsel_study(small_plan(sizes = 1, methods = "t-test", datasets = NULL),
    store = new_store(), jobs = 0, data = list(age = list(x = infert["age"], y = infert$case == 1))
  )
  expect_identical(nrow(short$scores), 3L)
  expect_identical(nrow(short$datasets), 1L)
})

test_that("cells that fail come as a warning and are listed", {
  x <- data.frame(a = c(1:12), b = factor(letters[1:12]))
  plan <- small_plan(methods = c("rfe-mkl", "t-test"), datasets = NULL, sizes = 1)
  data <- list(tiny = list(x = x, y = rep(c("u", "v"), 6)))
  file <- new_store()
  study <- function(...) hetsel_study(plan, store = file, jobs = 0, data = data, ...)
  expect_warning(failed <- study(), "3 of 6 cells failed")
  expect_identical(failed$status$failed, 3L)
  expect_identical(unique(failed$failures$method), "t-test")
  expect_output(print(failed), "3 of 6 cells finished, 3 failed")
  expect_output(print(summary(failed)), "Failed:")
  expect_warning(study(retry = TRUE), "3 of 6 cells failed")
})

test_that("what cannot be run ends in one sentence", {
  expect_match(refusal(list(datasets = "heart")), "entry 'methods'")
  expect_match(refusal(list(methods = "rfe-mkl")), "entry 'datasets'")
  expect_match(refusal(small_plan(datasets = "hart")), "datasets\\[\\[1\\]\\].*'heart'")
  expect_match(
    refusal(small_plan(methods = list("hfs-nb", list(key = "rfe-svm", params = list(D = 1))))),
    "methods\\[\\[2\\]\\].params has no key 'D'"
  )
  expect_match(refusal(c(small_plan(), method = "t-test")), "Did you mean 'methods'")
  expect_match(refusal(small_plan(resamplings = 2.5)), "must be a whole number")
  expect_match(refusal(small_plan(seed = NA)), "plan\\$seed must not contain NA")
  expect_match(refusal(small_plan(seed = as.Date("2020-01-01"))), "of class Date")
  expect_match(refusal(small_plan(seed = mean)), "plan\\$seed must be text, numbers or a list")
  expect_match(refusal(list("heart", "rfe-mkl")), "must be named")
  expect_match(refusal(5), "plan must be the path")
  expect_match(refusal("no.toml"), "no such file: .*no.toml")
  expect_match(refusal(small_plan(), jobs = -1), "jobs must be a whole number, 0 or larger")
  expect_match(refusal(small_plan(), time_limit = 0), "time_limit must be a positive number")
  expect_match(refusal(small_plan(), time_limit = "1 s"), "time_limit must be one number")
  expect_match(refusal(small_plan(), anew = 1), "anew must be labels of methods")
  expect_match(refusal(small_plan(), jobs = 1.5, store = new_store()), "jobs must be a whole number")
  expect_match(refusal(small_plan(), jobs = "two"), "jobs must be one number")
  expect_match(refusal(small_plan(), store = 5), "store must be one character string")
  expect_match(
    refusal(small_plan(), store = file.path(tempdir(), "no", "s.sqlite")), "there is no folder"
  )
  wrong <- tempfile(fileext = ".sqlite")
  writeLines("no database, only some text in a file", wrong)
  expect_match(refusal(small_plan(), store = wrong), "is not the store of a study")
})

test_that("tables of one's own are checked", {
  own <- function(...) refusal(small_plan(), store = new_store(), data = list(...))
  x <- infert["age"]
  expect_match(refusal(small_plan(), data = x), "data must be a named list of tables")
  expect_match(own(list(x = x, y = infert$case)), "data must be a named list of tables")
  expect_match(own(women = x), "data\\$women must be a list with x, the features, and y")
  expect_match(own(women = list(x = x)), "data\\$women must be a list with x, the features, and y")
  expect_match(own(women = list(x = x, y = 1:3)), "data\\$women: y must have .*248 rows")
  expect_match(own(women = list(x = x, y = infert$case, weights = 1)), "Got 'weights'")
  expect_match(own(women = list(x = x, y = infert$case, nominal = "b")), "women.* no column 'b'")
  expect_match(own(women = list(x = x, y = infert$age)), "'women': .*looks continuous")
  twice <- stats::setNames(cbind(x, x), c("a", "a"))
  expect_match(own(women = list(x = twice, y = infert$case)), "'women': .* more than once")
})

test_that("a study is printed, summarized and drawn", {
  expect_output(print(study), "small: 12 of 12 cells")
  expect_output(print(study), study$digest)
  expect_output(print(study), "women +hfs-nb")
  expect_output(
    print(summary(study)),
    "Findings:.*Data sets:.*Means at the size .*rfe-mkl.*corrected.*Versions:"
  )
  shown <- grep(study$store, capture.output(print(study)), fixed = TRUE, invert = TRUE, value = TRUE)
  expect_true(max(nchar(shown)) <= 80)
  expect_identical(as.data.frame(study), study$scores)
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  before <- graphics::par("mar")
  drawn <- plot(study)
  expect_identical(unique(drawn$dataset), "heart")
  expect_identical(nrow(drawn), 6L)
  expect_equal(graphics::par("mar"), before)
  for (measure in c("accuracy", "auc", "kuncheva", "n_categorical", "rank_seconds")) {
    expect_silent(plot(study, "women", measure, main = "Women", ylab = "y"))
  }
  expect_error(plot(study, "men"), "dataset must be one of heart, women")
  expect_error(plot(study, classifier = "tree"), "classifier must be one of clinical-svm")
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("the report is one HTML file, with effect curves of one's own table", {
  file <- tempfile(fileext = ".html")
  expect_identical(
    withVisible(hetsel_report(study, file)), list(value = normalizePath(file), visible = FALSE)
  )
  page <- page_of(file)
  expect_match(page, study$digest, fixed = TRUE)
  expect_false(grepl("no final model", page))
  other <- tempfile(fileext = ".html")
  hetsel_report(study$store, other)
  expect_match(page_of(other), "no final model")
  expect_error(hetsel_report(new_store(), tempfile(fileext = ".html")), "no such store: .*. Use hetsel_study\\(\\) to make it")
  expect_error(hetsel_report(NULL), "x must be a study, the path of its store")
  expect_error(hetsel_report(study, c("a", "b")), "path must be one character string")
})

test_that("the figures of a report are files for a paper", {
  folder <- tempfile()
  hetsel_report(study, tempfile(fileext = ".html"), figures = folder, format = "svg")
  files <- list.files(folder, full.names = TRUE)
  expect_true(all(c("effects-women.svg", "selection-women.svg") %in% basename(files)))
  expect_match(readLines(files[1], n = 1), "xml")
  expect_error(
    hetsel_report(study, tempfile(fileext = ".html"), figures = folder, format = "bmp"),
    "must be one of .*png.*bmp"
  )
})

test_that("a store that has moved on is reported with a warning", {
  file <- new_store()
  first <- hetsel_study(small_plan(methods = "hfs-nb"), store = file, jobs = 0)
  hetsel_study(small_plan(methods = "rfe-svm"), store = file, jobs = 0)
  expect_warning(hetsel_report(first, tempfile(fileext = ".html")), "other results")
})

test_that("a saved study is read, shown and drawn in a session without Python", {
  file <- tempfile(fileext = ".rds")
  saveRDS(study, file)
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(hetsel)",
    sprintf("study <- readRDS(%s)", deparse(file)),
    "print(study); print(summary(study)); plot(study)",
    "cat(isNamespaceLoaded('reticulate') && reticulate::py_available())"
  ), script)
  old <- Sys.getenv("RETICULATE_PYTHON", NA)
  Sys.setenv(RETICULATE_PYTHON = file.path(tempdir(), "no-python"))
  on.exit(if (is.na(old)) Sys.unsetenv("RETICULATE_PYTHON") else Sys.setenv(RETICULATE_PYTHON = old))
  directory <- setwd(tempdir())
  on.exit(setwd(directory), add = TRUE)
  text <- system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
    stdout = TRUE, stderr = TRUE
  )
  expect_null(attr(text, "status"))
  expect_identical(text[length(text)], "FALSE")
  expect_identical(readRDS(file), study)
})

test_that("arguments of another type are refused in a sentence", {
  said <- function(...) tryCatch(hetsel_study(...), error = conditionMessage)
  expect_match(said(list()), "entries of plan must be named")
  expect_match(said(tempdir()), "^.*: Is a directory$|Permission denied$")
  expect_match(said(small_plan(), retry = "yes"), "retry must be TRUE or FALSE. Got \"yes\"")
  expect_match(said(small_plan(), store = ""), "store must name a file. Got ''")
  wrong <- function(...) tryCatch(hetsel_report(...), error = conditionMessage)
  expect_match(wrong(data.frame(), "a.html"), "x must be a study, .* plan, a signature or a validation. Got an obj")
  expect_match(wrong("a.sqlite", path = NULL), "path must be one character string. Got NULL")
  expect_match(wrong("a.sqlite", "a.html", format = "gif"), "format must be one of pdf, svg, png. Got \"gif\"")
})

test_that("the classes of a study keep their order, and the positive one is named", {
  data <- mixed()
  plan <- list(name = "order", methods = "t-test", resamplings = 2)
  classes <- function(y, ...) {
    tables <- list(own = list(x = data$x[1:2], y = y, ...))
    hetsel_study(plan, tempfile(), jobs = 0, data = tables)$datasets$classes
  }
  sick <- data$y == "sick"
  expect_identical(classes(factor(data$y, c("well", "sick"))), "well (40), sick (20)")
  expect_identical(classes(data$y, positive = "sick"), "well (40), sick (20)")
  expect_identical(classes(as.double(sick)), "0 (40), 1 (20)")
  expect_identical(classes(sick, positive = FALSE), "True (20), False (40)")
  expect_error(classes(sick, positive = mean), "own: positive must be one class. Got an object")
})

test_that("a study of numbers has the scores of R's own regression", {
  x <- swiss[c("Agriculture", "Education", "Catholic")]
  plan <- list(
    name = "numbers", methods = c("pearson", "relieff"), sizes = c(1, 3),
    classifiers = "sklearn.linear_model.LinearRegression",
    resamplings = list(kind = "time-ordered", count = 2, test_count = 10)
  )
  data <- list(swiss = list(x = x, y = swiss$Fertility, order = seq_len(nrow(x))))
  found <- hetsel_study(plan, store = new_store(), data = data, jobs = 0)
  for (k in 0:1) {
    tested <- nrow(x) - 10 * (k + 1) + 1:10
    trained <- seq_len(min(tested) - 1)
    model <- stats::lm(swiss$Fertility ~ ., x, subset = trained)
    error <- swiss$Fertility[tested] - stats::predict(model, x[tested, ])
    own <- subset(found$scores, resampling == k & size == 3)
    spread <- sum((swiss$Fertility[tested] - mean(swiss$Fertility[tested]))^2)
    expect_equal(own$r2, rep(1 - sum(error^2) / spread, 2))
    expect_equal(own$mae, rep(mean(abs(error)), 2))
    expect_equal(own$rmse, rep(sqrt(mean(error^2)), 2))
  }
  expect_identical(found$datasets$target, "35 to 92.5")
  expect_false(any(grepl("bcr|class", c(names(found$scores)[-5], names(found$summary)[-3]))))
  expect_output(print(found), "r2")
  grDevices::pdf(NULL)
  expect_identical(nrow(plot(found)), 4L)
  grDevices::dev.off()
  expect_error(plot(found, measure = "bcr"), "measure must be \"r2\" or")
  whole <- list(swiss = list(x = x, y = round(swiss$Fertility), target_kind = "numbers"))
  plan$resamplings <- 2
  plan$classifiers <- "naive-bayes"
  expect_match(
    refusal(plan, store = new_store(), data = whole, jobs = 0), "must name a regressor.* Got naive-bayes"
  )
})

test_that("workers are the Python of the session", {
  study <- hetsel_study(small_plan(resamplings = 1), store = new_store(), jobs = 2)
  expect_identical(study$versions[[1]][["python"]], unname(hetsel_doctor()$facts["python"]))
})

test_that("names of the vectors of a plan mean nothing", {
  named <- hetsel_study(
    small_plan(methods = c(a = "rfe-mkl", b = "hfs-nb"), sizes = c(p = 1, q = 2, r = 4)),
    store = new_store(), jobs = 0
  )
  plain <- hetsel_study(small_plan(), store = new_store(), jobs = 0)
  expect_identical(named$digest, plain$digest)
  one <- hetsel_study(small_plan(methods = c(key = "hfs-nb")), store = new_store(), jobs = 0)
  expect_identical(one$methods, "hfs-nb")
})
