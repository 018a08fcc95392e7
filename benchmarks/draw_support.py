"""Write the citing sentences of a library as a benchmark, in the manner of ``support_us``.

    lexls index ../shared/data/in-cases --jurisdiction IN --index in.sqlite3
    python benchmarks/draw_support.py in.sqlite3 support_in
    lexls eval support_in.shown.jsonl --library ../shared/data/in-cases --index in.sqlite3

A question is what a document says before it cites an authority of the library in full: the sentence up to the
citation, or the one before where that is shorter than 65 characters, without citations of cases. It is asked
with that document left out altogether, and what it cites is to come first. Texts of fewer than 6 distinct
terms are left out, and those that name what they cite. All sentences of every third document, by the hash of
its name, go to ``….unseen.jsonl``: nothing is chosen by them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lexls.evaluation.model_trial import NAMING, CitingQuestion
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span

FEWEST_CHARACTERS = 65
FEWEST_TERMS = 6
MOST_CHARACTERS = 600
FULL = re.compile(r"\d+ [A-Z][^\d]{0,25} ?\d+|\(\d{4}\)|\[\d{4}\]|AIR", re.DOTALL)
"""What a citation in full has: volume, report and page, or a year."""
SHORT = re.compile(r"\bat\b")
STATUTE = re.compile(r"§|U\.? ?S\.? ?C|[Ss]ection|Code|\bAct\b|Rule|Const|C\.F\.R|Stat|Reg\.|Art")
SIGNAL = re.compile(
    r"^\W*(?:(?:but\s+)?see(?:\s*,?\s*(?:also|e\.?\s?g\.?))*|cf\.|accord|compare|quoting|citing|id\.?|ibid\.?"
    r"|supra|at|\d+|and|[;,.()\[\]])(?!\w)\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A question, and the authorities whose name it speaks, which are neither cited nor rivals there."""

    question: CitingQuestion
    names: frozenset[int]


def find_sentences(library: Library, tokenizer: Tokenizer) -> Iterator[CitedSentence]:
    """The questions that the library's own citations make, one for each distinct text of a document."""
    naming: dict[int, frozenset[str]] = {}
    for document in (authority.id for authority in library.catalogue.all()):
        edges = library.graph.find_cited(document)
        if not any(cited is not None and cited != document for _, cited in edges):
            continue
        text = library.contents.text(document)
        spans = [Span(edge.start, edge.end) for edge, _ in edges]
        cut = cut_sentences(text, spans)
        cases = [span for span in spans if not STATUTE.search(span.of(text))]
        found: dict[str, tuple[set[int], set[int]]] = {}
        for edge, cited in edges:
            if cited is None or cited == document or not in_full(text[edge.start : edge.end]):
                continue
            said = before(text, cut, cases, edge.start)
            terms = frozenset(tokenizer.tokenize(said))
            if len(said) < FEWEST_CHARACTERS or len(terms) < FEWEST_TERMS:
                continue
            if cited not in naming:
                title = sorted(library.title_terms([cited]))
                rare = zip(title, library.rarity(title), strict=True)
                naming[cited] = frozenset(term for term, idf in rare if idf > NAMING)
            cites, names = found.setdefault(said, (set(), set()))
            (names if terms & naming[cited] else cites).add(cited)
        for said, (cites, names) in found.items():
            if cites:
                yield CitedSentence(CitingQuestion(document, said, frozenset(cites)), frozenset(names))


def in_full(citation: str) -> bool:
    """Whether a citation is not a short form."""
    return FULL.search(citation) is not None and SHORT.search(citation) is None


def before(text: str, cut: Sequence[Span], cases: Sequence[Span], start: int) -> str:
    """What stands before the citation at ``start`` in its sentence, without citations of cases; where that is
    too short the sentence before, at most three back.
    """
    number = bisect_right([sentence.start for sentence in cut], start) - 1
    if number < 0:
        return ""
    said = without(text, Span(cut[number].start, start), cases)
    for back in range(1, 4):
        if len(said) >= FEWEST_CHARACTERS or number - back < 0:
            break
        said = without(text, cut[number - back], cases)
    return said[-MOST_CHARACTERS:]


def without(text: str, span: Span, cases: Sequence[Span]) -> str:
    """The words of a span without citations of cases and the signals before them."""
    pieces, position = [], span.start
    for case in cases[bisect_right(cases, Span(span.start, -1)) :]:
        if case.start >= span.end:
            break
        pieces.append(text[position : max(position, case.start)])
        position = max(position, case.end)
    pieces.append(text[position : max(position, span.end)])
    said = " ".join(" ".join(pieces).split())
    while (shorter := SIGNAL.sub("", said)) != said:
        said = shorter
    return said.strip(" ;,")


def is_unseen(name: str) -> bool:
    """Whether the sentences of the document with this file name are kept unseen."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 3 == 0


def main() -> int:
    """Write both parts and say how many sentences each has."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path)
    parser.add_argument("output", help="the benchmark's path without its endings")
    options = parser.parse_args()
    library = Library(options.index)
    names = {each.id: PurePosixPath(each.relative).name for each in library.catalogue.all()}
    lines: dict[bool, list[str]] = {False: [], True: []}
    for number, each in enumerate(find_sentences(library, Tokenizer())):
        citing = names[each.question.citing]
        line = {
            "id": f"cite:{citing}:{number}",
            "text": each.question.text,
            "citing": citing,
            "gold": sorted(names[authority] for authority in each.question.cites),
        }
        lines[is_unseen(citing)].append(json.dumps(line, ensure_ascii=False))
    library.close()
    for unseen, part in ((False, "shown"), (True, "unseen")):
        path = Path(f"{options.output}.{part}.jsonl")
        path.write_text("".join(f"{line}\n" for line in lines[unseen]), "utf-8", newline="\n")
        print(f"{path}: {len(lines[unseen])} sentences")
    return 0


if __name__ == "__main__":
    sys.exit(main())
