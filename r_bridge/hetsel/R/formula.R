# Columns and target that a formula names.
read_formula <- function(formula, data) {
  if (length(formula) < 3) {
    stop("the formula must name the target, as in y ~ .", call. = FALSE)
  }
  if (!is.data.frame(data)) {
    stop("data must be a data frame. Got an object of class ", class(data)[1], call. = FALSE)
  }
  if (identical(formula[[3]], quote(.))) { # spares the p x p matrix of terms
    y <- eval(formula[[2]], data, environment(formula))
    used <- names(data) %in% all.vars(formula[[2]])
    return(list(x = as.list.data.frame(data)[!used], y = y))
  }
  terms <- stats::terms(formula, data = data)
  if (any(attr(terms, "order") > 1)) {
    stop("the formula must not hold interactions: a feature is a column", call. = FALSE)
  }
  frame <- stats::model.frame(terms, data, na.action = stats::na.pass)
  factors <- attr(terms, "factors")
  if (!length(factors)) {
    stop("the formula names no features", call. = FALSE)
  }
  picked <- apply(factors > 0, 2, which)
  list(x = as.list(frame)[picked], y = stats::model.response(frame))
}
