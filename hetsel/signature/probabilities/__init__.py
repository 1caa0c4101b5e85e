"""Predict probabilities of the classes with a signature, and evaluate them."""
