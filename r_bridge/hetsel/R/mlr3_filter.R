#' Filters for mlr3
#'
#' @description If the package \pkg{mlr3filters} is loaded together with hetsel, its dictionary has
#' a filter for each method, such as \code{flt("hetsel.rfe_mkl")}: the key of the method with
#' underscores, see \code{\link{hetsel_methods}}. A factor has one score.
#' @details The parameters are those of the method, and \code{missing}, \code{scale}, \code{seed}
#' and \code{always} of \code{\link{hetsel_rank}}. Missing values are accepted and, by default,
#' imputed by the median or the most frequent level.
#'
#' The score is the importance. Importances of an elimination are not comparable across steps, so
#' its scores decrease in equal steps from 1, the best feature, to 0. A search over subsets has no
#' ranking: the features of the best subset have score 1 and the others 0. Its size is \code{nfeat}
#' if that is smaller than the number of features; otherwise the search chooses the size.
#'
#' The feature types of a filter are those that its method accepts for any target. Some methods
#' accept fewer types for classes than for numeric targets, such as the F-test. Their filters fail
#' at calculation for a classification task with other types.
#'
#' Filters accept right-censored survival tasks of the package \pkg{mlr3proba} if their method
#' accepts survival times and mlr3proba is loaded before the filter is created.
#' @return \code{flt} returns an object of class \code{FilterHetsel}.
#' @seealso \code{\link{hetsel_rank}}, \code{\link{score_hetsel}}
#' @examplesIf hetsel_available() && requireNamespace("mlr3filters", quietly = TRUE)
#' filter <- mlr3filters::flt("hetsel.rfe_mkl", C = 1)
#' filter$calculate(mlr3::tsk("german_credit")$select(c("age", "amount", "purpose")))
#' filter$scores
#' @name hetsel_mlr3
#' @aliases FilterHetsel
NULL

utils::globalVariables(c("self", "private", "super")) # of R6

# The catalogue of methods without Python; a test compares the file with hetsel_methods().
catalogue_file <- function() {
  utils::read.csv(
    system.file("catalogue.csv", package = "hetsel"), colClasses = "character", na.strings = NULL
  )
}

# Fill the dictionary of mlr3filters, now or when that package is loaded.
register_methods <- function() {
  fill <- function(...) {
    methods <- catalogue_file()
    lapply(seq_len(nrow(methods)), function(k) {
      about <- methods[k, ]
      mlr3filters::mlr_filters$add(mlr3_key(about$key), function() filter_class()$new(about))
    })
  }
  if (isNamespaceLoaded("mlr3filters")) fill()
  setHook(packageEvent("mlr3filters", "onLoad"), fill)
}

mlr3_key <- function(key) paste0("hetsel.", gsub("-", "_", key))

# Created at first use, since mlr3filters may not be installed.
filter_class <- function() {
  if (is.null(the$filter_class)) {
    the$filter_class <- R6::R6Class("FilterHetsel",
      inherit = mlr3filters::Filter,
      public = list(
        initialize = function(about) {
          private$.key <- about$key
          super$initialize(
            id = mlr3_key(about$key), task_types = task_types_of(about),
            param_set = parameters_of(about), feature_types = feature_types_of(about),
            packages = "hetsel", label = about$title, man = "hetsel::hetsel_mlr3"
          )
        }
      ),
      private = list(
        .key = NULL,
        .get_properties = function() "missings",
        .calculate = function(task, nfeat) {
          mlr3_scores(task, nfeat, private$.key, self$param_set$values)
        }
      )
    )
  }
  the$filter_class
}

task_types_of <- function(about) {
  types <- c(classes = "classif", numbers = "regr", survival = "surv")[items_of(about$targets)]
  # survival tasks are known where mlr3proba is loaded
  known <- c("classif", "regr", intersect("surv", mlr3::mlr_reflections$task_types$type))
  unname(types[types %in% known])
}

# Feature types for any task, since a filter is created before it sees one.
feature_types_of <- function(about) {
  types <- list(
    continuous = c("integer", "numeric", "POSIXct", "Date"), ordinal = "ordered",
    nominal = c("logical", "character", "factor")
  )
  unlist(types[names(types) %in% kinds_taken(about)], use.names = FALSE)
}

# The kinds of columns that a method takes for any of its targets.
kinds_taken <- function(about) {
  items_of(c(if ("classes" %in% items_of(about$targets)) about$takes, about$takes_otherwise))
}

items_of <- function(cells) unlist(strsplit(cells, ", ", fixed = TRUE))

# Parameters of methods are untyped, since Python checks their values.
parameters_of <- function(about) {
  options <- strsplit(about$options, " ", fixed = TRUE)[[1]]
  untyped <- lapply(stats::setNames(nm = c(options, "always")), function(name) {
    paradox::p_uty(tags = "train")
  })
  typed <- list(
    missing = paradox::p_fct(c("impute", "separate", "error"), tags = "train"),
    scale = paradox::p_fct(c("range", "quantile", "robust"), tags = "train"),
    seed = paradox::p_int(lower = 0L, tags = "train")
  )
  do.call(paradox::ps, c(untyped, typed))
}

mlr3_scores <- function(task, nfeat, key, options) {
  features <- task$feature_names
  filter_scores(do.call(hetsel_rank.default, c(
    list(as.data.frame(task$data(cols = features)), task$truth(), method = key), options,
    if (task$task_type == "regr") list(target_kind = "numbers"),
    if (nfeat < length(features)) list(size = nfeat)
  )))
}

# Scores by feature, larger is better; in equal steps where importances do not compare.
filter_scores <- function(found) {
  if (inherits(found, "hetsel_path")) {
    features <- found$columns$name
    return(stats::setNames(as.double(features %in% found$selected), features))
  }
  scores <- found$ranking$importance
  if (nrow(found$trace) || anyNA(scores) || is.unsorted(-scores)) {
    scores <- seq(1, 0, length.out = length(scores))
  }
  stats::setNames(scores, found$ranking$feature)
}
