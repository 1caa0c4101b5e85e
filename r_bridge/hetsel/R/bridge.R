# The interface to Python. Python objects never leave this file: users get plain R objects.

the <- new.env(parent = emptyenv())

# Send a request to Python: to the one that hosts this R, set by expose(), else to R's own.
cross <- function(name, asked) (the$answer %||% facade()$answer)(name, asked)

# Import the Python module of the interface at first use.
facade <- function() {
  if (is.null(the$facade)) the$facade <- suspendInterrupts(import_facade())
  the$facade
}

# Call an entry point. Its errors, warnings and interrupts become those of R. R holds Ctrl-C back,
# since it would leave half a module during loading or converting; Python hears it while it works.
ask <- function(name, ...) ask_table(name, list(), ...)

# Call an entry point with a table from read_data().
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
      "Interrupted. Finished work is kept in ", answer$interrupted,
      ". Repeat the call to continue from there."
    )
  }
  if (!is.null(answer$interrupted)) interrupt()
  for (told in answer$warnings) {
    warning(as_told(told, c("hetsel_warning", "warning")))
  }
  answer$value
}

# Whether R has held back an interrupt; reading clears it.
held_back <- function() {
  # Allowed within only: R looks for one at every thousandth step of a loop. In a sleep, even of no
  # time, it would be heard by a handler of R that no other thread may run.
  tryCatch(allowInterrupts(for (k in 1:2000) NULL) %||% FALSE, interrupt = function(i) TRUE)
}

# Clear the interrupt that reticulate would otherwise report at Python's next error.
forget_interrupt <- function() {
  if (!is.null(the$facade)) {
    tryCatch(
      allowInterrupts(reticulate::py_run_string("raise InterruptedError", local = TRUE)),
      error = identity, interrupt = identity
    )
  }
}

# Unwind like Ctrl-C: to a handler of interrupts, the top level, or the Python that hosts this R.
interrupt <- function() {
  signalCondition(structure(list(), class = c("interrupt", "condition")))
  if (is.function(the$answer)) stop("interrupted", call. = FALSE)
  invokeRestart("abort")
}

.onLoad <- function(libname, pkgname) {
  require_wheel()
  register_methods()
}
