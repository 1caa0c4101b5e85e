"""What probabilities of a signature are worth, at home and on new rows, for R."""
