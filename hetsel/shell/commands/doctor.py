"""Run the command `hetsel doctor`; its checks are in :mod:`hetsel.shell.machine_checks`."""

import argparse

from hetsel.shell import machine_checks, printing


def run(options: argparse.Namespace) -> int:
    """Check the machine and print the findings."""
    findings = machine_checks.examine_machine()
    if options.json:
        printing.print_json(
            {"ok": machine_checks.core_works(findings), "checks": [vars(f) for f in findings]}
        )
    else:
        print(machine_checks.report_findings(findings))
    return 0 if machine_checks.core_works(findings) else 1
