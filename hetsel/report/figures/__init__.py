"""The figures of reports; matplotlib is loaded here and nowhere else."""

from hetsel.ground import need

need("matplotlib")  # before any module of this folder, so that a missing one is named
