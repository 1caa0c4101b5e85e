#' @param plan the path of a TOML file, or a list with the entries of one; see details.
#' @param store the SQLite file that keeps the results; what it holds is not computed again. NULL is
#'   NAME.sqlite, NAME as the plan says: beside a TOML file, and of a list in the temporary
#'   directory, which ends with the session.
#' @param jobs worker processes, each a Python of its own, so that a method that crashes ends a cell
#'   and not the session; NULL takes every processor, 0 computes in this session. The results are
#'   the same for any number.
#' @param part I/N: the I-th of N parts of the cells only, for runs that know nothing of each other,
#'   into a store of its own, by default NAME.part-I-of-N.sqlite; `hetsel study merge` makes one of
#'   them.
#' @param time_limit seconds that a cell may take, loading compiled code not counted; what takes
#'   longer is ended and fails; default: no limit.
#' @param dask address of an existing Dask cluster to compute on, e.g. tcp://host:8786: of your own,
#'   as what its scheduler sends is unpickled.
#' @param retry compute failed and damaged cells once more.
#' @param anew labels of methods whose cells are computed anew. A change of their code makes new
#'   cells by itself; what they read besides, such as a file, does not.
#' @param progress say on stderr how far it is.
