#' What a signature is worth on new labeled rows
#'
#' @description External validation: how good a signature is on rows of another hospital or year,
#' whether its probabilities hold there, what in these rows it never saw, and which features are
#' distributed differently. Rows that it was learned from are refused, and so are nearly equal ones,
#' as far as the columns tell them from others.
#' @param object what \code{\link{hetsel_select}} returned.
#' @param newdata a data frame or a matrix that has the columns of the signature, by name; what a
#'   formula computed is computed anew. Where it has all columns that the signature was chosen from,
#'   rows of the fit are known by all of them.
#' @param y the target of the new rows, as it was in \code{\link{hetsel_select}}; without it that of
#'   the formula is computed from \code{newdata}. Where it was a difftime, numbers are in its unit,
#'   and another difftime is converted to that.
#' @template validate
#' @details Options take rows as those of \code{\link{hetsel_rank}} do, and \code{by} as
#' \code{\link{hetsel_select}} does; what probabilities are asked is by default what the signature
#' was asked. Levels that the signature does not know add nothing, and values beyond its range count
#' as its end, whatever \code{unseen} was: a validation says how many there are.
#' @return A list of class \code{hetsel_validation} with
#' \item{sentences}{what it comes to; \code{print} shows them.}
#' \item{performance}{data frame with a row for each \code{measure} as of a signature, by the new
#'   rows alone: \code{rate}, the ends of its 95 \% interval and \code{rows}.}
#' \item{probabilities}{what they are worth here, as of a signature; \code{NULL} where there are
#'   none. \code{map} is empty and \code{movement} \code{NULL}: these are of the fit.}
#' \item{features}{data frame: \code{feature}; shares of \code{missing} cells here and
#'   \code{missing_before}; \code{unseen}, rows with a level that the fit does not have, and some of
#'   these \code{levels}; rows \code{below} and \code{above} its range; \code{shift}, the population
#'   stability index (0.1 is some, 0.25 much), and what it is in the mean \code{shift_by_chance};
#'   and the \code{pvalue} of a test that both are of one distribution, which counts groups of rows
#'   as wholes, by Holm's adjustment.}
#' \item{verdict}{whether the main measure (AUC, R squared or Harrell's C) is \code{"better"} or
#'   \code{"worse"} than it was estimated to be, or \code{"undecided"}; empty where that is not
#'   known.}
#' \item{difference}{of the main measure here and as it was estimated, with the ends of its 95 \%
#'   interval.}
#' \item{before}{list of \code{rows}, \code{performance} and \code{probabilities}, what the
#'   signature said of itself.}
#' \item{rows, classes, groups, left_out}{how many rows judged, of each class, their groups, and the
#'   rows of the fit that were left out.}
#' \item{equal_by_chance}{rows that equal rows of the fit, and are taken as new: the columns do not
#'   tell them from chance.}
#' \item{unchecked}{why rows of the fit could not be looked for; else empty.}
#' \item{signature, kind, version, facts}{the features, the kind of target, the version, and all of
#'   it as text, from which \code{\link{hetsel_report}} writes a page.}
#' @references Siddiqi, N. (2006) \emph{Credit Risk Scorecards}. Wiley.
#' @seealso \code{\link{hetsel_select}}, \code{\link{hetsel_report}}
#' @examplesIf hetsel_available()
#' fit <- seq_len(nrow(heart)) %% 3 > 0
#' found <- hetsel_select(`diameter narrowing` ~ ., heart[fit, ], size = 3, folds = 3,
#'                        repeats = 1, permutations = 0, pairs = 0)
#' hetsel_validate(found, heart[!fit, ])
#' @export
hetsel_validate <- asking("validate", function(object, newdata, y = NULL) {
  refuse_if(!inherits(object, "hetsel_signature"),
    "object must be what hetsel_select returned", got(object), argument = "object"
  )
  refuse_if(missing(newdata),
    "newdata is missing: rows that the signature has not seen", argument = "newdata"
  )
  known <- isTRUE(seen %in% c("error", "drop"))
  refuse_if(!known, "seen must be \"error\" or \"drop\"", got(seen), argument = "seen")
  asked <- checked_in("validate", environment())
  columns <- columns_to_predict(object, newdata, object$columns$name)
  group <- group_column(row_groups, colnames(newdata))
  groups <- if (is.null(group)) row_groups else as.data.frame(newdata)[[group]]
  answer <- ask(
    "validate_signature",
    model = object$model,
    columns = columns,
    target = target_of(y %||% target_anew(object, newdata), nrow(newdata), object),
    row_groups = column_or_null(groups, "row_groups"),
    row_weights = column_or_null(row_weights, "row_weights"),
    by = if (!is.null(by)) by_crossing(by, cells_by_column(newdata), nrow(newdata)),
    seen = seen,
    options = c(
      asked[c("thresholds", "cost_of_missing")],
      list(prevalence = if (!is.null(prevalence)) shares_crossing(prevalence))
    )
  )
  structure(answer, class = "hetsel_validation")
})

# The target of new rows by the formula of the signature.
target_anew <- function(x, newdata) {
  refuse_if(is.null(x$target_call),
    "y is missing: the signature has no formula that names it", argument = "y"
  )
  refuse_if(!is.list(x$target_call),
    "y is missing: the target ", deparse1(x$target_call), " depends on the other rows, so that it ",
    "cannot be computed for new ones as it was", argument = "y"
  )
  tryCatch(
    computed_anew(x$target_call, x$target, as.data.frame(newdata), "the target"),
    hetsel_error = function(e) {
      refuse(e$problem, fix = "give it as y", argument = "y")
    }
  )
}

#' @rdname hetsel_validate
#' @param x a validation.
#' @param digits digits after the point.
#' @param ... ignored.
#' @eval methods_of(
#'   print = c("hetsel_validation", "summary.hetsel_validation"), summary = "hetsel_validation",
#'   as.data.frame = "hetsel_validation"
#' )
print.hetsel_validation <- function(x, ...) {
  print_lines(x$sentences)
  invisible(x)
}

print.summary.hetsel_validation <- function(x, digits = 3, ...) {
  print_lines(x$sentences)
  table <- x$performance
  key <- function(table) paste(table$measure, table$class)
  table$before <- x$before$performance$rate[match(key(table), key(x$before$performance))]
  print_part("Performance on these rows; before: as estimated in the fit", for_eyes(table, digits))
  if (!is.null(x$probabilities)) print_probabilities(x$probabilities, digits)
  features <- for_eyes(x$features, digits)
  if (!any(nzchar(features$levels))) features$levels <- NULL
  print_part("The features in these rows", features)
  invisible(x)
}

as.data.frame.hetsel_validation <- function(x, ...) x$performance

validation_report <- function(x, path, figures) {
  write_page("validation_report", "a validation", path, figures, facts = x$facts)
}
