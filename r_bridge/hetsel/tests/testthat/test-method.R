skip_without_python()

by_mean <- function(x, y, sizes) {
  # numbers by their means, factors last
  vapply(x, function(v) if (is.factor(v)) 0 else abs(diff(tapply(v, y, mean)))[[1]] / sd(v), 0)
}

sent <- function(f, ...) hetsel_method(f, ...)$params$packed

study_of <- function(..., jobs = 1, store = new_store(), time_limit = NULL, resamplings = 2) {
  plan <- small_plan(methods = list(...), resamplings = resamplings, sizes = 1:2)
  suppressWarnings(hetsel_study(plan, store = store, jobs = jobs, time_limit = time_limit))
}

test_that("a function that was called, compiled or written in another way is the same one", {
  made <- function(keep) {
    eval(parse(text = "function(x, y, sizes) {\n  # why\n  names(x)\n}", keep.source = keep))
  }
  fresh <- made(TRUE)
  before <- hetsel_method(fresh)
  for (k in 1:6) fresh(iris, iris$Species, 1:2)
  expect_identical(hetsel_method(fresh), before)
  expect_identical(sent(compiler::cmpfun(made(FALSE))), before$params$packed)
  expect_identical(sent(eval(parse(text = "function(x,y,sizes){names(x)}"))), before$params$packed)
  inner <- function(k) {
    best <- function(x) names(x)[seq_len(k)]
    function(x, y, sizes) best(x)
  }
  one <- inner(2)
  whole <- sent(one)
  for (k in 1:6) one(iris, iris$Species, 1:2)
  expect_identical(sent(one), whole)
})

test_that("what is sent has the values that the function was made with", {
  made <- function(k, unused) function(x, y, sizes) names(x)[seq_len(k)]
  first <- made(2)
  expect_identical(sent(first), sent(made(2))) # the argument is not looked at before
  expect_false(sent(made(2)) == sent(made(3)))
  in_order <- function(names) {
    home <- new.env(parent = globalenv())
    for (name in names) assign(name, nchar(name), envir = home)
    f <- function(x, y, sizes) rev(names(x))
    environment(f) <- home
    f
  }
  expect_identical(sent(in_order(c("a", "bb"))), sent(in_order(c("bb", "a"))))
  recursive <- local({
    again <- function(x, y, sizes) if (length(x) > 2) again(x[-1], y, sizes) else names(x)
    again
  })
  found <- hetsel_rank(iris[1:4], iris$Species, method = hetsel_method(recursive))
  expect_identical(found$ranking$feature, c("Petal.Length", "Petal.Width"))
})

test_that("another code is another method, and a cell that differs the second time is told", {
  file <- new_store()
  counts <- tempfile()
  counted <- function(x, y, sizes) {
    cat(".", file = counts, append = TRUE)
    names(x)
  }
  calls <- function(f, ...) {
    unlink(counts)
    plan <- small_plan(methods = list(hetsel_method(f, "own")), resamplings = 2, sizes = 1:2)
    study <- hetsel_study(plan, store = file, jobs = 0, ...)
    list(n = if (file.exists(counts)) nchar(readLines(counts, warn = FALSE)) else 0, study = study)
  }
  first <- calls(counted)$n
  expect_gte(first, 3)
  expect_identical(calls(counted)$n, 0)
  expect_gte(calls(counted, anew = "own")$n, 3)
  body(counted) <- quote({
    cat(".", file = counts, append = TRUE)
    rev(names(x))
  })
  expect_gte(calls(counted)$n, 3)
  by_clock <- function(x, y, sizes) {
    set.seed((as.numeric(Sys.time()) * 1e6) %% 1e9)
    sample(names(x))
  }
  expect_match(calls(by_clock)$study$warnings$warning, "two computations of a cell differ")
})

test_that("functions of the workspace are told where they would be found unseen", {
  assign("helper_of_a_test", function(x) names(x), envir = globalenv())
  on.exit(rm("helper_of_a_test", envir = globalenv()))
  calling <- function(x, y, sizes) helper_of_a_test(x)
  environment(calling) <- globalenv()
  plan <- small_plan(methods = list(hetsel_method(calling)), resamplings = 1, sizes = 1)
  store <- new_store()
  expect_warning(hetsel_study(plan, store = store, jobs = 0), "helper_of_a_test")
  again <- hetsel_method(calling)
  expect_identical(again, plan$methods[[1]])
  helper <- function(x) deeper_of_a_test(x)
  environment(helper) <- globalenv()
  assign("helper_of_a_test", helper, envir = globalenv())
  assign("deeper_of_a_test", function(x) rev(names(x)), envir = globalenv())
  on.exit(rm("deeper_of_a_test", envir = globalenv()), add = TRUE)
  changed <- hetsel_method(calling)
  expect_identical(changed$params$packed, again$params$packed)
  expect_match(changed$params$source, "deeper_of_a_test <- function.*helper_of_a_test <- function")
  plan$methods <- list(changed)
  study <- suppressWarnings(hetsel_study(plan, store = store, jobs = 0))
  expect_identical(nrow(study$failures), 0L)
  assign("deeper_of_a_test", function(x) names(x), envir = globalenv())
  expect_false(identical(hetsel_method(calling)$params$source, changed$params$source))
  around <- local({
    helper_of_a_test <- function(x) rev(names(x))
    function(x, y, sizes) helper_of_a_test(x)
  })
  plan$methods <- list(hetsel_method(around))
  expect_no_warning(hetsel_study(plan, store = new_store(), jobs = 0))
})

test_that("what cannot be sent, or be called, is refused at once", {
  lines <- textConnection("a")
  on.exit(close(lines))
  reading <- function(x, y, sizes) readLines(lines)
  expect_error(hetsel_method(reading), "external pointer, such as a connection")
  array <- reticulate::r_to_py(1:3)
  expect_error(hetsel_method(function(x, y, sizes) array), "external pointer.* Python")
  array <- NULL
  close(lines)
  lines <- NULL
  on.exit()
  expect_error(hetsel_method(sum), "a function of x, y and sizes. Got function \\(\\.\\.\\.")
  expect_error(hetsel_method(function(x, z) 1), "of x, y and sizes. Got function \\(x, z\\)")
  expect_error(hetsel_method("sum"), "of x, y and sizes. Got \"sum\"")
  expect_error(hetsel_method(by_mean, packages = "notthere"), "must be installed. Got notthere")
  expect_error(hetsel_method(by_mean, draws = NA), "draws must be TRUE or FALSE")
  expect_error(hetsel_method(by_mean, label = 1:2), "label must be one character string")
})

test_that("the function gets the columns and the target as R has them", {
  data <- mixed()
  data$x$dose[3] <- NA
  data$x$site[4] <- NA
  seen <- tempfile()
  looking <- eval(bquote(function(x, y, sizes) {
    saveRDS(list(x = x, y = y, sizes = sizes), .(seen))
    names(x)
  }))
  hetsel_rank(data$x, data$y, method = hetsel_method(looking), missing = "separate", size = 3)
  got <- readRDS(seen)
  expect_identical(names(got$x), names(data$x))
  expect_identical(got$y, data$y)
  expect_identical(got$sizes, 3L)
  expect_identical(got$x$dose, data$x$dose)
  expect_identical(got$x$age, as.double(data$x$age))
  expect_identical(levels(got$x$smoker), c("FALSE", "TRUE"))
  expect_identical(as.character(got$x$smoker), as.character(data$x$smoker))
  expect_identical(got$x$stage, data$x$stage)
  expect_identical(as.character(got$x$site[-4]), as.character(data$x$site[-4]))
  expect_identical(as.character(got$x$site[4]), "(missing)")
  numbers <- as.double(seq_len(60)) / 7
  hetsel_rank(data$x, numbers, method = hetsel_method(looking))
  expect_identical(readRDS(seen)$y, numbers)
  expect_identical(readRDS(seen)$sizes, 1:7)
})

test_that("an order, importances and a subset of each size are answers", {
  x <- iris[1:4]
  rank <- function(f, ...) hetsel_rank(x, iris$Species, method = hetsel_method(f), ...)
  best <- rank(function(x, y, sizes) names(x)[c(3, 1)], size = 2)
  expect_identical(best$selected, names(x)[c(3, 1)])
  weighed <- rank(function(x, y, sizes) {
    c(Petal.Width = 4, Sepal.Length = 1.5, Sepal.Width = -2, Petal.Length = 3)
  })
  expect_identical(weighed$ranking$importance, c(4, 3, 1.5, -2))
  expect_identical(weighed$ranking$feature, names(x)[c(4, 3, 1, 2)])
  expect_identical(weighed$title, "a function of R")
  path <- rank(function(x, y, sizes) list(names(x)[3], names(x)[c(1, 4)]))
  expect_s3_class(path, "hetsel_path")
  expect_identical(path$path$size, 1:2)
  expect_output(print(weighed), "Petal.Width")
  expect_output(print(hetsel_method(by_mean)), "by_mean, a function of R.*tapply.*R [4-9]")
})

test_that("what is no answer is refused, with what came", {
  x <- iris[1:4]
  refused <- function(f, said) {
    expect_error(hetsel_rank(x, iris$Species, method = hetsel_method(f)), said)
  }
  refused(function(x, y, sizes) NULL, "must return the names of columns.* Got NULL")
  refused(function(x, y, sizes) 1:4, "Got numbers without names")
  refused(function(x, y, sizes) lm, "Got an object of class function")
  refused(function(x, y, sizes) list(1:2), "Got an object of class list")
  refused(function(x, y, sizes) list(character()), "Got an object of class list")
  refused(function(x, y, sizes) character(), "Got no names")
  refused(function(x, y, sizes) c(NA, "Petal.Width"), "Got names that are missing")
  refused(function(x, y, sizes) "petal", "Got 'petal', which is no column")
  refused(function(x, y, sizes) names(x)[c(1, 1)], "Got 'Sepal.Length' more than once")
  refused(function(x, y, sizes) c(Petal.Width = 1), "no importance of Sepal.Length, ")
  refused(function(x, y, sizes) stats::setNames(c(1, NA, 2, 3), names(x)), "Got NA for Sepal.Width")
  refused(function(x, y, sizes) list(names(x)[1], names(x)[2]), "Got two of size 1")
  refused(function(x, y, sizes) stop("my own words"), "^my own words$")
})

test_that("a study runs it in workers and in this session alike, and its errors cost their cells", {
  failing <- function(x, y, sizes) stop("my own words")
  methods <- list("rfe-mkl", hetsel_method(by_mean), hetsel_method(failing))
  here <- do.call(study_of, c(methods, jobs = 0))
  there <- do.call(study_of, c(methods, jobs = 2))
  expect_identical(here$digest, there$digest)
  expect_identical(here$methods, c("rfe-mkl", "by_mean", "failing"))
  expect_identical(here$status$finished, 4L)
  expect_identical(unique(there$failures$method), "failing")
  expect_match(there$failures$reason, "my own words")
  page <- tempfile(fileext = ".html")
  hetsel_report(there, page)
  expect_match(page_of(page), "tapply(v, y, mean)", fixed = TRUE)
})

test_that("a function that ends R, or does not end, costs its cells and no more", {
  ending <- function(x, y, sizes) quit("no")
  found <- study_of("hfs-nb", hetsel_method(ending))
  expect_identical(found$status$finished, 2L)
  expect_match(found$failures$reason, "worker process died")
  lasting <- function(x, y, sizes) repeat NULL
  found <- study_of("hfs-nb", hetsel_method(lasting), time_limit = 5, resamplings = 1)
  expect_identical(found$status$finished, 1L)
  expect_match(found$failures$reason, "5 s")
})

test_that("a function that draws is repeated, and leaves the generator as it was", {
  drawing <- function(x, y, sizes) sample(names(x))
  set.seed(4)
  before <- .Random.seed
  first <- study_of(hetsel_method(drawing, draws = TRUE), jobs = 0)
  expect_identical(.Random.seed, before)
  set.seed(5)
  expect_identical(study_of(hetsel_method(drawing, draws = TRUE), jobs = 2)$digest, first$digest)
  rank <- function(seed) {
    hetsel_rank(iris[1:4], iris$Species, method = hetsel_method(drawing), seed = seed)
  }
  one <- rank(1)
  expect_false(identical(one$ranking$feature, rank(2)$ranking$feature))
  set.seed(one$repeat_by$seed)
  expect_identical(sample(one$repeat_by$columns), one$ranking$feature)
})

test_that("a store knows its cells by the code of a function and what it has, not by its calls", {
  log <- tempfile()
  file.create(log)
  counted <- function(log, k) {
    function(x, y, sizes) {
      cat("called\n", file = log, append = TRUE)
      rev(names(x))[seq_len(k)]
    }
  }
  called <- function() length(readLines(log))
  store <- new_store()
  f <- counted(log, 4)
  first <- study_of(hetsel_method(f), store = store, jobs = 0)
  expect_identical(called(), 3L) # of one cell twice
  for (k in 1:4) f(iris, iris$Species, 1)
  again <- study_of(hetsel_method(f, label = "f"), store = store, jobs = 0)
  expect_identical(called(), 7L)
  expect_identical(again$digest, first$digest)
  study_of(hetsel_method(counted(log, 3), label = "f"), store = store, jobs = 0)
  expect_identical(called(), 10L)
  older <- hetsel_method(f)
  older$params$versions$R <- "4.1.0"
  failed <- study_of(older, store = store, jobs = 0)
  expect_match(failed$failures$reason, "with R 4.1.0, and this R has")
})

test_that("packages are attached while the function runs, in a worker too", {
  needing <- function(x, y, sizes) {
    stopifnot("package:splines" %in% search())
    colnames(bs(seq_along(y)))
    names(x)
  }
  expect_false("package:splines" %in% search())
  method <- hetsel_method(needing, packages = "splines")
  expect_identical(names(method$params$versions), c("R", "splines"))
  for (jobs in 0:1) {
    expect_identical(study_of(method, jobs = jobs)$status$finished, 2L)
  }
  expect_false("package:splines" %in% search())
  expect_match(study_of(hetsel_method(needing), jobs = 0)$failures$reason, "package:splines")
})

test_that("hetsel_select() takes it", {
  found <- hetsel_select(iris[51:100 + c(0, 50), c(1, 3)], factor(iris$Species[51:100 + c(0, 50)]),
    method = hetsel_method(by_mean), size = 1, folds = 3, repeats = 1, permutations = 0, pairs = 0,
    progress = FALSE
  )
  expect_identical(found$method, "by_mean")
  expect_true("Petal.Length" %in% found$features$feature)
})

test_that("three lines of R repeat the forest", {
  skip_if_not_installed("randomForest")
  data <- mixed()
  x <- data$x[c("age", "dose", "site", "smoker")]
  result <- hetsel_rank(x, data$y, method = "rf10000", ntree = 200, seed = 6)
  by <- result$repeat_by
  x[] <- lapply(x, function(v) if (is.numeric(v)) v else factor(v, unique(v)))
  set.seed(by$seed)
  forest <- randomForest::randomForest(
    x[by$columns], factor(data$y, unique(data$y)), ntree = 200, importance = TRUE
  )
  expected <- randomForest::importance(forest, type = 1, scale = FALSE)[, 1]
  expect_identical(
    result$ranking$importance, unname(expected[result$ranking$feature])
  )
})
