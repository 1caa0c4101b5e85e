#' The points of a signature
#'
#' @description The final model of a signature as a table of points that a clinician adds up: for
#' each feature bands of values with whole points, what a total says of the class or the number, and
#' what rounding costs on rows that took no part.
#' @param x what \code{\link{hetsel_select}} returned.
#' @return A list with
#' \item{values}{data frame: \code{feature}, \code{value}, \code{points}, the \code{effect} that
#'   they stand for, and the \code{rows} that have it.}
#' \item{totals}{of two classes a data frame of totals from \code{low} to \code{high}, the
#'   probability of the positive class at both ends, \code{risk_low} and \code{risk_high}, by a
#'   logistic line of held-out rows, and the \code{rows} of the table that have such a total, with
#'   their \code{share} in that class.}
#' \item{cost}{data frame of \code{measure}, its value of held-out rows by the \code{model} and by
#'   \code{points}, the \code{difference} and its standard \code{error}.}
#' \item{unit, constant}{the decision value, number or risk of a total is about \code{constant +
#'   unit * total}.}
#' \item{largest, cut}{the largest total; the lowest one whose decision value is above 0, \code{NA}
#'   where there is none.}
#' @seealso \code{\link{hetsel_select}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' found <- hetsel_select(case ~ ., women, size = 2, folds = 3, repeats = 1,
#'                        permutations = 0, pairs = 0)
#' hetsel_points(found)$values
#' @export
hetsel_points <- function(x) {
  signature <- inherits(x, "hetsel_signature")
  refuse_if(!signature, "x must be what hetsel_select returned", got(x), argument = "x")
  refuse_if(is.null(x$points),
    "the signature is of an earlier version and has no points", argument = "x"
  )
  refuse_if(nzchar(x$points$reason), x$points$reason, argument = "x")
  points <- x$points[names(x$points) != "reason"]
  if (kind_of_target(x) != "classes") points$cut <- NA_integer_ # no class is predicted
  structure(points, class = "hetsel_points", on = scale_of(x))
}

#' @export
print.hetsel_points <- function(x, digits = 3, ...) {
  cat("one point: ", formatC(x$unit, digits = digits), " of the ", attr(x, "on"), sep = "")
  if (!is.na(x$cut)) cat("; the positive class is predicted from", x$cut, "points on")
  cat("\n")
  print_part("Points", for_eyes(x$values, digits))
  print_part("Totals", for_eyes(x$totals, digits))
  print_part("What the points cost", for_eyes(x$cost, digits))
  invisible(x)
}
