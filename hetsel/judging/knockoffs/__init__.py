"""Knockoffs: construct, check and compare them."""
