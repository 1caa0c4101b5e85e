# The table of the call of a default method as it crosses to Python, with its groups of rows.
data_in <- function(call) {
  y <- evalq(if (missing(y)) NULL else y, call)
  with_groups(read_data(call$x, y, call$nominal, call$ordinal, call$continuous), call$row_groups)
}

read_data <- function(x, y, nominal, ordinal, continuous) {
  data <- read_columns(x, nominal, ordinal, continuous)
  data$target <- target_of(y, nrow(x))
  data$unit <- if (inherits(y, "difftime")) units(y)
  data
}

# Columns and kinds as they cross to Python.
read_columns <- function(x, nominal, ordinal, continuous) {
  cells <- cells_by_column(x)
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
cells_by_column <- function(x) {
  refuse_if(inherits(x, "formula"),
    "a formula is not taken here: give the columns as x, a data frame or a matrix, and the target ",
    "as y", argument = "x"
  )
  x <- if (inherits(x, "Matrix")) cells_of_sparse(x) else x
  refuse_if(!is.matrix(x) && !is.data.frame(x),
    "x must be a data frame, a matrix or a formula. Got an object of class ", class(x)[1],
    argument = "x"
  )
  refuse_if(is.matrix(x) && !is.numeric(x) && !is.logical(x) && !is.character(x),
    "a matrix must hold numbers, text or logical values. Got ", typeof(x), argument = "x"
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

# One column as it crosses, text as UTF-8; `kind` is what the user says that it is.
column_of <- function(x, name, kind = "") {
  x <- one_vector(x, name)
  if (is_labelled(x)) {
    x <- if (kind == "continuous") unlabelled(x) else label_factor(x, ordered = kind == "ordinal")
  }
  if (is_date(x) && kind %in% c("nominal", "ordinal")) x <- date_factor(x)
  refuse_if(inherits(x, c("Interval", "Period")), # of lubridate
    "column '", name, "' is of class ", class(x)[1], ", whose numbers do not say all of it",
    fix = "make it dates, as by lubridate::int_start(), or a difftime", argument = name
  )
  numeric <- is.numeric(x) || is_date(x) || inherits(x, "difftime")
  refuse_if(!(is.factor(x) || is.character(x) || is.logical(x) || numeric),
    "column '", name, "' is of class ", class(x)[1], ", which is neither a number, a date, text, ",
    "a factor nor logical", fix = "convert it, e.g. by as.numeric(), or drop it", argument = name
  )
  kept <- attributes(x)[intersect(names(attributes(x)), c("class", "levels", "tzone", "units"))]
  if (!is.null(kept$levels)) kept$levels <- enc2utf8(kept$levels)
  x <- unclass(x)
  attributes(x) <- kept
  if (is.character(x)) enc2utf8(x) else x
}

column_or_null <- function(x, name) if (!is.null(x)) column_of(x, name)

form_of <- function(x) {
  form <- if (is.ordered(x)) "ordered" else if (is.factor(x)) "factor" else if (is_date(x)) "date"
  form %||% switch(typeof(x), logical = "flag", character = "text", list = "survival", "number")
}

# A column as a vector without dimensions.
one_vector <- function(x, name) {
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (length(dim(x)) > 1 && ncol(x) == 1 && !is.data.frame(x)) x <- x[, 1]
  x <- plain_integers(x, name)
  what <- if (is.data.frame(x)) "a data frame" else if (is.list(x)) "a list" else "a matrix"
  refuse_if(is.list(x) || length(dim(x)) > 1,
    "column '", name, "' holds ", what, " in place of one value a row",
    fix = "make it plain columns, or drop it", argument = name
  )
  x
}

# The target: dates are classes in order, a difftime numbers in its own unit or that of the `fit`.
target_of <- function(y, rows, fit = NULL) {
  refuse_if(is.null(y),
    "the target y is missing", fix = "give one class label a row", argument = "y"
  )
  if (is.data.frame(y) && ncol(y) == 1) y <- y[[1]]
  if (inherits(y, "difftime")) {
    refuse_if(!is.null(fit) && is.null(fit$unit),
      "the target was not of the class difftime where the signature was found. Got a difftime",
      fix = "as.numeric(y, units = ) is plain", argument = "y"
    )
    y <- as.double(y, units = fit$unit %||% units(y))
  }
  target <- if (is_survival(y)) survival_of(y) else column_of(y, "y", kind = "nominal")
  have <- length(if (is.list(target)) target$times else target)
  refuse_if(have != rows,
    "the target must have ", rows, " rows, as the table. Got ", have, argument = "y"
  )
  target
}

is_date <- function(x) inherits(x, c("Date", "POSIXct"))

# The time zone in which times are written; dates have none.
zone_of <- function(x) {
  if (inherits(x, "POSIXct")) (attr(x, "tzone") %||% "")[1]
}

# Dates as levels in their order, the way R writes them.
date_factor <- function(x) {
  values <- sort(unique(x))
  place <- match(as.double(x), as.double(values))
  factor(place, seq_along(values), dates_written(values), ordered = TRUE)
}

# Where R writes two dates alike, as in autumn's hour: with the distance from UTC or the seconds.
dates_written <- function(values) {
  written <- format(values)
  if (anyDuplicated(written)) written <- format(values, "%Y-%m-%d %H:%M:%OS %z")
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
  if (length(range) == 2) gone <- gone | (!is.na(x) & x >= range[1] & x <= range[2])
  x[gone] <- NA
  x
}

# Labels as levels, in the order of their values; a value without a label stands for itself.
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

# All cells of a Matrix: a copy here, one that crosses and two in Python have 8 bytes a cell.
cells_of_sparse <- function(x) {
  refuse_if(!requireNamespace("Matrix", quietly = TRUE),
    "x is of class ", class(x)[1], ", which needs the package Matrix",
    fix = "install.packages(\"Matrix\")", argument = "x"
  )
  in_gigabytes <- function(bytes) paste(formatC(bytes / 2^30, digits = 1, format = "f"), "GB")
  size <- paste(format(dim(x), big.mark = ",", trim = TRUE), collapse = " x ")
  needed <- 32 * prod(dim(x))
  free <- if (needed < 2^26) NA else ask("memory")
  refuse_if(!is.na(free) && needed > free,
    "x, a ", class(x)[1], " of ", size, " cells, needs ", in_gigabytes(needed), " of memory as ",
    "columns with all their cells, and ", in_gigabytes(free), " are free",
    fix = "take fewer columns, for example those with most cells that are not zero", argument = "x"
  )
  as.matrix(x)
}

# An integer64 has the bits of a whole number in the place of those of a double; all else stays.
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
    "column '", name, "' is of class integer64 and has whole numbers of 2^53 or more, which a ",
    "double cannot tell apart",
    fix = "convert it, e.g. by as.character() if they are codes, or drop it", argument = name
  )
  values
}
