skip_if_not_installed("ggplot2")
skip_without_python()

# the data that a figure draws, layer by layer; drawn to a device, as faults show only there
drawn_by <- function(figure) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(print(figure))
  lapply(seq_along(figure$layers), function(k) ggplot2::layer_data(figure, k))
}

test_that("a ranking is bars, the best feature on top", {
  bars <- drawn_by(ggplot2::autoplot(ranked()))[[1]]
  expect_equal(bars$x[order(-bars$y)], ranked()$ranking$importance)
  expect_identical(nrow(drawn_by(ggplot2::autoplot(ranked(), top = 2))[[1]]), 2L)
  expect_error(ggplot2::autoplot(ranked(), top = 0), "top must be at least 1", class = "hetsel_error")
})

test_that("a search is its scores by size", {
  line <- drawn_by(ggplot2::autoplot(searched()))[[2]]
  expect_equal(line$y, searched()$path$score)
})

test_that("a signature is frequencies, effects or sizes", {
  bars <- drawn_by(ggplot2::autoplot(signed()))[[1]]
  expect_equal(bars$x[order(-bars$y)], signed()$frequency$frequency)
  sizes <- drawn_by(ggplot2::autoplot(signed(), "sizes"))[[2]]
  expect_equal(sizes$y, signed()$sizes$inner_auc)
  effects <- drawn_by(ggplot2::autoplot(flowers(), "effects"))
  expect_equal(sort(effects[[2]]$y), sort(flowers()$effects$effect_low))
  expect_error(ggplot2::autoplot(flowers()), "nothing to draw", class = "hetsel_error")
  expect_error(ggplot2::autoplot(flowers(), "sizes"), "nothing to draw", class = "hetsel_error")
})

test_that("levels and dates are named at the axis of their feature", {
  data <- mixed()
  found <- hetsel_select(
    data$x[c("site", "stage", "seen")], data$y,
    size = 3, folds = 3, repeats = 1, permutations = 0, pairs = 0
  )
  figure <- ggplot2::autoplot(found, "effects")
  drawn_by(figure)
  labels <- ggplot2::ggplot_build(figure)$layout$panel_params
  labels <- unlist(lapply(labels, function(panel) panel$x$get_labels()))
  expect_true(all(c("hip", "knee", "hand", "low", "mid", "high") %in% labels))
  expect_true(any(grepl("^2020-", labels)))
})

test_that("a study is curves, or mean ranks", {
  lines <- drawn_by(ggplot2::autoplot(compared()))[[2]]
  expect_equal(sort(lines$y), sort(compared()$summary$bcr))
  figure <- ggplot2::autoplot(compared(), "ranks", analysis = "all sizes")
  ranks <- compared()$ranks
  expected <- ranks$mean_rank[ranks$measure == "bcr" & ranks$analysis == "all sizes"]
  expect_equal(sort(drawn_by(figure)[[2]]$x), sort(expected))
  expect_error(ggplot2::autoplot(compared(), "ranks", "x"), "all sizes", class = "hetsel_error")
  expect_error(ggplot2::autoplot(compared(), measure = "x"), "kuncheva", class = "hetsel_error")
})

test_that("ggplot() takes a result as its table", {
  expect_identical(ggplot2::ggplot(ranked())$data, as.data.frame(ranked()))
  expect_identical(ggplot2::fortify(signed()), signed()$features)
})
