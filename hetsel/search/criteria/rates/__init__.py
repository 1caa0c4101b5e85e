"""Criteria that are rates over held-out rows."""
