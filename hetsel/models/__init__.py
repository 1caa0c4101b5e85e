"""Classifiers for mixed tables."""
