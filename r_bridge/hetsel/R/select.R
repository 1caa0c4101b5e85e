#' Find one signature of a table
#'
#' @description Says how many features to take, which, how good they are and how sure that is; and
#' has a model that predicts new rows. The size is chosen by cross-validation, the features are
#' selected on all rows, and a support vector machine with the clinical kernel learns from them: a
#' classifier, a regression of numbers, or a ranking of the rows by the risk of an event.
#' What that is worth is estimated by nested cross-validation, in which no row judges what it has
#' chosen, and tested against chance by permutations of the target. Continuous and categorical
#' columns are selected together, and a factor is one feature.
#' @param y the target: classes, numbers or survival times, as in \code{\link{hetsel_rank}}. Each
#'   class needs 3 rows, or 3 groups of rows that have some of it; numbers need 8 rows or groups,
#'   survival times 8 events or groups that have one. With fewer the size must be a number, and no
#'   performance is told.
#' @inheritParams hetsel_rank
#' @template model
#' @template select
#' @param ... parameters of the method by name, beside those of \code{params}; from the formula
#'   method the arguments above.
#' @details Options take columns and rows as those of \code{\link{hetsel_rank}} do. \code{by} names
#' columns of \code{x}, with a formula also those of \code{data} that are no features, or is a data
#' frame or a factor with a row for each row.
#'
#' Look at the verdict first: features of a signature that is not shown to be better than
#' chance may be chance alone. It is no proof of that: the interval of the performance, and the
#' sentence of the verdict, say what the rows still allow. The scores in \code{sizes} are inner
#' ones, which chose the size; those in \code{performance} are for new rows.
#'
#' The order of rows and columns, the names and the units of the columns change nothing. The same
#' call in Python (\code{hetsel.Signature}) gives the same numbers.
#'
#' A formula keeps its meaning. In place of its environment, which may be large, the result has the
#' variables and functions that its terms name there, values of rows left out, and what a term took
#' of all rows: the center of \code{scale(age)}, the median in \code{age > median(age)}. New rows
#' are computed by these. A term that depends on the other rows in a way that R does not keep, such
#' as \code{rank(age)} or \code{cut(age, 3)}, is refused; such a target must be given to
#' \code{\link{hetsel_validate}}.
#'
#' The result holds plain vectors, lists and data frames only: saved by \code{\link{saveRDS}}, it is
#' shown where there is no Python and predicts in any later session that has one. Its entry
#' \code{model} is the text of the file that \code{hetsel.load_signature} reads in Python and
#' \code{hetsel predict} in the shell: \code{writeLines(x$model, "signature.json", useBytes =
#' TRUE)}. It has no cells of the rows, but ten numbers of each, by which
#' \code{\link{hetsel_validate}} knows it again.
#' @return A list of class \code{hetsel_signature} with
#' \item{verdict}{\code{"better than chance"}, \code{"not shown to be better than
#'   chance"}, \code{"too few rows"}, or empty where there was no test.}
#' \item{sentences}{what it comes to, the verdict first; \code{print} shows them.}
#' \item{features}{data frame of the signature, best first: \code{feature}, \code{kind}, and
#'   \code{frequency}, the share of the halves that select it.}
#' \item{size, rule}{how many there are, and the rule that chose the size; empty where it was
#'   given.}
#' \item{performance}{data frame with a row for each \code{measure} (BCR, the balanced
#'   classification rate; recall, of each \code{class}; AUC; of numbers R squared, errors and the
#'   rank correlation; of survival times concordances and Brier scores, the main one first):
#'   \code{rate}, the ends \code{low} and \code{high} of its 95 \% interval, and \code{rows}.
#'   Without rows where there is too little to judge by, which \code{reason} says.}
#' \item{probabilities}{what the probabilities of the classes are worth on held-out rows;
#'   \code{NULL} where there are none. A list of \code{map}, from decision values to probabilities
#'   (\code{"logistic"}, \code{"beta"} or \code{"isotonic"}), and \code{runs} of nested
#'   cross-validation; \code{brier} and \code{scaled_brier} with their ends; \code{prevalence},
#'   \code{threshold} and \code{cost_of_missing}, as asked; and data frames, of the positive one of
#'   two classes or of all of more: \code{calibration}, with \code{intercept}, \code{slope} and
#'   \code{observed_over_expected}, each with its ends such as \code{slope_low},
#'   \code{likelihood_slope}, the slope by maximum likelihood where \code{slope} is Firth's, and the
#'   mean, median and 90 \% quantile of the distance from the smooth curve, \code{ici}, \code{e50}
#'   and \code{e90}; \code{curve}, what is \code{observed} at a \code{probability}, and its band;
#'   \code{decision}, the net benefit of the \code{model} at each \code{threshold}, of treating
#'   \code{all}, and \code{over_better}, how much it is above the better of all and none;
#'   \code{thresholds}, the share \code{above}, sensitivity, specificity, predictive values and net
#'   benefit; \code{histogram} of the rows of the class (\code{own}) and the \code{others};
#'   \code{parts}, of each \code{level} of each \code{column} of \code{by} the area, the Brier score
#'   and so on, and which classes have \code{few} rows. \code{movement} is a list of how far a
#'   probability moves over models of halves of the rows, \code{pairs} of them: \code{median} and
#'   \code{high}, the 90 \% quantile, of its standard deviation, the \code{mean_difference} from its
#'   mean, and data frames of the \code{share} of models that put a row on the other side of a
#'   \code{threshold} (\code{crossed}), and of some \code{persons}; \code{NULL} without halves and
#'   of more classes.}
#' \item{estimate}{list of \code{inner_bcr} (\code{inner}, where there are no classes), what the
#'   scores that chose the size say of it; \code{optimism}, how much that is above the nested score;
#'   \code{learning}, what was added to the nested score as a model of all rows learns from more;
#'   \code{folds} and \code{runs}.}
#' \item{chance}{list of \code{pvalue} and its standard \code{error} as permutations are drawn,
#'   \code{NA} where drawing ended early, \code{full}, whether all were drawn that were asked for,
#'   \code{settled}, whether drawing ended with the verdict and not at the most that are drawn,
#'   \code{tried}, the number of methods, by which p is multiplied, the \code{rate} (of held-out
#'   rows the area under the ROC curve, of numbers the rank correlation, of survival times the
#'   concordance) of the target as it is and of the \code{permuted} ones, \code{folds} and
#'   \code{draws} of folds; \code{NULL} without a test.}
#' \item{sizes, nested}{data frame of \code{size} and \code{inner_auc} or \code{inner}, and the
#'   sizes that were chosen within, one for each fold; empty where the size was given.}
#' \item{methods}{of several methods a data frame of \code{method}, how many outer folds chose it,
#'   \code{nested}, and its best inner score, \code{inner}; else without rows.}
#' \item{frequency}{data frame of \code{feature} and \code{frequency}: all features, those of the
#'   signature first.}
#' \item{halves}{list of the features that each half of the rows selects, see
#'   \code{\link{signatures}}.}
#' \item{stability}{list of \code{nogueira}, Nogueira's measure of the signatures of two halves of
#'   the rows (0 is chance, 1 the same features always), the mean of the pairs of halves, and the
#'   number of \code{halves}. It is without bias for two other samples of half as many rows.}
#' \item{stable}{list of the features \code{above}, that are selected in at least the share
#'   \code{threshold} of the halves, of which \code{false_at_most} are expected to be false;
#'   \code{features}, the same if these are more than twice as many, else none, as nothing is kept
#'   where half may be false; \code{doubtful}, features that reach the threshold and that halves
#'   with a permuted target select, too; and the \code{assumption} of that bound; \code{NULL} where
#'   no share is enough.}
#' \item{alternatives}{data frame: \code{feature}, an \code{alternative} with which the model is as
#'   good, \code{frequency} and \code{alternative_frequency}, and \code{both}, the share of the
#'   halves that select them together.}
#' \item{effects}{data frame of the exact effects on the decision value, on the number, or on the
#'   risk, in pieces: \code{feature}, \code{class} that the effect speaks for (empty where there are
#'   none), \code{level} (\code{"missing"} where missing is a value of its own) or the ends
#'   \code{low} and \code{high} (of ordinal features places of levels, counted from 1; of dates days
#'   since 1970-01-01), \code{effect_low} and \code{effect_high}, in between a straight line, and
#'   the \code{rows} that lie there, in all and of each class.}
#' \item{points}{the final model as points to add up, see \code{\link{hetsel_points}}.}
#' \item{effective_rows}{where rows have weights, a data frame of \code{class} (empty where there
#'   are none) and \code{rows}, Kish's effective number of rows: (sum of the weights)^2 / sum of
#'   their squares.}
#' \item{levels}{list of the levels of the categorical features of the signature.}
#' \item{model}{text of the saved model, by which \code{predict} predicts.}
#' \item{unit}{of a target of the class difftime; else there is no such element.}
#' \item{positive, always, groups, dates, computed, target_call, reason}{the positive one of two
#'   classes, the features that are always in, the number of groups of rows, the time zones of
#'   columns of dates, how a formula computed columns such as \code{log(dose)} and the target, and
#'   why there is no performance.}
#' \item{columns, cautions, call, target, options, changed, parameters, method, title, paper, seed,
#'   draws, missing, rows, classes, version}{as in \code{\link{hetsel_rank}}; \code{parameters} are
#'   those of the method.} There are methods for \code{\link[=predict.hetsel_signature]{predict}},
#'   \code{print}, \code{summary}, \code{\link[=plot.hetsel_signature]{plot}} and
#'   \code{as.data.frame}; \code{\link{hetsel_report}} writes a page to read, and
#'   \code{\link{hetsel_validate}} judges the signature by rows that it has not seen.
#' @references Kish, L. (1965) \emph{Survey Sampling}. Wiley.
#'
#' Phipson, B. and Smyth, G. K. (2010) Permutation P-values should never be zero. \emph{Statistical
#' Applications in Genetics and Molecular Biology} 9, 39.
#'
#' Shah, R. D. and Samworth, R. J. (2013) Variable selection with error control: another look at
#' stability selection. \emph{Journal of the Royal Statistical Society B} 75, 55--80.
#' @seealso \code{\link{hetsel_validate}}, \code{\link{hetsel_points}}, \code{\link{hetsel_rank}},
#' \code{\link{hetsel_search}}, \code{\link{hetsel_report}}
#' @examplesIf hetsel_available()
#' # infertility after abortion: a matched case-control study, in R's datasets
#' women <- infert[c("age", "parity", "education", "spontaneous", "induced", "case")]
#' # quick: a given size and no test against chance; the women of one stratum go together
#' found <- hetsel_select(case ~ ., women, size = 2, row_groups = infert$stratum,
#'                        folds = 3, repeats = 1, permutations = 0, pairs = 5)
#' print(found)
#' found$performance
#' predict(found, women[1:3, ], type = "prob")
#' @eval model_methods("hetsel_select")
#' @export
hetsel_select <- function(x, ...) UseMethod("hetsel_select")

#' @rdname hetsel_select
#' @export
hetsel_select.default <- asking("select", function(x, y) {
  own <- method_given(method, substitute(method))
  params <- c(own$params, params_given(params, ...))
  method <- own$key %||% method
  data <- data_in(environment())
  several <- length(method) > 1
  refuse_if(several && length(params), "params are of one method", got(method), argument = "params")
  asked <- checked_in("select", environment())
  of_call <- c("missing", "jobs", "progress")
  answer <- ask_table(
    "select", c(data, asked[of_call]),
    method = as.list(unname((if (several) some_of else one_of)(method, "method", is.character))),
    size = size_or_rule(size),
    seed = seed_of(seed),
    options = c(
      asked[setdiff(names(asked), of_call)],
      positive = if (!is.null(positive)) positive_of(positive, y, data$target),
      list(prevalence = if (!is.null(prevalence)) shares_crossing(prevalence))
    ),
    parameters = options_in(environment(), data, params),
    row_weights = column_or_null(row_weights, "row_weights"),
    by = if (!is.null(by)) by_crossing(by, data$columns, nrow(x))
  )
  result <- c(as_written(answer, data), Filter(Negate(is.null), facts_to_predict(data)))
  result$unit <- data$unit
  class(result) <- "hetsel_signature"
  result <- with_caution_on_target(result, data$target, target_kind)
  recorded(by_function(result, own), match.call(), substitute(y))
})

# The positive class in the type of the target, as R compares values of different types.
positive_of <- function(positive, y, target) {
  one_of(positive, "positive", is.atomic)
  crossing(unname(levels_like(y, form_of(target), positive)), "positive")
}

# Zones of the columns of dates (NA: no time of day), difftimes, and which values the target had.
facts_to_predict <- function(data) {
  dates <- Filter(is_date, data$columns)
  zones <- vapply(dates, function(x) if (inherits(x, "Date")) NA_character_ else zone_of(x), "")
  list(
    dates = stats::setNames(zones, as.character(names(dates))),
    durations = as.character(names(Filter(function(x) inherits(x, "difftime"), data$columns))),
    labels = labels_of(data$target)
  )
}
