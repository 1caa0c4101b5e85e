"""Compare methods by ranks, by resamplings and by probabilities."""
