#' Tidy Tables of Results
#'
#' @description Methods for the generics of \pkg{generics} and \pkg{broom}: \code{tidy} returns a
#' result as a table, \code{glance} one row of summary values, and \code{augment} the predictions of
#' a signature for the rows of a table.
#' @param x Result of \code{\link{hetsel_rank}}, \code{\link{hetsel_search}},
#'   \code{\link{hetsel_select}} or \code{\link{hetsel_study}}.
#' @param type For a signature, the table to return: its \code{"features"}, the selection
#'   \code{"frequency"} of all features, the pieces of the \code{"effects"}, the
#'   \code{"performance"}, the alternative features (\code{"alternatives"}), the performance of its
#'   \code{"probabilities"}, or its \code{"points"}, see \code{\link{hetsel_points}}.
#' @param data,newdata The rows to predict, in either argument; a signature does not keep its
#'   training rows.
#' @param ... Ignored.
#' @return A tibble if the package tibble is installed, else a data frame.
#'
#' \code{tidy}: for a ranking one row per feature, \code{term}, with \code{rank}, \code{kind},
#' \code{importance}, \code{verdict} (empty where a method proves nothing) and \code{selected}; for
#' a search one row per size; for a signature one row per feature, piece, measure or alternative
#' feature; for a study one row per data set, method, classifier and size, with the mean score as
#' \code{estimate}, its corrected 95\% CI and Kuncheva's index.
#'
#' \code{glance}: one row. For a signature \code{method}, \code{size} and \code{verdict}; for
#' classes \code{bcr} (balanced accuracy) and \code{auc} with their 95\% CIs and the Brier score,
#' \code{brier}; for numeric targets and survival times the main measure, \code{metric}, with its
#' \code{estimate} and 95\% CI; \code{p.value} of the permutation test, \code{stability}
#' (Nogueira's) and \code{nobs}. Values that were not computed are \code{NA}.
#'
#' \code{augment}: the rows with \code{.fitted}, the predicted class, number or risk score. For
#' classes also \code{.decision}, the decision value, for more than two classes one column per
#' class, such as \code{.decision_setosa}. If the signature has probabilities, one column per class,
#' such as \code{.pred_setosa}. Row names that are not numbers become \code{.rownames}.
#' @seealso \code{\link{hetsel_autoplot}}
#' @examplesIf hetsel_available() && requireNamespace("generics", quietly = TRUE)
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' generics::tidy(hetsel_rank(case ~ ., women))
#' signature <- hetsel_select(case ~ ., women, size = 2, folds = 3, repeats = 1,
#'                            permutations = 0, pairs = 5)
#' generics::glance(signature)
#' generics::augment(signature, women[1:3, ])
#' @eval methods_of(
#'   `generics::tidy` = every_class, `generics::glance` = every_class,
#'   `generics::augment` = "hetsel_signature"
#' )
#' @name hetsel_tidiers
NULL

# A tibble, if that package is installed.
tidy_table <- function(frame) {
  row.names(frame) <- NULL
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(frame) else frame
}

# A tidy table with the column names of broom's glossary, where it has one.
in_broom <- function(frame, intervals = FALSE) {
  renamed <- c(
    feature = "term", measure = "metric", effect_low = "effect.low",
    effect_high = "effect.high", alternative_frequency = "alternative.frequency",
    if (intervals) c(low = "conf.low", high = "conf.high")
  )
  known <- names(frame) %in% names(renamed)
  names(frame)[known] <- renamed[names(frame)[known]]
  names(frame) <- sub("^rows ", "rows.", names(frame))
  tidy_table(frame)
}

tidy.hetsel_ranking <- function(x, ...) {
  table <- x$ranking[c("feature", "rank", "kind", "importance")]
  table$verdict <- x$ranking$verdict %||% ""
  table$selected <- table$feature %in% x$selected
  in_broom(table)
}

tidy.hetsel_path <- function(x, ...) {
  table <- data.frame(x$path[c("size", "score")], selected = x$path$size == x$size)
  table$terms <- x$path$features
  tidy_table(table)
}

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
  in_broom(table, intervals = type %in% c("performance", "probabilities"))
}

# A row for each measure of the probabilities, by class or overall; no rows without probabilities.
worth_of_probabilities <- function(one) {
  row <- function(measure, class, value, ends = c("estimate", "low", "high")) {
    value <- lapply(ends, function(end) value[[end]] %||% NA_real_)
    value <- stats::setNames(value, c("estimate", "low", "high"))
    data.frame(measure = measure, class = class, value)
  }
  named <- c(
    intercept = "calibration intercept", slope = "calibration slope",
    observed_expected_ratio = "observed/expected ratio"
  )
  calibration <- one$calibration
  of_classes <- lapply(if (NROW(calibration)) names(named), function(key) {
    row(named[[key]], calibration$class, calibration, paste0(key, c("", "_low", "_high")))
  })
  table <- do.call(rbind, c(
    list(row("Brier score", "", one$brier), row("scaled Brier score", "", one$scaled_brier)),
    of_classes
  ))
  if (is.null(one)) table[0, ] else table
}

tidy.hetsel_study <- function(x, ...) {
  means <- x$summary
  metric <- main_measure(x)
  table <- means[c("dataset", "method", "classifier", "size")]
  table$metric <- rep(metric, nrow(means))
  ends <- c(rate = "", low = "_low_corrected", high = "_high_corrected")
  table[names(ends)] <- means[paste0(metric, ends)]
  in_broom(cbind(table, means["kuncheva"], resamplings = means$scored), intervals = TRUE)
}

main_measure <- function(x) intersect(c("bcr", "r2", "concordance"), names(x$summary))[1]

glance.hetsel_ranking <- function(x, ...) {
  tidy_table(data.frame(
    method = x$method, size = x$size, features = nrow(x$ranking), verdict = x$cut %||% "",
    nobs = x$rows
  ))
}

glance.hetsel_path <- function(x, ...) {
  tidy_table(data.frame(
    x[c("search", "criterion", "size")], score = x$path$score[x$path$size == x$size],
    x[c("evaluations", "stopped")], nobs = x$rows
  ))
}

glance.hetsel_signature <- function(x, ...) {
  of <- function(measure) {
    x$performance[match(measure, x$performance$measure), c("estimate", "low", "high")]
  }
  worth <- if (kind_of_target(x) == "classes") {
    names <- c("", ".conf.low", ".conf.high")
    data.frame(
      stats::setNames(of("BCR"), paste0("bcr", names)),
      stats::setNames(of("AUC"), paste0("auc", names)),
      brier = x$probabilities$brier$estimate %||% NA_real_
    )
  } else { # the main measure
    x$performance[1, c("measure", "estimate", "low", "high")]
  }
  in_broom(data.frame(
    x[c("method", "size", "rule", "verdict")], worth,
    p.value = x$permutation_test$pvalue %||% NA_real_,
    stability = x$stability$nogueira %||% NA_real_,
    nobs = x$rows
  ), intervals = TRUE)
}

glance.hetsel_study <- function(x, ...) {
  tidy_table(data.frame(
    name = x$name, datasets = nrow(x$datasets), methods = length(x$methods),
    resamplings = x$plan$resamplings$count, x$status[c("cells", "finished", "failed")],
    x[c("reference", "digest")]
  ))
}

augment.hetsel_signature <- function(x, data = NULL, newdata = data, ...) {
  refuse_if(is.null(newdata),
    "newdata is missing, and a signature does not keep its training rows",
    fix = "Pass the rows to predict as newdata", argument = "newdata"
  )
  newdata <- if (is.matrix(newdata)) as.data.frame(newdata) else newdata
  fitted <- predict.hetsel_signature(x, newdata)
  table <- as.data.frame(newdata)
  if (is.character(attr(newdata, "row.names")) && !".rownames" %in% names(table)) {
    table <- cbind(data.frame(.rownames = row.names(newdata)), table)
  }
  table$.fitted <- fitted
  more <- c(
    .decision = if (kind_of_target(x) == "classes") "decision",
    .pred = if (!is.null(x$probabilities)) "prob"
  )
  for (name in names(more)) {
    values <- predict.hetsel_signature(x, newdata, type = more[[name]])
    columns <- if (is.matrix(values)) paste0(name, "_", colnames(values)) else name
    table[columns] <- as.data.frame(values)
  }
  tidy_table(table)
}
