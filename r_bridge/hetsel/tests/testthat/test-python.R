looked <- function(version = "3.11.2", hetsel = format(utils::packageVersion("hetsel"))) {
  list(python = "/some/python", version = version, hetsel = hetsel, bridge = "/some/r_bridge")
}
refused <- function(..., started = FALSE, chosen = TRUE) {
  tryCatch(
    {
      refuse_python(looked(...), started, chosen)
      "taken"
    },
    hetsel_no_python = conditionMessage
  )
}
# What is taken under these variables and this option, or the sentence.
taken <- function(variables = list(), option = NULL) {
  none <- list(
    RETICULATE_PYTHON = NA, RETICULATE_PYTHON_ENV = NA, RETICULATE_PYTHON_FALLBACK = NA,
    VIRTUAL_ENV = NA
  )
  before <- do.call(set_variables, utils::modifyList(none, variables))
  on.exit(set_variables(before))
  old <- options(hetsel.python = option)
  on.exit(options(old), add = TRUE)
  tryCatch(python_taken(), hetsel_no_python = conditionMessage)
}
for (name in c(
  "refuse_python", "set_variables", "python_taken", "python_that_will_do", "look_at",
  "requirements", "installed_python", "build_environment"
)) {
  assign(name, getFromNamespace(name, "hetsel"))
}
ours <- if (hetsel_available()) reticulate::py_config()$python

test_that("a Python that will not do is refused with the call that mends it", {
  expect_identical(refused(), "taken")
  expect_match(refused("3.10.1"), "needs Python 3.11 or newer.*options\\(hetsel.python = ")
  expect_match(refused(""), "does not run as Python. .*options\\(hetsel.python")
  expect_match(refused(hetsel = ""), "has no hetsel")
  expect_match(refused(hetsel = "0.0.9"), "in Python is 0.0.9. .*install.packages\\(\"/some/r_bridge/")
  expect_match(refused(hetsel = "", started = TRUE), "[Rr]estart R")
  knows <- utils::packageVersion("reticulate") >= "1.34" # Python 3.12, which has no module imp
  expect_match(
    refused("3.12.0"),
    if (knows) "taken" else "cannot start Python 3.12.0 .* install.packages\\(\"reticulate"
  )
})

test_that("what is recommended is heard: no variable of all packages, nothing that is overridden", {
  carried <- nzchar(getFromNamespace("wheel_carried", "hetsel")())
  for (told in c(refused("3.10.1"), refused(""), refused(hetsel = ""))) {
    expect_false(grepl("Sys.setenv|install_hetsel", told))
  }
  not_chosen <- refused(hetsel = "", chosen = FALSE)
  expect_identical(grepl("install_hetsel()", not_chosen, fixed = TRUE), carried)
  expect_identical(grepl("\"pip\", \"install\"", refused(hetsel = ""), fixed = TRUE), carried)
})

test_that("the option, then the variable, names a Python by its full path or its folder", {
  skip_without_python()
  expect_identical(taken(list(RETICULATE_PYTHON = ours)), list(python = ours, chosen = TRUE))
  folder <- taken(list(RETICULATE_PYTHON = dirname(ours)))
  expect_identical(folder$python, file.path(dirname(ours), "python"))
  both <- taken(list(RETICULATE_PYTHON = "/nowhere/python"), ours)
  expect_identical(both, list(python = ours, chosen = TRUE))
  expect_match(
    taken(list(RETICULATE_PYTHON = "/nowhere/python")),
    "RETICULATE_PYTHON must name a Python. Got /nowhere/python"
  )
  expect_match(taken(option = "/nowhere/python"), "option hetsel.python .*/nowhere/python")
  expect_match(taken(option = 5), "option hetsel.python must be one path")
  expect_match(
    taken(list(RETICULATE_PYTHON = "venv/bin/python")),
    paste0(getwd(), "/venv/bin/python"),
    fixed = TRUE
  )
})

# A program that answers as a Python with or without hetsel, in an environment of its own.
environment_with <- function(hetsel) {
  folder <- tempfile("environment-")
  dir.create(file.path(folder, "bin"), recursive = TRUE)
  program <- file.path(folder, "bin", "python")
  said <- c("hetsel-python 3.11.2", if (hetsel) "hetsel-version 0.1.0", "hetsel-bridge /b/i.py")
  writeLines(c("#!/bin/sh", paste("echo", shQuote(said))), program)
  Sys.chmod(program, "755")
  folder
}
remembered <- function(python) {
  home <- tempfile("home-")
  dir.create(file.path(home, "R", "hetsel"), recursive = TRUE)
  writeLines(python, file.path(home, "R", "hetsel", "python"))
  home
}
# In a session of its own, as this one has started its Python.
python_of_session <- function(variables) {
  code <- paste(
    "taken <- tryCatch(hetsel:::python_taken(), error = conditionMessage);",
    "cat('taken', unlist(taken))"
  )
  none <- list(RETICULATE_PYTHON = NA, VIRTUAL_ENV = NA, R_ENVIRON_USER = tempfile())
  before <- do.call(set_variables, utils::modifyList(none, variables))
  on.exit(set_variables(before))
  said <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE)
  sub("^taken ", "", grep("^taken ", said, value = TRUE))
}

test_that("what install_hetsel() made is remembered, and an active environment wins over it", {
  skip_without_python()
  active <- environment_with(FALSE)
  home <- remembered(ours)
  program <- file.path(active, "bin", "python")
  alone <- python_of_session(list(R_USER_DATA_DIR = home))
  expect_identical(alone, paste(ours, "FALSE"))
  both <- python_of_session(list(R_USER_DATA_DIR = home, VIRTUAL_ENV = active))
  expect_identical(both, paste(program, "TRUE"))
  named <- python_of_session(list(R_USER_DATA_DIR = home, RETICULATE_PYTHON = program))
  expect_identical(named, paste(program, "TRUE"))
})

test_that("what pip is to install names the wheel, its extras, and numba for the machine code", {
  plain <- requirements("/a b/hetsel.whl", "report", "3.99.1")
  expect_identical(plain, "hetsel[report] @ file:///a%20b/hetsel.whl")
  bare <- requirements("/a/h.whl", character(), "3.99")
  expect_identical(bare, "hetsel @ file:///a/h.whl")
  expect_error(requirements("/a/h.whl", "torch", "3.99"), "extras must be some of \"report\"")
})

test_that("an environment that cannot be made says why, and what to do", {
  program <- file.path(environment_with(FALSE), "bin", "python")
  writeLines(c("#!/bin/sh", "echo ensurepip is not available >&2", "exit 1"), program)
  folder <- tempfile()
  told <- tryCatch(
    suppressMessages(build_environment(program, folder, function(extras) "hetsel", "report")),
    hetsel_error = identity
  )
  expect_match(told$problem, "cannot make a virtual environment (ensurepip is not", fixed = TRUE)
  expect_match(told$fix, "python3-venv")
})

test_that("what pip warned of first is told, and R's folders of libraries are not handed on", {
  program <- tempfile("python-")
  writeLines(c(
    "#!/bin/sh",
    "case \"$*\" in",
    "*venv*) mkdir -p \"$3/bin\"; cp \"$0\" \"$3/bin/python\"; exit 0 ;;",
    "esac",
    "echo \"WARNING: no SSL here, libraries from ${LD_LIBRARY_PATH:-nowhere}\"",
    "echo 'ERROR: Could not find a version'",
    "echo 'ERROR: No matching distribution found for numba'",
    "exit 1"
  ), program)
  Sys.chmod(program, "755")
  of_r <- Sys.getenv("LD_LIBRARY_PATH")
  told <- function() {
    folder <- tempfile()
    problem <- tryCatch(
      suppressMessages(build_environment(program, folder, function(extras) "hetsel", "report")),
      hetsel_error = function(e) e$problem
    )
    unlink(folder, recursive = TRUE)
    problem
  }
  expect_match(told(), "(no SSL here, libraries from nowhere; at last: No matching dist", fixed = TRUE)
  expect_identical(Sys.getenv("LD_LIBRARY_PATH"), of_r)
  skip_if_not(file.exists(file.path(R.home(), "etc", "ldpaths")))
  before <- set_variables(LD_LIBRARY_PATH = paste0(of_r, ":/opt/own"))
  on.exit(set_variables(before))
  expect_match(told(), "libraries from /opt/own;", fixed = TRUE)
})

import_facade <- getFromNamespace("import_facade", "hetsel")
start_facade <- getFromNamespace("start_facade", "hetsel")
# Of Ctrl-C, which R holds back while Python is loaded.
came_of <- function(...) {
  tryCatch(suspendInterrupts(import_facade(...)), interrupt = function(i) "interrupt")
}

test_that("Ctrl-C while Python starts is an interrupt, and the next call works", {
  skip_without_python()
  becomes <- list( # what has become of a press
    function() stop("KeyboardInterrupt: "), # Python heard it
    function() { # it ended the program by which reticulate asks Python for its configuration
      press()
      stop("Error 130 occurred running /some/python: ")
    },
    function() { # reticulate passed it to R, which waits
      press()
      NULL
    },
    function() allowInterrupts({ # R heard it
      press()
      Sys.sleep(60)
    })
  )
  for (became in becomes) {
    starts <- 0
    came <- came_of(function() {
      starts <<- starts + 1
      if (starts == 1) became() else start_facade()
    })
    expect_identical(came, "interrupt")
    expect_identical(starts, 2)
    expect_gt(nrow(hetsel_methods()), 10)
  }
})

test_that("Ctrl-C while a Python is looked at is an interrupt, whatever the Python has said", {
  skip_without_python()
  unless_pressed <- getFromNamespace("unless_pressed", "hetsel")
  came_of <- function(found) {
    looking <- function() {
      press()
      if (is.null(found)) stop("Error 130 occurred running /some/python: ") else found
    }
    tryCatch(
      suspendInterrupts({
        unless_pressed(looking())
        "went on"
      }),
      interrupt = function(i) "interrupt"
    )
  }
  for (found in list(looked(version = "", hetsel = ""), looked(hetsel = ""), looked(), NULL)) {
    expect_identical(came_of(found), "interrupt")
  }
  expect_identical(suspendInterrupts(unless_pressed(5)), 5)
  expect_error(suspendInterrupts(unless_pressed(stop("no Python"))), "no Python")
})

test_that("what reticulate made for the same requirements is taken without the network", {
  before <- set_variables(R_USER_DATA_DIR = tempfile(), UV_OFFLINE = NA)
  on.exit(set_variables(before))
  asked <- character()
  start <- getFromNamespace("from_cache_first", "hetsel")(function() {
    asked <<- c(asked, Sys.getenv("UV_OFFLINE"))
    if (gone && nzchar(Sys.getenv("UV_OFFLINE"))) stop("uv error code: 2")
    "started"
  }, needed = c("3.11", "hetsel"))
  gone <- FALSE
  for (turn in 1:2) {
    expect_identical(start(), "started")
  }
  gone <- TRUE # as uv's cache may be cleaned
  expect_identical(start(), "started")
  expect_identical(asked, c("", "1", "1", ""))
  expect_identical(Sys.getenv("UV_OFFLINE"), "")
})

test_that("what matplotlib keeps goes to the folder of an environment that was made for hetsel", {
  keep_inside <- getFromNamespace("keep_inside", "hetsel")
  home <- tempfile()
  before <- set_variables(R_USER_DATA_DIR = home, MPLCONFIGDIR = NA)
  on.exit(set_variables(before))
  keep_inside("/some/python")
  expect_identical(Sys.getenv("MPLCONFIGDIR"), "")
  keep_inside("managed")
  expect_identical(Sys.getenv("MPLCONFIGDIR"), file.path(home, "R", "hetsel", "matplotlib"))
  set_variables(MPLCONFIGDIR = "/of/the/user")
  keep_inside("managed")
  expect_identical(Sys.getenv("MPLCONFIGDIR"), "/of/the/user")
})

test_that("a Python is looked at from outside", {
  skip_without_python()
  found <- look_at(ours)
  expect_identical(found$hetsel, format(utils::packageVersion("hetsel")))
  expect_match(found$version, "^3\\.[0-9]+\\.[0-9]+$")
  expect_true(file.exists(file.path(found$bridge, "hetsel", "DESCRIPTION")))
  expect_identical(look_at(file.path(R.home("bin"), "R"))$version, "")
})

test_that("a session whose Python has no hetsel is told so, and goes on with another", {
  skip_without_python()
  old <- set_variables(RETICULATE_PYTHON = tempfile())
  on.exit(set_variables(old))
  code <- paste(
    "facts <- hetsel::hetsel_doctor(); cat(facts$problem, facts$fix, sep = '\\n');",
    sprintf("Sys.setenv(RETICULATE_PYTHON = '%s'); cat(hetsel::hetsel_available())", ours)
  )
  told <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE)
  expect_match(told[1], "RETICULATE_PYTHON must name a Python. Got")
  expect_match(told[2], "options(hetsel.python = ", fixed = TRUE)
  expect_match(told[3], "TRUE$")
})

test_that("after a study in Python's own words Ctrl-C is heard by R", {
  skip_without_python()
  reticulate::py_run_string(paste(
    "from hetsel.ground.signals import heard",
    "from hetsel.evaluation.engines.choice_of_engine import first_interrupt",
    "with heard(), first_interrupt():",
    "    pass",
    sep = "\n"
  ))
  heard <- tryCatch(
    allowInterrupts({
      press()
      Sys.sleep(60)
      "nobody"
    }),
    interrupt = function(i) "R"
  )
  expect_identical(heard, "R")
})
