#' @description Merge the stores of parts of a study into one store. The results have the same
#' digest as those of a single run of the whole plan, in any order of the stores. A failed cell
#' stays failed unless another store has its result. The merge reports which cells are still
#' missing; a run of the plan with the merged store computes them.
#' @section Errors:
#' The merge fails if a run is using one of the stores, if the stores belong to different studies,
#' data or versions of hetsel, if a cell differs between two stores, or if a store is damaged or
#' named twice. In these cases nothing is written.
