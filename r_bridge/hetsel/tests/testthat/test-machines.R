skip_without_python()

labels_of <- function(y, positive) ifelse(y == positive, 1, -1)

# A table whose classes no machine can tell apart: the flaw of every seventh row.
tangled <- function() {
  data <- mixed()
  turned <- seq_along(data$y) %% 7 == 0
  data$y[turned] <- ifelse(data$y[turned] == "sick", "well", "sick")
  data
}

test_that("the support vector machine is at its optimum on the kernel made by hand", {
  data <- tangled()
  machine <- hetsel_svm(data$x, data$y, C = 2)
  kernel <- Reduce(`+`, kernels_by_hand(data$x)) / ncol(data$x)
  y <- labels_of(data$y, "well")
  beta <- machine$dual[, "well"]
  decision <- drop(kernel %*% beta) + machine$intercept[["well"]]
  expect_equal(predict(machine, data$x, "decision"), decision, tolerance = 1e-10)
  alpha <- beta * y
  expect_lt(abs(sum(beta)), 1e-9)
  expect_true(all(alpha > -1e-12 & alpha < 2 + 1e-12))
  margin <- y * decision
  expect_true(all(margin[alpha < 1e-9] > 1 - 1e-5))
  expect_true(all(margin[alpha > 2 - 1e-9] < 1 + 1e-5))
  free <- alpha > 1e-9 & alpha < 2 - 1e-9
  expect_gt(sum(free), 3)
  expect_lt(max(abs(margin[free] - 1)), 1e-5)
  expect_identical(machine$features$weight, rep(1 / 7, 7))
})

test_that("weights and gap of multiple kernel learning follow from the kernels made by hand", {
  data <- tangled()
  for (q in c(1.5, 2)) {
    machine <- hetsel_mkl(data$x, data$y, C = 0.5, q = q)
    weight <- machine$features$weight
    expect_equal(sum(weight^q), 1, tolerance = 1e-9)
    kernels <- kernels_by_hand(data$x)
    y <- labels_of(data$y, "well")
    beta <- machine$dual[, 1]
    energy <- vapply(kernels, function(k) sum(beta * k %*% beta), 0)
    decision <- drop(Reduce(`+`, Map(`*`, kernels, weight)) %*% beta) + machine$intercept
    primal <- sum(weight * energy) / 2 + 0.5 * sum(pmax(1 - y * decision, 0))
    dual <- sum(beta * y) - sum(energy^(q / (q - 1)))^((q - 1) / q) / 2
    expect_lt((primal - dual) / primal, 1e-3)
    expect_lt(machine$gap, 1e-3)
    expect_gte(primal - dual, -1e-9)
    expect_equal(primal, machine$trace$objective[nrow(machine$trace)], tolerance = 1e-3)
  }
})

# What the pieces of coef() add up to, by features as the table has them.
added_up <- function(machine, x, class) {
  pieces <- coef(machine)
  total <- rep(machine$intercept[[class]], nrow(x))
  for (feature in names(x)) {
    own <- pieces[pieces$feature == feature & pieces$class == class, ]
    cells <- x[[feature]]
    if (all(nzchar(own$level))) {
      cells <- if (is.logical(cells)) as.character(cells) else cells
      total <- total + own$effect_low[match(as.character(cells), own$level)]
    } else {
      at <- c(own$low, own$high)
      effect <- c(own$effect_low, own$effect_high)
      total <- total + stats::approx(at, effect, as.numeric(cells), ties = "ordered")$y
    }
  }
  total
}

test_that("the curves of coef() and the intercept add up to the decision values", {
  data <- tangled()
  machine <- hetsel_mkl(data$x, data$y)
  expect_equal(
    added_up(machine, data$x, "well"), predict(machine, data$x, "decision"), tolerance = 1e-7
  )
  flowers <- hetsel_svm(Species ~ ., iris)
  decision <- predict(flowers, iris, "decision")
  expect_identical(colnames(decision), levels(iris$Species))
  for (class in levels(iris$Species)) {
    expect_equal(added_up(flowers, iris[-5], class), decision[, class], tolerance = 1e-7)
  }
  largest <- levels(iris$Species)[apply(decision, 1, which.max)]
  expect_identical(as.character(predict(flowers, iris)), largest)
})

test_that("a machine holds plain values and predicts after it was saved", {
  data <- tangled()
  machine <- hetsel_svm(y ~ log(age) + site + dose, cbind(data$x, y = data$y))
  expect_false(any(rapply(unclass(machine), typeof, how = "unlist") == "environment"))
  file <- tempfile(fileext = ".rds")
  saveRDS(machine, file)
  again <- readRDS(file)
  new <- data$x[c("dose", "age", "site")]
  expect_identical(predict(again, new), predict(machine, new))
  expect_s3_class(predict(again, new), "factor")
  expect_identical(levels(predict(again, new)), c("sick", "well"))
  expect_identical(deparse(formula(machine)), "y ~ log(age) + site + dose")
  expect_error(predict(machine, new["age"]), "lacks site, dose", class = "hetsel_error")
  expect_identical(names(update(machine, C = 1)$options), names(machine$options))
})

test_that("weights of rows and of classes multiply C", {
  data <- tangled()
  doubled <- hetsel_svm(data$x, data$y, C = 2)
  weighted <- hetsel_svm(data$x, data$y, C = 1, row_weights = rep(2, 60))
  expect_equal(weighted$dual, doubled$dual, tolerance = 1e-8)
  by_class <- hetsel_svm(data$x, data$y, C = 1, class_weight = c(sick = 2, well = 2))
  expect_equal(by_class$dual, doubled$dual, tolerance = 1e-8)
  expect_identical(by_class$changed, c("C", "class_weight"))
})

test_that("machines print, are summed up and drawn", {
  data <- tangled()
  machine <- hetsel_mkl(data$x, data$y)
  expect_output(print(machine), "relative duality gap")
  expect_output(print(summary(machine)), "Effects on the decision value")
  pdf(NULL)
  on.exit(dev.off())
  drawn <- plot(machine, top = 2)
  expect_length(unique(drawn$feature), 2)
  expect_identical(as.data.frame(machine), machine$features)
})

test_that("what no machine takes is refused", {
  data <- tangled()
  wrong <- function(...) tryCatch(hetsel_svm(...), hetsel_error = identity)
  expect_identical(wrong(data$x, data$y, C = -1)$argument, "C")
  expect_match(conditionMessage(wrong(data$x, data$y, q = 2)), "hetsel_svm has no argument q")
  expect_match(conditionMessage(wrong(data$x)), "y is missing")
  expect_error(hetsel_mkl(data$x, data$y, q = 0.5), "q must be at least 1", class = "hetsel_error")
  expect_error(hetsel_mkl(data$x, data$y, class_weight = "even"), class = "hetsel_error")
  machine <- hetsel_svm(data$x, data$y)
  expect_error(predict(machine), "newdata is missing", class = "hetsel_error")
  machine$model <- "{}"
  expect_error(predict(machine, data$x), "object.model", class = "hetsel_error")
})
