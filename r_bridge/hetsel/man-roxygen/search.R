#' @param search \code{"bif"} best individual features, \code{"sfs"}, \code{"sbs"} sequential
#'   forward and backward selection, \code{"sffs"}, \code{"sbfs"} their floating forms, \code{"os"}
#'   oscillating search (of a size), \code{"dos"} dynamic oscillating search, \code{"exhaustive"},
#'   or \code{"branch-and-bound"} (of a size, for a criterion that no feature makes smaller).
#' @param criterion what a subset is worth: \code{"5nn"} (any number), \code{"naive-bayes"},
#'   \code{"svm"}, \code{"gaussian-svm"}, \code{"ridge"}, \code{"bhattacharyya"},
#'   \code{"divergence"}, \code{"mahalanobis"}, \code{"hsic"}, \code{"alignment"},
#'   \code{"gaussian-alignment"}, \code{"class-separability"}, \code{"frobenius"},
#'   \code{"consistency"}, \code{"mutual-information"}; several are an ensemble.
#' @param size features that are selected; default: half of them, of a search the best size. A
#'   ranking has all.
#' @param target_kind what the target holds; default: fractions are numbers, survival times what
#'   they are, all else is classes. \code{"martingale"}, in ranks and searches: a method for numbers
#'   gets the martingale residuals of survival times of the model without features, larger where the
#'   event came sooner than expected. \code{\link{hetsel_methods}} says which methods take what.
#' @param nominal columns of levels without order, whatever their type.
#' @param continuous columns of numbers, dates, whatever their type.
#' @param ordinal columns of ordered numbers, or by name the levels of each from lowest to highest.
#' @param row_groups labels of the rows: methods that hold rows out hold those of one label (one
#'   patient, say) out together. \code{"copies"} groups equal and nearly equal rows, \code{"rows"}
#'   takes each as one of its own.
#' @param scale what continuous columns are measured by: \code{"range"}, which one cell can stretch,
#'   \code{"quantile"}, the share of the rows below, or \code{"robust"}, the range of the middle 90
#'   \% of the rows.
#' @param folds of the cross-validation of the criterion; default: its own number.
#' @param repeats of the folds; default: its own number.
#' @param rate what is cross-validated: of classes \code{"bcr"} (balanced classification rate),
#'   \code{"accuracy"} or \code{"auc"} (area under the ROC curve, of more classes the mean of their
#'   pairs, Hand and Till 2001), of numbers \code{"r2"}, of survival times \code{"concordance"};
#'   \code{"press"} of ridge; default: that of the criterion.
#' @param sample rows of a larger table at which a criterion looks whose time grows with their
#'   square, the same ones in any order of the rows, or \code{"all"}; default: 10,000 of neighbors,
#'   5,000 of machines and Gaussian kernels.
#' @param count features (or groups) that come or go at once; where a size or a budget leaves no
#'   room for so many, one.
#' @param early_stopping of \code{"sfs"} and \code{"sbs"}: end where no feature that comes makes the
#'   score larger, or every one that goes makes it smaller; the size is then where it ended.
#' @param depth how far the search strays: sizes beyond the one asked for (\code{"sffs"},
#'   \code{"sbfs"}; default 0), features on a swing (\code{"os"}, \code{"dos"}; default 5).
#' @param ties shares of the largest score that count as none, e.g. 0.01: among such subsets the one
#'   with fewer features (or of lower cost) is chosen. Of several the first decides; the answer has
#'   all.
#' @param voting how the members of an ensemble decide: by the mean of their places, equal values on
#'   the next place (\code{"order"}) or on the median of theirs (\code{"median"}), or of what a
#'   candidate falls short of the best (\code{"weighted"}); \code{"trimmed-order"} and the like
#'   leave the best and the worst vote of each candidate out; default: by the mean of their values.
#' @param hybrid share of the candidates that reach the criterion; default, and 1: all of them,
#'   without the filter.
#' @param prefilter of \code{hybrid}: the filter that chooses these.
#' @param never columns that are never in.
#' @param column_groups columns that come and go together.
#' @param costs what a column costs, others nothing; ties then go to the cheaper subset.
#' @param budget most that a subset may cost.
#' @param always columns that are always in.
#' @param max_seconds seconds after which the search ends, with what it has.
#' @param max_evaluations evaluated subsets after which the search ends, with what it has.
#' @param archive file that keeps every evaluation: after a crash or an interrupt the same search
#'   goes on where it was.
#' @param missing what becomes of missing cells: \code{"impute"} fills them with the median or the
#'   most frequent level, \code{"separate"} keeps missing as a value of its own, \code{"error"}
#'   refuses them.
#' @param seed seed of all that is drawn, a whole number; the same call gives the same answer.
