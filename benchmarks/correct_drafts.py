"""Drafts whose citations and quotations are right: paragraphs of a library's own opinions, put together."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from alterations import Base, Quoted

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import FoundBefore, check
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import Resolution, resolve
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span
from lexls.wording.prose import blank_markup

SEED = 20261123
FEWEST, MOST = 8, 15
"""Paragraphs of a draft."""
OF_EACH, OF_PLAIN = 5, 1
"""Paragraphs that one opinion gives, and those of them that neither quote nor cite sections."""
USES = 4
"""Drafts that a paragraph of a library too small for as many drafts may stand in, each time beside others."""
SHORTEST, LONGEST = 120, 1800
_NUMBERED = re.compile(r"\W*(?:\d{1,3}[\])]?\.?|\([a-z]\))\s+(?=[A-Z“\"*])")
_MARKED = re.compile(r"“([^“”]{40,500})”|\"([^\"]{40,500})\"")
_UNLAWFUL = re.compile(r"\[|\. \. \.|…|\*|\.\.\.")
_PARTING = re.compile(r"[;)]|[.?!][”\"’]*\s+[A-Z][a-z]*\s[a-z]")
_NEAR = 100
"""Code points between a quotation and its citation."""
_SECTION = re.compile(r"§|\b[Ss](?:ection|s?\.)\s\d|\bU\.\s?S\.\s?C\.")
_PLAIN = 2
TOLD = ("warning", "error")
_WRAPPED = 100
"""The longest line of a text whose lines are broken where they are full."""


class Bench:
    """The drafts of one library, and the real check over them, as severe as for a draft that is filed.

    ``folders`` are joined by "+"; the first one's opinions make the drafts. The sample, whose folder has a
    ``lexls.toml``, is read with its settings, as Markdown; its own drafts in ``drafts`` give paragraphs too.
    """

    def __init__(self, folders: str, jurisdiction: str, index: Path | None, scratch: Path) -> None:
        paths = [Path(each) for each in folders.split("+")]
        self.name = paths[0].name
        self._written = [
            path.read_text(encoding="utf-8") for path in sorted((paths[0] / "drafts").glob("*.md"))
        ]
        forms: Sequence[Any] = ()
        toml = paths[0] / "lexls.toml"
        self._format = FORMATS["markdown" if toml.exists() else "plain"]
        if toml.exists():
            read = tomllib.loads(toml.read_text(encoding="utf-8"))
            forms = read.get("citations", {}).get("forms", ())
            paths[0] = paths[0] / "library"
        settings = Settings(jurisdiction=jurisdiction, embeddings_model="", citations_forms=tuple(forms))
        self.severities = settings.severities
        self.settings = settings.for_filing()
        if index is not None and index.exists():
            self.library = Library(index)
        else:
            where = index or scratch / f"{self.name}.sqlite3"
            self.library, _ = open_library(paths, where, settings, lexical_only=True)
        grammar = Grammar.load(forms)
        self._parser = DraftParser(grammar, jurisdiction)
        self._snapshot = Snapshot(
            self.parse(""), self.library, Searcher(self.library, grammar=grammar), self.settings
        )
        self._texts: dict[int, str] = {}
        self.others = [each for each in self.library.catalogue.all() if each.kind == "case" and each.title]
        chance = random.Random(SEED)
        sampled = [
            self.library.contents.text(each.id)
            for each in chance.sample(self.others, min(40, len(self.others)))
        ]
        self.words = sorted({word for text in sampled for word in re.findall(r"\b[A-Za-z]{5,}\b", text)})

    def snapshot(self, draft: Draft) -> Snapshot:
        kept = self._snapshot
        return Snapshot(
            draft, self.library, kept.searcher, self.settings, kept.names, kept.tokenizer, kept.quoted,
            kept.concordance,
        )  # fmt: skip

    def parse(self, source: str) -> Draft:
        return self._parser.parse("file:///draft", source, self._format)

    def findings(self, source: str, before: FoundBefore) -> list[Finding]:
        """What is said of a draft that is filed; a paragraph that ``before`` knows is not checked again."""
        return check(self.snapshot(self.parse(source)), CancelToken(), before)

    def base(self, source: str) -> Base:
        draft = self.parse(source)
        cited = [resolve(self.library, draft, each) for each in draft.citations]
        quoted = self._quoted(draft, cited)
        return Base(draft, self.library, cited, quoted, self.others, self.words, self._has)

    def drafts(self, wanted: int) -> Iterator[str]:
        """Drafts of as many paragraphs, no paragraph twice in one."""
        chance = random.Random(f"{SEED} {self.name}")
        seen: set[str] = set()
        pieces: list[str] = []
        made = 0
        length = chance.randint(FEWEST, MOST)
        for paragraph in self._paragraphs(chance, seen):
            if paragraph in pieces:
                continue
            pieces.append(paragraph)
            if len(pieces) == length:
                yield "\n\n".join(pieces) + "\n"
                pieces, length, made = [], chance.randint(FEWEST, MOST), made + 1
                if made == wanted:
                    return

    def _paragraphs(self, chance: random.Random, seen: set[str]) -> Iterator[str]:
        """Those of all opinions, in a random order of opinions; then the same in other orders."""
        for paragraph in self._find_paragraphs(chance):
            if paragraph not in seen:
                seen.add(paragraph)
                yield paragraph
        again = sorted(seen)
        for _ in range(USES - 1):
            chance.shuffle(again)
            yield from again

    def _find_paragraphs(self, chance: random.Random) -> Iterator[str]:
        """Runs of sentences of the library's cases all of whose citations resolve, without end of their own.

        Of each opinion first those that quote, then those that cite sections.
        """
        for text in self._written:
            for block in _cut_blocks(text):
                yield from self._runs(" ".join(block.of(text).split()))
        documents = list(self.others)
        chance.shuffle(documents)
        for document in documents:
            starts = [
                place.start
                for place, cited in self.library.graph.find_cited(document.id)
                if cited is not None
            ]
            if not starts:
                continue
            text = self.library.contents.text(document.id)
            found = [
                each for each in _cut_blocks(text) if any(each.start <= start < each.end for start in starts)
            ]
            taken, plain = 0, 0
            for block in sorted(found, key=lambda each: _rank(each.of(text))):
                for paragraph in self._runs(" ".join(block.of(text).split())):
                    plain += _rank(paragraph) == _PLAIN
                    if taken < OF_EACH and plain <= OF_PLAIN:
                        yield paragraph
                        taken += 1
                if taken >= OF_EACH or plain >= OF_PLAIN:
                    break

    def _runs(self, text: str) -> Iterator[str]:
        numbered = _NUMBERED.match(text)
        text = text[numbered.end() :] if numbered else text
        draft = self.parse(text)
        sentences = cut_sentences(draft.masked, [each.span for each in draft.citations])
        run: list[Span] = []
        for sentence in [*sentences, None]:
            if sentence is not None and self._resolves(draft, sentence):
                run.append(sentence)
                continue
            while run and len(Span(run[0].start, run[-1].end)) > LONGEST:
                run.pop(0)
            if run:
                piece = text[run[0].start : run[-1].end].strip()
                if len(piece) >= SHORTEST and piece.lstrip('*“"')[:1].isupper() and self._is_whole(piece):
                    yield piece
            run = []

    def _resolves(self, draft: Draft, sentence: Span) -> bool:
        cited = draft.citations_in(sentence)
        return all(
            each.kind != "case" or bool(resolve(self.library, draft, each).authorities) for each in cited
        )

    def _is_whole(self, piece: str) -> bool:
        """Whether a paragraph cites in full and needs nothing before it, and all it quotes stands there."""
        draft = self.parse(piece)
        cited = [resolve(self.library, draft, each) for each in draft.citations]
        found = [each for each in cited if each.citation.kind == "case"]
        if not all(
            each.authorities or (each not in found and each.citation.form == "full") for each in cited
        ):
            return False
        if not any(each.by == "citation" and each.citation.form == "full" for each in cited):
            return False
        if len(self._quoted(draft, cited)) != len(list(_MARKED.finditer(piece))):
            return False
        told = {each.code for each in self.findings(piece, FoundBefore()) if each.severity in TOLD}
        return told <= {"not-in-library", "negative-treatment", "unused-definition"}

    def _quoted(self, draft: Draft, cited: Sequence[Resolution]) -> list[Quoted]:
        """The quotations that stand verbatim in the authority cited next behind, or shortly before, them."""
        found = []
        for match in _MARKED.finditer(draft.source):
            span = Span(*match.span(1 if match[1] else 2))
            words = span.of(draft.source)
            if _UNLAWFUL.search(words):
                continue
            behind = [each for each in cited if self._is_beside(draft, match.end(), each.citation.span.start)]
            before = [each for each in cited if self._is_beside(draft, each.citation.span.end, match.start())]
            for each in [*behind[:1], *before[-1:]]:
                authority = self.library.catalogue.get(each.authorities[0]) if each.authorities else None
                if authority is not None and self._has(authority, words):
                    found.append(Quoted(span, each, authority))
                    break
        return found

    def _is_beside(self, draft: Draft, end: int, start: int) -> bool:
        """Whether little stands between a quotation and a citation, and nothing that parts them."""
        between = re.sub(r"\([^()]*\)", "", draft.masked[max(0, end - 2) : start])
        return 0 <= start - end <= _NEAR and _PARTING.search(between) is None

    def _has(self, authority: Authority, words: str) -> bool:
        return _flat(words).rstrip(".,; ") in self._text(authority)

    def _text(self, authority: Authority) -> str:
        if authority.id not in self._texts:
            if len(self._texts) > 400:
                self._texts.clear()
            self._texts[authority.id] = _flat(
                blank_markup(authority, self.library.contents.text(authority.id))
            )
        return self._texts[authority.id]


def _cut_blocks(text: str) -> Iterator[Span]:
    """The paragraphs of an opinion: its lines, or where lines are broken what stands between empty ones."""
    for block in re.finditer(r"\S(?:[^\n]|\n(?!\s*\n))*", text):
        lines = list(re.finditer(r"[^\n]+", block.group()))
        if max(len(each.group()) for each in lines) <= _WRAPPED:
            yield Span(*block.span())
        else:
            yield from (Span(*each.span()).shift(block.start()) for each in lines)


def _rank(block: str) -> int:
    if _MARKED.search(block):
        return 0
    return 1 if _SECTION.search(block) else _PLAIN


def _flat(text: str) -> str:
    text = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return re.sub(r"\s+", " ", re.sub(r"[-–—]", "-", text)).casefold()
