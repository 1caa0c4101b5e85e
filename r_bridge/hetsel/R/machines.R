#' Support Vector Machine and Multiple Kernel Learning for Mixed Tables
#'
#' @description Train a classifier on the clinical kernel, which compares continuous columns by
#' distance and categorical columns by equality. Both classifiers are additive: the decision value
#' is a constant plus one term per feature. \code{hetsel_svm} gives the kernels of all features the
#' same weight; \code{hetsel_mkl} learns a weight for each.
#' @param x,y,formula,data,subset,na.action,missing,nominal,ordinal,continuous,scale As in
#'   \code{\link{hetsel_rank}}. The target must have classes; a class may have a single row.
#' @param C Upper bound of the dual variables, above 0; a larger value fits the rows more closely.
#' @param q Norm of the kernel weights, at least 1; near 1 few features have a weight above 0.
#' @param tolerance Largest relative duality gap.
#' @param class_weight \code{NULL}; \code{"balanced"} for equal total weight of the classes; or
#'   numbers by class that multiply \code{C}, such as \code{c(sick = 2, well = 1)}.
#' @param unseen How unseen levels in new rows are handled: \code{"error"} refuses them,
#'   \code{"separate"} treats them as a separate level. The levels of a factor are known even if no
#'   training row has them.
#' @param row_weights One number per row that multiplies \code{C}; 0 leaves the row out. A row of
#'   weight 2 counts as two equal rows, except in imputation and in a \code{scale} other than
#'   \code{"range"}, which ignore the weights.
#' @param ... None; the formula method passes the arguments above on.
#' @details With labels \eqn{y_i} of -1 and 1, dual variables \eqn{0 \le \alpha_i \le C}{0 <=
#' alpha_i <= C} and \eqn{\beta_i = \alpha_i y_i}{beta_i = alpha_i y_i}, the decision value is
#' \deqn{f(x) = b + \sum_f \mu_f \sum_i \beta_i k_f(x_f, x_{if})}{ f(x) = b + sum_f mu_f sum_i
#' beta_i k_f(x_f, x_if)} with \eqn{k_f} as in \code{\link{hetsel_kernel}}. For p features,
#' \eqn{\mu_f = 1/p}{mu_f = 1/p} in \code{hetsel_svm}. In \code{hetsel_mkl}, the weights satisfy
#' \eqn{\sum_f \mu_f^q = 1}{ sum_f mu_f^q = 1} and are learned with the classifier. For more than
#' two classes there is one classifier for each class against the rest; they share the weights.
#' @return A list of class \code{hetsel_svm} or \code{hetsel_mkl}, and \code{hetsel_machine}, with
#' the elements
#' \item{features}{data frame: \code{feature}, \code{kind} and the \code{weight} of its kernel.}
#' \item{intercept}{b, by class; for two classes one number, named by the positive class, whose
#'   decision values are above 0.}
#' \item{dual}{matrix of \eqn{\beta_i}{beta_i}, rows of the table by classifiers; 0 where a row is
#'   no support vector.}
#' \item{effects}{data frame of the effect of each feature, in linear pieces or by level, as in
#'   \code{\link{hetsel_select}}; \code{coef} returns it.}
#' \item{gap, trace}{for \code{hetsel_mkl}: the relative duality gap, an upper bound on the distance
#'   of the objective from its optimum; and both after each step.}
#' \item{model}{text from which \code{predict} works, also in later sessions.}
#' \item{columns, cautions, options, rows, classes, call, target, ...}{as in
#'   \code{\link{hetsel_rank}}.}
#' There are methods for \code{predict}, \code{coef}, \code{print}, \code{summary}, \code{plot},
#' which draws the effects, \code{as.data.frame} and \code{formula}.
#' @references Daemen, A. and De Moor, B. (2009) Development of a kernel function for clinical data.
#' \emph{Annual International Conference of the IEEE Engineering in Medicine and Biology Society},
#' 5913--5917.
#'
#' Kloft, M., Brefeld, U., Sonnenburg, S. and Zien, A. (2011) lp-norm multiple kernel learning.
#' \emph{Journal of Machine Learning Research} 12, 953--997.
#'
#' Paul, J., D'Ambrosio, R. and Dupont, P. (2015) Kernel methods for heterogeneous feature
#' selection. \emph{Neurocomputing} 169, 187--195.
#' @seealso \code{\link{predict.hetsel_machine}}, \code{\link{hetsel_kernel}},
#'   \code{\link{hetsel_rank}} with the methods \code{"rfe-svm"} and \code{"rfe-mkl"}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' machine <- hetsel_svm(case ~ ., women, class_weight = "balanced")
#' print(machine)
#' head(coef(machine))
#' plot(machine)
#'
#' weighted <- hetsel_mkl(case ~ ., women)
#' weighted$features
#' weighted$gap
#' @eval model_methods("hetsel_svm")
#' @export
hetsel_svm <- function(x, ...) UseMethod("hetsel_svm")

#' @rdname hetsel_svm
#' @export
hetsel_svm.default <- function(x, y, C = 10, class_weight = NULL, missing = "impute",
                               nominal = NULL, ordinal = NULL, continuous = NULL,
                               unseen = "error", ..., scale = "range", row_weights = NULL) {
  refuse_further("hetsel_svm", ...)
  recorded(ask_machine("svm", environment()), match.call(), substitute(y))
}

#' @rdname hetsel_svm
#' @eval model_methods("hetsel_mkl")
#' @export
hetsel_mkl <- function(x, ...) UseMethod("hetsel_mkl")

#' @rdname hetsel_svm
#' @export
hetsel_mkl.default <- function(x, y, C = 0.1, q = 2, tolerance = 1e-3, class_weight = NULL,
                               missing = "impute", nominal = NULL, ordinal = NULL,
                               continuous = NULL, unseen = "error", ..., scale = "range",
                               row_weights = NULL) {
  refuse_further("hetsel_mkl", ...)
  result <- ask_machine("mkl", environment(), q = "number", tolerance = "number")
  recorded(result, match.call(), substitute(y))
}

# Train the machine of a default method's call; `...` are the types of its own options.
ask_machine <- function(name, call, ...) {
  data <- data_in(call)
  types <- c(C = "number", missing = "word", unseen = "word", scale = "word", ...)
  answer <- ask_table(
    name, c(data, checked(types, call)),
    class_weight = option_crossing(call$class_weight, "class_weight"),
    row_weights = column_or_null(call$row_weights, "row_weights")
  )
  answer <- append(answer, facts_to_predict(data), match("positive", names(answer)))
  structure(as_written(answer, data), class = c(paste0("hetsel_", name), "hetsel_machine"))
}

#' Predict New Rows by a Support Vector Machine
#'
#' @description Predict classes or decision values of new rows with a classifier from
#' \code{\link{hetsel_svm}} or \code{\link{hetsel_mkl}}, in the same session or a later one.
#' @param object,x Result of \code{\link{hetsel_svm}} or \code{\link{hetsel_mkl}}.
#' @inheritParams predict.hetsel_signature
#' @param type What to predict.
#' @param top Number of features to print or draw, those with the largest effect first.
#' @param digits Digits after the decimal point.
#' @param main,ylab Title, and label of the axis; \code{NULL} uses the defaults.
#' @param ... Passed to \code{\link[graphics]{segments}} by \code{plot}; ignored by the others.
#' @return \code{predict} returns
#' \item{\code{"class"}}{the classes in the form of the target: logical values, or a factor with all
#'   levels of the target. For text and numbers, a factor whose levels are the classes.}
#' \item{\code{"decision"}}{for two classes a vector, above 0 where the positive class is predicted;
#'   for more classes a matrix with one column per class. The class with the largest value is
#'   predicted.}
#' \code{coef} returns the data frame \code{effects}, \code{as.data.frame} the data frame
#' \code{features}, and \code{plot} the pieces that it drew, invisibly.
#' @seealso \code{\link{hetsel_svm}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' machine <- hetsel_mkl(case ~ ., women[1:200, ])
#' table(predict(machine, women[201:248, ]), women$case[201:248])
#' head(predict(machine, women[201:248, ], type = "decision"))
#' @export
predict.hetsel_machine <- function(object, newdata, type = c("class", "decision"), ...) {
  type <- one_word(type, "type", c("class", "decision"))
  if (missing(newdata)) {
    refuse("newdata is missing, and a machine does not keep its training rows",
      fix = "Pass the rows to predict as newdata", argument = "newdata"
    )
  }
  columns <- columns_to_predict(object, newdata)
  answer <- predict_rows("predict_model", object, columns, nrow(newdata))
  as_predicted(answer, object, type)
}

#' @rdname predict.hetsel_machine
#' @eval methods_of(
#'   coef = "hetsel_machine", as.data.frame = "hetsel_machine", print = "hetsel_machine",
#'   summary = "hetsel_machine", plot = "hetsel_machine"
#' )
coef.hetsel_machine <- function(object, ...) object$effects

as.data.frame.hetsel_machine <- function(x, ...) x$features

print.hetsel_machine <- function(x, top = 20, digits = 3, ...) {
  cat(heading(x), sep = "\n")
  intercepts <- paste(formatC(x$intercept, digits = digits, format = "f"), collapse = ", ")
  cat(
    "support vectors: ", sum(rowSums(x$dual != 0) > 0), "; intercept",
    if (ncol(x$dual) > 1) "s", ": ", intercepts,
    if (!is.null(x$gap)) paste0("; relative duality gap ", formatC(x$gap, digits = 2)), "\n",
    sep = ""
  )
  print_features(for_eyes(utils::head(by_effect(x), drawn(top)), digits), nrow(x$features))
  cat("effect: range of the decision value over the feature; coef() returns the effects\n")
  print_open_ends(x)
  invisible(x)
}

# The features with the range of their effects, the largest first.
by_effect <- function(x) {
  ends <- x$effects[c("effect_low", "effect_high")]
  place <- factor(x$effects$feature, x$features$feature)
  high <- tapply(do.call(pmax, ends), list(place, x$effects$class), max)
  low <- tapply(do.call(pmin, ends), list(place, x$effects$class), min)
  table <- x$features
  table$effect <- apply(high - low, 1, max)
  table[order(-table$effect), ]
}

#' @export
print.summary.hetsel_machine <- function(x, digits = 3, ...) {
  print.hetsel_machine(x, top = 40, digits = digits)
  print_part("Effects on the decision value", pieces_for_eyes(x, digits), top = 100)
  print_columns(x)
  invisible(x)
}

plot.hetsel_machine <- function(x, top = 20, main = NULL, ylab = NULL, ...) {
  x$features <- by_effect(x)
  draw_effects(x, drawn(top), main, ylab, ...)
}

#' Clinical Kernel of a Mixed Table
#'
#' @description Compute the clinical kernel, the similarity of rows that the eliminations and
#' support vector machines of hetsel use: for each pair of rows a number from 0 to 1, the mean over
#' the columns.
#' @param x A data frame or a matrix with one column per feature. With \code{x2}, it needs the
#'   columns of \code{x2}, by name; other columns are ignored.
#' @param x2 The training rows, which define the ranges and the levels; \code{NULL} compares the
#'   rows of \code{x} with each other.
#' @param nominal,ordinal,continuous,missing As in \code{\link{hetsel_rank}}.
#' @param unseen How levels of \code{x} that do not occur in \code{x2} are handled: \code{"error"}
#'   refuses them, \code{"separate"} treats them as a separate level.
#' @details \deqn{k(x, z) = \frac{1}{p} \sum_f k_f(x_f, z_f)}{k(x, z) = (1/p) sum_f k_f(x_f, z_f)}
#' with \eqn{k_f(a, b) = 1 - |a - b| / r_f} for a continuous column of range \eqn{r_f}; for an
#' ordinal column, a and b are the positions of the levels. For a nominal column \eqn{k_f} is 1
#' where the levels are equal, else 0. Values outside the range are moved to its end, and a constant
#' column has \eqn{k_f = 1}.
#' @return A matrix with one row per row of \code{x} and one column per row of \code{x2} (or of
#' \code{x}), with their row names.
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

# The columns of the training rows, in their order; others are ignored.
with_columns <- function(x, names) {
  own <- names(cells_by_column(x))
  lacking <- setdiff(names, own)
  refuse_if(length(lacking),
    "x must have the columns of x2. It lacks '", lacking[1], "'", argument = "x"
  )
  refuse_doubled(own, names, "x")
  x[, match(names, own), drop = FALSE]
}
