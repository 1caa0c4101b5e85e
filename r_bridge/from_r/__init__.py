"""The entry points of the R package."""
