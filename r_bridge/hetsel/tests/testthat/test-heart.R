test_that("the heart table is that of the Python package, cell by cell", {
  skip_without_python()
  python <- reticulate::import("hetsel", convert = FALSE)
  theirs <- python$datasets$load("heart")
  text <- function(table) strsplit(reticulate::py_to_r(table$to_csv(index = FALSE)), "\n")[[1]]
  lines <- c(text(theirs$X), text(theirs$y))
  read <- function(lines) {
    utils::read.csv(
      text = lines, colClasses = "character", na.strings = "", check.names = FALSE
    )
  }
  rows <- seq_len(nrow(heart) + 1)
  cells <- cbind(read(lines[rows]), read(lines[-rows]))
  expect_identical(names(heart), names(cells))
  expect_identical(dim(heart), dim(cells))
  for (name in names(heart)) {
    ours <- heart[[name]]
    if (is.factor(ours)) {
      expect_identical(as.character(ours), cells[[name]], label = name)
    } else {
      expect_identical(ours, as.double(cells[[name]]), label = name)
    }
  }
})

test_that("the levels of the heart table stand in the order of Python's categories", {
  skip_without_python()
  theirs <- reticulate::import("hetsel", convert = FALSE)$datasets$load("heart")$X
  factors <- setdiff(names(Filter(is.factor, heart)), "diameter narrowing")
  expect_length(factors, 7)
  for (name in factors) {
    categories <- reticulate::py_get_item(theirs, name)$cat$categories$tolist()
    expect_identical(levels(heart[[name]]), reticulate::py_to_r(categories), label = name)
  }
})

test_that("the heart table ranks as the data set of that name, by its digest", {
  skip_without_python()
  plan <- list(name = "one", methods = "hsic", resamplings = 2, sizes = c(1, 3), seed = 5)
  ours <- hetsel_study(
    plan,
    store = new_store(), jobs = 0,
    data = list(heart = list(x = heart[1:13], y = heart$`diameter narrowing` == "1"))
  )
  theirs <- hetsel_study(utils::modifyList(plan, list(datasets = "heart")), new_store(), jobs = 0)
  numbers <- setdiff(names(ours$scores), c("rank_seconds", "rank_elapsed", "cut"))
  expect_identical(ours$scores[numbers], theirs$scores[numbers])
})
