"""Small rankings by the thousand against exact optima: no proved cut is wrong, ties are near.

Half of the tables are on the grid that cells are rounded to, the others are not, and have columns
that differ by 1e-9 to 3e-7 of the range: their optima are those of the cells as they are.
"""

import argparse
import sys
import warnings
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "methods")]

from test_proved_order import TRIED, check_steps, near_table, small_table  # noqa: E402


def main():
    """Print how many cuts of each method were compared, by verdict."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=3000)
    tables = parser.parse_args().tables
    warnings.simplefilter("ignore")
    for method, kind in TRIED:
        for table in (small_table, near_table):
            seen = Counter()
            for seed in range(tables):
                seen.update(check_steps(method, seed, table, kind))
            what = f"{method.__name__}, {kind}, {table.__name__}"
            print(f"{what}: {tables:,} tables, {dict(seen)}, none wrong", flush=True)


if __name__ == "__main__":
    main()
