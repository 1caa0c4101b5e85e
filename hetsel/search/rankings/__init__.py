"""Rankings: elimination, greedy filters, scale factors, ensembles."""
