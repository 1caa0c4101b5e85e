"""How many rows a study needs, before it: criteria of prediction models and of intervals."""
