#' Select a Signature and Estimate Its Performance
#'
#' @description Select one signature of a table: how many features, which, how well they predict,
#' and how reliable the selection is. The result includes a model that predicts new rows.
#' Cross-validation chooses the size, and the method selects the features on all rows. The model is
#' a support vector machine with the clinical kernel (Daemen and De Moor 2009): the similarity of
#' two rows is the mean of their similarities in each feature, from 0 to 1. The model is a
#' classifier, a regression for a numeric target, or a ranking of rows by the risk of an event.
#' Nested cross-validation estimates the performance: held-out rows are not used for the selection,
#' the choice of the size and the training. A permutation test compares the performance with chance.
#' Continuous and categorical features are selected together, and a factor is one feature.
#' @param y The target: classes, numbers or survival times, as in \code{\link{hetsel_rank}}. Each
#'   class needs 3 rows; with row groups, 3 groups that contain it. A numeric target needs 8
#'   rows; with row groups, 8 groups. Survival times need 8 events; with row groups, 8 groups
#'   with an event. With fewer, \code{size} must be a number, and no performance is reported.
#' @inheritParams hetsel_rank
#' @template model
#' @template select
#' @param ... Parameters of the selection method by name, in addition to those in \code{params}. If
#'   \code{x} is a formula or a data frame, all arguments from \code{method} to \code{jobs} are also
#'   passed here.
#' @details Read the verdict first. If a signature is not shown to be better than chance, its
#' features may be chance findings. But this is no proof that there is no signal: the confidence
#' interval and the element \code{sentences} show how good the signature could still be. In
#' the result, the element \code{sizes} has the inner scores, which chose the size: the AUC for
#' classes, R squared for a numeric target, Harrell's concordance for survival times. The element
#' \code{performance} has the estimates for new rows.
#'
#' The result does not depend on the order of rows and columns or on the names and units of the
#' columns, except that \code{row_groups = "copies"} recognizes an identifier by its name. The same
#' call in Python (\code{hetsel.Signature}) gives the same numbers.
#'
#' For classes, hetsel also looks for an interaction of two features. If it finds one, the summary
#' names it; the model stays additive.
#'
#' \code{by} names columns of \code{x}, with a formula also other columns of \code{data}. It may
#' also be a data frame or a factor with one value per row.
#' @return A list of class \code{\link{hetsel_signature}}, with the verdict, the signature, its
#' performance, probabilities, effects and the model; \code{?hetsel_signature} describes all
#' elements. There are methods for \code{\link[=predict.hetsel_signature]{predict}},
#' \code{print}, \code{summary}, \code{\link[=plot.hetsel_signature]{plot}} and
#' \code{as.data.frame}. \code{\link{hetsel_report}} writes a report, and
#' \code{\link{hetsel_validate}} validates the signature on new rows.
#' @references Daemen, A. and De Moor, B. (2009) Development of a kernel function for clinical data.
#' \emph{Proceedings of the 31st Annual International Conference of the IEEE EMBS}, 5913--5917.
#'
#' Kish, L. (1965) \emph{Survey Sampling}. Wiley.
#' @seealso \code{\link{hetsel_signature}} (the result),
#'   \code{\link{predict.hetsel_signature}}, \code{\link{hetsel_validate}},
#'   \code{\link{hetsel_points}}, \code{\link{hetsel_rank}}, \code{\link{hetsel_search}},
#'   \code{\link{hetsel_report}}
#' @examplesIf hetsel_available()
#' # infertility after abortion: a matched case-control study, in R's datasets
#' women <- infert[c("age", "parity", "education", "spontaneous", "induced", "case")]
#' # to save time: a fixed size and no permutation test; all rows of a stratum are in one fold
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

#' The Result of hetsel_select
#'
#' @description The elements of a result of \code{\link{hetsel_select}}, a list of class
#' \code{hetsel_signature}.
#' @details The result contains all that is needed to compute the terms of a formula for new
#' rows. Instead of the environment of the formula, which may be large, it contains the variables
#' and functions that the terms name. Variables with one value per row, such as a vector that is
#' no column of \code{data}, are not stored: the new rows must contain them as columns. Some
#' terms use a value of all rows, such as the center in \code{scale(age)} or the median in
#' \code{age > median(age)}. The result contains these values, and they are used for new rows.
#' Some terms depend on the other rows in a way that R does not keep, such as \code{rank(age)} or
#' \code{cut(age, 3)}. A feature with such a term is an error. A target with such a term is
#' allowed, but \code{\link{hetsel_validate}} cannot compute it for new rows: pass the target of
#' the new rows as \code{y}.
#'
#' The result contains plain vectors, lists and data frames only. After \code{\link{saveRDS}}, it
#' can be printed without Python, and it predicts in any later session with Python. Its element
#' \code{model} is the text of a file that \code{hetsel.load_signature} reads in Python and
#' \code{hetsel predict} in the shell: \code{writeLines(x$model, "signature.json", useBytes =
#' TRUE)}. The file does not contain the rows. To let \code{\link{hetsel_validate}} recognize
#' rows that were used for training, it contains ten numbers per training row: sums of its values
#' with random weights.
#' @return A list with the elements
#' \item{verdict}{\code{"better than chance"}, \code{"not shown to be better than chance"},
#'   \code{"too few rows"}, or \code{""} without a test.}
#' \item{sentences}{summary in sentences, the verdict first; \code{print} shows them.}
#' \item{features}{data frame of the signature, best first: \code{feature}, \code{kind} and
#'   \code{frequency}, the selection frequency: the proportion of half-samples that select the
#'   feature.}
#' \item{size}{the number of features.}
#' \item{rule}{the rule that chose the size; \code{""} where the argument \code{size} was a number.}
#' \item{performance}{data frame with one row per measure:
#'   \itemize{
#'   \item \code{measure}, its name, the main measure first. For classes: BCR (the balanced
#'     accuracy), the recall of each class, and the AUC. For a numeric target: R squared, errors and
#'     the rank correlation. For survival times: Harrell's and
#'     Uno's concordance, and the integrated Brier score of survival curves from the risk scores;
#'   \item \code{class}, the class of a recall;
#'   \item \code{estimate}, with its 95\% CI from \code{low} to \code{high};
#'   \item \code{rows}, the number of rows that the measure refers to.
#'   }
#'   The data frame has no rows if the performance cannot be estimated; \code{reason} states why.}
#' \item{probabilities}{performance of the predicted probabilities on held-out rows; \code{NULL} if
#'   there are no predicted probabilities. It is a list whose data frames refer to the positive
#'   class, or with more than two classes to each class:
#'   \itemize{
#'   \item \code{map}, the calibration map (\code{"logistic"}, \code{"beta"} or \code{"isotonic"}),
#'     and \code{runs}, the number of repeats of nested cross-validation;
#'   \item \code{brier} and \code{scaled_brier}, with their 95\% CIs;
#'   \item \code{prevalence} and \code{harm_ratio}, as requested, and \code{threshold}, which
#'     is 1 / (1 + \code{harm_ratio});
#'   \item \code{calibration}, data frame of \code{intercept}, \code{slope} and
#'     \code{observed_expected_ratio} (each with the ends of its CI, such as \code{slope_low});
#'     \code{likelihood_slope}, the maximum-likelihood slope (\code{slope} is from Firth's
#'     regression); and \code{ici}, \code{e50} and \code{e90}, the mean, median and 90\% quantile
#'     of the distance between the calibration curve and the predicted probability;
#'   \item \code{curve}, the calibration curve: the \code{observed} proportion by predicted
#'     \code{probability}, with its band;
#'   \item \code{decision}, the decision curve: for each \code{threshold} the net benefit of the
#'     \code{model} and of treat all (\code{all}), and \code{over_better}. The last one is the net
#'     benefit of the model minus the larger net benefit of treat all and treat none;
#'   \item \code{thresholds}: for each \code{threshold} the proportion of rows at or above it
#'     (\code{above}), sensitivity, specificity, predictive values and net benefit;
#'   \item \code{histogram}: for each range of predicted probabilities the number of rows of the
#'     class (\code{own}) and of the other classes (\code{others});
#'   \item \code{parts}, a row for each \code{level} of each \code{column} of \code{by}, with the
#'     AUC, the Brier score and more; its column \code{few} names the classes with fewer than 20
#'     rows in the subgroup;
#'   \item \code{prediction_instability}, a list of the prediction instability, see below;
#'     \code{NULL} without half-samples and for more than two classes.
#'   }
#'   The list \code{prediction_instability} describes how much the predicted probability of a row
#'   varies over the models of the half-samples:
#'   \itemize{
#'   \item \code{pairs}, the number of pairs of half-samples;
#'   \item \code{median}, the median over the rows of the standard deviation of the predicted
#'     probability, and \code{high}, the 90\% quantile of this standard deviation;
#'   \item \code{mean_difference}, the mean over rows and models of the absolute difference between
#'     the probability that a model predicts for a row and the mean of these probabilities for this
#'     row;
#'   \item \code{disagreement}, data frame of \code{threshold} and \code{proportion}: for each row
#'     the models vote on which side of the threshold it is; the proportion of models in the
#'     minority is averaged over the rows;
#'   \item \code{example_rows}, data frame of example rows, with the mean of the predicted
#'     probability and its middle 95\% from \code{low} to \code{high}.
#'   }}
#' \item{estimate}{list of the numbers behind the estimate of the main measure in
#'   \code{performance}:
#'   \itemize{
#'   \item \code{inner_bcr} (\code{inner} for other targets), the main measure of the chosen size in
#'     the cross-validation that chose it;
#'   \item \code{training_gain}, the training gain: the estimated gain from training on all rows
#'     instead of the rows of a fold. It was added to the nested estimate;
#'   \item \code{optimism}, \code{inner_bcr} (or \code{inner}) minus the nested estimate without the
#'     training gain;
#'   \item \code{folds} and \code{runs}, the numbers of folds and of repeats.
#'   }}
#' \item{permutation_test}{list of the permutation test; \code{NULL} without a test:
#'   \itemize{
#'   \item \code{pvalue}, and \code{standard_error}, its Monte Carlo standard error (\code{NA} if
#'     \code{full} is \code{FALSE});
#'   \item \code{full}, whether the argument \code{permutations} set the number of permutations;
#'   \item \code{settled}, whether hetsel stopped early, because the result was clear. If
#'     \code{settled} and \code{full} are both \code{FALSE}, the maximum number was reached;
#'   \item \code{tried}, the number of methods among which hetsel chose; \code{pvalue} is already
#'     multiplied by it (Bonferroni);
#'   \item \code{statistic}, the score of the original target on held-out rows: the AUC, for a
#'     numeric target the rank correlation, for survival times the concordance;
#'   \item \code{permuted}, the scores of the permuted targets;
#'   \item \code{folds}, the number of folds, and \code{draws}, the number of times that the rows
#'     were divided into folds.
#'   }}
#' \item{sizes}{data frame of \code{size} and its inner score, \code{inner_auc} or \code{inner};
#'   without rows where the argument \code{size} was a number.}
#' \item{nested}{the sizes chosen in the outer folds, one per fold of each repeat;
#'   \code{integer(0)} where the argument \code{size} was a number.}
#' \item{methods}{for several methods, data frame of \code{method}, the number of outer folds of all
#'   repeats that chose it (\code{nested}) and its best inner score (\code{inner}); else without
#'   rows.}
#' \item{frequency}{data frame of \code{feature} and \code{frequency} for all features, those of the
#'   signature first.}
#' \item{half_samples}{list of the features that each half-sample selects.}
#' \item{stability}{list of \code{nogueira}, Nogueira's stability of the signatures of the two
#'   half-samples of a pair, as a mean over pairs (0 for random selections, 1 for identical ones),
#'   and \code{half_samples}, the number of half-samples. The mean is an unbiased estimate of the
#'   stability between two independent samples with half as many rows.}
#' \item{stable}{list of the result of stability selection; \code{NULL} where no threshold limits
#'   the expected number of false selections to 1:
#'   \itemize{
#'   \item \code{threshold}, the smallest selection frequency at which at most one false
#'     selection is expected;
#'   \item \code{above}, the features that reach their own threshold: \code{threshold}, or a
#'     higher one for features that are often selected even with a permuted target;
#'   \item \code{doubtful}, the features that reach \code{threshold}, but not their own, higher one,
#'     and \code{own_thresholds}, these higher thresholds (\code{NA}: no frequency is enough);
#'   \item \code{expected_false_selections}, an upper bound on the expected number of false
#'     selections among \code{above}, and \code{assumption}, the assumption of the bound;
#'   \item \code{features}, the features that count as stable: those of \code{above}, or none if
#'     the bound allows half or more of \code{above} to be false.
#'   }}
#' \item{alternatives}{data frame of alternative features: \code{feature}, an \code{alternative}
#'   with which the model performs as well, \code{frequency} and \code{alternative_frequency}, and
#'   \code{both}, the proportion of half-samples that select both.}
#' \item{effects}{data frame of the exact effects on the decision value, the predicted number or the
#'   risk score. It has one row per level, or per range of values in which the effect is linear:
#'   \itemize{
#'   \item \code{feature}, and \code{class}, the class that a positive effect favors (empty for
#'     other targets);
#'   \item \code{level}, the level (\code{"missing"} where missing is a separate value), or
#'     \code{low} and \code{high}, the ends of the range. For ordinal features the ends are
#'     positions of levels, counted from 1; for dates they are days since 1970-01-01;
#'   \item \code{effect_low} and \code{effect_high}, the effects at the ends;
#'   \item \code{rows}, the number of rows with the level or in the range; for classes, also the
#'     number of rows of each class, in a column such as \code{rows sick}.
#'   }}
#' \item{points}{the point score of the model, see \code{\link{hetsel_points}}.}
#' \item{effective_sample_size}{with row weights, data frame of \code{class} (empty for other
#'   targets) and \code{rows}, the effective sample size (Kish 1965): (sum of the weights)^2 /
#'   sum of the squared weights.}
#' \item{levels}{list of the levels of the categorical features in the signature.}
#' \item{model}{text of the saved model, which \code{predict} uses.}
#' \item{unit}{the unit, only for a target of class difftime.}
#' \item{positive}{the positive class.}
#' \item{always}{the features that are always included.}
#' \item{groups}{the number of row groups.}
#' \item{dates}{the time zones of date columns.}
#' \item{computed}{how a formula computed columns such as \code{log(dose)}.}
#' \item{target_call}{how a formula computed the target.}
#' \item{reason}{why performance cannot be estimated.}
#' \item{parameters}{the parameters of the method.}
#' \item{columns, cautions, call, target, options, changed}{as in \code{\link{hetsel_rank}}.}
#' \item{method, title, paper, seed, draws, missing, rows, classes, version}{details of the call, as
#'   in \code{\link{hetsel_rank}}.}
#' @references Kish, L. (1965) \emph{Survey Sampling}. Wiley.
#'
#' Phipson, B. and Smyth, G. K. (2010) Permutation P-values should never be zero. \emph{Statistical
#' Applications in Genetics and Molecular Biology} 9, 39.
#'
#' Shah, R. D. and Samworth, R. J. (2013) Variable selection with error control: another look at
#' stability selection. \emph{Journal of the Royal Statistical Society B} 75, 55--80.
#' @seealso \code{\link{hetsel_select}}, \code{\link{predict.hetsel_signature}},
#'   \code{\link{plot.hetsel_signature}}
#' @name hetsel_signature
NULL

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
