"""Compute mutual information of columns of any kind."""
