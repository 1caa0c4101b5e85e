#' @param plan the .toml file, or the .sqlite store itself.
#' @param store the SQLite file of the results; default: NAME.sqlite, NAME as the plan says.
#' @param progress say on stderr how far it is.
#' @param part I/N: the I-th of N parts of the cells only, for runs that know nothing of each other,
#'   into a store of its own, by default NAME.part-I-of-N.sqlite; `hetsel study merge` makes one of
#'   them.
#' @param jobs worker processes; default: every CPU. A method that crashes takes its worker with it,
#'   and one cell; 0 computes in this process, and a crash is its own.
#' @param time_limit seconds that a cell may take, loading compiled code not counted; what takes
#'   longer is ended and fails; default: no limit.
#' @param dask address of an existing Dask cluster to compute on, e.g. tcp://host:8786: of your own,
#'   as what its scheduler sends is unpickled.
#' @param retry compute failed and damaged cells once more.
#' @param anew labels of methods whose cells are computed anew. A change of their code makes new
#'   cells by itself; what they read besides, such as a file, does not.
