# Ask Python for the result of a default method's call; `...` are the types of its own options.
ask_judged <- function(name, call, params, ...) {
  data <- data_in(call)
  asked <- checked(
    c(method = "word", missing = "word", scale = "word", ...), call,
    formals(paste0("hetsel_", name, ".default"))
  )
  answer <- ask_table(
    name, c(data, asked),
    seed = seed_of(call$seed), options = options_in(call, data, params)
  )
  structure(as_written(answer, data), class = c(paste0("hetsel_", name), "hetsel_judged"))
}

#' Print Stability Selection, Knockoffs and Permuted Rankings
#'
#' @description Print the results of \code{\link{hetsel_halves}}, \code{\link{hetsel_knockoffs}} and
#' \code{\link{hetsel_permuted}}. These methods do not need Python.
#' @param x,object A result of one of these functions.
#' @param top Number of features to print, best first.
#' @param digits Significant digits.
#' @param ... Ignored.
#' @return \code{print} returns \code{x}, invisibly; \code{as.data.frame} the data frame
#' \code{features}; \code{summary} a list that also prints the columns.
#' @seealso \code{\link{hetsel_halves}}, \code{\link{hetsel_knockoffs}},
#'   \code{\link{hetsel_permuted}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' permuted <- hetsel_permuted(case ~ ., women, permutations = 19, row_groups = "rows")
#' print(permuted, top = 2)
#' as.data.frame(permuted)
#' @export
print.hetsel_judged <- function(x, top = 20, digits = 3, ...) {
  cat(heading(x), sep = "\n")
  print_lines(x$said)
  table <- utils::head(x$features, drawn(top))
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], formatC, digits = digits, format = "g")
  if (!is.null(table$selected)) table$selected <- ifelse(table$selected, "*", "")
  print_features(table, nrow(x$features))
  print_open_ends(x)
  invisible(x)
}

#' @export
print.summary.hetsel_judged <- function(x, ...) {
  print.hetsel_judged(x, top = 40)
  print_columns(x)
  invisible(x)
}

#' @rdname print.hetsel_judged
#' @eval methods_of(summary = "hetsel_judged", as.data.frame = "hetsel_judged")
as.data.frame.hetsel_judged <- function(x, ...) x$features

#' Stability Selection
#'
#' @description Select features by stability selection: draw random pairs of half-samples, select
#' features in each, and keep the features that are selected most often, with an upper bound on the
#' expected number of false selections.
#' @param x,y,method,missing,nominal,ordinal,continuous,seed,scale As in \code{\link{hetsel_rank}};
#'   the seed also determines the half-samples, knockoffs and permutations.
#' @template model
#' @param size Number of features that the method selects in each half-sample; the bound grows with
#'   its square.
#' @param threshold Selection frequency from which on a feature is kept; \code{NULL} uses the
#'   smallest threshold for which the expected number of false selections is at most \code{bound}.
#' @param bound The largest expected number of false selections, used if \code{threshold} is
#'   \code{NULL}.
#' @param pairs Number of pairs of half-samples; the method runs twice per pair.
#' @param assumption Assumption under which the bound holds: \code{"unimodal"}, \code{"r-concave"},
#'   \code{"none"} or \code{"meinshausen-buehlmann"}. \code{"none"} needs no assumption. Pure noise
#'   violates \code{"r-concave"} at thresholds below 1/2.
#' @param row_groups One label per row, or a column of the table by name or as \code{~ id}, which
#'   then is no feature (with a formula, unless the formula names it). Rows of one label are in the
#'   same half-sample and are permuted together. \code{"copies"} groups equal or nearly equal rows;
#'   a table with such rows needs \code{row_groups}. \code{"rows"} treats each row as a separate
#'   group.
#' @param params,... Parameters of the method, in a list or by name; the formula method also passes
#'   the arguments above on.
#' @param always Features that every signature includes; they are not counted.
#' @return A list of class \code{hetsel_halves} with the elements
#' \item{features}{data frame, most frequent first: \code{feature}, \code{frequency} (the selection
#'   frequency, the proportion of half-samples that select it), and \code{selected}, whether it
#'   reaches the threshold.}
#' \item{selected, kept}{names of the features that reach the threshold; \code{kept} is the same if
#'   they are more than twice as many as the bound, else empty, since half of them could be false.}
#' \item{threshold, bound}{the threshold, and the bound on the expected number of false selections.
#'   A false selection is a selected feature that a half-sample selects with a probability of at
#'   most \code{size} / p.}
#' \item{halves}{logical matrix, half-samples by features; rows 1 and 2 are the first pair.}
#' \item{size, assumption, pairs, columns, cautions, ...}{the arguments, and the elements of
#'   \code{\link{hetsel_rank}}.}
#' @references Meinshausen, N. and Buehlmann, P. (2010) Stability selection. \emph{Journal of the
#' Royal Statistical Society B} 72, 417--473.
#'
#' Shah, R. D. and Samworth, R. J. (2013) Variable selection with error control: another look at
#' stability selection. \emph{Journal of the Royal Statistical Society B} 75, 55--80.
#' @seealso \code{\link{hetsel_select}}, \code{\link{hetsel_stability}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "induced", "case")]
#' hetsel_halves(case ~ ., women, size = 1, method = "hsic", pairs = 10,
#'               row_groups = infert$stratum)
#' @eval model_methods("hetsel_halves")
#' @export
hetsel_halves <- function(x, ...) UseMethod("hetsel_halves")

#' @rdname hetsel_halves
#' @export
hetsel_halves.default <- function(x, y, size, method = "rfe-mkl", threshold = NULL, bound = 1,
                                  pairs = 50, assumption = "unimodal", row_groups = NULL,
                                  missing = "impute", nominal = NULL, ordinal = NULL,
                                  continuous = NULL, seed = 0, ..., scale = "range",
                                  params = list(), always = NULL) {
  refuse_if(missing(size),
    "size is missing", fix = "Pass the number of features to select in each half-sample",
    argument = "size"
  )
  result <- ask_judged(
    "halves", environment(), params_given(params, ...),
    size = "number", threshold = "number", bound = "number", pairs = "number", assumption = "word"
  )
  recorded(result, match.call(), substitute(y))
}

#' Select Features at a False Discovery Rate by Knockoffs
#'
#' @description Select features at a false discovery rate. A method ranks the features together with
#' knockoffs, random copies with the same dependence among the columns but independent of the
#' target, and the features with larger importances than their knockoffs are selected. A feature is
#' a false discovery if the target does not depend on it given all other features.
#' @inheritParams hetsel_halves
#' @template model
#' @param fdr The false discovery rate. At least 1 / \code{fdr} features are selected, or none.
#' @param repeats Number of draws of knockoffs; the method runs once per draw, with twice the
#'   columns.
#' @param run_fdr False discovery rate of the threshold of each draw, if there are several;
#'   \code{NULL} uses half of \code{fdr}. The result has the rate \code{fdr} for any value.
#' @param check Whether to refuse a table whose knockoffs do not have the dependence of its columns;
#'   with \code{FALSE} the false discovery rate is not controlled.
#' @details The target must have classes: numeric targets and survival times are refused. With
#' \code{missing = "separate"}, continuous columns must be complete. The rate is proved for
#' knockoffs drawn from the true distribution of the table; here the distribution is estimated. The
#' rows must be independent: a table with equal or nearly equal rows is refused.
#' @return A list of class \code{hetsel_knockoffs} with the elements
#' \item{features}{data frame, best first: \code{feature}; \code{W}, the importance minus that of
#'   the knockoff, mean over the draws; \code{evalue}; and \code{selected}.}
#' \item{selected}{names of the selected features.}
#' \item{W, thresholds}{matrix of W, draws by features, and the threshold in each draw, \code{Inf}
#'   where nothing is selected.}
#' \item{fdr, run_fdr}{the rates.}
#' \item{by_rank}{whether ranks were compared in place of importances, as for eliminations, whose
#'   importances are not comparable.}
#' \item{columns, cautions, ...}{as in \code{\link{hetsel_rank}}.}
#' @references Candes, E., Fan, Y., Janson, L. and Lv, J. (2018) Panning for gold: model-X knockoffs
#' for high dimensional controlled variable selection. \emph{Journal of the Royal Statistical
#' Society B} 80, 551--577.
#'
#' Ren, Z. and Barber, R. F. (2024) Derandomised knockoffs: leveraging e-values for false discovery
#' rate control. \emph{Journal of the Royal Statistical Society B} 86, 122--154.
#' @seealso \code{\link{hetsel_permuted}}, which tests each feature separately
#' @examplesIf hetsel_available()
#' set.seed(1)
#' x <- as.data.frame(matrix(rnorm(200 * 12), 200))
#' y <- rowSums(x[1:6]) + rnorm(200) > 0
#' hetsel_knockoffs(x, y, method = "l1-logistic")
#' @eval model_methods("hetsel_knockoffs")
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

#' Permutation Tests of Importances
#'
#' @description Test the importances of a ranking: rank the features again for permuted targets, and
#' compare the importances with those under the null hypothesis that the target is independent of
#' the features.
#' @inheritParams hetsel_halves
#' @template model
#' @param permutations Number of permutations of the target; no p-value is below 1 /
#'   (\code{permutations} + 1).
#' @details The method must rank all features by importances that are comparable across
#' permutations. In an elimination these are the importances at the first step, where all features
#' are present. The p-value of a feature is (1 + number of permutations with at least the same
#' value) / (1 + \code{permutations}). The adjusted p-value uses the largest value of each
#' permutation over all features. \code{\link[stats]{p.adjust}} of \code{pvalue} with \code{"BH"} or
#' \code{"BY"} controls the false discovery rate.
#' @return A list of class \code{hetsel_permuted} with the elements
#' \item{features}{data frame by rank: \code{feature}, \code{rank}, \code{statistic}, \code{pvalue}
#'   of the feature alone, and \code{adjusted}, its p-value adjusted for all features.}
#' \item{permuted}{matrix of the values for permuted targets, permutations by features.}
#' \item{permutations, columns, cautions, ...}{the argument, and the elements of
#'   \code{\link{hetsel_rank}}.}
#' @references Phipson, B. and Smyth, G. K. (2010) Permutation P-values should never be zero.
#' \emph{Statistical Applications in Genetics and Molecular Biology} 9, 39.
#'
#' Westfall, P. H. and Young, S. S. (1993) \emph{Resampling-Based Multiple Testing}. Wiley.
#' @seealso \code{\link{hetsel_knockoffs}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' hetsel_permuted(case ~ ., women, method = "hsic", permutations = 99, row_groups = "rows")
#' @eval model_methods("hetsel_permuted")
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
