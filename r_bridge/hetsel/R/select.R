hetsel_select <- function(x, ...) {
  UseMethod("hetsel_select")
}

hetsel_select.default <- function(x, y, method = "rfe-mkl", size = "one-se", row_groups = NULL,
                                  positive = NULL, missing = "impute", nominal = NULL,
                                  ordinal = NULL, continuous = NULL, folds = 10, repeats = 3,
                                  permutations = 499, pairs = 50, C = 10, unseen = "error",
                                  seed = 0, jobs = 1, ..., scale = "range", parameters = list(),
                                  progress = interactive(), row_weights = NULL,
                                  always = NULL) {
  refuse_further("hetsel_select", ...)
  y <- if (missing(y)) NULL else y
  data <- read_data(x, y, nominal, ordinal, continuous)
  parameters <- parameters_crossing(parameters)
  if (!is.null(always)) {
    parameters$always <- crossing(names_in(unlist(always), data$names, "always"), "always")
  }
  number <- function(value, name) as.double(one_of(value, name, is.numeric))
  answer <- ask(
    "select",
    columns = data$columns,
    target = data$target,
    method = one_of(method, "method", is.character),
    size = if (is.character(size)) one_of(size, "size", is.character) else number(size, "size"),
    missing = one_of(missing, "missing", is.character),
    kinds = data$kinds,
    seed = seed_of(seed),
    row_groups = if (!is.null(row_groups)) column_of(row_groups, "row_groups"),
    options = list(
      C = number(C, "C"),
      folds = number(folds, "folds"),
      repeats = number(repeats, "repeats"),
      permutations = number(permutations, "permutations"),
      pairs = number(pairs, "pairs"),
      positive = positive_of(positive, y, data$target$form),
      unseen = one_of(unseen, "unseen", is.character),
      scale = one_of(scale, "scale", is.character)
    ),
    jobs = number_or_null(jobs, "jobs"),
    parameters = parameters,
    progress = one_of(progress, "progress", is.logical),
    row_weights = if (!is.null(row_weights)) column_of(row_weights, "row_weights")
  )
  result <- as_written(as_signature(answer), data)
  result$dates <- zones_of(data$columns)
  recorded(result, match.call(), substitute(y))
}

hetsel_select.formula <- function(formula, data, ..., subset, na.action, x) {
  call <- match.call()
  chosen <- if (!missing(subset)) substitute(subset)
  complete <- if (!missing(na.action)) na.action
  by_formula(hetsel_select.default, call, formula, data, x, chosen, complete, ...)
}

hetsel_select.data.frame <- function(x, y, ..., formula, data) {
  call <- match.call()
  frame_first(hetsel_select.formula, hetsel_select.default, call, x, y, formula, data, ...)
}

# Parameters of the method by their names; NULL where there is none.
parameters_crossing <- function(parameters) {
  if (!is.list(parameters) || length(parameters) &&
    (is.null(names(parameters)) || any(names(parameters) == ""))) {
    stop("parameters must be a named list, as in list(C = 1)", got(parameters), call. = FALSE)
  }
  if (length(parameters)) Map(option_crossing, parameters, names(parameters))
}

# The positive class in the type of the target, as R compares values of different types.
positive_of <- function(positive, y, form) {
  if (is.null(positive)) {
    return(NULL)
  }
  one_of(positive, "positive", is.atomic)
  crossing(unname(levels_like(y, form, positive)), "positive")
}

# Time zones of the columns of dates, NA of those that have no time of day.
zones_of <- function(columns) {
  dates <- Filter(function(column) column$form == "date", columns)
  zones <- lapply(dates, function(column) if (is.null(column$zone)) NA else column$zone)
  stats::setNames(vector_of(zones, "character"), vapply(dates, `[[`, "", "name"))
}

# The result: plain vectors, lists of them and data frames only. `model` is text that predicts.
as_signature <- function(answer) {
  facts <- facts_of(answer)
  several <- function(names, mode) stats::setNames(rep(mode, length(names)), names)
  effects <- table_of(answer$effects, c(
    feature = "character", class = "character", level = "character", low = "double",
    high = "double", effect_low = "double", effect_high = "double", rows = "integer",
    several(grep("^rows ", names(answer$effects), value = TRUE), "integer")
  ))
  structure(
    c(
      list(
        verdict = answer$verdict,
        reason = answer$reason,
        sentences = vector_of(answer$sentences, "character"),
        features = table_of(
          answer$features, c(feature = "character", kind = "character", frequency = "double")
        ),
        performance = table_of(answer$performance, c(
          measure = "character", class = "character", rate = "double", low = "double",
          high = "double", rows = "integer"
        )),
        estimate = answer$estimate,
        chance = vectors_in(answer$chance, c(permuted = "double")),
        sizes = table_of(answer$sizes, c(size = "integer", inner_bcr = "double")),
        nested = vector_of(answer$nested, "integer"),
        frequency = table_of(answer$frequency, c(feature = "character", frequency = "double")),
        stability = if (!is.null(answer$stability)) lapply(answer$stability, number_or_na),
        stable = vectors_in(answer$stable, c(features = "character", above = "character")),
        alternatives = table_of(answer$alternatives, c(
          feature = "character", alternative = "character", frequency = "double",
          alternative_frequency = "double", both = "double"
        )),
        effects = effects,
        effective_rows = table_of(
          answer$effective_rows, c(class = "character", rows = "double")
        ),
        levels = lapply(answer$levels, vector_of, "character"),
        rule = answer$rule,
        positive = answer$positive,
        always = vector_of(answer$always, "character"),
        groups = as.integer(answer$groups),
        parameters = answer$parameters,
        model = answer$model
      ),
      facts
    ),
    class = "hetsel_signature"
  )
}

number_or_na <- function(value) if (is.null(value)) NA_real_ else as.double(value)

# A list in which these entries are vectors, however short.
vectors_in <- function(x, modes) {
  for (name in if (!is.null(x)) names(modes)) {
    x[[name]] <- vector_of(x[[name]], modes[[name]])
  }
  x
}
