"""Random rows: folds, half-samples, bootstraps, splits and permuted targets."""
