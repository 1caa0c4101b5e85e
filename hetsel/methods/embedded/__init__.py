"""Methods that read importances out of a model."""
