# Methods of R and a function of R beside hetsel's own, in one study from R: Cleveland's heart table
# and mlbench's Pima Indians. `Rscript tests/arena/campaigns/r_methods.R [FOLDER]` prints the study, what it
# found, and the seconds of each method; the store and the report go into the folder, by default a
# temporary one. It needs randomForest, ranger, party, mlbench and Boruta.

library(hetsel)

# The order in which logistic regression takes the features, by the least AIC of each step.
forward_aic <- function(x, y, sizes) {
  chosen <- character()
  while (length(chosen) < length(x)) {
    left <- setdiff(names(x), chosen)
    aic <- vapply(left, function(name) {
      suppressWarnings(AIC(glm(y ~ ., "binomial", data.frame(y = y, x[c(chosen, name)]))))
    }, 0)
    chosen <- c(chosen, left[which.min(aic)])
  }
  chosen
}

folder <- commandArgs(TRUE)
folder <- if (length(folder)) folder[1] else tempfile("r-methods-")
dir.create(folder, showWarnings = FALSE)
data("PimaIndiansDiabetes2", package = "mlbench")
pima <- PimaIndiansDiabetes2

study <- hetsel_study(
  list(
    name = "methods of R",
    datasets = c("heart", "pima"),
    methods = list(
      "rfe-mkl", list(key = "rf10000", params = list(ntree = 500)), "ranger", "boruta", "cforest",
      hetsel_method(forward_aic)
    ),
    resamplings = 10,
    seed = 1
  ),
  data = list(pima = list(x = pima[names(pima) != "diabetes"], y = pima$diabetes)),
  store = file.path(folder, "r_methods.sqlite"),
  time_limit = 600
)
options(width = 100)
print(summary(study))
cat("\nSeconds of a ranking:\n")
print(round(tapply(
  study$scores$rank_seconds, study$scores[c("method", "dataset")], mean
), 2))
hetsel_report(study, file.path(folder, "r_methods.html"))
stopifnot(study$status$failed == 0, study$status$finished == 120)
