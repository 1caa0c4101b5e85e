skip_without_python()

test_that("rf10000 runs R's randomForest in this very session", {
  data <- mixed()
  set.seed(1)
  before <- .Random.seed
  result <- hetsel_rank(data$x, data$y, method = "rf10000", ntree = 200)
  expect_identical(.Random.seed, before) # the session's own draws go on as before
  expect_true("dose" %in% result$ranking$feature[1:2])
  again <- hetsel_rank(data$x, data$y, method = "rf10000", ntree = 200)
  expect_identical(result, again)
  other <- hetsel_rank(data$x, data$y, method = "rf10000", ntree = 200, seed = 1)
  expect_false(identical(result$ranking$importance, other$ranking$importance))
  expect_output(print(result), "random forest of R")
})

test_that("rf10000 takes missing cells and a factor of 92 levels", {
  k <- seq_len(400)
  x <- data.frame(
    town = factor(paste("town", (k * 37) %% 92)),
    noise = cos(k),
    gap = ifelse(k %% 7 == 0, NA, sin(k))
  )
  for (classes in 2:3) {
    y <- letters[1 + ((k * 37) %% 92) %% classes]
    for (missing in c("impute", "separate")) {
      expect_warning(
        result <- hetsel_rank(x, y, method = "rf10000", ntree = 100, missing = missing),
        "rarest are merged.* town .*92"
      )
      expect_identical(result$ranking$feature[1], "town")
      expect_identical(result$columns$levels, c(92L, 0L, 0L))
    }
  }
})

test_that("options of the forest are checked", {
  data <- mixed()
  expect_error(hetsel_rank(data$x, data$y, "rf10000", ntree = 0), "ntree must be a whole number")
  expect_error(hetsel_rank(data$x, data$y, "rf10000", ntree = 5, mtry = 8), "mtry .* 1..7. Got 8")
})

test_that("Python objects that R lets go of do no harm while Python calls R", {
  # reticulate 1.28 deletes them in R's garbage collection without holding Python's lock
  reticulate::py_run_string("class Gone:\n    def __del__(self): pass\n")
  for (k in 1:20) {
    reticulate::py_eval("Gone()", convert = FALSE)
  }
  session <- reticulate::import("r_bridge.to_r.session", convert = FALSE)
  session$call("function() gc()")
  expect_true(reticulate::py_available())
})

test_that("a call from another thread is refused, not fatal", {
  reticulate::py_run_string(paste(
    "import threading",
    "from r_bridge.to_r import session as hetsel_session",
    "hetsel_said = []",
    "def hetsel_try():",
    "    try:",
    "        hetsel_session.call('sum', 1.0)",
    "    except hetsel_session.RError as reason:",
    "        hetsel_said.append(str(reason))",
    "hetsel_thread = threading.Thread(target=hetsel_try)",
    "hetsel_thread.start()",
    "hetsel_thread.join()",
    sep = "\n"
  ))
  expect_match(reticulate::py_eval("hetsel_said[0]"), "in the main thread")
})

# Ctrl-C, pressed a number of times from within R just before the forest grows.
pressed <- function(presses, code) {
  forest <- reticulate::import("r_bridge.to_r.rf10000")$RF10000
  source <- forest$in_r
  press <- "  for (k in seq_len(%d)) tools::pskill(Sys.getpid(), tools::SIGINT)\n  forest <-"
  pressing <- sub("  forest <-", sprintf(press, presses), source, fixed = TRUE)
  reticulate::py_set_attr(forest, "in_r", pressing)
  on.exit(reticulate::py_set_attr(forest, "in_r", source))
  tryCatch(code, interrupt = identity)
}

test_that("a session survives Ctrl-C while the forest grows", {
  data <- mixed()
  data$x <- data$x[c("dose", "site")]
  set.seed(1)
  before <- .Random.seed
  sinks <- sink.number()
  ranked <- hetsel_rank(data$x, data$y, method = "rf10000", ntree = 20)
  for (presses in c(1, 3)) {
    # of a million trees, which take minutes
    got <- pressed(presses, hetsel_rank(data$x, data$y, method = "rf10000", ntree = 1e6))
    expect_s3_class(got, "interrupt")
  }
  expect_identical(.Random.seed, before)
  expect_identical(sink.number(), sinks)
  for (k in 1:3) {
    expect_identical(hetsel_rank(data$x, data$y, method = "rf10000", ntree = 20), ranked)
  }
  expect_s3_class(
    tryCatch(
      {
        press()
        Sys.sleep(60)
      },
      interrupt = identity
    ),
    "interrupt"
  )
})

test_that("Ctrl-C while Python computes is an interrupt, even if compiled code loses it", {
  data <- mixed()
  reticulate::py_run_string(paste(
    "import signal",
    "from hetsel.methods.registry import get_method",
    "hetsel_method = get_method('rfe-mkl')",
    "hetsel_select = hetsel_method._select",
    "def hetsel_lost(self, *args, **kwargs):",
    "    try:",
    "        signal.raise_signal(signal.SIGINT)",
    "    except KeyboardInterrupt:",
    "        pass",
    "    return hetsel_select(self, *args, **kwargs)",
    "def hetsel_turned(*args, **kwargs):",
    "    try:",
    "        signal.raise_signal(signal.SIGINT)",
    "    except KeyboardInterrupt:",
    "        raise SystemError('a result with an exception set')",
    sep = "\n"
  ))
  on.exit(reticulate::py_run_string("hetsel_method._select = hetsel_select"))
  for (way in c("hetsel_lost", "hetsel_turned")) {
    reticulate::py_run_string(paste("hetsel_method._select =", way))
    got <- tryCatch(hetsel_rank(data$x, data$y), interrupt = identity)
    expect_s3_class(got, "interrupt")
  }
  reticulate::py_run_string("hetsel_method._select = hetsel_select")
  expect_identical(hetsel_rank(data$x, data$y)$ranking$rank, 1:7)
})
