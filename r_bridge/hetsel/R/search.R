#' Search for the best subset of features
#'
#' @description Searches the subsets of the columns of a table for the one that is best by a
#' criterion, such as the cross-validated rate of nearest neighbors. Continuous and categorical
#' columns are searched together, and a factor is one feature. Without a size the search finds the
#' best size itself.
#' @param x a data frame or a matrix, one column per feature; or a formula.
#' @param y the target: classes, numbers or survival times, as in \code{\link{hetsel_rank}}. The
#'   criterion must take it.
#' @param formula a formula such as \code{y ~ .}, \code{y > 20 ~ . - id},
#'   \code{Surv(time, status) ~ .} or \code{y ~ age + log(dose)}; it may come first or, as in a pipe,
#'   after the data frame. Each term is one feature: interactions, offsets and other parts of
#'   models, such as \code{strata(sex)}, \code{s(age)} or \code{(1 | ward)}, are refused.
#'   \code{cluster(id)} says the groups of rows, as \code{row_groups} does.
#' @param data the data frame that a formula refers to.
#' @param subset with a formula, the rows to use: a condition, evaluated in \code{data}, or
#'   positions or names of rows.
#' @param na.action with a formula, a function such as \code{\link{na.omit}} that drops or refuses
#'   rows with missing cells; without it they are treated as \code{missing} says.
#' @param search \code{"bif"} best individual features, \code{"sfs"} and \code{"sbs"} sequential
#'   forward and backward selection, \code{"sffs"} and \code{"sbfs"} their floating forms,
#'   \code{"os"} oscillating search (of a size), \code{"dos"} dynamic oscillating search,
#'   \code{"exhaustive"}, or \code{"branch-and-bound"} (of a size, for a criterion that no feature
#'   makes smaller).
#' @param criterion what a subset is worth: \code{"5nn"} (nearest neighbors, any number of them),
#'   \code{"naive-bayes"}, \code{"svm"}, \code{"hsic"} and others; an unknown name is answered
#'   with all of them. Several are an ensemble, as in \code{c("1nn", "5nn")}.
#' @param size number of features; \code{NULL} finds the best one.
#' @param ties shares of the largest value that count as none: among such subsets the one with
#'   fewer features, or of lower cost, is chosen. Of several shares the first one decides;
#'   \code{$equal} has all.
#' @param voting how the members of an ensemble decide: by the mean of their places, equal values on
#'   the next place (\code{"order"}) or on the median of theirs (\code{"median"}), or of what a
#'   candidate falls short of the best (\code{"weighted"}); \code{"trimmed-order"} and the like leave
#'   each candidate's best and worst vote out. \code{NULL} by the mean of their values.
#' @param hybrid,prefilter the share of the candidates that reach the criterion, and the filter
#'   that chooses them; \code{NULL} and 1 let all of them, without the filter.
#' @param folds,repeats,rate of the cross-validation of the criterion; \code{rate} is of classes
#'   \code{"bcr"} (balanced classification rate), \code{"accuracy"} or \code{"auc"} (area under the
#'   ROC curve, of more classes the mean of their pairs), of numbers \code{"r2"}, of
#'   survival times \code{"concordance"}. \code{NULL} takes the criterion's own.
#' @param sample of a table with more rows, so many are looked at by a criterion whose time grows
#'   with their square: the same ones in any order of the rows, each class with its share.
#'   \code{NULL} takes the criterion's own number: 10,000 of nearest neighbors, 5,000 of machines and
#'   of Gaussian kernels. \code{"all"} takes every row.
#' @param count features (or groups) that come or go at once.
#' @param early_stopping whether \code{"sfs"} ends where no feature that comes makes the score
#'   larger, \code{"sbs"} where every feature that goes makes it smaller. The size is then where it
#'   ended.
#' @param depth how far the search strays: sizes beyond the one asked for (\code{"sffs"},
#'   \code{"sbfs"}; \code{NULL} is 0), features on a swing (\code{"os"}, \code{"dos"}; \code{NULL}
#'   is 5).
#' @param costs,budget what each feature costs, named by column (columns without a name here cost
#'   0) or one number a column; and the most that a subset may cost.
#' @param always,never columns that are always in, or never: names, positions or a logical mask.
#' @param column_groups a list of vectors: the columns of each come and go together.
#' @param row_groups one label per row, or a column of the table by its
#'   name or as \code{~ id}, which then is no feature (beside a formula, unless it names it):
#'   rows of one label (one patient, say) are held out together;
#'   or \code{"copies"}, the groups of equal and nearly equal rows.
#' @param max_seconds,max_evaluations end the search before its time, with what it has.
#' @param archive a file that keeps every evaluation: after a crash or an interrupt the same call
#'   goes on where it was.
#' @param missing,nominal,ordinal,continuous missing cells and kinds of columns, as in
#'   \code{\link{hetsel_rank}}.
#' @param seed seed of the folds, a whole number; the same call gives the same answer.
#'   \code{set.seed()} has no part in it: R's generator is neither read nor moved.
#' @param ... the arguments above, from the formula method; no others.
#' @param scale what continuous columns are measured by, as in \code{\link{hetsel_rank}}.
#' @details The scores are \emph{inner scores}: the rows that chose a subset also judged it, and
#' the search looked for the largest score, so rows outside the search do worse. To learn how well a
#' subset does
#' on such rows, run the search within a study (\code{\link{hetsel_study}}) or hold rows out first.
#'
#' The order of rows and columns, the names and the units of the columns change nothing.
#'
#' Ctrl-C ends a search; with an \code{archive} nothing that was evaluated is lost, and Python can
#' go on from it too.
#' @return A list of class \code{hetsel_path} with
#' \item{path}{data frame by size: \code{size}, \code{score} (the inner score) and the list
#'   \code{features}, the names in the best subset of that size.}
#' \item{selected}{names of the features in the subset that was chosen, in the order of the table.}
#' \item{size}{their number.}
#' \item{moves}{data frame of the course of the search: \code{step}, \code{size} and \code{score}
#'   after the move, and the lists \code{added} and \code{removed}.}
#' \item{equal}{for each share of \code{ties}, by its name, the features of the subset chosen among
#'   those that are treated as equal.}
#' \item{evaluations}{number of subsets evaluated.}
#' \item{stopped}{what ended the search before its time, \code{"seconds"} or \code{"evaluations"};
#'   else empty.}
#' \item{sampled}{how many rows the sample had at which the criterion looked; 0 where it looked at
#'   all of them.}
#' \item{columns, cautions}{data frame of the columns, and sentences on those that may mislead, as
#'   in \code{\link{hetsel_rank}}.}
#' \item{call, target, options, changed, seed, draws, missing, scale, rows, classes, version}{as in
#'   \code{\link{hetsel_rank}}.}
#' \item{search, criterion, method, title, paper}{facts about the call; \code{method} is the key
#'   where \code{\link{hetsel_rank}} was called, else empty.}
#' There are methods for \code{print}, \code{summary}, \code{\link[=plot.hetsel_path]{plot}},
#' \code{head} and \code{as.data.frame}.
#' @references Somol, P., Grim, J., Novovicova, J. and Pudil, P. (2011) Improving feature selection
#' process resistance to failures caused by curse-of-dimensionality effects. \emph{Kybernetika} 47,
#' 401--425.
#' @seealso \code{\link{hetsel_rank}}, \code{\link{hetsel_methods}}
#' @examples
#' # infertility after abortion: a matched case-control study, in R's datasets
#' women <- infert[c("age", "parity", "education", "spontaneous", "induced", "case")]
#'
#' if (hetsel_available()) {
#'   # the women of one stratum are held out together; of nearly equal subsets the smallest one
#'   path <- hetsel_search(case ~ ., women, ties = 0.01, row_groups = infert$stratum)
#'   print(path)
#'   path$selected
#'   plot(path)
#'
#'   # counts that come together or not at all
#'   hetsel_search(women[1:5], women$case == 1, search = "dos", criterion = "naive-bayes",
#'                 column_groups = list(c("spontaneous", "induced")))
#' }
#' @export
hetsel_search <- function(x, ...) {
  UseMethod("hetsel_search")
}

#' @rdname hetsel_search
#' @export
hetsel_search.default <- function(x, y, search = "sffs", criterion = "5nn", size = NULL,
                                  ties = NULL, voting = NULL, hybrid = NULL,
                                  prefilter = "mutual-information", folds = NULL, repeats = NULL,
                                  rate = NULL, count = 1, depth = NULL, costs = NULL,
                                  budget = NULL, always = NULL, never = NULL,
                                  column_groups = NULL,
                                  row_groups = NULL, max_seconds = NULL, max_evaluations = NULL,
                                  archive = NULL, missing = "impute", nominal = NULL,
                                  ordinal = NULL, continuous = NULL, seed = 0, ...,
                                  scale = "range", sample = NULL,
                                  early_stopping = FALSE) {
  refuse_further("hetsel_search", ...)
  data <- read_data(x, if (missing(y)) NULL else y, nominal, ordinal, continuous)
  data <- with_groups(data, row_groups)
  answer <- ask(
    "search",
    columns = data$columns,
    target = data$target,
    size = number_or_null(size, "size"),
    missing = one_of(missing, "missing", is.character),
    scale = one_of(scale, "scale", is.character),
    kinds = data$kinds,
    seed = seed_of(seed),
    row_groups = data$row_groups,
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
      sample = if (is.character(sample)) {
        word_or_null(sample, "sample")
      } else {
        number_or_null(sample, "sample")
      },
      count = as.double(one_of(count, "count", is.numeric)),
      early_stopping = one_of(early_stopping, "early_stopping", is.logical),
      depth = number_or_null(depth, "depth"),
      costs = costs_by_name(costs, names(data$columns)),
      budget = number_or_null(budget, "budget"),
      always = names_in(unlist(always), names(data$columns), "always"),
      never = names_in(unlist(never), names(data$columns), "never"),
      column_groups = groups_by_name(column_groups, names(data$columns)),
      max_seconds = number_or_null(max_seconds, "max_seconds"),
      max_evaluations = number_or_null(max_evaluations, "max_evaluations"),
      archive = if (!is.null(archive)) enc2utf8(path.expand(word_or_null(archive, "archive")))
    )
  )
  class(answer) <- "hetsel_path"
  recorded(as_written(answer, data), match.call(), substitute(y))
}

#' @rdname hetsel_search
#' @export
hetsel_search.formula <- formula_method("hetsel_search")

#' @rdname hetsel_search
#' @export
hetsel_search.data.frame <- data_frame_method("hetsel_search")

refuse_further <- function(owner, ...) {
  if (...length()) {
    given <- ...names()
    named <- given[nzchar(given) & !is.na(given)]
    what <- if (length(named)) paste("option", named[1]) else "option without a name"
    refuse(owner, " has no ", what, fix = paste0("see ?", owner))
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
    refuse(name, " must be one or more ", kind, got(values), argument = name)
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
      refuse(
        "costs must be named, or ", length(names), " numbers, one for each column. Got ",
        length(costs),
        argument = "costs"
      )
    }
    names(costs) <- names
  }
  if (any(names(costs) == "") || anyDuplicated(names(costs))) {
    refuse("costs must name each of its columns once", argument = "costs")
  }
  as.list(stats::setNames(as.double(costs), enc2utf8(names(costs))))
}

groups_by_name <- function(groups, names) {
  if (is.null(groups)) {
    return(NULL)
  }
  if (!is.list(groups) || is.data.frame(groups)) {
    refuse(
      "column_groups must be a list of vectors, the columns of one group each",
      argument = "column_groups"
    )
  }
  lapply(unname(groups), function(group) names_in(unlist(group), names, "column_groups"))
}
