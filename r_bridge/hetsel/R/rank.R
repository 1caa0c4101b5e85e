#' Rank the Features of a Table
#'
#' @description Rank the features of a table by their association with a target of classes, numbers
#' or survival times. Continuous and categorical features are ranked together, and a factor is one
#' feature: it is never split into indicator columns.
#' @param x A data frame or a matrix with one column per feature, or a formula.
#' @param y The target, one value per row, without missing values. Classes are a factor, text,
#'   logical values, dates or whole numbers; each class needs two rows. Classes keep the order of
#'   the levels of a factor. Numbers with fractions are a numeric target. Whole numbers are classes
#'   here; \code{target_kind = "numbers"} makes them a numeric target. A difftime is a numeric
#'   target in its own unit. Survival times are the result of \code{survival::Surv(time, status)},
#'   right-censored only. With \code{target_kind = "martingale"}, methods for numeric targets use
#'   the martingale residuals of the model without features. \code{\link{hetsel_methods}} lists the
#'   targets that each method accepts.
#' @template model
#' @template rank
#' @param ... Parameters of the method by name, such as \code{ntree = 500} or \code{class_weight =
#'   c("TRUE" = 2, "FALSE" = 1)}, in addition to those in \code{params};
#'   \code{\link{hetsel_methods}} lists their names. The formula method passes all arguments on.
#' @details Arguments that select columns accept names, positions, or a logical mask of all columns;
#' with a formula, these refer to the columns of \code{data}. \code{column_groups} is a list of such
#' vectors. \code{ordinal} may be a list of levels from lowest to highest, in the type of the
#' column, such as \code{list(stage = c("I", "II", "III"), grade = c(30, 20, 10))}. \code{costs} is
#' named by column, or has one number per column.
#'
#' \code{row_groups} and \code{row_weights} have one value per row; with a formula, per row of
#' \code{data}. The groups may also be a column, by name or as \code{~ id}. That column is then no
#' feature, unless a formula names it. \code{cluster(id)} in a formula also specifies the groups.
#' Imputation, and a \code{scale} other than \code{"range"}, ignore the row weights. \code{method}
#' may be a function of R, see \code{\link{hetsel_method}}. \code{set.seed()} does not affect
#' \code{seed}: the random number generator of R is neither read nor changed.
#'
#' Numeric columns and dates (counted in days) are continuous, ordered factors are ordinal, and
#' factors, text and logical columns are nominal. Some columns may be of another kind, such as whole
#' numbers with few distinct values. \code{summary} reports them with the option that sets their
#' kind. \code{NA} of every type and \code{NaN} are missing. Value labels as read by the package
#' haven are levels, ordered by their values if \code{ordinal} names the column; \code{continuous}
#' keeps the values. Values that the labels declare as missing are missing.
#'
#' The order of the columns, their names and units, and the order of the levels of a factor (which
#' depends on the locale) do not influence the ranking, except where a change of units rounds a
#' value differently. Identical columns are ranked in the order of the table; in a random forest
#' their order is random.
#'
#' The Python package hetsel does the computations, see \code{\link{hetsel_doctor}}. The result
#' contains plain vectors and data frames only: it can be saved and read without Python.
#' @return A list of class \code{hetsel_ranking} with the elements
#' \item{ranking}{data frame, best first: \code{rank}, \code{feature}, \code{kind},
#'   \code{importance} (larger is better; in an elimination it is the importance at the step that
#'   dropped the feature, so importances are comparable within one step only). A method that is a
#'   test also has \code{p_value} and \code{p_adjusted}, adjusted as by
#'   \code{\link[stats]{p.adjust}} with \code{"BH"}; \code{NaN} where a column has no test.
#'   \code{"rfe-mkl"}, \code{"rfe-svm"} and \code{"rfe-svm-printed"} also have \code{verdict}:
#'   \code{"proved"} where the cuts before and after the rank are those of the exact optimum of the
#'   model (for values rounded to 2^-24 of the range, with a margin for the effect of rounding on
#'   each importance), \code{"tie 17-19"} with the ranks that cannot be distinguished, \code{"open"}
#'   where a cut is not decided. Methods that add or drop features in steps have \code{step}; 0 for
#'   features that no step names.}
#' \item{selected}{names of the features in the signature, best first.}
#' \item{columns}{data frame in the order of the table: \code{name}, \code{kind}, number of
#'   \code{levels}, number of \code{missing} values, the value that replaced them (\code{filled}),
#'   and a \code{note} where the kind may be wrong.}
#' \item{questions}{these notes as sentences, one for all columns that share a note; \code{summary}
#'   prints them.}
#' \item{cautions}{sentences about properties of rows and columns that can mislead the ranking:
#'   equal or nearly equal rows, identifiers, outcomes among the features, a number such as 9999
#'   that may code missing values, extreme values that take up most of the range of a column, a
#'   column that determines the target alone, copies of columns. \code{print} shows them. They do
#'   not change the ranking.}
#' \item{trace}{data frame of the steps of an elimination: \code{step}, \code{size} before it,
#'   \code{feature} dropped, \code{objective} and duality \code{gap} of the model, \code{bound}, the
#'   largest possible distance of an importance from its value at the optimum, and the
#'   \code{verdict} on the cut.}
#' \item{order, cut}{how many boundaries between ranks are proved, tied and open, in words, and the
#'   verdict on the boundary at \code{size}; empty where a method proves nothing.}
#' \item{sampled}{number of rows of the sample that a method used for a large table; 0 where it used
#'   all rows.}
#' \item{always, unranked}{names of the features that are always included, and of those without a
#'   rank.}
#' \item{repeat_by}{of methods that R computes: the \code{seed} passed to \code{set.seed}, and the
#'   \code{columns} in the order of the call. The levels of nominal columns and classes were in the
#'   order of their first rows.}
#' \item{call, target}{the call, which \code{\link{update}} uses, and its target.}
#' \item{options, changed}{all options of the method, and the names of those with other values than
#'   the defaults.}
#' \item{method, title, paper, size, seed, draws, missing, scale, rows, classes, version}{details of
#'   the call. \code{draws}: whether the method uses the seed. \code{classes}: number of rows by
#'   class.}
#' \item{numbers, survival}{only for a numeric target, its values in words; only for survival times,
#'   the numbers of rows and events in words.}
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
  filled <- result$columns$filled
  for (j in which(nzchar(filled) & vapply(data$columns, is_date, NA))) {
    zone <- zone_of(data$columns[[j]])
    result$columns$filled[j] <- day_written(as.double(filled[j]), zone)
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
