# Made from hetsel/questions by `make options`: do not edit.

questions <- list(
  plan_rows = alist(
    candidates = NULL,
    prevalence = NULL,
    c_statistic = NULL,
    r2 = NULL,
    nagelkerke_r2 = NULL,
    event_rate = NULL,
    follow_up = NULL,
    horizon = NULL,
    mean = NULL,
    deviation = NULL,
    shrinkage = 0.9,
    optimism = 0.05,
    margin = 0.05,
    width = NULL,
    rate = NULL,
    find_effect = NULL,
    effect_kind = "continuous",
    repeats = 10,
    plantings = 40
  )
)
