"""Mutual information, of columns of any kind."""
