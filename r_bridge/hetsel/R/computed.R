# Columns that a formula computes are computed in new rows as in the fit, also in later sessions.

# Functions that compute each value from its row alone.
BY_CELL <- c(
  "+", "-", "*", "/", "^", "%%", "(", "I", "log", "log2", "log10", "log1p", "exp", "sqrt", "abs",
  "==", "!=", "<", ">", "<=", ">=", "&", "|", "!", "is.na", "ifelse", "factor", "as.factor"
)

# Calls whose parts are not computed separately.
OPAQUE <- c("function", "::", ":::", "quote", "~", "<-")

# How each column (calls by name, `values` in all rows) is computed in new rows, or an error.
keep_computed <- function(computed, values, data, where) {
  Map(function(call, value, name) {
    kept <- keep_call(call, value, data, where)
    refuse_if(is.null(kept),
      "the feature '", name, "' depends on the other rows, so it cannot be computed for new rows",
      fix = paste0(
        "Make it a column of data, or replace what depends on the rows by numbers, such as ",
        "cut(x, c(0, 10, 50)) in place of cut(x, 3)"
      ), argument = "formula"
    )
    kept
  }, computed, values, names(computed))
}

# A call with values of all rows inserted, and what it needs in new rows; NULL if not computable.
keep_call <- function(given, value, data, where) {
  used <- variables_in(given)
  table <- as.list.data.frame(data)[intersect(used, names(data))]
  outside <- variables_kept(setdiff(used, names(table)), where)
  rowwise <- Filter(function(x) has_rows(x, nrow(data)), outside)
  # a variable of as many values as data has rows is a table of levels, say, or else a column
  for (more in unique(list(list(), rowwise))) {
    columns <- c(table, more)
    call <- fixed(given, columns, where, nrow(data))
    if (is_by_row(call, value, columns, where)) {
      needed <- intersect(variables_in(call), names(columns))
      factors <- Filter(is.factor, columns[needed])
      named <- named_by(list(NULL, call))
      alike <- variables_kept(intersect(named, needed), where) # f(f) has a function and a column
      with <- variables_kept(setdiff(named, needed), where, packages = TRUE)
      return(list(
        call = call, columns = needed, factors = lapply(factors, `[`, 0),
        with = c(with, Filter(is.function, alike))
      ))
    }
  }
  NULL
}

# Replace parts without one value per row by their values: mean(x), or poly() by makepredictcall().
fixed <- function(part, columns, where, rows) {
  heads <- setdiff(all.names(part), all.vars(part))
  opaque <- is.call(part) && deparse1(part[[1]]) %in% OPAQUE
  if (!is.call(part) || opaque || !length(all.vars(part)) || all(heads %in% BY_CELL)) {
    return(part)
  }
  value <- evaluated(part, columns, where)
  if (is.null(value)) {
    return(part)
  }
  if (!has_rows(value, rows)) {
    value <- if (is.function(value)) bare_copy(value, TRUE) else value
    return(if (is.function(value) || is.atomic(value)) value else part)
  }
  part <- predict_call(value, part, columns, where)
  for (k in which(vapply(as.list(part), is.call, NA))) {
    part[[k]] <- fixed(part[[k]], columns, where, rows)
  }
  part
}

# Evaluate a call; NULL where this fails.
evaluated <- function(call, columns, where) {
  tryCatch(suppressWarnings(eval(call, columns, where)), error = function(e) NULL)
}

# A call with the values of all rows that R keeps, with or without a package name.
predict_call <- function(value, call, columns, where) {
  if (is_survival(value)) {
    return(with_events(value, call, columns, where))
  }
  bare <- call
  bare[[1]] <- bare_name(call)
  known <- tryCatch(stats::makepredictcall(value, bare), error = function(e) bare)
  known[[1]] <- call[[1]]
  # R gives scale(x, 30, 5) its center and scale a second time
  if (is.null(evaluated(known, columns, where))) call else known
}

# Surv() reads 1 and 2 as censored and event if any row has a 2: apply this to every row.
with_events <- function(value, made, columns, where) {
  place <- intersect(c(match(c("event", "time2"), names(made)), 3), seq_along(made))[1]
  status <- if (!is.na(place)) evaluated(made[[place]], columns, where)
  if (identical(attr(value, "type"), "right") && is.numeric(status) &&
    isTRUE(max(status, na.rm = TRUE) == 2)) {
    made[[place]] <- call("==", made[[place]], 2)
  }
  made
}

# The name of the called function, without its package; NULL where it has none.
bare_name <- function(call) {
  head <- call[[1]]
  packaged <- is.call(head) && deparse1(head[[1]]) %in% c("::", ":::")
  if (packaged) head[[3]] else head
}

has_rows <- function(x, rows) {
  (is.atomic(x) || is.data.frame(x) || inherits(x, "POSIXlt")) && !is.null(x) && NROW(x) == rows
}

# Whether the values of rows stay the same in subsets of the rows.
is_by_row <- function(call, value, columns, where) {
  rows <- seq_len(NROW(value))
  odd <- unique(c(1, unlist(lapply(c(list(value), columns), telling_rows))))
  same <- function(some) {
    part <- evaluated(call, lapply(columns, take_rows, some), where)
    NROW(part) == length(some) &&
      isTRUE(all.equal(in_one_unit(part), in_one_unit(take_rows(value, some))))
  }
  some <- c(list(rows[rows %% 2 == 0], rev(rows)), as.list(odd))
  is.null(Find(Negate(same), Filter(length, some)))
}

# Convert a difference of times to days, since R chooses the unit by the smallest difference.
in_one_unit <- function(x) {
  if (inherits(x, "difftime")) as.double(x, units = "days") else as.vector(x)
}

telling_rows <- function(x) {
  if (length(dim(x)) == 2) x <- x[, 1]
  place <- if (is.numeric(x)) {
    c(which.min(x), which.max(x), which(is.na(x))[1])
  } else if (is.atomic(x)) {
    match(utils::head(unique(x), 5), x)
  }
  place[!is.na(place)]
}

# The user's variables and functions; with `packages` also calls of functions of packages.
variables_kept <- function(names, where, packages = FALSE) {
  found <- list()
  for (name in setdiff(names, c("", "."))) {
    env <- home_of(name, where)
    own <- identical(env, globalenv()) || !is_of_r(env)
    if (own && exists(name, envir = env, inherits = FALSE)) {
      value <- get(name, envir = env, inherits = FALSE)
      found[name] <- list(if (is.function(value)) bare_copy(value, TRUE) else value)
    } else if (packages) {
      found[[name]] <- function_of_package(name, env)
    }
  }
  found
}

# A function that calls a function of a package; NULL where there is none, or base R's.
function_of_package <- function(name, env) {
  home <- package_of(name, env)
  if (!is.null(home)) {
    packaged <- call("::", as.name(home), as.name(name))
    as.function(c(alist(... = ), as.call(list(packaged, quote(...)))), envir = baseenv())
  }
}

# The package of the function with this name, unless it is base; else NULL.
package_of <- function(name, env) {
  f <- get0(name, env, mode = "function")
  home <- if (is.function(f) && !is.primitive(f)) environment(f)
  if (isNamespace(home) && !isBaseNamespace(home) && name %in% getNamespaceExports(home)) {
    getNamespaceName(home)
  }
}

# Compute a column in new rows from the result of keep_call().
computed_anew <- function(kept, name, newdata, what = "feature") {
  refuse_computing <- function(...) {
    refuse(what, " '", name, "' cannot be computed: ", ..., argument = "newdata")
  }
  if (!is.list(kept)) {
    refuse_computing("the result was made by an earlier version, which did not keep its formula")
  }
  lacking <- setdiff(kept$columns, names(newdata))
  if (length(lacking)) refuse_computing("newdata has no column '", lacking[1], "'")
  columns <- as.list.data.frame(newdata)[kept$columns]
  for (column in names(kept$factors)) {
    columns[[column]] <- levels_of_fit(columns[[column]], kept$factors[[column]])
  }
  cells <- tryCatch(
    eval(kept$call, columns, list2env(kept$with, parent = baseenv())),
    error = function(e) refuse_computing(conditionMessage(e))
  )
  if (NROW(cells) != nrow(newdata)) {
    refuse_computing("it has ", NROW(cells), " values, and newdata has ", nrow(newdata), " rows")
  }
  cells
}

# A factor with the levels of the fit in their order, followed by unseen levels.
levels_of_fit <- function(x, fitted) {
  cells <- as.character(x)
  others <- setdiff(unique(cells[!is.na(cells)]), levels(fitted))
  factor(cells, c(levels(fitted), others), ordered = is.ordered(fitted))
}
