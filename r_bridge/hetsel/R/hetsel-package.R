#' @description Ranks, searches and selects the columns of a data frame that tell a target: classes,
#' numbers or survival times. A factor is one feature: it is never split into indicator columns.
#' @details What to call, by the question that is asked:
#' \describe{
#'   \item{\code{\link{hetsel_rank}}}{Which columns matter, best first?}
#'   \item{\code{\link{hetsel_search}}}{Which subset is best together?}
#'   \item{\code{\link{hetsel_select}}}{Which few columns to take, how good are they, how sure is
#'     that? The answer predicts new rows (\code{\link{predict.hetsel_signature}}).}
#'   \item{\code{\link{hetsel_validate}}}{What is it worth on the rows of another place or year?}
#'   \item{\code{\link{hetsel_study}}}{Which method is better, on which data?}
#'   \item{\code{\link{hetsel_report}}}{One page to read of a signature, a validation or a study.}
#'   \item{\code{\link{hetsel_methods}}}{Which methods are there?}
#'   \item{\code{\link{hetsel_doctor}}}{What is amiss with Python?}
#' }
#' Results are plain lists and data frames, which print, \code{summary} and \code{plot} show.
#'
#' The work is done by the Python package of the same name. With reticulate 1.41 or newer the first
#' call makes its environment, with an older one \code{\link{install_hetsel}} does;
#' \code{options(hetsel.python = "<path>/bin/python")}, set before R first uses Python, names one
#' that is there, and \code{\link{hetsel_doctor}} says which is in use. \code{\link{heart}} is a
#' table to try all this on; \code{browseVignettes("hetsel")} has documents that show how.
#' @references Paul, J., D'Ambrosio, R. and Dupont, P. (2015) Kernel methods for heterogeneous
#' feature selection. \emph{Neurocomputing} 169, 187--195.
#' @examplesIf hetsel_available()
#' ranking <- hetsel_rank(`diameter narrowing` ~ ., heart, size = 3)
#' print(ranking)
#' plot(ranking)
#' @keywords package
"_PACKAGE"
