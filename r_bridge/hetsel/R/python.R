# Which Python is taken; one that will not do ends in a sentence with the call that mends it. A
# Python is looked at in a process of its own first: R keeps the one that it has started.

import_facade <- function(start = start_facade, look = look_at) {
  # never offer to install another Python
  before <- set_variables(RETICULATE_MINICONDA_ENABLED = "FALSE")
  on.exit(set_variables(before))
  if (!reticulate::py_available()) {
    python <- unless_pressed(python_that_will_do(look))
    before <- c(before, set_variables(RETICULATE_PYTHON = python))
    keep_inside(python)
    if (identical(python, MANAGED)) {
      start <- from_cache_first(start)
    }
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
        paste0("reticulate cannot make an environment with hetsel (", first_line(facade), ")"),
        paste(
          "connect to the network, which is needed once, and restart R; or name the full path of a",
          "Python (>= 3.11) that has hetsel by options(hetsel.python = \"<path>/bin/python\")"
        )
      )
    }
    found <- unless_pressed(look_at(reticulate::py_config()$python))
    refuse_python(found, started = TRUE)
    no_python(
      paste0(
        found$python, " cannot load hetsel (", first_line(facade), ")"
      ),
      paste0("system2(\"", found$python, "\", c(\"-m\", \"hetsel\", \"doctor\")) says what to mend")
    )
  }
  theirs <- facade$hetsel[["__version__"]]
  refuse_version(theirs, dirname(dirname(facade[["__file__"]])))
  facade
}

# What uv has made for the same requirements is in its cache. There it is taken without asking the
# network for news, which takes seconds and fails where there is none.
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
    suppressWarnings(try(writeLines(needed, file), silent = TRUE)) # else it is asked for again
    facade
  }
}

# All that packages require of an environment that reticulate makes.
managed_needs <- function() {
  needed <- getExportedValue("reticulate", "py_require")()
  c(needed$python_version, sort(needed$packages))
}

# matplotlib keeps a list of fonts. With an environment that was made for hetsel it goes to hetsel's
# folder, and nothing is written elsewhere.
keep_inside <- function(python) {
  made <- identical(python, MANAGED) || identical(python, installed_python())
  if (made && !nzchar(Sys.getenv("MPLCONFIGDIR"))) {
    set_variables(MPLCONFIGDIR = file.path(environments_folder(), "matplotlib"))
  }
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
  failed <- inherits(facade, "error")
  if (failed && grepl("KeyboardInterrupt", conditionMessage(facade), fixed = TRUE)) {
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

# LD_LIBRARY_PATH without the folders that R puts first for itself: another Python would load the
# system's libraries from them in place of its own. NA where nothing is left.
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

# The Python that R will start, or MANAGED: one that lacks hetsel is passed over where the user has
# not named it.
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

MANAGED <- "managed" # reticulate's word for an environment of what packages require

# The full path of the Python that comes first, and whether the user chose it: that of the option,
# of the variable, of reticulate::use_python() or an active environment; else the one that
# install_hetsel() made, or what reticulate finds.
python_taken <- function() {
  option <- getOption("hetsel.python")
  if (!is.null(option) && !(is.character(option) && length(option) == 1 && !is.na(option))) {
    no_python(
      "the option hetsel.python is no path", "options(hetsel.python = \"<path>/bin/python\")"
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
  if (!grepl("^([/\\\\]|[A-Za-z]:)", path)) {
    path <- file.path(getwd(), path)
  }
  inside <- c("bin/python", "python", "python3", "Scripts/python.exe", "python.exe")
  there <- function(file) file.exists(file) && !dir.exists(file)
  found <- Filter(there, c(path, file.path(path, inside)))
  if (!length(found)) {
    by <- if (is.null(option)) "RETICULATE_PYTHON" else "the option hetsel.python"
    no_python(paste0(by, " names ", path, ", which is no Python"), name_python())
  }
  list(python = found[1], chosen = TRUE)
}

# What reticulate would start, where nothing names a Python.
python_discovered <- function() {
  made <- installed_python()
  before <- set_variables(
    RETICULATE_PYTHON = NA,
    # comes after what the user says by use_python() and the like
    RETICULATE_PYTHON_FALLBACK = if (nzchar(made)) made else reticulate_fallback()
  )
  on.exit(set_variables(before))
  found <- tryCatch(
    {
      config <- suppressWarnings(reticulate::py_discover_config("hetsel"))
      list(python = config$python, by = config$forced)
    },
    error = function(e) {
      # it runs a script, which may be one that this Python cannot run
      first <- sub("\n.*", "", conditionMessage(e))
      program <- sub(":?\\s*$", "", sub(".* running ", "", first))
      if (grepl(" running ", first)) list(python = program)
    }
  )
  active <- Sys.getenv("VIRTUAL_ENV")
  chosen <- any(grepl("use_python|RETICULATE_PYTHON_ENV|VIRTUAL_ENV|SESSION", found$by))
  if (!chosen && nzchar(active) && file.exists(file.path(active, "bin/python"))) {
    return(list(python = file.path(active, "bin/python"), chosen = TRUE)) # older reticulate
  }
  if (!is.null(found$python)) {
    return(list(python = found$python, chosen = chosen))
  }
  if (nzchar(wheel_carried()) && makes_environments()) {
    return(list(python = MANAGED, chosen = FALSE))
  }
  no_python("R finds no Python", make_python())
}

reticulate_fallback <- function() {
  Sys.getenv("RETICULATE_PYTHON_FALLBACK", NA)
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

# Refuse a Python that cannot be used, before it is started or after; `chosen` says whether the user
# named it.
refuse_python <- function(found, started = FALSE, chosen = TRUE) {
  fix <- if (started || chosen) name_python(started) else make_python()
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
      paste0("install.packages(\"reticulate\") and restart R, or with a Python 3.11 ", fix)
    )
  }
  if (!nzchar(found$hetsel)) {
    no_python(
      paste0(this, " has no hetsel"), if (chosen) add_hetsel(found$python, started) else fix
    )
  }
  refuse_version(found$hetsel, found$bridge)
}

# Both halves are of one version.
refuse_version <- function(theirs, bridge) {
  ours <- format(utils::packageVersion("hetsel"))
  if (sub("^([0-9]+(\\.[0-9]+)*).*", "\\1", theirs) == ours) {
    return(invisible())
  }
  made <- installed_python()
  no_python(
    paste0("the R package hetsel is ", ours, ", and hetsel in Python is ", theirs),
    if (nzchar(made) && startsWith(bridge, dirname(dirname(made)))) {
      "install_hetsel() makes the environment anew; restart R then"
    } else {
      paste0(
        "install.packages(\"", file.path(bridge, "hetsel"), "\", repos = NULL, type = \"source\") ",
        "and restart R"
      )
    }
  )
}

# The call that names another Python.
name_python <- function(started = FALSE) {
  paste0(
    if (started) "restart R and before anything else name" else "name",
    " the full path of a Python (>= 3.11) that has hetsel by ",
    "options(hetsel.python = \"<path>/bin/python\")"
  )
}

# How to get a Python with hetsel where none was named.
make_python <- function() {
  if (nzchar(wheel_carried())) {
    return("install_hetsel() makes an environment with all that is needed")
  }
  name_python()
}

# How to put hetsel into the Python that was named.
add_hetsel <- function(python, started) {
  wheel <- wheel_carried()
  if (!nzchar(wheel)) {
    return(name_python(started))
  }
  paste0(
    "put it there by system2(\"", python, "\", c(\"-m\", \"pip\", \"install\", ",
    "shQuote(\"", wheel, "[report]\")))", if (started) " and restart R", ", or ",
    name_python(started)
  )
}

first_line <- function(error) {
  sub("\n.*", "", trimws(conditionMessage(error)))
}

no_python <- function(problem, fix) {
  refuse(problem, fix = fix, argument = "hetsel.python", class = "hetsel_no_python")
}

# The Python that this session would start, or why it will not do, for `hetsel doctor`.
python_found <- function() {
  tryCatch(
    {
      python <- python_that_will_do()
      c(python = if (python == MANAGED) "the environment that reticulate makes" else python)
    },
    hetsel_no_python = function(e) c(problem = e$problem)
  )
}
