library(testthat)
library(hetsel)

found <- test_check("hetsel")
# the closing line counts warnings, and does not say them
for (test in found) {
  for (one in Filter(function(result) inherits(result, "expectation_warning"), test$results)) {
    cat("warning in", test$file, "|", test$test, "|", conditionMessage(one), "\n")
  }
}
