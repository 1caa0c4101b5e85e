skip_without_python()

test_that("a sparse matrix is ranked as the same matrix with all its cells", {
  skip_if_not_installed("Matrix")
  k <- outer(1:40, 1:6)
  cells <- ifelse(k %% 7 %% 3 == 0, sin(k), 0)
  colnames(cells) <- paste0("g", 1:6)
  y <- rep(c("u", "v"), 20)
  expected <- hetsel_rank(cells, y)$ranking
  kinds <- c("dgCMatrix", "dgTMatrix", "dgRMatrix", "dgeMatrix")
  for (kind in kinds) {
    x <- methods::as(Matrix::Matrix(cells, sparse = TRUE), "generalMatrix")
    form <- c(C = "Csparse", T = "Tsparse", R = "Rsparse", e = "unpacked")[[substr(kind, 3, 3)]]
    x <- methods::as(x, paste0(form, "Matrix"))
    expect_s4_class(x, kind)
    expect_identical(hetsel_rank(x, y)$ranking, expected)
  }
  symmetric <- Matrix::forceSymmetric(Matrix::Matrix(cells[1:6, ], sparse = TRUE))
  expect_identical(
    hetsel_rank(symmetric, y[1:6], method = "hsic")$ranking,
    hetsel_rank(as.matrix(symmetric), y[1:6], method = "hsic")$ranking
  )
  logical <- Matrix::Matrix(cells != 0, sparse = TRUE)
  expect_identical(hetsel_rank(logical, y)$ranking, hetsel_rank(cells != 0, y)$ranking)
  pattern <- methods::as(logical, "nMatrix")
  expect_identical(hetsel_rank(pattern, y)$ranking, hetsel_rank(cells != 0, y)$ranking)
  unnamed <- Matrix::Matrix(unname(cells), sparse = TRUE)
  expect_setequal(hetsel_rank(unnamed, y)$columns$name, paste0("x", 1:6))
})

test_that("a sparse matrix that does not fit into memory is refused before it is taken", {
  skip_if_not_installed("Matrix")
  x <- Matrix::sparseMatrix(i = 1, j = 1, x = 1, dims = c(1e6, 1e6))
  expect_error(hetsel_rank(x, 1), "1,000,000 x 1,000,000 values", class = "hetsel_error")
})

test_that("a signature predicts the rows of a sparse matrix", {
  skip_if_not_installed("Matrix")
  x <- Matrix::Matrix(as.matrix(iris[1:4]), sparse = TRUE)
  expect_identical(predict(flowers(), x), predict(flowers(), iris))
})

test_that("whole numbers of 64 bits are taken where a double holds them", {
  skip_if_not_installed("bit64")
  values <- c(0, 1, -1, 2^31 - 1, 2^31, -2^31, 2^32, -2^32, 2^53 - 1, 1 - 2^53, NA)
  whole <- bit64::as.integer64(formatC(values, format = "f", digits = 0))
  expect_identical(plain_integers(whole, "k"), values)
  expect_identical(plain_integers(values, "k"), values)
  y <- rep(c("u", "v"), length.out = 11)
  expect_identical(
    hetsel_rank(data.frame(k = whole), y)$columns, hetsel_rank(data.frame(k = values), y)$columns
  )
  data <- data.frame(k = whole, y = y)
  expect_identical(hetsel_rank(y ~ k, data, subset = 1:8)$columns$missing, 0L)
  large <- bit64::as.integer64("9007199254740992") + 0:9
  expect_error(
    hetsel_rank(data.frame(k = large), rep(1:2, 5)), "integer64.*2\\^53",
    class = "hetsel_error"
  )
})
