# The times and events of Surv(), which need not be there, as they cross to Python.
survival_of <- function(y) {
  type <- attr(y, "type")
  interval <- "times that are known to lie in an interval are not taken"
  why <- c(
    counting = "times of entry (left truncation) are not taken",
    interval = interval, interval2 = interval,
    left = "times that are known to be at most so long are not taken",
    mright = "of several states say which one is the event, as in status == \"death\"",
    mcounting = "of several states say which one is the event, and no times of entry"
  )
  known <- isTRUE(type %in% names(why))
  refuse_if(!identical(type, "right"),
    "survival times must be right-censored. Got an object of class Surv of type ", type,
    if (known) paste0(": ", why[[type]]), fix = "Surv(time, event) makes a target", argument = "y"
  )
  list(times = as.double(unclass(y)[, 1]), events = as.double(unclass(y)[, 2]))
}

is_survival <- function(y) inherits(y, "Surv")

# Some rows of survival times, whether or not the package survival is there.
rows_of_survival <- function(x, rows) {
  structure(unclass(x)[rows, , drop = FALSE], class = "Surv", type = attr(x, "type"))
}

# Refuse a formula whose target cannot be computed, or whose features are part of the target.
check_survival <- function(formula) {
  target <- formula[[2]]
  calls <- function(f) is.call(target) && identical(target[[1]], f)
  bare <- calls(quote(Surv))
  refuse_if(bare && !exists("Surv", envir = environment(formula), mode = "function"),
    "the formula calls Surv(), which is not at hand", fix = "library(survival)",
    argument = "formula"
  )
  twice <- intersect(variables_in(target), setdiff(variables_in(formula[[3]]), "."))
  refuse_if((bare || calls(quote(survival::Surv))) && length(twice),
    "the target must not be among the features: '", twice[1], "' is part of ", deparse1(target),
    fix = "leave it out on the right", argument = "y"
  )
}

# all.vars() without survival::Surv, its halves, what is after $, or arguments of a function there.
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
