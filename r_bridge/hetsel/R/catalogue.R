#' List the Selection Methods
#'
#' @description List the methods that \code{\link{hetsel_rank}}, \code{\link{hetsel_select}} and
#' \code{\link{hetsel_study}} accept.
#' @return A data frame with one row per method and the columns
#' \item{key}{the name of the method in a call.}
#' \item{title}{its title.}
#' \item{family}{filter, wrapper or embedded.}
#' \item{takes}{the kinds of features that it accepts for a target of classes.}
#' \item{takes_otherwise}{the kinds that it accepts for numeric targets and survival times; empty if
#'   the method is for classes only.}
#' \item{targets}{the kinds of targets that it accepts.}
#' \item{requires}{what it requires beyond the basic installation (\code{"r"}: rpy2 and R's
#'   randomForest).}
#' \item{time, memory}{how both grow with n rows, p columns, d columns (a nominal column counts once
#'   per level), c classes and k selected features.}
#' \item{paper}{its reference.}
#' \item{options}{its parameters with their defaults.}
#' @seealso \code{\link{hetsel_rank}}, \code{\link{hetsel_method}} for a method of your own
#' @examplesIf hetsel_available()
#' hetsel_methods()[c("key", "family", "options")]
#' @export
hetsel_methods <- function() ask("methods")

#' @rdname hetsel_doctor
#' @export
hetsel_available <- function() {
  tryCatch(is.function(the$answer) || !is.null(facade()), error = function(e) FALSE)
}

#' Check the Installation
#'
#' @description \code{hetsel_doctor} shows the versions of R, Python and the packages in use. Where
#' something does not work, it shows the problem and the fix. \code{hetsel_available} reports
#' whether \code{\link{hetsel_rank}} can be used.
#' @details R takes the first of the following: \code{options(hetsel.python = "<path>/bin/python")};
#' the environment variable \env{RETICULATE_PYTHON}, which affects all packages that use Python; the
#' Python set by \code{reticulate::use_python()} or by an active virtual environment; the
#' environment that \code{\link{install_hetsel}} made; the environment that reticulate 1.41 or newer
#' creates. R keeps the Python that it has started. It must be Python 3.11 or newer, and its hetsel
#' must have the version of this R package.
#' @return \code{hetsel_doctor}: a list of class \code{hetsel_doctor} with the elements
#' \item{facts}{named character vector of versions and paths.}
#' \item{problem, fix}{what is wrong and what to do; \code{""} if everything works.}
#' \item{healthy}{\code{TRUE} or \code{FALSE}.}
#' \code{hetsel_doctor} never fails. \code{hetsel_available}: \code{TRUE} or \code{FALSE}.
#' @seealso \code{\link{install_hetsel}}
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
    fix = if (known) answer$fix else if (failed) "Restart R" else "",
    healthy = !failed
  )
  structure(result, class = "hetsel_doctor")
}

#' @export
print.hetsel_doctor <- function(x, ...) {
  writeLines(paste0(format(names(x$facts)), "  ", ifelse(nzchar(x$facts), x$facts, "-")))
  amiss <- paste0(c("problem: ", "fix: "), c(x$problem, x$fix))
  writeLines(if (x$healthy) "no problem found" else amiss)
  invisible(x)
}
