# Methods of base R for results. There is no method for length(): str(), all.equal() and mapply()
# use it to count the elements of a list.

result_classes <- c("hetsel_ranking", "hetsel_path", "hetsel_signature")
every_class <- c(result_classes, "hetsel_study")
drawn_classes <- c(every_class, "hetsel_validation", "hetsel_row_plan")

# The roxygen2 tags of the methods on a manual page: generics with their classes.
methods_of <- function(...) {
  generics <- rep(names(list(...)), lengths(list(...)))
  classes <- c(...)
  bare <- sub("^.*:", "", generics)
  methods <- paste0(bare, ".", classes)
  usage <- Map(function(method, generic, class) {
    given <- paste(trimws(deparse(args(get(method)))), collapse = " ")
    given <- sub("^function *(.*) NULL$", "\\1", given)
    given <- gsub(" = ", "~=~", paste0("\\method{", generic, "}{", class, "}", given))
    c(gsub("~=~", " = ", strwrap(given, 85, exdent = 2)), "")
  }, methods, bare, classes)
  directives <- paste0("S3method(", ifelse(bare == "[", "\"[\"", generics), ",", classes, ")")
  c(
    "@usage", unlist(usage), paste(c("@aliases", methods), collapse = " "),
    "@rawNamespace", sort(directives)
  )
}

#' Methods of Base R for Results
#'
#' @description \code{variable.names} returns the names of the features in a signature, \code{coef}
#' the effects of its model, \code{nobs} the number of rows, and \code{format} one line of text.
#' \code{head}, \code{tail} and \code{x[i, j]} return rows of \code{as.data.frame(x)}.
#' @param object,x Result of \code{\link{hetsel_rank}}, \code{\link{hetsel_search}},
#'   \code{\link{hetsel_select}} or \code{\link{hetsel_study}}.
#' @param size Size of the signature; \code{NULL} is the selected size. A signature has one size
#'   only.
#' @param i,j Rows and columns of \code{as.data.frame(x)}; \code{x[i]} returns elements of the list.
#' @param drop Whether a single column becomes a vector.
#' @param n Number of rows, from the first or the last.
#' @param ... Ignored; passed to the method for data frames by \code{head} and \code{tail}.
#' @details A ranking and a search have names of features but no model. \code{\link{hetsel_select}}
#' trains a model, also for a given size.
#' @return \code{variable.names}: a character vector, best first where there is a ranking.
#' \code{coef}: the data frame \code{effects}, see \code{\link{hetsel_select}}. \code{nobs}: a
#' number. \code{format}: a character string. \code{head}, \code{tail} and \code{x[i, j]}: a data
#' frame.
#' @seealso \code{\link{formula.hetsel_ranking}}, \code{\link{signatures}}
#' @examplesIf hetsel_available()
#' ranking <- hetsel_rank(case ~ ., infert[c("age", "parity", "education", "case")])
#' variable.names(ranking, size = 2)
#' ranking[1:2, c("feature", "importance")]
#' tail(ranking, 1)
#' nobs(ranking)
#' format(ranking)
#' @importFrom stats coef nobs variable.names
#' @importFrom utils head tail
#' @eval methods_of(
#'   variable.names = result_classes, coef = "hetsel_signature", nobs = result_classes,
#'   format = every_class, `[` = every_class, head = c("hetsel_signature", "hetsel_study"),
#'   tail = every_class
#' )
#' @name hetsel_verbs
NULL

variable.names.hetsel_ranking <- function(object, size = NULL, ...) {
  known <- seq_len(nrow(object$ranking))
  if (is.null(size)) object$selected else utils::head(object$ranking$feature, size_of(size, known))
}

variable.names.hetsel_path <- function(object, size = NULL, ...) {
  sizes <- object$path$size
  if (is.null(size)) object$selected else object$path$features[[match(size_of(size, sizes), sizes)]]
}

variable.names.hetsel_signature <- function(object, size = NULL, ...) {
  refuse_other_size(object, size)
  object$features$feature
}

refuse_other_size <- function(x, size) {
  refuse_if(!is.null(size) && one_of(size, "size", is.numeric) != x$size,
    "size must be ", x$size, ", the size of the signature. Got ", size,
    fix = paste0("Call hetsel_select(size = ", size, ") for another size"), argument = "size"
  )
}

size_of <- function(size, known) {
  in_order <- identical(known, seq_along(known))
  legal <- if (in_order) paste0("in 1..", length(known)) else c("one of ", toString(known))
  refuse_if(!isTRUE(one_of(size, "size", is.numeric) %in% known),
    "size must be ", paste(legal, collapse = ""), ". Got ", size, argument = "size"
  )
  size
}

coef.hetsel_signature <- function(object, ...) object$effects

nobs.hetsel_ranking <- nobs.hetsel_path <-
  nobs.hetsel_signature <- function(object, ...) object$rows

format.hetsel_ranking <- function(x, ...) {
  paste0(
    x$method, ": ", counted(nrow(x$ranking), "feature"), ", ", counted(x$rows, "row"), ", ",
    selected_in_line(x)
  )
}

format.hetsel_path <- function(x, ...) {
  paste0(
    path_title(x), ": ", counted(nrow(x$path), "size"), ", ", counted(x$rows, "row"), ", ",
    selected_in_line(x)
  )
}

selected_in_line <- function(x, of = paste0(x$size, " selected: "), features = x$selected) {
  paste0(of, shortened(list(shown(features)), 60))
}

format.hetsel_signature <- function(x, ...) {
  verdict <- if (nzchar(x$verdict)) paste0(", ", x$verdict)
  of <- paste0(
    x$method, ": signature of ", x$size, " of ", counted(nrow(x$columns), "feature"), verdict
  )
  selected_in_line(x, paste0(of, ": "), x$features$feature)
}

format.hetsel_study <- function(x, ...) {
  paste0(
    x$name, ": ", counted(length(x$methods), "method"), " on ",
    counted(nrow(x$datasets), "data set"), ", ", x$status$finished, " of ",
    counted(x$status$cells, "cell"), " finished"
  )
}

`[.hetsel_ranking` <- `[.hetsel_path` <- `[.hetsel_signature` <-
  `[.hetsel_study` <- function(x, i, j, drop = FALSE) {
    if (nargs() - (!missing(drop)) < 3) { # x[i]: of a list
      return(if (missing(i)) x else unclass(x)[i])
    }
    as.data.frame(x)[i, j, drop = drop]
  }

head.hetsel_signature <-
  head.hetsel_study <- function(x, n = 6L, ...) utils::head(as.data.frame(x), n, ...)

tail.hetsel_ranking <- tail.hetsel_path <- tail.hetsel_signature <-
  tail.hetsel_study <- function(x, n = 6L, ...) utils::tail(as.data.frame(x), n, ...)

#' @rdname predict.hetsel_signature
#' @eval methods_of(predict = c("hetsel_ranking", "hetsel_path"))
predict.hetsel_ranking <- predict.hetsel_path <- function(object, newdata,
                                                          size = object$size, ...) {
  refuse(
    "a ", if (inherits(object, "hetsel_path")) "search path" else "ranking", " has no model",
    fix = paste0(
      "Call hetsel_select(method = , size = ", size, ") for a signature that predicts, or train ",
      "your own model on variable.names(x, size = ", size, ")"
    ),
    argument = "object"
  )
}
