"""The catalogue: one file per method, named by its key."""
