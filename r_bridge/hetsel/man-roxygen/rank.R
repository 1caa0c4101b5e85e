#' @param method Key of the method; \code{\link{hetsel_methods}} lists all keys.
#' @param size Number of features to select. Default: half of the features, or the best size of a
#'   search. A ranking lists all features.
#' @param target_kind Kind of the target. Default: \code{"survival"} for survival times,
#'   \code{"classes"} for text and other categories, \code{"numbers"} if some numbers are not whole.
#'   Whole numbers are \code{"classes"} if they have at most 20 different values; for more, specify
#'   \code{"numbers"} or \code{"classes"}. \code{"martingale"} is for survival times and a method
#'   for numeric targets. The method then uses the martingale residuals of the model without
#'   features, which are larger where an event came sooner than expected.
#'   \code{\link{hetsel_methods}} lists the methods for each kind.
#' @param nominal Columns to read as unordered levels, whatever their type.
#' @param continuous Columns to read as numbers or dates, whatever their type.
#' @param ordinal Columns to read as ordered levels with equal distances. For numbers and ordered
#'   factors, the name is enough. For other columns pass a list with the levels from lowest to
#'   highest, such as \code{list(stage = c("I", "II", "III"))}.
#' @param row_groups Group of each row, such as the patient. Methods that hold out rows keep the
#'   rows of a group together. \code{"copies"}: hetsel looks for groups itself: duplicate rows
#'   (equal or nearly equal), and rows with the same value in a column whose name marks an
#'   identifier, such as patient. If it finds duplicate rows and an identifier, it uses whichever
#'   puts more rows into groups. An identifier that hetsel finds stays a feature in any case.
#'   \code{"rows"}: each row is a separate group.
#' @param scale Scaling of continuous columns. \code{"range"}: divide by the range, which one
#'   outlier can stretch. \code{"quantile"}: replace each value by the proportion of rows with a
#'   smaller value. \code{"robust"}: divide by the range of the middle 90\% of the rows.
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
#' @param row_weights Weight of each row: a number above 0, or 0 to leave the row out. A row of
#'   weight 2 counts as two rows, so divide survey weights by their mean. Only for rfe-mkl, rfe-svm
#'   and rfe-svm-printed.
#' @param missing Handling of missing values. \code{"impute"}: replace them with the median, or in
#'   nominal columns with the most frequent level. \code{"separate"}: missing is a value of its own,
#'   equal to other missing values and different from all numbers and levels. \code{"error"}: refuse
#'   them.
#' @param seed Seed of the random numbers, a whole number. The same call gives the same result.
