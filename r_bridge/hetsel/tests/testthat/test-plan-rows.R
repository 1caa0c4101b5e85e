skip_without_python()

test_that("without a table the criteria are those of pmsampsize", {
  binary <- hetsel_plan_rows(candidates = 24, prevalence = 0.174, r2 = 0.288)
  expect_s3_class(binary, "hetsel_row_plan")
  expect_identical(binary$criteria$rows, c(623L, 662L, 221L))
  expect_identical(binary$rows, 662L)
  survival <- hetsel_plan_rows(
    candidates = 30, event_rate = 0.065, follow_up = 2.07, horizon = 2, r2 = 0.051
  )
  expect_identical(survival$criteria$rows[1:2], c(5143L, 1039L))
  numbers <- hetsel_plan_rows(candidates = 25, r2 = 0.2, mean = 1.9, deviation = 0.6)
  expect_identical(numbers$criteria$rows[1:3], c(918L, 401L, 259L))
  classes <- hetsel_plan_rows(candidates = 17, prevalence = c(1, 2, 3) / 6, nagelkerke_r2 = 0.15)
  expect_identical(classes$criteria$rows[1:2], c(2660L, 714L))
})

test_that("a plan is printed and its criteria are a data frame", {
  plan <- hetsel_plan_rows(candidates = 24, prevalence = 0.174, c_statistic = 0.89, width = 0.1)
  expect_output(print(plan), "^SAMPLE SIZE: 1,337 rows")
  expect_identical(as.data.frame(plan), plan$criteria)
  expect_identical(nrow(plan$points), 0L)
  expect_identical(unserialize(serialize(plan, NULL)), plan)
})

test_that("with a table there is a curve, and what is out of reach has no number", {
  women <- infert[c("age", "parity", "education", "spontaneous")]
  plan <- hetsel_plan_rows(women, infert$case == 1,
    method = "rfe-svm", row_groups = infert$stratum, folds = 3, repeats = 2, rate = 0.99,
    find_effect = 0.5, plantings = 3, jobs = 1, progress = TRUE
  )
  expect_identical(plan$points$rows[nrow(plan$points)], nrow(infert))
  expect_true(all(plan$band$low <= plan$band$estimate & plan$band$estimate <= plan$band$high))
  expect_identical(nrow(plan$found), 4L)
  expect_true(is.na(plan$criteria$rows[plan$criteria$purpose == "rate"]))
  expect_true(is.na(plan$rate$rows) && !is.nan(plan$rate$rows))
  expect_output(print(plan), "at least")
})

test_that("what cannot be planned is refused with the argument", {
  expect_error(hetsel_plan_rows(), "candidates", class = "hetsel_error")
  expect_error(
    hetsel_plan_rows(candidats = 5), "no argument candidats. Did you mean 'candidates'",
    class = "hetsel_error"
  )
  expect_error(hetsel_plan_rows(candidates = "a"), "candidates", class = "hetsel_error")
  expect_error(hetsel_plan_rows(y = 1:3), "y needs a table x", class = "hetsel_error")
  expect_error(
    hetsel_plan_rows(candidates = 3, prevalence = "half"), "prevalence", class = "hetsel_error"
  )
  expect_error(
    hetsel_plan_rows(candidates = 3, prevalence = 0.1, r2 = 0.7), "below 0.478",
    class = "hetsel_error"
  )
  expect_error(
    hetsel_plan_rows(candidates = 3, prevalence = 0.1, r2 = 0.1, find_effect = 1), "needs a table",
    class = "hetsel_error"
  )
  expect_error(
    hetsel_plan_rows(case ~ age, candidates = 3), "Got a formula",
    class = "hetsel_error"
  )
})

test_that("with survival times a feature is found by its hazard ratio", {
  skip_if_not_installed("survival")
  cases <- survival::veteran
  times <- survival::Surv(cases$time, cases$status)
  plan <- hetsel_plan_rows(cases[c("trt", "karno", "age")], times,
    method = "univariate-tests", folds = 3, repeats = 2, find_effect = 1, plantings = 3, size = 2
  )
  expect_gt(plan$found$proportion[4], 0.5)
})
