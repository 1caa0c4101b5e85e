"""Call R from Python: start it, convert tables, run its methods."""
