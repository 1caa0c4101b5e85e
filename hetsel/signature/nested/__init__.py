"""Estimate performance by nested cross-validation, and test it against chance."""
