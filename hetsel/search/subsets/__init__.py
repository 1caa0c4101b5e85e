"""Searches over subsets."""
