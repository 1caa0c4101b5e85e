#' Rank the Features of a Table
#'
#' @description Rank the features of a table by their association with a target of classes, numbers
#' or survival times. Continuous and categorical features are ranked together, and a factor is one
#' feature: it is never split into indicator columns.
#' @param x A data frame or a matrix with one column per feature, given with \code{y}, or a formula,
#'   given with \code{data}.
#' @param y The target, one value per row, without missing values. Classes are a factor, text,
#'   logical values, dates or whole numbers; each class needs two rows. Classes keep the order of
#'   the levels of a factor. Numbers are a numeric target if some are not whole numbers. Whole
#'   numbers are classes, unless \code{target_kind = "numbers"}. A difftime is a numeric
#'   target in its own unit. Survival times are the result of \code{survival::Surv(time, status)},
#'   right-censored only; see also \code{target_kind}. \code{\link{hetsel_methods}} lists the
#'   targets that each method accepts.
#' @template model
#' @template rank
#' @param ... Parameters of the method by name, such as \code{ntree = 500} or \code{class_weight =
#'   c("TRUE" = 2, "FALSE" = 1)}, in addition to those in \code{params};
#'   \code{\link{hetsel_methods}} lists their names. The methods for a formula and for a data frame
#'   also take here all arguments of the default method.
#' @details Arguments that select columns accept names, positions, or a logical mask of all columns;
#' with a formula, these refer to the columns of \code{data}. \code{column_groups} is a list of such
#' vectors. \code{ordinal} may be a list of levels from lowest to highest, in the type of the
#' column, such as \code{list(stage = c("I", "II", "III"), grade = c(30, 20, 10))}. \code{costs} is
#' named by column, or has one number per column.
#'
#' \code{row_groups} and \code{row_weights} have one value per row; with a formula, per row of
#' \code{data}. The groups may also be a column, by name or as \code{~ id}. This column is not a
#' feature, unless a formula names it. \code{cluster(id)} in a formula also specifies the groups.
#' Imputation ignores the row weights, and so does a \code{scale} other than \code{"range"}.
#' \code{method} may be a function of R, see \code{\link{hetsel_method}}. \code{set.seed()} does not
#' affect \code{seed}: the random number generator of R is neither read nor changed.
#'
#' Numeric columns and dates (counted in days) are continuous, ordered factors are ordinal, and
#' factors, text and logical columns are nominal. Some columns may be of another kind, such as whole
#' numbers with few distinct values. \code{summary} reports them with the option that sets their
#' kind. \code{NA} of every type and \code{NaN} are missing. Value labels as read by the package
#' haven are levels, ordered by their values if \code{ordinal} names the column; \code{continuous}
#' keeps the values. Values that the labels declare as missing are missing.
#'
#' The ranking does not depend on the order of the columns, on their names, or on the order of the
#' levels of a factor. It does not depend on units either, except where a change of units rounds a
#' value differently. Identical columns are ranked in the order of the table; in a random forest
#' their order is random.
#'
#' The Python package hetsel does the computations, see \code{\link{hetsel_doctor}}. The result
#' contains plain vectors and data frames only: it can be saved and read without Python.
#' @return A list of class \code{hetsel_ranking} with the elements
#' \item{ranking}{data frame, best first:
#'   \itemize{
#'   \item \code{rank}, \code{feature} and \code{kind};
#'   \item \code{importance}; a larger one is better. In an elimination it belongs to the step that
#'     dropped the feature, so only importances of the same step are comparable;
#'   \item \code{p_value} and \code{p_adjusted}, for a method that is a test; adjusted as by
#'     \code{\link[stats]{p.adjust}} with \code{"BH"}; \code{NaN} where a column has no test;
#'   \item \code{verdict}, for \code{"rfe-mkl"}, \code{"rfe-svm"} and \code{"rfe-svm-printed"}.
#'     \code{"proved"}: the exact optimum of the model has the same cuts before and after the rank,
#'     for values rounded to 2^-24 of the range and with a margin for rounding errors of the
#'     importances. \code{"tie 17-19"}: the features of these ranks cannot be distinguished.
#'     \code{"open"}: a cut is neither proved nor a tie;
#'   \item \code{step}, for methods that add or drop features in steps; 0 for features without a
#'     step.
#'   }}
#' \item{selected}{names of the features in the signature, best first.}
#' \item{columns}{data frame in the order of the table: \code{name}, \code{kind}, number of
#'   \code{levels}, number of \code{missing} values, the value that replaced them (\code{imputed}),
#'   and a \code{note} where the kind may be wrong.}
#' \item{questions}{the notes of \code{columns} as sentences; columns with the same note share a
#'   sentence. \code{summary} prints them.}
#' \item{cautions}{sentences about rows and columns that can mislead the ranking; \code{print} shows
#'   them. They do not change the ranking. They report:
#'   \itemize{
#'   \item equal or nearly equal rows;
#'   \item identifiers, and outcomes among the features;
#'   \item numbers such as 9999 that may code missing values;
#'   \item extreme values that take up most of the range of a column;
#'   \item a column that determines the target alone;
#'   \item copies of columns.
#'   }}
#' \item{trace}{data frame with one row per step of an elimination: \code{step}; \code{size}, the
#'   number of features before the step; \code{feature}, the dropped feature; \code{objective} and
#'   duality \code{gap} of the model; \code{bound}, the largest possible distance of an importance
#'   from its value at the optimum; and \code{verdict}, the verdict on the cut.}
#' \item{order}{sentence with the numbers of boundaries between ranks that are proved, tied and
#'   open; empty where a method proves nothing.}
#' \item{cut}{the verdict on the boundary at \code{size}; empty where a method proves nothing.}
#' \item{sampled}{number of rows of the sample that a method used for a large table; 0 where it used
#'   all rows.}
#' \item{always}{names of the features that are always included.}
#' \item{unranked}{names of the features without a rank.}
#' \item{repeat_by}{only for methods that R computes: the \code{seed} passed to \code{set.seed}, and
#'   the \code{columns} in the order of the call. The levels of nominal columns and the classes were
#'   in the order of their first rows.}
#' \item{call, target}{the call, which \code{\link{update}} uses, and its target.}
#' \item{options}{all options of the method.}
#' \item{changed}{names of the options that differ from the defaults.}
#' \item{method, title, paper, size, seed, draws, missing, scale, rows, classes, version}{details of
#'   the call. \code{draws}: whether the method uses the seed. \code{classes}: number of rows by
#'   class.}
#' \item{numbers}{only for a numeric target: its values in words.}
#' \item{survival}{only for survival times: the numbers of rows and events in words.}
#' There are methods for \code{print}, \code{summary}, \code{\link[=plot.hetsel_ranking]{plot}},
#' \code{head} and \code{as.data.frame}.
#'
#' A method that searches subsets, such as \code{"sffs-5nn"}, has no ranking: the result is a
#' \code{hetsel_path}, as of \code{\link{hetsel_search}}.
#' @references Paul, J., D'Ambrosio, R. and Dupont, P. (2015) Kernel methods for heterogeneous
#' feature selection. \emph{Neurocomputing} 169, 187--195.
#' @seealso \code{\link{hetsel_select}} for a signature with its performance,
#'   \code{\link{hetsel_search}} for the best subset, \code{\link{hetsel_methods}}
#' @examplesIf hetsel_available()
#' # infertility after abortion: a matched case-control study, in R's datasets
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' ranking <- hetsel_rank(case ~ ., women, size = 2)
#' print(ranking)
#' summary(ranking)
#' ranking$selected
#'
#' # without a formula, by another method
#' hetsel_rank(women[1:4], women$case == 1, method = "hfs-nb", ordinal = "parity")
#'
#' # survival times: time and status are no features
#' if (requireNamespace("survival", quietly = TRUE)) {
#'   hetsel_rank(survival::Surv(time, status) ~ age + sex + ph.ecog, survival::lung,
#'     method = "rfe-svm", nominal = "sex"
#'   )
#' }
#' @eval model_methods("hetsel_rank")
#' @export
hetsel_rank <- function(x, ...) UseMethod("hetsel_rank")

#' @rdname hetsel_rank
#' @export
hetsel_rank.default <- asking("rank", function(x, y) {
  own <- method_given(method, substitute(method))
  params <- c(own$params, params_given(params, ...))
  params$target_kind <- target_kind
  data <- data_in(environment())
  asked <- checked_in("rank", environment())
  answer <- ask_table(
    "rank", c(data, asked[c("missing", "scale")]),
    size = number_or_null(size, "size"),
    method = if (is.null(own)) one_of(method, "method", is.character) else own$key,
    seed = seed_of(seed),
    options = options_in(environment(), data, params),
    row_weights = column_or_null(row_weights, "row_weights")
  )
  class(answer) <- if (is.null(answer$path)) "hetsel_ranking" else "hetsel_path"
  result <- with_caution_on_target(as_written(answer, data), data$target, target_kind)
  recorded(by_function(result, own), match.call(), substitute(y))
})

# Caution where whole numbers became more than two classes, unlike in other R packages.
with_caution_on_target <- function(result, target, target_kind) {
  if (form_of(target) == "number" && length(result$classes) > 2 && is.null(target_kind)) {
    result$cautions <- c(result$cautions, paste(
      "the target has whole numbers, which are treated as", length(result$classes), "classes;",
      "for a numeric target, set target_kind = \"numbers\""
    ))
  }
  result
}

# Format dates that replaced missing values as R does.
as_written <- function(result, data) {
  imputed <- result$columns$imputed
  for (j in which(nzchar(imputed) & vapply(data$columns, is_date, NA))) {
    zone <- zone_of(data$columns[[j]])
    result$columns$imputed[j] <- day_written(as.double(imputed[j]), zone)
  }
  result
}

# Days since 1970-01-01 as a date, or as a time of a zone. The middle of two dates may be a noon.
day_written <- function(days, zone) {
  whole <- is.null(zone) && days == floor(days)
  time <- as.POSIXct(round(86400 * days), origin = "1970-01-01", tz = zone %||% "UTC")
  format(time, if (whole) "%Y-%m-%d" else "%Y-%m-%d %H:%M")
}

# Keep the names of a vector for class weights and costs of features only.
option_crossing <- function(value, name) {
  named <- is.list(value) || name %in% c("class_weight", "costs")
  crossing(if (named) value else unname(value), name)
}

one_of <- function(value, name, fits) {
  kind <- if (identical(fits, is.numeric)) "one number" else "one character string"
  kind <- if (identical(fits, is.logical)) "TRUE or FALSE" else kind
  kind <- if (identical(fits, is_label)) "one class" else kind
  refuse_if(length(value) != 1 || !fits(value) || is.na(value),
    name, " must be ", kind, got(value), argument = name
  )
  value
}

seed_of <- function(seed) {
  one_of(seed, "seed", is.numeric)
  refuse_if(!isTRUE(seed >= 0 && seed < 2^32 && seed == floor(seed)),
    "seed must be a whole number from 0 to 4294967295. Got ", seed, argument = "seed"
  )
  as.double(seed)
}
