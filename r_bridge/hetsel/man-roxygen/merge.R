#' @param stores Stores (.sqlite files) to merge; they remain unchanged. Names, labels and the order
#'   of data sets and methods are those of the first store that has them.
#' @param into Merged store. An existing store keeps its cells and gets the missing ones.
#' @param progress Whether to report the progress on stderr.
