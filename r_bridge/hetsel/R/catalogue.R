#' The methods of selection
#'
#' @description Lists the methods that \code{\link{hetsel_rank}} knows.
#' @return A data frame with a row per method: \code{key} (the name to call it by), \code{title},
#' \code{family} (filter, wrapper or embedded), the kinds of columns it \code{takes} for a target of
#' classes and those it \code{takes_otherwise}, for numbers and survival times (empty of a method
#' for classes only), the kinds of \code{targets} it is for, what it \code{requires} beyond the
#' basic installation (\code{"r"}: rpy2 and R's randomForest), how its \code{time} and \code{memory}
#' grow with n rows, p columns, d columns of which a nominal one counts once for each level, c
#' classes and k features asked for, the \code{paper}, and its \code{options} with their defaults.
#' @seealso \code{\link{hetsel_rank}}
#' @examplesIf hetsel_available()
#' hetsel_methods()[c("key", "family", "options")]
#' @export
hetsel_methods <- function() ask("methods")

#' @rdname hetsel_doctor
#' @export
hetsel_available <- function() {
  tryCatch(is.function(the$answer) || !is.null(facade()), error = function(e) FALSE)
}

#' Check the installation
#'
#' @description \code{hetsel_doctor} shows the versions of R, Python and the packages in use and,
#' where something is amiss, what it is and how to mend it. \code{hetsel_available} says whether
#' \code{\link{hetsel_rank}} can be used.
#' @details R takes the first of these: \code{options(hetsel.python = "<path>/bin/python")}; the
#' environment variable \env{RETICULATE_PYTHON}, which all packages that use Python hear; what
#' \code{reticulate::use_python()} or an active virtual environment names; the environment that
#' \code{\link{install_hetsel}} made; the one that reticulate 1.41 or newer makes. R keeps the
#' Python that it has started. It must be Python 3.11 or newer with hetsel, of the version of this
#' package.
#' @return \code{hetsel_doctor}: a list of class \code{hetsel_doctor} with \code{facts} (named
#' text), \code{problem} and \code{fix} (empty if all is well) and \code{healthy}. It never fails.
#'
#' \code{hetsel_available}: \code{TRUE} or \code{FALSE}.
#' @seealso \code{\link{hetsel_rank}}
#' @examples
#' hetsel_doctor()
#' hetsel_available()
#' @export
hetsel_doctor <- function() {
  facts <- c(
    R = paste(R.version$major, R.version$minor, sep = "."),
    "hetsel (R)" = format(utils::packageVersion("hetsel")),
    reticulate = format(utils::packageVersion("reticulate")),
    RETICULATE_PYTHON = Sys.getenv("RETICULATE_PYTHON"),
    "option hetsel.python" = format(getOption("hetsel.python", "")),
    "install_hetsel()" = installed_python()
  )
  answer <- tryCatch(ask("doctor"), error = identity)
  failed <- inherits(answer, "error")
  known <- inherits(answer, "hetsel_no_python")
  result <- list(
    facts = c(facts, if (!failed) answer[setdiff(names(answer), c("r", "r_home"))]),
    problem = if (known) answer$problem else if (failed) conditionMessage(answer) else "",
    fix = if (known) answer$fix else if (failed) "restart R" else "",
    healthy = !failed
  )
  structure(result, class = "hetsel_doctor")
}

#' @export
print.hetsel_doctor <- function(x, ...) {
  writeLines(paste0(format(names(x$facts)), "  ", ifelse(nzchar(x$facts), x$facts, "-")))
  amiss <- paste0(c("problem: ", "fix: "), c(x$problem, x$fix))
  writeLines(if (x$healthy) "all is well" else amiss)
  invisible(x)
}
