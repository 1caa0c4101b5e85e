#' Extract Signatures as Sets of Names
#'
#' @description Extract a list of signatures, each a character vector, in the form that stability
#' measures accept: from a study the signatures of the resamplings, from a signature those of the
#' half-samples, from a ranking or a search one signature per size.
#' @param x Result of \code{\link{hetsel_study}}, \code{\link{hetsel_select}},
#'   \code{\link{hetsel_halves}}, \code{\link{hetsel_rank}} or \code{\link{hetsel_search}}.
#' @param dataset,method Data set and method of a study; the default is the first of each.
#' @param size Size of the signatures: for a study one of its sizes, by default the size chosen for
#'   the data set; for a ranking or a search one or several sizes.
#' @param ... Ignored.
#' @details \code{stabm::stabilityNogueira(signatures(study, "heart", size = 5), p = 13)} is the
#' stability of the first method for 13 features. Kuncheva's index in \code{summary(study)} is the
#' same number, since all signatures have one size. The signatures of a study are read from its
#' store, which must still be at its path.
#'
#' The name is plural because \code{signature} is a function of the package methods.
#' \code{\link[=hetsel_verbs]{variable.names}} returns a single signature.
#' @return A list of character vectors. Its names are the numbers of the resamplings (from 0, as in
#' \code{study$scores}) or the sizes. Features are in the order of the table, or best first where
#' there is a ranking.
#' @seealso \code{\link{hetsel_stability}}, which accepts these lists
#' @examplesIf hetsel_available()
#' signature <- hetsel_select(case ~ ., infert[c("age", "parity", "spontaneous", "case")], size = 1,
#'                            folds = 3, repeats = 1, permutations = 0, pairs = 5)
#' signatures(signature)[1:2]
#' if (requireNamespace("stabm", quietly = TRUE)) {
#'   stabm::stabilityNogueira(signatures(signature), p = 3)
#' }
#' @export
signatures <- function(x, ...) UseMethod("signatures")

#' @rdname signatures
#' @eval methods_of(
#'   signatures = paste0("hetsel_", c("ranking", "path", "signature", "halves", "study"))
#' )
signatures.hetsel_ranking <- signatures.hetsel_path <- function(x, size = x$size, ...) {
  size <- some_of(size, "size", is.numeric)
  stats::setNames(lapply(size, function(k) stats::variable.names(x, size = k)), size)
}

signatures.hetsel_signature <- function(x, ...) {
  refuse_if(!length(x$half_samples),
    "the signature has no half-samples", fix = "Repeat hetsel_select() with pairs = 50",
    argument = "x"
  )
  x$half_samples
}

signatures.hetsel_halves <- function(x, ...) {
  chosen <- x$half_samples
  lapply(seq_len(nrow(chosen)), function(row) colnames(chosen)[chosen[row, ]])
}

signatures.hetsel_study <- function(x, dataset = x$datasets$dataset[1], method = x$methods[1],
                                    size = NULL, ...) {
  one_of(dataset, "dataset", is.character)
  one_of(method, "method", is.character)
  size <- size %||% x$datasets$chosen[match(dataset, x$datasets$dataset)]
  if (is.na(size)) size <- 0 # Python's error lists the sizes
  ask(
    "study_signatures",
    store = x$store, dataset = enc2utf8(dataset), method = enc2utf8(method),
    size = as.double(one_of(size, "size", is.numeric))
  )
}
