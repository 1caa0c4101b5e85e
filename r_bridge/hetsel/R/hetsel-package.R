#' @description Rank, search and select the features of a data frame for a target of classes,
#' numbers or survival times. Continuous and categorical features are treated together, and a factor
#' is one feature: it is never split into indicator columns.
#' @details The main functions, each with the question that it answers:
#' \describe{
#'   \item{\code{\link{hetsel_rank}}}{Which features matter, best first?}
#'   \item{\code{\link{hetsel_search}}}{Which subset of features is best?}
#'   \item{\code{\link{hetsel_select}}}{How many features, which, and how well do they predict? The
#'     result predicts new rows (\code{\link{predict.hetsel_signature}}).}
#'   \item{\code{\link{hetsel_validate}}}{How well does a signature predict rows from another place
#'     or time?}
#'   \item{\code{\link{hetsel_study}}}{Which method is better, and on which data?}
#'   \item{\code{\link{hetsel_report}}}{A report of a signature, a validation or a study.}
#'   \item{\code{\link{hetsel_methods}}}{Which methods are available?}
#'   \item{\code{\link{hetsel_doctor}}}{Which Python is used, and does it work?}
#' }
#' Results are plain lists and data frames. \code{print}, \code{summary} and \code{plot} show them.
#'
#' The Python package of the same name does the computations. With reticulate 1.41 or newer, the
#' first call creates a Python environment. With an older reticulate, call
#' \code{\link{install_hetsel}}. To use an existing Python, set \code{options(hetsel.python =
#' "<path>/bin/python")} before R first uses Python. \code{\link{hetsel_doctor}} shows which Python
#' is in use. \code{\link{heart}} is an example data set, and \code{browseVignettes("hetsel")} lists
#' the documents.
#' @references Paul, J., D'Ambrosio, R. and Dupont, P. (2015) Kernel methods for heterogeneous
#' feature selection. \emph{Neurocomputing} 169, 187--195.
#' @seealso \code{\link{hetsel_select}} to start with
#' @examplesIf hetsel_available()
#' ranking <- hetsel_rank(`diameter narrowing` ~ ., heart, size = 3)
#' print(ranking)
#' plot(ranking)
#' @keywords package
"_PACKAGE"
