# Functions that ask a question have the options of its record, see hetsel/questions in Python.

# A function with the options of a question after its own first arguments.
asking <- function(question, f, after = length(formals(f))) {
  formals(f) <- append(formals(f), questions[[question]], after = after)
  f
}

# The options of a question as they stand in a call, as they cross to Python.
asked_in <- function(question, call) {
  given <- mget(names(questions[[question]]), call)
  Map(function(value, name) crossing(unname(value), name), given, names(given))
}

# The same of those that are numbers, words, or TRUE and FALSE, each checked to be one.
checked_in <- function(question, call, but = character()) {
  type <- types[[question]]
  type <- type[setdiff(names(type), but)]
  Map(function(check, name) {
    value <- get(name, call)
    if (!is.null(value) || !is.null(questions[[question]][[name]])) checks[[check]](value, name)
  }, type, names(type))
}

checks <- list(
  number = function(value, name) as.double(one_of(value, name, is.numeric)),
  word = function(value, name) one_of(value, name, is.character),
  flag = function(value, name) one_of(value, name, is.logical),
  numbers = function(value, name) as.double(some_of(value, name, is.numeric)),
  words = function(value, name) some_of(value, name, is.character),
  `number or word` = function(value, name) {
    if (is.character(value)) one_of(value, name, is.character) else checks$number(value, name)
  }
)

# Parameters of a method: a list of them, and further arguments by their names.
params_given <- function(params, ...) {
  if (!is.list(params) || length(params) && !all_named(params)) {
    refuse("params must be a named list, as in list(C = 1)", got(params), argument = "params")
  }
  further <- list(...)
  if (length(further) && !all_named(further)) {
    refuse("further options of a method must be named, as in ntree = 500", argument = "...")
  }
  c(params, further)
}

all_named <- function(x) !is.null(names(x)) && all(nzchar(names(x)))

# Columns that are always in, and what features may do, as parameters of a method.
rules_in <- function(call, names) {
  rules <- list(
    always = names_in(unlist(call$always), names, "always"),
    never = names_in(unlist(call$never), names, "never"),
    column_groups = groups_by_name(call$column_groups, names),
    costs = costs_by_name(call$costs, names),
    budget = number_or_null(call$budget, "budget"),
    unsupported = if (!identical(call$unsupported, "error")) {
      word_or_null(call$unsupported, "unsupported")
    }
  )
  Filter(Negate(is.null), rules)
}
