"""Compute how many rows a study needs: criteria of prediction models and of intervals."""
