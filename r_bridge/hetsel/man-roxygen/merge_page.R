#' @description Merge the stores of one study into one store. The stores are those of parts of a
#' plan, or of plans that differ in methods, judges, data sets or the number of resamplings. The
#' merged plan has all of them; other options, such as the seed and the sizes, must be equal. The
#' results have the same digest as those of a single run of the merged plan, in any order of the
#' stores. A failed cell stays failed unless another store has its result. The merge reports which
#' cells are still missing; a run of the merged plan with the merged store computes them.
#' @section Errors:
#' The merge fails if a run is using one of the stores, if the stores belong to different studies,
#' data or versions of hetsel, if a cell differs between two stores, or if a store is damaged or
#' named twice. In these cases nothing is written.
