# The way to Python. Python objects live here only, never in what a user gets.

the <- new.env(parent = emptyenv())

# What answers: of a Python that hosts this R what expose() has set, else the Python that R hosts.
cross <- function(name, asked) (the$answer %||% facade()$answer)(name, asked)

# The Python module that answers, imported at first use.
facade <- function() {
  if (is.null(the$facade)) the$facade <- suspendInterrupts(import_facade())
  the$facade
}

# Call an entry point; its errors, warnings and Ctrl-C become those of R, which holds Ctrl-C back:
# amid loading or converting it would leave half a module. Python hears it while it works.
ask <- function(name, ...) ask_table(name, list(), ...)

# The same of a table as read_data() has it.
ask_table <- function(name, data, ...) {
  asked <- c(data[setdiff(names(data), "unit")], list(...))
  asked <- serialize(asked, NULL, xdr = FALSE, version = 2) # computed where Ctrl-C is R's
  suspendInterrupts({
    answer <- unserialize(cross(name, asked))
    pressed <- held_back()
    if (pressed || !is.null(answer$interrupted)) forget_interrupt()
  })
  if (pressed && is.null(answer$interrupted)) interrupt()
  if (!is.null(answer$error)) stop(as_told(answer$error, c("hetsel_error", "error")))
  if (is.character(answer$interrupted)) {
    message(
      "interrupted: what was finished is in ", answer$interrupted,
      "; the same call goes on from there"
    )
  }
  if (!is.null(answer$interrupted)) interrupt()
  for (told in answer$warnings) {
    warning(as_told(told, c("hetsel_warning", "warning")))
  }
  answer$value
}

# Whether R has held back an interrupt; it is over then.
held_back <- function() {
  # Allowed within only: R looks for one at every thousandth step of a loop. In a sleep, even of no
  # time, it would be heard by a handler of R that no other thread may run.
  tryCatch(allowInterrupts(for (k in 1:2000) NULL) %||% FALSE, interrupt = function(i) TRUE)
}

# reticulate remembers an interrupt until Python's next error, which it takes for one.
forget_interrupt <- function() {
  if (!is.null(the$facade)) {
    tryCatch(
      allowInterrupts(reticulate::py_run_string("raise InterruptedError", local = TRUE)),
      error = identity, interrupt = identity
    )
  }
}

# Unwind as Ctrl-C does: to who catches interrupts, the top level, or the Python that hosts this R.
interrupt <- function() {
  signalCondition(structure(list(), class = c("interrupt", "condition")))
  if (is.function(the$answer)) stop("interrupted", call. = FALSE)
  invokeRestart("abort")
}

.onLoad <- function(libname, pkgname) {
  require_wheel()
  register_methods()
}
