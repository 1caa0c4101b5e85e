#' Stability of Feature Selection
#'
#' @description Measure the agreement of signatures that were selected from resampled rows.
#' @param x A list of signatures, each as names or positions of features or as a result of
#'   \code{\link{hetsel_rank}}, \code{\link{hetsel_search}} or \code{\link{hetsel_select}}; or a
#'   logical matrix with one row per signature and one column per feature; or a result of
#'   \code{\link{hetsel_halves}} or \code{\link{hetsel_study}}.
#' @param p Number of features to select from; not needed for a matrix and for results of hetsel.
#' @param level Confidence level of the interval.
#' @details
#' For K signatures of sizes \eqn{s_i} from p features, where \eqn{c_f} signatures contain feature
#' f, and \eqn{N = \sum_i s_i}{N = sum s_i}:
#' \describe{
#' \item{\code{kuncheva}}{Kuncheva's index, the mean over the pairs of
#'   \eqn{(|S_i \cap S_j| - s^2/p) / (s - s^2/p)}{(|S_i & S_j| - s^2/p) / (s - s^2/p)}; for
#'   signatures of one size, else \code{NA}. It is 0 for random signatures.}
#' \item{\code{cw_rel}}{relative weighted consistency: \eqn{\sum_f c_f (c_f - 1)}{ sum c_f (c_f -
#'   1)}, scaled from 0 at the minimum to 1 at the maximum for N. It is about 1/K for random
#'   signatures.}
#' \item{\code{ati}}{average Tanimoto index, the mean over the pairs of
#'   \eqn{|S_i \cap S_j| / |S_i \cup S_j|}{|S_i & S_j| / |S_i | S_j|}; not corrected for chance.}
#' \item{\code{nogueira}}{\eqn{1 - \frac{1}{p} \sum_f \frac{K}{K-1} \frac{c_f}{K}
#'   (1 - \frac{c_f}{K}) / (\frac{m}{p} (1 - \frac{m}{p}))}{1 - (1/p) sum_f K/(K-1) (c_f/K)
#'   (1 - c_f/K) / ((m/p) (1 - m/p))}, m = N / K; Kuncheva's index for signatures of any sizes.}
#' \item{\code{low}, \code{high}}{approximate confidence interval of \code{nogueira}; \code{NA}
#'   where fewer than three signatures differ from the most common one. For resamplings of one
#'   table, the interval covers the choice of resamplings, not the choice of rows.}
#' }
#' Signatures of all p features are identical, and every measure is 1.
#' @return A data frame with the number of \code{subsets} (signatures) and of \code{features}, and
#' one column per measure. It has one row; for a study one row per \code{dataset}, \code{method} and
#' \code{size}.
#' @references Kuncheva, L. I. (2007) A stability index for feature selection. \emph{Artificial
#' Intelligence and Applications}, 390--395.
#'
#' Nogueira, S., Sechidis, K. and Brown, G. (2018) On the stability of feature selection algorithms.
#' \emph{Journal of Machine Learning Research} 18(174), 1--54.
#'
#' Somol, P. and Novovicova, J. (2010) Evaluating stability and comparing output of feature
#' selectors that optimize feature subset cardinality. \emph{IEEE Transactions on Pattern Analysis
#' and Machine Intelligence} 32, 1921--1939.
#' @seealso \code{\link{hetsel_halves}}, \code{\link{hetsel_study}}, \code{\link{signatures}}
#' @examplesIf hetsel_available()
#' hetsel_stability(list(c("age", "sex"), c("age", "pain"), c("age", "sex")), p = 13)
#' @export
hetsel_stability <- function(x, p = NULL, level = 0.95) {
  level <- checks$number(level, "level")
  if (inherits(x, "hetsel_study")) {
    return(ask("study_stability", store = x$store, digest = x$digest, level = level))
  }
  chosen <- signature_matrix(x, p)
  ask("stability", chosen = as.vector(chosen), subsets = nrow(chosen), level = level)
}

# Which signature (rows) has which feature (columns).
signature_matrix <- function(x, p) {
  if (inherits(x, "hetsel_halves")) x <- x$half_samples
  if (is.matrix(x)) {
    refuse_if(!is.logical(x) || anyNA(x),
      "a matrix x must be logical, without NA", got(x[1]), argument = "x"
    )
    check_features(p, ncol(x), exactly = TRUE)
    return(x)
  }
  refuse_if(!is.list(x) || is.data.frame(x) || inherits(x, result_classes),
    "x must be a list of signatures, a logical matrix or a study", got(x), argument = "x"
  )
  results <- vapply(x, inherits, NA, result_classes)
  if (any(results)) {
    features <- x[results][[1]]$columns$name
    refuse_if(!all(vapply(x[results], function(one) setequal(one$columns$name, features), NA)),
      "all results in x must be of the same table. Got results with different columns",
      argument = "x"
    )
    check_features(p, length(features), exactly = TRUE)
    p <- length(features)
  }
  refuse_if(is.null(p),
    "p is missing", fix = "Pass the number of features to select from", argument = "p"
  )
  check_features(p, 1, exactly = FALSE)
  signatures <- lapply(x, signature_in)
  if (all(vapply(signatures, is.character, NA))) {
    names <- unique(unlist(signatures))
    check_features(p, length(names), exactly = FALSE)
    signatures <- lapply(signatures, match, names)
  }
  masks <- lapply(signatures, places_marked, p)
  matrix(unlist(masks), length(masks), p, byrow = TRUE)
}

# The features of a signature, by name or position.
signature_in <- function(one) {
  if (inherits(one, result_classes)) {
    return(variable.names(one))
  }
  one <- if (is.factor(one)) as.character(one) else one
  refuse_if(is.character(one) && anyNA(one),
    "a signature must contain names of features. Got NA", fix = "Remove it", argument = "x"
  )
  one
}

places_marked <- function(places, p) {
  refuse_if(length(places) && !is.numeric(places),
    "all signatures must contain names of features, or all positions", got(places),
    argument = "x"
  )
  refuse_if(anyDuplicated(places) || !all(places %in% seq_len(p)),
    "a signature must contain different features in 1..", p, ". Got ",
    paste(utils::head(places, 10), collapse = ", "),
    argument = "x"
  )
  seq_len(p) %in% places
}

check_features <- function(p, known, exactly) {
  larger <- !exactly && !is.null(p) && one_of(p, "p", is.numeric) == round(p) && p > known
  refuse_if(!(is.null(p) || larger || one_of(p, "p", is.numeric) == known),
    "p must be ", known, if (!exactly) " or larger", ", the number of features", got(p),
    argument = "p"
  )
}
