#' p-values of a ranking by permutations of the target
#'
#' @description Ranks the features, and again with a permuted target, its labels, numbers or times,
#' many times: how large would the importances be if the target knew nothing of the features?
#' @inheritParams hetsel_halves
#' @param permutations how often the target is permuted; no p-value is below
#'   1 / (\code{permutations} + 1).
#' @details The method must rank all features, by importances that compare over permutations: by
#' what it gives a feature while all are there, in an elimination at its first step. The p-value of
#' a feature by itself is (1 + number of permutations with as large a value) / (1 +
#' \code{permutations}); adjusted for all features, with the largest value of each permutation.
#' \code{\link[stats]{p.adjust}} of \code{pvalue}, with \code{"BH"} or \code{"BY"}, adjusts for a
#' false discovery rate.
#' @return A list of class \code{hetsel_permuted} with
#' \item{features}{data frame by rank: \code{feature}, \code{rank}, \code{statistic},
#'   \code{pvalue} of each by itself, and \code{adjusted} for all features.}
#' \item{permuted}{matrix of the values under the permuted target, permutations by features.}
#' \item{permutations, columns, cautions, ...}{as given, and as in \code{\link{hetsel_rank}}.}
#' @references Phipson, B. and Smyth, G. K. (2010) Permutation P-values should never be zero.
#' \emph{Statistical Applications in Genetics and Molecular Biology} 9, 39.
#'
#' Westfall, P. H. and Young, S. S. (1993) \emph{Resampling-Based Multiple Testing}. Wiley.
#' @seealso \code{\link{hetsel_knockoffs}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' hetsel_permuted(case ~ ., women, method = "hsic", permutations = 99, row_groups = "rows")
#' @export
hetsel_permuted <- function(x, ...) UseMethod("hetsel_permuted")

#' @rdname hetsel_permuted
#' @export
hetsel_permuted.default <- function(x, y, method = "rfe-mkl", permutations = 199,
                                    row_groups = NULL, missing = "impute", nominal = NULL,
                                    ordinal = NULL, continuous = NULL, seed = 0, ...,
                                    scale = "range", params = list()) {
  result <- ask_judged(
    "permuted", environment(), params_given(params, ...), permutations = "number"
  )
  recorded(result, match.call(), substitute(y))
}

#' @rdname hetsel_permuted
#' @export
hetsel_permuted.formula <- formula_method("hetsel_permuted")

#' @rdname hetsel_permuted
#' @export
hetsel_permuted.data.frame <- data_frame_method("hetsel_permuted")
