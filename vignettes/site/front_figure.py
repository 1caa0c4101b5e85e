"""Draw the pictures of the README: a ranking beside the report of a signature, and three badges.

    python vignettes/site/front_figure.py vignettes/site/_static

Needs Chromium. Both pictures are of the bundled table heart. What hetsel printed with them is kept
in the PNG as text, so that a test can tell whether the picture is still that of today.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from PIL import Image, ImageDraw, PngImagePlugin

ROOT = Path(__file__).resolve().parents[2]
WIDE, TALL = 940, 960  # the first screen of the page, in CSS pixels
SCALE = 1.5
GAP, BORDER, RADIUS = 28, "#c8c8c2", 18
PRINTED = {
    "ranking": ["rank", "heart", "--plot", "ranking.png"],
    "signature": ["select", "heart", "--jobs", "2", "--report", "signature.html"],
}


def printed(words: list[str], folder: Path) -> str:
    """Return the output of a hetsel command without its seconds."""
    command = [sys.executable, "-m", "hetsel", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return re.sub(r", [\d.]+ s$", "", done.stdout, flags=re.MULTILINE)


def screenshot(page: Path, into: Path) -> Image.Image:
    """Take a screenshot of the first screen of a page in Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        sys.exit("Chromium is missing: bash .ci/apt-install chromium")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    options += [f"--window-size={WIDE},{TALL}", f"--force-device-scale-factor={SCALE}"]
    command = [browser, *options, f"--screenshot={into}", page.as_uri()]
    subprocess.run(command, capture_output=True, check=True)
    return Image.open(into).convert("RGB")


def beside(left: Image.Image, right: Image.Image) -> Image.Image:
    """Put two pictures of equal height on white cards, on a transparent background."""
    height = right.height
    left = left.resize((round(left.width * height * 0.86 / left.height), round(height * 0.86)))
    cards = [(left.width + 2 * GAP, left), (right.width, right)]
    whole = Image.new("RGBA", (sum(wide for wide, _ in cards) + GAP, height), (0, 0, 0, 0))
    draw, x = ImageDraw.Draw(whole), 0
    for wide, picture in cards:
        corners = (x, 0, x + wide - 1, height - 1)
        draw.rounded_rectangle(corners, RADIUS, fill="white")
        inside = Image.new("L", picture.size, 0)
        ImageDraw.Draw(inside).rounded_rectangle((0, 0, *picture.size), RADIUS, fill=255)
        at = (x + (wide - picture.width) // 2, (height - picture.height) // 2)
        whole.paste(picture, at, inside)
        draw.rounded_rectangle(corners, RADIUS, outline=BORDER, width=3)
        x += wide + GAP
    return whole


def badge(name: str, value: str) -> str:
    """Make a badge as SVG from a name and a value."""
    widths = [7 * len(text) + 16 for text in (name, value)]
    wide, middle = sum(widths), widths[0]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="20" role="img"'
        f' aria-label="{name}: {value}">'
        f'<rect width="{wide}" height="20" rx="3" fill="#555"/>'
        f'<path d="M{middle} 0h{widths[1] - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{widths[1] - 3}z"'
        ' fill="#0a6aa8"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif"'
        f' font-size="11"><text x="{middle / 2}" y="14">{name}</text>'
        f'<text x="{middle + widths[1] / 2}" y="14">{value}</text></g></svg>\n'
    )


def badges() -> dict[str, str]:
    """Make the three badges by file name: license, Python and R, as declared."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    description = (ROOT / "r_bridge/hetsel/DESCRIPTION").read_text(encoding="utf-8")
    r = re.search(r"^Depends: R \(>= ([\d.]+)\)", description, re.MULTILINE)
    assert r is not None
    return {
        "license.svg": badge("license", project["license"]),
        "python.svg": badge("Python", f"{project['requires-python'].removeprefix('>=')} or newer"),
        "r.svg": badge("R", f"{r[1]} or newer"),
    }


def main() -> None:
    """Write all pictures to the folder of the first argument."""
    into = Path(sys.argv[1]).resolve()
    for name, svg in badges().items():
        (into / name).write_text(svg, encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        said = {what: printed(words, folder) for what, words in PRINTED.items()}
        ranking = Image.open(folder / "ranking.png").convert("RGB")
        page = screenshot(folder / "signature.html", folder / "page.png")
    whole = beside(ranking, page)
    whole = whole.resize((1800, round(whole.height * 1800 / whole.width)), Image.Resampling.LANCZOS)
    facts = PngImagePlugin.PngInfo()
    for what, text in said.items():
        facts.add_itxt(what, text)
    whole.save(into / "front.png", pnginfo=facts, optimize=True)


if __name__ == "__main__":
    main()
