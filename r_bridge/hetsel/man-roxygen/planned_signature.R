#' @param method Key of the method; \code{\link{hetsel_methods}} lists all keys.
#' @param size Number of features, or the rule that chooses it, as in \code{\link{hetsel_select}}:
#'   \code{"one-se"}, \code{"quarter-se"}, \code{"knee"} or \code{"equal"}. Default:
#'   \code{"quarter-se"} for classes, else \code{"one-se"}.
#' @param never Columns to exclude from every subset. Only for methods that search, such as
#'   sffs-5nn.
#' @param column_groups Columns to add and remove together. Only for methods that search, such as
#'   sffs-5nn.
#' @param costs Cost of each named column; other columns cost nothing. The cheaper of two tied
#'   subsets wins. Only for methods that search, such as sffs-5nn.
#' @param budget Largest total cost of a subset. Only for methods that search, such as sffs-5nn.
#' @param params Parameters of the method by name.
#' @param always Columns to include in every signature: they are ranked first and never eliminated.
#' @param unsupported Handling of columns of a kind that the method cannot use. \code{"error"}:
#'   refuse them. \code{"skip"}: leave them without a rank.
#' @param positive Positive class, of two classes. Default: yes, true, 1, or the last class by name.
#' @param folds Number of folds of the cross-validations.
#' @param target_kind Kind of the target. Default: \code{"survival"} for survival times, else
#'   \code{"classes"}; the shell and R use \code{"numbers"} for fractions.
#' @param nominal Columns to read as unordered levels, whatever their type.
#' @param continuous Columns to read as numbers or dates, whatever their type.
#' @param ordinal Columns to read as ordered numbers, or a mapping of a column to its levels from
#'   lowest to highest.
#' @param scale Scaling of continuous columns. \code{"range"}: by their range, which one outlier can
#'   stretch. \code{"quantile"}: by the proportion of rows with a smaller value. \code{"robust"}: by
#'   the range of the middle 90\% of the rows.
#' @param missing Handling of missing values. \code{"impute"}: replace them with the median or the
#'   most frequent level. \code{"separate"}: treat missing as a separate value. \code{"error"}:
#'   refuse them.
#' @param seed Seed of all random numbers, a whole number. The same call gives the same result.
#' @param jobs Largest number of processes. Results do not depend on it.
