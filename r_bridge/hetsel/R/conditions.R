#' Errors and Warnings of hetsel
#'
#' @description Every error of hetsel has the class \code{hetsel_error}, and every warning has the
#' class \code{hetsel_warning}. Code can therefore handle the conditions of hetsel without parsing
#' their messages.
#' @return A condition is a list with the elements
#' \item{message}{The whole message.}
#' \item{problem}{What is wrong, or what hetsel did in another way than requested.}
#' \item{fix}{What to do about it; \code{""} where the problem already states it.}
#' \item{argument}{The argument that caused the condition; \code{""} where none did.}
#' An error also has the class \code{hetsel_no_python} where no Python can be used.
#' @seealso \code{\link[base]{tryCatch}}, \code{\link{hetsel_doctor}}
#' @examplesIf hetsel_available()
#' refusal <- tryCatch(hetsel_rank(infert[1:4], infert$case, size = 9), hetsel_error = identity)
#' refusal$argument
#' refusal$problem
#' @name hetsel_error
#' @aliases hetsel_warning hetsel_no_python
NULL

# Signal an error whose problem is pasted from `...`.
refuse <- function(..., fix = "", argument = "", class = NULL) {
  stop(condition_of(paste0(...), fix, argument, c(class, "hetsel_error", "error")))
}

refuse_if <- function(refused, ...) if (refused) refuse(...)

caution <- function(..., fix = "", argument = "") {
  warning(condition_of(paste0(...), fix, argument, c("hetsel_warning", "warning")))
}

# Match one of these words; the default takes the first, and an abbreviation is enough.
one_word <- function(value, name, legal) {
  if (is.null(value) || identical(value, legal)) value <- legal[1]
  found <- if (is.character(value) && length(value) == 1) pmatch(value, legal) else NA
  refuse_if(is.na(found),
    name, " must be ", paste0("\"", legal, "\"", collapse = " or "), got(value), argument = name
  )
  legal[found]
}

# Check that a value is legal; `said` ends the message.
one_among <- function(value, name, legal, said = got(value)) {
  refuse_if(!isTRUE(value %in% legal),
    name, " must be one of ", paste(unique(legal), collapse = ", "), said, argument = name
  )
  value
}

as_told <- function(told, class) {
  condition_of(told[["problem"]], told[["fix"]], told[["argument"]], class, told[["message"]])
}

condition_of <- function(problem, fix, argument, class,
                         message = paste(c(problem, fix[nzchar(fix)]), collapse = ". ")) {
  structure(
    class = c(class, "condition"),
    list(message = message, call = NULL, problem = problem, fix = fix, argument = argument)
  )
}
