# The answer by the call of a default method; `...` are the types of its own options.
ask_judged <- function(name, call, params, ...) {
  data <- data_in(call)
  asked <- checked(
    c(method = "word", missing = "word", scale = "word", ...), call,
    formals(paste0("hetsel_", name, ".default"))
  )
  answer <- ask_table(
    name, c(data, asked),
    seed = seed_of(call$seed), options = options_in(call, data, params)
  )
  structure(as_written(answer, data), class = c(paste0("hetsel_", name), "hetsel_judged"))
}

#' Show what a ranking is worth
#'
#' @description Prints what \code{\link{hetsel_halves}}, \code{\link{hetsel_knockoffs}} and
#' \code{\link{hetsel_permuted}} return. None of these needs Python.
#' @param x,object a result of one of these.
#' @param top number of features to print, best first.
#' @param digits significant digits.
#' @param ... ignored.
#' @return \code{as.data.frame} returns the data frame \code{features}, \code{summary} a list that
#' prints the columns, too.
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' found <- hetsel_permuted(case ~ ., women, permutations = 19, row_groups = "rows")
#' print(found, top = 2)
#' as.data.frame(found)
#' @export
print.hetsel_judged <- function(x, top = 20, digits = 3, ...) {
  cat(heading(x), sep = "\n")
  print_lines(x$said)
  table <- utils::head(x$features, drawn(top))
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], formatC, digits = digits, format = "g")
  if (!is.null(table$selected)) table$selected <- ifelse(table$selected, "*", "")
  print_features(table, nrow(x$features))
  print_open_ends(x)
  invisible(x)
}

#' @rdname print.hetsel_judged
#' @export
summary.hetsel_judged <- function(object, ...) as_summary(object)

#' @export
print.summary.hetsel_judged <- function(x, ...) {
  print.hetsel_judged(x, top = 40)
  print_columns(x)
  invisible(x)
}

#' @rdname print.hetsel_judged
#' @export
as.data.frame.hetsel_judged <- function(x, ...) x$features

#' @export
formula.hetsel_judged <- formula.hetsel_ranking
