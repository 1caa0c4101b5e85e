# The table of a call, converted for Python, with its row groups.
data_in <- function(call) {
  y <- evalq(if (missing(y)) NULL else y, call)
  with_groups(read_data(call$x, y, call$nominal, call$ordinal, call$continuous), call$row_groups)
}

read_data <- function(x, y, nominal, ordinal, continuous) {
  legal <- "a data frame, a matrix or a formula"
  data <- read_columns(x, nominal, ordinal, continuous, legal)
  data$target <- target_of(y, nrow(x))
  data$unit <- if (inherits(y, "difftime")) units(y)
  data
}

# Columns and kinds, converted for Python.
read_columns <- function(x, nominal, ordinal, continuous, ...) {
  cells <- cells_by_column(x, ...)
  refuse_if(!nrow(x), "the table has no rows", argument = "x")
  kinds <- list(
    nominal = names_in(nominal, names(cells), "nominal"),
    ordinal = names_in(ordinal, names(cells), "ordinal", levels = TRUE),
    continuous = names_in(continuous, names(cells), "continuous")
  )
  column <- function(cells, name) column_of(cells, name, kind_of(name, kinds))
  columns <- Map(column, cells, names(cells))
  kinds$ordinal <- levels_crossing(kinds$ordinal, cells, columns)
  list(columns = columns, kinds = kinds)
}

# The columns of a data frame or matrix: a list of vectors by name.
cells_by_column <- function(x, legal = "a data frame or a matrix") {
  refuse_if(inherits(x, "formula"),
    "x must be a data frame or a matrix here. Got a formula",
    fix = "Pass the columns as x and the target as y", argument = "x"
  )
  x <- if (inherits(x, "Matrix")) cells_of_sparse(x) else x
  refuse_if(!is.matrix(x) && !is.data.frame(x),
    "x must be ", legal, ". Got an object of class ", class(x)[1], argument = "x"
  )
  refuse_if(is.matrix(x) && !is.numeric(x) && !is.logical(x) && !is.character(x),
    "a matrix x must be numeric, character or logical. Got ", typeof(x), argument = "x"
  )
  names <- colnames(x) %||% paste0("x", seq_len(ncol(x)))
  column <- function(j) as.vector(x[, j])
  columns <- if (is.matrix(x)) lapply(seq_len(ncol(x)), column) else as.list(x)
  refuse_if(!length(columns), "the table has no columns", argument = "x")
  stats::setNames(Map(one_vector, columns, names), enc2utf8(names))
}

# A list of columns as a data frame, whatever their names.
list_as_frame <- function(columns, rows) {
  structure(columns, class = "data.frame", row.names = .set_row_names(rows))
}

# Convert one column for Python, text as UTF-8; `kind` is the kind that the user specified.
column_of <- function(x, name, kind = "") {
  x <- one_vector(x, name)
  if (is_labelled(x)) {
    x <- if (kind == "continuous") unlabelled(x) else label_factor(x, ordered = kind == "ordinal")
  }
  if (is_date(x) && kind %in% c("nominal", "ordinal")) x <- date_factor(x)
  refuse_if(inherits(x, c("Interval", "Period")), # of lubridate
    "column '", name, "' has class ", class(x)[1], ", which cannot be converted to numbers",
    fix = "Convert it to dates, for example by lubridate::int_start(), or to a difftime",
    argument = name
  )
  numeric <- is.numeric(x) || is_date(x) || inherits(x, "difftime")
  refuse_if(!(is.factor(x) || is.character(x) || is.logical(x) || numeric),
    "column '", name, "' must be numeric, logical, character, a factor or dates. Got class ",
    class(x)[1], fix = "Convert it, for example by as.numeric(), or drop it", argument = name
  )
  kept <- attributes(x)[intersect(names(attributes(x)), c("class", "levels", "tzone", "units"))]
  if (!is.null(kept$levels)) kept$levels <- enc2utf8(kept$levels)
  x <- unclass(x)
  attributes(x) <- kept
  if (is.character(x)) enc2utf8(x) else x
}

# The vector of an argument with one value per row, converted for Python.
column_or_null <- function(x, name) {
  refuse_if(is.function(x) || is.list(x) && !inherits(x, "POSIXlt") || NCOL(x) != 1,
    name, " must be a vector with one value per row. Got ",
    if (is.function(x)) "a function" else if (is.data.frame(x)) "a data frame" else
      if (is.list(x)) "a list" else "a matrix",
    argument = name
  )
  if (!is.null(x)) column_of(x, name)
}

form_of <- function(x) {
  form <- if (is.ordered(x)) "ordered" else if (is.factor(x)) "factor" else if (is_date(x)) "date"
  form %||% switch(typeof(x), logical = "flag", character = "text", list = "survival", "number")
}

# Convert a column to a vector without dimensions.
one_vector <- function(x, name) {
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (length(dim(x)) > 1 && ncol(x) == 1 && !is.data.frame(x)) x <- x[, 1]
  x <- plain_integers(x, name)
  what <- if (is.data.frame(x)) "a data frame" else if (is.list(x)) "a list" else "a matrix"
  refuse_if(is.list(x) || length(dim(x)) > 1,
    "column '", name, "' must have one value per row. Got ", what,
    fix = "Split it into separate columns, or drop it", argument = name
  )
  x
}

# Convert the target: dates become ordered classes, a difftime numbers in its unit or the fit's.
target_of <- function(y, rows, fit = NULL) {
  refuse_if(is.null(y),
    "y is missing", fix = "Pass the target as y, one value per row", argument = "y"
  )
  refuse_if(is.data.frame(y) && ncol(y) != 1,
    "y must be one column. Got a data frame of ", NCOL(y), " columns",
    fix = "Select one of its columns, such as y[[1]]", argument = "y"
  )
  if (is.data.frame(y)) y <- y[[1]]
  refuse_if(!is_survival(y) && length(dim(y)) > 1 && ncol(y) > 1,
    "y must be one column. Got a matrix of ", NCOL(y), " columns",
    fix = "Select one of its columns, such as y[, 1]", argument = "y"
  )
  refuse_if(is.function(y) || is.list(y) && !inherits(y, "POSIXlt"),
    "y must be a vector, a factor or survival::Surv(). Got ",
    if (is.function(y)) "a function" else "a list", argument = "y"
  )
  if (inherits(y, "difftime")) {
    refuse_if(!is.null(fit) && is.null(fit$unit),
      "y must be numeric, as it was for hetsel_select(). Got a difftime",
      fix = "Convert it by as.numeric(y, units = )", argument = "y"
    )
    y <- as.double(y, units = fit$unit %||% units(y))
  }
  target <- if (is_survival(y)) survival_of(y) else column_of(y, "y", kind = "nominal")
  have <- length(if (is.list(target)) target$times else target)
  refuse_if(have != rows,
    "y must have one value for each of the ", rows, " rows of ",
    if (is.null(fit)) "x" else "newdata", ". Got ", have, argument = "y"
  )
  target
}

is_date <- function(x) inherits(x, c("Date", "POSIXct"))

# The time zone of a POSIXct; dates have none.
zone_of <- function(x) {
  if (inherits(x, "POSIXct")) (attr(x, "tzone") %||% "")[1]
}

# Dates as ordered levels, formatted by R.
date_factor <- function(x) {
  values <- sort(unique(x))
  place <- match(as.double(x), as.double(values))
  factor(place, seq_along(values), dates_written(values), ordered = TRUE)
}

# Format dates; two that R formats alike get their offset from UTC or their seconds.
dates_written <- function(values) {
  written <- format(values)
  if (anyDuplicated(written)) written <- format(values, "%Y-%m-%d %H:%M:%OS %z")
  twice <- written %in% written[duplicated(written)]
  seconds <- format(as.double(values)[twice], digits = 17, trim = TRUE)
  written[twice] <- paste0(written[twice], " (", seconds, ")")
  written
}

# Whether values are labelled, as haven reads them from SPSS, Stata and SAS.
is_labelled <- function(x) {
  inherits(x, c("haven_labelled", "labelled")) &&
    !all(vapply(attributes(x)[c("labels", "na_values", "na_range")], is.null, NA))
}

# The plain values; those declared as missing become NA.
unlabelled <- function(x) {
  declared <- attr(x, "na_values")
  range <- attr(x, "na_range")
  attributes(x) <- NULL
  gone <- x %in% declared
  if (length(range) == 2) gone <- gone | (!is.na(x) & x >= range[1] & x <= range[2])
  x[gone] <- NA
  x
}

# Labels as levels, in the order of their values; an unlabelled value is its own level.
label_factor <- function(x, ordered) {
  labels <- attr(x, "labels")
  values <- unlabelled(x)
  declared <- structure(
    unname(labels), na_values = attr(x, "na_values"), na_range = attr(x, "na_range")
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

# A Matrix as a dense matrix. One copy in R, one in transit and two in Python take 8 bytes a cell.
cells_of_sparse <- function(x) {
  refuse_if(!requireNamespace("Matrix", quietly = TRUE),
    "x has class ", class(x)[1], ", which needs the package Matrix",
    fix = "Run install.packages(\"Matrix\")", argument = "x"
  )
  in_gigabytes <- function(bytes) paste(formatC(bytes / 2^30, digits = 1, format = "f"), "GB")
  size <- paste(format(dim(x), big.mark = ",", trim = TRUE), collapse = " x ")
  needed <- 32 * prod(dim(x))
  free <- if (needed < 2^26) NA else ask("memory")
  refuse_if(!is.na(free) && needed > free,
    "x, a ", class(x)[1], " of ", size, " values, needs ", in_gigabytes(needed), " of memory as a ",
    "dense table. Only ", in_gigabytes(free), " are free",
    fix = "Keep fewer columns, for example those with the most nonzero values", argument = "x"
  )
  as.matrix(x)
}

# Convert an integer64, which stores whole numbers in the bits of a double; return others as is.
plain_integers <- function(x, name) {
  if (!inherits(x, "integer64")) {
    return(x)
  }
  words <- readBin(
    writeBin(as.vector(unclass(x), "double"), raw(), endian = "little"), "integer",
    n = 2 * length(x), size = 4, endian = "little"
  )
  words <- ifelse(is.na(words), -2^31, words) # which R reads as NA
  low <- words[c(TRUE, FALSE)] %% 2^32
  high <- words[c(FALSE, TRUE)]
  gone <- high == -2^31 & low == 0
  values <- ifelse(gone, NA, high * 2^32 + low)
  refuse_if(any(abs(values) >= 2^53, na.rm = TRUE),
    "column '", name, "' has class integer64 and values of 2^53 or more, which a double cannot ",
    "represent exactly",
    fix = "Convert codes by as.character(), or drop the column", argument = name
  )
  values
}
