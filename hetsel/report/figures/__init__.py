"""The figures of reports; matplotlib is loaded here and nowhere else."""
