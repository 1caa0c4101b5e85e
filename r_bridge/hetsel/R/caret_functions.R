#' Recursive Feature Elimination with caret
#'
#' @description Functions for \code{caret::rfeControl(functions = hetselFuncs)}. \code{caret::rfe}
#' then ranks features with a method of hetsel, resamples, chooses the size, and trains a support
#' vector machine with balanced class weights on each subset. The method receives columns unchanged:
#' a factor is one feature.
#' @details Call \code{caret::rfe(x, y, sizes = , rfeControl = )} with a data frame \code{x} and a
#' factor or numeric \code{y}, since caret's formula interface would create indicator columns.
#' Survival times are refused. A numeric \code{y} is always a numeric target, also with whole
#' numbers. Further arguments of \code{rfe} are passed to \code{\link{hetsel_rank}} (\code{method},
#' \code{seed} and parameters of the method). The subsets of a resampling are the best features of
#' its ranking. With \code{rerank = TRUE}, the features are ranked again at each size.
#'
#' The model of a subset is that of \code{\link{hetsel_select}} with all columns of the subset. It
#' has probabilities, as summaries such as \code{caret::twoClassSummary} need. They are calibrated
#' on three folds, which needs 3 rows of each class; with fewer rows there are no probabilities.
#'
#' To rank with hetsel and predict with another model, replace \code{fit} and \code{pred}:
#' \code{modifyList(hetselFuncs, caret::ldaFuncs[c("fit", "pred")])}. The ranking is then that of
#' the default method.
#' @format A list of the functions \code{summary}, \code{fit}, \code{pred}, \code{rank},
#' \code{selectSize} and \code{selectVar}.
#' @seealso \code{\link{hetsel_rank}}, \code{\link{step_select_hetsel}}, \code{\link{hetsel_mlr3}}
#' @examplesIf hetsel_available() && requireNamespace("caret", quietly = TRUE)
#' control <- caret::rfeControl(functions = hetselFuncs, method = "cv", number = 3)
#' x <- infert[c("age", "parity", "education", "spontaneous")]
#' caret::rfe(x, factor(infert$case), sizes = 1:3, rfeControl = control)
#' @export
hetselFuncs <- list(
  summary = function(data, lev = NULL, model = NULL) caret::defaultSummary(data, lev, model),
  fit = function(x, y, first, last, ...) caret_fit(as.data.frame(x), y, ...),
  pred = function(object, x) caret_predict(object, as.data.frame(x)),
  rank = function(object, x, y) caret_rank(object, as.data.frame(x), y),
  selectSize = function(x, metric, maximize) caret::pickSizeBest(x, metric, maximize),
  selectVar = function(y, size) caret::pickVars(y, size)
)

# The model of these columns, with the arguments of the next ranking.
caret_fit <- function(x, y, ...) {
  refuse_if(inherits(y, "Surv") || !is.factor(y) && !is.numeric(y),
    "y must be a factor or numeric for hetselFuncs. Got an object of class ", class(y)[1],
    fix = "Convert classes by factor(y)", argument = "y"
  )
  kind <- if (is.numeric(y)) list(target_kind = "numbers")
  fitted <- do.call(hetsel_select.default, c(list(
    x, if (is.factor(y)) droplevels(y) else y, method = "univariate-tests", size = ncol(x),
    folds = 3, repeats = 1, permutations = 0, pairs = 0, row_groups = "rows"
  ), kind), quote = TRUE)
  fitted$rank_by <- c(list(...), kind)
  fitted
}

caret_predict <- function(object, x) {
  of_all <- if (!is.null(object$probabilities)) predict(object, x, type = "prob")
  one <- predict(object, x)
  if (is.null(of_all)) one else data.frame(pred = one, of_all, check.names = FALSE)
}

# Scores in equal steps: caret averages over resamplings, and importances are not comparable.
caret_rank <- function(object, x, y) {
  found <- do.call(hetsel_rank.default, c(list(x, y), object$rank_by))
  features <- with_ranks(found, "has no ranking for caret::rfe")$ranking$feature
  data.frame(Overall = rev(seq_along(features)), var = features, row.names = features)
}

# Refuse a search over subsets where another package needs ranks.
with_ranks <- function(found, lacks) {
  refuse_if(inherits(found, "hetsel_path"),
    "method must rank features. Got ", found$method, ", which searches subsets and ", lacks,
    fix = "Choose another method from hetsel_methods()", argument = "method"
  )
  found
}
