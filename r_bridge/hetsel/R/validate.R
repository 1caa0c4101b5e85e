#' Validate a Signature on New Rows
#'
#' @description External validation: estimate the performance of a signature on labeled rows from
#' another place or time, check its predicted probabilities, count unseen levels and values out of
#' range, and compare the distributions of its features. Rows that are equal or nearly equal to a
#' training row are refused, where the columns can identify them.
#' @param object Result of \code{\link{hetsel_select}}.
#' @param newdata A data frame or a matrix with the columns of the signature, by name; columns that
#'   a formula computed are computed again. Training rows are recognized by all columns from
#'   which the signature was selected, if \code{newdata} has them.
#' @param y The target of the new rows, in the form used in \code{\link{hetsel_select}}. Without it,
#'   the target of the formula is computed from \code{newdata}. If the target was a difftime,
#'   numbers are in its unit, and another difftime is converted to it.
#' @template validate
#' @details Rows are specified as in \code{\link{hetsel_rank}}, and \code{by} as in
#' \code{\link{hetsel_select}}. The defaults of \code{prevalence}, \code{thresholds} and
#' \code{harm_ratio} are the values of the signature. Whatever \code{unseen} was in
#' \code{\link{hetsel_select}}, an unseen level adds nothing to the prediction. A value outside the
#' training range is replaced by the nearest end of the range. The validation reports how many rows
#' have such levels and values.
#' @return A list of class \code{hetsel_validation} with the elements
#' \item{sentences}{summary in sentences; \code{print} shows them.}
#' \item{performance}{data frame with one row per \code{measure}, as in
#'   \code{\link{hetsel_select}}, on the new rows only: \code{estimate}; its 95\% CI from
#'   \code{low} to \code{high}; and \code{rows}, the number of rows.}
#' \item{probabilities}{performance of the predicted probabilities on the new rows, as in
#'   \code{\link{hetsel_select}}; \code{NULL} if there are no predicted probabilities. \code{map} is
#'   empty and \code{prediction_instability} is \code{NULL}, since both refer to training.}
#' \item{features}{data frame with one row per feature:
#'   \itemize{
#'   \item \code{feature}, its name;
#'   \item \code{missing} and \code{missing_before}, the proportions of missing values in the new
#'     rows and in the training rows;
#'   \item \code{unseen}, the number of rows with an unseen level, and \code{levels}, some of these
#'     levels;
#'   \item \code{below} and \code{above}, the numbers of rows below and above the training range;
#'   \item \code{shift}, the population stability index (0.1 is a small shift, 0.25 a large one),
#'     and \code{shift_by_chance}, its mean if the distributions are equal;
#'   \item \code{pvalue}, the p-value of a test for equal distributions, adjusted by Holm's method.
#'     The test treats row groups as units.
#'   }}
#' \item{verdict}{whether the main measure (AUC, R squared or Harrell's C) is \code{"better"} or
#'   \code{"worse"} than the estimate of the signature, or \code{"undecided"}; empty where hetsel
#'   cannot compare them.}
#' \item{difference}{the main measure on the new rows minus the estimate of the signature, with its
#'   95\% CI.}
#' \item{before}{list of \code{rows}, \code{performance} and \code{probabilities} of the signature.}
#' \item{rows, classes}{number of validation rows, in total and by class.}
#' \item{groups}{number of row groups.}
#' \item{left_out}{number of training rows that were left out.}
#' \item{equal_by_chance}{number of rows that are equal to training rows but count as new, since
#'   such matches can occur by chance.}
#' \item{unchecked}{why training rows could not be identified; else empty.}
#' \item{signature, kind, version}{the features, the kind of target, and the version of hetsel.}
#' \item{facts}{the whole validation as text, from which \code{\link{hetsel_report}} writes a
#'   report.}
#' @references Siddiqi, N. (2006) \emph{Credit Risk Scorecards}. Wiley.
#' @seealso \code{\link{hetsel_select}}, \code{\link{hetsel_report}}
#' @examplesIf hetsel_available()
#' training <- seq_len(nrow(heart)) %% 3 > 0
#' signature <- hetsel_select(`diameter narrowing` ~ ., heart[training, ], size = 3, folds = 3,
#'                            repeats = 1, permutations = 0, pairs = 0)
#' hetsel_validate(signature, heart[!training, ])
#' @export
hetsel_validate <- asking("validate", function(object, newdata, y = NULL) {
  refuse_if(!inherits(object, "hetsel_signature"),
    "object must be a result of hetsel_select()", got(object), argument = "object"
  )
  refuse_if(missing(newdata),
    "newdata is missing", fix = "Pass rows that are no training rows of the signature",
    argument = "newdata"
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
      asked[c("thresholds", "harm_ratio")],
      list(prevalence = if (!is.null(prevalence)) shares_crossing(prevalence))
    )
  )
  structure(answer, class = "hetsel_validation")
})

# The target of new rows by the formula of the signature.
target_anew <- function(x, newdata) {
  refuse_if(is.null(x$target_call),
    "y is missing, and the signature has no formula that names the target",
    fix = "Pass the target of the new rows as y", argument = "y"
  )
  refuse_if(!is.list(x$target_call),
    "y is missing, and the target ", deparse1(x$target_call), " depends on the other rows, so it ",
    "cannot be computed for new rows", fix = "Pass the target of the new rows as y", argument = "y"
  )
  tryCatch(
    computed_anew(x$target_call, x$target, as.data.frame(newdata), "the target"),
    hetsel_error = function(e) {
      refuse(e$problem, fix = "Pass the target of the new rows as y", argument = "y")
    }
  )
}

#' @rdname hetsel_validate
#' @param x Result of \code{hetsel_validate}.
#' @param digits Digits after the decimal point.
#' @param ... Ignored.
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
  table$before <- x$before$performance$estimate[match(key(table), key(x$before$performance))]
  print_part("Performance on the new rows (before: estimate of the signature)", for_eyes(
    table, digits
  ))
  if (!is.null(x$probabilities)) print_probabilities(x$probabilities, digits)
  features <- for_eyes(x$features, digits)
  if (!any(nzchar(features$levels))) features$levels <- NULL
  print_part("Features in the new rows", features)
  invisible(x)
}

as.data.frame.hetsel_validation <- function(x, ...) x$performance

validation_report <- function(x, path, figures) {
  write_page("validation_report", "a validation", path, figures, facts = x$facts)
}
