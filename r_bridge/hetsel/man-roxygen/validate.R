#' @param row_groups Group of each row, such as the patient; confidence intervals account for the
#'   groups. \code{"copies"}: equal or nearly equal rows form a group. \code{"rows"}: each row is a
#'   separate group. Default: \code{"copies"}.
#' @param row_weights Weight of each row; 0 leaves the row out.
#' @param seen Handling of rows that equal or nearly equal a training row. \code{"error"}: refuse
#'   them. \code{"drop"}: leave them out.
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
