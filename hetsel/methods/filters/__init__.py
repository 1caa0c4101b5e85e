"""Methods that score each feature on its own."""
