#' Merge the stores of parts of a study
#'
#' @description Merges the stores that \code{\link{hetsel_study}} with \code{part} has written, on
#' one machine or on several, into one. The merged store has the digest of a single run of the
#' whole plan, whatever the order of the stores. What is still missing is said, and
#' \code{hetsel_study(plan, into)} computes it.
#' @template merge
#' @details The resamplings of each table are dealt to the parts like cards, with all methods, so
#' that parts take about the same time and need not know of each other. With more parts than
#' resamplings single cells are dealt. Failed cells are merged, too, unless another store has their
#' result.
#'
#' Refused, and nothing is written: a store on which a run still works; stores of other plans, data
#' or versions of hetsel; a cell that is another in two of them; a store that is damaged or given
#' twice.
#' @return A list of class \code{hetsel_study}, see \code{\link{hetsel_study}}; its entry
#'   \code{given} is empty, as a store has no tables: \code{hetsel_study(plan, into, data = data)},
#'   which computes nothing then, has them.
#' @seealso \code{\link{hetsel_study}}
#' @examplesIf hetsel_available()
#' \donttest{
#' plan <- list(datasets = "heart", methods = c("rfe-svm", "variance"), resamplings = 4)
#' stores <- c(tempfile(fileext = ".sqlite"), tempfile(fileext = ".sqlite"))
#' for (i in 1:2) hetsel_study(plan, stores[i], part = c(i, 2)) # each on a machine of its own
#' study <- hetsel_merge(stores, tempfile(fileext = ".sqlite"))
#' study$status$missing
#' }
#' @export
hetsel_merge <- asking("merge", function() {
  refuse_if(!is.character(stores) || !length(stores) || anyNA(stores),
    "stores must be paths of files", got(stores), argument = "stores"
  )
  answer <- ask("merge_stores",
    stores = vapply(stores, file_name, "", "stores", USE.NAMES = FALSE),
    into = file_name(checks$word(into, "into"), "into"),
    progress = checks$flag(progress, "progress")
  )
  with_caution(as_study(answer, list(plan = NULL, data = NULL)))
})
