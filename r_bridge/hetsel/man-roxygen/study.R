#' @param plan Path of a TOML file, or a list with the entries of a plan; see details.
#' @param store SQLite file that keeps the results; cells that it holds are not computed again.
#'   NULL: NAME.sqlite, where NAME is the name in the plan. This file is beside a TOML file; for a
#'   list it is in the temporary directory, which ends with the session.
#' @param jobs Number of worker processes, each with its own Python, so that a method that crashes
#'   ends a cell and not the session. NULL: one per processor. 0: compute in this session. Results
#'   do not depend on it.
#' @param part Compute only part I of N parts of the cells, for independent runs. Each part has its
#'   own store, by default NAME.part-I-of-N.sqlite; \code{hetsel study merge} combines them.
#' @param time_limit Time limit of a cell in seconds, without the time to load compiled code. A cell
#'   that takes longer is stopped and fails. Default: no limit.
#' @param dask Address of a running Dask cluster to compute on, for example tcp://host:8786. Use
#'   only a cluster that you trust, since its messages are unpickled and can run code.
#' @param retry Compute failed and damaged cells again.
#' @param anew Labels of methods and judges whose results are computed again. hetsel recomputes them
#'   by itself if the code of a method or judge changed, but not if something changed that it reads,
#'   such as a file.
#' @param progress Whether to report the progress on stderr.
