# What crosses to Python: every column as doubles, in bytes, and its levels as UTF-8 text.
# The generic conversion would turn NA_integer_ into a number, NA into TRUE and NA_character_
# into "NA".

# The columns of a data frame or matrix.
columns_of <- function(x) {
  if (is.matrix(x)) {
    if (!is.numeric(x) && !is.logical(x) && !is.character(x)) {
      stop("a matrix must hold numbers, text or logical values. Got ", typeof(x), call. = FALSE)
    }
    names <- colnames(x)
    if (is.null(names)) {
      names <- paste0("x", seq_len(ncol(x)))
    }
    columns <- lapply(seq_len(ncol(x)), function(j) as.vector(x[, j]))
  } else if (is.data.frame(x)) {
    names <- names(x)
    columns <- as.list(x)
  } else {
    stop(
      "x must be a data frame, a matrix or a formula. Got an object of class ", class(x)[1],
      call. = FALSE
    )
  }
  if (!length(columns)) {
    stop("the table has no columns", call. = FALSE)
  }
  if (!nrow(x)) {
    stop("the table has no rows", call. = FALSE)
  }
  Map(column_of, unname(columns), enc2utf8(names), USE.NAMES = FALSE)
}

# One column: its name, what it is, its cells (levels counted from 0) and its levels.
column_of <- function(x, name) {
  if (inherits(x, "POSIXlt")) {
    x <- as.POSIXct(x)
  }
  if (length(dim(x)) > 1 && ncol(x) == 1 && !is.data.frame(x)) {
    x <- x[, 1]
  }
  if (is.list(x) || length(dim(x)) > 1) {
    what <- if (is.data.frame(x)) "a data frame" else if (is.list(x)) "a list" else "a matrix"
    stop(
      "column '", name, "' holds ", what, " in place of one value a row: ",
      "make it plain columns, or drop it", call. = FALSE
    )
  }
  if (is.character(x)) {
    levels <- unique(x[!is.na(x)])
    return(parcel(name, "text", match(x, levels) - 1, levels))
  }
  if (is.factor(x)) {
    levels <- levels(x)[!is.na(levels(x))] # addNA() makes missing a level
    codes <- match(levels(x), levels)[as.integer(x)]
    form <- if (is.ordered(x)) "ordered" else "factor"
    return(parcel(name, form, codes - 1, levels))
  }
  form <- if (is.logical(x)) "flag" else "number"
  if (inherits(x, "Date") || inherits(x, "POSIXct")) {
    form <- "date"
    x <- as.double(x) / if (inherits(x, "POSIXct")) 86400 else 1
  } else if (inherits(x, "difftime")) {
    x <- as.double(x, units = "days")
  } else if (inherits(x, "integer64") || !(is.logical(x) || is.numeric(x))) {
    stop(
      "column '", name, "' is of class ", class(x)[1], ", which is neither a number, a date, ",
      "text, a factor nor logical: convert it, e.g. by as.numeric(), or drop it",
      call. = FALSE
    )
  }
  parcel(name, form, x, character())
}

parcel <- function(name, form, cells, levels) {
  list(
    name = name,
    form = form,
    cells = writeBin(as.double(cells), raw()),
    levels = as.list(enc2utf8(levels))
  )
}

# The target: a vector, a factor, or a table of one column.
target_of <- function(y, rows) {
  if (is.null(y)) {
    stop("the target y is missing: give one class label a row", call. = FALSE)
  }
  if (is.data.frame(y) && ncol(y) == 1) {
    y <- y[[1]]
  }
  target <- column_of(y, "y")
  have <- length(target$cells) / 8
  if (have != rows) {
    stop("the target must have ", rows, " rows, as the table. Got ", have, call. = FALSE)
  }
  target
}

# Names of the columns that an option names, by name, position or logical mask.
names_in <- function(given, names, option) {
  if (is.null(given)) {
    return(NULL)
  }
  if (is.list(given)) {
    if (is.null(names(given)) || any(names(given) == "")) {
      stop(option, " must be names of columns, or a list with names and levels", call. = FALSE)
    }
    return(stats::setNames(
      lapply(given, function(levels) as.list(enc2utf8(as.character(levels)))),
      enc2utf8(names(given))
    ))
  }
  if (is.logical(given)) {
    given <- which(given)
  }
  if (is.numeric(given)) {
    if (anyNA(given) || any(given < 1 | given > length(names) | given != round(given))) {
      stop(
        option, " must be positions in 1..", length(names), ". Got ",
        paste(given, collapse = ", "), call. = FALSE
      )
    }
    given <- names[given]
  }
  as.list(enc2utf8(as.character(given)))
}

# Columns and target that a formula names.
read_formula <- function(formula, data) {
  if (length(formula) < 3) {
    stop("the formula must name the target, as in y ~ .", call. = FALSE)
  }
  if (!is.data.frame(data)) {
    stop("data must be a data frame. Got an object of class ", class(data)[1], call. = FALSE)
  }
  if (identical(formula[[3]], quote(.))) { # spares the p x p matrix of terms
    y <- eval(formula[[2]], data, environment(formula))
    used <- names(data) %in% all.vars(formula[[2]])
    return(list(x = as.list.data.frame(data)[!used], y = y))
  }
  terms <- stats::terms(formula, data = data)
  if (any(attr(terms, "order") > 1)) {
    stop("the formula must not hold interactions: a feature is a column", call. = FALSE)
  }
  frame <- stats::model.frame(terms, data, na.action = stats::na.pass)
  factors <- attr(terms, "factors")
  if (!length(factors)) {
    stop("the formula names no features", call. = FALSE)
  }
  picked <- apply(factors > 0, 2, which)
  list(x = as.list(frame)[picked], y = stats::model.response(frame))
}
