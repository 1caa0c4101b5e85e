#' @param candidates parameters that the selection may choose from, not those that it chooses: a
#'   column of numbers has one, a nominal one of k levels k - 1.
#' @param prevalence share of the rows with the event; of more than two classes the share of each.
#' @param c_statistic how good the model may be: area under the ROC curve; of more than two classes
#'   that of each pair. Or \code{r2}, or \code{nagelkerke_r2}.
#' @param r2 R squared of Cox and Snell of classes and survival times, R squared of numbers.
#' @param nagelkerke_r2 Nagelkerke's R squared; 0.15 where nothing is known.
#' @param event_rate of survival times: events in a unit of time.
#' @param follow_up of survival times: mean time that a row is followed.
#' @param horizon of survival times: time at which the risk is asked for.
#' @param mean of numbers; with \code{deviation}, for the mean to be known within 10 \%.
#' @param deviation standard deviation of the numbers.
#' @param shrinkage that the effects may need by overfitting.
#' @param optimism by which the apparent R squared may be too large.
#' @param margin to which the overall risk is to be known.
#' @param width width of the 95 \% interval of the balanced rate and of the AUC by nested
#'   cross-validation; with a table of numbers or survival times of R squared or concordance.
#' @param rate balanced rate, R squared or concordance on new rows, with a table.
#' @param find_effect effect of a feature to be found, with a table: difference of two classes in
#'   standard deviations, Cohen's w of a nominal one, correlation with numbers, or logarithm of the
#'   hazard ratio of a standard deviation. Such a column is planted among those of rows drawn from
#'   the table, without its chance associations.
#' @param effect_kind the kind of the column with this effect.
#' @param repeats draws of nested subsets of the rows for the learning curve.
#' @param plantings planted columns at each number of rows.
