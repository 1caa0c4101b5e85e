"""Assess rankings: half-samples, permutations, knockoffs and judges."""
