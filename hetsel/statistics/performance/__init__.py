"""Scores of predictions, and their intervals."""
