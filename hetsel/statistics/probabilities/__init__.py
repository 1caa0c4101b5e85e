"""Evaluate predicted probabilities: scores, calibration and decisions, with intervals."""
