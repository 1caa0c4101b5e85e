#' Compare methods over resamplings of data sets
#'
#' @description Runs a comparative study: every method ranks the features of every data set on many
#' splits into training and test rows, and final classifiers judge the signatures of every size on
#' the test rows; of numbers they are regressors, of survival times survival models.
#' What is finished is kept in a file, the store; the same call after a crash or Ctrl-C goes on
#' where it was.
#' @template study
#' @param data own tables: a named list of lists of \code{x}, a data frame or matrix of features,
#'   and \code{y}, the classes, numbers or survival times, as \code{\link{hetsel_rank}} takes them;
#'   each may hold these entries of a data set, see below: \code{nominal}, \code{ordinal},
#'   \code{continuous}, \code{missing}, \code{scale}, \code{target_kind}, \code{treatment_of},
#'   \code{positive} (of a factor the last level, where none is named), and \code{row_groups},
#'   \code{row_weights} and \code{order} as a value for each row, or a column of \code{x} by name or
#'   position; \code{"copies"} are the groups of equal and nearly equal rows. A table takes the
#'   place of the data set of its name in the plan; one that the plan does not name comes last.
#' @details The entries of a plan are those of the TOML file:
#' \describe{
#'   \item{\code{datasets}}{names of data sets that hetsel knows, such as \code{"heart"}; or a list
#'     of lists of the entries below. All have targets of one kind; columns that say something of
#'     the rows are no features. A treatment, as \code{list(name = "by quantiles", treatment_of =
#'     "women", scale = "quantile")}, has the rows, target and splits of its table, and if it has a
#'     file the same rows are in it; it is compared with the table in \code{treatments}, and left
#'     out wherever data sets are blocks.}
#'   \item{\code{methods}}{keys of methods, see \code{\link{hetsel_methods}}; or a list in which a
#'     method may be a list of \code{key}, \code{params} and \code{label}, or a function of R, see
#'     \code{\link{hetsel_method}}.}
#' }
#' and \code{resamplings}, \code{sizes}, \code{classifiers} and \code{seed}, see below;
#' \code{set.seed()} has no part in what is drawn. On one machine the same plan gives the same
#' \code{digest} from R, from Python and from the command line, with any number of workers,
#' interrupted or not.
#'
#' A cell is one method on one resampling of one data set. A cell that fails does not stop the
#' study: it is listed in \code{failures}, with a warning. Of each method that is not hetsel's own
#' one cell is computed twice, and \code{warnings} says where the two differ.
#' @return A list of class \code{hetsel_study}, of plain lists, vectors and data frames only: it
#' can be saved and read where there is no Python. There are methods for \code{print},
#' \code{summary}, \code{\link[=plot.hetsel_study]{plot}} and \code{as.data.frame}. In tables of
#' numbers \code{r2} takes the place of \code{bcr}, of survival times \code{concordance}. Scores
#' that differ by no more than 0.01 are practically equivalent. The entries are
#' \item{found}{what the comparisons say that treat all methods alike, in sentences; see
#'   \code{\link{hetsel_report}}.}
#' \item{probable}{which pairs of methods are better, or practically equal, with a probability above
#'   0.95, in a sentence; empty where there is too little to say it.}
#' \item{ranks}{data frame of the mean rank of each \code{method} over a \code{number} of data sets,
#'   1 being best: by \code{measure} (\code{"bcr"} or the score that takes its place, and
#'   \code{"ki"}, Kuncheva's index) and \code{analysis} (all sizes, each method at its own size, or
#'   all at one size), with the p-value of Friedman's test by permutations and Nemenyi's
#'   \code{critical_difference}, \code{NA} where data sets lack methods. Without rows where there is
#'   no test.}
#' \item{alike}{data frame of the groups of methods that do not differ, in the same analyses.}
#' \item{status}{numbers of \code{cells}: in all, \code{finished}, \code{failed}, \code{missing};
#'   and, as the data frame \code{parts}, by data set and method.}
#' \item{datasets}{data frame of the data sets: \code{rows}, the number of \code{row_groups}
#'   (\code{NA} where rows stand for themselves), \code{continuous} and \code{categorical} features,
#'   \code{classes} (of numbers \code{target}, their range, of survival times their rows and
#'   events), \code{missing_cells}; \code{chosen} is the smallest size whose first score lies in the
#'   naive interval of the best size of the \code{reference}, as Paul et al. print it, which
#'   flatters the reference.}
#' \item{reference}{\code{rfe-mkl}; where it takes no part the method that ranks best over all
#'   sizes, of several the first.}
#' \item{digest}{sha256 of all that was found, times left out.}
#' \item{store, versions, plan, split, methods, classifiers, name, version}{where the results are
#'   kept, the versions of the packages that computed them, and the plan with all its defaults;
#'   \code{split} says in words how large the parts are.}
#' \item{given}{the arguments \code{plan} and \code{data}, which \code{\link{hetsel_report}} reads
#'   the tables from.}
#' @template study_page
#' @references Paul, J., D'Ambrosio, R. and Dupont, P. (2015) Kernel methods for heterogeneous
#' feature selection. \emph{Neurocomputing} 169, 187--195.
#'
#' Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017) Time for a change: a tutorial for
#' comparing multiple classifiers through Bayesian analysis. \emph{Journal of Machine Learning
#' Research} 18(77), 1--36.
#' @seealso \code{\link{hetsel_report}}, \code{\link{hetsel_merge}}, \code{\link{hetsel_rank}}
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
#' # rows of one stratum belong together: none of them is tested by a model that knows another
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

# A worker lacks the workspace, and says so; in this session its functions are there.
caution_workspace <- function(plan) {
  methods <- if (is.list(plan)) plan$methods
  for (method in if (inherits(methods, "hetsel_method")) list(methods) else methods) {
    if (length(attr(method, "workspace"))) {
      caution(
        method$label, " calls ", toString(attr(method, "workspace")),
        " of the workspace: a study sees it change by a new hetsel_method() only",
        fix = "define it within the function, or in local() around it", argument = "plan"
      )
    }
  }
}

# Where the store of a plan is that none is named for: beside its file, or with the session's files.
store_folder <- function(plan, part = NULL) {
  refuse_if(is.list(plan) && !is.null(part),
    "store must name a file for a part: a temporary one is gone before the parts are merged",
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
      nrow(study$failures), " of ", study$status$cells, " cells failed, see $failures: ",
      reasons[1], if (length(reasons) > 1) paste0(" (and ", length(reasons) - 1, " more reasons)"),
      ". retry = TRUE computes them once more",
      argument = "retry"
    )
  }
  study
}

#' Merge the stores of parts of a study
#'
#' @template merge_page
#' @template merge
#' @details The resamplings of each table are dealt to the parts like cards, with all methods, so
#' that parts take about the same time and need not know of each other. With more parts than
#' resamplings single cells are dealt.
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

#' Write the report of a study, or the page of a signature or a validation
#'
#' @description Of a study, writes a page with a figure for each question and at most five sentences
#' of what was found, and below them all words and tables, critical-difference diagrams, curves
#' against the size of the signature, selection frequencies, effect curves of the final models, the
#' plan, the versions and the digest of the results. Of a signature, writes a page
#' that says what it is worth, which features it has and what each of them does, with what a paper
#' needs: rows and columns, every step, the model in full, methods to copy with references, and the
#' TRIPOD+AI checklist. Of a validation, writes a page of what new rows say of a signature.
#' @param x what \code{\link{hetsel_study}}, \code{\link{hetsel_select}} or
#'   \code{\link{hetsel_validate}} returned, or the path of a store, or of the TOML file of
#'   a study whose store is beside that file.
#' @param path the file to write; it appears whole or not at all. It ends in \code{.html}, one file
#'   with all that it shows inside, \code{.md} (Markdown, its figures as \code{.png} files beside
#'   it) or \code{.docx}.
#' @param figures a folder to write every figure of the report into as well, one file each; of a
#'   study only.
#' @param format of these files: \code{"pdf"}, \code{"svg"} or \code{"png"}.
#' @details What a report says first was found by comparisons that treat all methods alike: data
#' sets are the blocks, ranks are over all sizes, at a size for each method, and at one size for
#' all. These sizes are cross-fitted: one half of the resamplings chooses, the other is judged. It
#' also says whether methods are above what needs no features: chance and the majority class, the
#' mean of numbers, the Kaplan-Meier curve of survival times. The comparisons as Paul et al.
#' (2015) print them have a fold of that name: every size of every data set as a block, which makes
#' p-values too small, and one small size chosen by \code{rfe-mkl}, which flatters \code{rfe-mkl}.
#'
#' The results are read from the store, so the store must still be where it was; if it holds other
#' results by now, there is a warning. Effect curves of one's own tables need the tables: they are
#' part of a \code{hetsel_study} object, and not of a store.
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
    "x must be a study or the path of its store or plan, a signature or a validation", got(x),
    argument = "x"
  )
  refuse_if(missing(path),
    "path must name the file to write, as \"report.html\"", argument = "path"
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
