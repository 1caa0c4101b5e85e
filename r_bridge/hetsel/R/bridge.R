# The way to Python. Python objects live here only, never in what a user gets.

the <- new.env(parent = emptyenv())

# What answers a question: where Python hosts this R what it has set by expose(), else the Python
# that R hosts.
cross <- function(name, asked) {
  if (is.null(the$answer)) facade()$answer(name, asked) else the$answer(name, asked)
}

# The Python module that answers, imported at first use.
facade <- function() {
  if (is.null(the$facade)) {
    the$facade <- suspendInterrupts(import_facade())
  }
  the$facade
}

# Call an entry point; its errors become errors of R, its warnings warnings, Ctrl-C an interrupt.
# R holds Ctrl-C back until Python is done: amid loading or the conversion of an argument it would
# leave half a module, or tear Python's frames. Python hears it while it works.
ask <- function(name, ...) {
  asked <- serialize(list(...), NULL, xdr = FALSE, version = 2) # computed where Ctrl-C is R's
  suspendInterrupts({
    answer <- unserialize(cross(name, asked))
    pressed <- held_back()
    if (pressed || !is.null(answer$interrupted)) {
      forget_interrupt()
    }
  })
  if (pressed && is.null(answer$interrupted)) {
    interrupt()
  }
  if (!is.null(answer$error)) {
    refuse_as_told(answer$error)
  }
  if (!is.null(answer$interrupted)) {
    if (is.character(answer$interrupted)) {
      message(
        "interrupted: what was finished is in ", answer$interrupted,
        "; the same call goes on from there"
      )
    }
    interrupt()
  }
  caution_as_told(answer$warnings)
  answer$value
}

# Whether R has held back an interrupt; it is over then.
held_back <- function() {
  tryCatch(
    {
      # Allowed within only: R looks for one at every thousandth step of a loop. In a sleep, even of
      # no time, it would be heard by a handler of R that no other thread may run.
      allowInterrupts(for (k in 1:2000) NULL)
      FALSE
    },
    interrupt = function(i) TRUE
  )
}

# reticulate remembers an interrupt until Python's next error, which it takes for one.
forget_interrupt <- function() {
  if (is.null(the$facade)) {
    return()
  }
  tryCatch(
    allowInterrupts(reticulate::py_run_string("raise InterruptedError", local = TRUE)),
    error = identity, interrupt = identity
  )
}

# Unwind as Ctrl-C does: to whoever catches interrupts, else to the top level, or to the Python that
# hosts this R.
interrupt <- function() {
  signalCondition(structure(list(), class = c("interrupt", "condition")))
  if (is.function(the$answer)) {
    stop("interrupted", call. = FALSE)
  }
  invokeRestart("abort")
}
