# The roxygen2 tags of the formula and data frame methods of a function.
model_methods <- function(maker) {
  given <- c(
    formula = "formula, data, ..., subset, na.action, x", data.frame = "x, y, ..., formula, data"
  )
  classes <- names(given)
  usage <- paste0("\\method{", maker, "}{", classes, "}(", given, ")")
  c(
    "@usage", paste0(maker, "(x, ...)"), usage,
    paste(c("@aliases", paste0(maker, ".", classes)), collapse = " "), "@rawNamespace",
    paste0("S3method(", maker, ",", classes, ",", c("formula_method", "data_frame_method"), ")")
  )
}

formula_method <- function(formula, data, ..., subset, na.action, x) {
  call <- without_dots(match.call(), parent.frame())
  chosen <- if (!missing(subset)) substitute(subset)
  complete <- if (!missing(na.action)) na.action
  if (missing(formula)) {
    formula <- x
    names(call)[names(call) == "x"] <- "formula"
  }
  by_formula(.Generic, call, formula, data, chosen, complete, ...)
}

# The data frame comes first, with a formula or a target after it: data |> hetsel_rank(y ~ .).
data_frame_method <- function(x, y, ..., formula, data) {
  call <- without_dots(match.call(), parent.frame())
  of_formula <- get(.Generic)
  x <- if (missing(x)) data else x
  named <- !missing(formula)
  result <- if (named) {
    if (missing(y)) of_formula(formula, x, ...) else of_formula(formula, x, y, ...)
  } else if (!missing(y) && inherits(y, "formula")) {
    of_formula(y, x, ...)
  } else {
    return(recorded(get(paste0(.Generic, ".default"))(x, y, ...), call, call$y))
  }
  # with names as in R's models
  names(call)[names(call) == "y"] <- if (named) "" else "formula"
  names(call)[names(call) == "x"] <- "data"
  recorded(result, call, formula = result$call$formula)
}

by_formula <- function(maker, call, formula, data, subset, na_action, ...) {
  refuse_if("weights" %in% names(call),
    "weights is no argument of hetsel",
    fix = "Use row_weights of hetsel_rank() or hetsel_select(), one number per row of data",
    argument = "weights"
  )
  refuse_if("offset" %in% names(call),
    "offset is no argument of hetsel: selection of features has no offset",
    fix = "Remove offset", argument = "offset"
  )
  if (is.null(environment(formula))) environment(formula) <- globalenv()
  where <- environment(formula)
  default <- get(paste0(maker, ".default"))
  grouped <- groups_in_data(list(...), formula, data)
  parts <- read_formula(formula, grouped$data, subset, na_action)
  more <- by_columns_of_data(grouped$more, names(data), names(parts$x))
  more <- rows_of_options(more, data, parts, maker, names(formals(default)))
  predicts <- maker %in% c("hetsel_select", "hetsel_svm", "hetsel_mkl")
  computed <- if (predicts) keep_computed(parts$computed, parts$values, data, where)
  result <- do.call(default, c(list(parts$x, parts$y), more), quote = TRUE)
  if (predicts) result$computed <- computed
  if (maker == "hetsel_select") {
    result$target_call <- keep_call(formula[[2]], parts$target, data, where) %||% formula[[2]]
  }
  recorded(result, call, formula[[2]], formula_kept(formula, data))
}

# The values of row_groups, and the data without that column where only the dot names it.
groups_in_data <- function(more, formula, data) {
  if (missing(data)) check_formula(formula, data) # which refuses it
  name <- if (is.data.frame(data)) group_column(more$row_groups, names(data))
  if (!is.null(name)) {
    refuse_if(length(formula) == 3 && name %in% variables_in(formula[[2]]),
      "row_groups must not name the target. Got '", name, "'", argument = "row_groups"
    )
    more$row_groups <- data[[name]]
    if (!name %in% all.vars(formula)) data <- data[names(data) != name]
  }
  list(more = more, data = data)
}

# Restrict options with one value per row of data to the rows used; cluster() is row_groups.
rows_of_options <- function(more, data, parts, maker, legal) {
  if (!is.null(parts$groups)) {
    refuse_if(!"row_groups" %in% legal,
      "the formula must not contain cluster(), since ", maker, " has no row groups",
      fix = "Remove cluster()", argument = "formula"
    )
    refuse_if(!is.null(more$row_groups),
      "row groups are specified twice, by row_groups and by cluster()", fix = "Remove one of them",
      argument = "row_groups"
    )
    more$row_groups <- parts$groups
  }
  for (name in intersect(c("row_groups", "row_weights"), names(more))) {
    if (length(more[[name]]) == nrow(data)) more[[name]] <- more[[name]][parts$rows]
  }
  by <- if ("by" %in% legal) more[["by"]]
  if (!is.null(by)) more[["by"]] <- by_of_formula(by, data, parts)
  more
}

# Replace ..1 and so on in a call by the arguments that a function passed on through its dots.
without_dots <- function(call, caller) {
  passed <- grep("^[.][.][0-9]+$", vapply(as.list(call), deparse1, ""))
  if (length(passed)) {
    given <- as.list(eval(quote(substitute(list(...))), caller))[-1]
    for (j in passed) {
      call[[j]] <- given[[as.integer(substring(deparse1(call[[j]]), 3))]]
    }
  }
  call
}

# Columns, target and groups of the rows used; the calls, and their values in all rows.
read_formula <- function(formula, data, subset = NULL, na_action = NULL) {
  check_formula(formula, data)
  where <- environment(formula)
  features <- features_of(formula, data)
  columns <- features$variables
  plain <- vapply(columns, is.name, NA) & names(columns) %in% names(data)
  columns[plain] <- as.list.data.frame(data)[names(columns)[plain]]
  columns[!plain] <- lapply(columns[!plain], evaluate_term, data, where)
  target <- evaluate_term(formula[[2]], data, where, "target")
  groups <- if (!is.null(features$cluster)) evaluate_term(features$cluster, data, where)
  rows <- rows_chosen(subset, data, where)
  every <- c(list(target), unname(columns), if (!is.null(groups)) list(groups))
  if (!is.null(na_action)) rows <- rows_complete(every, rows, na_action)
  x <- Map(plain_integers, columns, names(columns)) # without bit64 their rows would be no integer64
  x <- lapply(x, take_rows, rows)
  computed <- Filter(is.call, features$variables)
  list(
    x = list_as_frame(x, length(rows)),
    y = take_rows(plain_integers(target, deparse1(formula[[2]])), rows),
    groups = groups, rows = rows,
    computed = computed, values = columns[names(computed)], target = target
  )
}

check_formula <- function(formula, data) {
  refuse_if(missing(data),
    "data is missing", fix = "Pass the data frame of the formula as data", argument = "data"
  )
  refuse_if(!is.data.frame(data),
    "data must be a data frame. Got an object of class ", class(data)[1], argument = "data"
  )
  short <- length(formula) < 3
  refuse_if(short, "the formula must name the target, such as y ~ .", argument = "formula")
  check_survival(formula)
  used <- variables_in(formula)
  refuse_doubled(names(data), if ("." %in% used) names(data) else used, "data")
}

refuse_unknown <- function(names, data) {
  refuse_if(length(names),
    "the formula names '", names[1], "', which is neither a column of data nor a variable",
    fix = nearest_name(names[1], names(data)), argument = "formula"
  )
}

# Suggest a name that differs in one or two letters; "" where none does.
nearest_name <- function(given, names) {
  letters_apart <- drop(utils::adist(given, names, ignore.case = TRUE))
  near <- which.min(letters_apart)
  close <- length(near) && letters_apart[near] <= min(2, nchar(given) / 2)
  if (close) paste0("Did you mean '", names[near], "'?") else ""
}

rows_chosen <- function(subset, data, where) {
  every <- seq_len(nrow(data))
  chosen <- tryCatch(eval(subset, data, where), error = function(e) {
    refuse(
      "subset ", deparse1(subset), " cannot be computed: ", conditionMessage(e),
      fix = "Pass a condition on columns of data, or rows", argument = "subset"
    )
  })
  rows <- switch(if (is.numeric(chosen)) "number" else typeof(chosen),
    `NULL` = every, number = every[chosen], character = match(chosen, row.names(data)),
    logical = if (length(chosen) %in% c(1, length(every))) which(rep_len(chosen, length(every)))
  )
  refuse_if(is.null(rows) || anyNA(rows),
    "subset must be TRUE or FALSE for each of the ", length(every), " rows, or numbers or names ",
    "of rows",
    argument = "subset"
  )
  rows
}

# The rows that `na.action` keeps.
rows_complete <- function(columns, rows, na_action) {
  columns <- stats::setNames(lapply(columns, take_rows, rows), paste0("V", seq_along(columns)))
  frame <- list_as_frame(columns, length(rows))
  chosen <- tryCatch(match.fun(na_action), error = function(e) {
    refuse(
      "na.action must be a function, such as na.omit", got(na_action), argument = "na.action"
    )
  })
  kept <- tryCatch(chosen(frame), error = function(e) {
    refuse("na.action failed: ", conditionMessage(e), argument = "na.action")
  })
  rows[as.integer(row.names(kept))]
}

take_rows <- function(x, rows) {
  if (is_survival(x)) {
    return(rows_of_survival(x, rows))
  }
  if (length(dim(x)) == 2) x[rows, , drop = FALSE] else x[rows]
}

# Record the call of a result; `formula` replaces a variable that held the formula.
recorded <- function(result, call, target = NULL, formula = NULL) {
  call <- call[c(1, order(match(names(call)[-1], c("formula", "data"))) + 1)]
  maker <- switch(class(result)[1],
    hetsel_path = if (nzchar(result$method)) "hetsel_rank" else "hetsel_search",
    hetsel_ranking = "hetsel_rank", hetsel_signature = "hetsel_select", class(result)[1]
  )
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
  if (!is.null(formula)) call$formula <- formula
  result$call <- call
  if (!is.null(target)) {
    named <- is.language(target) || length(target) == 1
    result$target <- if (named) deparse1(as_user_named(target)) else "y"
  }
  result
}

# Prepare a formula for saving: keep the variables outside data that it names, but no rows.
formula_kept <- function(formula, data) {
  names <- setdiff(named_by(list(NULL, formula)), names(data))
  kept <- tryCatch(variables_kept(names, environment(formula)), hetsel_error = function(e) NULL)
  kept <- Filter(function(value) !has_rows(value, nrow(data)), kept)
  attributes(formula) <- NULL
  if (length(kept)) formula <- stats::as.formula(formula, list2env(kept, parent = globalenv()))
  formula
}

# Remove calls such as factor() around the target, as in factor(case) ~ age.
as_user_named <- function(target) {
  wraps <- c("factor", "as.factor", "ordered", "as.ordered", "droplevels", "(")
  wrapped <- is.call(target) && length(target) > 1 && deparse1(target[[1]]) %in% wraps
  if (wrapped) as_user_named(target[[2]]) else target
}

#' Formula of a Result
#'
#' @description Return the formula of the call, in which the dot is replaced by its columns, or the
#' formula of a signature, for another model or for \code{\link{update}}.
#' @details The environment of the formula contains the variables and functions that the formula
#' names, as they were at the call, and no others. Variables with one value per row are left out.
#' @param x Result of \code{\link{hetsel_rank}}, \code{\link{hetsel_search}} or
#'   \code{\link{hetsel_select}} that was called with a formula.
#' @param size \code{NULL} for all features, or the size of a signature, such as \code{x$size}.
#' @param ... Ignored.
#' @return A formula.
#' @seealso \code{\link[=hetsel_verbs]{variable.names}} for the names of the features
#' @examplesIf hetsel_available()
#' ranking <- hetsel_rank(case ~ ., infert[c("age", "parity", "education", "case")], size = 2)
#' formula(ranking)
#' glm(formula(ranking, size = 2), binomial, infert)
#' @name formula.hetsel_ranking
#' @importFrom stats formula
#' @export
formula.hetsel_ranking <- function(x, size = NULL, ...) {
  refuse_if(is.null(x$call$formula),
    "the result has no formula, since its call had x and y", argument = "x"
  )
  given <- stats::as.formula(eval(x$call$formula, parent.frame()))
  calls <- Filter(is.call, variables_of(given)) # columns that are computed, such as log(dose)
  names(calls) <- vapply(calls, deparse1, "")
  if (!is.null(size)) {
    terms <- lapply(stats::variable.names(x, size = size), function(name) {
      if (name %in% names(calls)) calls[[name]] else as.name(name) # a name is never code
    })
    given[[3]] <- Reduce(function(one, other) call("+", one, other), terms)
    return(given)
  }
  dropped <- vapply(Filter(is.name, variables_of(given)), as.character, "") # as in . - id
  names <- c(setdiff(x$columns$name, names(calls)), all.vars(given[[2]]), setdiff(dropped, "."))
  names <- unique(names)
  data <- as.list(stats::setNames(seq_along(names), names))
  stats::formula(stats::terms(given, data = as.data.frame(data, optional = TRUE)))
}

variables_of <- function(formula) {
  as.list(attr(stats::terms(formula, allowDotAsName = TRUE), "variables"))[-1]
}

#' @rdname formula.hetsel_ranking
#' @eval methods_of(
#'   formula = c("hetsel_path", "hetsel_signature", "hetsel_judged", "hetsel_machine")
#' )
formula.hetsel_path <- formula.hetsel_signature <- formula.hetsel_judged <-
  formula.hetsel_machine <- formula.hetsel_ranking
