#' @param method key of the method; \code{\link{hetsel_methods}} lists them.
#' @param size as in \code{\link{hetsel_select}}: \code{"one-se"}, \code{"quarter-se"},
#'   \code{"knee"}, \code{"equal"}, or a number.
#' @param never columns that are never in.
#' @param column_groups columns that come and go together.
#' @param costs what a column costs, others nothing; ties then go to the cheaper subset.
#' @param budget most that a subset may cost.
#' @param params parameters of the method by name.
#' @param always columns that are in every signature: first in a ranking, never eliminated.
#' @param unsupported columns of a kind that the method does not take: \code{"error"} refuses them,
#'   \code{"skip"} leaves them without a rank.
#' @param positive the positive one of two classes; default: yes, true, 1 or last.
#' @param folds of the cross-validations.
#' @param target_kind what the target holds; default: survival times where it has them, else
#'   classes; in the shell and in R fractions are numbers.
#' @param nominal columns of levels without order, whatever their type.
#' @param continuous columns of numbers, dates, whatever their type.
#' @param ordinal columns of ordered numbers, or by name the levels of each from lowest to highest.
#' @param scale what continuous columns are measured by: \code{"range"}, which one cell can stretch,
#'   \code{"quantile"}, the share of the rows below, or \code{"robust"}, the range of the middle 90
#'   \% of the rows.
#' @param missing what becomes of missing cells: \code{"impute"} fills them with the median or the
#'   most frequent level, \code{"separate"} keeps missing as a value of its own, \code{"error"}
#'   refuses them.
#' @param seed seed of all that is drawn, a whole number; the same call gives the same answer.
#' @param jobs processes at the most; they change no number.
