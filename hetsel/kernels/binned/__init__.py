"""Kernels of binned columns: sums over a million rows by small tables."""
