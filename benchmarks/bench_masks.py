"""Compare what masks of Markdown leave with markdown-it's text of the same files, and how long they take.

python benchmarks/bench_masks.py FOLDER   (tree-sitter-markdown is measured if it is installed)
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from measuring import table

from lexls.text.formats import FORMATS
from lexls.text.remask import remask

MARKDOWN = FORMATS["markdown"]
SIZE = 1_000_000
WORD = re.compile(r"[^\W_]+")
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
HIDDEN = {
    "code_span", "link_destination", "link_label", "link_title", "html_tag", "uri_autolink", "email_autolink",
    "emphasis_delimiter", "latex_block", "backslash_escape", "image_description",
}  # fmt: skip


def printed(source: str) -> str:
    """The words that CommonMark prints, code left aside."""
    pieces = []
    for token in MarkdownIt("commonmark").parse(FRONT_MATTER.sub("", source)):
        for child in token.children or ():
            pieces.append(
                child.content if child.type == "text" else " " if child.type.endswith("break") else ""
            )
        pieces.append("\n")
    return "".join(pieces)


def tree_sitter() -> Callable[[str], str] | None:
    """A mask made of tree-sitter's two grammars, None where they are not installed."""
    try:
        import tree_sitter_markdown
        from tree_sitter import Language, Parser
    except ImportError:
        return None
    blocks = Parser(Language(tree_sitter_markdown.language()))
    inline = Parser(Language(tree_sitter_markdown.inline_language()))

    def nodes(node: Any, kinds: set[str]) -> Iterator[Any]:
        if node.type in kinds:
            yield node
            return
        for child in node.children:
            yield from nodes(child, kinds)

    def mask(source: str) -> str:
        data = source.encode()
        shown = bytearray(b" " * len(data))
        for each in nodes(blocks.parse(data).root_node, {"inline", "pipe_table_cell"}):
            part = bytearray(data[each.start_byte : each.end_byte])
            for hidden in nodes(inline.parse(bytes(part)).root_node, HIDDEN):
                part[hidden.start_byte : hidden.end_byte] = b" " * (hidden.end_byte - hidden.start_byte)
            shown[each.start_byte : each.end_byte] = part
        return shown.decode(errors="replace")

    return mask


def main() -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted(Path(sys.argv[1]).rglob("*.md"))]
    long = "\n\n".join(sources)[:SIZE]
    other = tree_sitter()
    rows: list[list[object]] = []
    for name, mask in (("lexls", MARKDOWN.mask), ("tree-sitter-markdown", other)):
        if mask is None:
            continue
        lost = added = words = 0
        for source in sources:
            true, found = Counter(WORD.findall(printed(source))), Counter(WORD.findall(mask(source)))
            lost, added = lost + (true - found).total(), added + (found - true).total()
            words += true.total()
        started = time.process_time()
        mask(long)
        rows.append([name, words, lost, added, f"{1000 * (time.process_time() - started):.0f}"])
    masked = MARKDOWN.mask(long)
    at = next(re.finditer(r"\n\n[A-Z][a-z](?:[^\n]{1,900}\n){1,9}\n", long)).start() + 12
    started = time.process_time()
    for _ in range(20):
        remask(long, masked, long[:at] + "x" + long[at:], MARKDOWN)
    rows.append(["lexls, a key press", "", "", "", f"{50 * (time.process_time() - started):.1f}"])
    print(table(["mask", "words", "lost", "left over", "ms for 1 MB"], rows))


if __name__ == "__main__":
    main()
