"""Probabilities of the classes by a signature, and what they are worth."""
