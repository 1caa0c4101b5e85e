#' Compare Methods over Resamplings of Data Sets
#'
#' @description Run a comparison study: every method ranks the features of every data set on many
#' splits into training and test rows, and judges (final classifiers, regressors or survival models)
#' score the signatures of every size on the test rows. Finished cells are kept in a file, the
#' store. After a crash or Ctrl-C, the same call continues from there.
#' @template study
#' @param data Tables of your own: a named list of lists of \code{x}, a data frame or matrix of
#'   features, and \code{y}, the target, as in \code{\link{hetsel_rank}}. Each may have these
#'   entries of a data set (see below): \code{nominal}, \code{ordinal}, \code{continuous},
#'   \code{missing}, \code{scale}, \code{target_kind}, \code{treatment_of}, \code{positive} (by
#'   default the last level of a factor), and \code{row_groups}, \code{row_weights} and
#'   \code{order}, as one value per row or as a column of \code{x} by name or position.
#'   \code{row_groups = "copies"} groups equal and nearly equal rows. A table replaces the data set
#'   of its name in the plan; a table that the plan does not name comes last.
#' @details The entries of a plan are those of the TOML file:
#' \describe{
#'   \item{\code{datasets}}{names of data sets of hetsel, such as \code{"heart"}; or a list of lists
#'     with the entries below. All data sets have the same kind of target. Columns with row groups,
#'     row weights or the order of rows are no features. A treatment, such as \code{list(name = "by
#'     quantiles", treatment_of = "women", scale = "quantile")}, has the rows, target and splits of
#'     its table; its file, if it has one, must contain the same rows. It is compared with the table
#'     in \code{treatments} and left out wherever data sets are blocks.}
#'   \item{\code{methods}}{keys of methods, see \code{\link{hetsel_methods}}; or a list in which a
#'     method may be a list of \code{key}, \code{params} and \code{label}, or a function of R, see
#'     \code{\link{hetsel_method}}.}
#' }
#' and \code{resamplings}, \code{sizes}, \code{classifiers} and \code{seed}, see below.
#' \code{set.seed()} does not affect a study. On one machine, the same plan gives the same
#' \code{digest} in R, in Python and in the shell, with any number of workers, interrupted or not.
#'
#' A cell is one method on one resampling of one data set. A failed cell does not stop the study:
#' \code{failures} lists it, and there is a warning. For each method from outside hetsel, one cell
#' is computed twice, and \code{warnings} reports differences.
#' @return A list of class \code{hetsel_study} of plain lists, vectors and data frames, which can be
#' saved and read without Python. There are methods for \code{print}, \code{summary},
#' \code{\link[=plot.hetsel_study]{plot}} and \code{as.data.frame}. In the tables, \code{r2}
#' replaces \code{bcr} for numeric targets, and \code{concordance} for survival times. Scores that
#' differ by at most 0.01 are practically equivalent. The elements are
#' \item{found}{findings of the comparisons that treat all methods alike, in sentences; see
#'   \code{\link{hetsel_report}}.}
#' \item{probable}{a sentence on the pairs of methods of which one is better, or both are
#'   practically equivalent, with a probability above 0.95; empty where there are too few data.}
#' \item{ranks}{data frame of the mean rank of each \code{method} over a \code{number} of data sets,
#'   1 being best: by \code{measure} (\code{"bcr"} or the score that replaces it, and \code{"ki"},
#'   Kuncheva's index) and \code{analysis} (all sizes, each method at its own size, or all at one
#'   size), with the permutation p-value of Friedman's test and Nemenyi's
#'   \code{critical_difference}, \code{NA} where data sets lack methods. Without rows where there is
#'   no test.}
#' \item{alike}{data frame of the groups of methods that do not differ, in the same analyses.}
#' \item{status}{numbers of \code{cells}: in total, \code{finished}, \code{failed}, \code{missing};
#'   and the data frame \code{parts}, by data set and method.}
#' \item{datasets}{data frame of the data sets: \code{rows}, the number of \code{row_groups}
#'   (\code{NA} without groups), \code{continuous} and \code{categorical} features, \code{classes}
#'   (for numeric targets \code{target}, its range; for survival times the numbers of rows and
#'   events) and \code{missing_cells}, the number of missing values; \code{chosen} is the smallest
#'   size whose first score lies in the naive interval of the best size of the \code{reference}, as
#'   in Paul et al. (2015), which favors the reference.}
#' \item{reference}{\code{rfe-mkl}; if the plan does not contain it, the method with the best mean
#'   rank over all sizes, the first of several.}
#' \item{digest}{sha256 of all results, without times.}
#' \item{store, versions, plan, split, methods, classifiers, name, version}{the path of the store,
#'   the versions of the packages that computed the results, and the plan with all its defaults;
#'   \code{split} describes the sizes of the parts in words.}
#' \item{given}{the arguments \code{plan} and \code{data}, from which \code{\link{hetsel_report}}
#'   reads the tables.}
#' @template study_page
#' @references Paul, J., D'Ambrosio, R. and Dupont, P. (2015) Kernel methods for heterogeneous
#' feature selection. \emph{Neurocomputing} 169, 187--195.
#'
#' Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017) Time for a change: a tutorial for
#' comparing multiple classifiers through Bayesian analysis. \emph{Journal of Machine Learning
#' Research} 18(77), 1--36.
#' @seealso \code{\link{hetsel_report}}, \code{\link{hetsel_compare}}, \code{\link{hetsel_merge}},
#'   \code{\link{hetsel_method}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous")]
#' plan <- list(
#'   name = "women", methods = c("rfe-mkl", "hfs-nb"), resamplings = 3, sizes = 1:4, seed = 1
#' )
#' study <- hetsel_study(
#'   plan,
#'   store = tempfile(fileext = ".sqlite"),
#'   data = list(women = list(x = women, y = infert$case, ordinal = "parity"))
#' )
#' print(study)
#' head(as.data.frame(study))
#' \donttest{
#' # rows of one stratum are in the same part of every split
#' plan$resamplings <- list(count = 10, kind = "k-fold", folds = 5)
#' matched <- hetsel_study(
#'   plan,
#'   store = tempfile(fileext = ".sqlite"),
#'   data = list(women = list(x = women, y = infert$case, row_groups = infert$stratum))
#' )
#' matched$bayesian_pairs
#'
#' # a data set of hetsel, in two worker processes
#' study <- hetsel_study(
#'   list(datasets = "heart", methods = c("rfe-mkl", "rfe-svm", "hfs-nb"), resamplings = 10),
#'   store = tempfile(fileext = ".sqlite"), jobs = 2
#' )
#' plot(study)
#' hetsel_report(study, tempfile(fileext = ".html"))
#' }
#' @export
hetsel_study <- asking("study", after = 0, function(data = NULL) {
  refuse_if(!is.null(anew) && (!is.character(anew) || anyNA(anew)),
    "anew must be labels of methods", got(anew), argument = "anew"
  )
  given <- list(plan = plan_given(plan), data = data)
  if (is.numeric(jobs) && identical(as.double(jobs), 0)) caution_workspace(given$plan)
  answer <- ask("study",
    plan = plan_crossing(given$plan),
    store = if (is.null(store)) store_folder(given$plan, part) else file_name(store, "store"),
    jobs = number_or_null(jobs, "jobs"), tables = tables_of(data),
    dask = word_or_null(dask, "dask"), retry = checks$flag(retry, "retry"),
    progress = checks$flag(progress, "progress"),
    time_limit = number_or_null(time_limit, "time_limit"), part = part_of(part),
    anew = enc2utf8(as.character(anew))
  )
  with_caution(as_study(answer, given))
})

# A worker lacks the global environment and fails; in this session its functions exist.
caution_workspace <- function(plan) {
  methods <- if (is.list(plan)) plan$methods
  for (method in if (inherits(methods, "hetsel_method")) list(methods) else methods) {
    if (length(attr(method, "workspace"))) {
      caution(
        method$label, " calls ", toString(attr(method, "workspace")),
        " of the global environment. A study notices changes of it only after a new ",
        "hetsel_method()",
        fix = "Define it inside the function, or in local() around the function", argument = "plan"
      )
    }
  }
}

# The folder of a store without a path: that of the plan's file, or the session's temporary folder.
store_folder <- function(plan, part = NULL) {
  refuse_if(is.list(plan) && !is.null(part),
    "store must name a file if part is used, since a temporary file ends with the session",
    argument = "store"
  )
  enc2utf8(if (is.list(plan)) tempdir() else dirname(plan))
}

# A part of a study as text, such as 1/4.
part_of <- function(part) {
  if (is.numeric(part) && length(part) == 2) {
    part <- paste(format(part, scientific = FALSE, trim = TRUE), collapse = "/")
  }
  word_or_null(part, "part")
}

with_caution <- function(study) {
  if (nrow(study$failures)) {
    reasons <- unique(study$failures$reason)
    caution(
      nrow(study$failures), " of ", counted(study$status$cells, "cell"), " failed, see $failures. ",
      "Reason: ", reasons[1],
      if (length(reasons) > 1) {
        paste0(" (and ", sub(" ", " more ", counted(length(reasons) - 1, "reason")), ")")
      },
      fix = "Set retry = TRUE to compute them again", argument = "retry"
    )
  }
  study
}

#' Merge the Stores of the Parts of a Study
#'
#' @template merge_page
#' @template merge
#' @details The resamplings of each table are dealt to the parts in turn, with all methods, so parts
#' take about the same time and need no communication. With more parts than resamplings, single
#' cells are dealt.
#' @return A list of class \code{hetsel_study}, see \code{\link{hetsel_study}}. Its element
#' \code{given} is empty, since a store contains no tables. Call \code{hetsel_study(plan, into, data
#' = data)} to add them, which computes nothing.
#' @seealso \code{\link{hetsel_study}}
#' @examplesIf hetsel_available()
#' \donttest{
#' plan <- list(datasets = "heart", methods = c("rfe-svm", "variance"), resamplings = 4)
#' stores <- c(tempfile(fileext = ".sqlite"), tempfile(fileext = ".sqlite"))
#' for (i in 1:2) hetsel_study(plan, stores[i], part = c(i, 2)) # each on a separate machine
#' study <- hetsel_merge(stores, tempfile(fileext = ".sqlite"))
#' study$status$missing
#' }
#' @export
hetsel_merge <- asking("merge", function() {
  refuse_if(!is.character(stores) || !length(stores) || anyNA(stores),
    "stores must be paths of .sqlite files", got(stores), argument = "stores"
  )
  answer <- ask("merge_stores",
    stores = vapply(stores, file_name, "", "stores", USE.NAMES = FALSE),
    into = file_name(checks$word(into, "into"), "into"),
    progress = checks$flag(progress, "progress")
  )
  with_caution(as_study(answer, list(plan = NULL, data = NULL)))
})

#' Write a Report of a Study, a Signature or a Validation
#'
#' @description Write a report. For a study: a figure for each question and at most five sentences
#' of findings, followed by all tables, critical-difference diagrams, curves over the size of the
#' signature, selection frequencies, effects of the final models, the plan, the versions and the
#' digest of the results. For a signature: its performance, its features and their effects, and what
#' a paper needs: rows and columns, every step, the full model, a methods section with references,
#' and the TRIPOD+AI checklist. For a validation: the performance of a signature on new rows.
#' @param x Result of \code{\link{hetsel_study}}, \code{\link{hetsel_select}} or
#'   \code{\link{hetsel_validate}}; or the path of a store, or of the TOML file of a study whose
#'   store is in the same folder.
#' @param path The file to write; it is written completely or not at all. It ends in \code{.html}
#'   (one file that contains its figures), \code{.md} (Markdown, with figures as \code{.png} files
#'   in the same folder) or \code{.docx}.
#' @param figures For a study only, a folder for a separate file of each figure of the report.
#' @param format Format of these files: \code{"pdf"}, \code{"svg"} or \code{"png"}.
#' @details The first findings of a report come from comparisons that treat all methods alike: data
#' sets are the blocks, and methods are ranked over all sizes, each at its own size, and all at one
#' size. These sizes are cross-fitted: one half of the resamplings chooses the size and the other
#' half scores it. The report also states whether methods are better than predictions without
#' features: chance and the majority class, the mean of a numeric target, and the Kaplan-Meier curve
#' of survival times. A separate fold has the comparisons as in Paul et al. (2015). There, every
#' size of every data set is a block, which makes p-values too small, and \code{rfe-mkl} chooses one
#' small size, which favors \code{rfe-mkl}.
#'
#' The results are read from the store, which must still be at its path. If it now contains other
#' results, there is a warning. Effects on your own tables need the tables, which are part of a
#' \code{hetsel_study} object but not of a store.
#' @return The path of the report, invisibly.
#' @seealso \code{\link{hetsel_study}}, \code{\link{hetsel_select}}, \code{\link{hetsel_validate}}
#' @examplesIf hetsel_available()
#' \donttest{
#' study <- hetsel_study(
#'   list(datasets = "heart", methods = c("rfe-mkl", "hfs-nb"), resamplings = 3),
#'   store = tempfile(fileext = ".sqlite")
#' )
#' report <- hetsel_report(study, tempfile(fileext = ".html"))
#' file.size(report)
#' }
#' @export
hetsel_report <- function(x, path, figures = NULL, format = "pdf") {
  known <- inherits(x, c("hetsel_signature", "hetsel_validation", "hetsel_study"))
  refuse_if(!known && (!is.character(x) || length(x) != 1),
    "x must be a study, the path of its store or plan, a signature or a validation", got(x),
    argument = "x"
  )
  refuse_if(missing(path),
    "path must name the file to write, such as \"report.html\"", argument = "path"
  )
  if (inherits(x, c("hetsel_signature", "hetsel_validation"))) {
    page <- if (inherits(x, "hetsel_signature")) signature_report else validation_report
    return(page(x, path, figures))
  }
  source <- if (inherits(x, "hetsel_study")) {
    list(
      store = x$store, plan = plan_crossing(x$given$plan), tables = tables_of(x$given$data),
      digest = x$digest
    )
  } else if (grepl("\\.toml$", file_name(x, "x"), ignore.case = TRUE)) {
    plan <- file_name(x, "x")
    list(plan = plan, store = store_folder(normalizePath(plan, mustWork = FALSE)))
  } else {
    list(store = file_name(x, "x"))
  }
  invisible(do.call(ask, c(
    list("study_report", path = file_name(one_of(path, "path", is.character), "path")), source,
    list(
      figures = file_name(figures, "figures"),
      format = one_among(checks$word(format, "format"), "format", c("pdf", "svg", "png"))
    )
  )))
}

file_name <- function(path, name) {
  refuse_if(identical(path, ""), name, " must name a file. Got ''", argument = name)
  if (!is.null(path)) enc2utf8(path.expand(one_of(path, name, is.character)))
}
