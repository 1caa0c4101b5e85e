# Kernel of one column between its values a and those of the training rows b.
kernel_by_hand <- function(a, b = a) {
  if (is.character(a) || is.logical(a) || (is.factor(a) && !is.ordered(a))) {
    return(1 * outer(as.character(a), as.character(b), "=="))
  }
  a <- as.numeric(a)
  b <- as.numeric(b)
  a <- pmin(pmax(a, min(b)), max(b))
  if (diff(range(b)) == 0) {
    return(matrix(1, length(a), length(b)))
  }
  1 - abs(outer(a, b, "-")) / diff(range(b))
}

# Kernels of all columns of a data frame.
kernels_by_hand <- function(x, x2 = x) Map(kernel_by_hand, x, x2[names(x)])
