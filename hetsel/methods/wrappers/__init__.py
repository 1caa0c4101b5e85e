"""Methods that search subsets by the performance of a model."""
