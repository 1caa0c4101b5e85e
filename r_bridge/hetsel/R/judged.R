# What hetsel_halves(), hetsel_knockoffs() and hetsel_permuted() share: their results are data
# frames of features with what a judged ranking says of each.

# What is asked of a judged ranking, and its result: `...` crosses, too.
ask_judged <- function(name, data, method, params, missing, scale, seed, always, ...) {
  options <- if (length(params)) Map(option_crossing, params, names(params))
  if (!is.null(always)) {
    options$always <- crossing(names_in(unlist(always), names(data$columns), "always"), "always")
  }
  answer <- ask(
    name,
    columns = data$columns,
    target = data$target,
    method = one_of(method, "method", is.character),
    kinds = data$kinds,
    missing = one_of(missing, "missing", is.character),
    scale = one_of(scale, "scale", is.character),
    seed = seed_of(seed),
    options = options,
    ...
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
#' @examples
#' if (hetsel_available()) {
#'   women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#'   found <- hetsel_permuted(case ~ ., women, permutations = 19, row_groups = "rows")
#'   print(found, top = 2)
#'   as.data.frame(found)
#' }
#' @export
print.hetsel_judged <- function(x, top = 20, digits = 3, ...) {
  cat(heading(x), sep = "\n")
  if (!is.null(x$said)) {
    cat(strwrap(x$said, exdent = 2), sep = "\n")
  }
  table <- utils::head(x$features, drawn(top))
  table$feature <- cut_off(shown(table$feature), 60)
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], formatC, digits = digits, format = "g")
  if (!is.null(table$selected)) {
    table$selected <- ifelse(table$selected, "*", "")
  }
  print(table, row.names = FALSE, right = FALSE)
  print_rest(nrow(x$features) - nrow(table), "features")
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
as.data.frame.hetsel_judged <- function(x, ...) {
  x$features
}

#' @export
formula.hetsel_judged <- formula.hetsel_ranking
