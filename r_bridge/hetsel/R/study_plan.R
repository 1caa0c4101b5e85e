# The plan, a file by its full path, which stays valid if the working directory changes.
plan_given <- function(plan) {
  if (is.list(plan) && !is.data.frame(plan)) {
    refuse_if(!all_named(plan),
      "the entries of plan must be named, such as list(datasets = \"heart\", ...)",
      argument = "plan"
    )
    return(plan)
  }
  refuse_if(!is.character(plan) || length(plan) != 1 || is.na(plan),
    "plan must be the path of a TOML file or a list with its entries", argument = "plan"
  )
  normalizePath(plan, mustWork = FALSE)
}

# An entry of a plan has one of these names; other names of a vector are ignored.
ENTRY <- c("name", "file", "key")

plan_crossing <- function(plan) {
  if (is.character(plan)) {
    return(enc2utf8(plan))
  }
  plain <- vapply(plan, function(one) is.atomic(one) && !any(ENTRY %in% names(one)), NA)
  plan[plain] <- lapply(plan[plain], unname) # as in c(a = "hsic", b = "variance")
  if (length(plan)) crossing(plan, "plan") # NULL of a merged store
}

# Convert entries of a plan to plain lists of doubles and text without missing values.
crossing <- function(x, where) {
  x <- if (is.factor(x)) as.character(x) else if (inherits(x, "hetsel_method")) unclass(x) else x
  if (!is.null(names(x))) names(x) <- enc2utf8(names(x))
  if (is.null(x) || is.list(x) && !is.object(x)) {
    inside <- if (is.null(names(x))) paste0("[[", seq_along(x), "]]") else paste0("$", names(x))
    return(if (!is.null(x)) Map(crossing, x, paste0(where, inside)))
  }
  refuse_if(!(is.character(x) || is.numeric(x) || is.logical(x)),
    where, " must be text, numbers or a list. Got an object of class ", class(x)[1],
    argument = where
  )
  refuse_if(anyNA(x), where, " must not contain NA", argument = where)
  cells <- if (is.character(x)) enc2utf8(x) else if (is.numeric(x)) as.double(x) else x
  if (length(x) == 1 && is.null(names(x))) cells[[1]] else stats::setNames(as.list(cells), names(x))
}

tables_of <- function(data) {
  refuse_if(!is.null(data) && !(is.list(data) && !is.data.frame(data) && all_named(data)),
    "data must be a named list of tables, such as list(women = list(x = , y = ))",
    argument = "data"
  )
  unname(Map(table_crossing, data, names(data)))
}

table_crossing <- function(table, name) {
  where <- paste0("data$", name)
  refuse_if(!is.list(table) || is.data.frame(table) || is.null(table$x) || is.null(table$y),
    where, " must be a list with x, the features, and y, the target", argument = where
  )
  words <- c("missing", "scale", "target_kind", "treatment_of")
  of_rows <- c("row_groups", "row_weights", "order")
  legal <- c(
    "x", "y", "nominal", "ordinal", "continuous", words[1:3], "positive", of_rows, words[4]
  )
  unknown <- setdiff(names(table), legal)
  refuse_if(length(unknown) > 0,
    "the entries of ", where, " must be among ", toString(legal), ". Got '", unknown[1], "'",
    argument = where
  )
  tryCatch(
    {
      own <- read_data(table$x, table$y, table$nominal, table$ordinal, table$continuous)
      positive <- table$positive
      c(
        list(name = enc2utf8(name)), own[c("columns", "target", "kinds")],
        Map(function(option) word_or_null(table[[option]], option), words),
        list(positive = if (!is.null(positive)) {
          crossing(one_of(positive, "positive", is_label), "positive")
        }),
        Map(function(option) by_row(table[[option]], names(own$columns), option), of_rows)
      )
    },
    hetsel_error = function(e) refuse(where, ": ", e$problem, fix = e$fix, argument = where)
  )
}

# A property of the rows: one value per row, or a column, which then is no feature.
by_row <- function(given, names, option) {
  groups <- option == "row_groups"
  if (is.null(given) || groups && identical(given, "copies") && !"copies" %in% names) {
    return(given)
  }
  given <- if (groups) named_by_formula(given) else given
  single <- length(given) == 1 && !is.list(given)
  if (single) names_in(given, names, option)[[1]] else column_or_null(given, option)
}

is_label <- function(x) is.character(x) || is.numeric(x) || is.logical(x) || is.factor(x)
