library(hetsel)
ranking <- hetsel_rank(`diameter narrowing` ~ ., heart)
path <- hetsel_search(`diameter narrowing` ~ ., heart, search = "dos", ties = 0.01)
found <- hetsel_select(
  `diameter narrowing` ~ ., heart,
  size = 4, folds = 5, repeats = 1, permutations = 0, pairs = 25
)
plan <- list(
  name = "one", seed = 1, datasets = "heart", resamplings = 20,
  methods = c("rfe-mkl", "rfe-svm", "hfs-nb", "univariate-tests")
)
study <- hetsel_study(plan, "one.sqlite", jobs = 2)
later <- 201:303
first <- hetsel_select(
  `diameter narrowing` ~ ., heart[-later, ],
  size = 4, folds = 5, repeats = 1, permutations = 0, pairs = 0
)
validation <- hetsel_validate(first, heart[later, ])
rows <- hetsel_plan_rows(candidates = 24, prevalence = 0.174, c_statistic = 0.89, width = 0.1)
scores <- cbind(
  a = 9:2, b = c(8, 9, 6, 5, 4, 3, 2, 1), c = 8:1 / 2, d = c(1, 2, 3, 1, 2, 3, 1, 2)
)

# %% A ranking
plot(ranking)

# %% A search over subsets
plot(path)

# %% Selection frequency in half-samples
# A star marks the signature. Beyond the dashed line at most one false selection is expected.
plot(found)

# %% Effect of each feature
plot(found, "effects")

# %% Inner score of each size
chosen <- hetsel_select(
  `diameter narrowing` ~ ., heart,
  folds = 5, repeats = 1, permutations = 0, pairs = 0
)
plot(chosen, "sizes")

# %% Validation on other rows
# The performance on the new rows, and below each measure its estimate in training.
plot(validation)

# %% Calibration on other rows
plot(validation, "calibration")

# %% Decision curve on other rows
plot(validation, "decision")

# %% Rows for a study
# The number of rows that each criterion requires.
plot(rows)

# %% Performance by size
plot(study)

# %% Stability by size
plot(study, measure = "kuncheva")

# %% Effects of a model on all columns
machine <- hetsel_svm(`diameter narrowing` ~ ., heart)
plot(machine)

# %% Mean ranks with the critical difference
plot(hetsel_compare(scores))
