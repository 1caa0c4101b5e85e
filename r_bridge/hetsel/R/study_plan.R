# What a plan and its tables become on their way to Python.

# The plan as it was given: entries of a list, or the full path of a file, which outlives a change
# of the working directory.
plan_given <- function(plan) {
  if (is.list(plan) && !is.data.frame(plan)) {
    if (is.null(names(plan)) || any(names(plan) == "")) {
      refuse(
        "the entries of a plan must be named, as in list(datasets = \"heart\", ...)",
        argument = "plan"
      )
    }
    return(plan)
  }
  if (!is.character(plan) || length(plan) != 1 || is.na(plan)) {
    refuse("plan must be the path of a TOML file or a list with its entries", argument = "plan")
  }
  normalizePath(plan, mustWork = FALSE)
}

# Names of which an entry of a plan has one; other names of a vector mean nothing.
ENTRY <- c("name", "file", "key")

plan_crossing <- function(plan) {
  if (is.character(plan)) {
    return(enc2utf8(plan))
  }
  plain <- vapply(plan, function(one) is.atomic(one) && !any(ENTRY %in% names(one)), NA)
  plan[plain] <- lapply(plan[plain], unname) # as in c(a = "hsic", b = "variance")
  if (length(plan)) crossing(plan, "plan") # NULL of a merged store
}

# Entries of a plan as plain lists: every number a double, nothing missing.
crossing <- function(x, where) {
  if (is.null(x)) {
    return(NULL)
  }
  if (is.factor(x)) {
    x <- as.character(x)
  }
  if (inherits(x, "hetsel_method")) {
    x <- unclass(x)
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
    refuse(
      where, " must be text, numbers or a list. Got an object of class ", class(x)[1],
      argument = where
    )
  }
  if (anyNA(x)) {
    refuse(where, " is missing (NA)", argument = where)
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
    refuse(
      "data must be a list of named tables, as in list(women = list(x = , y = ))", argument = "data"
    )
  }
  unname(Map(function(table, name) {
    where <- paste0("data$", name)
    if (!is.list(table) || is.data.frame(table) || is.null(table$x) || is.null(table$y)) {
      refuse(where, " must be a list of x, the features, and y, the target", argument = where)
    }
    unknown <- setdiff(names(table), legal)
    if (length(unknown)) {
      refuse(
        where, " has no entry '", unknown[1], "'; the entries are ", paste(legal, collapse = ", "),
        argument = where
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
          row_groups = by_row(table$row_groups, names(own$columns), "row_groups"),
          row_weights = by_row(table$row_weights, names(own$columns), "row_weights"),
          order = by_row(table$order, names(own$columns), "order")
        )
      },
      hetsel_error = function(e) {
        refuse(where, ": ", e$problem, fix = e$fix, argument = where)
      }
    )
  }, data, names(data)))
}

# What says something of the rows: a value for each, or a column of the table by name or position,
# which then is no feature.
by_row <- function(given, names, option) {
  if (is.null(given)) {
    return(NULL)
  }
  if (option == "row_groups") {
    if (identical(given, "copies") && !"copies" %in% names) {
      return(given)
    }
    given <- named_by_formula(given)
  }
  if (length(given) == 1 && !is.list(given)) {
    return(names_in(given, names, option)[[1]])
  }
  column_of(given, option)
}

is_label <- function(x) is.character(x) || is.numeric(x) || is.logical(x) || is.factor(x)
