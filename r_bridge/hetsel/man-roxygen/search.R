#' @param search Search algorithm. \code{"bif"}: best individual features. \code{"sfs"},
#'   \code{"sbs"}: sequential forward and backward selection. \code{"sffs"}, \code{"sbfs"}: their
#'   floating forms. \code{"os"}: oscillating search, which needs a size. \code{"dos"}: dynamic
#'   oscillating search. \code{"exhaustive"}: all subsets. \code{"branch-and-bound"}: all subsets of
#'   a size, for a criterion that never decreases when a feature is added.
#' @param criterion Criterion to maximize: \code{"5nn"} (with any number of neighbors),
#'   \code{"naive-bayes"}, \code{"svm"}, \code{"gaussian-svm"}, \code{"ridge"},
#'   \code{"bhattacharyya"}, \code{"divergence"}, \code{"mahalanobis"}, \code{"hsic"},
#'   \code{"alignment"}, \code{"gaussian-alignment"}, \code{"class-separability"},
#'   \code{"frobenius"}, \code{"consistency"} or \code{"mutual-information"}. Several criteria form
#'   an ensemble; the shell takes them separated by commas.
#' @param size Number of features to select. Default: half of the features, or the best size of a
#'   search. A ranking lists all features.
#' @param target_kind Kind of the target. Use \code{"martingale"} to rank or search survival times
#'   with a method for numeric targets: it then takes the martingale residuals of the model without
#'   features, which are larger where an event came sooner than expected.
#'   \code{\link{hetsel_methods}} lists the methods for each kind. Default: \code{"numbers"} for
#'   fractions, \code{"survival"} for survival times, else \code{"classes"}.
#' @param nominal Columns to read as unordered levels, whatever their type.
#' @param continuous Columns to read as numbers or dates, whatever their type.
#' @param ordinal Columns to read as ordered numbers, or a mapping of a column to its levels from
#'   lowest to highest.
#' @param row_groups Group of each row, such as the patient. Methods that hold out rows keep the
#'   rows of a group together. \code{"copies"}: equal and nearly equal rows form a group.
#'   \code{"rows"}: each row is a separate group.
#' @param scale Scaling of continuous columns. \code{"range"}: by their range, which one outlier can
#'   stretch. \code{"quantile"}: by the proportion of rows with a smaller value. \code{"robust"}: by
#'   the range of the middle 90\% of the rows.
#' @param folds Number of folds of the cross-validation of the criterion. Default: set by the
#'   criterion.
#' @param repeats Number of repeats of this cross-validation. Default: set by the criterion.
#' @param rate Score to cross-validate. For classes: \code{"bcr"} (balanced accuracy),
#'   \code{"accuracy"} or \code{"auc"} (with more than two classes the mean over pairs, Hand and
#'   Till 2001). For numbers: \code{"r2"}. For survival times: \code{"concordance"}. For the
#'   criterion ridge also \code{"press"}. Default: set by the criterion.
#' @param sample Number of rows of a larger table that a criterion with quadratic cost uses, or
#'   \code{"all"}. The sample does not depend on the order of the rows. Default: 10,000 for nearest
#'   neighbors, 5,000 for support vector machines and Gaussian kernels.
#' @param count Number of features or groups to add or remove at once. Where a size or a budget
#'   leaves no room for so many, the search adds or removes one.
#' @param early_stopping Stop \code{"sfs"} when no added feature increases the score, and
#'   \code{"sbs"} when every removed feature decreases it. The size is the one at which the search
#'   stops.
#' @param depth Reach of the search. \code{"sffs"}, \code{"sbfs"}: number of sizes beyond the
#'   specified one. \code{"os"}, \code{"dos"}: number of features per swing. Default: 0 sizes or 5
#'   features.
#' @param ties Proportion of the largest score within which two subsets tie, for example 0.01. Of
#'   tied subsets the search chooses the one with fewer features or lower cost. With several
#'   proportions the first decides, and the result lists the subset of each.
#' @param voting Voting rule of an ensemble; the best mean vote wins. \code{"order"}: a vote is a
#'   dense rank, where equal values share a rank and the next value gets the next rank.
#'   \code{"median"}: equal values get the median of their ranks. \code{"weighted"}: a vote is the
#'   difference from the best value. \code{"trimmed-order"}, \code{"trimmed-median"} and
#'   \code{"trimmed-weighted"} leave out the best and the worst vote of each candidate. Default: the
#'   mean of the criteria decides.
#' @param hybrid Proportion of the candidates that a filter passes on to the criterion. Default: 1,
#'   without the filter.
#' @param prefilter Filter that \code{hybrid} uses.
#' @param never Columns to exclude from every subset.
#' @param column_groups Columns to add and remove together.
#' @param costs Cost of each named column; other columns cost nothing. The cheaper of two tied
#'   subsets wins.
#' @param budget Largest total cost of a subset.
#' @param always Columns to include in every subset.
#' @param max_seconds Seconds after which the search ends with the subsets found so far. Default: no
#'   limit.
#' @param max_evaluations Number of evaluated subsets after which the search ends with the subsets
#'   found so far. Default: no limit.
#' @param archive File that keeps every evaluation. After a crash or an interrupt the same search
#'   continues from it.
#' @param missing Handling of missing values. \code{"impute"}: replace them with the median or the
#'   most frequent level. \code{"separate"}: treat missing as a separate value. \code{"error"}:
#'   refuse them.
#' @param seed Seed of all random numbers, a whole number. The same call gives the same result.
