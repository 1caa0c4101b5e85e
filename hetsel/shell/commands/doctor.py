"""The command `hetsel doctor`; what it checks is in :mod:`hetsel.shell.machine_checks`."""

import argparse
from typing import Any

from hetsel.questions.of_files import Printed
from hetsel.shell.command_line import add_command


def add(commands: Any, summary: str) -> None:
    """Add the command to the command line."""
    add_command(commands, "doctor", summary, run, Printed)


def run(options: argparse.Namespace) -> int:
    """What works here and what does not."""
    from hetsel.shell import machine_checks
    from hetsel.shell.printing import print_json

    findings = machine_checks.examine()
    if options.json:
        print_json(
            {"ok": machine_checks.core_works(findings), "checks": [vars(f) for f in findings]}
        )
    else:
        print(machine_checks.report(findings))
    return 0 if machine_checks.core_works(findings) else 1
