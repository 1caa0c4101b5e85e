"""Methods that search by the performance of a classifier."""
