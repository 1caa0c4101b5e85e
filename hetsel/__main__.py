"""`python -m hetsel`."""

import sys

from hetsel.shell.main import main

if __name__ == "__main__":
    sys.exit(main())
