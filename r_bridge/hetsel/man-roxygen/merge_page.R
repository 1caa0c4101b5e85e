#' @description Merge the stores of parts of a study into one, which then is as if one run had
#' written it. What was found has the digest of a single run of the whole plan, whatever the order
#' of the stores. Cells that failed are kept as such, unless another store has their result. What is
#' still missing is said, and a run of the plan with the merged store computes it.
#' @section Errors:
#' A run still works on a store; stores of different studies, data or versions of hetsel; a cell
#' with different answers in two of them; a store that is damaged or given twice. Nothing is written
#' then.
