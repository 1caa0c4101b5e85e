#' @rdname plot.hetsel_ranking
#' @eval methods_of(
#'   print = "hetsel_ranking", summary = "hetsel_ranking", as.data.frame = "hetsel_ranking",
#'   head = "hetsel_ranking"
#' )
print.hetsel_ranking <- function(x, top = 20, digits = 4, ...) {
  cat(heading(x), sep = "\n")
  best <- utils::head(x$ranking, top)
  best$feature <- cut_off(best$feature, 60)
  best$importance <- formatC(best$importance, digits = digits, format = "g")
  best[[" "]] <- ifelse(best$rank <= x$size, "*", "")
  print_table(best, every = nrow(x$ranking))
  cat("* selected, size ", x$size, said_of_cut(x), "\n", sep = "")
  print_asked(x)
  print_order(x)
  cat(of_sample(x))
  print_open_ends(x)
  invisible(x)
}

print_asked <- function(x) {
  of <- function(names) paste0(paste(names, collapse = ", "), "\n")
  if (length(x$always)) cat("always included, ranked first:", of(x$always))
  if (length(x$unranked)) {
    cat("not ranked, since", x$method, "does not accept this kind of column:", of(x$unranked))
  }
}

#' @export
print.summary.hetsel_ranking <- function(x, ...) {
  cat(heading(x), sep = "\n")
  cat("\nSignature of size ", x$size, said_of_cut(x), ":\n", sep = "")
  print_names(x$selected)
  print_asked(x)
  print_order(x)
  cat(of_sample(x))
  print_columns(x)
  if (nrow(x$trace)) {
    cat("\nSteps:\n")
    shown <- c("step", "size", "objective", "gap", if (any(nzchar(x$trace$verdict))) "verdict")
    steps <- x$trace[!duplicated(x$trace$step), shown]
    steps$features <- vapply(steps$step, function(k) {
      features <- cut_off(x$trace$feature[x$trace$step == k], 60)
      more <- length(features) - 4
      paste(c(utils::head(features, 4), if (more > 0) paste("and", more, "more")), collapse = ", ")
    }, "")
    print_table(steps, digits = 4)
  }
  invisible(x)
}

as.data.frame.hetsel_ranking <- function(x, ...) x$ranking

head.hetsel_ranking <- function(x, n = 6L, ...) utils::head(x$ranking, n, ...)

heading <- function(x) {
  kinds <- table(x$columns$kind)
  classes <- paste0(shown(names(x$classes)), " (", x$classes, ")", collapse = ", ")
  call <- if (!is.null(x$call)) paste("call:", deparse1(x$call))
  width <- getOption("width")
  c(
    paste0(x$title, " (", x$method, ")"),
    settings(x),
    paste0(
      x$rows, " rows; ", nrow(x$columns), " features: ",
      paste(kinds, names(kinds), collapse = ", ")
    ),
    paste0(
      if (!is.null(x$target)) paste0("target ", x$target, "; "),
      switch(kind_of_target(x),
        classes = paste("classes:", classes), numbers = paste("numbers:", x$numbers),
        survival = paste("survival times:", x$survival)
      )
    ),
    if (isTRUE(nchar(call) > width)) paste0(substr(call, 1, width - 3), "...") else call
  )
}

# Options that differ from their defaults, the scale, and the seed where the method uses it.
settings <- function(x) {
  values <- vapply(x$options[x$changed], function(value) {
    if (is.list(value)) value <- unlist(value)
    deparse1(if (is.integer(value)) as.double(value) else value)
  }, "")
  options <- paste(names(values), values, sep = " = ", collapse = ", ")
  said <- c(
    if (length(values)) paste("options:", options),
    if (!is.null(x$scale) && x$scale != "range") paste("scale", x$scale),
    if (isTRUE(x$draws)) paste("seed", x$seed)
  )
  if (length(said)) paste(said, collapse = "; ")
}

# Whether the order at the size of the signature is proved, a tie or open.
said_of_cut <- function(x) if (isTRUE(nzchar(x$cut))) paste0(" (", x$cut, ")")

print_order <- function(x) {
  if (isTRUE(nzchar(x$order))) print_lines(paste("order:", x$order))
  if ("open" %in% x$ranking$verdict) {
    cat("open: the order is not decided; size = K decides the cut after rank K\n")
  }
}

print_open_ends <- function(x) {
  print_cautions(x)
  if (any(x$columns$missing > 0)) writeLines(handling(x))
  open <- sum(nzchar(x$columns$note))
  if (open > 0) {
    cat("check the kind of ", counted(open, "column"), ": see summary()\n", sep = "")
  }
}

print_cautions <- function(x) print_lines(sprintf("caution: %s", x$cautions))

print_columns <- function(x) {
  cat("\nColumns:\n")
  columns <- x$columns[setdiff(names(x$columns), "note")]
  columns$name <- cut_off(columns$name, 60)
  columns$imputed <- cut_off(columns$imputed, 60)
  columns$levels <- ifelse(columns$kind == "continuous", "", columns$levels)
  if (all(columns$missing == 0)) {
    columns$missing <- columns$imputed <- NULL
  } else if (x$missing != "impute") {
    columns$imputed <- NULL
  }
  print_table(columns, 40, of = "column")
  if (any(x$columns$missing > 0)) writeLines(c("", handling(x)))
  if (length(x$cautions)) cat("\n")
  print_cautions(x)
  if (length(x$questions)) cat("\nColumns to check:\n")
  print_lines(x$questions, indent = 2)
}

handling <- function(x) {
  what <- c(
    impute = "imputed by the median or the most frequent level",
    separate = "kept as a separate value"
  )
  paste0(
    counted(sum(x$columns$missing), "missing value"), " in ",
    counted(sum(x$columns$missing > 0), "column"), ", ", what[[x$missing]]
  )
}
