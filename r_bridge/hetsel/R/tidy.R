# The verbs of broom. Names of columns are those of its glossary where it has one.

#' Tidy tables of results
#'
#' @description With the package \pkg{generics} or \pkg{broom}: \code{tidy} makes a table of what
#' was found, \code{glance} one row of it, and \code{augment} predicts the rows of a table by a
#' signature.
#' @param x what \code{\link{hetsel_rank}}, \code{\link{hetsel_search}}, \code{\link{hetsel_select}}
#'   or \code{\link{hetsel_study}} returned.
#' @param type of a signature, what: its \code{"features"}, the \code{"frequency"} of all features
#'   in halves of the rows, the pieces of the \code{"effects"}, the \code{"performance"}, the
#'   \code{"alternatives"}, what its \code{"probabilities"} are worth, or its \code{"points"}, see
#'   \code{\link{hetsel_points}}.
#' @param data,newdata the rows to predict, in either argument: a signature does not keep the rows
#'   that chose it.
#' @param ... ignored.
#' @return A tibble where the package tibble is there, else a data frame.
#'
#' \code{tidy}: of a ranking a row for each feature, \code{term}, with \code{rank}, \code{kind},
#' \code{importance}, \code{verdict} (empty where a method makes no claim) and whether it is
#' \code{selected}; of a search a row for each size; of a signature a row for each feature, piece,
#' rate or alternative; of a study a row for each data set, method, classifier and size, with the
#' mean score as \code{estimate}, its corrected 95 \% interval and Kuncheva's index.
#'
#' \code{glance}: one row. Of a signature: \code{method}, \code{size}, \code{verdict}, \code{bcr}
#' and \code{auc} with their 95 \% intervals and \code{brier}, the Brier score, or of numbers and
#' survival times the main measure, \code{metric}, its \code{estimate} and interval; \code{p.value} of the test against chance, \code{stability}
#' (Nogueira's), \code{nobs}; what was not computed is \code{NA}.
#'
#' \code{augment}: the rows with \code{.fitted}, the predicted class, number or risk, and of classes
#' \code{.decision}, of more than two one such column for each, as \code{.decision_setosa}, and the
#' probability of each, as \code{.pred_setosa}, where the signature has probabilities. Row names that
#' are no numbers become \code{.rownames}.
#' @examples
#' if (hetsel_available() && requireNamespace("generics", quietly = TRUE)) {
#'   women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#'   generics::tidy(hetsel_rank(case ~ ., women))
#'   found <- hetsel_select(case ~ ., women, size = 2, folds = 3, repeats = 1,
#'                          permutations = 0, pairs = 5)
#'   generics::glance(found)
#'   generics::augment(found, women[1:3, ])
#' }
#' @name hetsel_tidiers
NULL

# A tibble, where that package is there.
tidy_table <- function(frame) {
  row.names(frame) <- NULL
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(frame) else frame
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::tidy
tidy.hetsel_ranking <- function(x, ...) {
  ranking <- x$ranking
  claims <- !is.null(ranking$verdict)
  tidy_table(data.frame(
    term = ranking$feature, rank = ranking$rank, kind = ranking$kind,
    importance = ranking$importance, verdict = if (claims) ranking$verdict else "",
    selected = ranking$feature %in% x$selected
  ))
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::tidy
tidy.hetsel_path <- function(x, ...) {
  table <- data.frame(
    size = x$path$size, score = x$path$score, selected = x$path$size == x$size
  )
  table$terms <- x$path$features
  tidy_table(table)
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::tidy
tidy.hetsel_signature <- function(x, type = c(
                                    "features", "frequency", "effects", "performance",
                                    "alternatives", "probabilities", "points"
                                  ), ...) {
  type <- one_word(type, "type", eval(formals()$type))
  table <- switch(type,
    probabilities = worth_of_probabilities(x$probabilities),
    points = hetsel_points(x)$values,
    x[[type]]
  )
  if (type == "frequency") {
    table$kind <- x$columns$kind[match(table$feature, x$columns$name)]
    table$selected <- table$feature %in% x$features$feature
  }
  renamed <- c(
    feature = "term", measure = "metric", rate = "estimate", effect_low = "effect.low",
    effect_high = "effect.high", alternative_frequency = "alternative.frequency"
  )
  if (type %in% c("performance", "probabilities")) {
    renamed <- c(renamed, low = "conf.low", high = "conf.high")
  }
  names <- names(table)
  found <- names %in% names(renamed)
  names[found] <- renamed[names[found]]
  tidy_table(stats::setNames(table, sub("^rows ", "rows.", names)))
}

# A row for each measure of probabilities, of a class or, without one, of all; none without them.
worth_of_probabilities <- function(one) {
  row <- function(measure, class, value) {
    data.frame(
      measure = measure, class = class, rate = value$rate %||% NA_real_,
      low = value$low %||% NA_real_, high = value$high %||% NA_real_
    )
  }
  of_all <- list(
    row("Brier score", "", one$brier), row("scaled Brier score", "", one$scaled_brier)
  )
  named <- c(
    intercept = "calibration intercept", slope = "calibration slope",
    observed_over_expected = "observed over expected"
  )
  calibration <- one$calibration
  of_classes <- lapply(names(named), function(key) {
    ends <- paste0(key, c("", "_low", "_high"))
    value <- stats::setNames(unclass(calibration)[ends], c("rate", "low", "high"))
    data.frame(measure = named[[key]], class = calibration$class, value)
  })
  table <- do.call(rbind, c(of_all, if (NROW(calibration)) of_classes))
  if (is.null(one)) table[0, ] else table
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::tidy
tidy.hetsel_study <- function(x, ...) {
  means <- x$summary
  metric <- main_measure(x)
  of <- function(suffix) means[[paste0(metric, suffix)]]
  tidy_table(data.frame(
    dataset = means$dataset, method = means$method, classifier = means$classifier,
    size = means$size, metric = rep(metric, nrow(means)), estimate = means[[metric]],
    conf.low = of("_low_corrected"), conf.high = of("_high_corrected"),
    kuncheva = means$kuncheva, resamplings = means$scored
  ))
}

# The score that methods are compared by.
main_measure <- function(x) {
  intersect(c("bcr", "r2", "concordance"), names(x$summary))[1]
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::glance
glance.hetsel_ranking <- function(x, ...) {
  tidy_table(data.frame(
    method = x$method, size = x$size, features = nrow(x$ranking),
    verdict = if (is.null(x$cut)) "" else x$cut, nobs = x$rows
  ))
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::glance
glance.hetsel_path <- function(x, ...) {
  tidy_table(data.frame(
    search = x$search, criterion = x$criterion, size = x$size,
    score = x$path$score[x$path$size == x$size], evaluations = x$evaluations,
    stopped = x$stopped, nobs = x$rows
  ))
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::glance
glance.hetsel_signature <- function(x, ...) {
  rate <- function(measure, column) {
    row <- match(measure, x$performance$measure)
    x$performance[[column]][row]
  }
  known <- function(value) if (is.null(value)) NA_real_ else value
  worth <- if (kind_of_target(x) == "classes") {
    data.frame(
      bcr = rate("BCR", "rate"), bcr.conf.low = rate("BCR", "low"),
      bcr.conf.high = rate("BCR", "high"), auc = rate("AUC", "rate"),
      auc.conf.low = rate("AUC", "low"), auc.conf.high = rate("AUC", "high"),
      brier = known(x$probabilities$brier$rate)
    )
  } else { # the main measure
    one <- x$performance[1, ]
    data.frame(
      metric = one$measure, estimate = one$rate, conf.low = one$low, conf.high = one$high
    )
  }
  tidy_table(data.frame(
    method = x$method, size = x$size, rule = x$rule, verdict = x$verdict, worth,
    p.value = known(x$chance$pvalue), stability = known(x$stability$nogueira),
    nobs = x$rows
  ))
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::glance
glance.hetsel_study <- function(x, ...) {
  tidy_table(data.frame(
    name = x$name, datasets = nrow(x$datasets), methods = length(x$methods),
    resamplings = x$plan$resamplings$count, cells = x$status$cells,
    finished = x$status$finished, failed = x$status$failed, reference = x$reference,
    digest = x$digest
  ))
}

#' @rdname hetsel_tidiers
#' @exportS3Method generics::augment
augment.hetsel_signature <- function(x, data = NULL, newdata = data, ...) {
  if (is.null(newdata)) {
    refuse(
      "newdata is missing: a signature does not keep the rows that chose it",
      argument = "newdata"
    )
  }
  if (is.matrix(newdata)) {
    newdata <- as.data.frame(newdata)
  }
  fitted <- predict.hetsel_signature(x, newdata)
  decision <- if (kind_of_target(x) == "classes") {
    predict.hetsel_signature(x, newdata, type = "decision")
  }
  named <- is.data.frame(newdata) && is.character(attr(newdata, "row.names"))
  table <- as.data.frame(newdata)
  if (named && !".rownames" %in% names(table)) {
    table <- cbind(data.frame(.rownames = row.names(newdata)), table)
  }
  table$.fitted <- fitted
  if (is.matrix(decision)) {
    table[paste0(".decision_", colnames(decision))] <- as.data.frame(decision)
  } else if (!is.null(decision)) {
    table$.decision <- decision
  }
  if (!is.null(x$probabilities)) {
    shares <- predict.hetsel_signature(x, newdata, type = "prob")
    table[paste0(".pred_", colnames(shares))] <- as.data.frame(shares)
  }
  tidy_table(table)
}
