# Made from hetsel/questions by `make options`: do not edit.

questions <- list(
  rank = alist(
    method = "rfe-mkl", size = NULL, ... =, target_kind = NULL, nominal = NULL, continuous = NULL,
    ordinal = NULL, row_groups = NULL, scale = "range", never = NULL, column_groups = NULL,
    costs = NULL, budget = NULL, params = list(), always = NULL, unsupported = "error",
    row_weights = NULL, missing = "impute", seed = 0
  ),
  search = alist(
    search = "sffs", criterion = "5nn", size = NULL, ... =, target_kind = NULL, nominal = NULL,
    continuous = NULL, ordinal = NULL, row_groups = NULL, scale = "range", folds = NULL,
    repeats = NULL, rate = NULL, sample = NULL, count = 1, early_stopping = FALSE, depth = NULL,
    ties = NULL, voting = NULL, hybrid = NULL, prefilter = "mutual-information", never = NULL,
    column_groups = NULL, costs = NULL, budget = NULL, always = NULL, max_seconds = NULL,
    max_evaluations = NULL, archive = NULL, missing = "impute", seed = 0
  ),
  select = alist(
    method = "rfe-mkl", size = NULL, ... =, target_kind = NULL, nominal = NULL, continuous = NULL,
    ordinal = NULL, row_groups = NULL, scale = "range", never = NULL, column_groups = NULL,
    costs = NULL, budget = NULL, params = list(), always = NULL, unsupported = "error", C = NULL,
    folds = NULL, repeats = NULL, permutations = NULL, pairs = NULL, positive = NULL,
    unseen = "error", quick = FALSE, progress = interactive(), row_weights = NULL,
    prevalence = NULL, thresholds = NULL, harm_ratio = NULL, by = NULL, missing = "impute",
    seed = 0, jobs = 1
  ),
  validate = alist(
    row_groups = NULL, row_weights = NULL, seen = "error", prevalence = NULL, thresholds = NULL,
    harm_ratio = NULL, by = NULL
  ),
  plan_rows = alist(
    candidates = NULL, prevalence = NULL, c_statistic = NULL, r2 = NULL, nagelkerke_r2 = NULL,
    event_rate = NULL, follow_up = NULL, horizon = NULL, mean = NULL, deviation = NULL,
    shrinkage = 0.9, optimism = 0.05, margin = 0.05, width = NULL, rate = NULL, find_effect = NULL,
    effect_kind = "continuous", repeats = 10, plantings = 40
  ),
  planned_signature = alist(
    method = "rfe-mkl", size = NULL, never = NULL, column_groups = NULL, costs = NULL,
    budget = NULL, params = list(), always = NULL, unsupported = "error", positive = NULL,
    folds = 5, target_kind = NULL, nominal = NULL, continuous = NULL, ordinal = NULL,
    scale = "range", missing = "impute", seed = 0, jobs = 1
  ),
  study = alist(
    plan =, store = NULL, jobs = 1, part = NULL, time_limit = NULL, dask = NULL, retry = FALSE,
    anew = NULL, progress = interactive()
  ),
  merge = alist(stores =, into =, progress = interactive())
)

types <- c(
  target_kind = "word", scale = "word", missing = "word", search = "word", criterion = "words",
  folds = "number", repeats = "number", rate = "word", sample = "number or word", count = "number",
  early_stopping = "flag", depth = "number", ties = "numbers", voting = "word", hybrid = "number",
  prefilter = "word", max_seconds = "number", max_evaluations = "number", C = "number",
  permutations = "number", pairs = "number", unseen = "word", quick = "flag", progress = "flag",
  thresholds = "numbers", harm_ratio = "number", jobs = "number", seen = "word"
)
