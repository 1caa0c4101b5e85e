"""A small share of each campaign; the whole of them takes hours (make fuzz, make kills)."""

import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGNS = Path(__file__).parent / "campaigns"
SHARES = {
    "fuzz_tables.py": ["--tables", 8],
    "fuzz_files.py": ["--files", 6],
    "fuzz_searches.py": ["--searches", 200],
    "kills.py": ["--rounds", 8, "--flips", 3],
    "noise_studies.py": ["--studies", 3],
}


@pytest.mark.slow
@pytest.mark.timeout(900)  # every method is compiled where none was before
@pytest.mark.parametrize("campaign", SHARES)
def test_a_share_of_a_campaign_finds_no_fault(campaign, tmp_path):
    options = [str(option) for option in SHARES[campaign]]
    done = subprocess.run(
        [sys.executable, CAMPAIGNS / campaign, "--seed", "20", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("0 faults")
