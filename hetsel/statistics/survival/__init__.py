"""Analyze right-censored survival times: curves, residuals and the evaluation of risk scores."""
