#' Stability selection
#'
#' @description
#' Parts the rows at random into two halves, many times, lets a method select in each half, and
#' keeps the features that most halves select, with a bound on the expected number of false ones.
#' @param x,y,formula,data,subset,na.action,method,missing,nominal,ordinal,continuous,seed,scale as
#'   in \code{\link{hetsel_rank}}; the seed draws halves, knockoffs and permutations, too.
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

#' @rdname hetsel_halves
#' @export
hetsel_halves.formula <- formula_method("hetsel_halves")

#' @rdname hetsel_halves
#' @export
hetsel_halves.data.frame <- data_frame_method("hetsel_halves")
