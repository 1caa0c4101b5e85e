#' Signatures as sets of names
#'
#' @description A list of signatures, each a character vector, as measures of stability take them:
#' of a study those of the resamplings, of a signature those of the halves of the rows, of a ranking
#' or a search one for each size.
#' @param x what \code{\link{hetsel_study}}, \code{\link{hetsel_select}},
#'   \code{\link{hetsel_halves}}, \code{\link{hetsel_rank}} or \code{\link{hetsel_search}} returned.
#' @param dataset,method one of the data sets and methods of a study; the first of each.
#' @param size size of the signatures: of a study one of its sizes, the size chosen for the data set
#'   where none is given; of a ranking or a search one or several.
#' @param ... ignored.
#' @details \code{stabm::stabilityNogueira(signatures(study, "heart", size = 5), p = 13)} is the
#' stability of the first method in 13 features; Kuncheva's index of \code{summary(study)} is the
#' same number, as all signatures have one size. The signatures of a study are read from its store,
#' which must still be where it was.
#'
#' The name is the plural because \code{signature} is a function of the package methods;
#' \code{\link[=hetsel_verbs]{variable.names}} gives a single one.
#' @seealso \code{\link{hetsel_stability}}, which takes these lists, too
#' @return A list of character vectors; its names are the numbers of the resamplings (from 0, as in
#' \code{study$scores}), or the sizes. Features are in the order of the table, or best first where
#' there is an order.
#' @examplesIf hetsel_available()
#' found <- hetsel_select(case ~ ., infert[c("age", "parity", "spontaneous", "case")], size = 1,
#'                        folds = 3, repeats = 1, permutations = 0, pairs = 5)
#' signatures(found)[1:2]
#' if (requireNamespace("stabm", quietly = TRUE)) {
#'   stabm::stabilityNogueira(signatures(found), p = 3)
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
  refuse_if(!length(x$halves),
    "the signature has no halves of the rows", fix = "hetsel_select(pairs = 50) selects in them",
    argument = "x"
  )
  x$halves
}

signatures.hetsel_halves <- function(x, ...) {
  lapply(seq_len(nrow(x$halves)), function(row) colnames(x$halves)[x$halves[row, ]])
}

signatures.hetsel_study <- function(x, dataset = x$datasets$dataset[1], method = x$methods[1],
                                    size = NULL, ...) {
  one_of(dataset, "dataset", is.character)
  one_of(method, "method", is.character)
  size <- size %||% x$datasets$chosen[match(dataset, x$datasets$dataset)]
  if (is.na(size)) size <- 0 # Python says what there is
  ask(
    "study_signatures",
    store = x$store, dataset = enc2utf8(dataset), method = enc2utf8(method),
    size = as.double(one_of(size, "size", is.numeric))
  )
}
