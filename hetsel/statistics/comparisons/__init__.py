"""Comparisons of methods: by ranks, by resamplings, by probabilities."""
