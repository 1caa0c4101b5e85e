"""Puts this folder on the import path, for the slow twins."""
