#' The clinical kernel of a mixed table
#'
#' @description The similarity of rows that the machines and eliminations of hetsel work with: a
#' number in [0, 1] for each pair of rows, the mean over the columns.
#' @param x a data frame or a matrix, one column per feature; beside \code{x2} those that it has, by
#'   name, and others are not looked at.
#' @param x2 the training rows, from which the ranges and the levels are;
#'   \code{NULL} compares the rows of \code{x} with each other.
#' @param nominal,ordinal,continuous,missing as in \code{\link{hetsel_rank}}.
#' @param unseen what becomes of a level of \code{x} that \code{x2} has not: \code{"error"} refuses
#'   it, \code{"separate"} takes it as a level of its own.
#' @details
#' \deqn{k(x, z) = \frac{1}{p} \sum_f k_f(x_f, z_f)}{k(x, z) = (1/p) sum_f k_f(x_f, z_f)}
#' with \eqn{k_f(a, b) = 1 - |a - b| / r_f} for a continuous column of range \eqn{r_f} (an ordinal
#' one on the positions of its levels), and 1 where two levels of a nominal column are equal, else
#' 0. A value outside of the range is taken to its end; a constant column has \eqn{k_f = 1}.
#' @return A matrix with a row for each row of \code{x} and a column for each row of \code{x2}, or
#' of \code{x}, with their row names.
#' @inherit hetsel_svm references
#' @seealso \code{\link{hetsel_svm}}
#' @examplesIf hetsel_available()
#' people <- data.frame(age = c(40, 60, 80), sex = c("f", "f", "m"), row.names = c("a", "b", "c"))
#' hetsel_kernel(people)
#' hetsel_kernel(data.frame(age = 50, sex = "m"), people)
#' @export
hetsel_kernel <- function(x, x2 = NULL, nominal = NULL, ordinal = NULL, continuous = NULL,
                          missing = "impute", unseen = "error") {
  training <- if (!is.null(x2)) read_columns(x2, nominal, ordinal, continuous)
  if (!is.null(x2)) x <- with_columns(x, names(training$columns))
  rows <- read_columns(x, nominal, ordinal, continuous)
  answer <- ask_table(
    "kernel", checked(c(missing = "word", unseen = "word"), environment()),
    columns = rows$columns, training = training$columns, kinds = (training %||% rows)$kinds
  )
  dimnames(answer) <- list(rownames(x), rownames(x2 %||% x))
  answer
}

# The columns of the training rows, in their order; others are not looked at.
with_columns <- function(x, names) {
  own <- names(cells_by_column(x))
  lacking <- setdiff(names, own)
  refuse_if(length(lacking), "x has no column '", lacking[1], "', which x2 has", argument = "x")
  refuse_doubled(own, names, "x")
  x[, match(names, own), drop = FALSE]
}
