hetsel_rank <- function(x, ...) {
  UseMethod("hetsel_rank")
}

hetsel_rank.default <- function(x, y, method = "rfe-mkl", size = NULL, missing = "impute",
                                nominal = NULL, ordinal = NULL, continuous = NULL,
                                seed = 0, ...) {
  options <- list(...)
  if (length(options) && (is.null(names(options)) || any(names(options) == ""))) {
    stop("further options of a method must be named, as in ntree = 500", call. = FALSE)
  }
  data <- read_data(x, if (missing(y)) NULL else y, nominal, ordinal, continuous)
  answer <- ask(
    "rank",
    columns = data$columns,
    target = data$target,
    method = one_of(method, "method", is.character),
    size = if (!is.null(size)) as.double(one_of(size, "size", is.numeric)),
    missing = one_of(missing, "missing", is.character),
    kinds = data$kinds,
    seed = as.double(one_of(seed, "seed", is.numeric)),
    options = if (length(options)) {
      lapply(options, function(value) if (is.null(names(value))) value else as.list(value))
    }
  )
  in_capitals(if (is.null(answer$path)) as_ranking(answer) else as_path(answer), data)
}

hetsel_rank.formula <- function(x, data, ...) {
  parts <- read_formula(x, data)
  table <- structure(parts$x, class = "data.frame", row.names = .set_row_names(nrow(data)))
  hetsel_rank.default(table, parts$y, ...)
}

# Columns, target and kinds as they cross to Python.
read_data <- function(x, y, nominal, ordinal, continuous) {
  columns <- columns_of(x)
  names <- vapply(columns, function(column) column$name, "")
  list(
    columns = columns,
    names = names,
    target = target_of(y, nrow(x)),
    kinds = list(
      nominal = names_in(nominal, names, "nominal"),
      ordinal = names_in(ordinal, names, "ordinal"),
      continuous = names_in(continuous, names, "continuous")
    )
  )
}

# Logical values the way R writes them.
in_capitals <- function(result, data) {
  flags <- vapply(data$columns, function(column) column$form == "flag", NA)
  result$columns$filled[flags] <- toupper(result$columns$filled[flags])
  if (data$target$form == "flag") {
    names(result$classes) <- toupper(names(result$classes))
  }
  result
}

one_of <- function(value, name, fits) {
  if (length(value) != 1 || !fits(value) || is.na(value)) {
    kind <- if (identical(fits, is.numeric)) "number" else "word"
    stop(name, " must be one ", kind, call. = FALSE)
  }
  value
}

# The result: plain vectors and data frames only, so that it outlives the session.
as_ranking <- function(answer) {
  ranking <- frame_of(
    answer,
    c(rank = "integer", feature = "character", kind = "character", importance = "double")
  )
  trace <- frame_of(answer$trace, c(
    step = "integer", size = "integer", feature = "character", objective = "double",
    gap = "double"
  ))
  facts <- facts_of(answer)
  structure(
    c(
      list(
        ranking = ranking,
        selected = ranking$feature[seq_len(answer$size)],
        columns = facts$columns,
        trace = trace
      ),
      facts[names(facts) != "columns"]
    ),
    class = "hetsel_ranking"
  )
}

# What every result says about its call.
facts_of <- function(answer) {
  list(
    columns = frame_of(answer$columns, c(
      name = "character", kind = "character", levels = "integer", missing = "integer",
      filled = "character", note = "character"
    )),
    method = answer$method,
    title = answer$title,
    paper = answer$paper,
    size = as.integer(answer$size),
    seed = answer$seed,
    missing = answer$handling,
    rows = as.integer(answer$rows),
    classes = stats::setNames(
      vector_of(answer$counts, "integer"), vector_of(answer$classes, "character")
    ),
    version = answer$version
  )
}
