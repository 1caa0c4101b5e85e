"""Run axe in chromium on HTML pages, at 1,200 and 400 pixels, and list what it finds.

python tests/arena/campaigns/accessible.py PAGE [PAGE ...]

Needs chromium, and npm for axe-core, which it fetches into .build. Ends with 1 if axe finds
anything. Folded parts of a page are unfolded first.
"""

import argparse
import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
VERSION = "4.14.1"
WIDTHS = (1200, 400)
# in the page: run axe and send what it finds to the frame around it, whose width is the page's
INSIDE = """<script>
addEventListener("load", () => setTimeout(async () => {
  document.querySelectorAll("details").forEach(part => { part.open = true; });
  const {violations} = await axe.run(document, {resultTypes: ["violations"]});
  const found = violations.map(({id, impact, help, nodes}) => (
    {id, impact, help, count: nodes.length, first: nodes[0].html.slice(0, 200)}));
  parent.postMessage({width: innerWidth, found}, "*");
}, 500));
</script>"""
AROUND = """<!DOCTYPE html><title>frame</title><iframe src="{page}" style="width: {width}px;
height: 1000px; border: 0"></iframe><script>addEventListener("message", ({{data}}) => {{
const found = document.createElement("pre"); found.id = "found";
found.textContent = JSON.stringify(data); document.body.append(found); }})</script>"""


def axe() -> str:
    """The program of axe, fetched once."""
    folder = ROOT / ".build" / "axe"
    program = folder / "package" / "axe.min.js"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm") or "npm"
        subprocess.run([npm, "pack", "--silent", f"axe-core@{VERSION}"], cwd=folder, check=True)
        archive = f"axe-core-{VERSION}.tgz"
        subprocess.run(["tar", "xzf", archive], cwd=folder, check=True)
    return program.read_text(encoding="utf-8")


def audit(page: Path, width: int) -> list[dict[str, Any]]:
    """What axe finds on a page of this width."""
    page = page.resolve()
    text = page.read_text(encoding="utf-8")
    copy, frame = page.with_name(f"axe-{page.name}"), page.with_name(f"axe-frame-{page.name}")
    copy.write_text(
        text.replace("</head>", f"<script>{axe()}</script>{INSIDE}</head>", 1), encoding="utf-8"
    )
    frame.write_text(AROUND.format(page=copy.name, width=width), encoding="utf-8")
    chromium = [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1400,1100",
    ]
    options = ["--allow-file-access-from-files", "--virtual-time-budget=20000", "--dump-dom"]
    try:
        done = subprocess.run(
            [*chromium, *options, frame.as_uri()],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        copy.unlink()
        frame.unlink()
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    if found is None:
        raise SystemExit(f"{page}: axe gave no answer\n{done.stderr[-2000:]}")
    answer = json.loads(html.unescape(found[1]))
    assert answer["width"] == width
    return list(answer["found"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    faults = 0
    for page in parser.parse_args().pages:
        for width in WIDTHS:
            found = audit(page, width)
            faults += len(found)
            print(f"{page} at {width} pixels: {len(found) or 'no'} violations")
            for one in found:
                print(f"  {one['impact']}: {one['id']}, {one['count']} x: {one['help']}")
                print(f"    {one['first']}")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
