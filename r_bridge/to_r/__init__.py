"""R from Python: start it, convert tables, call its methods."""
