"""Figures and reports; matplotlib is loaded here and nowhere else."""
