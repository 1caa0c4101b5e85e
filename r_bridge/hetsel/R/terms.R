# Functions with a meaning in the formula of a model only.
OF_MODELS <- list(
  strata = c("strata", "strat"),
  offset = "offset",
  frailty = c("frailty", "frailty.gamma", "frailty.gaussian", "frailty.t"),
  time = "tt",
  smooth = c("s", "te", "ti", "t2", "lo", "pspline", "ridge", "fp"),
  error = "Error",
  bayesian = c("mo", "me", "mi", "mm", "gp", "cs")
)

# Variables on the right by feature name, symbols or calls such as log(dose), without cluster().
features_of <- function(formula, data) {
  if (identical(formula[[3]], quote(.))) { # spares the p x p matrix of terms
    names <- setdiff(names(data), variables_in(formula[[2]]))
    return(list(variables = stats::setNames(lapply(names, as.name), names)))
  }
  terms <- terms_of(formula, data)
  factors <- attr(terms, "factors") # of one variable each
  place <- (which(factors > 0) - 1) %% nrow(factors) + 1
  variables <- as.list(attr(terms, "variables"))[-1][place]
  names(variables) <- vapply(variables, function(part) {
    if (is.name(part)) as.character(part) else deparse1(part)
  }, "")
  clusters <- vapply(variables, function(part) {
    is.call(part) && identical(bare_name(part), quote(cluster))
  }, NA)
  for (part in variables[!clusters]) {
    refuse_term(part, environment(formula))
  }
  refuse_if(all(clusters), "the formula must name features, such as y ~ .", argument = "formula")
  list(variables = variables[!clusters], cluster = cluster_of(variables[clusters]))
}

# The terms of a formula without interactions and offsets.
terms_of <- function(formula, data) {
  features <- formula[[3]]
  refuse_if(is.call(features) && identical(features[[1]], quote(`|`)),
    "the formula must not contain groups after |", fix = "Use row_groups, or remove them",
    argument = "formula"
  )
  terms <- suppressWarnings(stats::terms(formula, data = data)) # of an unknown name, as in . - agee
  named <- Filter(is.name, as.list(attr(terms, "variables"))[-1])
  others <- setdiff(vapply(named, as.character, ""), names(data))
  found <- lapply(others, get0, environment(formula))
  refuse_unknown(others[vapply(found, function(x) is.null(x) || is.function(x), NA)], data)
  labels <- attr(terms, "term.labels")
  refuse_if(!is.null(attr(terms, "offset")),
    "the formula must not contain an offset, since selection of features has none",
    fix = "Remove it, or name its column as a feature", argument = "formula"
  )
  refuse_if(any(attr(terms, "order") > 1),
    "the formula must not contain interactions. Got ", labels[attr(terms, "order") > 1][1],
    fix = "Combine two factors by interaction(), or remove the term", argument = "formula"
  )
  refuse_if(deparse1(formula[[2]]) %in% labels,
    "the target must not be among the features. Got ", deparse1(formula[[2]]), " on both sides",
    fix = "Remove it from the right side of the formula", argument = "y"
  )
  terms
}

# Refuse a part of a model, such as strata(sex), s(age) or (1 | ward); not the user's own function.
refuse_term <- function(part, where) {
  while (is.call(part) && identical(part[[1]], quote(`(`))) {
    part <- part[[2]]
  }
  refuse_if(is.call(part) && deparse1(part[[1]]) %in% c("|", "||"),
    "the formula must not contain random effects. Got (", deparse1(part), ")",
    fix = paste0("Name the column, or write I(", deparse1(part), ") for a condition"),
    argument = "formula"
  )
  name <- if (is.call(part)) bare_name(part)
  name <- if (is.name(name)) as.character(name) else ""
  what <- names(OF_MODELS)[vapply(OF_MODELS, function(names) name %in% names, NA)]
  found <- if (length(what) && is.name(part[[1]])) get0(name, where, mode = "function")
  own <- is.function(found) && !is.primitive(found) && !isNamespace(environment(found))
  fix <- "Name the column as a feature"
  if (identical(what, "strata")) fix <- paste0(fix, ", or take the rows of one stratum by subset")
  refuse_if(length(what) && !own,
    "the formula must not contain ", deparse1(part), ", since ", name, "() is a term of a model ",
    "and not a column", fix = fix, argument = "formula"
  )
}

cluster_of <- function(calls) {
  one <- length(calls) == 1 && length(calls[[1]]) == 2
  refuse_if(length(calls) && !one,
    "cluster() must name one column with the row groups. Got ",
    paste(vapply(calls, deparse1, ""), collapse = " and "), argument = "formula"
  )
  if (one) calls[[1]][[2]]
}

# Evaluate a term in each row of data. A name that refers to a function is not a column.
evaluate_term <- function(part, data, where, what = "term") {
  others <- setdiff(variables_in(part), names(data))
  of_functions <- Filter(function(name) is.function(get0(name, where)), others)
  value <- tryCatch(
    eval(part, data, where),
    error = function(e) { # with(list(k = 2), x^k) has a k that is none of these
      refuse_unknown(Filter(function(name) !exists(name, where), others), data)
      refuse_unknown(of_functions, data)
      refuse(
        "the ", what, " ", deparse1(part), " of the formula cannot be computed: ",
        conditionMessage(e), argument = "formula",
        fix = if (is.call(part) && identical(bare_name(part), quote(Surv))) {
          "Pass the times as numbers and the event as a condition: Surv(time, status == \"dead\")"
        } else {
          ""
        }
      )
    }
  )
  if (is.function(value)) refuse_unknown(of_functions, data)
  refuse_if(NROW(value) != nrow(data),
    "the ", what, " ", deparse1(part), " of the formula must have ", counted(nrow(data), "row"),
    ", like data. Got ", NROW(value), argument = "formula"
  )
  value
}

# Replace positions and masks, which refer to the columns of data, by names.
by_columns_of_data <- function(more, columns, features) {
  named <- function(given, option) {
    if (!is.numeric(given) && !is.logical(given)) {
      return(given)
    }
    chosen <- unlist(names_in(given, columns, option))
    if (is.logical(given)) {
      return(intersect(chosen, features))
    }
    none <- setdiff(chosen, features)[1]
    refuse_if(!is.na(none),
      option, " must name features of the formula. Got column '", none, "' of data",
      argument = option
    )
    chosen
  }
  for (option in intersect(c("nominal", "ordinal", "continuous", "always", "never"), names(more))) {
    more[[option]] <- named(more[[option]], option)
  }
  if (is.list(more$column_groups)) {
    more$column_groups <- lapply(more$column_groups, named, "column_groups")
  }
  of_data <- length(more$costs) == length(columns) # else one cost per feature
  if (of_data && is.null(names(more$costs))) {
    more$costs <- unlist(costs_by_name(more$costs, columns))[features]
  }
  more
}
