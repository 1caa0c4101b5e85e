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
  expect_error(hetsel_kernel(list(1)), "a data frame or a matrix. Got", class = "hetsel_error")
})

test_that("columns go by name, in any order, and others are not looked at", {
  x <- data.frame(a = c(1, 3, 7), g = c("u", "v", "u"))
  expected <- hetsel_kernel(x[1:2, ], x)
  expect_identical(hetsel_kernel(x[1:2, 2:1], x), expected)
  expect_identical(hetsel_kernel(cbind(z = list(1), x)[1:2, ], x), expected)
  expect_identical(hetsel_kernel(x[1:2, 2:1], x, nominal = 2), expected)
  expect_error(hetsel_kernel(x["a"], x), "must have the columns of x2. It lacks 'g'", class = "hetsel_error")
  twice <- stats::setNames(cbind(x, 1), c("a", "g", "a"))
  expect_error(hetsel_kernel(twice, x), "Got 'a' more than once", class = "hetsel_error")
  m <- matrix(1:6, 3)
  expect_equal(hetsel_kernel(m[1:2, ], m), hetsel_kernel(m)[1:2, ])
})
