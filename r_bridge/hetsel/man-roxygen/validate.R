#' @param row_groups labels of the rows: those of one label belong together, in intervals;
#'   \code{"copies"}, equal or nearly equal rows (default); or \code{"rows"}, each row for itself.
#' @param row_weights weight of each row; 0 leaves it out.
#' @param seen what becomes of rows that the signature was learned from, or nearly equal ones:
#'   \code{"error"}, or \code{"drop"}, which leaves them out.
#' @param prevalence share of the positive class where the model is used, or of each class: where
#'   rows were sampled by class, probabilities and what they are worth are those there.
#' @param thresholds probabilities at which predictive values and net benefit are told; the decision
#'   curve goes from the first to the last.
#' @param cost_of_missing loss of a case that is missed over that of a needless treatment: treat
#'   from a probability of 1 / (1 + C) on.
#' @param by columns in whose parts (levels, or thirds of numbers) the performance is told as well.
