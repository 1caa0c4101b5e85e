#' @param candidates Number of parameters of all candidate features, selected or not: a continuous
#'   feature has 1, a nominal feature with k levels has k - 1.
#' @param prevalence Expected proportion of rows with the event; for more than two classes the
#'   proportion of each class.
#' @param c_statistic Expected AUC of the model; for more than two classes the AUC of each pair.
#'   Alternatives: \code{r2} or \code{nagelkerke_r2}.
#' @param r2 Expected R squared: for classes and survival times R squared of Cox and Snell, for a
#'   numeric target the coefficient of determination.
#' @param nagelkerke_r2 Expected R squared of Nagelkerke. Use 0.15 if you know nothing about the
#'   expected performance.
#' @param event_rate Expected number of events per unit of time, for survival times.
#' @param follow_up Expected mean follow-up time of a row, for survival times.
#' @param horizon Time at which the risk is predicted, for survival times.
#' @param mean Expected mean of a numeric target. From mean and \code{deviation}, hetsel computes
#'   the number of rows that estimates the mean within 10\%.
#' @param deviation Expected standard deviation of a numeric target.
#' @param shrinkage Smallest acceptable shrinkage factor of the effects; overfitting makes it
#'   smaller.
#' @param optimism Largest acceptable difference of apparent and adjusted R squared.
#' @param margin Largest acceptable margin of error of the estimated overall risk.
#' @param width Width of the 95\% CI of the performance from nested cross-validation: of balanced
#'   accuracy and AUC for classes. With a table also of R squared for a numeric target, and of the
#'   concordance for survival times.
#' @param rate Balanced accuracy, R squared or concordance to reach on new rows. Needs a table.
#' @param find_effect Effect of a feature that the selection should find. For two classes:
#'   difference of the means in standard deviations, or Cohen's w for a nominal feature. For a
#'   numeric target: correlation. For survival times: log hazard ratio per standard deviation.
#'   hetsel adds a column with this effect to rows drawn from the table; the draw removes chance
#'   associations. Needs a table.
#' @param effect_kind Kind of the feature with this effect.
#' @param repeats Number of draws of nested subsets of the rows for the learning curve.
#' @param plantings Number of columns with the effect that hetsel adds, for each number of rows.
