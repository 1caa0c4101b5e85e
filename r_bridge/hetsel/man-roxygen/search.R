#' @param search Search algorithm. \code{"bif"}: best individual features. \code{"sfs"} and
#'   \code{"sbs"}: sequential forward and backward selection. \code{"sffs"} and \code{"sbfs"}: the
#'   same with floating steps. \code{"os"}: oscillating search, which needs a size. \code{"dos"}:
#'   dynamic oscillating search. \code{"exhaustive"}: all subsets. \code{"branch-and-bound"}: all
#'   subsets of a size, for a criterion that never decreases when a feature is added.
#' @param criterion Criterion to maximize: \code{"5nn"} (with any number of neighbors),
#'   \code{"naive-bayes"}, \code{"svm"}, \code{"gaussian-svm"}, \code{"ridge"},
#'   \code{"bhattacharyya"}, \code{"divergence"}, \code{"mahalanobis"}, \code{"hsic"},
#'   \code{"alignment"}, \code{"gaussian-alignment"}, \code{"class-separability"},
#'   \code{"frobenius"}, \code{"consistency"} or \code{"mutual-information"}. Several criteria form
#'   an ensemble.
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
#' @param folds Number of folds of the cross-validation of the criterion. Default: set by the
#'   criterion.
#' @param repeats Number of repeats of the cross-validation of the criterion. Default: set by the
#'   criterion.
#' @param rate Score to cross-validate. For classes: \code{"bcr"} (balanced accuracy),
#'   \code{"accuracy"} or \code{"auc"} (with more than two classes the mean over pairs, Hand and
#'   Till 2001). For numbers: \code{"r2"}. For survival times: \code{"concordance"}. For the
#'   criterion ridge also \code{"press"}. Default: set by the criterion.
#' @param sample Number of rows to sample from a larger table, for a criterion whose time grows with
#'   the square of the number of rows; \code{"all"} for no sample. The sample does not depend on the
#'   order of the rows. Default: 10,000 for nearest neighbors, 5,000 for support vector machines and
#'   Gaussian kernels.
#' @param count Number of features or groups to add or remove at once. If the size or the budget
#'   does not allow this number, the search adds or removes one.
#' @param early_stopping Stop \code{"sfs"} when no added feature increases the score, and
#'   \code{"sbs"} when every removed feature decreases it. The signature has the size at which the
#'   search stops.
#' @param depth Reach of the search. \code{"sffs"}, \code{"sbfs"}: number of sizes beyond the
#'   specified one. \code{"os"}, \code{"dos"}: number of features per swing. Default: 0 sizes or 5
#'   features.
#' @param ties Proportion of the largest score within which two subsets tie, for example 0.01. Of
#'   tied subsets the search chooses the subset with fewer features or lower cost. Of several
#'   proportions the first one decides, and the result lists the subset of each proportion.
#' @param voting Voting rule of an ensemble. Each criterion votes on each candidate; the candidate
#'   with the best mean vote wins. \code{"order"}: a vote is a dense rank, so equal values get the
#'   same rank and the next value the next rank. \code{"median"}: equal values get the median of
#'   their ranks. \code{"weighted"}: a vote is the difference from the best value.
#'   \code{"trimmed-order"}, \code{"trimmed-median"} and \code{"trimmed-weighted"} leave out the
#'   best and the worst vote of each candidate. Default: the candidate with the best mean of the
#'   criteria wins.
#' @param hybrid Proportion of the candidates that the criterion evaluates; a filter chooses them.
#'   Default: 1, without a filter.
#' @param prefilter Filter that \code{hybrid} uses.
#' @param never Columns that are never selected. They stay in the table: hetsel still uses them, for
#'   example to find duplicate rows.
#' @param column_groups Groups of columns to add and remove together: a list of vectors of names,
#'   such as \code{list(c("sbp", "dbp"))}.
#' @param costs Cost of each named column; other columns cost nothing. Of two subsets that tie, the
#'   search chooses the cheaper one.
#' @param budget Largest total cost of a subset.
#' @param always Columns to include in every subset.
#' @param max_seconds Seconds after which the search ends with the subsets found so far. Default: no
#'   limit.
#' @param max_evaluations Number of evaluated subsets after which the search ends with the subsets
#'   found so far. Default: no limit.
#' @param archive File that keeps every evaluation. After a crash or an interrupt, the same search
#'   uses these evaluations and continues.
#' @param missing Handling of missing values. \code{"impute"}: replace them with the median, or in
#'   nominal columns with the most frequent level. \code{"separate"}: missing is a value of its own,
#'   equal to other missing values and different from all numbers and levels. \code{"error"}: refuse
#'   them.
#' @param seed Seed of the random numbers, a whole number. The same call gives the same result.
