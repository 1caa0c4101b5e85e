hetsel_search <- function(x, ...) {
  UseMethod("hetsel_search")
}

hetsel_search.default <- function(x, y, search = "sffs", criterion = "5nn", size = NULL,
                                  ties = NULL, voting = NULL, hybrid = NULL,
                                  prefilter = "mutual-information", folds = NULL, repeats = NULL,
                                  rate = NULL, count = 1, depth = NULL, costs = NULL,
                                  budget = NULL, always = NULL, never = NULL,
                                  column_groups = NULL,
                                  row_groups = NULL, max_seconds = NULL, max_evaluations = NULL,
                                  archive = NULL, missing = "impute", nominal = NULL,
                                  ordinal = NULL, continuous = NULL, seed = 0, ...,
                                  scale = "range") {
  refuse_further("hetsel_search", ...)
  data <- read_data(x, if (missing(y)) NULL else y, nominal, ordinal, continuous)
  answer <- ask(
    "search",
    columns = data$columns,
    target = data$target,
    size = number_or_null(size, "size"),
    missing = one_of(missing, "missing", is.character),
    scale = one_of(scale, "scale", is.character),
    kinds = data$kinds,
    seed = seed_of(seed),
    row_groups = if (!is.null(row_groups)) column_of(row_groups, "row_groups"),
    options = list(
      search = one_of(search, "search", is.character),
      criterion = some_of(criterion, "criterion", is.character),
      ties = if (!is.null(ties)) as.double(some_of(ties, "ties", is.numeric)),
      voting = word_or_null(voting, "voting"),
      hybrid = number_or_null(hybrid, "hybrid"),
      prefilter = one_of(prefilter, "prefilter", is.character),
      folds = number_or_null(folds, "folds"),
      repeats = number_or_null(repeats, "repeats"),
      rate = word_or_null(rate, "rate"),
      count = as.double(one_of(count, "count", is.numeric)),
      depth = number_or_null(depth, "depth"),
      costs = costs_by_name(costs, data$names),
      budget = number_or_null(budget, "budget"),
      always = names_in(unlist(always), data$names, "always"),
      never = names_in(unlist(never), data$names, "never"),
      column_groups = groups_by_name(column_groups, data$names),
      max_seconds = number_or_null(max_seconds, "max_seconds"),
      max_evaluations = number_or_null(max_evaluations, "max_evaluations"),
      archive = if (!is.null(archive)) enc2utf8(path.expand(word_or_null(archive, "archive")))
    )
  )
  recorded(as_written(as_path(answer), data), match.call(), substitute(y))
}

hetsel_search.formula <- function(formula, data, ..., subset, na.action, x) {
  call <- match.call()
  chosen <- if (!missing(subset)) substitute(subset)
  complete <- if (!missing(na.action)) na.action
  by_formula(hetsel_search.default, call, formula, data, x, chosen, complete, ...)
}

hetsel_search.data.frame <- function(x, y, ..., formula, data) {
  call <- match.call()
  frame_first(hetsel_search.formula, hetsel_search.default, call, x, y, formula, data, ...)
}

refuse_further <- function(owner, ...) {
  if (...length()) {
    given <- ...names()
    named <- given[nzchar(given) & !is.na(given)]
    what <- if (length(named)) paste("option", named[1]) else "option without a name"
    stop(owner, " has no ", what, ": see ?", owner, call. = FALSE)
  }
}

number_or_null <- function(value, name) {
  if (!is.null(value)) as.double(one_of(value, name, is.numeric))
}

word_or_null <- function(value, name) {
  if (!is.null(value)) one_of(value, name, is.character)
}

some_of <- function(values, name, fits) {
  if (!length(values) || !fits(values) || anyNA(values)) {
    kind <- if (identical(fits, is.numeric)) "numbers" else "words"
    stop(name, " must be one or more ", kind, got(values), call. = FALSE)
  }
  values
}

# What each named feature costs; without names there is one number a column.
costs_by_name <- function(costs, names) {
  if (is.null(costs)) {
    return(NULL)
  }
  some_of(costs, "costs", is.numeric)
  if (is.null(names(costs))) {
    if (length(costs) != length(names)) {
      stop(
        "costs must be named, or ", length(names), " numbers, one for each column. Got ",
        length(costs), call. = FALSE
      )
    }
    names(costs) <- names
  }
  if (any(names(costs) == "") || anyDuplicated(names(costs))) {
    stop("costs must name each of its columns once", call. = FALSE)
  }
  as.list(stats::setNames(as.double(costs), enc2utf8(names(costs))))
}

groups_by_name <- function(groups, names) {
  if (is.null(groups)) {
    return(NULL)
  }
  if (!is.list(groups) || is.data.frame(groups)) {
    stop("column_groups must be a list of vectors, the columns of one group each", call. = FALSE)
  }
  lapply(unname(groups), function(group) names_in(unlist(group), names, "column_groups"))
}

# The result: plain vectors, lists of them and data frames only.
as_path <- function(answer) {
  path <- frame_of(answer$path, c(size = "integer", score = "double"))
  path$features <- names_by_row(answer$path$features)
  moves <- frame_of(answer$moves, c(size = "integer", score = "double"))
  moves <- cbind(step = seq_len(nrow(moves)), moves)
  moves$added <- names_by_row(answer$moves$added)
  moves$removed <- names_by_row(answer$moves$removed)
  structure(
    c(
      list(
        path = path,
        selected = vector_of(answer$selected, "character"),
        moves = moves,
        equal = stats::setNames(
          names_by_row(answer$equal$features),
          as.character(vector_of(answer$equal$share, "double"))
        ),
        evaluations = as.integer(answer$evaluations),
        stopped = answer$stopped,
        search = answer$search,
        criterion = answer$criterion
      ),
      facts_of(answer)
    ),
    class = "hetsel_path"
  )
}

# A list of names of features, one vector a row.
names_by_row <- function(x) {
  lapply(x, vector_of, "character")
}
