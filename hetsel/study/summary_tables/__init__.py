"""Data frames that are made from the summary of a study."""
