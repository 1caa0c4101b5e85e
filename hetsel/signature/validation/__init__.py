"""Evaluate a saved signature on new rows: external validation."""
