skip_without_python()

# what a figure draws, on a device, as faults show only there
quietly <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  code
}

train <- seq_len(nrow(heart)) %% 3 > 0
found <- hetsel_select(
  `diameter narrowing` ~ ., heart[train, ],
  method = "rfe-svm", size = 3, folds = 3, repeats = 1, permutations = 0, pairs = 0
)
checked <- hetsel_validate(found, heart[!train, ])

test_that("calibration is the curve of the positive class", {
  for (x in list(found, checked)) {
    drawn <- quietly(plot(x, "calibration"))
    curve <- x$probabilities$curve
    expect_equal(drawn$x, curve$probability)
    expect_equal(drawn[c("y", "low", "high")], curve[c("observed", "low", "high")],
      ignore_attr = TRUE
    )
  }
})

test_that("a decision curve has the model, treat all and treat none", {
  drawn <- quietly(plot(checked, "decision"))
  curve <- checked$probabilities$decision
  expect_identical(unique(drawn$line), c("model", "treat all", "treat none"))
  expect_equal(drawn$y[drawn$line == "model"], curve$model)
  expect_equal(drawn$y[drawn$line == "treat all"], curve$all)
  expect_true(all(drawn$y[drawn$line == "treat none"] == 0))
  # treat all: prevalence less what is treated without need, at the odds of the threshold
  share <- mean(heart[!train, "diameter narrowing"] == checked$probabilities$calibration$class)
  odds <- curve$threshold / (1 - curve$threshold)
  expect_equal(curve$all, share - (1 - share) * odds, tolerance = 1e-4) # facts have five digits
})

test_that("performance names sensitivity and specificity, and what was estimated before", {
  drawn <- quietly(plot(found, "performance"))
  expect_identical(drawn$label, c("balanced accuracy", "specificity", "sensitivity", "AUC"))
  expect_equal(drawn$y, found$performance$estimate)
  both <- quietly(plot(checked))
  expect_identical(nrow(both), 8L)
  expect_equal(both$y, c(checked$performance$estimate, found$performance$estimate))
  three <- quietly(plot(flowers(), "performance"))
  expect_identical(three$label[2:4], paste("recall of", levels(iris$Species)))
})

test_that("a plan is a curve, criteria or a chance to find", {
  plan <- hetsel_plan_rows(candidates = 24, prevalence = 0.174, c_statistic = 0.89, width = 0.1)
  expect_equal(quietly(plot(plan))$rows, plan$criteria$rows)
  expect_error(plot(plan, "curve"), "nothing to draw", class = "hetsel_error")
  own <- heart[-ncol(heart)]
  plan <- hetsel_plan_rows(own, heart[[ncol(heart)]],
    method = "rfe-svm", folds = 3, repeats = 2, find_effect = 0.5, plantings = 2, jobs = 1
  )
  expect_equal(quietly(plot(plan))$y, plan$band$estimate)
  expect_equal(quietly(plot(plan, "found"))$y, plan$found$proportion)
})

test_that("what is not there cannot be drawn", {
  expect_error(plot(checked, "x"), "calibration", class = "hetsel_error")
  expect_error(plot(checked, "decision", class = "x"), "one of 1", class = "hetsel_error")
})

test_that("ggplot2 draws the same", {
  skip_if_not_installed("ggplot2")
  layers <- function(figure) {
    quietly({
      print(figure)
      lapply(seq_along(figure$layers), function(k) ggplot2::layer_data(figure, k))
    })
  }
  heights <- function(figure) unlist(lapply(layers(figure), `[[`, "y"))
  curve <- checked$probabilities$curve
  expect_true(all(curve$observed %in% heights(ggplot2::autoplot(checked, "calibration"))))
  net <- checked$probabilities$decision$model
  expect_true(all(net %in% heights(ggplot2::autoplot(checked, "decision"))))
  bars <- layers(ggplot2::autoplot(checked))[[1]]
  expect_setequal(bars$x, c(checked$performance$estimate, found$performance$estimate))
  plan <- hetsel_plan_rows(candidates = 24, prevalence = 0.174, c_statistic = 0.89)
  expect_setequal(layers(ggplot2::autoplot(plan))[[1]]$x, plan$criteria$rows)
})

test_that("long names are shortened in the middle and stay different", {
  names <- c(strrep("a", 40), paste0(strrep("a", 39), "b"))
  short <- hetsel:::cut_off(names, 20)
  expect_identical(nchar(short), c(20L, 20L))
  expect_false(short[1] == short[2])
  expect_identical(hetsel:::cut_off("age", 20), "age")
})
