# Columns by name, position or logical mask; with `levels` also as a list of levels by name.
names_in <- function(given, names, option, levels = FALSE) {
  if (is.list(given) && is.null(names(given))) given <- unlist(given)
  if (is.null(given)) {
    return(NULL)
  }
  if (is.list(given)) {
    refuse_if(!levels,
      option, " must be names of columns: only ordinal takes levels too", argument = option
    )
    refuse_if(is.data.frame(given) || any(names(given) == ""),
      option, " must be names of columns, or a list with names and levels", argument = option
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

# Data with the groups of rows: labels, a word, or a column that then is no feature.
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

# The column that row_groups names; NULL where they are something else.
group_column <- function(given, names) {
  given <- named_by_formula(given)
  if (length(given) != 1 || is.list(given) || !(is.character(given) || is.numeric(given)) ||
    given %in% setdiff(c("copies", "rows"), names)) {
    return(NULL)
  }
  name <- names_in(given, names, "row_groups")[[1]]
  refuse_if(!name %in% names,
    "row_groups must be a label for each row, \"copies\", \"rows\" or a column. There is no '",
    name, "'", fix = nearest_name(name, names), argument = "row_groups"
  )
  name
}

# The name in a formula such as ~ id; all else as it is.
named_by_formula <- function(given) {
  if (!inherits(given, "formula")) {
    return(given)
  }
  refuse_if(length(given) != 2 || !is.name(given[[2]]),
    "row_groups must name one column, as in ~ id", got(given), argument = "row_groups"
  )
  as.character(given[[2]])
}

refuse_twice <- function(chosen, option) {
  twice <- chosen[duplicated(chosen)][1]
  refuse_if(!is.na(twice), option, " names column '", twice, "' more than once", argument = option)
}

# A mask goes by its own names, as sapply() gives them, else by position.
masked <- function(mask, names, option) {
  refuse_if(anyNA(mask),
    option, " must be TRUE or FALSE for each column. Got NA", argument = option
  )
  names <- names(mask) %||% names
  refuse_if(!length(mask) %in% c(1, length(names)),
    option, " must be one logical value for each of the ", length(names), " columns. Got ",
    length(mask), argument = option
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

# What the user says that a column is; "" where nothing is said.
kind_of <- function(name, kinds) {
  own <- vapply(kinds, function(given) name %in% (names(given) %||% given), NA)
  c(names(kinds)[own], "")[1]
}

# The levels in order cross as the cells of their column do: numbers as numbers, dates as dates.
levels_crossing <- function(given, cells, columns) {
  if (is.null(names(given))) {
    return(given)
  }
  Map(function(levels, name) {
    if (is.list(levels)) levels <- do.call(c, levels)
    refuse_if(is.null(levels) || !is.atomic(levels) || anyNA(levels),
      "ordinal: the levels of column '", name, "' must be values in order, without NA",
      argument = "ordinal"
    )
    known <- !is.null(cells[[name]])
    levels <- if (known) levels_like(cells[[name]], form_of(columns[[name]]), levels) else levels
    column_of(levels, name)
  }, given, names(given))
}

# Levels in the type of a column, as R compares values of different types.
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

# Dates written as those of their column: R leaves out a time of day that is midnight in all.
dates_like <- function(x, levels) {
  if (!identical(class(x), class(levels))) {
    return(format(levels))
  }
  known <- sort(unique(x))
  found <- match(as.double(levels), as.double(known))
  ifelse(is.na(found), format(levels), dates_written(known)[found])
}
