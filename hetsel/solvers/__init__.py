"""Optimizers: they know arrays, never tables."""
