# A study from the answer of Python, with its plan and tables.
as_study <- function(answer, given) {
  kept <- answer[names(answer) != "of_flags"]
  study <- append(kept, list(given = given), match("split", names(answer)))
  with_flags(structure(study, class = "hetsel_study"), answer$of_flags)
}

# Write classes FALSE and TRUE as R does; a store keeps labels as text.
with_flags <- function(study, of_flags) {
  is_flag <- function(name) {
    target <- study$given$data[[name]]$y
    is.null(target) || is.logical(target)
  }
  of_flags <- Filter(is_flag, as.character(of_flags))
  own <- study$datasets$dataset %in% of_flags
  study$datasets$classes[own] <- toupper(study$datasets$classes[own])
  own <- study$absent_classes$dataset %in% of_flags
  study$absent_classes$class[own] <- toupper(study$absent_classes$class[own])
  study
}

print.hetsel_study <- function(x, digits = 3, ...) {
  cat(study_heading(x), sep = "\n")
  print_means(x, x$classifiers[1], digits)
  invisible(x)
}

print_means <- function(x, classifier, digits) {
  print_titled(paste0(
    "Means at the size chosen by ", x$reference, ", judge ", classifier,
    "\n(low, high: corrected 95% CI)"
  ), for_eyes(study_table(x, classifier), digits))
}

# Print a table or sentences under a title, unless they are empty.
print_titled <- function(title, table) {
  if (nrow(table)) {
    cat("\n", title, ":\n", sep = "")
    print(table, row.names = FALSE, right = FALSE)
  }
}

print_said <- function(title, said) {
  if (any(nzchar(said))) {
    cat("\n", title, ":\n", sep = "")
    cat(strwrap(said, indent = 2, exdent = 4), sep = "\n")
  }
}

#' @export
print.summary.hetsel_study <- function(x, digits = 3, ...) {
  cat(study_heading(x), sep = "\n")
  print_said("Findings", x$found)
  print_said("Better or practically equivalent methods", x$probable)
  print_titled("Data sets", x$datasets)
  for (classifier in x$classifiers) {
    print_means(x, classifier, digits)
  }
  failed <- x$failures
  print_titled("Failed", if (nrow(failed)) {
    cells <- list(cells = failed$resampling)
    stats::aggregate(cells, failed[c("dataset", "method", "reason")], length)
  } else {
    failed
  })
  print_titled(
    "Test parts without rows of a class (with one class only, bcr is missing)", x$absent_classes
  )
  warned <- x$warnings
  print_said("Warnings", sprintf(
    "%s, %s (%s): %s", warned$dataset, warned$method,
    vapply(warned$cells, counted, "", "cell"), warned$warning
  ))
  print_said("Versions", vapply(x$versions, function(used) {
    paste(names(used), used, collapse = ", ")
  }, ""))
  invisible(x)
}

as.data.frame.hetsel_study <- function(x, ...) x$scores

study_heading <- function(x) {
  state <- x$status
  splits <- x$plan$resamplings
  # numeric targets have no classes to stratify by
  plain <- !is.null(x$datasets$target) && splits$kind == "stratified"
  c(
    paste0(
      x$name, ": ", state$finished, " of ", counted(state$cells, "cell"), " finished",
      if (state$failed) paste0(", ", state$failed, " failed")
    ),
    paste0(
      counted(splits$count, "resampling"), ", ", if (plain) "random" else splits$kind, ": ",
      x$split, ", seed ", x$plan$seed
    ),
    paste0("store  ", x$store, if (startsWith(x$store, normalizePath(tempdir()))) " (temporary)"),
    paste("digest", x$digest)
  )
}

# Rows of the summary at the chosen size of each data set.
study_table <- function(x, classifier = x$classifiers[1]) {
  chosen <- x$datasets$chosen[match(x$summary$dataset, x$datasets$dataset)]
  kept <- x$summary$classifier == classifier & x$summary$size == chosen
  left_out <- "^(classifier|resamplings|scored)$|_(std|naive)$"
  x$summary[which(kept), !grepl(left_out, names(x$summary))]
}

# A table for printing: short names, few digits.
for_eyes <- function(frame, digits) {
  numbers <- vapply(frame, is.double, NA)
  frame[numbers] <- lapply(frame[numbers], function(column) {
    ifelse(is.na(column), "-", formatC(column, digits = digits, format = "f"))
  })
  names(frame) <- sub("^.*_(low|high)_corrected$", "\\1", names(frame))
  names(frame) <- sub("^n_(categorical)$|^rank_(seconds)$", "\\1\\2", names(frame))
  frame
}
