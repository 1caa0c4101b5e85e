"""Machines on a sum of kernels of single columns, in time and memory linear in the rows."""
