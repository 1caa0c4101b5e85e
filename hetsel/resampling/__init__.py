"""Rows that are drawn: folds, halves, bootstraps, splits, permuted labels."""
