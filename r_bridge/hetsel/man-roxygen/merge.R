#' @param stores Stores (.sqlite files) to merge; they remain unchanged.
#' @param into Merged store. An existing store keeps its cells and gets the missing ones.
#' @param progress Whether to report the progress on stderr.
