# Functions that ask a question have the options of its record, see hetsel/questions in Python.

# A function with the options of a question after its first two arguments.
asking <- function(question, f) {
  formals(f) <- append(formals(f), questions[[question]], after = 2)
  f
}

# The options of a question as they stand in a call, as they cross to Python.
asked_in <- function(question, call) {
  given <- mget(names(questions[[question]]), call)
  Map(function(value, name) crossing(unname(value), name), given, names(given))
}
