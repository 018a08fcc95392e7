"""Put benchmarks/RESULTS.md together from the fragments in benchmarks/results/.

python benchmarks/make_results.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ORDER = (
    "index",
    "startup",
    "server",
    "checks-us-cases",
    "citations",
    "genuine",
    "resolution",
    "quotations",
    "retrieval",
    "reranking",
    "precedents",
    "narratives",
    "contracts",
    "term_meaning",
    "roles",
    "scale",
    "cross_encoder",
    "explain",
    "verification",
    "llama",
    "llama-answers",
    "grammar",
)
"""Fragments come in this order; others follow by name."""
HEAD = """# Results

What the benchmarks measured last. `make bench` measures index, start and server anew and puts this page
together; each part names its command and the machine it ran on.
"""


def fragments(folder: Path) -> list[Path]:
    """The fragments in the order of the page."""
    place = {name: number for number, name in enumerate(ORDER)}
    return sorted(folder.glob("*.md"), key=lambda path: (place.get(path.stem, len(ORDER)), path.stem))


def page(parts: list[str]) -> str:
    """The whole page: every fragment's headings a level lower, and a list of them on top."""
    titles = [match[1] for part in parts if (match := re.search(r"^# (.+)$", part, re.MULTILINE))]
    contents = "\n".join(f"- [{title}](#{_anchor(title)})" for title in titles)
    return "\n".join([HEAD, contents + "\n", *(_lowered(part).strip() + "\n" for part in parts)])


def _lowered(text: str) -> str:
    return re.sub(r"^(#{1,5} )", r"#\1", text, flags=re.MULTILINE)


def _anchor(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.casefold()).replace(" ", "-")


def main() -> int:
    parts = [path.read_text(encoding="utf-8") for path in fragments(HERE / "results")]
    (HERE / "RESULTS.md").write_text(page(parts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
