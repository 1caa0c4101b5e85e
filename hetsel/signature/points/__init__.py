"""Convert the model of a signature to a point score, and estimate the cost of rounding."""
