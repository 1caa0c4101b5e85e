# Columns, target and kinds as they cross to Python.
read_data <- function(x, y, nominal, ordinal, continuous) {
  data <- read_columns(x, nominal, ordinal, continuous)
  data$target <- target_of(y, nrow(x))
  data$unit <- if (inherits(y, "difftime")) units(y)
  data
}

# Columns and kinds as they cross to Python.
read_columns <- function(x, nominal, ordinal, continuous) {
  cells <- cells_by_column(x)
  if (!nrow(x)) {
    refuse("the table has no rows", argument = "x")
  }
  kinds <- list(
    nominal = names_in(nominal, names(cells), "nominal"),
    ordinal = names_in(ordinal, names(cells), "ordinal", levels = TRUE),
    continuous = names_in(continuous, names(cells), "continuous")
  )
  columns <- Map(
    function(cells, name) column_of(cells, name, kind_of(name, kinds)), cells, names(cells)
  )
  kinds$ordinal <- levels_crossing(kinds$ordinal, cells, columns)
  list(columns = columns, kinds = kinds)
}

# The columns of a data frame or matrix: a list of vectors by name.
cells_by_column <- function(x) {
  if (is.matrix(x)) {
    if (!is.numeric(x) && !is.logical(x) && !is.character(x)) {
      refuse("a matrix must hold numbers, text or logical values. Got ", typeof(x), argument = "x")
    }
    names <- colnames(x)
    if (is.null(names)) {
      names <- paste0("x", seq_len(ncol(x)))
    }
    columns <- lapply(seq_len(ncol(x)), function(j) as.vector(x[, j]))
  } else if (inherits(x, "Matrix")) {
    return(cells_by_column_of_sparse(x))
  } else if (is.data.frame(x)) {
    names <- names(x)
    columns <- as.list(x)
  } else if (inherits(x, "formula")) {
    refuse(
      "a formula is not taken here: give the columns as x, a data frame or a matrix, and the ",
      "target as y",
      argument = "x"
    )
  } else {
    refuse(
      "x must be a data frame, a matrix or a formula. Got an object of class ", class(x)[1],
      argument = "x"
    )
  }
  if (!length(columns)) {
    refuse("the table has no columns", argument = "x")
  }
  stats::setNames(Map(one_vector, columns, names), enc2utf8(names))
}

# One column as it crosses: numbers, logical values, text, a factor, dates or a difftime without
# further attributes, text as UTF-8; `kind` is what the user says that it is.
column_of <- function(x, name, kind = "") {
  x <- one_vector(x, name)
  if (is_labelled(x)) {
    x <- if (kind == "continuous") unlabelled(x) else label_factor(x, ordered = kind == "ordinal")
  }
  if (is_date(x) && kind %in% c("nominal", "ordinal")) {
    x <- date_factor(x)
  }
  if (inherits(x, c("Interval", "Period"))) { # of lubridate: their numbers are a part of them only
    refuse(
      "column '", name, "' is of class ", class(x)[1], ", whose numbers do not say all of it",
      fix = "make it dates, as by lubridate::int_start(), or a difftime", argument = name
    )
  }
  numeric <- is.numeric(x) || is_date(x) || inherits(x, "difftime")
  if (!(is.factor(x) || is.character(x) || is.logical(x) || numeric)) {
    refuse(
      "column '", name, "' is of class ", class(x)[1], ", which is neither a number, a date, ",
      "text, a factor nor logical",
      fix = "convert it, e.g. by as.numeric(), or drop it", argument = name
    )
  }
  kept <- attributes(x)[intersect(names(attributes(x)), c("class", "levels", "tzone", "units"))]
  if (!is.null(kept$levels)) {
    kept$levels <- enc2utf8(kept$levels)
  }
  x <- unclass(x)
  attributes(x) <- kept
  if (is.character(x)) enc2utf8(x) else x
}

# What a column is.
form_of <- function(x) {
  if (is.factor(x)) {
    return(if (is.ordered(x)) "ordered" else "factor")
  }
  if (is_date(x)) {
    return("date")
  }
  switch(typeof(x), logical = "flag", character = "text", list = "survival", "number")
}

# A column as a vector without dimensions.
one_vector <- function(x, name) {
  if (inherits(x, "POSIXlt")) {
    x <- as.POSIXct(x)
  }
  if (length(dim(x)) > 1 && ncol(x) == 1 && !is.data.frame(x)) {
    x <- x[, 1]
  }
  x <- plain_integers(x, name)
  if (is.list(x) || length(dim(x)) > 1) {
    what <- if (is.data.frame(x)) "a data frame" else if (is.list(x)) "a list" else "a matrix"
    refuse(
      "column '", name, "' holds ", what, " in place of one value a row",
      fix = "make it plain columns, or drop it", argument = name
    )
  }
  x
}

# The target: a vector, a factor, survival times, or a table of one column. Dates are classes in
# their order. A difftime is numbers in its own unit, or in that of the `fit`.
target_of <- function(y, rows, fit = NULL) {
  if (is.null(y)) {
    refuse("the target y is missing", fix = "give one class label a row", argument = "y")
  }
  if (is.data.frame(y) && ncol(y) == 1) {
    y <- y[[1]]
  }
  unit <- if (inherits(y, "difftime")) units(y)
  if (!is.null(unit)) {
    y <- as.double(y, units = unit_of_fit(fit, unit))
  }
  target <- if (is_survival(y)) survival_of(y) else column_of(y, "y", kind = "nominal")
  have <- length(if (is.list(target)) target$times else target)
  if (have != rows) {
    refuse("the target must have ", rows, " rows, as the table. Got ", have, argument = "y")
  }
  target
}

# The unit of the target of a fit; `unit` where there is no fit.
unit_of_fit <- function(fit, unit) {
  if (is.null(fit)) {
    return(unit)
  }
  if (is.null(fit$unit)) {
    refuse(
      "the target was not of the class difftime where the signature was found. Got a difftime",
      fix = "as.numeric(y, units = ) is plain", argument = "y"
    )
  }
  fit$unit
}

is_date <- function(x) {
  inherits(x, "Date") || inherits(x, "POSIXct")
}

# The time zone in which times are written; dates have none.
zone_of <- function(x) {
  zone <- attr(x, "tzone")
  if (inherits(x, "POSIXct")) if (is.null(zone)) "" else zone[1]
}

# Dates as levels in their order, the way R writes them.
date_factor <- function(x) {
  values <- sort(unique(x))
  factor(match(as.double(x), as.double(values)), seq_along(values), dates_written(values), ordered = TRUE)
}

# Different dates in different words: where R writes two alike, as in the hour that autumn repeats or
# within a second, with their distance from UTC or the seconds since 1970.
dates_written <- function(values) {
  written <- format(values)
  if (anyDuplicated(written)) {
    written <- format(values, "%Y-%m-%d %H:%M:%OS %z")
  }
  twice <- written %in% written[duplicated(written)]
  seconds <- format(as.double(values)[twice], digits = 17, trim = TRUE)
  written[twice] <- paste0(written[twice], " (", seconds, ")")
  written
}

# Labelled values, as haven reads them from SPSS, Stata and SAS; haven itself is not needed.
is_labelled <- function(x) {
  inherits(x, c("haven_labelled", "labelled")) &&
    !all(vapply(attributes(x)[c("labels", "na_values", "na_range")], is.null, NA))
}

# The plain values, those that are declared missing being NA.
unlabelled <- function(x) {
  declared <- attr(x, "na_values")
  range <- attr(x, "na_range")
  attributes(x) <- NULL
  gone <- x %in% declared
  if (length(range) == 2) {
    gone <- gone | (!is.na(x) & x >= range[1] & x <= range[2])
  }
  x[gone] <- NA
  x
}

# Labels as levels, in the order of their values; a value without a label stands for itself, and
# where only missing values have labels the plain values are left.
label_factor <- function(x, ordered) {
  labels <- attr(x, "labels")
  values <- unlabelled(x)
  declared <- structure(
    unname(labels),
    na_values = attr(x, "na_values"), na_range = attr(x, "na_range")
  )
  labels <- labels[!is.na(unlabelled(declared))]
  if (!length(labels)) {
    return(values)
  }
  every <- sort(unique(c(values, unname(labels))))
  names <- as.character(every)
  found <- match(every, labels)
  names[!is.na(found)] <- names(labels)[found[!is.na(found)]]
  twice <- names %in% names[duplicated(names)] # one label for two values
  names[twice] <- paste0(names[twice], " (", every[twice], ")")
  factor(match(values, every), seq_along(every), names, ordered = ordered)
}
