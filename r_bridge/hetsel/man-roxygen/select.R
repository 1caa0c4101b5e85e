#' @param method selection method: a key of \code{\link{hetsel_methods}}, which stands for the
#'   method that weighs classes alike, where it can and its parameters do not say another
#'   class_weight. Of several the best is chosen, by rows that do not judge it.
#' @param size \code{"one-se"}: the smallest size within one standard error of the best;
#'   \code{"quarter-se"}: a quarter of it; \code{"knee"}: where the curve bends; \code{"equal"}: the
#'   smallest within 1 \% of the best; or a number; default: \code{"quarter-se"} for classes, else
#'   \code{"one-se"}.
#' @param target_kind what the target holds; default: survival times where it has them, else
#'   classes; in the shell and in R fractions are numbers.
#' @param nominal columns of levels without order, whatever their type.
#' @param continuous columns of numbers, dates, whatever their type.
#' @param ordinal columns of ordered numbers, or by name the levels of each from lowest to highest.
#' @param row_groups labels of the rows: those of one label (one patient, say) are held out
#'   together, exchange their targets together, and count in intervals as what they are. Where
#'   nothing is said, and by \code{"copies"}, equal and nearly equal rows are such groups, or those
#'   of one number in a column that is an identifier by its name, such as patient; \code{"rows"}
#'   takes each row as one of its own.
#' @param scale what continuous columns are measured by: \code{"range"}, which one cell can stretch,
#'   \code{"quantile"}, the share of the rows below, or \code{"robust"}, the range of the middle 90
#'   \% of the rows.
#' @param never columns that are never in.
#' @param column_groups columns that come and go together.
#' @param costs what a column costs, others nothing; ties then go to the cheaper subset.
#' @param budget most that a subset may cost.
#' @param params parameters of the method by name.
#' @param always columns that are in every signature, also in folds, halves and permutations;
#'   stability and false selections are those of the others.
#' @param unsupported columns of a kind that the method does not take: \code{"error"} refuses them,
#'   \code{"skip"} leaves them without a rank.
#' @param C bound on the dual variables of the final model, or cost of a row; default 10 for
#'   classes, 3 for numbers, 1 for survival times.
#' @param folds of the nested cross-validations; default 10, of more than 5,000 rows 5.
#' @param repeats of the nested cross-validations; default 3, of more than 5,000 rows 1.
#' @param permutations of the labels, to test against chance, 39 or more; 0 is no test; default: as
#'   many as settle the verdict, 499 at the most (of k methods 40 k - 1 and 500 k - 1).
#' @param pairs pairs of halves of the rows, in which features are selected once more, to see which
#'   of them others would select; 0 is none; default 50, of more than 5,000 rows 20.
#' @param positive the positive one of two classes, which pages, points and sensitivity are about;
#'   default: yes, true, 1 or last.
#' @param unseen what becomes of a level to predict that no row of the fit had: \code{"error"}, or
#'   \code{"separate"}, a level of its own.
#' @param quick for a first look: one cross-validation, no test, no halves, unless their numbers are
#'   given, and no joint effects; the page says what it lacks.
#' @param progress whether to say every few seconds how much is done.
#' @param row_weights weights of the rows, of a survey or an inverse probability; 0 leaves a row
#'   out. Only their ratios count, and \code{C} is that of a row of mean weight. Selection, model
#'   and rates are weighted, intervals count Kish's effective number of rows (Kish 1965), and a
#'   weight stays with its row when the target is permuted. For rfe-mkl, rfe-svm, rfe-svm-printed.
#' @param prevalence share of the positive class where the model is used, or of each class: where
#'   rows were sampled by class, probabilities and what they are worth are those there.
#' @param thresholds probabilities at which predictive values and net benefit are told; the decision
#'   curve goes from the first to the last.
#' @param cost_of_missing loss of a case that is missed over that of a needless treatment: treat
#'   from a probability of 1 / (1 + C) on.
#' @param by columns in whose parts (levels, or thirds of numbers) the performance is told as well.
#' @param missing what becomes of missing cells: \code{"impute"} fills them with the median or the
#'   most frequent level, \code{"separate"} keeps missing as a value of its own, \code{"error"}
#'   refuses them.
#' @param seed seed of all that is drawn, a whole number; the same call gives the same answer.
#' @param jobs processes at the most, each a Python of its own, which begin where they save time;
#'   they change no number. 0 and 1 compute in this session, NULL takes every processor.
