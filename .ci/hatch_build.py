"""Puts the machine code in the folder HETSEL_MACHINE_CODE into a wheel, then of one platform.

`make wheel` names that folder; without it a wheel has no machine code, and fits any platform.
"""

import os
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MachineCode(BuildHookInterface):
    """Files and tag of a wheel."""

    def initialize(self, version, build_data):
        """Called before the wheel is built."""
        folder = os.environ.get("HETSEL_MACHINE_CODE")
        if not folder or self.target_name != "wheel" or version != "standard":
            return
        files = sorted(Path(folder).glob("*/*.nbc"))
        if not files:
            raise FileNotFoundError(f"there is no machine code in {folder}")
        for file in files:
            place = f"hetsel/machine_code/{file.parent.name}/{file.name}"
            build_data["force_include"][str(file)] = place
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{platform}"
