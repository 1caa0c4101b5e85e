skip_without_python()

test_that("the clinical kernel is that of its formula, with the row names", {
  x <- mixed()$x
  rownames(x) <- paste0("p", seq_len(nrow(x)))
  by_hand <- Reduce(`+`, kernels_by_hand(x)) / ncol(x)
  kernel <- hetsel_kernel(x)
  expect_equal(kernel, by_hand, tolerance = 1e-14, ignore_attr = TRUE)
  expect_identical(dimnames(kernel), list(rownames(x), rownames(x)))
  expect_true(all(diag(kernel) == 1))
})

test_that("ranges are those of the training rows, and values outside are taken to the ends", {
  x <- mixed()$x
  near <- x$dose < 2
  training <- x[near, ]
  kernel <- hetsel_kernel(x[!near, ], training, unseen = "separate")
  by_hand <- Reduce(`+`, kernels_by_hand(x[!near, ], training)) / ncol(x)
  expect_true(all(x$dose[!near] > max(training$dose)))
  expect_equal(kernel, by_hand, tolerance = 1e-14, ignore_attr = TRUE)
  expect_identical(dim(kernel), c(sum(!near), sum(near)))
})

test_that("options and matrices are taken, and what cannot be compared is refused", {
  x <- mixed()$x
  numbers <- as.matrix(x[c("dose", "age")])
  expect_equal(
    hetsel_kernel(numbers), Reduce(`+`, kernels_by_hand(x[c("dose", "age")])) / 2,
    ignore_attr = TRUE
  )
  nominal <- hetsel_kernel(x["age"], nominal = "age")
  expect_identical(unname(nominal), 1 * outer(x$age, x$age, "=="))
  new <- data.frame(name = "z")
  expect_error(hetsel_kernel(new, x["name"]), class = "hetsel_error")
  expect_identical(unname(hetsel_kernel(new, x["name"], unseen = "separate")), matrix(0, 1, 60))
  x$dose[3] <- NA
  expect_error(hetsel_kernel(x, missing = "error"), class = "hetsel_error")
  expect_error(hetsel_kernel(list(1)), class = "hetsel_error")
})
