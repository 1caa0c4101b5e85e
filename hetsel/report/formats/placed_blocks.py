"""The blocks of a document in order, each picture with its name and the number of its figure."""

from itertools import count
from typing import NamedTuple

from hetsel.ground.text import slugs
from hetsel.report.elements.blocks import Block, Document, Part, Picture


class Placed(NamedTuple):
    """A block with the name of a picture, its own in the document, and the number of its figure."""

    block: Block
    place: str = ""
    number: int = 0


def placed(document: Document) -> list[tuple[Part, list[Placed]]]:
    """The parts of a document, its first screen among them, with their blocks."""
    parts = [*([document.first] if document.first else []), *document.parts]
    shown = [(part, part.blocks) for part in parts]
    pictures = [block for _, blocks in shown for block in blocks if isinstance(block, Picture)]
    places, numbers = iter(slugs(picture.key for picture in pictures)), count(1)

    def place(block: Block) -> Placed:
        if not isinstance(block, Picture):
            return Placed(block)
        return Placed(block, next(places), next(numbers) if block.figure else 0)

    return [(part, [place(block) for block in blocks]) for part, blocks in shown]
