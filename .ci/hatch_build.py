"""Puts the machine code in the folder HETSEL_MACHINE_CODE into a wheel, as one archive.

`make wheel` names that folder; without it a wheel has no machine code. A wheel fits any platform:
code is used where it is for the Python, the numba and the processor, and lies idle elsewhere.
"""

import hashlib
import os
import tarfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MachineCode(BuildHookInterface):
    """Files of a wheel."""

    def initialize(self, version, build_data):
        """Called before the wheel is built."""
        folder = os.environ.get("HETSEL_MACHINE_CODE")
        if not folder or self.target_name != "wheel" or version != "standard":
            return
        files = sorted(Path(folder).glob("*/*.nbc"))
        if not files:
            raise FileNotFoundError(f"there is no machine code in {folder}")
        archive = Path(folder, "machine_code.tar.xz")
        with tarfile.open(archive, "w:xz", preset=9) as members:
            for file in files:
                member = tarfile.TarInfo(f"{file.parent.name}/{file.name}")
                member.size = file.stat().st_size
                with file.open("rb") as content:
                    members.addfile(member, content)
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()[:12]
        build_data["force_include"][str(archive)] = f"hetsel/machine_code-{digest}.tar.xz"
