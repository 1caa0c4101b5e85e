#' @param method Key of the selection method; \code{\link{hetsel_methods}} lists all keys. If you
#'   name several methods, hetsel chooses the best by inner cross-validation. If the method can
#'   weight classes, all classes get the same total weight, unless its parameters set class_weight.
#' @param size Number of features, or the rule that chooses the number. Rules compare sizes by the
#'   inner score, the cross-validated score that chooses the size. \code{"one-se"}: the smallest
#'   size whose inner score is within one standard error of the best score. \code{"quarter-se"}: the
#'   same with a quarter of a standard error. \code{"knee"}: the size at which the curve of the
#'   inner scores bends most. \code{"equal"}: the smallest size whose inner score is within 1\% of
#'   the best score. Default: \code{"quarter-se"} for classes, else \code{"one-se"}.
#' @param target_kind Kind of the target. Default: \code{"survival"} for survival times,
#'   \code{"numbers"} if some values are not whole numbers, else \code{"classes"}. More than 20
#'   different whole numbers have no default: specify \code{"numbers"} or \code{"classes"}.
#' @param nominal Columns to read as unordered levels, whatever their type.
#' @param continuous Columns to read as numbers or dates, whatever their type.
#' @param ordinal Columns to read as ordered levels with equal distances. For numbers and ordered
#'   factors, the name is enough. For other columns pass a list with the levels from lowest to
#'   highest, such as \code{list(stage = c("I", "II", "III"))}.
#' @param row_groups Group of each row: a vector such as \code{data$patient}, or the name of a
#'   column. The rows of a group are in the same fold, and confidence intervals account for the
#'   groups. If every group has only one target value, the permutation test permutes these values
#'   among the groups. If targets vary within a group, groups of the same size exchange their
#'   targets as a whole; if any two sizes differ, targets are also permuted within every group.
#'   \code{"copies"} (or \code{NULL}): hetsel looks for groups itself: duplicate rows (equal or
#'   nearly equal), and rows with the same value in a column whose name marks an identifier, such as
#'   patient. If it finds duplicate rows and an identifier, it uses whichever puts more rows into
#'   groups. An identifier that hetsel finds stays a feature in any case. \code{"rows"}: each row is
#'   a separate group.
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
#' @param always Columns to include in every signature, also in folds, half-samples and
#'   permutations. Stability and expected false selections refer to the other features.
#' @param unsupported Handling of columns of a kind that the method cannot use. \code{"error"}:
#'   refuse them. \code{"skip"}: leave them without a rank, so that they are not selected.
#' @param C Cost parameter of the final support vector machine, not of the selection method. A
#'   larger value fits the training rows more closely. Default: 10 for classes, 3 for numbers, 1 for
#'   survival times.
#' @param folds Number of outer folds of the nested cross-validation. For each outer fold, an inner
#'   cross-validation chooses the size: it holds out each of the other folds in turn. Default: 10,
#'   or 5 for more than 5,000 rows.
#' @param repeats Number of repeats of the nested cross-validation. Default: 3, or 1 for more than
#'   5,000 rows.
#' @param permutations Number of permutations of the target for the test against chance: 39 or more,
#'   or 0 for no test. Default: hetsel stops when the result of the test is clear, after 499
#'   permutations at the latest. If hetsel chooses among k methods, the numbers 39 and 499 become 40
#'   k - 1 and 500 k - 1.
#' @param pairs Number of pairs of half-samples (random halves of the rows); 0 for none. hetsel
#'   repeats the selection in each half-sample to estimate stability and selection frequencies.
#'   Default: 50, or 20 for more than 5,000 rows.
#' @param positive Positive class of a target with two classes; sensitivity, point score and reports
#'   refer to it. Default: the class named yes, true, 1 or similar, else the last level of the
#'   factor, or the last class in alphabetical or numerical order.
#' @param unseen Handling of a new row with a level that no training row had. \code{"error"}: refuse
#'   the row. \code{"separate"}: accept the level, with an effect of 0.
#' @param quick Compute a quick first result: one repeat of the nested cross-validation, no
#'   permutation test, no half-samples and no search for interactions. \code{repeats},
#'   \code{permutations} and \code{pairs} still apply if you specify them. The report lists what is
#'   missing.
#' @param progress Whether to report the progress every few seconds.
#' @param row_weights Weight of each row, such as a survey weight or an inverse probability; 0
#'   leaves the row out. Only the ratios of weights matter; the cost parameter of a row is \code{C}
#'   times its weight divided by the mean weight. Selection, model and performance are weighted.
#'   Confidence intervals use the effective sample size (Kish 1965). When the target is permuted,
#'   each weight stays with its row. Only for rfe-mkl, rfe-svm and rfe-svm-printed.
#' @param prevalence Prevalence of the positive class where the model will be used. For more than
#'   two classes, a vector with each class: \code{c(A = 0.1, B = 0.2, C = 0.7)}. Specify it if the
#'   study fixed the number of rows of each class, as in a case-control study. Predicted
#'   probabilities and their performance then refer to this prevalence.
#' @param thresholds Thresholds at which positive and negative predictive value and net benefit are
#'   reported. Default: 0.05, 0.1, 0.2, 0.3 and 0.5, with a decision curve from 0.01 to 0.99. If you
#'   specify thresholds, the curve goes from the smallest to the largest of them.
#' @param harm_ratio Harm of a missed case divided by the harm of an unnecessary treatment. A ratio
#'   r adds the threshold 1 / (1 + r) to \code{thresholds}; with \code{by}, sensitivity and
#'   specificity of each subgroup are reported at this threshold. The classes that the model
#'   predicts do not depend on it.
#' @param by Columns that define subgroups; performance is also reported in each subgroup. Each
#'   level is a subgroup. A column with more than 6 different numbers is divided into 3 subgroups of
#'   similar size: low, middle and high numbers.
#' @param missing Handling of missing values. \code{"impute"}: replace them with the median, or in
#'   nominal columns with the most frequent level. \code{"separate"}: missing is a value of its own,
#'   equal to other missing values and different from all numbers and levels. \code{"error"}: refuse
#'   them.
#' @param seed Seed of the random numbers, a whole number. The same call gives the same result.
#' @param jobs Largest number of processes, each with its own Python, used where they save time.
#'   Results do not depend on it. 0 or 1: compute in this session. NULL: one per processor.
