"""`python -m hetsel`.

Python puts the working directory first: a file json.py beside a table would take the place of
json. What Python loads before this line is out of reach; `hetsel` and `python -P -m hetsel` have no
such line.
"""

import os
import sys

try:
    here = os.getcwd()
except OSError:  # the folder is gone: nothing of it can be loaded
    here = ""
if sys.path[0] == here != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
    del sys.path[0]

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # before and after a command there is no traceback

from hetsel.ground.signals import ENDING
from hetsel.shell.main import main as run


def main() -> int:
    """Run the command of this process; returns the exit code."""
    code = run()
    for number in ENDING:  # the work is done, and on the way out R removes its files
        signal.signal(number, signal.SIG_IGN)
    return code


if __name__ == "__main__":
    sys.exit(main())
