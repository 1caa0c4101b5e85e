#' Selection at a false discovery rate by knockoffs
#'
#' @description Lets a method rank the columns together with knockoffs of them, random copies that
#' go together as the columns do and know nothing of the target, and selects the features that win
#' against their knockoffs, at a false discovery rate. False is a feature on which the target does
#' not depend once all others are known.
#' @inheritParams hetsel_halves
#' @param fdr the wanted rate. Nothing or 1 / \code{fdr} features are selected at least.
#' @param repeats draws of knockoffs; the method is run once on each, with twice the columns.
#' @param run_fdr rate of the threshold of each draw, where there are several; \code{NULL} takes
#'   half of \code{fdr}. The result has the wanted rate whatever it is.
#' @param check whether a table is refused whose knockoffs do not go together as its columns do;
#'   with \code{FALSE} the rate is not controlled.
#' @details The target has classes: numbers and survival times are refused. With \code{missing =
#' "separate"} continuous columns must be complete. The rate is proved for knockoffs that are drawn
#' with the true distribution of the table, here one that is fitted. It asks for rows that are drawn
#' one by one: a table with equal or nearly equal rows is refused.
#' @return A list of class \code{hetsel_knockoffs} with
#' \item{features}{data frame, best first: \code{feature}; \code{W}, by how much it wins, above 0
#'   where it does, the mean over the draws; \code{evalue}; and whether it is \code{selected}.}
#' \item{selected}{names of the selected features.}
#' \item{W, thresholds}{matrix of W, draws by features, and the threshold in each draw, \code{Inf}
#'   where it selects nothing.}
#' \item{fdr, run_fdr}{the rates.}
#' \item{by_rank}{whether ranks were compared, of an elimination, whose importances do not compare.}
#' \item{columns, cautions, ...}{as in \code{\link{hetsel_rank}}.}
#' @references Candes, E., Fan, Y., Janson, L. and Lv, J. (2018) Panning for gold: model-X knockoffs
#' for high dimensional controlled variable selection. \emph{Journal of the Royal Statistical
#' Society B} 80, 551--577.
#'
#' Ren, Z. and Barber, R. F. (2024) Derandomised knockoffs: leveraging e-values for false discovery
#' rate control. \emph{Journal of the Royal Statistical Society B} 86, 122--154.
#' @seealso \code{\link{hetsel_permuted}}, which asks each feature by itself
#' @examplesIf hetsel_available()
#' set.seed(1)
#' x <- as.data.frame(matrix(rnorm(200 * 12), 200))
#' y <- rowSums(x[1:6]) + rnorm(200) > 0
#' hetsel_knockoffs(x, y, method = "l1-logistic")
#' @export
hetsel_knockoffs <- function(x, ...) UseMethod("hetsel_knockoffs")

#' @rdname hetsel_knockoffs
#' @export
hetsel_knockoffs.default <- function(x, y, method = "rfe-mkl", fdr = 0.2, repeats = 1,
                                     run_fdr = NULL, check = TRUE, missing = "impute",
                                     nominal = NULL, ordinal = NULL, continuous = NULL, seed = 0,
                                     ..., scale = "range", params = list()) {
  result <- ask_judged(
    "knockoffs", environment(), params_given(params, ...),
    fdr = "number", repeats = "number", run_fdr = "number", check = "flag"
  )
  recorded(result, match.call(), substitute(y))
}

#' @rdname hetsel_knockoffs
#' @export
hetsel_knockoffs.formula <- formula_method("hetsel_knockoffs")

#' @rdname hetsel_knockoffs
#' @export
hetsel_knockoffs.data.frame <- data_frame_method("hetsel_knockoffs")
