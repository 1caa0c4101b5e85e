#' @param method Key of the method; \code{\link{hetsel_methods}} lists all keys.
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
#' @param row_weights Weight of each row, a number above 0 (0 leaves the row out). A row of weight 2
#'   counts as two rows; divide survey weights by their mean. Only for rfe-mkl, rfe-svm and
#'   rfe-svm-printed.
#' @param missing Handling of missing values. \code{"impute"}: replace them with the median or the
#'   most frequent level. \code{"separate"}: treat missing as a separate value. \code{"error"}:
#'   refuse them.
#' @param seed Seed of all random numbers, a whole number. The same call gives the same result.
