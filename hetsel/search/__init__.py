"""Subset search: criteria that are updated, not recomputed."""
