"""Subset search with criteria that are updated, not recomputed."""
