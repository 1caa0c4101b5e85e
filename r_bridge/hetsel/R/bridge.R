# The way to Python. Python objects live here only, never in what a user gets.

the <- new.env(parent = emptyenv())

# The Python module that answers, imported at first use.
facade <- function() {
  if (is.null(the$facade)) {
    the$facade <- import_facade()
  }
  the$facade
}

import_facade <- function() {
  miniconda <- Sys.getenv("RETICULATE_MINICONDA_ENABLED", NA)
  Sys.setenv(RETICULATE_MINICONDA_ENABLED = "FALSE") # never offer to install another Python
  on.exit(
    if (is.na(miniconda)) {
      Sys.unsetenv("RETICULATE_MINICONDA_ENABLED")
    } else {
      Sys.setenv(RETICULATE_MINICONDA_ENABLED = miniconda)
    }
  )
  tryCatch(
    {
      wanted <- getOption("hetsel.python")
      if (!is.null(wanted) && !reticulate::py_available()) {
        reticulate::use_python(path.expand(wanted), required = TRUE)
      }
      # reticulate puts the working directory first: a file json.py there would be run as json
      reticulate::py_run_string(
        "import sys\nif '' in sys.path: sys.path.remove(''); sys.path.append('')",
        local = TRUE
      )
      reticulate::import("r_bridge.from_r.entry_points")
    },
    error = function(e) stop(no_python(conditionMessage(e)), call. = FALSE)
  )
}

no_python <- function(reason) {
  python <- tryCatch(
    if (reticulate::py_available()) reticulate::py_config()$python else "",
    error = function(e) ""
  )
  where <- if (nzchar(python)) paste0(" (", python, ")") else ""
  first <- sub("\n.*", "", trimws(reason))
  paste0(
    "Python cannot load hetsel: ", first, where, ". Name a Python (>= 3.11) that has hetsel, ",
    "before R first uses Python: Sys.setenv(RETICULATE_PYTHON = \"<path>/bin/python\") or ",
    "options(hetsel.python = \"<path>/bin/python\"). hetsel_doctor() shows what was found"
  )
}

# Call an entry point; its errors become errors of R, its warnings warnings, Ctrl-C an interrupt.
ask <- function(name, ...) {
  answer <- facade()[[name]](...)
  if (!is.null(answer$error)) {
    stop(answer$error, call. = FALSE)
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
  for (text in vector_of(answer$warnings, "character")) {
    warning(text, call. = FALSE)
  }
  answer
}

# Unwind as Ctrl-C does: to whoever catches interrupts, else to the top level.
interrupt <- function() {
  signalCondition(structure(list(), class = c("interrupt", "condition")))
  invokeRestart("abort")
}

# A plain vector, whether Python's list came as a vector, a list or nothing.
vector_of <- function(x, mode) {
  as.vector(unlist(x, use.names = FALSE), mode)
}

# A data frame of parallel lists; `modes` names the columns and says what they hold.
frame_of <- function(x, modes) {
  columns <- Map(function(name, mode) vector_of(x[[name]], mode), names(modes), modes)
  as.data.frame(columns, stringsAsFactors = FALSE)
}
