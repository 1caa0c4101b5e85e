# Rscript nestedcv.R FILE TARGET ALPHAS [LIBRARY]: one 10 x 10 nested cross-validation by nestedcv.
#
# TARGET is a column, or "time,event"; ALPHAS is "default" (ten of them) or numbers with commas.
# Factors become indicator columns by its one_hot, all else is its default, of one process. Prints
# its score and the columns of the final model as JSON.

given <- commandArgs(TRUE)
if (length(given) > 3) {
  .libPaths(c(given[4], .libPaths()))
  # what a library without an installation holds beside its packages
  for (path in list.files(file.path(given[4], "sys"), "[.]so", full.names = TRUE)) try(dyn.load(path, FALSE), TRUE)
}
suppressWarnings(suppressPackageStartupMessages(library(nestedcv)))
frame <- read.csv(given[1], check.names = FALSE, stringsAsFactors = TRUE)
target <- strsplit(given[2], ",")[[1]]
x <- one_hot(frame[!names(frame) %in% target], all_levels = FALSE)
y <- if (length(target) == 2) cbind(time = frame[[target[1]]], status = frame[[target[2]]]) else frame[[target]]
family <- if (is.matrix(y)) "cox" else if (is.numeric(y)) "gaussian" else if (nlevels(y) == 2) "binomial" else "multinomial"
alphas <- if (given[3] == "default") eval(formals(nestcv.glmnet)$alphaSet) else as.numeric(strsplit(given[3], ",")[[1]])
set.seed(1)
fit <- nestcv.glmnet(y, x, family = family, alphaSet = alphas, n_outer_folds = 10, n_inner_folds = 10, cv.cores = 1)
coefficients <- coef(fit$final_fit, s = unname(fit$final_param["lambda"]))
if (!is.list(coefficients)) coefficients <- list(coefficients)
kept <- unlist(lapply(coefficients, function(b) rownames(b)[as.vector(b != 0)]))
scores <- if (family %in% c("binomial", "multinomial")) fit$summary$metrics else unclass(fit$summary)
score <- scores[[c(binomial = "AUC", multinomial = "Multiclass AUC", gaussian = "R.squared", cox = "C-index")[[family]]]]
kept <- length(setdiff(unique(kept), "(Intercept)"))
cat(sprintf('{"score": %.4f, "size": %d, "columns": %d}\n', score, kept, ncol(x)))
