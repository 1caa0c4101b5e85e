hetsel_study <- function(plan, store = NULL, jobs = 1, data = NULL, retry = FALSE, dask = NULL,
                         progress = interactive(), time_limit = NULL) {
  given <- list(plan = plan_given(plan), data = data)
  answer <- ask(
    "study",
    plan = plan_crossing(given$plan),
    store = file_name(store, "store"),
    jobs = if (!is.null(jobs)) as.double(one_of(jobs, "jobs", is.numeric)),
    tables = tables_of(data),
    dask = if (!is.null(dask)) one_of(dask, "dask", is.character),
    retry = one_of(retry, "retry", is.logical),
    progress = one_of(progress, "progress", is.logical),
    time_limit = if (!is.null(time_limit)) as.double(one_of(time_limit, "time_limit", is.numeric))
  )
  study <- as_study(answer, given)
  if (nrow(study$failures)) {
    reasons <- unique(study$failures$reason)
    warning(
      nrow(study$failures), " of ", study$status$cells, " cells failed, see $failures: ",
      reasons[1], if (length(reasons) > 1) paste0(" (and ", length(reasons) - 1, " more reasons)"),
      ". retry = TRUE computes them once more", call. = FALSE
    )
  }
  study
}

hetsel_report <- function(x, path = "report.html", figures = NULL, format = "pdf") {
  if (inherits(x, "hetsel_signature")) {
    return(signature_report(x, path, figures))
  }
  if (inherits(x, "hetsel_study")) {
    source <- list(
      store = x$store, plan = plan_crossing(x$given$plan), tables = tables_of(x$given$data),
      digest = x$digest
    )
  } else {
    if (!is.character(x) || length(x) != 1) {
      stop(
        "x must be a study or the path of its store or plan, or a signature", got(x),
        call. = FALSE
      )
    }
    file <- file_name(x, "x")
    source <- if (grepl("\\.toml$", file, ignore.case = TRUE)) {
      list(plan = file)
    } else {
      list(store = file)
    }
  }
  path <- file_name(one_of(path, "path", is.character), "path")
  source$figures <- file_name(figures, "figures")
  source$format <- one_of(format, "format", is.character)
  if (!format %in% c("pdf", "svg", "png")) {
    stop("format must be one of pdf, svg, png", got(format), call. = FALSE)
  }
  written <- do.call(ask, c(list("study_report", path = path), source))
  invisible(written$path)
}

# Path of a file, with its ~ expanded.
file_name <- function(path, name) {
  if (is.null(path)) {
    return(NULL)
  }
  if (identical(path, "")) {
    stop(name, " must name a file. Got ''", call. = FALSE)
  }
  enc2utf8(path.expand(one_of(path, name, is.character)))
}

# The plan as it was given: entries of a list, or the full path of a file, which outlives a change
# of the working directory.
plan_given <- function(plan) {
  if (is.list(plan) && !is.data.frame(plan)) {
    if (is.null(names(plan)) || any(names(plan) == "")) {
      stop("the entries of a plan must be named, as in list(datasets = \"heart\", ...)",
        call. = FALSE
      )
    }
    return(plan)
  }
  if (!is.character(plan) || length(plan) != 1 || is.na(plan)) {
    stop("plan must be the path of a TOML file or a list with its entries", call. = FALSE)
  }
  normalizePath(plan, mustWork = FALSE)
}

plan_crossing <- function(plan) {
  if (is.list(plan)) crossing(plan, "plan") else enc2utf8(plan)
}

# Entries of a plan as plain lists: every number a double, nothing missing.
crossing <- function(x, where) {
  if (is.null(x)) {
    return(NULL)
  }
  if (is.factor(x)) {
    x <- as.character(x)
  }
  if (is.list(x) && !is.object(x)) {
    inside <- if (is.null(names(x))) {
      paste0(where, "[[", seq_along(x), "]]")
    } else {
      names(x) <- enc2utf8(names(x))
      paste0(where, "$", names(x))
    }
    return(Map(crossing, x, inside))
  }
  if (!(is.character(x) || is.numeric(x) || is.logical(x))) {
    stop(where, " must be text, numbers or a list. Got an object of class ", class(x)[1],
      call. = FALSE
    )
  }
  if (anyNA(x)) {
    stop(where, " is missing (NA)", call. = FALSE)
  }
  cells <- if (is.character(x)) enc2utf8(x) else if (is.numeric(x)) as.double(x) else x
  if (length(x) == 1 && is.null(names(x))) {
    return(cells[[1]])
  }
  cells <- as.list(cells)
  names(cells) <- if (!is.null(names(x))) enc2utf8(names(x)) # as.double() drops them
  cells
}

# The user's own tables, each a list of x, y and what hetsel_rank() takes besides.
tables_of <- function(data) {
  legal <- c(
    "x", "y", "nominal", "ordinal", "continuous", "missing", "scale", "target_kind", "positive",
    "row_groups", "row_weights", "order", "treatment_of"
  )
  if (!is.null(data) && (!is.list(data) || is.data.frame(data) || is.null(names(data)) ||
    any(names(data) == ""))) {
    stop("data must be a list of named tables, as in list(women = list(x = , y = ))", call. = FALSE)
  }
  unname(Map(function(table, name) {
    where <- paste0("data$", name)
    if (!is.list(table) || is.data.frame(table) || is.null(table$x) || is.null(table$y)) {
      stop(where, " must be a list of x, the features, and y, the target", call. = FALSE)
    }
    unknown <- setdiff(names(table), legal)
    if (length(unknown)) {
      stop(
        where, " has no entry '", unknown[1], "'; the entries are ", paste(legal, collapse = ", "),
        call. = FALSE
      )
    }
    tryCatch(
      {
        own <- read_data(table$x, table$y, table$nominal, table$ordinal, table$continuous)
        list(
          name = enc2utf8(name),
          columns = own$columns,
          target = own$target,
          kinds = own$kinds,
          missing = if (!is.null(table$missing)) one_of(table$missing, "missing", is.character),
          scale = if (!is.null(table$scale)) one_of(table$scale, "scale", is.character),
          treatment_of = if (!is.null(table$treatment_of)) {
            enc2utf8(one_of(table$treatment_of, "treatment_of", is.character))
          },
          target_kind = if (!is.null(table$target_kind)) {
            one_of(table$target_kind, "target_kind", is.character)
          },
          positive = if (!is.null(table$positive)) {
            crossing(one_of(table$positive, "positive", is_label), "positive")
          },
          row_groups = by_row(table$row_groups, own$names, "row_groups"),
          row_weights = by_row(table$row_weights, own$names, "row_weights"),
          order = by_row(table$order, own$names, "order")
        )
      },
      error = function(e) stop(where, ": ", conditionMessage(e), call. = FALSE)
    )
  }, data, names(data)))
}

# What says something of the rows: a value for each, or a column of the table by name or position,
# which then is no feature.
by_row <- function(given, names, option) {
  if (is.null(given)) {
    return(NULL)
  }
  if (option == "row_groups" && identical(given, "copies") && !"copies" %in% names) {
    return(given)
  }
  if (length(given) == 1 && !is.list(given)) {
    return(names_in(given, names, option)[[1]])
  }
  column_of(given, option)
}

is_label <- function(x) is.character(x) || is.numeric(x) || is.logical(x) || is.factor(x)

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
  structure(
    list(
      name = answer$name,
      found = vector_of(answer$found, "character"),
      crossfitted = table_of(answer$crossfitted, c(
        place, rule = "character", size_even = "integer", size_odd = "integer",
        resamplings = "integer", main, kuncheva = "double"
      )),
      probable = answer$probable,
      bayesian_pairs = as_pairs(answer$bayesian_pairs),
      treatments = table_of(answer$treatments, c(
        dataset = "character", treatment = "character", method = "character", size = "integer",
        resamplings = "integer", doubles(averaged[1], paste0(averaged[1], "_treated")),
        difference = "double", low = "double", high = "double", pvalue = "double", holm = "double", kuncheva = "double",
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

print.hetsel_study <- function(x, digits = 3, ...) {
  cat(study_heading(x), sep = "\n")
  shown <- study_table(x)
  if (nrow(shown)) {
    cat("\n", at_chosen(x, x$classifiers[1]), sep = "")
    print(for_eyes(shown, digits), row.names = FALSE, right = FALSE)
  }
  invisible(x)
}

summary.hetsel_study <- function(object, ...) {
  structure(unclass(object), class = "summary.hetsel_study")
}

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
      splits$count, " resamplings, ", if (plain) "random" else splits$kind, ": ", x$split, ", seed ", x$plan$seed
    ),
    paste("store ", x$store),
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
