# One prevalence, or prevalences named by class.
shares_crossing <- function(prevalence) {
  named <- !is.null(names(prevalence))
  refuse_if(!is.numeric(prevalence) || anyNA(prevalence) || !(named || length(prevalence) == 1),
    "prevalence must be one number, or numbers named by class", got(prevalence),
    argument = "prevalence"
  )
  shares <- as.double(prevalence)
  if (named) as.list(stats::setNames(shares, enc2utf8(names(prevalence)))) else shares
}

# The columns of `by`: columns of the table by name, or its own.
by_crossing <- function(by, columns, rows) {
  if (is.character(by)) {
    refuse_unknown_by(by, names(columns))
    by <- columns[enc2utf8(by)]
  }
  if (!is.list(by)) by <- list(by = by)
  wrong <- Filter(function(column) NROW(column) != rows, as.list(by))
  refuse_if(length(wrong),
    "by must have one value for each of the ", rows, " rows of the table. Got ", NROW(wrong[[1]]),
    argument = "by"
  )
  Map(column_of, as.list(by), enc2utf8(names(by)))
}

refuse_unknown_by <- function(by, names) {
  unknown <- setdiff(enc2utf8(by), names)[1]
  near <- nearest_name(unknown, names)
  refuse_if(!is.na(unknown),
    "by must be names of columns, or a data frame or a factor. There is no column '", unknown, "'",
    fix = if (length(by) > 1 && !nzchar(near)) "Convert one value per row by factor()" else near,
    argument = "by"
  )
}

# The columns of `by` in the data of a formula, or its own, for the rows used.
by_of_formula <- function(by, data, parts) {
  if (is.character(by)) {
    computed <- parts$x[setdiff(names(parts$x), names(data))]
    refuse_unknown_by(by, c(names(data), names(computed)))
    own <- lapply(as.list.data.frame(data)[intersect(by, names(data))], take_rows, parts$rows)
    by <- c(own, as.list(computed))[by]
    return(list_as_frame(by, length(parts$rows)))
  }
  refuse_if(NROW(by) != nrow(data),
    "by must have one value for each of the ", nrow(data), " rows of data. Got ", NROW(by),
    argument = "by"
  )
  take_rows(by, parts$rows)
}

# Print the tables of the predicted probabilities in a summary.
print_probabilities <- function(one, digits) {
  print_part("Calibration of the predicted probabilities", for_eyes(with_ends(one$calibration, c(
    "class", "intercept", "slope", "observed_expected_ratio"
  ), digits), digits))
  print_part("At thresholds", for_eyes(with_ends(one$thresholds, c(
    "class", "threshold", "above", "sensitivity", "specificity", "positive_predictive_value",
    "negative_predictive_value", "net_benefit"
  ), 2), 3))
  print_part("Performance in subgroups", for_eyes(with_ends(one$parts, c(
    "column", "level", "rows", "auc", "brier", "sensitivity", "specificity", "few"
  ), 2), 2))
}

# Some columns of a table, with their confidence intervals in brackets.
with_ends <- function(table, names, digits) {
  shown <- lapply(names, function(name) {
    low <- table[[paste0(name, "_low")]]
    if (is.null(low)) {
      return(table[[name]])
    }
    ends <- for_eyes(table[paste0(name, c("", "_low", "_high"))], digits)
    ifelse(is.na(low), ends[[1]], paste0(ends[[1]], " [", ends[[2]], ", ", ends[[3]], "]"))
  })
  short <- c(
    observed_expected_ratio = "O/E", positive_predictive_value = "PPV",
    negative_predictive_value = "NPV", sensitivity = "sens.", specificity = "spec."
  )
  names <- ifelse(names %in% base::names(short), short[names], names)
  as.data.frame(stats::setNames(shown, names), optional = TRUE)
}
