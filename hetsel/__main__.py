"""`python -m hetsel`."""

import sys

from hetsel.cli import main

if __name__ == "__main__":
    sys.exit(main())
