# Errors and warnings with their parts.

#' Errors and warnings of hetsel
#'
#' @description
#' Whatever hetsel refuses is an error of class \code{hetsel_error}, and whatever it warns of a
#' warning of class \code{hetsel_warning}, so that code can tell them from all others and need not
#' read their sentences.
#' @return
#' A condition is a list with
#' \item{message}{the whole sentence.}
#' \item{problem}{what is wrong, or what was done in another way than was asked for.}
#' \item{fix}{what to do about it; \code{""} where the problem says it.}
#' \item{argument}{the argument that it is about; \code{""} where there is none.}
#' Where no Python can be used it is of class \code{hetsel_no_python}, too.
#' @examples
#' if (hetsel_available()) {
#'   told <- tryCatch(hetsel_rank(infert[1:4], infert$case, size = 9), hetsel_error = identity)
#'   told$argument
#'   told$problem
#' }
#' @name hetsel_error
#' @aliases hetsel_warning hetsel_no_python
NULL

# Refuse, in a sentence pasted from `...`.
refuse <- function(..., fix = "", argument = "", class = NULL) {
  problem <- paste0(...)
  said <- if (nzchar(fix)) paste0(problem, ": ", fix) else problem
  stop(with_parts(said, problem, fix, argument, c(class, "hetsel_error", "error")))
}

refuse_if <- function(refused, ...) if (refused) refuse(...)

# Warn, as refuse() refuses.
caution <- function(..., fix = "", argument = "") {
  problem <- paste0(...)
  said <- if (nzchar(fix)) paste0(problem, ": ", fix) else problem
  warning(with_parts(said, problem, fix, argument, c("hetsel_warning", "warning")))
}

# One of these words, the first where the argument is at its default; its beginning is enough.
one_word <- function(value, name, legal) {
  if (is.null(value) || identical(value, legal)) {
    return(legal[1])
  }
  found <- if (is.character(value) && length(value) == 1) pmatch(value, legal) else NA
  if (is.na(found)) {
    refuse(
      name, " must be ", paste0("\"", legal, "\"", collapse = " or "), got(value),
      argument = name
    )
  }
  legal[found]
}

# One of these values; `said` ends the sentence.
one_among <- function(value, name, legal, said = got(value)) {
  if (!isTRUE(value %in% legal)) {
    refuse(name, " must be one of ", paste(unique(legal), collapse = ", "), said, argument = name)
  }
  value
}

# Errors and warnings of Python, which words them itself.
refuse_as_told <- function(told) {
  stop(as_told(told, c("hetsel_error", "error")))
}

caution_as_told <- function(every) {
  for (told in every) {
    warning(as_told(told, c("hetsel_warning", "warning")))
  }
}

as_told <- function(told, class) {
  with_parts(told[["message"]], told[["problem"]], told[["fix"]], told[["argument"]], class)
}

with_parts <- function(message, problem, fix, argument, class) {
  structure(
    class = c(class, "condition"),
    list(message = message, call = NULL, problem = problem, fix = fix, argument = argument)
  )
}
