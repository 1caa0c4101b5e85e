library(testthat)
library(hetsel)

test_check("hetsel")
