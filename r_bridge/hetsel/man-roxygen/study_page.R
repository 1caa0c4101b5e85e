#' @section Splits, sizes and classifiers of a plan:
#' \describe{
#' \item{\code{resamplings}}{Number of splits, or a list with \code{count}, \code{test_share}
#'   (default: 0.1) and \code{kind}:}
#' \item{\code{sizes}}{Signature sizes. \code{"auto"} means every size up to 40 features and, for
#'   more features, the sizes of an elimination of 20\% per step. Sizes above the number of features
#'   of a data set are omitted for this data set. Default: \code{"auto"}.}
#' \item{\code{classifiers}}{Judges, each a key or a list with \code{key}, \code{params} and
#'   \code{label}. Keys for classes are \code{"clinical-svm"}, \code{"linear-svm"},
#'   \code{"gaussian-svm"}, \code{"random-forest"}, \code{"naive-bayes"} and \code{"5nn"}; for
#'   numeric targets \code{"ridge"}, \code{"clinical-svm"}, \code{"random-forest"} and \code{"5nn"};
#'   for survival times \code{"cox"}, \code{"clinical-svm"} and \code{"5nn"}. A judge may also be a
#'   classifier or regressor of scikit-learn or an estimator of scikit-survival, as an import path
#'   or an object. It receives nominal columns one-hot encoded and continuous columns standardized,
#'   both learned from training rows; with \code{encoding} \code{"whole"} it receives categories of
#'   pandas and unscaled numbers. Reports show the first judge. Default: clinical-svm for classes,
#'   ridge for numeric targets, cox for survival times. If data sets have targets of several kinds,
#'   each is judged by the default of its kind, or by those judges that accept its kind.}
#' \item{\code{seed}}{Seed of all random numbers. Default: 0.}
#' }
#' @section Entries of a data set of a plan:
#' \describe{
#' \item{\code{name}}{name of a data set of hetsel, or any name for a file.}
#' \item{\code{file}}{path of the table, relative to this plan.}
#' \item{\code{target}}{column with the class or number of each row; for survival times list(time =
#'   column, event = column).}
#' \item{\code{target_kind}}{kind of target; default: numbers for fractions, otherwise classes
#'   (\code{"classes"}, \code{"numbers"}, \code{"survival"}).}
#' \item{\code{positive}}{positive class; default: yes, true, 1 or the last of two classes.}
#' \item{\code{nominal}}{columns with unordered levels.}
#' \item{\code{ordinal}}{columns with ordered levels.}
#' \item{\code{continuous}}{columns of numbers.}
#' \item{\code{drop}}{columns to omit.}
#' \item{\code{missing}}{how missing values are handled (\code{"error"}, \code{"impute"},
#'   \code{"separate"}).}
#' \item{\code{scale}}{scale of continuous columns (\code{"quantile"}, \code{"range"},
#'   \code{"robust"}).}
#' \item{\code{missing_marks}}{additional marks of missing values.}
#' \item{\code{drop_unlabeled}}{omit rows without a target; default: raise an error.}
#' \item{\code{separator}}{separator of columns.}
#' \item{\code{encoding}}{encoding of the file; default: utf-8.}
#' \item{\code{decimal}}{decimal mark.}
#' \item{\code{thousands}}{thousands separator.}
#' \item{\code{skip}}{lines to skip before the table.}
#' \item{\code{header}}{whether the first line has column names.}
#' \item{\code{sheet}}{sheet of a workbook; default: the first.}
#' \item{\code{split}}{sizes of training and test part instead of those of the study.}
#' \item{\code{test_rows}}{column that is true in the rows of a fixed test set.}
#' \item{\code{row_groups}}{column of rows that belong together, such as those of a patient; groups
#'   train or are held out as a whole; or copies for duplicate rows.}
#' \item{\code{row_weights}}{column with row weights for selection, judges and scores, for methods
#'   that use weights.}
#' \item{\code{order}}{column with the time of each row, a number or a date, for time-ordered
#'   splits.}
#' \item{\code{treatment_of}}{data set of this plan that this data set is a treatment of.}
#' }
#' @return
#' \item{scores}{data frame. One row per data set, method, resampling, size and judge. Sizes without
#'   a signature have no row. Columns \code{dataset}, \code{method}, \code{resampling} (from 0),
#'   \code{size}, \code{classifier} (the judge), then the scores: Classes: \code{bcr}, the balanced
#'   accuracy (Eq. 12 of Paul et al. 2015; the mean recall over the classes with held-out rows; NA
#'   if only one class has held-out rows), \code{accuracy}, \code{sensitivity} and
#'   \code{specificity} (the recalls of the second and the first of two classes) and \code{auc}.
#'   Baselines are \code{bcr_by_chance}, 1 / (number of classes with held-out rows), and
#'   \code{accuracy_of_majority}, the proportion of held-out rows in the largest class of the data
#'   set. \code{absent_classes} is the number of classes without held-out rows. Numeric targets:
#'   \code{r2}, \code{mae} and \code{rmse}, and the baselines \code{r2_of_mean}, \code{mae_of_mean}
#'   and \code{rmse_of_mean}, which predict the mean of the training rows. Survival times:
#'   \code{concordance} (Harrell's), \code{uno} (Uno's), \code{ibs} (integrated Brier score) and
#'   \code{auc} at the median event time, and the baselines \code{concordance_by_chance} and
#'   \code{ibs_of_kaplan_meier}. If data sets have targets of several kinds, there are the columns
#'   of all kinds, NA where they do not apply. \code{n_categorical} is the number of nominal and
#'   ordinal features in the signature. \code{cut} is \code{"proved"}, \code{"tie"} or
#'   \code{"open"}, or empty if the method does not state it and at the size of all features.
#'   \code{rank_seconds} is the CPU time of the selection, with the processes that the method
#'   started; \code{rank_elapsed} is the elapsed time.}
#' \item{summary}{data frame. One row per data set, method, judge and size, over the resamplings.
#'   Columns \code{dataset}, \code{method}, \code{classifier} (the judge), \code{size},
#'   \code{resamplings} (their number) and \code{scored} (the number with the first score); then
#'   means over the resamplings that have the score. The first score is \code{bcr} for classes,
#'   \code{r2} for numeric targets and \code{concordance} for survival times. It has two 95\% CIs,
#'   clipped to the limits of the score. The corrected one, \code{bcr_low_corrected} to
#'   \code{bcr_high_corrected}, allows for overlapping training sets: the variance of the mean is
#'   (1/K + n_test/n_train) times that of the values (Nadeau and Bengio 2003). The naive one,
#'   \code{bcr_low_naive} to \code{bcr_high_naive}, has the factor 1/K; it treats resamplings as
#'   independent and is too narrow. Other scores are \code{accuracy} and \code{auc}, \code{mae} and
#'   \code{rmse}, or \code{uno} and \code{ibs}. Columns such as \code{bcr_std} are standard
#'   deviations of the values. \code{kuncheva} is Kuncheva's index (Eq. 13 of Paul et al. 2015).
#'   \code{n_categorical} and \code{rank_seconds} are means.}
#' \item{absent_classes}{data frame. Classes that the held-out rows of some resamplings lack.
#'   Columns \code{dataset}, \code{class}, \code{lacking} and \code{resamplings}. \code{lacking} is
#'   the number of finished resamplings whose held-out rows do not include the class. With only one
#'   class left there is no BCR; with two or more, BCR is over these classes.}
#' \item{failures}{data frame. Failed cells. Columns \code{dataset}, \code{method},
#'   \code{resampling}, \code{judge} (empty if the method failed), \code{reason} and \code{trace}.}
#' \item{warnings}{data frame. Warnings of cells: \code{dataset}, \code{method}, \code{warning},
#'   number of \code{cells}. What a method or judge printed is included as "printed: ...", and
#'   methods whose results differ between two computations of a cell. Warnings that differ only in
#'   numbers are combined, with the range of each number.}
#' \item{crossfitted}{data frame. Means at sizes that the other half of the resamplings chose.
#'   Columns are \code{dataset}, \code{method}, \code{rule} ("own size": chosen by the curve of each
#'   method; "one size": chosen by the mean of all curves), \code{size_even} and \code{size_odd}
#'   (sizes of the even-numbered and odd-numbered resamplings), \code{resamplings}, the score, its
#'   two 95\% CIs as in the summary (clipped to the limits of the score) with half of their widths
#'   before clipping, and \code{kuncheva}, missing if a size is that of all features.}
#' \item{bayesian_pairs}{data frame. Compute probabilities that a method is better, on each data set
#'   and over data sets. Columns \code{analysis} (rule of cross-fitted sizes), \code{dataset}
#'   (missing: over data sets), \code{one}, \code{other}, \code{number} (of resamplings or data
#'   sets) and \code{difference} (mean of \code{one} minus mean of \code{other}). The probabilities
#'   are those of a difference above (\code{one_better}), within (\code{equivalent}) and below
#'   (\code{other_better}) the region of practical equivalence. A data set needs 10 resamplings, and
#'   a pair needs 6 data sets for a row over data sets, since otherwise the prior would decide. The
#'   probabilities refer to each pair alone and are not error rates.}
#' \item{treatments}{data frame. Compare treatments with their untreated data set on the same
#'   splits. Columns: - \code{dataset} (the untreated data set), \code{treatment}, \code{method},
#'   \code{size} (missing: mean over sizes) and \code{resamplings} (number with both scores); The
#'   mean score on the untreated data set (\code{bcr}) and on the treatment (\code{bcr_treated}),
#'   \code{difference} (treatment minus untreated), \code{low} and \code{high} (its corrected
#'   interval), \code{pvalue} and \code{holm} (adjusted for all rows). Interval and p-values are
#'   missing with fewer than 10 resamplings; - \code{kuncheva} and \code{kuncheva_treated},
#'   Kuncheva's index of the signatures on both, missing at the size of all features; -
#'   \code{common}, the mean proportion of the features of a signature that are also selected on the
#'   treatment in the same resampling; - \code{changed}, the changes of the treatment.}
