#' @param method Selection method, by its key in \code{\link{hetsel_methods}}. The method weights
#'   the classes equally if it can and if its parameters do not set class_weight. Of several
#'   methods, hetsel chooses the best by inner cross-validation.
#' @param size Number of features, or the rule that chooses it. \code{"one-se"}: the smallest size
#'   within one standard error of the best. \code{"quarter-se"}: within a quarter of it.
#'   \code{"knee"}: where the curve bends. \code{"equal"}: the smallest size within 1\% of the best.
#'   Default: \code{"quarter-se"} for classes, else \code{"one-se"}.
#' @param target_kind Kind of the target. Default: \code{"survival"} for survival times, else
#'   \code{"classes"}; the shell and R use \code{"numbers"} for fractions.
#' @param nominal Columns to read as unordered levels, whatever their type.
#' @param continuous Columns to read as numbers or dates, whatever their type.
#' @param ordinal Columns to read as ordered numbers, or a mapping of a column to its levels from
#'   lowest to highest.
#' @param row_groups Group of each row, such as the patient. The rows of a group are held out and
#'   permuted together, and confidence intervals account for the groups. \code{"copies"}: equal and
#'   nearly equal rows form a group, or rows with the same number in a column that is an identifier
#'   by its name, such as patient. \code{"rows"}: each row is a separate group. Default:
#'   \code{"copies"}.
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
#' @param always Columns to include in every signature, also in folds, half-samples and
#'   permutations. Stability and expected false selections refer to the other features.
#' @param unsupported Handling of columns of a kind that the method cannot use. \code{"error"}:
#'   refuse them. \code{"skip"}: leave them without a rank.
#' @param C Cost parameter of the final model (the bound on its dual variables, or the cost of a
#'   row): a larger value fits the training rows more closely. Default: 10 for classes, 3 for
#'   numbers, 1 for survival times.
#' @param folds Number of folds of the nested cross-validation. Default: 10, or 5 for more than
#'   5,000 rows.
#' @param repeats Number of repeats of the nested cross-validation. Default: 3, or 1 for more than
#'   5,000 rows.
#' @param permutations Number of permutations of the target for the test against chance: 39 or more,
#'   or 0 for no test. With k methods the smallest number is 40 k - 1. Default: as many as the
#'   verdict needs, at most 499 (500 k - 1 with k methods).
#' @param pairs Number of pairs of half-samples in which selection is repeated, to estimate
#'   stability and selection frequencies; 0 for none. Default: 50, or 20 for more than 5,000 rows.
#' @param positive Positive class, of two classes; sensitivity, point score and reports refer to it.
#'   Default: yes, true, 1, or the last class by name.
#' @param unseen Handling of a level to predict that no training row had. \code{"error"}: refuse it.
#'   \code{"separate"}: treat it as a separate level.
#' @param quick Compute a quick first result: one cross-validation, no permutation test, no
#'   half-samples and no interactions. \code{repeats}, \code{permutations} and \code{pairs} still
#'   apply if you specify them. The report lists what is missing.
#' @param progress Whether to report the progress every few seconds.
#' @param row_weights Weight of each row, such as a survey weight or an inverse probability; 0
#'   leaves the row out. Only the ratios of weights matter; \code{C} applies to a row of mean
#'   weight. Selection, model and performance are weighted, confidence intervals use Kish's
#'   effective sample size (Kish 1965), and a weight stays with its row when the target is permuted.
#'   Only for rfe-mkl, rfe-svm and rfe-svm-printed.
#' @param prevalence Prevalence of the positive class, or of each class, where the model will be
#'   used. Set it if rows were sampled by class: predicted probabilities and their performance then
#'   refer to this prevalence.
#' @param thresholds Thresholds at which predictive values and net benefit are reported; the
#'   smallest and the largest are the ends of the decision curve. Default: 0.05, 0.1, 0.2, 0.3 and
#'   0.5, with a curve from 0.01 to 0.99.
#' @param cost_of_missing Harm of a missed case divided by the harm of an unnecessary treatment. A
#'   ratio r sets the threshold 1 / (1 + r).
#' @param by Columns that define subgroups, by their levels or by thirds of their numbers.
#'   Performance is also reported in each subgroup.
#' @param missing Handling of missing values. \code{"impute"}: replace them with the median or the
#'   most frequent level. \code{"separate"}: treat missing as a separate value. \code{"error"}:
#'   refuse them.
#' @param seed Seed of all random numbers, a whole number. The same call gives the same result.
#' @param jobs Largest number of processes, each with its own Python, used where they save time.
#'   Results do not depend on it. 0 or 1: compute in this session. NULL: one per processor.
