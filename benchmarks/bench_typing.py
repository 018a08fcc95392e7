"""Real citations typed key by key: after how many letters the authority is offered, and if the list stays.

    python benchmarks/bench_typing.py ../shared/data/us-cases --jurisdiction US --index typing.sqlite3
    python benchmarks/bench_typing.py examples/library --drafts examples/drafts/*.md

Without ``--drafts``, ``--sample`` judgments, by hash, are taken out of the library and are the drafts, with
up to three citations in each. A draft is opened as it stands before a citation of one of the library's cases;
then an italic mark and the name are typed as the draft has it, with the rules of an editor
(``typing_editors.py``). Counted is when the authority is among the first five and first, in letters of its
own: those of a beginning whose words more than ten titles of the library share ("United States v.", "In re")
do not count, nor do those of a courtesy before the name ("Smt.", "M/s."). A list that is closed before the
authority is among the first five was closed early. Then the item is accepted; where the library knows places
of the authority, what stands before the pinpoint is typed, unless accepting the item opened the list of
places.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from measuring import percentile, run_json, table, write_results
from served import Server
from typing_editors import EditorName, Item, Typist

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.index.library import Library
from lexls.reading.authority_names import list_name_words
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.text.formats import FORMATS
from lexls.wording.descriptions import choose_pinpoint

PATIENCE = 60.0
BEFORE, AFTER = 8000, 2000
"""Code points of the draft around the citation that stay."""
LONGEST_NAME = 60
FIRST = 5
LETTERS = (1, 2, 3, 4)
SHARED = 10
"""A beginning that more titles have tells nothing of a name."""
CAPABILITIES = {"experimental": {"lexls": {"status": True, "suggest": "editor.action.triggerSuggest"}}}
TEXT_KIND = 1
"""The kind that the protocol gives the places of an authority."""


@dataclass(frozen=True, slots=True)
class Written:
    """A citation in its draft: what stands ``before`` and ``after`` it, its ``name`` as written, what is
    between it and its pinpoint, and the numbers of the authorities that it may be."""

    draft: str
    before: str
    after: str
    name: str
    lead: str
    authorities: frozenset[int]


@dataclass(slots=True)
class Typed:
    """How one citation was typed: how many letters of its own until it was among those ``offered`` and until
    it was the ``first``, 0 for never; what the list was ``closed`` by; what came of its place."""

    draft: str
    name: str
    offered: int = 0
    first: int = 0
    closed: str = ""
    takes_place: bool = False
    placed: bool = False
    asked: bool = False
    seconds: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)


def find_written(library: Library, draft: Draft, name: str) -> Iterator[Written]:
    """The citations of a draft that stand behind a name and are of an authority of the library."""
    source = draft.source
    for citation in draft.citations:
        if citation.form != "full" or citation.kind != "case" or not citation.name:
            continue
        start = source.find(citation.name, citation.span.start, citation.core.start)
        found = frozenset(library.catalogue.find_key(citation.key))
        if start < 0 or not found or not source[max(0, start - 400) : start].strip():
            continue
        opening = start - len(source[:start]) + len(source[:start].rstrip("*_"))
        end = citation.span.end
        before, after = source[max(0, opening - BEFORE) : opening], source[end : end + AFTER]
        yield Written(name, before, after, citation.name[:LONGEST_NAME], _find_lead(source, citation), found)


def _find_lead(source: str, citation: Citation) -> str:
    if citation.pinpoint is None or citation.pinpoint.span.start < citation.core.end:
        return ""
    return source[citation.core.end : citation.pinpoint.span.start]


def takes_place(library: Library, authority: int) -> bool:
    """Return whether the library has places of an authority, of the kind in which it is cited."""
    known = library.catalogue.get(authority)
    return known is not None and bool(library.contents.list_labels(authority, choose_pinpoint(known)))


def part(folder: Path, held_out: int) -> tuple[list[Path], list[Path]]:
    """The judgments of a folder that are drafts, and those that are the library, by the hashes of names."""
    files = sorted(
        (each for each in folder.rglob("*") if each.suffix in (".md", ".txt")),
        key=lambda each: hashlib.sha256(each.name.encode()).digest(),
    )
    return files[:held_out], files[held_out:]


def draw(library: Library, parser: DraftParser, drafts: Sequence[Path], each_one: bool) -> Iterator[Written]:
    """All citations of the drafts that can be typed, or at most three of each."""
    for path in drafts:
        text = path.read_text(encoding="utf-8", errors="replace")
        text = "".join(char for char in text if ord(char) < 0x10000)
        draft = parser.parse("file:///draft", text, FORMATS["markdown"])
        written = list(find_written(library, draft, path.name))
        yield from written if each_one else _spread(written)


def _spread(written: Sequence[Written]) -> list[Written]:
    """At most three, spread over the draft."""
    count = len(written)
    return [written[place] for place in sorted({count // 6, count // 2, count * 5 // 6})] if written else []


def count_shared(titles: Sequence[tuple[str, ...]], name: str) -> int:
    """How many characters of a name are words that more than ``SHARED`` titles begin with, or tell nothing.

    ``titles`` are lists of telling words.
    """
    for end in range(len(name), 0, -1):
        words = list_name_words(name[:end]) if name[end - 1] == " " else None
        if words is not None and sum(title[: len(words)] == words for title in titles) > SHARED:
            return end
    return 0


def type_in(
    server: Server, editor: EditorName, triggers: Sequence[str], one: Written, number: int, shared: int
) -> Typed:
    """Type a citation into its place; ``shared`` characters of its name are not its own."""
    typist = Typist(server, editor, triggers, one.before, one.after, number)
    typed = Typed(one.draft, one.name, seconds=typist.seconds, spent=typist.spent)
    item: Item | None = None
    try:
        typist.press("*")
        for letters, char in enumerate(one.name, 1):
            typist.press(char)
            place = next(
                (n for n, each in enumerate(typist.items) if each["data"]["authority"] in one.authorities), -1
            )
            own = max(1, letters - shared)
            if 0 <= place < FIRST:
                typed.offered = typed.offered or own
            if place == 0:
                typed.first = own
                item = typist.items[0]
                break
            if not typist.items and not typed.offered:
                typed.closed = typed.closed or one.name[:letters]
        if item is not None:
            typist.accept(item)
            _type_lead(typist, typed, one)
    finally:
        typist.close()
    return typed


def _type_lead(typist: Typist, typed: Typed, one: Written) -> None:
    """Type what stands before the pinpoint, unless its list is open already."""
    shown = [each for each in typist.items if each["kind"] == TEXT_KIND]
    typed.asked = bool(shown)
    for char in () if shown else one.lead or ", ":
        typist.press(char)
        shown = [each for each in typist.items if each["kind"] == TEXT_KIND]
    typed.placed = bool(shown) and all(each["data"]["authority"] in one.authorities for each in shown)


def prepare(place: Path, files: Sequence[Path], jurisdiction: str, kept: Path | None) -> tuple[Path, Path]:
    """A matter whose library are ``files``, and its index, finished; ``kept`` is where the index stays."""
    matter = place / "matter"
    matter.mkdir()
    folder = (kept.with_suffix(".files") if kept is not None else place / "library").absolute()
    folder.mkdir(exist_ok=True)
    for each in files:
        if not (folder / each.name).is_symlink():
            (folder / each.name).symlink_to(each.resolve())
    index = (kept or matter / "index.sqlite3").absolute()
    (matter / "lexls.toml").write_text(
        f'jurisdiction = {json.dumps(jurisdiction)}\nembeddings.model = ""\n'
        f"library.folders = {json.dumps([str(folder)])}\n",
        encoding="utf-8",
    )
    # Only the user's own settings may name an index outside the matter.
    own = place / ".config" / "lexls" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text(f"index.path = {json.dumps(str(index))}\n", encoding="utf-8")
    run_json("index", str(folder), "--index", str(index), "--jurisdiction", jurisdiction, "--lexical")
    return matter, index


def start(matter: Path, place: Path) -> tuple[Server, list[str]]:
    """The server of a matter, when it knows the library, and the characters that trigger completion."""
    own = {"HOME": str(place), "XDG_CONFIG_HOME": str(place / ".config")}
    server = Server(matter, "", os.environ | own, CAPABILITIES, PATIENCE)
    until = time.monotonic() + 10 * PATIENCE
    while server.phase not in ("ready", "lexical"):
        if time.monotonic() > until:
            raise TimeoutError("the library was not ready")
        time.sleep(0.05)
    return server, server.wait(1)["capabilities"]["completionProvider"]["triggerCharacters"]


def summarize(found: Sequence[Typed]) -> list[object]:
    """The cells of a table's row."""
    count = max(1, len(found))
    share = [sum(0 < each.offered <= letters for each in found) / count for letters in LETTERS]
    first = sum(0 < each.first <= LETTERS[-1] for each in found) / count
    open_all_along = sum(not each.closed for each in found) / count
    places = [each for each in found if each.takes_place and each.first]
    placed = sum(each.placed for each in places) / len(places) if places else float("nan")
    seconds = [1000 * each for one in found for each in one.seconds]
    spent = [1000 * each for one in found for each in one.spent]
    cells = [f"{each:.0%}" for each in (*share, first, open_all_along)]
    return [
        len(found),
        *cells,
        f"{placed:.0%} of {len(places)}",
        *(f"{percentile(each, 0.95):.0f}" for each in (seconds, spent)),
    ]


HEAD = [
    "editor",
    "citations",
    *(f"first five by {letters}" for letters in LETTERS),
    f"first by {LETTERS[-1]}",
    "stays open",
    "places offered",
    "p95 ms",
    "of the processor",
]


def main() -> int:
    """Print the table; with ``--write`` into RESULTS.md."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--index", type=Path, help="where the index stays for the next run")
    parser.add_argument(
        "--drafts", type=Path, nargs="*", default=[], help="drafts in Markdown, every citation of each"
    )
    parser.add_argument("--sample", type=int, default=300, help="judgments that are drafts")
    parser.add_argument("--citations", type=int, default=200, help="the most that are typed")
    parser.add_argument("--editors", nargs="*", default=list(get_args(EditorName)))
    parser.add_argument("--show", action="store_true", help="list what came late, closed or had no places")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name).resolve()
        drafts, files = part(options.library, 0 if options.drafts else options.sample)
        matter, index = prepare(place, files, options.jurisdiction, options.index)
        library = Library(index)
        reader = DraftParser(Grammar.load(), options.jurisdiction)
        written = list(draw(library, reader, options.drafts or drafts, bool(options.drafts)))
        written = written[:: -(-len(written) // options.citations) or 1]
        titles = [list_name_words(each.title) for each in library.catalogue.all()]
        server, triggers = start(matter, place)
        rows: list[list[object]] = []
        for one in written[:1]:  # what the first answers make ready is not measured
            type_in(server, "helix", triggers, one, -1, 0)
        for editor in options.editors:
            found: list[Typed] = []
            for one in written:
                number = len(rows) * len(written) + len(found)
                shared = count_shared(titles, one.name)
                typed = type_in(server, editor, triggers, one, number, shared)
                typed.takes_place = any(takes_place(library, each) for each in one.authorities)
                found.append(typed)
                late = not 0 < typed.first <= 4 or typed.closed or (typed.takes_place and not typed.placed)
                if options.show and late:
                    print(editor, typed.draft[:40], repr(typed.name), typed.offered, typed.first,
                          repr(typed.closed), typed.placed, file=sys.stderr)  # fmt: skip
            rows.append([editor, *summarize(found)])
        server.end()
        library.close()
    text = table(HEAD, rows)
    command = f"`python benchmarks/bench_typing.py ../shared/data/{options.library.name}`\n"
    print(write_results(f"Typing: {options.library.name}", [command, text]) if options.write else text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
