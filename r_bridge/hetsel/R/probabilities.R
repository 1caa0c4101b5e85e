# Probabilities of the classes: what is asked of them, and what they are worth.

# The options that judge probabilities, as they cross to Python.
asked_of_probabilities <- function(prevalence, thresholds, cost_of_missing) {
  list(
    prevalence = shares_crossing(prevalence),
    thresholds = if (!is.null(thresholds)) {
      as.list(as.double(some_of(thresholds, "thresholds", is.numeric)))
    },
    cost_of_missing = number_or_null(cost_of_missing, "cost_of_missing")
  )
}

# One share, or shares by the names of the classes.
shares_crossing <- function(prevalence) {
  if (is.null(prevalence)) {
    return(NULL)
  }
  named <- !is.null(names(prevalence))
  if (!is.numeric(prevalence) || anyNA(prevalence) || !(named || length(prevalence) == 1)) {
    refuse(
      "prevalence must be one number, or one for each class by its name", got(prevalence),
      argument = "prevalence"
    )
  }
  shares <- as.double(prevalence)
  if (named) as.list(stats::setNames(shares, enc2utf8(names(prevalence)))) else shares
}

# The columns of `by` as they cross to Python: those of the table that it names, or its own;
# `columns` are those of the table, by name, as they are or as they cross.
by_crossing <- function(by, columns, rows) {
  if (is.null(by)) {
    return(NULL)
  }
  if (is.character(by)) {
    refuse_unknown_by(by, names(columns))
    by <- columns[enc2utf8(by)]
  }
  if (!is.list(by)) {
    by <- list(by = by)
  }
  wrong <- Filter(function(column) NROW(column) != rows, as.list(by))
  if (length(wrong)) {
    refuse(
      "by must have ", rows, " rows, as the table. Got ", NROW(wrong[[1]]), argument = "by"
    )
  }
  Map(column_of, as.list(by), enc2utf8(names(by)))
}

refuse_unknown_by <- function(by, names) {
  unknown <- setdiff(enc2utf8(by), names)
  if (length(unknown)) {
    near <- nearest_name(unknown[1], names)
    refuse(
      "by must be names of columns, or a data frame or a factor. There is no column '", unknown[1],
      "'",
      fix = if (length(by) > 1 && !nzchar(near)) "factor() of text is a column itself" else near,
      argument = "by"
    )
  }
}

# The columns that `by` names in the data of a formula, or its own, of the rows that are used.
by_of_formula <- function(by, data, parts) {
  if (is.null(by)) {
    return(NULL)
  }
  if (is.character(by)) {
    computed <- parts$x[setdiff(names(parts$x), names(data))]
    refuse_unknown_by(by, c(names(data), names(computed)))
    own <- lapply(as.list.data.frame(data)[intersect(by, names(data))], take_rows, parts$rows)
    by <- c(own, as.list(computed))[by]
    return(structure(by, class = "data.frame", row.names = .set_row_names(length(parts$rows))))
  }
  if (NROW(by) != nrow(data)) {
    refuse("by must have ", nrow(data), " rows, as data. Got ", NROW(by), argument = "by")
  }
  take_rows(by, parts$rows)
}

# What probabilities are worth: numbers, lists of them and data frames; NULL where there are none.
as_probabilities <- function(answer) {
  if (is.null(answer)) {
    return(NULL)
  }
  shares <- table_of(answer$prevalence, c(class = "character", share = "double"))
  list(
    map = answer$map,
    runs = as.integer(answer$runs),
    brier = lapply(answer$brier, number_or_na),
    scaled_brier = lapply(answer$scaled_brier, number_or_na),
    prevalence = if (nrow(shares)) stats::setNames(shares$share, shares$class),
    threshold = number_or_na(answer$threshold),
    cost_of_missing = number_or_na(answer$cost_of_missing),
    calibration = in_columns(answer$calibration, c(class = "character")),
    curve = in_columns(answer$curve, c(class = "character")),
    decision = in_columns(answer$decision, c(class = "character")),
    thresholds = in_columns(answer$thresholds, c(class = "character")),
    parts = as_parts(answer$parts),
    movement = as_movement(answer$movement),
    histogram = in_columns(answer$histogram, c(class = "character"))
  )
}

# A data frame of these columns, all others being numbers.
in_columns <- function(answer, modes) {
  others <- setdiff(names(answer), names(modes))
  table_of(answer, c(modes, doubles(others))[names(answer)])
}

as_parts <- function(answer) {
  counts <- grep("^rows", names(answer), value = TRUE)
  in_columns(answer, c(
    column = "character", level = "character",
    stats::setNames(rep("integer", length(counts)), counts), few = "character"
  ))
}

as_movement <- function(answer) {
  if (is.null(answer)) {
    return(NULL)
  }
  answer$pairs <- as.integer(answer$pairs)
  answer$crossed <- table_of(answer$crossed, doubles("threshold", "share"))
  answer$persons <- table_of(answer$persons, doubles("mean", "low", "high"))
  answer
}

# The tables of probabilities as a summary prints them.
print_probabilities <- function(one, digits) {
  if (is.null(one)) {
    return(invisible())
  }
  print_part("Calibration of the probabilities", for_eyes(with_ends(one$calibration, c(
    "class", "intercept", "slope", "observed_over_expected"
  ), digits), digits))
  print_part("At thresholds", for_eyes(with_ends(one$thresholds, c(
    "class", "threshold", "above", "sensitivity", "specificity", "positive_predictive_value",
    "negative_predictive_value", "net_benefit"
  ), 2), 3))
  print_part("In parts of the rows", for_eyes(with_ends(one$parts, c(
    "column", "level", "rows", "auc", "brier", "sensitivity", "specificity", "few"
  ), 2), 2))
}

# Some columns of a table; those that have ends with these in brackets.
with_ends <- function(table, names, digits) {
  shown <- lapply(names, function(name) {
    low <- table[[paste0(name, "_low")]]
    if (is.null(low)) {
      return(table[[name]])
    }
    ends <- c(table[name], list(low, table[[paste0(name, "_high")]]))
    ends <- lapply(ends, function(values) {
      ifelse(is.na(values), "-", formatC(values, digits = digits, format = "f"))
    })
    ifelse(is.na(low), ends[[1]], paste0(ends[[1]], " [", ends[[2]], ", ", ends[[3]], "]"))
  })
  short <- c(
    observed_over_expected = "O/E", positive_predictive_value = "PPV",
    negative_predictive_value = "NPV", sensitivity = "sens.", specificity = "spec."
  )
  names <- ifelse(names %in% base::names(short), short[names], names)
  as.data.frame(stats::setNames(shown, names), optional = TRUE)
}
