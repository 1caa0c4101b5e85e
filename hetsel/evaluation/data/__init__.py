"""Data sets as they are given and as cells see them, and which of their rows train."""
