library(hetsel)
plan <- list(
  name = "heart", seed = 1, datasets = "heart", sizes = c(1, 2, 3, 5, 8, 13),
  methods = c("rfe-mkl", "hfs-nb", "univariate-tests", "variance"),
  resamplings = list(kind = "k-fold", folds = 10, count = 50)
)
study <- hetsel_study(plan, "heart.sqlite", jobs = 2)
print(study)
plot(study)
hetsel_report(study, "report.html")
