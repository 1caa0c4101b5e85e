"""Methods that score features by a statistic, without a model."""
