"""Kernels of single features, and sums of them."""
