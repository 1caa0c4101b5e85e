"""Compute tests, ranks, stability and scores on plain arrays and frames."""
