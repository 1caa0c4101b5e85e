"""Measure the stability of selected subsets, and bound false selections by it."""
