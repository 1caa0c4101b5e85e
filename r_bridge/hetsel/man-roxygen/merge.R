#' @param stores a .sqlite file, kept as it is; or several.
#' @param into the merged store; one that is there keeps what it holds and gets what it lacks.
#' @param progress say on stderr how far it is.
