#' Search for the best subset of features
#'
#' @description Searches the subsets of the columns of a table for the one that is best by a
#' criterion, such as the cross-validated rate of nearest neighbors. Continuous and categorical
#' columns are searched together, and a factor is one feature. Without a size the search finds the
#' best size itself.
#' @param y the target: classes, numbers or survival times, as in \code{\link{hetsel_rank}}. The
#'   criterion must take it.
#' @inheritParams hetsel_rank
#' @template model
#' @template search
#' @param ... the arguments above, from the formula method; no others.
#' @details Options take columns and rows as those of \code{\link{hetsel_rank}} do.
#'
#' The scores are \emph{inner scores}: the rows that chose a subset also judged it, and
#' the search looked for the largest score, so rows outside the search do worse. To learn how well a
#' subset does
#' on such rows, run the search within a study (\code{\link{hetsel_study}}) or hold rows out first.
#'
#' The order of rows and columns, the names and the units of the columns change nothing. Ctrl-C ends
#' a search; with an \code{archive} nothing that was evaluated is lost, and Python can go on from it
#' too.
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
#' \item{columns, cautions, call, target, options, changed, seed, draws, missing, scale, rows,
#'   classes, version}{as in \code{\link{hetsel_rank}}.}
#' \item{search, criterion, method, title, paper}{facts about the call; \code{method} is the key
#'   where \code{\link{hetsel_rank}} was called, else empty.} There are methods for \code{print},
#'   \code{summary}, \code{\link[=plot.hetsel_path]{plot}}, \code{head} and \code{as.data.frame}.
#' @references Somol, P., Grim, J., Novovicova, J. and Pudil, P. (2011) Improving feature selection
#' process resistance to failures caused by curse-of-dimensionality effects. \emph{Kybernetika} 47,
#' 401--425.
#' @seealso \code{\link{hetsel_rank}}, \code{\link{hetsel_methods}}
#' @examplesIf hetsel_available()
#' # infertility after abortion: a matched case-control study, in R's datasets
#' women <- infert[c("age", "parity", "education", "spontaneous", "induced", "case")]
#' # the women of one stratum are held out together; of nearly equal subsets the smallest one
#' path <- hetsel_search(case ~ ., women, ties = 0.01, row_groups = infert$stratum)
#' print(path)
#' path$selected
#' plot(path)
#'
#' # counts that come together or not at all
#' hetsel_search(women[1:5], women$case == 1, search = "dos", criterion = "naive-bayes",
#'               column_groups = list(c("spontaneous", "induced")))
#' @eval model_methods("hetsel_search")
#' @export
hetsel_search <- function(x, ...) UseMethod("hetsel_search")

#' @rdname hetsel_search
#' @export
hetsel_search.default <- asking("search", function(x, y) {
  refuse_further("hetsel_search", ...)
  data <- data_in(environment())
  of_table <- c("missing", "scale")
  asked <- checked_in("search", environment())
  answer <- ask_table(
    "search", c(data, asked[of_table]),
    size = number_or_null(size, "size"),
    seed = seed_of(seed),
    options = c(
      asked[setdiff(names(asked), of_table)],
      rules_in(environment(), names(data$columns)),
      archive = if (!is.null(archive)) enc2utf8(path.expand(word_or_null(archive, "archive")))
    )
  )
  class(answer) <- "hetsel_path"
  recorded(as_written(answer, data), match.call(), substitute(y))
})

refuse_further <- function(owner, ...) {
  given <- ...names()
  named <- given[nzchar(given) & !is.na(given)]
  what <- if (length(named)) paste("option", named[1]) else "option without a name"
  refuse_if(...length(), owner, " has no ", what, fix = paste0("see ?", owner))
}

number_or_null <- function(value, name) if (!is.null(value)) checks$number(value, name)

word_or_null <- function(value, name) if (!is.null(value)) checks$word(value, name)

some_of <- function(values, name, fits) {
  kind <- if (identical(fits, is.numeric)) "numbers" else "words"
  refuse_if(!length(values) || !fits(values) || anyNA(values),
    name, " must be one or more ", kind, got(values), argument = name
  )
  values
}

# What each named feature costs; without names there is one number a column.
costs_by_name <- function(costs, names) {
  some_of(costs, "costs", is.numeric)
  if (is.null(names(costs))) {
    refuse_if(length(costs) != length(names),
      "costs must be named, or ", length(names), " numbers, one for each column. Got ",
      length(costs), argument = "costs"
    )
    names(costs) <- names
  }
  unclear <- any(names(costs) == "") || anyDuplicated(names(costs))
  refuse_if(unclear, "costs must name each of its columns once", argument = "costs")
  as.list(stats::setNames(as.double(costs), enc2utf8(names(costs))))
}

groups_by_name <- function(groups, names) {
  refuse_if(!is.list(groups) || is.data.frame(groups),
    "column_groups must be a list of vectors, the columns of one group each",
    argument = "column_groups"
  )
  lapply(unname(groups), function(group) names_in(unlist(group), names, "column_groups"))
}
