"""Criteria that measure performance on held-out rows."""
