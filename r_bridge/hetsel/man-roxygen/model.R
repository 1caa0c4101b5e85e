#' @param formula A formula such as \code{y ~ .}, \code{y > 20 ~ . - id},
#'   \code{Surv(time, status) ~ .} (columns in \code{Surv()} are no features) or
#'   \code{y ~ age + log(dose)}. Give it as the first argument, or as the second one after a data
#'   frame, as in a pipe. If you name it, \code{formula =} and \code{x =} both work. Each term is
#'   one feature. Interactions, offsets and special terms of other model functions, such as
#'   \code{strata(sex)}, \code{s(age)} or \code{(1 | ward)}, are errors.
#' @param data The data frame of the formula.
#' @param subset With a formula, the rows to use: a condition that is evaluated in \code{data}, or
#'   positions or names of rows.
#' @param na.action With a formula, a function such as \code{\link{na.omit}} that drops or refuses
#'   rows with missing values. By default, \code{missing} determines how they are handled.
