"""Knockoffs: how they are made, checked and compared with."""
