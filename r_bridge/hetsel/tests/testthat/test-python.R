looked <- function(version = "3.11.2", hetsel = format(utils::packageVersion("hetsel"))) {
  list(python = "/some/python", version = version, hetsel = hetsel, bridge = "/some/r_bridge")
}
refused <- function(..., started = FALSE) {
  tryCatch(
    {
      refuse_python(looked(...), started = started)
      "taken"
    },
    hetsel_no_python = conditionMessage
  )
}
# The Python that is taken under another variable and option, or the sentence.
taken <- function(variable, option = NULL) {
  before <- set_variables(RETICULATE_PYTHON = variable)
  on.exit(set_variables(before))
  old <- options(hetsel.python = option)
  on.exit(options(old), add = TRUE)
  tryCatch(python_taken(), hetsel_no_python = conditionMessage)
}
refuse_python <- getFromNamespace("refuse_python", "hetsel")
set_variables <- getFromNamespace("set_variables", "hetsel")
python_taken <- getFromNamespace("python_taken", "hetsel")
look_at <- getFromNamespace("look_at", "hetsel")
ours <- reticulate::py_config()$python

test_that("a Python that will not do is refused with the call that mends it", {
  expect_identical(refused(), "taken")
  expect_match(refused("3.10.1"), "needs Python 3.11 or newer.*Sys.setenv\\(RETICULATE_PYTHON = ")
  expect_match(refused(""), "is no Python that runs: .*Sys.setenv\\(")
  expect_match(refused(hetsel = ""), "has no hetsel: name the full path .*Sys.setenv\\(")
  expect_match(refused(hetsel = "0.0.9"), "in Python is 0.0.9: install.packages\\(\"/some/r_bridge/")
  expect_match(refused(hetsel = "", started = TRUE), "restart R and before .* Sys.setenv\\(")
  knows <- utils::packageVersion("reticulate") >= "1.34" # Python 3.12, which has no module imp
  expect_match(
    refused("3.12.0"),
    if (knows) "taken" else "cannot start Python 3.12.0 .*: install.packages\\(\"reticulate"
  )
})

test_that("the option hetsel.python is named where it is heard only", {
  old <- options(hetsel.python = "/some/python")
  on.exit(options(old))
  expect_match(refused(hetsel = ""), "options(hetsel.python = ", fixed = TRUE)
  expect_false(grepl("options", refused(hetsel = "", started = TRUE)))
})

test_that("the variable and the option name a Python by its full path or its folder", {
  expect_identical(taken(ours), ours)
  expect_identical(taken(dirname(ours)), file.path(dirname(ours), "python"))
  expect_identical(taken("/nowhere/python", ours), ours)
  expect_match(taken("/nowhere/python"), "RETICULATE_PYTHON names /nowhere/python, which is no")
  expect_match(taken(ours, "/nowhere/python"), "option hetsel.python names /nowhere/python")
  expect_match(taken(ours, 5), "option hetsel.python is no path")
  expect_match(taken("venv/bin/python"), paste0(getwd(), "/venv/bin/python, which"), fixed = TRUE)
})

import_facade <- getFromNamespace("import_facade", "hetsel")
start_facade <- getFromNamespace("start_facade", "hetsel")
# Ctrl-C, which R holds back while Python is loaded.
press <- function() tools::pskill(Sys.getpid(), tools::SIGINT)
came_of <- function(...) {
  tryCatch(suspendInterrupts(import_facade(...)), interrupt = function(i) "interrupt")
}

test_that("Ctrl-C while Python starts is an interrupt, and the next call works", {
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

test_that("a Python is looked at from outside", {
  found <- look_at(ours)
  expect_identical(found$hetsel, format(utils::packageVersion("hetsel")))
  expect_match(found$version, "^3\\.[0-9]+\\.[0-9]+$")
  expect_true(file.exists(file.path(found$bridge, "hetsel", "DESCRIPTION")))
  expect_identical(look_at(file.path(R.home("bin"), "R"))$version, "")
})

test_that("a session whose Python has no hetsel is told so, and goes on with another", {
  old <- set_variables(RETICULATE_PYTHON = tempfile())
  on.exit(set_variables(old))
  code <- paste(
    "facts <- hetsel::hetsel_doctor(); cat(facts$problem, facts$fix, sep = '\\n');",
    sprintf("Sys.setenv(RETICULATE_PYTHON = '%s'); cat(hetsel::hetsel_available())", ours)
  )
  told <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE)
  expect_match(told[1], "RETICULATE_PYTHON names .*, which is no Python")
  expect_match(told[2], "Sys.setenv", fixed = TRUE)
  expect_match(told[3], "TRUE$")
})
