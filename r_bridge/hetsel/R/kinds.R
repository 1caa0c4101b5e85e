# Which columns are nominal, ordinal or continuous, and the levels of ordinal ones in order.

# Names of the columns that an option names: by name, position or logical mask; with `levels` also
# as a list of levels by name.
names_in <- function(given, names, option, levels = FALSE) {
  if (is.list(given) && is.null(names(given))) {
    given <- unlist(given)
  }
  if (is.null(given)) {
    return(NULL)
  }
  if (is.list(given)) {
    if (!levels) {
      refuse(
        option, " must be names of columns: only ordinal takes levels too", argument = option
      )
    }
    if (is.data.frame(given) || any(names(given) == "")) {
      refuse(
        option, " must be names of columns, or a list with names and levels", argument = option
      )
    }
    refuse_twice(names(given), option)
    return(stats::setNames(given, enc2utf8(names(given))))
  }
  chosen <- if (is.logical(given)) {
    masked(given, names, option)
  } else if (is.numeric(given)) {
    at_positions(given, names, option)
  } else if (is.character(given) || is.factor(given)) {
    as.character(given)
  } else {
    refuse(
      option, " must be names of columns, positions or a logical mask. Got an object of class ",
      class(given)[1],
      argument = option
    )
  }
  if (anyNA(chosen)) {
    refuse(option, " must name columns. Got NA", argument = option)
  }
  refuse_twice(chosen, option)
  as.list(enc2utf8(chosen))
}

# Data as they cross, with the groups of rows: a label for each row, a word, or a column of the
# table by name, position or as ~ id, which then is no feature.
with_groups <- function(data, row_groups) {
  name <- group_column(row_groups, names(data$columns))
  if (is.null(name)) {
    data$row_groups <- if (!is.null(row_groups)) column_of(row_groups, "row_groups")
    return(data)
  }
  own <- names(data$columns) == name
  data$row_groups <- data$columns[[which(own)]]
  data$columns <- data$columns[!own]
  data$kinds <- lapply(data$kinds, function(given) {
    given[if (is.null(names(given))) given != name else names(given) != name]
  })
  data
}

# The column that row_groups names; NULL where they are something else.
group_column <- function(given, names) {
  given <- named_by_formula(given)
  if (length(given) != 1 || is.list(given) || !(is.character(given) || is.numeric(given)) ||
    given %in% setdiff(c("copies", "rows"), names)) {
    return(NULL)
  }
  name <- names_in(given, names, "row_groups")[[1]]
  if (!name %in% names) {
    refuse(
      "row_groups must be a label for each row, \"copies\", \"rows\" or a column. There is no '",
      name, "'",
      fix = nearest_name(name, names), argument = "row_groups"
    )
  }
  name
}

# The name in a formula such as ~ id; all else as it is.
named_by_formula <- function(given) {
  if (!inherits(given, "formula")) {
    return(given)
  }
  if (length(given) != 2 || !is.name(given[[2]])) {
    refuse("row_groups must name one column, as in ~ id", got(given), argument = "row_groups")
  }
  as.character(given[[2]])
}

refuse_twice <- function(chosen, option) {
  if (anyDuplicated(chosen)) {
    twice <- chosen[duplicated(chosen)][1]
    refuse(option, " names column '", twice, "' more than once", argument = option)
  }
}

# A mask goes by its own names, as sapply() gives them, else by position.
masked <- function(mask, names, option) {
  if (anyNA(mask)) {
    refuse(option, " must be TRUE or FALSE for each column. Got NA", argument = option)
  }
  if (!is.null(names(mask))) {
    return(names(mask)[mask])
  }
  if (!length(mask) %in% c(1, length(names))) {
    refuse(
      option, " must be one logical value for each of the ", length(names), " columns. Got ",
      length(mask),
      argument = option
    )
  }
  names[rep_len(mask, length(names))]
}

at_positions <- function(given, names, option) {
  if (anyNA(given) || any(given < 1 | given > length(names) | given != round(given))) {
    refuse(
      option, " must be positions in 1..", length(names), ". Got ", paste(given, collapse = ", "),
      argument = option
    )
  }
  names[given]
}

# What the user says that a column is; "" where nothing is said.
kind_of <- function(name, kinds) {
  for (kind in names(kinds)) {
    given <- kinds[[kind]]
    if (name %in% if (is.null(names(given))) given else names(given)) {
      return(kind)
    }
  }
  ""
}

# The levels in order cross as the cells of their column do: numbers as numbers, dates as dates.
levels_crossing <- function(given, cells, columns) {
  if (is.null(names(given))) {
    return(given)
  }
  Map(function(levels, name) {
    place <- match(name, names(cells))
    if (is.list(levels)) {
      levels <- do.call(c, levels)
    }
    if (is.null(levels) || !is.atomic(levels) || anyNA(levels)) {
      refuse(
        "ordinal: the levels of column '", name, "' must be values in order, without NA",
        argument = "ordinal"
      )
    }
    if (!is.na(place)) {
      levels <- levels_like(cells[[place]], form_of(columns[[place]]), levels)
    }
    column_of(levels, name)
  }, given, names(given))
}

# Levels in the type of a column, as R compares values of different types.
levels_like <- function(x, form, levels) {
  if (form == "number" && (is.character(levels) || is.factor(levels))) {
    numbers <- suppressWarnings(as.double(as.character(levels)))
    return(if (anyNA(numbers)) levels else numbers)
  }
  if (form == "flag" && !is.logical(levels)) {
    flags <- as.logical(if (is.factor(levels)) as.character(levels) else levels)
    return(if (anyNA(flags)) levels else flags)
  }
  if (form %in% c("number", "flag")) {
    return(levels)
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

# Dates written as those of their column: R leaves out a time of day that is midnight in all.
dates_like <- function(x, levels) {
  if (!identical(class(x), class(levels))) {
    return(format(levels))
  }
  known <- sort(unique(x))
  found <- match(as.double(levels), as.double(known))
  ifelse(is.na(found), format(levels), dates_written(known)[found])
}
