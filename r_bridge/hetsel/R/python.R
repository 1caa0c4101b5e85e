# R keeps the Python that it has started, so a Python is checked in a separate process first.

import_facade <- function(start = start_facade, look = look_at) {
  # never offer to install another Python
  before <- set_variables(RETICULATE_MINICONDA_ENABLED = "FALSE")
  on.exit(set_variables(before))
  if (!reticulate::py_available()) {
    python <- unless_pressed(python_that_will_do(look))
    before <- c(before, set_variables(RETICULATE_PYTHON = python))
    keep_inside(python)
    if (identical(python, MANAGED)) start <- from_cache_first(start)
  }
  facade <- tryCatch(suppressWarnings(start()), error = identity, interrupt = identity)
  if (is_interrupted(facade)) {
    # load the rest, for the next call, and pass it on
    forget_interrupt()
    tryCatch(suppressWarnings(start()), error = identity, interrupt = identity)
    interrupt()
  }
  if (inherits(facade, "error")) {
    if (!reticulate::py_available() && identical(python, MANAGED)) {
      no_python(
        paste0("reticulate cannot create an environment with hetsel (", first_line(facade), ")"),
        paste(
          "Connect to the network, which is needed once, and restart R. Or set",
          "options(hetsel.python = \"<path>/bin/python\") to the full path of a Python (>= 3.11)",
          "that has hetsel"
        )
      )
    }
    found <- unless_pressed(look_at(reticulate::py_config()$python))
    refuse_python(found, started = TRUE)
    no_python(
      paste0(found$python, " cannot load hetsel (", first_line(facade), ")"),
      paste0(
        "Run system2(\"", found$python, "\", c(\"-m\", \"hetsel\", \"doctor\")), which shows what ",
        "to fix"
      )
    )
  }
  refuse_version(facade$hetsel[["__version__"]], dirname(dirname(facade[["__file__"]])))
  facade
}

# Try uv's cache before the network, which takes seconds or fails.
from_cache_first <- function(start, needed = managed_needs()) {
  force(start)
  function() {
    file <- file.path(environments_folder(), "managed")
    made <- file.exists(file) && identical(readLines(file, warn = FALSE), needed)
    if (made && !nzchar(Sys.getenv("UV_OFFLINE"))) {
      before <- set_variables(UV_OFFLINE = "1")
      facade <- tryCatch(start(), error = identity, finally = set_variables(before))
      if (!inherits(facade, "error")) {
        return(facade)
      }
    }
    facade <- start()
    dir.create(dirname(file), recursive = TRUE, showWarnings = FALSE)
    suppressWarnings(try(writeLines(needed, file), silent = TRUE)) # else requested again
    facade
  }
}

# All requirements for an environment that reticulate creates.
managed_needs <- function() {
  needed <- getExportedValue("reticulate", "py_require")()
  c(needed$python_version, sort(needed$packages))
}

# In an environment made for hetsel, keep matplotlib's list of fonts in hetsel's folder.
keep_inside <- function(python) {
  made <- identical(python, MANAGED) || identical(python, installed_python())
  if (made && !nzchar(Sys.getenv("MPLCONFIGDIR"))) {
    set_variables(MPLCONFIGDIR = file.path(environments_folder(), "matplotlib"))
  }
}

# Evaluate code that runs a program, and unwind if Ctrl-C ended the program.
unless_pressed <- function(code) {
  said <- tryCatch(code, error = identity)
  if (held_back()) interrupt()
  if (inherits(said, "error")) stop(said) else said
}

# Whether Ctrl-C kept Python from starting, which reaches R as an error with any message.
is_interrupted <- function(facade) {
  inherits(facade, "interrupt") ||
    inherits(facade, "error") && grepl("KeyboardInterrupt", conditionMessage(facade)) ||
    !inherits(facade, "python.builtin.object") && held_back()
}

start_facade <- function() {
  # reticulate puts the working directory first: a file json.py there would be run as json
  reticulate::py_run_string(
    "import sys\nif '' in sys.path: sys.path.remove(''); sys.path.append('')",
    local = TRUE
  )
  reticulate::import("r_bridge.from_r.entry_points")
}

# Set environment variables, where NA removes one, and return the previous values by name.
set_variables <- function(...) {
  values <- unlist(list(...))
  before <- Sys.getenv(names(values), NA, names = TRUE)
  Sys.unsetenv(names(values)[is.na(values)])
  if (!all(is.na(values))) do.call(Sys.setenv, as.list(values[!is.na(values)]))
  before
}

# LD_LIBRARY_PATH without R's own folders, from which another Python would load libraries.
libraries_of_user <- function() {
  ours <- "unset LD_LIBRARY_PATH R_LD_LIBRARY_PATH; . $R_HOME/etc/ldpaths; echo $LD_LIBRARY_PATH"
  all <- strsplit(Sys.getenv("LD_LIBRARY_PATH"), ":", fixed = TRUE)[[1]]
  if (length(all) && file.exists(file.path(R.home(), "etc", "ldpaths"))) {
    of_r <- strsplit(system2("sh", c("-c", shQuote(ours)), stdout = TRUE), ":", fixed = TRUE)[[1]]
    while (length(of_r) && identical(utils::head(all, length(of_r)), of_r)) { # R in R: twice
      all <- all[-seq_along(of_r)]
    }
  }
  if (length(all)) paste(all, collapse = ":") else NA
}

# The Python that R will start; one without hetsel is skipped unless the user named it.
python_that_will_do <- function(look = look_at) {
  taken <- python_taken()
  if (identical(taken$python, MANAGED)) {
    return(MANAGED)
  }
  found <- look(taken$python)
  if (!taken$chosen && !nzchar(found$hetsel) && nzchar(wheel_carried()) && makes_environments()) {
    return(MANAGED)
  }
  refuse_python(found, chosen = taken$chosen)
  taken$python
}

MANAGED <- "managed" # reticulate's name for an environment of the packages' requirements

# The Python that comes first, and whether the user chose it, by option, variable or environment.
python_taken <- function() {
  option <- getOption("hetsel.python")
  if (!is.null(option) && !(is.character(option) && length(option) == 1 && !is.na(option))) {
    no_python(
      "the option hetsel.python must be one path",
      "Set options(hetsel.python = \"<path>/bin/python\")"
    )
  }
  path <- if (is.null(option)) Sys.getenv("RETICULATE_PYTHON") else option
  if (!nzchar(path)) {
    return(python_discovered())
  }
  if (path == MANAGED && nzchar(wheel_carried()) && makes_environments()) {
    return(list(python = MANAGED, chosen = TRUE))
  }
  path <- path.expand(path)
  if (!grepl("^([/\\\\]|[A-Za-z]:)", path)) path <- file.path(getwd(), path)
  inside <- c("bin/python", "python", "python3", "Scripts/python.exe", "python.exe")
  there <- function(file) file.exists(file) && !dir.exists(file)
  found <- Filter(there, c(path, file.path(path, inside)))
  if (!length(found)) {
    by <- if (is.null(option)) "RETICULATE_PYTHON" else "the option hetsel.python"
    no_python(paste0(by, " must name a Python. Got ", path), name_python())
  }
  list(python = found[1], chosen = TRUE)
}

# The Python that reticulate would start where nothing names one.
python_discovered <- function() {
  made <- installed_python()
  before <- set_variables(
    RETICULATE_PYTHON = NA,
    # ranks behind use_python() and the like
    RETICULATE_PYTHON_FALLBACK =
      if (nzchar(made)) made else Sys.getenv("RETICULATE_PYTHON_FALLBACK", NA)
  )
  on.exit(set_variables(before))
  found <- tryCatch(
    suppressWarnings(reticulate::py_discover_config("hetsel")),
    error = function(e) {
      # it runs a script, which may be one that this Python cannot run
      program <- sub(":?$", "", sub(".* running ", "", first_line(e)))
      if (grepl(" running ", first_line(e))) list(python = program)
    }
  )
  active <- Sys.getenv("VIRTUAL_ENV")
  inside <- file.path(active, "bin/python")
  chosen <- any(grepl("use_python|RETICULATE_PYTHON_ENV|VIRTUAL_ENV|SESSION", found$forced))
  if (!chosen && nzchar(active) && file.exists(inside)) {
    return(list(python = inside, chosen = TRUE)) # older reticulate
  }
  if (!is.null(found$python)) {
    return(list(python = found$python, chosen = chosen))
  }
  if (nzchar(wheel_carried()) && makes_environments()) {
    return(list(python = MANAGED, chosen = FALSE))
  }
  no_python("no Python was found", make_python())
}

# The version of a Python, the version of its hetsel, and the folder of its part for R.
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
  before <- set_variables(LD_LIBRARY_PATH = libraries_of_user())
  on.exit(set_variables(before))
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

# Signal an error for a Python that cannot be used; `chosen`: whether the user named it.
refuse_python <- function(found, started = FALSE, chosen = TRUE) {
  fix <- if (started || chosen) name_python(started) else make_python()
  if (!nzchar(found$version)) no_python(paste0(found$python, " does not run as Python"), fix)
  this <- paste0("Python ", found$version, " (", found$python, ")")
  if (numeric_version(found$version) < "3.11") {
    no_python(paste0("hetsel needs Python 3.11 or newer. R uses ", this), fix)
  }
  ours <- utils::packageVersion("reticulate")
  if (numeric_version(found$version) >= "3.12" && ours < "1.34") {
    no_python(
      paste0("reticulate ", ours, " cannot start ", this, ", which needs 1.34 or newer"),
      paste0("Run install.packages(\"reticulate\") and restart R, or use Python 3.11. ", fix)
    )
  }
  if (!nzchar(found$hetsel)) {
    no_python(
      paste0(this, " has no hetsel"), if (chosen) add_hetsel(found$python, started) else fix
    )
  }
  refuse_version(found$hetsel, found$bridge)
}

refuse_version <- function(theirs, bridge) {
  ours <- format(utils::packageVersion("hetsel"))
  if (sub("^([0-9]+(\\.[0-9]+)*).*", "\\1", theirs) == ours) {
    return(invisible())
  }
  made <- installed_python()
  no_python(
    paste0("the R package hetsel is ", ours, ", and hetsel in Python is ", theirs),
    if (nzchar(made) && startsWith(bridge, dirname(dirname(made)))) {
      "Run install_hetsel() to replace the environment, and restart R"
    } else {
      paste0(
        "Run install.packages(\"", file.path(bridge, "hetsel"),
        "\", repos = NULL, type = \"source\") ",
        "and restart R"
      )
    }
  )
}

name_python <- function(started = FALSE) {
  paste0(
    if (started) "Restart R, and first set" else "Set",
    " options(hetsel.python = \"<path>/bin/python\") to the full path of a Python (>= 3.11) that ",
    "has hetsel"
  )
}

make_python <- function() {
  made <- "Run install_hetsel(), which creates an environment with all dependencies"
  if (nzchar(wheel_carried())) made else name_python()
}

add_hetsel <- function(python, started) {
  wheel <- wheel_carried()
  if (!nzchar(wheel)) {
    return(name_python(started))
  }
  paste0(
    "Install it by system2(\"", python, "\", c(\"-m\", \"pip\", \"install\", ",
    "shQuote(\"", wheel, "[report]\")))", if (started) " and restart R", ". Or: ",
    name_python(started)
  )
}

first_line <- function(error) sub("\n.*", "", trimws(conditionMessage(error)))

no_python <- function(problem, fix) {
  refuse(problem, fix = fix, argument = "hetsel.python", class = "hetsel_no_python")
}

# The Python that this session would start, or the problem with it, for `hetsel doctor`.
python_found <- function() {
  tryCatch(
    {
      python <- python_that_will_do()
      c(python = if (python == MANAGED) "the environment that reticulate creates" else python)
    },
    hetsel_no_python = function(e) c(problem = e$problem)
  )
}
