# A Python is looked at in a process of its own first: R keeps the one that it has started.

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
      paste0(found$python, " cannot load hetsel (", first_line(facade), ")"),
      paste0("system2(\"", found$python, "\", c(\"-m\", \"hetsel\", \"doctor\")) says what to mend")
    )
  }
  refuse_version(facade$hetsel[["__version__"]], dirname(dirname(facade[["__file__"]])))
  facade
}

# What uv has in its cache is taken without the network, which takes seconds or fails.
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

# matplotlib keeps its list of fonts in hetsel's folder, in an environment made for hetsel.
keep_inside <- function(python) {
  made <- identical(python, MANAGED) || identical(python, installed_python())
  if (made && !nzchar(Sys.getenv("MPLCONFIGDIR"))) {
    set_variables(MPLCONFIGDIR = file.path(environments_folder(), "matplotlib"))
  }
}

# What a program says that R runs, unless Ctrl-C was pressed: that ends the program, at any line.
unless_pressed <- function(code) {
  said <- tryCatch(code, error = identity)
  if (held_back()) interrupt()
  if (inherits(said, "error")) stop(said) else said
}

# Whether Ctrl-C kept Python from starting, which R is told as an error of any words.
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

# Set variables of the environment, NA removes one; what they were, by name.
set_variables <- function(...) {
  values <- unlist(list(...))
  before <- Sys.getenv(names(values), NA, names = TRUE)
  Sys.unsetenv(names(values)[is.na(values)])
  if (!all(is.na(values))) do.call(Sys.setenv, as.list(values[!is.na(values)]))
  before
}

# LD_LIBRARY_PATH without R's own folders, whose libraries another Python would load.
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

# The Python that R will start; one without hetsel is passed over if the user has not named it.
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

# The Python that comes first, and whether the user chose it, by option, variable or environment.
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
  if (!grepl("^([/\\\\]|[A-Za-z]:)", path)) path <- file.path(getwd(), path)
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
  no_python("R finds no Python", make_python())
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

# Refuse a Python that cannot be used; `chosen` says whether the user named it.
refuse_python <- function(found, started = FALSE, chosen = TRUE) {
  fix <- if (started || chosen) name_python(started) else make_python()
  if (!nzchar(found$version)) no_python(paste0(found$python, " is no Python that runs"), fix)
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

name_python <- function(started = FALSE) {
  paste0(
    if (started) "restart R and before anything else name" else "name",
    " the full path of a Python (>= 3.11) that has hetsel by ",
    "options(hetsel.python = \"<path>/bin/python\")"
  )
}

make_python <- function() {
  made <- "install_hetsel() makes an environment with all that is needed"
  if (nzchar(wheel_carried())) made else name_python()
}

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

first_line <- function(error) sub("\n.*", "", trimws(conditionMessage(error)))

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
