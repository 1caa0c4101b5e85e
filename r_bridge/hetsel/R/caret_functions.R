#' Functions for recursive elimination by caret
#'
#' @description The list that \code{caret::rfeControl(functions = hetselFuncs)} takes:
#' \code{caret::rfe} then ranks by a method of hetsel, resamples and chooses the size, and fits a
#' support vector machine, classes weighed alike, to each subset. Columns
#' reach the method as they are, a factor as one feature.
#' @details Call \code{caret::rfe(x, y, sizes = , rfeControl = )} with a data frame \code{x} and a
#' factor or numbers \code{y}: caret's formula interface would make indicator columns. Survival
#' times are refused. Numbers are taken as numbers, also whole ones. Further arguments of
#' \code{rfe} go to \code{\link{hetsel_rank}} (\code{method}, \code{seed} and options of the
#' method). Subsets of a resampling are the best features of its ranking, or are ranked anew with
#' \code{rerank = TRUE}.
#'
#' The model of a subset is that of \code{\link{hetsel_select}} with all of its columns, so that
#' there are probabilities for summaries such as \code{caret::twoClassSummary}. They are learned
#' from three folds, which needs 3 rows of each class; with fewer there are none.
#'
#' To rank by hetsel and predict by another model, replace \code{fit} and \code{pred}:
#' \code{modifyList(hetselFuncs, caret::ldaFuncs[c("fit", "pred")])}; the ranking is then that of
#' the default method.
#' @format A list of the functions \code{summary}, \code{fit}, \code{pred}, \code{rank},
#' \code{selectSize} and \code{selectVar}.
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

# The model of these columns, and by what the next ranking is made.
caret_fit <- function(x, y, ...) {
  refuse_if(inherits(y, "Surv") || !is.factor(y) && !is.numeric(y),
    "hetselFuncs predicts classes or numbers: y must be a factor or numeric. Got an object of ",
    "class ", class(y)[1], fix = "factor(y) if these are classes", argument = "y"
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

# Equal steps: caret averages over resamplings, and importances of an elimination do not compare.
caret_rank <- function(object, x, y) {
  found <- do.call(hetsel_rank.default, c(list(x, y), object$rank_by))
  features <- with_ranks(found, "has no ranking for caret::rfe")$ranking$feature
  data.frame(Overall = rev(seq_along(features)), var = features, row.names = features)
}

# What was found, of which another package needs ranks: a search over subsets has none.
with_ranks <- function(found, lacks) {
  refuse_if(inherits(found, "hetsel_path"),
    found$method, " searches for subsets and ", lacks,
    fix = "take a method that ranks, see hetsel_methods()", argument = "method"
  )
  found
}
