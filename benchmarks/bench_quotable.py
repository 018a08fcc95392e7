"""How often find support shows the passage and the sentence of an authority that others quote.

    lexls index ../shared/data/us-cases --index us.sqlite3 --lexical
    lexls index ../shared/data/in-cases --jurisdiction IN --index in.sqlite3 --lexical
    python benchmarks/bench_quotable.py us.sqlite3 in.sqlite3 [--unseen]

A question is what a document says around its citation of a case of the library, without the words that it
quotes. The answer is the sentence of the case that has the quoted words, which stand in it once. The case is
searched for the question alone. Nothing was chosen by the documents of one half, by a hash of their names.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from draw_support import STATUTE, without
from measuring import table

from lexls.index.library import Library
from lexls.index.records import Authority, PassageRecord
from lexls.index.tokens import Tokenizer
from lexls.retrieval.relevance import (
    MOST_PASSAGES,
    Weights,
    choose_statement,
    find_best_sentence,
    find_terms,
)
from lexls.text.cancel import CancelToken
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span

TOKEN = CancelToken()
FEWEST_WORDS, FEWEST_TERMS = 7, 5
QUOTED = re.compile(r"“([^”]{30,700})”|\"([^\"]{30,700})\"|‘([^’]{40,700})’")
ANY_QUOTED = re.compile(r"“[^”]*”?|\"[^\"]*\"?|‘[^’]{40,}’")
CUTS = re.compile(r"\[[^\]]*\]|\. ?\. ?\.|…|\*\*\*")


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence of a document, and where the authority has the words that it quotes."""

    text: str
    authority: Authority
    quoted: Span
    unseen: bool


def find_questions(library: Library, tokenizer: Tokenizer) -> Iterator[Question]:
    """The questions of a library, one for each place of an authority that a document quotes."""
    folded: dict[int, tuple[str, list[int]]] = {}
    for citing in library.catalogue.all():
        edges = library.graph.find_cited(citing.id)
        if not any(cited is not None and cited != citing.id for _, cited in edges):
            continue
        unseen = int(hashlib.sha256(citing.relative.encode()).hexdigest(), 16) % 2 == 0
        text = library.contents.text(citing.id)
        spans = [Span(edge.start, edge.end) for edge, _ in edges]
        cut = cut_sentences(text, spans)
        starts = [each.start for each in cut]
        cases = [each for each in spans if not STATUTE.search(each.of(text))]
        seen: set[tuple[int, int]] = set()
        for edge, cited in edges:
            place = bisect_right(starts, edge.start) - 1
            authority = library.catalogue.get(cited) if cited is not None and cited != citing.id else None
            if authority is None or authority.kind != "case" or place < 0:
                continue
            around = Span(cut[max(0, place - 1)].start, cut[min(place + 1, len(cut) - 1)].end)
            for match in QUOTED.finditer(around.of(text)):
                if authority.id not in folded:
                    folded[authority.id] = fold(library.contents.text(authority.id))
                quoted = find_once(match[1] or match[2] or match[3], *folded[authority.id])
                if quoted is None or (authority.id, quoted.start) in seen:
                    continue
                seen.add((authority.id, quoted.start))
                said = ""
                for back in range(min(2, place + 1)):
                    said = f"{ANY_QUOTED.sub(' ', without(text, cut[place - back], cases))} {said}"
                    if len(find_terms(said, tokenizer.tokenize)) >= FEWEST_TERMS:
                        yield Question(" ".join(said.split())[-500:], authority, quoted, unseen)
                        break


def fold(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text in lower case, in words with one space between, and their places."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text.lower()):
        if char == "\xad":
            continue
        plain = char if char.isalnum() and char.isascii() else " "
        if plain != " " or chars[-1:] != [" "]:
            chars.append(plain)
            places.append(place)
    return "".join(chars), places


def find_once(quotation: str, text: str, places: Sequence[int]) -> Span | None:
    """Return the place of a quotation's longest piece in a folded text, None unless it occurs just once."""
    longest = max((fold(each)[0].strip() for each in CUTS.split(quotation)), key=len)
    if len(longest.split()) < FEWEST_WORDS or text.count(longest) != 1:
        return None
    start = text.index(longest)
    return Span(places[start], places[start + len(longest) - 1] + 1)


def measure(library: Library, tokenizer: Tokenizer, questions: Sequence[Question]) -> list[list[object]]:
    """How often passage and sentence shown are the quoted ones: those with most words, and those chosen."""
    counts = np.zeros((2, 3))
    for question in questions:
        authority, tokens = question.authority, tokenizer.tokenize
        terms = find_terms(question.text, tokens)
        weights = Weights(dict(zip(terms, library.rarity(list(terms)), strict=True)))
        ids, _ = library.lexical(list(terms), MOST_PASSAGES, frozenset((authority.id,)), TOKEN)
        passages = library.contents.passages(authority.id)
        numbers = {each.id: number for number, each in enumerate(passages)}
        best = [passages[numbers[each]] for each in ids.tolist()] or [passages[0]]
        gold = {number for number, each in enumerate(passages) if overlap(each, question.quoted)}
        said = find_best_sentence(terms, authority, best[0].text, tokens)
        shown = [(best[0], said), choose_statement(weights, authority, best, tokens) or (best[0], said)]
        for row, (passage, span) in enumerate(shown):
            number = numbers[passage.id]
            near = any(abs(number - each) <= 1 for each in gold)
            counts[row] += number in gold, near, overlap(span.shift(passage.start), question.quoted)
    shares = counts / max(1, len(questions))
    names = ("most words (before)", "chosen (now)")
    return [[name, *(f"{share:.3f}" for share in row)] for name, row in zip(names, shares, strict=True)]


def overlap(one: PassageRecord | Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("indexes", type=Path, nargs="+")
    parser.add_argument("--unseen", action="store_true", help="measure on the halves kept unseen")
    options = parser.parse_args()
    tokenizer = Tokenizer()
    for path in options.indexes:
        library = Library(path)
        questions = [each for each in find_questions(library, tokenizer) if each.unseen == options.unseen]
        print(f"\n{path.stem}: {len(questions)} questions, {'unseen' if options.unseen else 'seen'}\n")
        print(table(["by", "passage", "or a neighbour", "sentence"], measure(library, tokenizer, questions)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
