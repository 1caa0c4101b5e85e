"""Methods that read importances from a model."""
