"""Criteria of subsets: states that are updated by one feature, never recomputed."""
