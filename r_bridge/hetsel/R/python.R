# Which Python is taken; one that will not do ends in a sentence with the call that mends it. A
# Python is looked at in a process of its own first: R keeps the one that it has started.

import_facade <- function(start = start_facade, look = look_at) {
  # never offer to install another Python
  before <- set_variables(RETICULATE_MINICONDA_ENABLED = "FALSE")
  on.exit(set_variables(before))
  if (!reticulate::py_available()) {
    python <- unless_pressed(python_taken())
    refuse_python(unless_pressed(look(python)), started = FALSE)
    before <- c(before, set_variables(RETICULATE_PYTHON = python))
  }
  facade <- tryCatch(suppressWarnings(start()), error = identity, interrupt = identity)
  if (is_interrupted(facade)) {
    # load the rest, for the next call, and pass it on
    forget_interrupt()
    tryCatch(suppressWarnings(start()), error = identity, interrupt = identity)
    interrupt()
  }
  if (inherits(facade, "error")) {
    found <- unless_pressed(look_at(reticulate_python()))
    refuse_python(found, started = TRUE)
    no_python(
      paste0(
        found$python, " cannot load hetsel (", sub("\n.*", "", trimws(conditionMessage(facade))), ")"
      ),
      paste0("system2(\"", found$python, "\", c(\"-m\", \"hetsel\", \"doctor\")) says what to mend")
    )
  }
  theirs <- facade$hetsel[["__version__"]]
  refuse_version(theirs, dirname(dirname(facade[["__file__"]])))
  facade
}

# What a program says that R runs, unless Ctrl-C was pressed: that ends the program, at any line.
unless_pressed <- function(code) {
  said <- tryCatch(code, error = identity)
  if (held_back()) {
    interrupt()
  }
  if (inherits(said, "error")) {
    stop(said)
  }
  said
}

# Whether Ctrl-C kept Python from starting: it ends the programs by which reticulate looks for
# Python, which R is told as an error of any words, or Python hears it by itself while it loads.
is_interrupted <- function(facade) {
  if (inherits(facade, "error") && grepl("KeyboardInterrupt", conditionMessage(facade), fixed = TRUE)) {
    return(TRUE)
  }
  inherits(facade, "interrupt") || (!inherits(facade, "python.builtin.object") && held_back())
}

start_facade <- function() {
  # reticulate puts the working directory first: a file json.py there would be run as json
  reticulate::py_run_string(
    "import sys\nif '' in sys.path: sys.path.remove(''); sys.path.append('')",
    local = TRUE
  )
  reticulate::import("r_bridge.from_r.entry_points")
}

# Set variables of the environment, NA removes one; what they were, by name.
set_variables <- function(...) {
  values <- unlist(list(...))
  before <- Sys.getenv(names(values), NA, names = TRUE)
  for (name in names(values)) {
    if (is.na(values[[name]])) {
      Sys.unsetenv(name)
    } else {
      do.call(Sys.setenv, stats::setNames(list(values[[name]]), name))
    }
  }
  before
}

# The full path of the Python that R will start: that of the option, of the variable, or the choice
# of reticulate.
python_taken <- function() {
  option <- getOption("hetsel.python")
  if (!is.null(option) && !(is.character(option) && length(option) == 1 && !is.na(option))) {
    no_python("the option hetsel.python is no path", "options(hetsel.python = \"<path>/bin/python\")")
  }
  by <- if (is.null(option)) "RETICULATE_PYTHON" else "the option hetsel.python"
  path <- if (is.null(option)) Sys.getenv("RETICULATE_PYTHON") else option
  if (!nzchar(path) || path == "managed") {
    return(reticulate_python())
  }
  path <- path.expand(path)
  if (!grepl("^([/\\\\]|[A-Za-z]:)", path)) {
    path <- file.path(getwd(), path)
  }
  inside <- c("bin/python", "python", "python3", "Scripts/python.exe", "python.exe")
  there <- function(file) file.exists(file) && !dir.exists(file)
  found <- Filter(there, c(path, file.path(path, inside)))
  if (!length(found)) {
    no_python(paste0(by, " names ", path, ", which is no Python"), name_python(by))
  }
  found[1]
}

# The Python that reticulate has started or would choose.
reticulate_python <- function() {
  if (reticulate::py_available()) {
    return(reticulate::py_config()$python)
  }
  before <- set_variables(RETICULATE_PYTHON = reticulate_variable())
  on.exit(set_variables(before))
  found <- tryCatch(
    suppressWarnings(reticulate::py_discover_config("hetsel"))$python,
    error = function(e) {
      # it runs a script, which may be one that this Python cannot run
      first <- sub("\n.*", "", conditionMessage(e))
      if (grepl(" running ", first)) sub(":?\\s*$", "", sub(".* running ", "", first))
    }
  )
  if (is.null(found)) {
    no_python("R finds no Python", name_python())
  }
  found
}

# An empty variable is none.
reticulate_variable <- function() {
  given <- Sys.getenv("RETICULATE_PYTHON")
  if (nzchar(given)) given else NA
}

# What a Python is and has: its version, that of its hetsel, where its part for R is.
look_at <- function(python) {
  code <- paste(
    "import sys",
    "sys.path[:] = [p for p in sys.path if p]", # nothing of the working directory
    "print('hetsel-python %d.%d.%d' % sys.version_info[:3])",
    "from importlib.util import find_spec",
    "found = find_spec('hetsel')",
    "if found and found.origin:",
    "    for line in open(found.origin, encoding='utf-8'):",
    "        if line.startswith('__version__'): print('hetsel-version ' + line.split('\"')[1])",
    "found = find_spec('r_bridge')",
    "if found and found.origin: print('hetsel-bridge ' + found.origin)",
    sep = "\n"
  )
  said <- tryCatch(
    suppressWarnings(system2(python, c("-c", shQuote(code)), stdout = TRUE, stderr = FALSE)),
    error = function(e) character()
  )
  after <- function(word) {
    line <- grep(paste0("^hetsel-", word, " "), said, value = TRUE)
    if (length(line)) sub("^\\S+ ", "", line[1]) else ""
  }
  list(
    python = python, version = after("python"), hetsel = after("version"),
    bridge = dirname(after("bridge"))
  )
}

# Refuse a Python that cannot be used, before it is started or after.
refuse_python <- function(found, started) {
  fix <- name_python(started = started)
  if (!nzchar(found$version)) {
    no_python(paste0(found$python, " is no Python that runs"), fix)
  }
  this <- paste0("Python ", found$version, " (", found$python, ")")
  if (numeric_version(found$version) < "3.11") {
    no_python(paste0("hetsel needs Python 3.11 or newer, and R takes ", this), fix)
  }
  ours <- utils::packageVersion("reticulate")
  if (numeric_version(found$version) >= "3.12" && ours < "1.34") {
    no_python(
      paste0("reticulate ", ours, " cannot start ", this, "; 1.34 and newer can"),
      paste0(
        "install.packages(\"reticulate\") and restart R, or name a Python 3.11 by ",
        "Sys.setenv(RETICULATE_PYTHON = \"<path>/bin/python\")"
      )
    )
  }
  if (!nzchar(found$hetsel)) {
    no_python(paste0(this, " has no hetsel"), fix)
  }
  refuse_version(found$hetsel, found$bridge)
}

# Both halves come from one folder, so they have one version.
refuse_version <- function(theirs, bridge) {
  ours <- format(utils::packageVersion("hetsel"))
  if (sub("^([0-9]+(\\.[0-9]+)*).*", "\\1", theirs) != ours) {
    no_python(
      paste0("the R package hetsel is ", ours, ", and hetsel in Python is ", theirs),
      paste0(
        "install.packages(\"", file.path(bridge, "hetsel"), "\", repos = NULL, type = \"source\") ",
        "and restart R"
      )
    )
  }
}

# The call that names another Python, where it is heard.
name_python <- function(by = "RETICULATE_PYTHON", started = FALSE) {
  path <- "\"<path>/bin/python\")"
  option <- !started && (!is.null(getOption("hetsel.python")) || by != "RETICULATE_PYTHON")
  call <- if (option) "options(hetsel.python = " else "Sys.setenv(RETICULATE_PYTHON = "
  paste0(
    if (started) "restart R and before anything else name" else "name",
    " the full path of a Python (>= 3.11) that has hetsel by ", call, path
  )
}

no_python <- function(problem, fix) {
  refuse(problem, fix = fix, argument = "hetsel.python", class = "hetsel_no_python")
}

# The Python that this session would start, or why it will not do, for `hetsel doctor`.
python_found <- function() {
  tryCatch(
    {
      python <- python_taken()
      refuse_python(look_at(python), started = FALSE)
      c(python = python)
    },
    hetsel_no_python = function(e) c(problem = e$problem)
  )
}
