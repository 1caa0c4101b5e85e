"""Numbers that a script of R prints, for tests whose oracle is R."""

import subprocess
from pathlib import Path

import numpy as np


def lines_of_r(script: str, folder: Path | None = None) -> list[str]:
    """Lines that the script prints, run in a folder."""
    command = ["Rscript", "-e", script]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def numbers_of_r(script: str, folder: Path | None = None) -> np.ndarray:
    """Numbers (lines, numbers in a line) that the script prints, run in a folder."""
    return np.array([line.split() for line in lines_of_r(script, folder)], dtype=float)
