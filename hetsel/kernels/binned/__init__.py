"""Kernels of columns in bins: sums over a million rows by tables."""
