"""What predicted probabilities are worth: scores, calibration, decisions, with intervals."""
