#' How many rows a study needs, before it
#'
#' @description Without a table: the criteria of Riley and colleagues for what is expected, by which
#' \code{pmsampsize} computes, for two and more classes, numbers and survival times, and rows for a
#' wanted width of the interval of the balanced rate and of the area under the ROC curve. With a
#' table: the learning curve of \code{\link{hetsel_select}} on nested subsets of its rows, rows for
#' a wanted width or rate by it, and the chance to find a feature of a given effect. What is
#' expected comes from the table then, where it is not said.
#' @param x a data frame or a matrix, one column per feature; or \code{NULL}, no table.
#' @param y the target: classes, numbers or survival times, as in \code{\link{hetsel_rank}}.
#' @template plan_rows
#' @template planned_signature
#' @param row_groups,progress as in \code{\link{hetsel_select}}.
#' @details The criteria look at a regression by maximum likelihood with all candidates in it: the
#' effects need little shrinkage, the apparent R squared is hardly too large, the overall risk is
#' known. The R squared of a C statistic is integrated under normal linear predictors with one
#' variance, where \code{pmsampsize} draws a million rows: it differs in the third digit at most.
#'
#' A power law a - b (m / n)^-c is fitted to the rates of m rows. Beyond four times the rows at hand
#' nothing is said. Its band has two errors: which rows the subsets drew, and which rows the table
#' is.
#' @return A list of class \code{hetsel_row_plan} with
#' \item{rows, asked_by}{the rows that the study needs, the most that a criterion asks for, and
#'   which one that is.}
#' \item{validation_rows}{the rows to validate the model on others; \code{NA} where it is not
#'   known.}
#' \item{criteria}{data frame: \code{purpose}, what it \code{asks}, \code{rows} (\code{NA} where no
#'   number within reach is enough), \code{events} and \code{source}.}
#' \item{points, band}{data frames of the learning curve: \code{rows}, \code{rate}, its
#'   \code{spread} over the \code{repeats} and the standard \code{error} of the mean; and of the
#'   law, from half to four times the rows at hand, the \code{rate} with its band from \code{low} to
#'   \code{high}.}
#' \item{measure, law, signature_size}{what the curve is of, its \code{limit}, \code{loss} and
#'   \code{exponent}, and the size of the signature of all rows.}
#' \item{rate}{list of the wanted \code{rate}, its \code{rows} by the law, and the \code{fewest} and
#'   the \code{most} by the band.}
#' \item{found, effect}{data frame of the chance to find the planted feature by the number of
#'   \code{rows}: the \code{share} of the \code{repeats} with its 95 \% interval and Monte Carlo
#'   standard \code{error}; and which effect that is.}
#' \item{expected, from_table}{what is expected, and what of it the table said.}
#' \item{lacking, sentences}{what could not be asked, and what it comes to; \code{print} shows it.}
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
#' @seealso \code{\link{hetsel_select}}
#' @examplesIf hetsel_available()
#' hetsel_plan_rows(candidates = 24, prevalence = 0.174, c_statistic = 0.89, width = 0.1)
#' women <- infert[c("age", "parity", "education", "spontaneous")]
#' hetsel_plan_rows(women, infert$case == 1, method = "rfe-svm", row_groups = "rows", folds = 3,
#'                  repeats = 2, find_effect = 0.5, plantings = 5)
#' @export
hetsel_plan_rows <- asking("plan_rows", after = 2, asking("planned_signature", after = 2, function(
    x = NULL, y = NULL, row_groups = NULL, progress = interactive()) {
  data <- if (!is.null(x)) {
    with_groups(read_data(x, y, nominal, ordinal, continuous), row_groups)
  }
  if (is.null(x) && !is.null(y)) {
    refuse("y is the target of a table: x is needed, too", argument = "x")
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
#' @param ... ignored.
#' @eval methods_of(print = "hetsel_row_plan", as.data.frame = "hetsel_row_plan")
print.hetsel_row_plan <- function(x, ...) {
  for (line in x$sentences) {
    writeLines(strwrap(line, width = 100, initial = sub("[^ ].*", "", line), exdent = 4))
  }
  invisible(x)
}

as.data.frame.hetsel_row_plan <- function(x, ...) x$criteria
