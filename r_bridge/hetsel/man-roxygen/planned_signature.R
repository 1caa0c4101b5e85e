#' @param method Key of the method; \code{\link{hetsel_methods}} lists all keys.
#' @param size Number of features, or the rule that chooses it, as in \code{\link{hetsel_select}}:
#'   \code{"one-se"}, \code{"quarter-se"}, \code{"knee"} or \code{"equal"}. Default:
#'   \code{"quarter-se"} for classes, else \code{"one-se"}.
#' @param never Columns that are never selected. They stay in the table: hetsel still uses them, for
#'   example to find duplicate rows. Only for methods that search subsets: their keys begin with
#'   sfs, sffs or dos.
#' @param column_groups Groups of columns to add and remove together: a list of vectors of names,
#'   such as \code{list(c("sbp", "dbp"))}. Only for methods that search subsets: their keys begin
#'   with sfs, sffs or dos.
#' @param costs Cost of each named column; other columns cost nothing. Of two subsets that tie, the
#'   search chooses the cheaper one. Only for methods that search subsets: their keys begin with
#'   sfs, sffs or dos.
#' @param budget Largest total cost of a subset. Only for methods that search subsets: their keys
#'   begin with sfs, sffs or dos.
#' @param params Parameters of the method by name.
#' @param always Columns to include in every signature: they are ranked first and never eliminated.
#' @param unsupported Handling of columns of a kind that the method cannot use. \code{"error"}:
#'   refuse them. \code{"skip"}: leave them without a rank, so that they are not selected.
#' @param positive Positive class of a target with two classes. Default: the class named yes, true,
#'   1 or similar, else the last class in alphabetical or numerical order.
#' @param folds Number of folds of the cross-validations.
#' @param target_kind Kind of the target. Default: \code{"survival"} for survival times,
#'   \code{"numbers"} if some values are not whole numbers, else \code{"classes"}. More than 20
#'   different whole numbers have no default: specify \code{"numbers"} or \code{"classes"}.
#' @param nominal Columns to read as unordered levels, whatever their type.
#' @param continuous Columns to read as numbers or dates, whatever their type.
#' @param ordinal Columns to read as ordered levels with equal distances. For numbers and ordered
#'   factors, the name is enough. For other columns pass a list with the levels from lowest to
#'   highest, such as \code{list(stage = c("I", "II", "III"))}.
#' @param scale Scaling of continuous columns. \code{"range"}: divide by the range, which one
#'   outlier can stretch. \code{"quantile"}: replace each value by the proportion of rows with a
#'   smaller value. \code{"robust"}: divide by the range of the middle 90\% of the rows.
#' @param missing Handling of missing values. \code{"impute"}: replace them with the median, or in
#'   nominal columns with the most frequent level. \code{"separate"}: missing is a value of its own,
#'   equal to other missing values and different from all numbers and levels. \code{"error"}: refuse
#'   them.
#' @param seed Seed of the random numbers, a whole number. The same call gives the same result.
#' @param jobs Largest number of processes. Results do not depend on it.
