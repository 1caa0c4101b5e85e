# What comes back of a study, and how it is printed.

# The result, with the tables as they were given.
as_study <- function(answer, given) {
  study <- append(answer[names(answer) != "of_flags"], list(given = given), match("split", names(answer)))
  with_flags(structure(study, class = "hetsel_study"), answer$of_flags)
}

# Classes FALSE and TRUE as R writes them; a store has the labels as text only.
with_flags <- function(study, of_flags) {
  for (name in of_flags) {
    target <- study$given$data[[name]]$y
    if (is.null(target) || is.logical(target)) {
      own <- study$datasets$dataset == name
      study$datasets$classes[own] <- toupper(study$datasets$classes[own])
      own <- study$absent_classes$dataset == name
      study$absent_classes$class[own] <- toupper(study$absent_classes$class[own])
    }
  }
  study
}

#' @rdname plot.hetsel_study
#' @export
print.hetsel_study <- function(x, digits = 3, ...) {
  cat(study_heading(x), sep = "\n")
  print_means(x, x$classifiers[1], digits)
  invisible(x)
}

# Means at the size that was chosen for each data set, under a title.
print_means <- function(x, classifier, digits) {
  shown <- study_table(x, classifier)
  if (nrow(shown)) {
    cat("\n", at_chosen(x, classifier), sep = "")
    print(for_eyes(shown, digits), row.names = FALSE, right = FALSE)
  }
}

#' @rdname plot.hetsel_study
#' @export
summary.hetsel_study <- function(object, ...) as_summary(object)

#' @export
print.summary.hetsel_study <- function(x, digits = 3, ...) {
  cat(study_heading(x), sep = "\n")
  if (length(x$found)) {
    cat("\nWhat was found:\n")
    cat(strwrap(x$found, indent = 2, exdent = 4), sep = "\n")
  }
  if (isTRUE(nzchar(x$probable))) {
    cat("\nBetter, or practically equal:\n")
    cat(strwrap(x$probable, indent = 2, exdent = 4), sep = "\n")
  }
  cat("\nData sets:\n")
  print(x$datasets, row.names = FALSE, right = FALSE)
  for (classifier in x$classifiers) {
    print_means(x, classifier, digits)
  }
  if (nrow(x$failures)) {
    cat("\nFailed:\n")
    counts <- stats::aggregate(
      list(cells = x$failures$resampling), x$failures[c("dataset", "method", "reason")], length
    )
    print(counts, row.names = FALSE, right = FALSE)
  }
  if (nrow(x$absent_classes)) {
    cat("\nTest parts that lack a class (with one class left they have no bcr):\n")
    print(x$absent_classes, row.names = FALSE, right = FALSE)
  }
  if (nrow(x$warnings)) {
    cat("\nWarnings:\n")
    cat(
      strwrap(
        paste0(
          x$warnings$dataset, ", ", x$warnings$method, " (", x$warnings$cells, " cells): ",
          x$warnings$warning
        ),
        indent = 2, exdent = 4
      ),
      sep = "\n"
    )
  }
  cat("\nVersions:\n")
  for (used in x$versions) {
    cat(strwrap(paste(names(used), used, collapse = ", "), indent = 2, exdent = 4), sep = "\n")
  }
  invisible(x)
}

#' @rdname plot.hetsel_study
#' @export
as.data.frame.hetsel_study <- function(x, ...) {
  x$scores
}

study_heading <- function(x) {
  state <- x$status
  splits <- x$plan$resamplings
  # numbers have no classes whose shares could be kept
  plain <- !is.null(x$datasets$target) && splits$kind == "stratified"
  c(
    paste0(
      x$name, ": ", state$finished, " of ", state$cells, " cells",
      if (state$failed) paste0(", ", state$failed, " failed")
    ),
    paste0(
      splits$count, " resamplings, ", if (plain) "random" else splits$kind, ": ", x$split,
      ", seed ", x$plan$seed
    ),
    paste0("store  ", x$store, if (startsWith(x$store, normalizePath(tempdir()))) " (temporary)"),
    paste("digest", x$digest)
  )
}

# Above a table: the size that it is of, which is the one of paul2015, and its interval.
at_chosen <- function(x, classifier) {
  paste0(
    "Means at the size that ", x$reference, " chooses, ", classifier,
    "\n(low, high: corrected 95 % interval):\n"
  )
}

# Summary rows at the size that was chosen for each data set.
study_table <- function(x, classifier = x$classifiers[1]) {
  chosen <- x$datasets$chosen[match(x$summary$dataset, x$datasets$dataset)]
  kept <- x$summary$classifier == classifier & x$summary$size == chosen
  left_out <- c(
    "classifier", "resamplings", "scored", grep("_(std|naive)$", names(x$summary), value = TRUE)
  )
  x$summary[which(kept), setdiff(names(x$summary), left_out)]
}

# A summary as it is printed: short names, few digits.
for_eyes <- function(frame, digits) {
  numbers <- vapply(frame, is.double, NA)
  frame[numbers] <- lapply(frame[numbers], function(column) {
    ifelse(is.na(column), "-", formatC(column, digits = digits, format = "f"))
  })
  names <- sub("^.*_(low|high)_corrected$", "\\1", names(frame))
  short <- c(n_categorical = "categorical", rank_seconds = "seconds")
  stats::setNames(frame, ifelse(names %in% names(short), short[names], names))
}
