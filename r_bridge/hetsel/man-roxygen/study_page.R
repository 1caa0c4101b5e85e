#' @section Splits, sizes and classifiers of a plan:
#' \describe{
#' \item{\code{resamplings}}{How many splits, default 200; or \code{count}, \code{test_share} (0.1)
#'   and \code{kind}: \code{"stratified"} keeps the shares of the classes and of events in both
#'   parts, of numbers it is \code{"random"}, which is the letter of the paper. In place of the
#'   share, numbers of rows: \code{train_count} or \code{train_per_class}, \code{test_count} or
#'   both; what neither takes is left out. \code{"k-fold"} tests each of \code{folds} (10) once a
#'   repeat, \code{count} is a multiple of them; \code{"time-ordered"} trains on the rows before the
#'   test rows, the last ones first.}
#' \item{\code{sizes}}{Sizes of the signatures. \code{"auto"}: all sizes up to 40 features, beyond
#'   that the sizes that an elimination of 20 \% a step visits. A size larger than a table is left
#'   out for that table.}
#' \item{\code{classifiers}}{Final classifiers, regressors or survival models, each a key or a list
#'   of \code{key}, \code{params} and \code{label}. Of classes \code{"clinical-svm"},
#'   \code{"linear-svm"}, \code{"gaussian-svm"}, \code{"random-forest"}, \code{"naive-bayes"},
#'   \code{"5nn"}; of numbers \code{"ridge"}, \code{"clinical-svm"}, \code{"random-forest"},
#'   \code{"5nn"}; of survival times \code{"cox"}, \code{"clinical-svm"}, \code{"5nn"}; or any
#'   classifier or regressor of scikit-learn, of survival times any estimator of scikit-survival, by
#'   its import path or as an object. Nominal columns reach it as columns of 0 and 1 and numbers
#'   standardized, both as training rows teach; with \code{encoding} \code{"whole"} as pandas'
#'   categories and as they are. The first is the one that reports show. Default: clinical-svm, of
#'   numbers ridge, of survival times cox.}
#' \item{\code{seed}}{Everything that is drawn follows from it.}
#' }
#' @section Entries of a data set of a plan:
#' \describe{
#' \item{\code{name}}{a data set of hetsel; or what to call that of a file.}
#' \item{\code{file}}{the table; its path starts at this plan.}
#' \item{\code{target}}{column with the class of each row, or its number; of survival times
#'   list(time = column, event = column).}
#' \item{\code{target_kind}}{what the target holds; default: fractions are numbers, else classes
#'   (\code{"classes"}, \code{"numbers"}, \code{"survival"}).}
#' \item{\code{positive}}{the positive one of two classes; default: yes, true, 1 or the last.}
#' \item{\code{nominal}}{columns whose levels have no order.}
#' \item{\code{ordinal}}{columns with ordered levels.}
#' \item{\code{continuous}}{columns of numbers.}
#' \item{\code{drop}}{columns to leave out.}
#' \item{\code{missing}}{what becomes of missing cells (\code{"error"}, \code{"impute"},
#'   \code{"separate"}).}
#' \item{\code{scale}}{what continuous columns are measured by (\code{"quantile"}, \code{"range"},
#'   \code{"robust"}).}
#' \item{\code{missing_marks}}{further cells that mean missing.}
#' \item{\code{drop_unlabeled}}{leave out rows whose target is missing; default: refuse them.}
#' \item{\code{separator}}{between the columns.}
#' \item{\code{encoding}}{of the file; default: utf-8.}
#' \item{\code{decimal}}{mark of the numbers.}
#' \item{\code{thousands}}{what groups their digits.}
#' \item{\code{skip}}{lines to leave out before the table.}
#' \item{\code{header}}{the first line names the columns.}
#' \item{\code{sheet}}{of a workbook; default: the first.}
#' \item{\code{split}}{sizes of the parts, in place of the study's.}
#' \item{\code{test_rows}}{column that is true in the rows of a given test set.}
#' \item{\code{row_groups}}{column by which rows belong together, as those of a patient, to be
#'   trained on or tested as a whole; or copies.}
#' \item{\code{row_weights}}{column with the weight of each row in selection, classifiers and
#'   scores, for methods that weigh rows.}
#' \item{\code{order}}{column with the time of each row, a number or a date, for splits of kind
#'   time-ordered.}
#' \item{\code{treatment_of}}{data set of this plan whose table this is, with other options.}
#' }
#' @return
#' \item{scores}{data frame. Return one row per data set, method, resampling, size and judge.
#'   Columns \code{dataset}, \code{method}, \code{resampling} (from 0), \code{size},
#'   \code{classifier} (the judge), then the scores:}
#' \item{summary}{data frame. Return one row per data set, method, judge and size, over the
#'   resamplings. Columns \code{dataset}, \code{method}, \code{classifier} (the judge), \code{size},
#'   \code{resamplings} (their number) and \code{scored} (the number with the first score); then
#'   means over the resamplings that have the score.}
#' \item{absent_classes}{data frame. Return the classes that the held-out rows of some resamplings
#'   lack. Columns \code{dataset}, \code{class}, \code{lacking} and \code{resamplings}.
#'   \code{lacking} is the number of finished resamplings whose held-out rows do not include the
#'   class. With only one class left there is no BCR; with two or more, BCR is over these classes.}
#' \item{failures}{data frame. Return failed cells: \code{dataset}, \code{method},
#'   \code{resampling}, \code{reason}, \code{trace}.}
#' \item{warnings}{data frame. Return warnings of cells: \code{dataset}, \code{method},
#'   \code{warning}, number of \code{cells}. Methods whose results differ between two computations
#'   of a cell are included. Warnings that differ only in numbers are combined, with the range of
#'   each number.}
#' \item{crossfitted}{data frame. Means at sizes that the other half of the resamplings chose.
#'   Columns \code{dataset}, \code{method}; \code{rule}, "own size", of each method by its own
#'   curve, or "one size", of all by the mean of their curves; \code{size_even} and \code{size_odd},
#'   at which the resamplings of even and of odd number are judged, each chosen by the others;
#'   \code{resamplings}; the score, its two 95 \% intervals as in the summary, which end at the
#'   limits of the score; \code{kuncheva}, missing where a size is that of all features.}
#' \item{bayesian_pairs}{data frame. How probably one method is better than another, on each data
#'   set and over all of them. Columns \code{analysis} (the rule by which sizes are cross-fitted),
#'   \code{dataset} (missing: over the data sets), \code{one}, \code{other}, \code{number} of
#'   resamplings (of data sets), \code{difference}, the mean of one minus that of the other, and the
#'   probabilities that it is above a region of practical equivalence (\code{one_better}), within
#'   (\code{equivalent}) and below (\code{other_better}): by the Bayesian correlated t-test, or over
#'   data sets the signed-rank test. Data sets with fewer than 10 resamplings have no rows of their
#'   own, pairs with fewer than 6 data sets none over them, as the prior would decide. They are of
#'   each pair alone, and no error rates.}
#' \item{treatments}{data frame. Compare treatments of a table with the table: scores of each method
#'   on the same splits. Columns \code{dataset} (the table), \code{treatment}, \code{method},
#'   \code{size} (chosen on the table, or the largest below it that both have; missing: the mean
#'   over sizes), \code{resamplings}, their number with both scores; the mean score on the table
#'   (\code{bcr}) and on the treatment (\code{bcr_treated}), \code{difference} (treatment minus
#'   table), \code{low} and \code{high}, its corrected interval, \code{pvalue} of the paired t-test
#'   with the same correction and \code{holm}, Holm's for all rows, missing with fewer than 10
#'   resamplings; \code{kuncheva} and \code{kuncheva_treated}, Kuncheva's index of the signatures on
#'   either, missing where the size is that of all columns; \code{common}, the mean share of the
#'   features of a signature that are in that of the treatment in the same resampling;
#'   \code{changed}, what the treatment changes.}
