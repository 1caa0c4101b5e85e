#' @param formula a formula such as \code{y ~ .}, \code{y > 20 ~ . - id},
#'   \code{Surv(time, status) ~ .} (columns inside of \code{Surv()} are no features) or
#'   \code{y ~ age + log(dose)}; it may come first or, as in a pipe, after the data frame. Each term
#'   is one feature: interactions, offsets and other parts of
#'   models, such as \code{strata(sex)}, \code{s(age)} or \code{(1 | ward)}, are refused.
#' @param data the data frame that a formula refers to.
#' @param subset with a formula, the rows to use: a condition, evaluated in \code{data}, or
#'   positions or names of rows.
#' @param na.action with a formula, a function such as \code{\link{na.omit}} that drops or refuses
#'   rows with missing cells; without it they are treated as \code{missing} says.
