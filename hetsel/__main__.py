"""Run `python -m hetsel`.

Python puts the working directory first on its path, so that a file json.py beside a table would
replace the module json. This module removes it from the path. It cannot affect the modules that
Python loads earlier; `hetsel` and `python -P -m hetsel` do not have this problem.
"""

import os
import sys

try:
    here = os.getcwd()
except OSError:  # the folder does not exist any more: nothing can be loaded from it
    here = ""
if sys.path[0] == here != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
    del sys.path[0]

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback before and after a command

from hetsel.ground.signals import ENDING
from hetsel.shell.main import main as run


def main() -> int:
    """Run the command of this process and return the exit code."""
    code = run()
    for number in ENDING:  # the work is finished, and R removes its files at exit
        signal.signal(number, signal.SIG_IGN)
    return code


if __name__ == "__main__":
    sys.exit(main())
