# A small plan over the table that comes with hetsel and one of R's own.
small_plan <- function(...) {
  utils::modifyList(list(
    name = "small", datasets = "heart", methods = c("rfe-mkl", "hfs-nb"), resamplings = 3,
    sizes = c(1, 2, 4), seed = 3
  ), list(...))
}

own_table <- function() {
  x <- infert[c("age", "parity", "education", "spontaneous")]
  x$age[5] <- NA
  list(women = list(x = x, y = factor(infert$case), ordinal = "parity"))
}

new_store <- function() tempfile("study-", fileext = ".sqlite")

# What R says in place of an answer.
refusal <- function(...) {
  text <- tryCatch(
    {
      hetsel_study(...)
      "no error"
    },
    error = conditionMessage
  )
  testthat::expect_false(grepl("Traceback|PlanError|StoreError", text))
  text
}

page_of <- function(file) {
  paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
}
