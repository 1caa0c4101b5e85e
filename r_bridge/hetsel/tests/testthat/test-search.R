skip_without_python()

gaps <- function() {
  data <- mixed()
  data$x$age[4] <- NA
  data$x$smoker[3] <- NA
  data
}

searched <- local({
  data <- gaps()
  hetsel_search(data$x, data$y, ties = c(0.01, 0.1))
})

# Text printed, blanks made one.
shown <- function(...) gsub("\\s+", " ", paste(capture.output(...), collapse = " "))

test_that("a search answers with a subset for each size, as plain vectors", {
  expect_s3_class(searched, "hetsel_path")
  expect_named(searched$path, c("size", "score", "features"))
  expect_identical(lengths(searched$path$features), searched$path$size)
  expect_identical(searched$path$size, 1:7)
  expect_true(all(unlist(searched$path$features) %in% searched$columns$name))
  expect_identical(searched$selected, searched$path$features[[searched$size]])
  expect_identical(searched$equal[["0.01"]], searched$selected)
  expect_named(searched$equal, c("0.01", "0.1"))
  expect_named(searched$moves, c("step", "size", "score", "added", "removed"))
  expect_identical(searched$moves$step, seq_len(nrow(searched$moves)))
  expect_identical(searched$moves$removed[[1]], character())
  expect_identical(searched$columns$imputed[searched$columns$name == "smoker"], "FALSE")
  expect_gt(searched$evaluations, 20)
  expect_identical(searched$stopped, "")
  plain <- unclass(searched[setdiff(names(searched), c("call", "draws", "options"))])
  kinds <- rapply(plain, typeof, how = "unlist")
  expect_true(all(kinds %in% c("character", "integer", "double")))
})

test_that("the moves lead to the subsets", {
  subset <- character()
  for (k in seq_len(nrow(searched$moves))) {
    subset <- setdiff(c(subset, searched$moves$added[[k]]), searched$moves$removed[[k]])
    expect_length(subset, searched$moves$size[k])
  }
})

test_that("features are always in, never in, or come in groups", {
  data <- gaps()
  path <- hetsel_search(
    data$x, data$y, "dos", c("1nn", "3nn"),
    voting = "order", always = "stage", never = 5, column_groups = list(c("dose", "name"))
  )
  expect_identical(path$criterion, "1nn, 3nn")
  for (subset in path$path$features) {
    expect_true("stage" %in% subset)
    expect_false("smoker" %in% subset)
    expect_true(all(c("dose", "name") %in% subset) || !any(c("dose", "name") %in% subset))
  }
  masked <- hetsel_search(
    data$x, data$y, "dos", c("1nn", "3nn"),
    voting = "order", always = names(data$x) == "stage", never = list("smoker"),
    column_groups = list(pair = c(1, 6))
  )
  expect_identical(masked[names(masked) != "call"], path[names(path) != "call"])
})

test_that("costs decide among equals, and a budget bounds them", {
  data <- gaps()
  costs <- c(dose = 5, name = 1, site = 1)
  path <- hetsel_search(data$x, data$y, costs = costs, budget = 3)
  expect_true(all(vapply(path$path$features, function(s) sum(costs[s], na.rm = TRUE) <= 3, NA)))
  dear <- hetsel_search(data$x, data$y, ties = 0.3, costs = costs)
  expect_false("dose" %in% dear$selected)
  every <- costs[names(data$x)]
  every[is.na(every)] <- 0
  by_place <- hetsel_search(data$x, data$y, ties = 0.3, costs = unname(every))
  expect_identical(by_place$moves, dear$moves)
})

test_that("a size is kept, and rows of a group are held out together", {
  data <- gaps()
  three <- hetsel_search(data$x, data$y, size = 3)
  expect_identical(three$size, 3L)
  expect_length(three$selected, 3)
  rows <- rep(seq_len(30), each = 2)
  together <- hetsel_search(data$x, data$y, row_groups = rows)
  expect_false(identical(together$path$score, searched$path$score))
  named <- hetsel_search(data$x, data$y, row_groups = factor(paste("patient", rows)))
  expect_identical(named$path, together$path)
})

test_that("a formula picks the columns it names", {
  data <- gaps()
  whole <- cbind(data$x, y = data$y)
  expect_identical(hetsel_search(y ~ ., whole, ties = c(0.01, 0.1))$moves, searched$moves)
  some <- hetsel_search(y ~ site + log(age), whole, search = "exhaustive")
  expect_identical(some$columns$name, c("site", "log(age)"))
})

test_that("an archive is gone on from, and limits end a search with what it has", {
  data <- gaps()
  file <- tempfile()
  expect_warning(
    some <- hetsel_search(data$x, data$y, size = 5, archive = file, max_evaluations = 9),
    "before size 5.* size 1"
  )
  expect_identical(some$stopped, "evaluations")
  expect_match(shown(print(some)), "stopped early .*max_evaluations")
  kept <- readLines(file)
  whole <- hetsel_search(data$x, data$y, archive = file)
  expect_identical(readLines(file)[seq_along(kept)], kept)
  expect_identical(whole$path, searched$path)
  size <- file.size(file)
  expect_identical(hetsel_search(data$x, data$y, archive = file), whole)
  expect_identical(file.size(file), size)
  expect_error(
    hetsel_search(data$x, data$y, criterion = "1nn", archive = file), "archive of another search"
  )
})

test_that("a method that searches is asked for by its key, too", {
  data <- gaps()
  ranked <- hetsel_rank(data$x, data$y, method = "sffs-5nn", ties = c(0.01, 0.1))
  expect_s3_class(ranked, "hetsel_path")
  for (part in c("path", "selected", "moves", "equal", "columns", "size", "evaluations")) {
    expect_identical(ranked[[part]], searched[[part]])
  }
  expect_match(shown(print(ranked)), "(sffs-5nn)", fixed = TRUE)
  dear <- hetsel_rank(data$x, data$y, "dos-5nn", never = "dose", costs = c(site = 2), ties = 0.01)
  expect_false("dose" %in% unlist(dear$path$features))
  first <- hetsel_rank(data$x, data$y, "sfs-5nn", size = 2, never = 1)
  expect_false(names(data$x)[1] %in% unlist(first$path$features))
  expect_error(hetsel_rank(data$x, data$y, "dos-5nn", ntree = 1), "parameters of dos-5nn must be .*Got 'ntree'")
})

test_that("what cannot be searched ends in one sentence, in the words of R", {
  data <- gaps()
  wrong <- function(...) {
    text <- tryCatch(hetsel_search(data$x, data$y, ...), error = conditionMessage)
    expect_type(text, "character")
    expect_false(grepl("Traceback|Error:|None", text))
    text
  }
  expect_match(wrong(search = "os"), 'search = "os" needs a size')
  expect_match(wrong(voting = "x"), "voting must be one of order, median, .*, or NULL. Got 'x'")
  expect_match(wrong(criterion = "9n"), "criterion must be one of 5nn")
  expect_match(wrong(criterion = 5), "criterion must be one or more character strings")
  expect_match(wrong(search = "best"), "search must be one of bif, sfs")
  expect_match(wrong(size = 8), "size must be in 1..7 .*Got 8")
  expect_match(wrong(max_seconds = 0), "max_seconds must be a positive number. Got 0")
  expect_match(wrong(max_seconds = "1"), "max_seconds must be one number")
  expect_match(wrong(count = TRUE), "count must be one number")
  expect_match(wrong(depth = -1), "depth must be a whole number")
  expect_match(wrong(always = 9), "always .* 1..7. Got 9")
  expect_match(wrong(never = "doze"), "no column 'doze'. Did you mean 'dose'")
  expect_match(wrong(always = "age", never = "age"), "at most once. Got twice: age")
  expect_match(wrong(column_groups = c("age", "dose")), "column_groups must be a list of vectors")
  groups <- list(c("age", "size"))
  expect_match(wrong(column_groups = groups), "column_groups: the table has no column 'size'")
  expect_match(wrong(costs = 1:3), "costs must be named, or have 7 numbers")
  whole <- cbind(data$x, y = data$y)
  expect_no_error(hetsel_search(y ~ ., whole, costs = rep(1, 7), budget = 3, size = 2))
  expect_match(wrong(costs = c(age = 1, age = 2)), "costs must name every column")
  expect_match(wrong(costs = c(age = "1")), "costs must be one or more numbers")
  expect_match(wrong(budget = 1), "budget needs costs")
  expect_match(wrong(row_groups = 1:3), "60 rows. Got 3")
  expect_match(wrong(row_groups = c(NA, 1:59)), "row_groups is missing in 1 of 60 rows")
  expect_match(wrong(criterion = "hsic", folds = 3), "criterion 'hsic' has no option folds")
  expect_match(wrong(progress = identity), "hetsel_search has no argument progress")
  expect_match(wrong(critrion = "hsic"), "Did you mean 'criterion'")
  expect_match(wrong(max_evaluations = 2), "max_evaluations ended it")
  expect_error(hetsel_search(data$x), "y is missing")
})

test_that("printing and the summary say that the score is an inner one", {
  expect_match(shown(print(searched)), "size inner score features")
  expect_match(shown(print(searched)), "performance on new rows is lower")
  expect_match(shown(print(searched)), "2 missing values in 2 columns")
  expect_match(shown(print(searched, top = 2)), "and 5 more sizes")
  text <- shown(print(summary(searched)))
  expect_match(text, "Selected subset of size 3, inner score")
  expect_match(text, "ties = 0.1")
  expect_match(text, "Last moves: step size inner score added removed")
  expect_match(text, "performance on new rows is lower")
  expect_match(text, "Columns to check: seen: dates")
  wide <- searched
  wide$path$features[[7]] <- paste0(strrep("long", 5), 1:7)
  expect_match(shown(print(wide)), "and 6 more")
})

test_that("a sample of the rows is searched where one is asked for, and said", {
  data <- mixed()
  some <- hetsel_search(data$x, data$y, search = "sfs", sample = 20)
  expect_gte(some$sampled, 20L)
  expect_lt(some$sampled, nrow(data$x))
  said <- paste("a sample of", some$sampled, "of", nrow(data$x), "rows")
  expect_match(shown(print(some)), said)
  expect_match(shown(print(summary(some))), said)
  every <- hetsel_search(data$x, data$y, search = "sfs", sample = "all")
  expect_identical(every$sampled, 0L)
  expect_no_match(shown(print(every)), "a sample of")
  ranked <- hetsel_rank(data$x, data$y, method = "hfs-5nn", sample = 20)
  expect_identical(ranked$sampled, some$sampled)
  expect_match(shown(print(ranked)), said)
  for (given in list("some", 1, c(20, 30), TRUE)) {
    expect_error(hetsel_search(data$x, data$y, sample = given), "sample must be")
  }
})

test_that("as.data.frame and head have the features as text", {
  table <- as.data.frame(searched)
  expect_identical(table$score, searched$path$score)
  expect_identical(table$features[3], paste(searched$selected, collapse = ", "))
  expect_identical(head(searched, 2), table[1:2, ])
})

test_that("plot draws scores and features, and leaves the device as it was", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  before <- graphics::par("mai")
  drawn <- plot(searched)
  expect_setequal(drawn, names(gaps()$x))
  expect_setequal(drawn[1:3], searched$selected)
  expect_length(plot(searched, top = 4), 4)
  expect_equal(graphics::par("mai"), before)
  odd <- searched
  odd$path <- odd$path[3, ]
  expect_identical(sort(plot(odd)), sort(searched$selected))
  odd$path$score <- NaN
  expect_silent(plot(odd))
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("a saved search is shown without Python", {
  file <- tempfile(fileext = ".rds")
  saveRDS(searched, file)
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(hetsel)",
    sprintf("path <- readRDS(%s)", deparse(file)),
    "print(path); print(summary(path)); plot(path)",
    "cat(isNamespaceLoaded('reticulate') && reticulate::py_available())"
  ), script)
  directory <- setwd(tempdir())
  on.exit(setwd(directory))
  text <- system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
    stdout = TRUE, stderr = TRUE
  )
  expect_null(attr(text, "status"))
  expect_identical(text[length(text)], "FALSE")
})

test_that("Ctrl-C ends a search as an interrupt, and the archive is gone on from", {
  data <- gaps()
  reticulate::py_run_string(paste(
    "import signal",
    "from hetsel.search.subsets.subset_values import SubsetEvaluation as hetsel_evaluation",
    "hetsel_keep = hetsel_evaluation._keep",
    "def hetsel_pressed(self, *args):",
    "    hetsel_keep(self, *args)",
    "    if len(self.archive.values) > 10:",
    "        signal.raise_signal(signal.SIGINT)",
    "hetsel_evaluation._keep = hetsel_pressed",
    sep = "\n"
  ))
  on.exit(reticulate::py_run_string("hetsel_evaluation._keep = hetsel_keep"))
  file <- tempfile()
  expect_message(
    got <- tryCatch(hetsel_search(data$x, data$y, archive = file), interrupt = identity),
    "kept in .*Repeat the call"
  )
  expect_s3_class(got, "interrupt")
  got <- tryCatch(hetsel_search(data$x, data$y), interrupt = identity)
  expect_s3_class(got, "interrupt")
  reticulate::py_run_string("hetsel_evaluation._keep = hetsel_keep")
  expect_gt(length(readLines(file)), 10)
  expect_identical(hetsel_search(data$x, data$y, archive = file)$path, searched$path)
})

test_that("a target of numbers is searched by the criterion that takes them", {
  data <- mixed()
  outcome <- sin(seq_len(60)) + data$x$dose
  result <- hetsel_search(data$x, outcome, criterion = "ridge")
  expect_identical(result$path$features[[1]], "dose")
  expect_output(print(result), "numbers: 60 values from")
  expect_error(
    hetsel_search(data$x, outcome, criterion = "naive-bayes"), "needs classes as its target"
  )
})
