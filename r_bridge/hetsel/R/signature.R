#' @rdname plot.hetsel_signature
#' @eval methods_of(
#'   print = "hetsel_signature", summary = "hetsel_signature", as.data.frame = "hetsel_signature"
#' )
print.hetsel_signature <- function(x, digits = 2, ...) {
  print_lines(x$sentences)
  cat("\n")
  print_signature(x, digits)
  print_open_ends(x)
  invisible(x)
}

#' @export
print.summary.hetsel_signature <- function(x, digits = 3, ...) {
  cat(heading(x), sep = "\n")
  if (!is.na(x$groups)) cat(counted(x$groups, "row group"), ", held out together\n", sep = "")
  cat("\n")
  print_lines(x$sentences)
  cat("\nSignature:\n")
  print_signature(x, digits)
  print_part("Performance on new rows", for_eyes(x$performance, digits))
  if (!is.null(x$probabilities)) print_probabilities(x$probabilities, digits)
  sizes <- for_eyes(x$sizes, digits)
  sizes$chosen <- ifelse(x$sizes$size == x$size, "*", "")
  sizes$nested <- tabulate(match(x$nested, x$sizes$size), nrow(x$sizes))
  print_part("Inner scores by size (nested: number of outer folds that chose the size)", sizes)
  print_part("Alternative features", for_eyes(x$alternatives, 2))
  print_part(paste("Effects on the", scale_of(x)), pieces_for_eyes(x, digits))
  print_columns(x)
  invisible(x)
}

scale_of <- function(x) {
  on <- c(classes = "decision value", numbers = "predicted number", survival = "risk score")
  on[[kind_of_target(x)]]
}

as.data.frame.hetsel_signature <- function(x, ...) x$features

#' Predict New Rows by a Signature
#'
#' @description Predict classes, probabilities, decision values, numbers or risk scores of new rows
#' with the model of a signature from \code{\link{hetsel_select}}, in the same session or a later
#' one.
#' @param object A signature.
#' @param newdata A data frame or a matrix with the columns of the signature or the machine, by
#'   name; other columns are ignored. A column that the formula computed, such as \code{log(dose)},
#'   is computed from the columns that it names, as for models of R, unless \code{newdata} has a
#'   column of that name.
#' @param type What to predict. For classes \code{"class"} (the default), \code{"decision"} or
#'   \code{"prob"}; for a numeric target \code{"number"}; for survival times \code{"risk"}; for
#'   classes and numeric targets also \code{"response"}.
#' @param size \code{NULL}, or the size of the signature, which has one model only. A ranking or a
#'   search has no model.
#' @param ... Ignored.
#' @details Missing values are handled as in \code{\link{hetsel_select}}: imputed from the training
#' rows, or kept as a separate value. An unseen level is an error, unless it was an empty level of a
#' factor in the training rows, or \code{unseen = "separate"} was set. TRUE and FALSE are equal as
#' logical values, as text and as levels of a factor.
#'
#' A time (POSIXct) is counted in UTC, and a Date is midnight in UTC. Midnight in another time zone
#' is therefore not equal to its Date.
#' @return
#' \item{\code{"class"}}{the classes in the form of the target: logical values, or a factor with all
#'   levels of the target. For text and numbers, a factor whose levels are the classes. All classes
#'   have equal weight, whatever their prevalence, so a rare class is predicted at a probability
#'   below 0.5.}
#' \item{\code{"decision"}}{for two classes a vector, above 0 where the positive class is predicted.
#'   For more classes a matrix with one column per class; the class with the largest value is
#'   predicted.}
#' \item{\code{"prob"}}{a matrix of predicted probabilities, with one column per class in the order
#'   of the levels and the row names of \code{newdata}. An error where there were too few rows for a
#'   calibration map.}
#' \item{\code{"number"}}{a vector in the unit of the target, including the unit of a difftime.}
#' \item{\code{"risk"}}{a vector of risk scores; a larger one means an earlier event.}
#' \item{\code{"response"}}{for a numeric target as \code{"number"}; for classes the probabilities,
#'   of two classes the vector for the positive class.}
#' If \code{newdata} has no rows, the result is empty.
#' @seealso \code{\link{hetsel_select}}, \code{\link{hetsel_validate}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' signature <- hetsel_select(case ~ ., women[1:200, ], size = 2, folds = 3, repeats = 1,
#'                            permutations = 0, pairs = 0)
#' table(predict(signature, women[201:248, ]), women$case[201:248])
#' head(predict(signature, women[201:248, ], type = "decision"))
#' @importFrom stats predict
#' @export
predict.hetsel_signature <- function(object, newdata, type = NULL, size = NULL, ...) {
  legal <- switch(kind_of_target(object),
    numbers = c("number", "response"), survival = "risk",
    c("class", "decision", "prob", "response")
  )
  type <- if (is.null(type)) legal[1] else type
  refuse_if(!isTRUE(type %in% legal),
    "type must be ", paste0("\"", legal, "\"", collapse = " or "), " for this target", got(type),
    argument = "type"
  )
  response <- type == "response"
  if (response) type <- if ("prob" %in% legal) "prob" else "number"
  refuse_other_size(object, size)
  refuse_if(missing(newdata),
    "newdata is missing, and a signature does not keep its training rows",
    fix = "Pass the rows to predict as newdata", argument = "newdata"
  )
  refuse_if(type == "prob" && is.null(object$probabilities),
    "type must be \"class\" or \"decision\", since the signature has no probabilities. Reason: ",
    if (nzchar(object$reason)) object$reason else "it was made by an earlier version of hetsel",
    argument = "type"
  )
  columns <- columns_to_predict(object, newdata)
  answer <- predict_rows("predict_signature", object, columns, nrow(newdata))
  if (type != "prob") {
    return(as_predicted(answer, object, type))
  }
  probabilities <- answer$probabilities
  dimnames(probabilities)[1] <- list(rownames(newdata))
  two <- response && length(object$classes) == 2
  chosen <- if (two) object$positive else names(object$classes)
  probabilities[, match(chosen, colnames(probabilities)), drop = two]
}

# The predictions of Python for the rows of new data; empty for no rows.
predict_rows <- function(name, object, columns, rows) {
  if (rows) {
    return(ask(name, model = object$model, columns = columns))
  }
  none <- matrix(0, 0, length(object$classes), dimnames = list(NULL, names(object$classes)))
  list(class = character(), decision = if (ncol(none) > 2) none else double(), probabilities = none)
}

# The form and the levels of the target, in which classes are predicted.
labels_of <- function(target) {
  form <- form_of(target)
  if (form %in% c("flag", "factor", "ordered")) {
    levels <- levels(target)
    list(form = form, levels = as.character(levels[!is.na(levels)]))
  }
}

# Predicted classes in the form of the target, or decision values.
as_predicted <- function(answer, object, type) {
  if (type != "class") {
    return(answer$decision)
  }
  form <- object$labels$form %||% ""
  levels <- object$labels$levels %||% names(object$classes)
  of_factor <- factor(answer$class, levels, ordered = form == "ordered")
  if (form == "flag") as.logical(answer$class) else of_factor
}

# The needed columns, and those of `more` that exist and can be converted, for Python.
columns_to_predict <- function(x, newdata, more = character()) {
  if (is.matrix(newdata) || inherits(newdata, "Matrix")) {
    newdata <- list_as_frame(cells_by_column(newdata), nrow(newdata))
  }
  refuse_if(!is.data.frame(newdata),
    "newdata must be a data frame or a matrix", got(newdata), argument = "newdata"
  )
  names(newdata) <- enc2utf8(names(newdata))
  refuse_doubled(names(newdata), x$features$feature, "newdata")
  kinds <- stats::setNames(x$columns$kind, x$columns$name)
  known <- c(names(newdata), names(x$computed))
  needed <- x$features$feature
  listed <- function(names) {
    more <- length(names) - 20
    toString(c(utils::head(names, 20), if (more > 0) paste("and", more, "more")))
  }
  lacking <- setdiff(needed, known)
  owner <- if (inherits(x, "hetsel_machine")) "machine" else "signature"
  refuse_if(length(lacking),
    "newdata must have the columns of the ", owner, ", ", listed(needed), ". It lacks ",
    if (length(lacking) == length(needed)) "all of them" else listed(lacking),
    argument = "newdata"
  )
  crossed <- function(name) {
    cells <- newdata[[name]] %||% computed_anew(x$computed[[name]], name, newdata)
    refuse_other_unit(x, name, cells)
    column_of(cells, name, kinds[[name]])
  }
  named <- function(names, f) stats::setNames(lapply(names, f), names)
  others <- named(intersect(setdiff(more, needed), known), function(name) {
    tryCatch(crossed(name), hetsel_error = function(e) NULL)
  })
  c(named(intersect(needed, known), crossed), Filter(Negate(is.null), others))
}

refuse_doubled <- function(names, needed, argument) {
  twice <- intersect(names[duplicated(names)], needed)
  refuse_if(length(twice),
    "column names must be unique. Got '", twice[1], "' more than once", fix = "Rename one of them",
    argument = argument
  )
}

# A difftime has a unit and a number has none, so neither can replace the other.
refuse_other_unit <- function(x, name, cells) {
  before <- name %in% x$durations
  other <- !is.null(x$durations) && before != inherits(cells, "difftime")
  fix <- c("as.numeric(x, units = )", "as.difftime(x, units = )")[before + 1]
  refuse_if(other && !all(is.na(cells)),
    "column '", name, "' must ", if (!before) "not ", "have class difftime, as for ",
    "hetsel_select(). Got class ", class(cells)[1], fix = paste("Convert it by", fix),
    argument = "newdata"
  )
}

print_signature <- function(x, digits) {
  if (all(is.na(x$features$frequency))) x$features$frequency <- NULL
  print_features(for_eyes(x$features, digits))
}

# The pieces of the effects for printing: the range of values, and the effect at its ends.
pieces_for_eyes <- function(x, digits) {
  pieces <- x$effects
  flat <- pieces$effect_low == pieces$effect_high
  ends <- lapply(pieces[c("effect_low", "effect_high")], formatC, digits = digits, format = "f")
  table <- data.frame(
    feature = pieces$feature,
    class = pieces$class,
    where = vapply(seq_len(nrow(pieces)), function(k) where_of(x, pieces[k, ]), ""),
    effect = ifelse(flat, ends[[1]], paste(ends[[1]], "to", ends[[2]])),
    pieces[grep("^rows", names(pieces))],
    check.names = FALSE
  )
  if (length(x$classes) <= 2) table$class <- NULL
  table
}

# A level, or the range of values of a piece.
where_of <- function(x, piece) {
  if (nzchar(piece$level)) {
    return(piece$level)
  }
  paste(unique(value_written(x, piece$feature, c(piece$low, piece$high))), collapse = " to ")
}

# Format values of a feature: levels by name, dates as dates.
value_written <- function(x, feature, values) {
  levels <- x$levels[[feature]]
  if (!is.null(levels)) {
    return(ifelse(values %in% seq_along(levels), levels[values], format(values)))
  }
  if (feature %in% names(x$dates)) {
    zone <- x$dates[[feature]]
    return(vapply(values, day_written, "", if (!is.na(zone)) zone))
  }
  vapply(values, format, "", digits = 4)
}

signature_report <- function(x, path, figures) {
  target <- x$target %||% ""
  write_page("signature_report", "a signature", path, figures, model = x$model, target = target)
}

write_page <- function(name, of, path, figures, ...) {
  refuse_if(!is.null(figures),
    "figures must be NULL for ", of, ", whose figures are in the report", got(figures),
    argument = "figures"
  )
  invisible(ask(name, path = file_name(one_of(path, "path", is.character), "path"), ...))
}

#' Point Score of a Signature
#'
#' @description Return the model of a signature as a point score: integer points for ranges of
#' values of each feature, which a clinician adds up. The result includes the prediction for each
#' total and the loss of performance by rounding, estimated on held-out rows.
#' @param x Result of \code{\link{hetsel_select}}.
#' @return A list of class \code{hetsel_points} with the elements
#' \item{values}{data frame: \code{feature}, \code{value}, \code{points}, the \code{effect} that
#'   they approximate, and the number of \code{rows} with the value.}
#' \item{totals}{for two classes, data frame of totals from \code{low} to \code{high};
#'   \code{probability_low} and \code{probability_high}, the probability of the positive class at
#'   both ends, by logistic regression on held-out rows; the number of \code{rows} of the table
#'   with such a total, and \code{observed}, the proportion of them in the positive class.}
#' \item{cost}{data frame of \code{measure}, its estimate on held-out rows for the \code{model} and
#'   for the \code{points}, the \code{difference} and its \code{standard_error}.}
#' \item{unit, constant}{the decision value, number or risk score of a total is about \code{constant
#'   + unit * total}.}
#' \item{largest, cut}{the largest total; the smallest total with a decision value above 0,
#'   \code{NA} where there is none.}
#' @seealso \code{\link{hetsel_select}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' signature <- hetsel_select(case ~ ., women, size = 2, folds = 3, repeats = 1,
#'                            permutations = 0, pairs = 0)
#' hetsel_points(signature)$values
#' @export
hetsel_points <- function(x) {
  signature <- inherits(x, "hetsel_signature")
  refuse_if(!signature, "x must be a result of hetsel_select()", got(x), argument = "x")
  refuse_if(is.null(x$points),
    "the signature has no points, since it was made by an earlier version",
    fix = "Repeat hetsel_select()", argument = "x"
  )
  refuse_if(nzchar(x$points$reason), x$points$reason, argument = "x")
  points <- x$points[names(x$points) != "reason"]
  if (kind_of_target(x) != "classes") points$cut <- NA_integer_ # no class is predicted
  structure(points, class = "hetsel_points", on = scale_of(x))
}

#' @export
print.hetsel_points <- function(x, digits = 3, ...) {
  cat("1 point = ", formatC(x$unit, digits = digits), " of the ", attr(x, "on"), sep = "")
  if (!is.na(x$cut)) cat("; positive class predicted from", counted(x$cut, "point"))
  cat("\n")
  print_part("Points", for_eyes(x$values, digits))
  print_part("Totals", for_eyes(x$totals, digits))
  print_part("Performance of model and points on held-out rows", for_eyes(x$cost, digits))
  invisible(x)
}
