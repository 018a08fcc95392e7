"""Print the code block that stands under a heading of docs/editors.md: ``block.py HEADING``.

The editors' tests run what the manual has people copy, so that the two cannot differ.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "editors.md"
CHECKOUT = "~/src/lexls"
"""Where the manual has the repository lie."""


def read_block(heading: str) -> str:
    """The first block under ``heading``, of this checkout; LookupError if there is none."""
    part = re.split(r"(?m)^#+ (?=\S)", MANUAL.read_text(encoding="utf-8"))
    under = next((each for each in part if each.startswith(f"{heading}\n")), "")
    found = re.search(r"(?ms)^```\w+\n(.*?)^```$", under)
    if found is None:
        raise LookupError(f"{MANUAL.name} has no block under {heading!r}")
    return found[1].replace(CHECKOUT, str(MANUAL.parents[1]))


if __name__ == "__main__":
    print(read_block(sys.argv[1]), end="")
