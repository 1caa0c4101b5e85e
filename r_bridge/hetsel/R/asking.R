# The functions of the package take the options defined in hetsel/questions in Python.

# Add the options of a question to a function, after its own first arguments.
asking <- function(question, f, after = length(formals(f))) {
  formals(f) <- append(formals(f), questions[[question]], after = after)
  f
}

# The options of a question in a call, converted for Python.
asked_in <- function(question, call) {
  given <- mget(names(questions[[question]]), call)
  Map(function(value, name) crossing(unname(value), name), given, names(given))
}

# The options that are numbers, words or flags, each checked.
checked_in <- function(question, call) {
  defaults <- questions[[question]]
  checked(types[intersect(names(defaults), names(types))], call, defaults)
}

# Check arguments by their types; NULL is legal only where it is the default.
checked <- function(types, call, defaults = types) {
  Map(function(type, name) {
    value <- get(name, call)
    if (!is.null(value) || !is.null(defaults[[name]])) checks[[type]](value, name)
  }, types, names(types))
}

checks <- list(
  number = function(value, name) as.double(one_of(value, name, is.numeric)),
  word = function(value, name) one_of(value, name, is.character),
  flag = function(value, name) one_of(value, name, is.logical),
  numbers = function(value, name) as.list(as.double(some_of(value, name, is.numeric))),
  words = function(value, name) some_of(value, name, is.character),
  `number or word` = function(value, name) {
    if (is.character(value)) checks$word(value, name) else checks$number(value, name)
  }
)

size_or_rule <- function(size) if (!is.null(size)) checks$`number or word`(size, "size")

# The parameters of a method from a list and from further named arguments.
params_given <- function(params, ...) {
  refuse_if(!is.list(params) || length(params) && !all_named(params),
    "params must be a named list, such as list(C = 1)",
    if (is.list(params)) ". Got an element without a name" else got(params), argument = "params"
  )
  further <- list(...)
  refuse_if(length(further) && !all_named(further),
    "parameters of a method in ... must be named, such as ntree = 500", argument = "..."
  )
  c(params, further)
}

all_named <- function(x) !is.null(names(x)) && all(nzchar(names(x)))

# The parameters of a method and the rules of selection, converted for Python.
options_in <- function(call, data, params) {
  options <- c(params, rules_in(call, names(data$columns)))
  if (length(options)) Map(option_crossing, options, names(options))
}

# The rules of selection (always, never, groups, costs, budget) as parameters of a method.
rules_in <- function(call, names) {
  rules <- list(
    always = names_in(unlist(call$always), names, "always"),
    never = names_in(unlist(call$never), names, "never"),
    column_groups = if (!is.null(call$column_groups)) groups_by_name(call$column_groups, names),
    costs = if (!is.null(call$costs)) costs_by_name(call$costs, names),
    budget = number_or_null(call$budget, "budget"),
    unsupported = if (!identical(call$unsupported, "error")) {
      word_or_null(call$unsupported, "unsupported")
    }
  )
  Filter(Negate(is.null), rules)
}
