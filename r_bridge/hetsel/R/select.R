#' Select a Signature and Estimate Its Performance
#'
#' @description Select one signature of a table: how many features, which, how well they predict,
#' and how reliable the selection is. The result includes a model that predicts new rows.
#' Cross-validation chooses the size, the method selects the features on all rows, and the model is
#' a support vector machine with the clinical kernel: a classifier, a regression for a numeric
#' target, or a ranking of rows by the risk of an event. Nested cross-validation estimates the
#' performance, so held-out rows take no part in selection, size and model. A permutation test
#' compares the performance with chance. Continuous and categorical features are selected together,
#' and a factor is one feature.
#' @param y The target: classes, numbers or survival times, as in \code{\link{hetsel_rank}}. Each
#'   class needs 3 rows, or 3 row groups that contain it. A numeric target needs 8 rows or row
#'   groups; survival times need 8 events or row groups with an event. With fewer, \code{size} must
#'   be a number, and no performance is reported.
#' @inheritParams hetsel_rank
#' @template model
#' @template select
#' @param ... Parameters of the method by name, in addition to those in \code{params}; from the
#'   formula method, the arguments above.
#' @details Columns and rows are specified as in \code{\link{hetsel_rank}}. \code{by} names columns
#' of \code{x}; with a formula, also columns of \code{data} that are no features. It may also be a
#' data frame or a factor with one value per row.
#'
#' Read the verdict first. If a signature is not shown to be better than chance, its features may be
#' chance findings. This does not prove that they are: the confidence interval and the sentences
#' show which performance the data still allow. The scores in \code{sizes} are inner scores, which
#' chose the size. The scores in \code{performance} are estimates for new rows.
#'
#' The result does not depend on the order of rows and columns or on the names and units of the
#' columns. The same call in Python (\code{hetsel.Signature}) gives the same numbers.
#'
#' The result keeps the meaning of a formula. In place of its environment, which may be large, it
#' keeps the variables and functions that its terms name, without variables that have one value per
#' row. It also keeps what a term computed from all rows, such as the center of \code{scale(age)} or
#' the median in \code{age > median(age)}. New rows are computed with these values. A term that
#' depends on the other rows in a way that R does not keep, such as \code{rank(age)} or
#' \code{cut(age, 3)}, is an error. If the target is such a term, pass the target of new rows to
#' \code{\link{hetsel_validate}}.
#'
#' The result contains plain vectors, lists and data frames only. After \code{\link{saveRDS}}, it
#' can be printed without Python, and it predicts in any later session with Python. Its element
#' \code{model} is the text of a file that \code{hetsel.load_signature} reads in Python and
#' \code{hetsel predict} in the shell: \code{writeLines(x$model, "signature.json", useBytes =
#' TRUE)}. The file contains no values of the rows, but ten numbers per row, by which
#' \code{\link{hetsel_validate}} recognizes the training rows.
#' @return A list of class \code{hetsel_signature} with the elements
#' \item{verdict}{\code{"better than chance"}, \code{"not shown to be better than chance"},
#'   \code{"too few rows"}, or empty where there was no test.}
#' \item{sentences}{summary in sentences, the verdict first; \code{print} shows them.}
#' \item{features}{data frame of the signature, best first: \code{feature}, \code{kind} and
#'   \code{frequency}, the selection frequency: the proportion of half-samples that select the
#'   feature.}
#' \item{size, rule}{number of features, and the rule that chose it; empty where \code{size} was a
#'   number.}
#' \item{performance}{data frame with one row per \code{measure} (BCR, the balanced accuracy;
#'   recall, of each \code{class}; AUC; for a numeric target R squared, errors and the rank
#'   correlation; for survival times concordances and Brier scores, the main measure first):
#'   \code{rate}, the estimate, its 95\% CI from \code{low} to \code{high}, and the number of
#'   \code{rows}. Without rows where performance cannot be estimated; \code{reason} states why.}
#' \item{probabilities}{performance of the predicted probabilities on held-out rows; \code{NULL}
#'   where there are none. A list of
#'   \itemize{
#'   \item \code{map}, the calibration map (\code{"logistic"}, \code{"beta"} or \code{"isotonic"}),
#'     and \code{runs}, the number of runs of nested cross-validation;
#'   \item \code{brier} and \code{scaled_brier}, with their 95\% CIs;
#'   \item \code{prevalence}, \code{threshold} and \code{cost_of_missing}, as requested;
#'   \item data frames, for the positive class or, of more than two classes, for each class:
#'     \code{calibration}, with \code{intercept}, \code{slope} and \code{observed_over_expected}
#'     (each with the ends of its CI, such as \code{slope_low}), \code{likelihood_slope} (the
#'     maximum-likelihood slope where \code{slope} is Firth's), and \code{ici}, \code{e50} and
#'     \code{e90}, the mean, median and 90\% quantile of the distance from the calibration curve;
#'     \code{curve}, the calibration curve: \code{observed} proportion by \code{probability}, with
#'     its band; \code{decision}, the net benefit of the \code{model} and of treating \code{all} by
#'     \code{threshold}, and \code{over_better}, the net benefit minus that of the better of treat
#'     all and treat none; \code{thresholds}, the proportion of rows \code{above}, sensitivity,
#'     specificity, predictive values and net benefit; \code{histogram}, numbers of rows of the
#'     class (\code{own}) and of the \code{others}; \code{parts}, the AUC, the Brier score and more
#'     for each \code{level} of each \code{column} of \code{by}, and the classes with \code{few}
#'     rows;
#'   \item \code{movement}, the prediction instability over the models of half-samples: the number
#'     of \code{pairs}; the \code{median} and the 90\% quantile, \code{high}, of the standard
#'     deviation of a predicted probability; the \code{mean_difference} from its mean; and data
#'     frames of the proportion (\code{share}) of models that put a row on the other side of a
#'     \code{threshold} (\code{crossed}) and of example rows (\code{persons}). \code{NULL} without
#'     half-samples and for more than two classes.
#'   }}
#' \item{estimate}{list of \code{inner_bcr} (\code{inner} for other targets), the estimate by the
#'   scores that chose the size; \code{optimism}, this estimate minus the nested estimate;
#'   \code{learning}, the training gain that was added to the nested estimate; \code{folds} and
#'   \code{runs}.}
#' \item{chance}{list of \code{pvalue} and its standard \code{error} from drawing permutations,
#'   \code{NA} where drawing ended early; \code{full}, whether all requested permutations were
#'   drawn; \code{settled}, whether drawing ended with the verdict and not at the maximum;
#'   \code{tried}, the number of methods, by which the p-value is multiplied; the \code{rate} of the
#'   original target (on held-out rows the AUC, for a numeric target the rank correlation, for
#'   survival times the concordance) and of the \code{permuted} targets; \code{folds} and
#'   \code{draws} of folds. \code{NULL} without a test.}
#' \item{sizes, nested}{data frame of \code{size} and \code{inner_auc} or \code{inner}, and the
#'   sizes chosen in the outer folds, one per fold; empty where \code{size} was a number.}
#' \item{methods}{for several methods, data frame of \code{method}, the number of outer folds that
#'   chose it (\code{nested}) and its best inner score (\code{inner}); else without rows.}
#' \item{frequency}{data frame of \code{feature} and \code{frequency} for all features, those of the
#'   signature first.}
#' \item{halves}{list of the features that each half-sample selects, see \code{\link{signatures}}.}
#' \item{stability}{list of \code{nogueira}, Nogueira's stability of the signatures of two
#'   half-samples, the mean over pairs (0 for random selections, 1 for identical ones), and the
#'   number of \code{halves}. It is an unbiased estimate for two independent samples of half as many
#'   rows.}
#' \item{stable}{list of the features \code{above}, whose selection frequency is at least
#'   \code{threshold}, of which at most \code{false_at_most} are expected to be false selections;
#'   \code{features}, the same if they are more than twice as many as that bound, else none, since
#'   half of them could be false; \code{doubtful}, features that reach the threshold but are also
#'   selected in half-samples with a permuted target; and the \code{assumption} of the bound.
#'   \code{NULL} where no threshold is high enough.}
#' \item{alternatives}{data frame of alternative features: \code{feature}, an \code{alternative}
#'   with which the model performs as well, \code{frequency} and \code{alternative_frequency}, and
#'   \code{both}, the proportion of half-samples that select both.}
#' \item{effects}{data frame of the exact effects on the decision value, the predicted number or the
#'   risk score, in pieces: \code{feature}; the \code{class} that a positive effect favors (empty
#'   for other targets); the \code{level} (\code{"missing"} where missing is a separate value) or
#'   the ends \code{low} and \code{high} (for ordinal features positions of levels, counted from 1;
#'   for dates days since 1970-01-01); \code{effect_low} and \code{effect_high}, with a straight
#'   line between them; and the number of \code{rows} in the piece, in total and by class.}
#' \item{points}{the point score of the model, see \code{\link{hetsel_points}}.}
#' \item{effective_rows}{with row weights, data frame of \code{class} (empty for other targets) and
#'   \code{rows}, the effective sample size (Kish 1965): (sum of the weights)^2 / sum of the squared
#'   weights.}
#' \item{levels}{list of the levels of the categorical features in the signature.}
#' \item{model}{text of the saved model, which \code{predict} uses.}
#' \item{unit}{the unit, only for a target of class difftime.}
#' \item{positive, always, groups, dates, computed, target_call, reason}{the positive class, the
#'   features that are always included, the number of row groups, the time zones of date columns,
#'   how a formula computed columns such as \code{log(dose)} and the target, and why performance
#'   cannot be estimated.}
#' \item{columns, cautions, call, target, options, changed, parameters, method, title, paper, seed,
#'   draws, missing, rows, classes, version}{as in \code{\link{hetsel_rank}}; \code{parameters} are
#'   the parameters of the method.}
#' There are methods for \code{\link[=predict.hetsel_signature]{predict}}, \code{print},
#' \code{summary}, \code{\link[=plot.hetsel_signature]{plot}} and \code{as.data.frame}.
#' \code{\link{hetsel_report}} writes a report, and \code{\link{hetsel_validate}} validates the
#' signature on new rows.
#' @references Kish, L. (1965) \emph{Survey Sampling}. Wiley.
#'
#' Phipson, B. and Smyth, G. K. (2010) Permutation P-values should never be zero. \emph{Statistical
#' Applications in Genetics and Molecular Biology} 9, 39.
#'
#' Shah, R. D. and Samworth, R. J. (2013) Variable selection with error control: another look at
#' stability selection. \emph{Journal of the Royal Statistical Society B} 75, 55--80.
#' @seealso \code{\link{predict.hetsel_signature}}, \code{\link{hetsel_validate}},
#'   \code{\link{hetsel_points}}, \code{\link{hetsel_rank}}, \code{\link{hetsel_search}},
#'   \code{\link{hetsel_report}}
#' @examplesIf hetsel_available()
#' # infertility after abortion: a matched case-control study, in R's datasets
#' women <- infert[c("age", "parity", "education", "spontaneous", "induced", "case")]
#' # quick: a fixed size and no permutation test; the women of one stratum are held out together
#' signature <- hetsel_select(case ~ ., women, size = 2, row_groups = infert$stratum,
#'                            folds = 3, repeats = 1, permutations = 0, pairs = 5)
#' print(signature)
#' signature$performance
#' predict(signature, women[1:3, ], type = "prob")
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
  refuse_if(several && length(params),
    "params must be empty for several methods. Got ", toString(names(params)),
    fix = "Name one method, or remove params", argument = "params"
  )
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

# The positive class, converted to the type of the target as R compares values.
positive_of <- function(positive, y, target) {
  one_of(positive, "positive", is.atomic)
  crossing(unname(levels_like(y, form_of(target), positive)), "positive")
}

# Time zones of date columns (NA: no time of day), difftime columns, and the values of the target.
facts_to_predict <- function(data) {
  dates <- Filter(is_date, data$columns)
  zones <- vapply(dates, function(x) if (inherits(x, "Date")) NA_character_ else zone_of(x), "")
  list(
    dates = stats::setNames(zones, as.character(names(dates))),
    durations = as.character(names(Filter(function(x) inherits(x, "difftime"), data$columns))),
    labels = labels_of(data$target)
  )
}
