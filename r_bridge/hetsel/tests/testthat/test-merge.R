skip_without_python()

plan <- small_plan(methods = c("rfe-svm", "variance"), resamplings = 4)
stores <- c(new_store(), new_store())
whole <- hetsel_study(plan, store = new_store(), data = own_table(), jobs = 0)
parts <- list(
  hetsel_study(plan, stores[1], data = own_table(), jobs = 0, part = c(1, 2)),
  hetsel_study(plan, stores[2], data = own_table(), jobs = 0, part = "2/2")
)

test_that("the merged stores of parts have the digest of one run", {
  finished <- vapply(parts, function(part) part$status$finished, 1L)
  expect_identical(finished, c(8L, 8L))
  into <- new_store()
  half <- hetsel_merge(stores[2], into)
  expect_identical(half$status$missing, 8L)
  merged <- hetsel_merge(rev(stores), into)
  expect_s3_class(merged, "hetsel_study")
  expect_identical(merged$digest, whole$digest)
  expect_identical(merged$store, normalizePath(into))
  expect_output(print(merged), "16 of 16|16 cells")
  with_tables <- hetsel_study(plan, into, data = own_table(), jobs = 0)
  expect_identical(with_tables$digest, whole$digest)
  expect_identical(dim(as.data.frame(with_tables)), dim(as.data.frame(merged)))
})

test_that("a report is written of a merged store", {
  merged <- hetsel_merge(stores, new_store())
  page <- hetsel_report(merged, tempfile(fileext = ".html"))
  expect_true(file.size(page) > 10000)
})

test_that("what is no part, and what does not belong together, is refused", {
  for (part in list("3/2", "0/4", "x", c(3, 2), c(1.5, 2), c(NA, 2))) {
    expect_error(hetsel_study(plan, new_store(), part = part), "part must be i/n")
  }
  expect_error(hetsel_study(plan, new_store(), part = TRUE), "part must be one character string")
  expect_error(hetsel_merge(stores[c(1, 1)], new_store()), "twice")
  expect_error(hetsel_merge(character(), new_store()), "stores must be paths")
  expect_error(hetsel_merge(new_store(), new_store()), "no such store")
  other <- new_store()
  hetsel_study(utils::modifyList(plan, list(seed = 9)), other, data = own_table(), jobs = 0)
  expect_error(hetsel_merge(c(stores[1], other), new_store()), "seed: 3 -> 9")
})
