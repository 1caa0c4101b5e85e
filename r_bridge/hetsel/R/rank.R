#' Rank the features of a table
#'
#' @description Ranks the columns of a table by how well they tell a target: classes, numbers, or
#' survival times. Continuous and categorical columns are ranked together, and a factor is one
#' feature: it is never split into indicator columns.
#' @param x a data frame or a matrix, one column per feature; or a formula.
#' @param y the target, one value per row, none of them missing. Classes are a factor, text, logical
#'   values, dates or whole numbers; every class needs two rows, and they keep the order of the
#'   levels of a factor. Numbers with fractions are a target of numbers; whole ones, which are
#'   classes here, are with \code{target_kind = "numbers"}. A difftime is numbers in its own unit.
#'   Survival times are what \code{survival::Surv(time, status)} makes, right-censored only; with
#'   \code{target_kind = "martingale"} methods for numbers take their martingale residuals of the
#'   model without features. \code{\link{hetsel_methods}} says which methods take what.
#' @template model
#' @template rank
#' @param ... parameters of the method, named, as in \code{ntree = 500} or
#'   \code{class_weight = c("TRUE" = 2, "FALSE" = 1)}, beside those of \code{params};
#'   \code{\link{hetsel_methods}} has their names. The formula method passes all arguments on.
#' @details Columns are named by their names, positions, or a logical mask of all of them, beside a
#' formula of those of \code{data}; \code{column_groups} is a list of such vectors. \code{ordinal}
#' may be a list of levels from lowest to highest, in the type of the column, as in \code{list(stage
#' = c("I", "II", "III"), grade = c(30, 20, 10))}; \code{costs} are named by column, or one number a
#' column. \code{row_groups} and \code{row_weights} have a value for each row, with a formula of
#' \code{data}; the groups may also be a column by its name or as \code{~ id}, which then is no
#' feature, unless a formula names it; \code{cluster(id)} in a formula says them, too. What fills
#' missing cells, and a \code{scale} other than \code{"range"}, is learned from the rows without
#' their weights. \code{method} may be a function of R, see \code{\link{hetsel_method}}.
#' \code{set.seed()} has no part in a \code{seed}: R's generator is neither read nor moved.
#'
#' Numbers and dates (counted in days) are continuous, ordered factors ordinal; factors, text and
#' logical columns nominal. Columns that may not be what they seem, such as whole numbers with few
#' distinct values, are reported by \code{summary} with the option that settles them. \code{NA} of
#' every type is missing, and \code{NaN} too. Labels of values, as the package haven reads them, are
#' levels (ordered by their values if \code{ordinal} names the column; \code{continuous} keeps the
#' values), and what is declared missing with them is missing.
#'
#' The order of the columns, their names and units, and the order of the levels of a factor (which
#' depends on the locale) do not influence the ranking, except where a change of units rounds a cell
#' differently. Copies of a column are ranked in the order of the table; a forest lets chance
#' decide.
#'
#' The work is done by the Python package hetsel, see \code{\link{hetsel_doctor}}. The result holds
#' plain vectors and data frames only: it can be saved and read where there is no Python.
#' @return A list of class \code{hetsel_ranking} with
#' \item{ranking}{data frame, best first: \code{rank}, \code{feature}, \code{kind},
#'   \code{importance} (larger is better; in an elimination it is the importance at the step that
#'   dropped the feature, and only features of one step compare by it). A method that is a test also
#'   has \code{p_value} and \code{p_adjusted}, that of \code{\link[stats]{p.adjust}} with
#'   \code{"BH"}, \code{NaN} where a column has no test. \code{"rfe-mkl"}, \code{"rfe-svm"} and
#'   \code{"rfe-svm-printed"} also have \code{verdict}: \code{"proved"} where the cuts before and
#'   after the rank are those of the exact optimum of the model (of cells rounded to 2^-24 of the
#'   range, with a margin for what that does to each importance), \code{"tie 17-19"} with the ranks
#'   that are equal as far as can be told, \code{"open"} where a cut is as it was found. Where
#'   features come or go step by step, \code{step} is that of each; 0 for those that no step names.}
#' \item{selected}{names of the features in the signature, best first.}
#' \item{columns}{data frame, in the order of the table: \code{name}, \code{kind}, number of
#'   \code{levels}, number of \code{missing} cells, the value they were \code{filled} with, and a
#'   \code{note} where a column may not be what it seems.}
#' \item{questions}{these notes as \code{summary} shows them, a sentence for all columns that share
#'   one.}
#' \item{cautions}{sentences, which \code{print} shows, on what may mislead the ranking: rows that
#'   are equal or nearly so, identifiers, outcomes among the columns, a number such as 9999 that may
#'   mark missing cells, one cell or few that take most of the range of a column, a column that
#'   tells the target on its own, copies. The ranking itself is as it would be without them.}
#' \item{trace}{data frame of the steps of an elimination: \code{step}, \code{size} before it,
#'   \code{feature} dropped, \code{objective} and duality \code{gap} of the model, \code{bound}, how
#'   far an importance can be from that at the optimum, and \code{verdict} on the cut.}
#' \item{order, cut}{in words, how many boundaries between ranks are proved, ties and open, and the
#'   verdict on the one at \code{size}; empty where a method makes no claim.}
#' \item{sampled}{how many rows the sample had by which a method decided that takes one of a large
#'   table; 0 where all rows did.}
#' \item{always, unranked}{names of the columns that are always in, and of those without a rank.}
#' \item{repeat_by}{of methods that R computes: the \code{seed} that \code{set.seed} was given, and
#'   the \code{columns} in the order in which they entered; nominal columns and classes had their
#'   levels in the order of their first rows.}
#' \item{call, target}{the call, which \code{\link{update}} takes up, and what its target was.}
#' \item{options, changed}{all options of the method as they were, and the names of those that were
#'   not at their defaults.}
#' \item{method, title, paper, size, seed, draws, missing, scale, rows, classes, version}{facts
#'   about the call; \code{draws} says whether the method uses the seed, \code{classes} are the
#'   numbers of rows by class.}
#' \item{numbers, survival}{in place of classes, the values of a target of numbers, or the rows and
#'   events of survival times, in words; else there is no such element.}
#' There are methods for \code{print}, \code{summary}, \code{\link[=plot.hetsel_ranking]{plot}},
#' \code{head} and \code{as.data.frame}.
#'
#' A method that searches subsets, such as \code{"sffs-5nn"}, has no ranking: it answers with a
#' \code{hetsel_path}, as \code{\link{hetsel_search}} does.
#' @references Paul, J., D'Ambrosio, R. and Dupont, P. (2015) Kernel methods for heterogeneous
#' feature selection. \emph{Neurocomputing} 169, 187--195.
#' @seealso \code{\link{hetsel_select}}, \code{\link{hetsel_search}}, \code{\link{hetsel_methods}}
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

# Whole numbers were taken as more than two classes: other packages of R take them as numbers.
with_caution_on_target <- function(result, target, target_kind) {
  if (form_of(target) == "number" && length(result$classes) > 2 && is.null(target_kind)) {
    result$cautions <- c(result$cautions, paste(
      "the target is whole numbers, taken as", length(result$classes), "classes:",
      "target_kind = \"numbers\" takes them as numbers"
    ))
  }
  result
}

# Dates that fill missing cells the way R writes them.
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

# The names of a vector mean something in weights of classes and costs of features only.
option_crossing <- function(value, name) {
  named <- is.list(value) || name %in% c("class_weight", "costs")
  crossing(if (named) value else unname(value), name)
}

one_of <- function(value, name, fits) {
  kind <- if (identical(fits, is.numeric)) "number" else "word"
  kind <- if (identical(fits, is.logical)) "of TRUE and FALSE" else kind
  kind <- if (identical(fits, is_label)) "class" else kind
  refuse_if(length(value) != 1 || !fits(value) || is.na(value),
    name, " must be one ", kind, got(value), argument = name
  )
  value
}

seed_of <- function(seed) {
  one_of(seed, "seed", is.numeric)
  refuse_if(!isTRUE(seed >= 0 && seed < 2^32 && seed == floor(seed)),
    "seed must be a whole number in 0..4294967295. Got ", seed, argument = "seed"
  )
  as.double(seed)
}
