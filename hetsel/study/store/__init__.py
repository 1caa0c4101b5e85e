"""The store of a study."""
