# The times and events of a Surv object, converted for Python; survival need not be installed.
survival_of <- function(y) {
  type <- attr(y, "type")
  why <- c(
    counting = "times of entry (left truncation)", interval = "interval censoring",
    interval2 = "interval censoring", left = "left censoring", mright = "several states",
    mcounting = "several states and times of entry"
  )
  states <- isTRUE(type %in% c("mright", "mcounting"))
  refuse_if(!identical(type, "right"),
    "survival times must be right-censored. Got a Surv object of type ", type,
    if (isTRUE(type %in% names(why))) paste0(", which has ", why[[type]]),
    fix = paste0(
      "Pass Surv(time, event)",
      if (states) " and name the state that is the event, such as status == \"death\""
    ),
    argument = "y"
  )
  times <- unclass(y)[, 1]
  events <- unclass(y)[, 2]
  refuse_if(any(unknown <- is.na(events) & !is.na(times)),
    "the event of Surv() is missing in ", counted(sum(unknown), "row"),
    fix = paste0(
      "Drop these rows; or, if the status has more than two values, name the event, such as ",
      "Surv(time, status == 1)"
    ),
    argument = "y"
  )
  list(times = as.double(times), events = as.double(events))
}

is_survival <- function(y) inherits(y, "Surv")

# Some rows of survival times, with or without the package survival.
rows_of_survival <- function(x, rows) {
  structure(unclass(x)[rows, , drop = FALSE], class = "Surv", type = attr(x, "type"))
}

# Check that Surv() can be called and that no feature is part of the target.
check_survival <- function(formula) {
  target <- formula[[2]]
  calls <- function(f) is.call(target) && identical(target[[1]], f)
  bare <- calls(quote(Surv))
  refuse_if(bare && !exists("Surv", envir = environment(formula), mode = "function"),
    "the formula calls Surv(), which was not found", fix = "Run library(survival)",
    argument = "formula"
  )
  twice <- intersect(variables_in(target), setdiff(variables_in(formula[[3]]), "."))
  refuse_if((bare || calls(quote(survival::Surv))) && length(twice),
    "the target must not be among the features. '", twice[1], "' is part of ", deparse1(target),
    fix = "Remove it from the right side of the formula", argument = "y"
  )
}

# all.vars() without package names, names after $, and arguments of functions in the formula.
variables_in <- function(x) {
  found <- character()
  left <- list(x)
  while (length(left)) {
    part <- left[[1]]
    left <- left[-1]
    if (is.name(part)) {
      found <- c(found, as.character(part))
    } else if (is.call(part)) {
      head <- if (is.name(part[[1]])) as.character(part[[1]]) else ""
      parts <- parts_of(part)
      left <- c(switch(head,
        `::` = ,
        `:::` = NULL,
        `$` = ,
        `@` = parts[2],
        `function` = lapply(setdiff(variables_in(part[[3]]), names(part[[2]])), as.name),
        if (is.call(part[[1]])) parts else parts[-1]
      ), left)
    }
  }
  unique(found)
}

kind_of_target <- function(x) {
  if (!is.null(x$survival)) "survival" else if (!is.null(x$numbers)) "numbers" else "classes"
}
