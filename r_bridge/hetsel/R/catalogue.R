hetsel_methods <- function() {
  frame_of(ask("methods"), c(
    key = "character", title = "character", family = "character", takes = "character",
    targets = "character", requires = "character", paper = "character", options = "character"
  ))
}

hetsel_available <- function() {
  tryCatch(
    {
      facade()
      TRUE
    },
    error = function(e) FALSE
  )
}

hetsel_doctor <- function() {
  facts <- c(
    R = paste(R.version$major, R.version$minor, sep = "."),
    "hetsel (R)" = format(utils::packageVersion("hetsel")),
    reticulate = format(utils::packageVersion("reticulate")),
    RETICULATE_PYTHON = Sys.getenv("RETICULATE_PYTHON")
  )
  problem <- fix <- ""
  answer <- tryCatch(ask("doctor"), error = identity)
  if (inherits(answer, "hetsel_no_python")) {
    problem <- answer$problem
    fix <- answer$fix
  } else if (inherits(answer, "error")) {
    problem <- conditionMessage(answer)
    fix <- "restart R"
  } else {
    problem <- answer$problem
    fix <- answer$fix
    found <- answer[setdiff(names(answer), c("problem", "fix", "warnings", "r", "r_home"))]
    facts <- c(facts, vapply(found, as.character, ""))
  }
  structure(
    list(facts = facts, problem = problem, fix = fix, healthy = !nzchar(problem)),
    class = "hetsel_doctor"
  )
}

print.hetsel_doctor <- function(x, ...) {
  values <- ifelse(nzchar(x$facts), x$facts, "-")
  cat(paste0(format(names(x$facts)), "  ", values), sep = "\n")
  if (x$healthy) {
    cat("all is well\n")
  } else {
    cat("problem: ", x$problem, "\nfix: ", x$fix, "\n", sep = "")
  }
  invisible(x)
}
