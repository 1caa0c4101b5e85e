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
  if (!is.na(x$groups)) cat(x$groups, "groups of rows, which are held out together\n")
  cat("\n")
  print_lines(x$sentences)
  cat("\nSignature:\n")
  print_signature(x, digits)
  print_part("Performance on new rows", for_eyes(x$performance, digits))
  if (!is.null(x$probabilities)) print_probabilities(x$probabilities, digits)
  sizes <- for_eyes(x$sizes, digits)
  sizes$chosen <- ifelse(x$sizes$size == x$size, "*", "")
  sizes$nested <- tabulate(match(x$nested, x$sizes$size), nrow(x$sizes))
  print_part("Sizes by inner score; nested: how often it was chosen within", sizes)
  print_part("As good with one feature replaced", for_eyes(x$alternatives, 2))
  print_part(paste("Effects on the", scale_of(x)), pieces_for_eyes(x, digits))
  print_columns(x)
  invisible(x)
}

scale_of <- function(x) {
  on <- c(classes = "decision value", numbers = "number", survival = "risk")
  on[[kind_of_target(x)]]
}

as.data.frame.hetsel_signature <- function(x, ...) x$features

#' Predict new rows by a signature
#'
#' @description Classes, probabilities or decision values of rows, their numbers, or their risks, by
#' the model of what \code{\link{hetsel_select}} returned, in the same session or a later one.
#' @param object a signature.
#' @param newdata a data frame or a matrix that has the columns of the signature or of the machine,
#'   by name; others are not looked at. What a formula computed, such as \code{log(dose)}, is
#'   computed anew from the columns that it names, as models of R do it, unless it is a column
#'   itself.
#' @param type what to predict: \code{"class"} (the default of classes), \code{"decision"} or
#'   \code{"prob"}; of a target of numbers \code{"number"}, of survival times \code{"risk"};
#'   \code{"response"} of classes and numbers.
#' @param size \code{NULL}, or the size of the signature: it has one model. A ranking or a search
#'   has none.
#' @param ... ignored.
#' @details Missing cells are treated as \code{\link{hetsel_select}} was told: filled with what the
#' rows of the table have, or a value of their own. A level that those rows do not have is an error,
#' unless a factor had it there as a level that no row has, or \code{unseen = "separate"} was given.
#' TRUE and FALSE are the same as logical values, as text and as levels of a factor.
#'
#' A time (POSIXct) is counted in UTC, and a Date is midnight there: midnight in another zone is not
#' the same as its Date.
#' @return \code{"class"}: the classes as the target had them: logical values, or a factor with all
#' levels of the target; of text and numbers a factor whose levels are the classes.
#' \code{"decision"}: of two classes a vector, above 0 where the positive one is predicted; of more
#' a matrix with a column for each class, the largest of which is predicted. \code{"prob"}: a matrix
#' of the probabilities, with a column for each class in the order of the levels and the row names
#' of \code{newdata}; an error where the rows were too few to learn them. The classes weigh alike in
#' \code{"class"}, whatever their shares: a rare one is predicted from a smaller probability than
#' 0.5 on. \code{"number"}: a
#' vector in the unit of the target, also that of a difftime. \code{"risk"}: a vector, larger where
#' the event is expected sooner. \code{"response"}: of numbers as \code{"number"}; of classes the
#' probabilities, of two the vector of the positive one. No rows of \code{newdata} give none.
#' @seealso \code{\link{hetsel_select}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' found <- hetsel_select(case ~ ., women[1:200, ], size = 2, folds = 3, repeats = 1,
#'                        permutations = 0, pairs = 0)
#' table(predict(found, women[201:248, ]), women$case[201:248])
#' head(predict(found, women[201:248, ], type = "decision"))
#' @importFrom stats predict
#' @export
predict.hetsel_signature <- function(object, newdata, type = NULL, size = NULL, ...) {
  legal <- switch(kind_of_target(object),
    numbers = c("number", "response"), survival = "risk",
    c("class", "decision", "prob", "response")
  )
  type <- if (is.null(type)) legal[1] else type
  refuse_if(!isTRUE(type %in% legal),
    "type must be ", paste0("\"", legal, "\"", collapse = " or "), " of this target", got(type),
    argument = "type"
  )
  response <- type == "response"
  if (response) type <- if ("prob" %in% legal) "prob" else "number"
  refuse_other_size(object, size)
  refuse_if(missing(newdata),
    "newdata is missing: a signature does not keep the rows that chose it", argument = "newdata"
  )
  refuse_if(type == "prob" && is.null(object$probabilities),
    "there are no probabilities: ",
    if (nzchar(object$reason)) object$reason else "the signature is of an earlier version",
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

# What Python predicts for the rows of new data; for no rows nothing.
predict_rows <- function(name, object, columns, rows) {
  if (rows) {
    return(ask(name, model = object$model, columns = columns))
  }
  none <- matrix(0, 0, length(object$classes), dimnames = list(NULL, names(object$classes)))
  list(class = character(), decision = if (ncol(none) > 2) none else double(), probabilities = none)
}

# Which values the target had, by which classes are predicted as they were given.
labels_of <- function(target) {
  form <- form_of(target)
  if (form %in% c("flag", "factor", "ordered")) {
    levels <- levels(target)
    list(form = form, levels = as.character(levels[!is.na(levels)]))
  }
}

# Classes as the target had them, or decision values: of two classes a vector, of more a matrix.
as_predicted <- function(answer, object, type) {
  if (type != "class") {
    return(answer$decision)
  }
  form <- object$labels$form %||% ""
  levels <- object$labels$levels %||% names(object$classes)
  of_factor <- factor(answer$class, levels, ordered = form == "ordered")
  if (form == "flag") as.logical(answer$class) else of_factor
}

# The needed columns as they cross, and those of `more` that are there and can be.
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
  listed <- paste(utils::head(needed, 20), collapse = ", ")
  refuse_if(!any(needed %in% known),
    "the signature needs the columns ", listed, ". There is no ", listed, argument = "newdata"
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
    "column names must be unique. Got '", twice[1], "' more than once", fix = "rename one",
    argument = argument
  )
}

# A difftime has a unit and a number has none, so that one cannot stand for the other.
refuse_other_unit <- function(x, name, cells) {
  before <- name %in% x$durations
  other <- !is.null(x$durations) && before != inherits(cells, "difftime")
  fix <- c("as.numeric(x, units = ) is plain", "as.difftime(x, units = ) says its unit")[before + 1]
  refuse_if(other && !all(is.na(cells)),
    "column '", name, "' was ", if (!before) "not ", "of the class difftime where the signature ",
    "was found. Got one of class ", class(cells)[1], fix = fix, argument = "newdata"
  )
}

print_signature <- function(x, digits) {
  if (all(is.na(x$features$frequency))) x$features$frequency <- NULL
  print_features(for_eyes(x$features, digits))
}

# The pieces of the effects as they are printed: where, and the effect from one end to the other.
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

# A level, or the values from which to which a piece goes.
where_of <- function(x, piece) {
  if (nzchar(piece$level)) {
    return(piece$level)
  }
  paste(unique(value_written(x, piece$feature, c(piece$low, piece$high))), collapse = " to ")
}

# Values of a feature as its column has them: levels by name, dates as dates.
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
    "figures must be NULL: those of ", of, " are in its page", got(figures), argument = "figures"
  )
  invisible(ask(name, path = file_name(one_of(path, "path", is.character), "path"), ...))
}

#' The points of a signature
#'
#' @description The final model of a signature as a table of points that a clinician adds up: for
#' each feature bands of values with whole points, what a total says of the class or the number, and
#' what rounding costs on rows that took no part.
#' @param x what \code{\link{hetsel_select}} returned.
#' @return A list with
#' \item{values}{data frame: \code{feature}, \code{value}, \code{points}, the \code{effect} that
#'   they stand for, and the \code{rows} that have it.}
#' \item{totals}{of two classes a data frame of totals from \code{low} to \code{high}, the
#'   probability of the positive class at both ends, \code{risk_low} and \code{risk_high}, by a
#'   logistic line of held-out rows, and the \code{rows} of the table that have such a total, with
#'   their \code{share} in that class.}
#' \item{cost}{data frame of \code{measure}, its value of held-out rows by the \code{model} and by
#'   \code{points}, the \code{difference} and its standard \code{error}.}
#' \item{unit, constant}{the decision value, number or risk of a total is about \code{constant +
#'   unit * total}.}
#' \item{largest, cut}{the largest total; the lowest one whose decision value is above 0, \code{NA}
#'   where there is none.}
#' @seealso \code{\link{hetsel_select}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' found <- hetsel_select(case ~ ., women, size = 2, folds = 3, repeats = 1,
#'                        permutations = 0, pairs = 0)
#' hetsel_points(found)$values
#' @export
hetsel_points <- function(x) {
  signature <- inherits(x, "hetsel_signature")
  refuse_if(!signature, "x must be what hetsel_select returned", got(x), argument = "x")
  refuse_if(is.null(x$points),
    "the signature is of an earlier version and has no points", argument = "x"
  )
  refuse_if(nzchar(x$points$reason), x$points$reason, argument = "x")
  points <- x$points[names(x$points) != "reason"]
  if (kind_of_target(x) != "classes") points$cut <- NA_integer_ # no class is predicted
  structure(points, class = "hetsel_points", on = scale_of(x))
}

#' @export
print.hetsel_points <- function(x, digits = 3, ...) {
  cat("one point: ", formatC(x$unit, digits = digits), " of the ", attr(x, "on"), sep = "")
  if (!is.na(x$cut)) cat("; the positive class is predicted from", x$cut, "points on")
  cat("\n")
  print_part("Points", for_eyes(x$values, digits))
  print_part("Totals", for_eyes(x$totals, digits))
  print_part("What the points cost", for_eyes(x$cost, digits))
  invisible(x)
}
