#' @rdname plot.hetsel_path
#' @eval methods_of(
#'   print = "hetsel_path", summary = "hetsel_path", as.data.frame = "hetsel_path",
#'   head = "hetsel_path"
#' )
print.hetsel_path <- function(x, top = 20, digits = 4, ...) {
  cat(path_heading(x), sep = "\n")
  n <- nrow(x$path)
  top <- max(top, 1)
  first <- max(1, min(match(x$size, x$path$size) - top %/% 2, n - top + 1))
  shown <- x$path[seq(first, length.out = min(top, n)), ]
  table <- data.frame(
    size = shown$size,
    "inner score" = score_text(shown$score, digits),
    features = shortened(shown$features, max(20, getOption("width") - 30)),
    " " = ifelse(shown$size == x$size, "*", ""),
    check.names = FALSE
  )
  print_table(table, every = n, of = "size")
  cat("* selected, size ", x$size, "\n", sep = "")
  print_hints(x)
  print_open_ends(x)
  invisible(x)
}

#' @export
print.summary.hetsel_path <- function(x, digits = 4, ...) {
  cat(path_heading(x), sep = "\n")
  score <- score_text(x$path$score[x$path$size == x$size], digits)
  cat("\nSelected subset of size ", x$size, ", inner score ", score, ":\n", sep = "")
  print_names(x$selected)
  for (share in names(x$equal)) {
    cat("\nSelected subset with ties = ", share, ":\n", sep = "")
    print_names(x$equal[[share]])
  }
  cat(
    "\n", counted(x$evaluations, "subset"), " evaluated, ", counted(nrow(x$moves), "move"), "\n",
    sep = ""
  )
  print_hints(x)
  if (nrow(x$moves)) {
    cat("\nLast moves:\n")
    last <- utils::tail(x$moves, 15)
    last$score <- score_text(last$score, digits)
    width <- max(10, (getOption("width") - 30) %/% 2)
    last$added <- shortened(last$added, width)
    last$removed <- shortened(last$removed, width)
    names(last)[names(last) == "score"] <- "inner score"
    print_table(last)
  }
  print_columns(x)
  invisible(x)
}

as.data.frame.hetsel_path <- function(x, ...) {
  features <- vapply(x$path$features, paste, "", collapse = ", ")
  data.frame(size = x$path$size, score = x$path$score, features = features)
}

head.hetsel_path <- function(x, n = 6L, ...) utils::head(as.data.frame(x), n, ...)

print_hints <- function(x) {
  cat(
    "The search maximized the inner score, so performance on new rows is lower.\n",
    of_sample(x), ended_early(x), sep = ""
  )
}

score_text <- function(score, digits) trimws(formatC(score, digits = digits, format = "g"))

path_title <- function(x) {
  by <- if (nzchar(x$search)) paste0(": ", x$search, " by ", x$criterion)
  if (nzchar(x$method)) paste0(x$title, " (", x$method, ")") else paste0(x$title, by)
}

path_heading <- function(x) c(path_title(x), heading(x)[-1])

# The number of rows of a sample, where one was drawn.
of_sample <- function(x) {
  if (isTRUE(x$sampled > 0)) { # a result saved by an older version has no such number
    of <- format(c(x$sampled, x$rows), big.mark = ",", trim = TRUE, scientific = FALSE)
    paste0("computed on a sample of ", of[1], " of ", of[2], " rows\n")
  }
}

ended_early <- function(x) {
  limits <- c(seconds = "max_seconds", evaluations = "max_evaluations")
  if (nzchar(x$stopped)) {
    by <- if (x$stopped %in% names(limits)) limits[[x$stopped]] else x$stopped
    paste0("The search stopped early at its limit ", by, ".\n")
  }
}

print_names <- function(features) {
  writeLines(strwrap(paste(shown(features), collapse = ", "), indent = 2, exdent = 2))
}

# Names in one line each; names beyond the width are counted.
shortened <- function(features, width) {
  vapply(features, function(names) {
    names <- cut_off(names, 60)
    fit <- cumsum(nchar(names) + 2) <= width
    kept <- if (all(fit)) length(names) else max(1, sum(fit) - 1)
    more <- length(names) - kept
    paste0(
      paste(utils::head(names, kept), collapse = ", "), if (more > 0) paste(" and", more, "more")
    )
  }, "")
}
