"""Evaluation on held-out rows: data sets, methods and judges by key, engines."""
