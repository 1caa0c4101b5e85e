"""Rows and columns of a table that can mislead a selection."""
