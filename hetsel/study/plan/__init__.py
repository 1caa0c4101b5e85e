"""The plan of a study."""
