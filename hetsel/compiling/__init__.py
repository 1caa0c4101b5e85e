"""Compiled functions, where their code is kept, and arithmetic with the same bits everywhere."""
