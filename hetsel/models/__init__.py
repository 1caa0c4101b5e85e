"""Models for mixed tables: classifiers, regressors and survival models."""
