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
    costs = NULL, budget = NULL, params = list(), always = NULL, unsupported = "error",
    positive = NULL, folds = NULL, repeats = NULL, permutations = NULL, quick = FALSE, C = NULL,
    pairs = NULL, unseen = "error", progress = interactive(), row_weights = NULL, prevalence = NULL,
    cost_of_missing = NULL, thresholds = NULL, by = NULL, missing = "impute", seed = 0, jobs = 1
  ),
  validate = alist(
    row_groups = NULL, row_weights = NULL, seen = "error", prevalence = NULL,
    cost_of_missing = NULL, thresholds = NULL, by = NULL
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
  merge = alist(
    stores =, into =, progress = interactive()
  )
)

types <- list(
  rank = c(
    method = "word", size = "number", target_kind = "word", nominal = "columns",
    continuous = "columns", ordinal = "columns", row_groups = "perrow", scale = "word",
    never = "columns", column_groups = "columns", costs = "costs", budget = "number",
    params = "params", always = "columns", unsupported = "word", row_weights = "perrow",
    missing = "word", seed = "number"
  ),
  search = c(
    search = "word", criterion = "words", size = "number", target_kind = "word",
    nominal = "columns", continuous = "columns", ordinal = "columns", row_groups = "perrow",
    scale = "word", folds = "number", repeats = "number", rate = "word", sample = "number or word",
    count = "number", early_stopping = "flag", depth = "number", ties = "numbers", voting = "word",
    hybrid = "number", prefilter = "word", never = "columns", column_groups = "columns",
    costs = "costs", budget = "number", always = "columns", max_seconds = "number",
    max_evaluations = "number", archive = "file", missing = "word", seed = "number"
  ),
  select = c(
    method = "word", size = "number or word", target_kind = "word", nominal = "columns",
    continuous = "columns", ordinal = "columns", row_groups = "perrow", scale = "word",
    never = "columns", column_groups = "columns", costs = "costs", budget = "number",
    params = "params", always = "columns", unsupported = "word", positive = "label",
    folds = "number", repeats = "number", permutations = "number", quick = "flag", C = "number",
    pairs = "number", unseen = "word", progress = "flag", row_weights = "perrow",
    prevalence = "number or shares", cost_of_missing = "number", thresholds = "numbers",
    by = "columns", missing = "word", seed = "number", jobs = "number"
  ),
  validate = c(
    row_groups = "perrow", row_weights = "perrow", seen = "word", prevalence = "number or shares",
    cost_of_missing = "number", thresholds = "numbers", by = "columns"
  ),
  plan_rows = c(
    candidates = "number", prevalence = "numbers", c_statistic = "number", r2 = "number",
    nagelkerke_r2 = "number", event_rate = "number", follow_up = "number", horizon = "number",
    mean = "number", deviation = "number", shrinkage = "number", optimism = "number",
    margin = "number", width = "number", rate = "number", find_effect = "number",
    effect_kind = "word", repeats = "number", plantings = "number"
  ),
  planned_signature = c(
    method = "word", size = "number or word", never = "columns", column_groups = "columns",
    costs = "costs", budget = "number", params = "params", always = "columns", unsupported = "word",
    positive = "label", folds = "number", target_kind = "word", nominal = "columns",
    continuous = "columns", ordinal = "columns", scale = "word", missing = "word", seed = "number",
    jobs = "number"
  ),
  study = c(
    plan = "file", store = "file", jobs = "number", part = "word", time_limit = "number",
    dask = "word", retry = "flag", anew = "texts", progress = "flag"
  ),
  merge = c(
    stores = "texts", into = "file", progress = "flag"
  )
)
