# Names of columns given by name, position or logical mask, or as a list of levels by name.
names_in <- function(given, names, option, levels = FALSE) {
  if (is.list(given) && is.null(names(given))) given <- unlist(given)
  if (is.null(given)) {
    return(NULL)
  }
  if (is.list(given)) {
    refuse_if(!levels,
      option, " must be names of columns. Only ordinal accepts levels", argument = option
    )
    refuse_if(is.data.frame(given) || any(names(given) == ""),
      option, " must be names of columns, or a list of levels named by column", argument = option
    )
    refuse_twice(names(given), option)
    return(stats::setNames(given, enc2utf8(names(given))))
  }
  plain <- is.logical(given) || is.numeric(given) || is.character(given) || is.factor(given)
  refuse_if(!plain,
    option, " must be names of columns, positions or a logical mask. Got an object of class ",
    class(given)[1], argument = option
  )
  at <- if (is.logical(given)) masked else if (is.numeric(given)) at_positions
  chosen <- if (is.null(at)) as.character(given) else at(given, names, option)
  refuse_if(anyNA(chosen), option, " must name columns. Got NA", argument = option)
  refuse_twice(chosen, option)
  as.list(enc2utf8(chosen))
}

# Add the row groups to the data: labels, a word, or a column, which then is no feature.
with_groups <- function(data, row_groups) {
  name <- group_column(row_groups, names(data$columns))
  if (is.null(name)) {
    data$row_groups <- column_or_null(row_groups, "row_groups")
    return(data)
  }
  data$row_groups <- data$columns[[name]]
  data$columns <- data$columns[names(data$columns) != name]
  data$kinds <- lapply(data$kinds, function(given) {
    given[if (is.null(names(given))) given != name else names(given) != name]
  })
  data
}

# The column that row_groups names; NULL where row_groups is something else.
group_column <- function(given, names) {
  given <- named_by_formula(given)
  if (length(given) != 1 || is.list(given) || !(is.character(given) || is.numeric(given)) ||
    given %in% setdiff(c("copies", "rows"), names)) {
    return(NULL)
  }
  name <- names_in(given, names, "row_groups")[[1]]
  refuse_if(!name %in% names,
    "row_groups must be one label per row, \"copies\", \"rows\" or a column. There is no column '",
    name, "'", fix = nearest_name(name, c("copies", "rows", names)), argument = "row_groups"
  )
  name
}

# The name in a formula such as ~ id; other values unchanged.
named_by_formula <- function(given) {
  if (!inherits(given, "formula")) {
    return(given)
  }
  refuse_if(length(given) != 2 || !is.name(given[[2]]),
    "row_groups must name one column, such as ~ id", got(given), argument = "row_groups"
  )
  as.character(given[[2]])
}

refuse_twice <- function(chosen, option) {
  twice <- chosen[duplicated(chosen)][1]
  refuse_if(!is.na(twice), option, " names column '", twice, "' more than once", argument = option)
}

# Select by a logical mask: by its names, as sapply() returns them, else by position.
masked <- function(mask, names, option) {
  refuse_if(anyNA(mask),
    option, " must be TRUE or FALSE for every column. Got NA", argument = option
  )
  names <- names(mask) %||% names
  refuse_if(!length(mask) %in% c(1, length(names)),
    option, " must be a logical value for each of the ", length(names), " columns. Got ",
    counted(length(mask), "value"), argument = option
  )
  names[rep_len(mask, length(names))]
}

at_positions <- function(given, names, option) {
  refuse_if(anyNA(given) || any(given < 1 | given > length(names) | given != round(given)),
    option, " must be positions in 1..", length(names), ". Got ", paste(given, collapse = ", "),
    argument = option
  )
  names[given]
}

# The kind that the user specified for a column; "" where none.
kind_of <- function(name, kinds) {
  own <- vapply(kinds, function(given) name %in% (names(given) %||% given), NA)
  c(names(kinds)[own], "")[1]
}

# Convert ordered levels like the values of their column: numbers as numbers, dates as dates.
levels_crossing <- function(given, cells, columns) {
  if (is.null(names(given))) {
    return(given)
  }
  Map(function(levels, name) {
    if (is.list(levels)) levels <- do.call(c, levels)
    refuse_if(is.null(levels) || !is.atomic(levels) || anyNA(levels),
      "the levels of column '", name, "' in ordinal must be a vector without NA, lowest first",
      argument = "ordinal"
    )
    known <- !is.null(cells[[name]])
    levels <- if (known) levels_like(cells[[name]], form_of(columns[[name]]), levels) else levels
    column_of(levels, name)
  }, given, names(given))
}

# Convert levels to the type of a column, as R compares values of different types.
levels_like <- function(x, form, levels) {
  if (form %in% c("number", "flag")) {
    text <- is.character(levels) || is.factor(levels)
    read <- if (form == "flag") as.logical else if (text) as.double else identity
    values <- suppressWarnings(read(if (is.factor(levels)) as.character(levels) else levels))
    return(if (anyNA(values)) levels else values)
  }
  if (is_labelled(x) && is.numeric(levels)) { # by their values
    known <- attr(x, "labels")
    labels <- names(known)[match(levels, known)]
    return(ifelse(is.na(labels), as.character(levels), labels))
  }
  if (is_date(levels)) {
    return(dates_like(x, levels))
  }
  as.character(levels)
}

# Format dates like their column: R omits a time of day that is midnight in all rows.
dates_like <- function(x, levels) {
  if (!identical(class(x), class(levels))) {
    return(format(levels))
  }
  known <- sort(unique(x))
  found <- match(as.double(levels), as.double(known))
  ifelse(is.na(found), format(levels), dates_written(known)[found])
}
