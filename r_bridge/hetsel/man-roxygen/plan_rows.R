#' @param candidates Number of candidate parameters to select from, not of selected ones: a
#'   continuous column has 1, a nominal column of k levels has k - 1.
#' @param prevalence Expected proportion of rows with the event; for more than two classes the
#'   proportion of each.
#' @param c_statistic Expected AUC of the model; for more than two classes the AUC of each pair.
#'   Alternatives: \code{r2} or \code{nagelkerke_r2}.
#' @param r2 Expected R squared: of Cox and Snell for classes and survival times, the usual one for
#'   a numeric target.
#' @param nagelkerke_r2 Expected R squared of Nagelkerke; use 0.15 if nothing is known.
#' @param event_rate Expected number of events per unit of time, for survival times.
#' @param follow_up Expected mean follow-up time of a row, for survival times.
#' @param horizon Time at which the risk is predicted, for survival times.
#' @param mean Expected mean of a numeric target. With \code{deviation} it gives the rows that
#'   estimate the mean within 10\%.
#' @param deviation Expected standard deviation of a numeric target.
#' @param shrinkage Smallest acceptable shrinkage factor of the effects; overfitting makes it
#'   smaller.
#' @param optimism Largest acceptable difference of apparent and adjusted R squared.
#' @param margin Largest acceptable margin of error of the overall risk.
#' @param width Width of the 95\% CI of balanced accuracy and AUC from nested cross-validation. With
#'   a table of a numeric target it is the CI of R squared, and with survival times the CI of the
#'   concordance.
#' @param rate Balanced accuracy, R squared or concordance to reach on new rows. Needs a table.
#' @param find_effect Effect of a feature that the selection should find: difference of two classes
#'   in standard deviations, Cohen's w of a nominal feature, correlation with a numeric target, or
#'   log hazard ratio per standard deviation. hetsel adds such a column to rows drawn from the
#'   table; the draw removes chance associations. Needs a table.
#' @param effect_kind Kind of the feature with this effect.
#' @param repeats Number of draws of nested subsets of the rows for the learning curve.
#' @param plantings Number of columns with the effect to add, for each number of rows.
