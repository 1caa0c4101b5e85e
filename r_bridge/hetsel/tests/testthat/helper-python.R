# Skips a test, or a whole file, where the package is tested without its Python half.
skip_without_python <- function() {
  testthat::skip_if_not(hetsel_available(), "there is no Python with hetsel")
}
