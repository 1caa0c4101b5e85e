#' Install hetsel for Python
#'
#' @description Create a virtual environment with the Python package hetsel and its dependencies.
#' The environment is built from the wheel inside this R package and from the Python package index,
#' and later sessions find it. With reticulate 1.41 or newer this step is not needed: the first call
#' of hetsel creates an environment with uv. An environment that \code{install_hetsel} made takes
#' precedence over that one.
#' @param python Full path of the Python (3.11 or newer) to create the environment with; \code{NULL}
#'   searches for one. The wheel contains machine code for one version of Python on Linux with
#'   x86-64, so \code{NULL} looks for that version first. With any other version, the methods are
#'   compiled at the end of the installation, which takes about a minute.
#' @param extras Optional parts of hetsel: \code{"report"} (reports and their figures), \code{"r"}
#'   (rpy2, for the methods that call R), \code{"files"} (Excel, Stata, SPSS, SAS and Parquet files)
#'   and \code{"dask"} (studies on a Dask cluster). Building rpy2 takes a compiler and the headers
#'   of R and Python; where the build fails, rpy2 is left out. For an environment that reticulate
#'   creates, set \code{options(hetsel.extras = )} before the package is loaded; the default is
#'   \code{"report"}.
#' @param confirm Whether to ask before installing; any answer other than yes changes nothing.
#' @return The full path of the environment's Python, invisibly. An existing environment is replaced
#' when the new one is ready, and kept if the new one cannot be created.
#' @details Everything is written to one folder, \code{tools::R_user_dir("hetsel", "data")}, about
#' 800 megabytes. To uninstall, delete that folder. R takes the first of the following: the option
#' \code{hetsel.python}; the environment variable \env{RETICULATE_PYTHON}; the Python set by
#' \code{reticulate::use_python()} or by an active virtual environment; the environment that
#' \code{install_hetsel} made; the environment that reticulate creates.
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
    no_python("this R package was installed from source and contains no wheel", paste(
      "Set options(hetsel.python = \"<path>/bin/python\") to a Python with hetsel, or install the",
      "package that `make r-package` builds"
    ))
  }
  python <- python_to_build_with(python)
  folder <- environments_folder()
  if (confirm && !isTRUE(utils::askYesNo(paste0(
    "Create a Python environment with hetsel in ", folder, ", with ", python,
    "? It needs about 800 megabytes."
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
  message("hetsel is installed for ", made)
  invisible(made)
}

environments_folder <- function() tools::R_user_dir("hetsel", "data")

# Path of the Python that install_hetsel() made; "" where there is none.
installed_python <- function() {
  file <- file.path(environments_folder(), "python")
  python <- if (file.exists(file)) readLines(file, 1, warn = FALSE)
  if (length(python) && file.exists(python)) python else ""
}

# Path of the wheel in this package; "" where it was installed from source.
wheel_carried <- function() {
  c(list.files(system.file("python", package = "hetsel"), "[.]whl$", full.names = TRUE), "")[1]
}

# Versions of Python and numba of the wheel's machine code; NULL without machine code.
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

# Declare the requirements to reticulate, if it is new enough; nothing is installed yet.
require_wheel <- function() {
  wheel <- wheel_carried()
  if (nzchar(wheel) && makes_environments()) {
    version <- code_carried()["Python"] %||% ">=3.11"
    needed <- requirements(wheel, getOption("hetsel.extras", "report"), version)
    getExportedValue("reticulate", "py_require")(needed, unname(version))
  }
}

makes_environments <- function() utils::packageVersion("reticulate") >= "1.41"

# Version of a usable Python; "" of any other.
version_of <- function(python) {
  version <- if (nzchar(python)) look_at(python)$version else ""
  if (nzchar(version) && numeric_version(version) >= "3.11") version else ""
}

# The requested Python to create an environment with, or the first usable one.
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
  found %||% no_python("no Python (>= 3.11) was found on this machine", paste(
    "Install one (Debian, Ubuntu: apt-get install python3-venv; else python.org) and call",
    "install_hetsel() again, or update reticulate to 1.41 or newer, which downloads one"
  ))
}

# Create an environment in a folder and return its Python.
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
  message("Creating an environment with ", python, " ...")
  made <- run(python, "-m", "venv", folder)
  if (made$failed) {
    no_python(
      paste0(python, " cannot make a virtual environment (", last_line(made$said), ")"),
      "On Debian or Ubuntu, run apt-get install python3-venv. Then call install_hetsel() again"
    )
  }
  inside <- Filter(file.exists, file.path(folder, c("bin/python", "Scripts/python.exe")))[1]
  message("Installing hetsel and its dependencies ...")
  done <- install(extras)
  if (done$failed && "r" %in% extras) {
    done <- install(setdiff(extras, "r"))
    if (!done$failed) {
      message("rpy2 cannot be built on this machine, so the methods that call R are left out")
    }
  }
  if (done$failed) {
    no_python(
      paste0("the dependencies of hetsel cannot be installed (", first_cause(done$said), ")"),
      paste(
        "Check the network connection and call install_hetsel() again, or name another Python by",
        "install_hetsel(python = )"
      )
    )
  }
  if (!any(startsWith(needed(extras), "numba=="))) { # no machine code for it
    message("Compiling the methods, which takes about a minute ...")
    run(inside, "-P", "-m", "hetsel.compile_ahead")
  }
  inside
}

# The first warning of pip, which is the cause, and its last error, which follows from it.
first_cause <- function(said) {
  first <- grep("^(WARNING|ERROR|error)", trimws(said), value = TRUE)[1]
  first <- cut_off(sub("^\\w+: *", "", first), 200)
  last <- last_line(said)
  if (is.na(first) || identical(first, last)) last else paste0(first, "; at last: ", last)
}

# The last error in the output of a program, else its last line.
last_line <- function(said) {
  said <- trimws(said[nzchar(said)])
  found <- utils::tail(c(said, grep("^ERROR", said, value = TRUE)), 1)
  if (length(found)) cut_off(sub("^ERROR: *", "", found), 200) else "no output"
}
