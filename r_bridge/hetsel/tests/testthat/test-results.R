skip_without_python()

result <- local({
  data <- mixed()
  data$x$age[4] <- NA
  data$x$name[5] <- NA
  hetsel_rank(data$x, data$y, size = 3)
})

test_that("printing shows the ranking, the signature and what was filled in", {
  expect_output(print(result), "60 rows; 7 features: 3 continuous, 3 nominal, 1 ordinal")
  expect_output(print(result), "classes: sick (20), well (40)", fixed = TRUE)
  expect_output(print(result), "2 missing values in 2 columns")
  expect_output(print(result, top = 2), "and 5 more features")
})

test_that("the summary shows columns, open questions and steps", {
  expect_s3_class(summary(result), "summary.hetsel_ranking")
  text <- paste(capture.output(print(summary(result))), collapse = "\n")
  expect_match(text, "Signature of size 3")
  expect_match(text, "Columns to check:\n  seen: dates")
  expect_match(text, "Steps:")
  expect_false(grepl("\\['", text))
})

test_that("a column that may mislead is named where the ranking is printed", {
  data <- mixed()
  data$x$dose[1] <- 9999
  data$x$drug <- ifelse(data$y == "sick", "new", "none")
  warned <- hetsel_rank(data$x, data$y, method = "hsic")
  expect_length(warned$cautions, 2)
  expect_output(print(warned), "caution: dose: .*set\\s+\"9999\"\\s+to\\s+NA")
  expect_output(print(summary(warned)), "caution: dose, drug: .*drop\\s+\"dose\",\\s+\"drug\"")
  path <- hetsel_search(data$x[c("dose", "age")], data$y, search = "sfs")
  expect_output(print(path), "caution: dose: .*9999")
  clean <- hetsel_rank(data$x["age"], data$y, method = "hsic")
  expect_identical(clean$cautions, character())
})

test_that("as.data.frame and head give the ranking", {
  expect_identical(as.data.frame(result), result$ranking)
  expect_identical(head(result, 2), result$ranking[1:2, ])
})

test_that("plot draws a bar a feature and leaves the device as it was", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  before <- graphics::par("mai")
  bars <- plot(result, top = 5)
  expect_length(bars, 5)
  expect_equal(graphics::par("mai"), before)
  flat <- result
  flat$ranking$importance <- 0
  expect_silent(plot(flat))
  flat$ranking$importance[2] <- -Inf
  expect_silent(plot(flat))
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("a saved result is read and shown in a session without Python", {
  file <- tempfile(fileext = ".rds")
  saveRDS(result, file)
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(hetsel)",
    sprintf("result <- readRDS(%s)", deparse(file)),
    "print(result); print(summary(result)); plot(result)",
    "cat(hetsel_available(), isNamespaceLoaded('reticulate') && reticulate::py_available())",
    sprintf("saveRDS(result, %s)", deparse(file))
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
  expect_match(text[length(text)], "FALSE FALSE")
  expect_true(any(grepl("Signature of size 3", text)))
  expect_identical(readRDS(file), result)
})

test_that("the doctor finds everything in place", {
  facts <- hetsel_doctor()
  expect_identical(facts$problem, "")
  expect_true(facts$healthy)
  expect_true(all(nzchar(facts$facts[c("python", "hetsel", "numpy", "randomForest")])))
  expect_output(print(facts), "no problem found")
  expect_true(hetsel_available())
})

test_that("names are printed and drawn without what has no shape, and in a line", {
  data <- mixed()
  data$x <- data$x[1:4]
  names(data$x) <- c("a\u001b[31m\n", "", strrep("long ", 500), "$\\frac$")
  y <- factor(data$y, labels = c("", "\u0007\u202e"))
  results <- list(
    hetsel_rank(data$x, y, size = 4), hetsel_search(data$x, y, search = "sfs", size = 4)
  )
  for (result in results) {
    said <- capture.output(print(result), print(summary(result)))
    expect_false(any(grepl("[\u001b\u0007\u202e]", said)))
    expect_lt(max(nchar(said[!grepl("long long", said)])), 110)
    expect_true(any(grepl("classes: '' (20), \\x07\\u202e (40)", said, fixed = TRUE)))
    grDevices::pdf(NULL)
    expect_silent(plot(result))
    expect_error(plot(result, top = 0), "top must be at least 1. Got 0")
    grDevices::dev.off()
  }
  expect_lt(max(nchar(capture.output(print(results[[1]])))), 110)
})
