# What comes back of a study, and how it is printed.

# The result: plain lists, vectors and data frames only, so that it outlives the session.
as_study <- function(answer, given) {
  place <- c(dataset = "character", method = "character")
  measured <- vector_of(answer$measured, "character")
  averaged <- vector_of(answer$averaged, "character") # the first is the one that methods compare by
  main <- doubles(averaged[1], paste0(averaged[1], c(
    "_low_corrected", "_high_corrected", "_low_naive", "_high_naive"
  )))
  measured <- doubles(measured)
  measured[names(measured) == "absent_classes"] <- "integer"
  scores <- table_of(answer$scores, c(
    place, resampling = "integer", size = "integer", classifier = "character", measured,
    n_categorical = "integer", cut = "character", rank_seconds = "double"
  ))
  summary <- table_of(answer$summary, c(
    place, classifier = "character", size = "integer", resamplings = "integer",
    scored = "integer", main, doubles(averaged[-1], paste0(averaged, "_std")), kuncheva = "double",
    n_categorical = "double", rank_seconds = "double"
  ))
  status <- lapply(answer$status, as.integer)
  status$parts <- table_of(
    answer$parts, c(place, cells = "integer", finished = "integer", failed = "integer")
  )
  study <- structure(
    list(
      name = answer$name,
      found = vector_of(answer$found, "character"),
      crossfitted = table_of(answer$crossfitted, c(
        place, rule = "character", size_even = "integer", size_odd = "integer",
        resamplings = "integer", main, kuncheva = "double"
      )),
      probable = answer$probable,
      bayesian_pairs = as_pairs(answer$bayesian_pairs),
      ranks = table_of(answer$ranks, c(
        measure = "character", analysis = "character", method = "character",
        mean_rank = "double", number = "integer", pvalue = "double",
        critical_difference = "double"
      )),
      alike = table_of(answer$alike, c(
        measure = "character", analysis = "character", group = "integer", method = "character"
      )),
      treatments = table_of(answer$treatments, c(
        dataset = "character", treatment = "character", method = "character", size = "integer",
        resamplings = "integer", doubles(averaged[1], paste0(averaged[1], "_treated")),
        doubles("difference", "low", "high", "pvalue", "holm", "kuncheva"),
        kuncheva_treated = "double", common = "double", changed = "character"
      )),
      reference = answer$reference,
      scores = scores,
      summary = summary,
      status = status,
      failures = table_of(answer$failures, c(
        place, resampling = "integer", reason = "character", trace = "character"
      )),
      warnings = table_of(answer$noted, c(place, warning = "character", cells = "integer")),
      absent_classes = table_of(answer$absent_classes, c(
        dataset = "character", class = "character", lacking = "integer", resamplings = "integer"
      )),
      datasets = table_of(answer$datasets, c(
        dataset = "character", rows = "integer", row_groups = "integer", continuous = "integer",
        categorical = "integer",
        if (is.null(answer$datasets$target)) c(classes = "character") else c(target = "character"),
        missing_cells = "integer", chosen = "integer"
      )),
      methods = vector_of(answer$methods, "character"),
      classifiers = vector_of(answer$classifiers, "character"),
      digest = answer$digest,
      store = answer$store,
      versions = lapply(answer$versions, unlist),
      plan = answer$plan,
      split = answer$split,
      given = given,
      version = answer$version
    ),
    class = "hetsel_study"
  )
  with_flags(study, vector_of(answer$of_flags, "character"))
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

# Columns of numbers.
doubles <- function(...) {
  names <- c(...)
  stats::setNames(rep("double", length(names)), names)
}

# Pairs of methods by probabilities; those over the data sets have no data set.
as_pairs <- function(x) {
  pairs <- table_of(x, c(
    analysis = "character", dataset = "character", one = "character", other = "character",
    number = "integer", difference = "double", one_better = "double", equivalent = "double",
    other_better = "double"
  ))
  pairs$dataset[!nzchar(pairs$dataset)] <- NA
  pairs
}

# A data frame in which what is not a number is missing.
table_of <- function(x, modes) {
  frame <- frame_of(x, modes)
  frame[] <- lapply(frame, function(column) {
    column[is.na(column)] <- NA
    column
  })
  frame
}

#' @rdname plot.hetsel_study
#' @export
print.hetsel_study <- function(x, digits = 3, ...) {
  cat(study_heading(x), sep = "\n")
  shown <- study_table(x)
  if (nrow(shown)) {
    cat("\n", at_chosen(x, x$classifiers[1]), sep = "")
    print(for_eyes(shown, digits), row.names = FALSE, right = FALSE)
  }
  invisible(x)
}

#' @rdname plot.hetsel_study
#' @export
summary.hetsel_study <- function(object, ...) {
  structure(unclass(object), class = "summary.hetsel_study")
}

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
    shown <- study_table(x, classifier)
    if (nrow(shown)) {
      cat("\n", at_chosen(x, classifier), sep = "")
      print(for_eyes(shown, digits), row.names = FALSE, right = FALSE)
    }
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
