"""Kernels of one feature each, and how they combine."""
