#' Search for the Best Subset of Features
#'
#' @description Search the subsets of features of a table for the subset with the best value of a
#' criterion, such as the cross-validated balanced accuracy of nearest neighbors. Continuous and
#' categorical features are searched together, and a factor is one feature. Without a size, the
#' search also chooses the size.
#' @param y The target: classes, numbers or survival times, as in \code{\link{hetsel_rank}}. The
#'   criterion must accept this kind of target.
#' @inheritParams hetsel_rank
#' @template model
#' @template search
#' @param ... The arguments above, from the formula method; no others.
#' @details Columns and rows are specified as in \code{\link{hetsel_rank}}.
#'
#' The scores are \emph{inner scores}: they are computed on the rows that chose the subset, and the
#' search maximized them. Performance on new rows is therefore lower. To estimate performance on new
#' rows, run the search in a study (\code{\link{hetsel_study}}) or hold out rows first.
#'
#' The result does not depend on the order of rows and columns or on the names and units of the
#' columns. Ctrl-C interrupts a search. With an \code{archive}, no evaluation is lost, and the
#' search can be continued in R or in Python.
#' @return A list of class \code{hetsel_path} with the elements
#' \item{path}{data frame by size: \code{size}, \code{score} (the inner score) and the list
#'   \code{features}, the names of the features in the best subset of that size.}
#' \item{selected}{names of the features in the selected subset, in the order of the table.}
#' \item{size}{number of selected features.}
#' \item{moves}{data frame of the moves of the search: \code{step}, \code{size} and \code{score}
#'   after the move, and the lists \code{added} and \code{removed}.}
#' \item{equal}{for each value of \code{ties}, by its name, the features of the subset chosen among
#'   those that count as equal.}
#' \item{evaluations}{number of evaluated subsets.}
#' \item{stopped}{the limit that ended the search early, \code{"seconds"} or \code{"evaluations"};
#'   else empty.}
#' \item{sampled}{number of rows of the sample on which the criterion was computed; 0 where it used
#'   all rows.}
#' \item{columns, cautions, call, target, options, changed, seed, draws, missing, scale, rows,
#'   classes, version}{as in \code{\link{hetsel_rank}}.}
#' \item{search, criterion, method, title, paper}{details of the call; \code{method} is the key
#'   where \code{\link{hetsel_rank}} was called, else empty.}
#' There are methods for \code{print}, \code{summary}, \code{\link[=plot.hetsel_path]{plot}},
#' \code{head} and \code{as.data.frame}.
#' @references Somol, P., Grim, J., Novovicova, J. and Pudil, P. (2011) Improving feature selection
#' process resistance to failures caused by curse-of-dimensionality effects. \emph{Kybernetika} 47,
#' 401--425.
#' @seealso \code{\link{hetsel_rank}}, \code{\link{hetsel_select}}, \code{\link{hetsel_methods}}
#' @examplesIf hetsel_available()
#' # infertility after abortion: a matched case-control study, in R's datasets
#' women <- infert[c("age", "parity", "education", "spontaneous", "induced", "case")]
#' # hold out the women of one stratum together; select the smallest of nearly equal subsets
#' path <- hetsel_search(case ~ ., women, ties = 0.01, row_groups = infert$stratum)
#' print(path)
#' path$selected
#' plot(path)
#'
#' # two counts are selected together or not at all
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
  what <- if (length(named)) paste("argument", named[1]) else "further argument without a name"
  near <- if (length(named)) nearest_name(named[1], names(formals(sys.function(-1)))) else ""
  refuse_if(...length(), owner, " has no ", what,
    fix = trimws(paste0(near, " Its arguments are in ?", owner))
  )
}

number_or_null <- function(value, name) if (!is.null(value)) checks$number(value, name)

word_or_null <- function(value, name) if (!is.null(value)) checks$word(value, name)

some_of <- function(values, name, fits) {
  kind <- if (identical(fits, is.numeric)) "numbers" else "character strings"
  refuse_if(!length(values) || !fits(values) || anyNA(values),
    name, " must be one or more ", kind, got(values), argument = name
  )
  values
}

# Costs by feature name; without names there is one number per column.
costs_by_name <- function(costs, names) {
  some_of(costs, "costs", is.numeric)
  if (is.null(names(costs))) {
    refuse_if(length(costs) != length(names),
      "costs must be named, or have ", counted(length(names), "number"), ", one per feature. Got ",
      length(costs), argument = "costs"
    )
    names(costs) <- names
  }
  unclear <- any(names(costs) == "") || anyDuplicated(names(costs))
  refuse_if(unclear, "costs must name every column at most once, without empty names",
    argument = "costs"
  )
  as.list(stats::setNames(as.double(costs), enc2utf8(names(costs))))
}

groups_by_name <- function(groups, names) {
  refuse_if(!is.list(groups) || is.data.frame(groups),
    "column_groups must be a list of vectors, each with the columns of one group",
    argument = "column_groups"
  )
  lapply(unname(groups), function(group) names_in(unlist(group), names, "column_groups"))
}
