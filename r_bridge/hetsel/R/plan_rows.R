#' Sample Size for Developing and Validating a Signature
#'
#' @description Compute how many rows a study needs. Without a table: the sample size criteria of
#' Riley and colleagues for the expected values, as in \code{pmsampsize}, for two or more classes,
#' numeric targets and survival times, and the rows for a given width of the 95\% CI of balanced
#' accuracy and AUC. With a pilot table: the learning curve of \code{\link{hetsel_select}} on nested
#' subsets of its rows, the rows for a given width or performance, and the probability of finding a
#' feature of a given effect. Expected values that are not specified are then estimated from the
#' table.
#' @param x A data frame or a matrix with one column per feature, or \code{NULL} for no table.
#' @param y The target: classes, numbers or survival times, as in \code{\link{hetsel_rank}}.
#' @template plan_rows
#' @template planned_signature
#' @param row_groups,progress As in \code{\link{hetsel_select}}.
#' @details The criteria are for a regression by maximum likelihood with all candidate features: the
#' effects need little shrinkage, the optimism of the apparent R squared is small, and the overall
#' risk is estimated precisely. The R squared for a C statistic is integrated under normal linear
#' predictors with equal variance, where \code{pmsampsize} simulates a million rows. The results
#' differ in the third digit at most.
#'
#' The learning curve is the power law a - b (m / n)^-c, fitted to the performance with m rows. It
#' is not extrapolated beyond four times the number of rows in the table. Its band covers two
#' sources of error: the choice of rows in the subsets, and the choice of rows in the table.
#' @return A list of class \code{hetsel_row_plan} with the elements
#' \item{rows, asked_by}{the number of rows that the study needs, the maximum over the criteria, and
#'   the criterion that requires it.}
#' \item{validation_rows}{the number of rows for external validation of the model; \code{NA} where
#'   it cannot be computed.}
#' \item{criteria}{data frame: \code{purpose}, what the criterion \code{asks}, \code{rows}
#'   (\code{NA} where no number in reach is enough), \code{events} and \code{source}.}
#' \item{points, band}{data frames of the learning curve. \code{points}: \code{rows},
#'   \code{estimate}, its \code{spread} over the \code{repeats} and the \code{standard_error} of
#'   the mean. \code{band}: the fitted \code{estimate} with its band from \code{low} to
#'   \code{high}, from half to four times the number of rows in the table.}
#' \item{measure, law, signature_size}{the measure of the curve; the \code{limit}, \code{loss} and
#'   \code{exponent} of the power law; and the size of the signature on all rows.}
#' \item{rate}{list of the requested \code{rate}, the \code{rows} for it by the fitted curve, and
#'   the \code{fewest} and \code{most} rows by the band.}
#' \item{found, effect}{data frame of the probability of finding the planted feature by number of
#'   \code{rows}: the \code{proportion} is the proportion of the \code{repeats} that find it,
#'   with its 95\% CI and Monte Carlo \code{standard_error}; and the effect.}
#' \item{expected, from_table}{the expected values, and those of them that were estimated from the
#'   table.}
#' \item{lacking, sentences}{what could not be computed, and a summary in sentences; \code{print}
#'   shows it.}
#' @references Riley, R. D. and others (2020) Calculating the sample size required for developing a
#' clinical prediction model. \emph{BMJ} 368, m441.
#'
#' Riley, R. D. and others (2019) Minimum sample size for developing a multivariable prediction
#' model. \emph{Statistics in Medicine} 38, 1262--1275 and 1276--1296.
#'
#' Pate, A. and others (2023) Minimum sample size for developing a multivariable prediction model
#' using multinomial logistic regression. \emph{Statistical Methods in Medical Research} 32,
#' 555--571.
#'
#' Riley, R. D. and others (2021) Minimum sample size for external validation of a clinical
#' prediction model with a binary outcome. \emph{Statistics in Medicine} 40, 4230--4251.
#' @seealso \code{\link{hetsel_select}}, \code{\link{hetsel_validate}}
#' @examplesIf hetsel_available()
#' hetsel_plan_rows(candidates = 24, prevalence = 0.174, c_statistic = 0.89, width = 0.1)
#' women <- infert[c("age", "parity", "education", "spontaneous")]
#' hetsel_plan_rows(women, infert$case == 1, method = "rfe-svm", row_groups = "rows", folds = 3,
#'                  repeats = 2, find_effect = 0.5, plantings = 5)
#' @export
hetsel_plan_rows <- asking("plan_rows", after = 2, asking("planned_signature", after = 2, function(
    x = NULL, y = NULL, row_groups = NULL, progress = interactive(), ...) {
  refuse_further("hetsel_plan_rows", ...)
  data <- if (!is.null(x)) {
    with_groups(read_data(x, y, nominal, ordinal, continuous), row_groups)
  }
  if (is.null(x) && !is.null(y)) {
    refuse("y needs a table x", fix = "Pass the features as x, or remove y", argument = "x")
  }
  asked <- checked_in("planned_signature", environment())
  params <- params_given(params)
  answer <- ask_table(
    "plan_rows", c(data, asked[c("missing", "jobs")]),
    asked = asked_in("plan_rows", environment()),
    method = one_of(method, "method", is.character),
    size = size_or_rule(size),
    seed = seed_of(seed),
    options = c(
      asked[c("folds", "scale", "target_kind")],
      positive = if (!is.null(positive)) positive_of(positive, y, data$target)
    ),
    parameters = if (!is.null(x)) options_in(environment(), data, params),
    progress = one_of(progress, "progress", is.logical)
  )
  structure(answer, class = "hetsel_row_plan")
}))

#' @rdname hetsel_plan_rows
#' @param ... Ignored by \code{print}; \code{hetsel_plan_rows} has no further arguments.
#' @eval methods_of(print = "hetsel_row_plan", as.data.frame = "hetsel_row_plan")
print.hetsel_row_plan <- function(x, ...) {
  for (line in x$sentences) {
    writeLines(strwrap(line, width = 100, initial = sub("[^ ].*", "", line), exdent = 4))
  }
  invisible(x)
}

as.data.frame.hetsel_row_plan <- function(x, ...) x$criteria
