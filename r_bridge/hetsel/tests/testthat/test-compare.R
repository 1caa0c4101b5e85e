skip_without_python()

# Scores of four methods on nine data sets, without ties.
scores <- function() {
  k <- 1:9
  cbind(
    best = 0.9 + sin(k) / 30, good = 0.87 + sin(2 * k) / 25, fair = 0.82 + cos(k) / 20,
    poor = 0.7 + cos(3 * k) / 20
  )
}

test_that("Friedman's test is that of R, and Iman and Davenport's F follows from it", {
  given <- scores()
  found <- hetsel_compare(given)
  expected <- stats::friedman.test(given)
  expect_equal(found$tests$chi2, unname(expected$statistic))
  expect_equal(found$tests$pvalue, expected$p.value)
  f <- 8 * found$tests$chi2 / (9 * 3 - found$tests$chi2)
  expect_equal(found$tests$f, f)
  expect_equal(found$tests$f_pvalue, stats::pf(f, 3, 24, lower.tail = FALSE))
  ranks <- colMeans(t(apply(-given, 1, rank)))
  expect_equal(found$ranks$mean_rank, unname(ranks))
  expect_identical(found$ranks$method, colnames(given))
})

test_that("pairs are those of ptukey() and of wilcox.test() with Holm's correction", {
  given <- scores()
  found <- hetsel_compare(given)
  apart <- found$pairs$difference / sqrt(4 * 5 / (6 * 9))
  nemenyi <- stats::ptukey(apart * sqrt(2), 4, Inf, lower.tail = FALSE)
  expect_equal(
    found$pairs$nemenyi, pmax(nemenyi, found$tests$permutation_pvalue), tolerance = 1e-6
  )
  expect_equal(
    found$tests$critical_difference, stats::qtukey(0.95, 4, Inf) / sqrt(2) * sqrt(20 / 54),
    tolerance = 1e-6
  )
  alone <- mapply(function(one, other) {
    stats::wilcox.test(given[, one], given[, other], paired = TRUE, exact = TRUE)$p.value
  }, found$pairs$better, found$pairs$worse)
  expect_equal(found$pairs$wilcoxon_holm, unname(stats::p.adjust(alone, "holm")))
  expect_identical(found$pairs$differs, found$pairs$nemenyi <= 0.05)
  for (k in unique(found$groups$group)) {
    own <- found$groups$method[found$groups$group == k]
    inside <- found$pairs$better %in% own & found$pairs$worse %in% own
    expect_false(any(found$pairs$differs[inside]))
  }
})

test_that("all orders of few data sets give the p-value by permutations", {
  given <- cbind(a = c(3, 3, 2), b = c(2, 2, 3), c = c(1, 1, 1))
  orders <- rbind(c(1, 2, 3), c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), c(3, 2, 1))
  every <- expand.grid(1:6, 1:6, 1:6)
  spread <- apply(every, 1, function(k) sum(colSums(orders[k, ])^2))
  observed <- sum(colSums(t(apply(-given, 1, rank)))^2)
  expect_equal(hetsel_compare(given)$tests$permutation_pvalue, mean(spread >= observed))
})

test_that("three probabilities add up to one and turn round with the direction", {
  given <- scores()
  found <- hetsel_compare(given)
  three <- found$bayesian[c("one_better", "equivalent", "other_better")]
  expect_equal(rowSums(three), rep(1, 6), ignore_attr = TRUE)
  expect_equal(
    found$bayesian$difference,
    mapply(function(a, b) mean(given[, a] - given[, b]), found$bayesian$one, found$bayesian$other),
    ignore_attr = TRUE
  )
  expect_true(all(is.na(found$bayesian$dataset)))
  errors <- hetsel_compare(1 - given, larger_is_better = FALSE)
  expect_equal(errors$bayesian, found$bayesian)
  expect_identical(errors$pairs, found$pairs)
  expect_equal(hetsel_compare(given, rope = 1)$bayesian$equivalent, rep(1, 6))
  expect_identical(nrow(hetsel_compare(given[1:5, ])$bayesian), 0L)
})

test_that("a data frame may name its data sets, and may lack a method somewhere", {
  given <- scores()
  frame <- data.frame(dataset = letters[1:9], given)
  expect_identical(hetsel_compare(frame), hetsel_compare(given))
  given[2, 1] <- NA
  found <- hetsel_compare(given)
  expect_identical(found$tests$gaps, 1L)
  expect_true(is.na(found$tests$critical_difference))
  expect_output(print(found), "Skillings-Mack")
})

test_that("what cannot be compared is refused or says why", {
  wrong <- function(x, ...) conditionMessage(tryCatch(hetsel_compare(x, ...), error = identity))
  expect_match(wrong(1:3), "x must be a study, or a numeric table of scores")
  expect_match(wrong(scores()[1, , drop = FALSE]), "2 data sets .* 2 methods")
  expect_match(wrong(data.frame(set = "a", m = "b", n = 1)), "'m' .* numeric")
  expect_match(wrong(cbind(a = c(1, Inf), b = 1:2)), "needs a score")
  expect_match(wrong(scores(), rope = -1), "rope")
  expect_match(wrong(scores(), alpha = 0.1), "has no argument alpha")
  expect_match(wrong(`colnames<-`(scores(), c("a", "a", "b", "c"))), "different names")
  alike <- hetsel_compare(cbind(a = 1:4, b = 1:4))
  expect_match(alike$tests$reason, "tie in every block")
  expect_output(print(alike), "no test: all methods tie")
})

test_that("the diagram joins the groups, each on a level that no other touches", {
  found <- hetsel_compare(scores())
  pdf(NULL)
  on.exit(dev.off())
  drawn <- plot(found)
  expect_false(is.unsorted(drawn$mean_rank))
  ranks <- data.frame(method = letters[1:4], mean_rank = c(1, 2, 3, 4))
  groups <- data.frame(method = c("a", "b", "b", "c", "c", "d"), group = c(1, 1, 2, 2, 3, 3))
  lines <- hetsel:::group_lines(ranks, groups)
  expect_identical(lines$low, c(1, 2, 3))
  expect_identical(lines$high, c(2, 3, 4))
  expect_identical(lines$level, c(1L, 2L, 1L))
  expect_error(plot(found, measure = "auc"), "measure must be one of score", class = "hetsel_error")
})

test_that("a study is compared by the tests and probabilities of its report", {
  study <- hetsel_study(small_plan(resamplings = 10), new_store(), jobs = 0, data = own_table())
  found <- hetsel_compare(study)
  expect_identical(found$bayesian, study$bayesian_pairs)
  expect_identical(found$found, study$found)
  expect_setequal(found$tests$analysis, c("all sizes", "own size", "one size"))
  expect_setequal(found$tests$measure, c("BCR", "KI"))
  expect_setequal(found$ranks$method, c("rfe-mkl", "hfs-nb"))
  by_auc <- hetsel_compare(study, score = "auc")
  expect_true("AUC" %in% by_auc$tests$measure)
  expect_error(hetsel_compare(study, score = "r2"), "score must be one of", class = "hetsel_error")
  pdf(NULL)
  on.exit(dev.off())
  expect_identical(plot(found, "BCR", "one size")$analysis, rep("one size", 2))
  expect_error(plot(found, analysis = "none"), "analysis must be one of", class = "hetsel_error")

  stable <- hetsel_stability(study)
  summary <- study$summary[study$summary$classifier == study$classifiers[1], ]
  place <- function(x) paste(x$dataset, x$method, x$size)
  expect_setequal(place(stable), place(summary))
  expect_equal(stable$kuncheva, summary$kuncheva[match(place(stable), place(summary))])
  study$digest <- "another"
  expect_warning(hetsel_stability(study), "other results", class = "hetsel_warning")
})

test_that("the methods of a study are compared by any of its judges", {
  plan <- list(
    name = "two judges", datasets = "heart", methods = c("hsic", "cmim"), sizes = c(1, 3),
    resamplings = 4, classifiers = c("naive-bayes", "5nn")
  )
  study <- hetsel_study(plan, tempfile(fileext = ".sqlite"), progress = FALSE)
  by_judge <- lapply(plan$classifiers, function(judge) hetsel_compare(study, classifier = judge))
  expect_identical(hetsel_compare(study)$ranks, by_judge[[1]]$ranks)
  means <- tapply(study$scores$bcr, study$scores[c("classifier", "method")], mean)
  for (judge in plan$classifiers) {
    ranks <- hetsel_compare(study, classifier = judge)$ranks
    expect_setequal(ranks$method, colnames(means))
  }
  expect_error(
    hetsel_compare(study, classifier = "svm"), "classifier must be one of naive-bayes, 5nn"
  )
})
