#' @param method key of the method; \code{\link{hetsel_methods}} lists them.
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
#' @param never columns that are never in.
#' @param column_groups columns that come and go together.
#' @param costs what a column costs, others nothing; ties then go to the cheaper subset.
#' @param budget most that a subset may cost.
#' @param params parameters of the method by name.
#' @param always columns that are in every signature: first in a ranking, never eliminated.
#' @param unsupported columns of a kind that the method does not take: \code{"error"} refuses them,
#'   \code{"skip"} leaves them without a rank.
#' @param row_weights weights of the rows, numbers above 0 (a row of weight 0 is left out), for the
#'   methods that weigh rows: rfe-mkl, rfe-svm, rfe-svm-printed; a row of weight 2 counts as two, so
#'   that those of a survey are better divided by their mean.
#' @param missing what becomes of missing cells: \code{"impute"} fills them with the median or the
#'   most frequent level, \code{"separate"} keeps missing as a value of its own, \code{"error"}
#'   refuses them.
#' @param seed seed of all that is drawn, a whole number; the same call gives the same answer.
