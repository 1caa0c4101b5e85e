hetsel_rank <- function(x, ...) {
  UseMethod("hetsel_rank")
}

hetsel_rank.default <- function(x, y, method = "rfe-mkl", size = NULL, missing = "impute",
                                nominal = NULL, ordinal = NULL, continuous = NULL,
                                seed = 0, ..., scale = "range", row_weights = NULL) {
  options <- list(...)
  if (length(options) && (is.null(names(options)) || any(names(options) == ""))) {
    stop("further options of a method must be named, as in ntree = 500", call. = FALSE)
  }
  data <- read_data(x, if (missing(y)) NULL else y, nominal, ordinal, continuous)
  if (!is.null(options$always)) {
    options$always <- names_in(unlist(options$always), data$names, "always")
  }
  answer <- ask(
    "rank",
    columns = data$columns,
    target = data$target,
    method = one_of(method, "method", is.character),
    size = if (!is.null(size)) as.double(one_of(size, "size", is.numeric)),
    missing = one_of(missing, "missing", is.character),
    scale = one_of(scale, "scale", is.character),
    kinds = data$kinds,
    seed = seed_of(seed),
    options = if (length(options)) Map(option_crossing, options, names(options)),
    row_weights = if (!is.null(row_weights)) column_of(row_weights, "row_weights")
  )
  result <- as_written(if (is.null(answer$path)) as_ranking(answer) else as_path(answer), data)
  recorded(result, match.call(), substitute(y))
}

hetsel_rank.formula <- function(formula, data, ..., subset, na.action, x) {
  call <- match.call()
  chosen <- if (!missing(subset)) substitute(subset)
  complete <- if (!missing(na.action)) na.action
  by_formula(hetsel_rank.default, call, formula, data, x, chosen, complete, ...)
}

hetsel_rank.data.frame <- function(x, y, ..., formula, data) {
  call <- match.call()
  frame_first(hetsel_rank.formula, hetsel_rank.default, call, x, y, formula, data, ...)
}

# Logical values, dates and classes the way R writes them.
as_written <- function(result, data) {
  filled <- result$columns$filled
  for (j in which(nzchar(filled))) {
    column <- data$columns[[j]]
    if (column$form == "flag") {
      result$columns$filled[j] <- toupper(filled[j])
    } else if (column$form == "date") {
      result$columns$filled[j] <- day_written(as.double(filled[j]), column$zone)
    }
  }
  if (data$target$form == "flag") {
    names(result$classes) <- toupper(names(result$classes))
  }
  in_order <- match(unlist(data$target$levels), names(result$classes)) # a name may be empty
  if (data$target$form != "text" && length(in_order)) {
    result$classes <- result$classes[in_order[!is.na(in_order)]]
  }
  result
}

# Days since 1970-01-01 as a date, or as a time of a zone. The middle of two dates may be a noon.
day_written <- function(days, zone) {
  if (is.null(zone) && days == floor(days)) {
    return(format(as.Date(days, origin = "1970-01-01")))
  }
  zone <- if (is.null(zone)) "UTC" else zone
  time <- as.POSIXct(round(86400 * days), origin = "1970-01-01", tz = zone)
  format(time, "%Y-%m-%d %H:%M")
}

# The names of a vector mean something in weights of classes and costs of features only.
option_crossing <- function(value, name) {
  named <- is.list(value) || name %in% c("class_weight", "costs")
  crossing(if (named) value else unname(value), name)
}

one_of <- function(value, name, fits) {
  if (length(value) != 1 || !fits(value) || is.na(value)) {
    kind <- if (identical(fits, is.numeric)) "number" else "word"
    kind <- if (identical(fits, is.logical)) "of TRUE and FALSE" else kind
    kind <- if (identical(fits, is_label)) "class" else kind
    stop(name, " must be one ", kind, got(value), call. = FALSE)
  }
  value
}

seed_of <- function(seed) {
  one_of(seed, "seed", is.numeric)
  if (!isTRUE(seed >= 0 && seed < 2^32 && seed == floor(seed))) {
    stop("seed must be a whole number in 0..4294967295. Got ", seed, call. = FALSE)
  }
  as.double(seed)
}

# The result: plain vectors and data frames only, so that it outlives the session.
as_ranking <- function(answer) {
  ranking <- frame_of(
    answer,
    c(rank = "integer", feature = "character", kind = "character", importance = "double")
  )
  if (length(answer$verdict)) {
    ranking$verdict <- vector_of(answer$verdict, "character")
  }
  trace <- frame_of(answer$trace, c(
    step = "integer", size = "integer", feature = "character", objective = "double",
    gap = "double", bound = "double", verdict = "character"
  ))
  facts <- facts_of(answer)
  structure(
    c(
      list(
        ranking = ranking,
        selected = ranking$feature[seq_len(answer$size)],
        columns = facts$columns,
        trace = trace,
        order = answer$order,
        cut = answer$cut,
        always = vector_of(answer$always, "character"),
        unranked = vector_of(answer$unranked, "character")
      ),
      facts[names(facts) != "columns"]
    ),
    class = "hetsel_ranking"
  )
}

# What every result says about its call.
facts_of <- function(answer) {
  facts <- list(
    columns = frame_of(answer$columns, c(
      name = "character", kind = "character", levels = "integer", missing = "integer",
      filled = "character", note = "character"
    )),
    cautions = vector_of(answer$cautions, "character"),
    method = answer$method,
    title = answer$title,
    paper = answer$paper,
    size = as.integer(answer$size),
    options = answer$options,
    changed = vector_of(answer$changed, "character"),
    seed = answer$seed,
    draws = answer$draws,
    missing = answer$handling,
    scale = answer$scale,
    rows = as.integer(answer$rows),
    classes = stats::setNames(
      vector_of(answer$counts, "integer"), vector_of(answer$classes, "character")
    ),
    version = answer$version
  )
  facts$numbers <- answer$numbers # of a target of numbers; else there is no such element
  facts
}
