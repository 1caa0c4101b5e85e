"""Data frames become typed arrays here, once."""
