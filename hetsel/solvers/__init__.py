"""Optimizers on arrays."""
