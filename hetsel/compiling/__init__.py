"""Compiled functions, the cache of their code, and reproducible arithmetic."""
