# Features and target that a formula picks from a data frame, as R's models do it: `subset` is
# evaluated in the data, `na.action` drops or refuses rows.

# The formula method of a function whose default method takes x and y.
by_formula <- function(default, call, formula, data, x, subset, na_action, ...) {
  if (missing(formula)) {
    formula <- x
    names(call)[names(call) == "x"] <- "formula"
  }
  if ("weights" %in% names(call)) {
    refuse(
      "weights must not be given beside a formula",
      fix = "hetsel_rank() and hetsel_select() take row_weights, a number for each row of data",
      argument = "weights"
    )
  }
  if ("offset" %in% names(call)) {
    refuse(
      "rows have no offset in a selection of features", fix = "leave offset out",
      argument = "offset"
    )
  }
  parts <- read_formula(formula, data, subset, na_action)
  more <- list(...)
  for (name in intersect(c("row_groups", "row_weights"), names(more))) {
    if (length(more[[name]]) == nrow(data)) {
      more[[name]] <- more[[name]][parts$rows]
    }
  }
  if ("by" %in% names(formals(default))) {
    more[["by"]] <- by_of_formula(more[["by"]], data, parts)
  }
  result <- do.call(default, c(list(parts$x, parts$y), more), quote = TRUE)
  if (inherits(result, c("hetsel_signature", "hetsel_machine"))) {
    result$computed <- parts$computed
  }
  if (inherits(result, "hetsel_signature")) {
    result$target_call <- formula[[2]]
  }
  recorded(result, call, formula[[2]])
}

# The methods for a formula and for a data frame of a function that is named by `maker`.
formula_method <- function(maker) {
  force(maker)
  function(formula, data, ..., subset, na.action, x) {
    call <- match.call()
    chosen <- if (!missing(subset)) substitute(subset)
    complete <- if (!missing(na.action)) na.action
    default <- get(paste0(maker, ".default"))
    by_formula(default, call, formula, data, x, chosen, complete, ...)
  }
}

data_frame_method <- function(maker) {
  force(maker)
  function(x, y, ..., formula, data) {
    call <- match.call()
    default <- get(paste0(maker, ".default"))
    frame_first(get(paste0(maker, ".formula")), default, call, x, y, formula, data, ...)
  }
}

# A data frame first, with a formula or a target after it: data |> hetsel_rank(y ~ .).
frame_first <- function(of_formula, default, call, x, y, formula, data, ...) {
  if (missing(x)) {
    x <- data
  }
  if (!missing(formula)) {
    result <- if (missing(y)) of_formula(formula, x, ...) else of_formula(formula, x, y, ...)
    return(recorded(result, formula_first(call, TRUE)))
  }
  if (!missing(y) && inherits(y, "formula")) {
    return(recorded(of_formula(y, x, ...), formula_first(call, FALSE)))
  }
  recorded(default(x, y, ...), call, call$y)
}

# The columns, the target, which rows of the data they have, and how those columns are computed that
# are none of the data, as log(age).
read_formula <- function(formula, data, subset = NULL, na_action = NULL) {
  check_formula(formula, data)
  where <- environment(formula)
  computed <- list()
  if (identical(formula[[3]], quote(.))) { # spares the p x p matrix of terms
    used <- names(data) %in% variables_in(formula[[2]])
    x <- as.list.data.frame(data)[!used]
    y <- eval(formula[[2]], data, where)
  } else {
    frame <- stats::model.frame(terms_of(formula, data), data, na.action = stats::na.pass)
    y <- stats::model.response(frame)
    terms <- attr(attr(frame, "terms"), "factors") # of one variable each
    place <- apply(terms > 0, 2, which)
    x <- as.list(frame)[place]
    computed <- as.list(attr(attr(frame, "terms"), "predvars"))[-1][place]
    computed <- Filter(is.call, stats::setNames(computed, names(x)))
  }
  x <- Map(plain_integers, x, names(x)) # without bit64 their rows would be no integer64
  y <- plain_integers(y, deparse1(formula[[2]]))
  rows <- rows_chosen(subset, data, where)
  rows <- rows_complete(c(list(y), unname(x)), rows, na_action)
  y <- take_rows(y, rows)
  x <- lapply(x, take_rows, rows)
  list(
    x = structure(x, class = "data.frame", row.names = .set_row_names(length(rows))),
    y = y, rows = rows, computed = computed
  )
}

check_formula <- function(formula, data) {
  if (missing(data)) {
    refuse(
      "data is missing", fix = "give the data frame that the formula refers to", argument = "data"
    )
  }
  if (!is.data.frame(data)) {
    refuse("data must be a data frame. Got an object of class ", class(data)[1], argument = "data")
  }
  if (length(formula) < 3) {
    refuse("the formula must name the target, as in y ~ .", argument = "formula")
  }
  check_survival(formula)
  variables <- variables_in(formula)
  unknown <- Filter(
    function(name) is.function(get0(name, environment(formula), ifnotfound = sum)),
    setdiff(variables, c(".", names(data)))
  )
  if (length(unknown)) {
    refuse(
      "the formula names '", unknown[1], "', which is neither a column of data nor a variable",
      fix = nearest_name(unknown[1], names(data)), argument = "formula"
    )
  }
  twice <- unique(names(data)[duplicated(names(data))])
  if (!"." %in% variables) {
    twice <- intersect(twice, variables)
  }
  if (length(twice)) {
    refuse(
      "column names must be unique. Got '", twice[1], "' more than once", fix = "rename one",
      argument = "data"
    )
  }
}

# The question whether the name that differs in a letter or two was meant; "" where none does.
nearest_name <- function(given, names) {
  letters_apart <- drop(utils::adist(given, names, ignore.case = TRUE))
  near <- which.min(letters_apart)
  if (length(near) && letters_apart[near] <= min(2, nchar(given) / 2)) {
    paste0("did you mean '", names[near], "'?")
  } else {
    ""
  }
}

# The terms of a formula, each of which must be one feature.
terms_of <- function(formula, data) {
  features <- formula[[3]]
  if (is.call(features) && identical(features[[1]], quote(`|`))) {
    refuse(
      "the formula must not hold groups after |: a feature is a column", argument = "formula"
    )
  }
  terms <- stats::terms(formula, data = data)
  labels <- attr(terms, "term.labels")
  if (!is.null(attr(terms, "offset"))) {
    refuse(
      "the formula must not hold an offset, as a ranking has no model to add it to",
      fix = "leave it out, or name its column as a feature", argument = "formula"
    )
  }
  if (any(attr(terms, "order") > 1)) {
    refuse(
      "the formula must not hold interactions, as ", labels[attr(terms, "order") > 1][1],
      ", since a feature is a column",
      fix = "interaction() makes one of two factors", argument = "formula"
    )
  }
  if (!length(labels)) {
    refuse("the formula names no features", argument = "formula")
  }
  if (deparse1(formula[[2]]) %in% labels) {
    refuse(
      "the target must not be among the features", fix = "leave it out on the right", argument = "y"
    )
  }
  terms
}

# Numbers of the rows that `subset` chooses, an expression as in subset().
rows_chosen <- function(subset, data, where) {
  every <- seq_len(nrow(data))
  chosen <- eval(subset, data, where)
  if (is.null(chosen)) {
    return(every)
  }
  if (is.logical(chosen) && length(chosen) %in% c(1, length(every))) {
    return(every[which(rep_len(chosen, length(every)))])
  }
  rows <- if (is.numeric(chosen)) {
    every[chosen]
  } else if (is.character(chosen)) {
    match(chosen, row.names(data))
  } else {
    NA
  }
  if (anyNA(rows)) {
    refuse(
      "subset must be a condition for each of the ", length(every), " rows, or rows that there are",
      argument = "subset"
    )
  }
  rows
}

# Of these rows the ones that `na.action` leaves.
rows_complete <- function(columns, rows, na_action) {
  if (is.null(na_action)) {
    return(rows)
  }
  frame <- structure(
    lapply(columns, take_rows, rows),
    names = paste0("V", seq_along(columns)),
    class = "data.frame", row.names = .set_row_names(length(rows))
  )
  rows[as.integer(row.names(match.fun(na_action)(frame)))]
}

take_rows <- function(x, rows) {
  if (is_survival(x)) {
    return(rows_of_survival(x, rows))
  }
  if (length(dim(x)) == 2) x[rows, , drop = FALSE] else x[rows]
}

# A result with the call that made it, by the name of the function that the user called.
recorded <- function(result, call, target = NULL) {
  call <- call[c(1, order(match(names(call)[-1], c("formula", "data"))) + 1)]
  maker <- maker_of(result)
  call[[1]] <- as.name(maker)
  if ("formula" %in% names(call)) { # else the first argument without a name would be x
    bare <- which(names(call)[-1] == "") + 1
    legal <- setdiff(names(formals(paste0(maker, ".default"))), c("x", "y", "...", names(call)))
    names(call)[bare] <- legal[seq_along(bare)]
  }
  data <- vapply(as.list(call), function(part) !is.language(part) && length(part) > 8, NA)
  for (j in which(data | vapply(as.list(call), is.data.frame, NA))) { # as do.call() passes it
    call[[j]] <- as.name(paste0("<", class(call[[j]])[1], ">"))
  }
  for (j in which(vapply(as.list(call), inherits, NA, "formula"))) {
    attributes(call[[j]]) <- NULL # its environment would be saved with the result
  }
  result$call <- call
  if (!is.null(target)) {
    named <- is.language(target) || length(target) == 1
    result$target <- if (named) deparse1(as_user_named(target)) else "y"
  }
  result
}

# The function that made a result.
maker_of <- function(result) {
  if (inherits(result, "hetsel_path") && nzchar(result$method)) {
    return("hetsel_rank")
  }
  own <- class(result)[1]
  others <- c(
    hetsel_ranking = "hetsel_rank", hetsel_path = "hetsel_search",
    hetsel_signature = "hetsel_select"
  )
  if (own %in% names(others)) others[[own]] else own
}

# The target without what only says that it is a factor, as in factor(case) ~ age.
as_user_named <- function(target) {
  wraps <- c("factor", "as.factor", "ordered", "as.ordered", "droplevels", "(")
  while (is.call(target) && length(target) > 1 && deparse1(target[[1]]) %in% wraps) {
    target <- target[[2]]
  }
  target
}

# The call of a data frame that came first, as in data |> hetsel_rank(y ~ .), with names as in R's
# models.
formula_first <- function(call, named) {
  names <- names(call)
  names[names == "y"] <- if (named) "" else "formula"
  names[names == "x"] <- "data"
  names(call) <- names
  call
}

#' The formula of a result
#'
#' @description The formula of the call with the columns that its dot stands for, or that of a
#' signature, for another model or for \code{\link{update}}.
#' @param x what \code{\link{hetsel_rank}}, \code{\link{hetsel_search}} or
#'   \code{\link{hetsel_select}} returned for a formula.
#' @param size \code{NULL} for all features, or the size of a signature, as \code{x$size}.
#' @param ... ignored.
#' @return A formula.
#' @examples
#' if (hetsel_available()) {
#'   ranking <- hetsel_rank(case ~ ., infert[c("age", "parity", "education", "case")], size = 2)
#'   formula(ranking)
#'   glm(formula(ranking, size = 2), binomial, infert)
#' }
#' @name formula.hetsel_ranking
#' @importFrom stats formula
#' @export
formula.hetsel_ranking <- function(x, size = NULL, ...) {
  if (is.null(x$call$formula)) {
    refuse("the features and the target were given without a formula")
  }
  given <- stats::as.formula(eval(x$call$formula, parent.frame()))
  calls <- calls_in(given)
  if (!is.null(size)) {
    terms <- lapply(stats::variable.names(x, size = size), function(name) {
      if (name %in% names(calls)) calls[[name]] else as.name(name) # a name is never code
    })
    given[[3]] <- Reduce(function(one, other) call("+", one, other), terms)
    return(given)
  }
  names <- c(setdiff(x$columns$name, names(calls)), all.vars(given[[2]]))
  data <- as.list(stats::setNames(seq_along(names), names))
  stats::formula(stats::terms(given, data = as.data.frame(data, optional = TRUE)))
}

# The features that a formula computes, such as log(dose), by their names.
calls_in <- function(formula) {
  variables <- attr(stats::terms(formula, allowDotAsName = TRUE), "variables")
  calls <- Filter(is.call, as.list(variables)[-1])
  stats::setNames(calls, vapply(calls, deparse1, ""))
}

#' @rdname formula.hetsel_ranking
#' @export
formula.hetsel_path <- formula.hetsel_ranking

#' @rdname formula.hetsel_ranking
#' @export
formula.hetsel_signature <- formula.hetsel_ranking
