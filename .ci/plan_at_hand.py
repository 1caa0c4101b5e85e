"""Writes a plan with those of its data sets that can be had here, and says which cannot.

python .ci/plan_at_hand.py PLAN.toml OUT.toml
"""

import re
import sys
from pathlib import Path

from hetsel import datasets
from hetsel.ground.errors import TableError

plan, out = map(Path, sys.argv[1:])
text = plan.read_text(encoding="utf-8")
listed = re.search(r"^datasets = \[(.*?)\]", text, re.MULTILINE | re.DOTALL)
assert listed is not None, f"{plan} has no line of data sets"
names, here = re.findall(r'"([^"]+)"', listed[1]), []
for name in names:
    try:
        datasets.load(name)
        here.append(name)
    except TableError as reason:
        print(f"without {name}: {reason}")
print(f"{len(here)} of {len(names)} data sets: {', '.join(here)}")
out.parent.mkdir(exist_ok=True)
line = ", ".join(f'"{name}"' for name in here)
out.write_text(text.replace(listed[0], f"datasets = [{line}]"), encoding="utf-8")
