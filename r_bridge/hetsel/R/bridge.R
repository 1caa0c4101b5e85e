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

# A plain vector, whether Python's list came as a vector, a list or nothing.
vector_of <- function(x, mode) {
  as.vector(unlist(x, use.names = FALSE), mode)
}

# A data frame of parallel lists; `modes` names the columns and says what they hold.
frame_of <- function(x, modes) {
  columns <- Map(
    function(name, mode) vector_of(x[[name]], mode), names(modes), modes,
    USE.NAMES = FALSE
  )
  names(columns) <- seq_along(columns)
  frame <- as.data.frame(columns, stringsAsFactors = FALSE, optional = TRUE)
  names(frame) <- names(modes) # as they are, whatever the locale
  frame
}
