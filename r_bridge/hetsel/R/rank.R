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
  columns <- columns_of(x)
  names <- vapply(columns, function(column) column$name, "")
  target <- target_of(if (missing(y)) NULL else y, nrow(x))
  answer <- ask(
    "rank",
    columns = columns,
    target = target,
    method = one_of(method, "method", is.character),
    size = if (!is.null(size)) as.double(one_of(size, "size", is.numeric)),
    missing = one_of(missing, "missing", is.character),
    kinds = list(
      nominal = names_in(nominal, names, "nominal"),
      ordinal = names_in(ordinal, names, "ordinal"),
      continuous = names_in(continuous, names, "continuous")
    ),
    seed = as.double(one_of(seed, "seed", is.numeric)),
    options = if (length(options)) options
  )
  ranking <- as_ranking(answer)
  flags <- vapply(columns, function(column) column$form == "flag", NA)
  ranking$columns$filled[flags] <- toupper(ranking$columns$filled[flags])
  if (target$form == "flag") {
    names(ranking$classes) <- toupper(names(ranking$classes))
  }
  ranking
}

hetsel_rank.formula <- function(x, data, ...) {
  parts <- read_formula(x, data)
  table <- structure(parts$x, class = "data.frame", row.names = .set_row_names(nrow(data)))
  hetsel_rank.default(table, parts$y, ...)
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
  counts <- vector_of(answer$counts, "integer")
  ranking <- frame_of(
    answer,
    c(rank = "integer", feature = "character", kind = "character", importance = "double")
  )
  columns <- frame_of(answer$columns, c(
    name = "character", kind = "character", levels = "integer", missing = "integer",
    filled = "character", note = "character"
  ))
  structure(
    list(
      ranking = ranking,
      selected = ranking$feature[seq_len(answer$size)],
      columns = columns,
      trace = frame_of(answer$trace, c(
        step = "integer", size = "integer", feature = "character", objective = "double",
        gap = "double"
      )),
      method = answer$method,
      title = answer$title,
      paper = answer$paper,
      size = as.integer(answer$size),
      seed = answer$seed,
      missing = answer$handling,
      rows = as.integer(answer$rows),
      classes = stats::setNames(counts, vector_of(answer$classes, "character")),
      version = answer$version
    ),
    class = "hetsel_ranking"
  )
}
