# Matrices of the package Matrix, and the 64-bit integers of bit64: both become doubles, where
# nothing is lost. Neither package is needed for it but the one that made the matrix.

# The columns of a matrix of class Matrix: a list of vectors by name.
cells_by_column_of_sparse <- function(x) {
  if (!requireNamespace("Matrix", quietly = TRUE)) {
    refuse(
      "x is of class ", class(x)[1], ", which needs the package Matrix",
      fix = "install.packages(\"Matrix\")", argument = "x"
    )
  }
  refuse_unless_it_fits(dim(x), class(x)[1])
  if (!inherits(x, "sparseMatrix")) {
    return(cells_by_column(as.matrix(x)))
  }
  names <- colnames(x)
  sparse <- methods::as(methods::as(x, "generalMatrix"), "CsparseMatrix")
  flags <- !("x" %in% methods::slotNames(sparse) && is.numeric(sparse@x))
  cells <- if ("x" %in% methods::slotNames(sparse)) sparse@x else rep(TRUE, length(sparse@i))
  columns <- lapply(seq_len(ncol(x)), function(j) {
    stored <- sparse@p[j] + seq_len(sparse@p[j + 1] - sparse@p[j])
    column <- if (flags) logical(nrow(x)) else numeric(nrow(x))
    column[sparse@i[stored] + 1] <- cells[stored]
    column
  })
  if (is.null(names)) {
    names <- paste0("x", seq_len(ncol(x)))
  }
  cells_by_column(list_as_frame(columns, names))
}

list_as_frame <- function(columns, names) {
  rows <- if (length(columns)) length(columns[[1]]) else 0
  structure(columns, names = names, class = "data.frame", row.names = .set_row_names(rows))
}

# A copy here, one that crosses, and two in Python, of 8 bytes a cell.
refuse_unless_it_fits <- function(size, class) {
  needed <- 32 * prod(size)
  if (needed < 2^26) {
    return(invisible())
  }
  free <- ask("memory")
  if (!is.na(free) && needed > free) {
    refuse(
      "x, a ", class, " of ", paste(format(size, big.mark = ",", trim = TRUE), collapse = " x "),
      " cells, needs ", in_gigabytes(needed), " of memory as columns with all their cells, and ",
      in_gigabytes(free), " are free",
      fix = "take fewer columns, for example those with most cells that are not zero",
      argument = "x"
    )
  }
}

in_gigabytes <- function(bytes) {
  paste(formatC(bytes / 2^30, digits = 1, format = "f"), "GB")
}

# An integer64 has the bits of a whole number in the place of those of a double; all else stays.
plain_integers <- function(x, name) {
  if (!inherits(x, "integer64")) {
    return(x)
  }
  words <- readBin(
    writeBin(as.vector(unclass(x), "double"), raw(), endian = "little"), "integer",
    n = 2 * length(x), size = 4, endian = "little"
  )
  words <- ifelse(is.na(words), -2^31, words) # which R reads as NA
  low <- words[c(TRUE, FALSE)] %% 2^32
  high <- words[c(FALSE, TRUE)]
  gone <- high == -2^31 & low == 0
  values <- ifelse(gone, NA, high * 2^32 + low)
  if (any(abs(values) >= 2^53, na.rm = TRUE)) {
    refuse(
      "column '", name, "' is of class integer64 and has whole numbers of 2^53 or more, which a ",
      "double cannot tell apart",
      fix = "convert it, e.g. by as.character() if they are codes, or drop it", argument = name
    )
  }
  values
}
