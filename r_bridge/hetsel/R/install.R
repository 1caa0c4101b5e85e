#' Make a Python environment with hetsel
#'
#' @description Makes a virtual environment with hetsel and all that it needs, from the wheel that
#' this R package carries and from the Python package index, and remembers it: later sessions find
#' it. With reticulate 1.41 or newer this is not needed, as the first call of hetsel makes an
#' environment by uv; one that was made here is preferred to that.
#' @param python full path of the Python (3.11 or newer) that the environment is made with;
#'   \code{NULL} looks for one. The machine code that the wheel carries is for one version of it, on
#'   Linux with x86-64, which is therefore looked for first; with others the methods are compiled at
#'   the end of the installation, for about a minute.
#' @param extras what hetsel can do beyond ranking: \code{"report"} (pages and their figures),
#'   \code{"r"} (rpy2, for the methods that call R; it is built, which takes a compiler and the
#'   headers of R and Python, and left out where that fails), \code{"files"} (Excel, Stata, SPSS,
#'   SAS, Parquet). In an environment that reticulate makes they are those of
#'   \code{options(hetsel.extras = )}, set before the package is loaded, by default \code{"report"}.
#' @param confirm whether to ask first; an answer other than yes leaves everything as it was.
#' @return The full path of the environment's Python, invisibly. An environment that was there
#' before is replaced when the new one is ready, and kept when it cannot be made.
#' @details All is written to one folder, \code{tools::R_user_dir("hetsel", "data")}, of some 800
#' megabytes; to be rid of it, delete that folder. R then takes the first of these: the option
#' \code{hetsel.python}; the environment variable \env{RETICULATE_PYTHON}; what
#' \code{reticulate::use_python()} or an active virtual environment names; the environment that was
#' made here; the one that reticulate makes.
#' @seealso \code{\link{hetsel_doctor}}
#' @examples
#' \dontrun{
#' install_hetsel()
#' hetsel_doctor()
#' }
#' @export
install_hetsel <- function(python = NULL, extras = c("report", "r"), confirm = interactive()) {
  wheel <- wheel_carried()
  if (!nzchar(wheel)) {
    no_python("this R package was installed from its sources and carries no wheel", paste(
      "name a Python with hetsel by options(hetsel.python = \"<path>/bin/python\"), or install the",
      "package that `make r-package` builds"
    ))
  }
  python <- python_to_build_with(python)
  folder <- environments_folder()
  if (confirm && !isTRUE(utils::askYesNo(paste0(
    "Make a Python environment with hetsel in ", folder, ", by ", python,
    "? It takes some 800 megabytes."
  )))) {
    return(invisible(installed_python()))
  }
  new <- tempfile("python-", folder)
  dir.create(new, recursive = TRUE, showWarnings = FALSE)
  done <- FALSE
  on.exit(if (!done) unlink(new, recursive = TRUE))
  version <- version_of(python)
  needed <- function(extras) requirements(wheel, extras, version)
  made <- build_environment(python, new, needed, extras)
  before <- installed_python()
  writeLines(made, file.path(folder, "python"))
  done <- TRUE
  if (nzchar(before) && startsWith(before, folder)) {
    unlink(dirname(dirname(before)), recursive = TRUE)
  }
  message("hetsel is ready: ", made)
  invisible(made)
}

environments_folder <- function() tools::R_user_dir("hetsel", "data")

# The Python of the environment that install_hetsel() made; "" where there is none.
installed_python <- function() {
  file <- file.path(environments_folder(), "python")
  python <- if (file.exists(file)) readLines(file, 1, warn = FALSE)
  if (length(python) && file.exists(python)) python else ""
}

# The wheel that this package carries; "" where it was installed from its sources.
wheel_carried <- function() {
  c(list.files(system.file("python", package = "hetsel"), "[.]whl$", full.names = TRUE), "")[1]
}

# The versions of Python and numba that the wheel's machine code is for; NULL without such code.
code_carried <- function() {
  file <- system.file("python", "machine_code.dcf", package = "hetsel")
  machine <- Sys.info()[c("sysname", "machine")]
  if (nzchar(file) && all(machine == c("Linux", "x86_64"))) read.dcf(file)[1, ]
}

requirements <- function(wheel, extras, version) {
  known <- c("report", "files", "r", "dask")
  refuse_if(!is.character(extras) || !all(extras %in% known),
    "extras must be some of ", paste0("\"", known, "\"", collapse = ", "), got(extras),
    argument = "extras"
  )
  named <- if (length(extras)) paste0("[", paste(extras, collapse = ","), "]")
  code <- code_carried()
  minor <- sub("^([0-9]+[.][0-9]+).*", "\\1", version)
  c(
    paste0("hetsel", named, " @ file://", utils::URLencode(wheel)),
    if (identical(code[["Python"]], minor)) paste0("numba==", code[["Numba"]])
  )
}

# Tell reticulate, if it is new enough, what hetsel needs; nothing is looked at or installed yet.
require_wheel <- function() {
  wheel <- wheel_carried()
  if (nzchar(wheel) && makes_environments()) {
    version <- code_carried()["Python"] %||% ">=3.11"
    needed <- requirements(wheel, getOption("hetsel.extras", "report"), version)
    getExportedValue("reticulate", "py_require")(needed, unname(version))
  }
}

makes_environments <- function() utils::packageVersion("reticulate") >= "1.41"

# The version of a Python that will do; "" of any other.
version_of <- function(python) {
  version <- if (nzchar(python)) look_at(python)$version else ""
  if (nzchar(version) && numeric_version(version) >= "3.11") version else ""
}

# A Python to make an environment with: the one that is asked for, or the first that will do.
python_to_build_with <- function(python) {
  if (!is.null(python)) {
    path <- path.expand(one_of(python, "python", is.character))
    refuse_if(!nzchar(version_of(path)),
      "python must be the full path of a Python (>= 3.11)", got(python), argument = "python"
    )
    return(path)
  }
  best <- paste0("python", code_carried()["Python"])
  names <- unique(c(best, "python3", "python3.14", "python3.13", "python3.12", "python3.11"))
  found <- Find(function(path) nzchar(version_of(path)), unname(Sys.which(names)))
  found %||% no_python("there is no Python (>= 3.11) on this machine", paste(
    "install one (Debian, Ubuntu: apt-get install python3-venv; else python.org) and call",
    "install_hetsel() again, or update reticulate to 1.41 or newer, which brings one"
  ))
}

# The Python of a new environment in a folder, with what is `needed` for the extras.
build_environment <- function(python, folder, needed, extras) {
  # two processes at most, and nothing outside of the folder
  before <- set_variables(
    PIP_NO_CACHE_DIR = "1", PIP_DISABLE_PIP_VERSION_CHECK = "1", PYTHONNOUSERSITE = "1",
    MAKEFLAGS = "-j2", LD_LIBRARY_PATH = libraries_of_user()
  )
  on.exit(set_variables(before))
  run <- function(program, ...) {
    said <- suppressWarnings(system2(program, shQuote(c(...)), stdout = TRUE, stderr = TRUE))
    list(failed = isTRUE(attr(said, "status") != 0), said = said)
  }
  install <- function(extras) run(inside, "-m", "pip", "install", "--quiet", needed(extras))
  message("making an environment with ", python, " ...")
  made <- run(python, "-m", "venv", folder)
  if (made$failed) {
    no_python(
      paste0(python, " cannot make a virtual environment (", last_line(made$said), ")"),
      "on Debian and Ubuntu: apt-get install python3-venv, then call install_hetsel() again"
    )
  }
  inside <- Filter(file.exists, file.path(folder, c("bin/python", "Scripts/python.exe")))[1]
  message("installing hetsel and what it needs ...")
  done <- install(extras)
  if (done$failed && "r" %in% extras) {
    done <- install(setdiff(extras, "r"))
    if (!done$failed) message("rpy2 cannot be built here, so the methods that call R are left out")
  }
  if (done$failed) {
    no_python(paste0("hetsel's needs cannot be installed (", first_cause(done$said), ")"), paste(
      "without a network nothing can be fetched: connect and call install_hetsel() again, or name",
      "another Python by install_hetsel(python = )"
    ))
  }
  if (!any(startsWith(needed(extras), "numba=="))) { # no machine code for it
    message("compiling the methods, about a minute ...")
    run(inside, "-P", "-m", "hetsel.compile_ahead")
  }
  inside
}

# What pip warned of first, which is the cause, and its last error, which follows from it.
first_cause <- function(said) {
  first <- grep("^(WARNING|ERROR|error)", trimws(said), value = TRUE)[1]
  first <- cut_off(sub("^\\w+: *", "", first), 200)
  last <- last_line(said)
  if (is.na(first) || identical(first, last)) last else paste0(first, "; at last: ", last)
}

# What a program said last that was an error, else last of all.
last_line <- function(said) {
  said <- trimws(said[nzchar(said)])
  found <- utils::tail(c(said, grep("^ERROR", said, value = TRUE)), 1)
  if (length(found)) cut_off(sub("^ERROR: *", "", found), 200) else "it said nothing"
}
