# The answer by the call of a default method; `...` are the types of its own options.
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

#' Show what a ranking is worth
#'
#' @description Prints what \code{\link{hetsel_halves}}, \code{\link{hetsel_knockoffs}} and
#' \code{\link{hetsel_permuted}} return. None of these needs Python.
#' @param x,object a result of one of these.
#' @param top number of features to print, best first.
#' @param digits significant digits.
#' @param ... ignored.
#' @return \code{as.data.frame} returns the data frame \code{features}, \code{summary} a list that
#' prints the columns, too.
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' found <- hetsel_permuted(case ~ ., women, permutations = 19, row_groups = "rows")
#' print(found, top = 2)
#' as.data.frame(found)
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

#' Stability selection
#'
#' @description
#' Parts the rows at random into two halves, many times, lets a method select in each half, and
#' keeps the features that most halves select, with a bound on the expected number of false ones.
#' @param x,y,method,missing,nominal,ordinal,continuous,seed,scale as in \code{\link{hetsel_rank}};
#'   the seed draws halves, knockoffs and permutations, too.
#' @template model
#' @param size number of features that the method selects in each half; the bound grows with its
#'   square.
#' @param threshold share of the halves from which on a feature is kept; \code{NULL} takes the
#'   smallest one that keeps the expected number of false selections at \code{bound} or below.
#' @param bound that number, where no threshold is given.
#' @param pairs number of pairs of halves; the method is run twice for each.
#' @param assumption what the bound is proved under: \code{"unimodal"}, \code{"r-concave"},
#'   \code{"none"}, or \code{"meinshausen-buehlmann"}. \code{"none"} assumes nothing; plain noise
#'   breaks \code{"r-concave"} at thresholds below 1/2.
#' @param row_groups a label per row, or a column of the table by its name or as \code{~ id}, which
#'   then is no feature (beside a formula, unless it names it): rows of one label are in the same
#'   half, and are permuted together. \code{"copies"} are the groups of equal or nearly equal rows,
#'   which a table may only have where this is given; \code{"rows"} takes each row as one of its
#'   own.
#' @param params,... parameters of the method, in a list or by name; the formula method passes the
#'   arguments above on, too.
#' @param always columns that every signature holds; they are not counted.
#' @return A list of class \code{hetsel_halves} with
#' \item{features}{data frame, the most frequent first: \code{feature}, \code{frequency}, the share
#'   of the halves that select it, and \code{selected}, whether that reaches the threshold.}
#' \item{selected, kept}{names of the features that reach the threshold, and the same if they are
#'   more than twice as many as the bound, else none: then half of them may be false.}
#' \item{threshold, bound}{the share, and the bound on the expected number of false selections:
#'   features that one half selects with a probability of \code{size} / p or less.}
#' \item{halves}{logical matrix, halves by features; rows 1 and 2 are the halves of one pair.}
#' \item{size, assumption, pairs, columns, cautions, ...}{as they were given, and as in
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
    "size is missing", fix = "give the number of features that are selected in each half",
    argument = "size"
  )
  result <- ask_judged(
    "halves", environment(), params_given(params, ...),
    size = "number", threshold = "number", bound = "number", pairs = "number", assumption = "word"
  )
  recorded(result, match.call(), substitute(y))
}

#' Selection at a false discovery rate by knockoffs
#'
#' @description Lets a method rank the columns together with knockoffs of them, random copies that
#' go together as the columns do and know nothing of the target, and selects the features that win
#' against their knockoffs, at a false discovery rate. False is a feature on which the target does
#' not depend once all others are known.
#' @inheritParams hetsel_halves
#' @template model
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

#' p-values of a ranking by permutations of the target
#'
#' @description Ranks the features, and again with a permuted target, its labels, numbers or times,
#' many times: how large would the importances be if the target knew nothing of the features?
#' @inheritParams hetsel_halves
#' @template model
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
