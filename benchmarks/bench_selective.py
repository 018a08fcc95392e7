"""How many quotations are noticed that the words around them turn in the authority.

    python benchmarks/bench_selective.py ../shared/data/us-cases --index us-cases.sqlite3 --jurisdiction US

From the library's opinions are taken words that stand below "argues that", "we reject … that" or "the
question is whether", before "unless" or "except", and in dissents; none of an opinion twice. Each is quoted
as if it were the court's own, and the draft is checked. Half of the opinions, chosen by a hash of the file's
name, were not looked at while the check was written. What is told of quotations that courts published,
``bench_published.py`` shows.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from measuring import listing, write_results

from lexls.assessing.rules.engine import check
from lexls.assessing.rules.selective import QUOTATION_SELECTIVE
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.library.speakers import OPINIONS, find_speakers
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.wording.prose import blank_markup

SEED = 3
FEWEST = 9
"""Words of a quotation."""
_WORDS = r"([A-Za-z][^.;:?!“”\"()\[\]\n]{50,260})"
_SENTENCE = r"(?<=[.] )([A-Z][^.;:?!“”\"()\[\]\n]{50,260}?)"
TURNS: Mapping[str, re.Pattern[str]] = {
    "a party argues": re.compile(
        r"\b(?:argues?|argued|contends?|contended|submits?|submitted|asserts?|asserted|maintains?|urged) "
        r"that " + _WORDS
    ),
    "the court rejects": re.compile(
        r"\b(?:[Ww]e|I) (?:reject|cannot accept|disagree with|do not accept|are unable to accept|"
        r"cannot agree)\b[^.]{0,60} that " + _WORDS
    ),
    "the court asks": re.compile(
        r"\b(?:question|issue) (?:is|was|presented is|before us is|for decision is|then is) whether " + _WORDS
    ),
    "an exception follows": re.compile(
        _SENTENCE + r",? (?:unless|except (?:that|where|when|in|as)|provided that|only if) "
    ),
}
DISSENT = "a dissent"
_DISSENT = re.compile(_SENTENCE + r"\.")
LEADS = (
    "The law on this is settled. “{quoted}.” {name}, {cited}.",
    "On this point the authority is plain: “{quoted}.” {name}, {cited}.",
    "As the court put it, “{quoted}.” {name}, {cited}.",
    "That follows from {name}, {cited}: “{quoted}.”",
)


def is_unseen(authority: Authority) -> bool:
    """Whether an opinion was never looked at while the check was written."""
    return int(hashlib.sha1(authority.relative.encode()).hexdigest(), 16) % 2 == 0


def _quote(library: Library, authority: Authority) -> Iterator[tuple[str, str]]:
    """How words of an opinion are turned, and the words."""
    text = blank_markup(authority, library.contents.text(authority.id))
    for turn, pattern in TURNS.items():
        yield from ((turn, match[1]) for match in pattern.finditer(text))
    parts = find_speakers(library.contents.text(authority.id), library.contents.outline(authority.id))
    parts = [each for each in parts if each[1].kind in OPINIONS]
    ends = [*(start for start, _ in parts), len(text)][1:]
    for (start, part), end in zip(parts, ends, strict=True):
        if part.kind == "dissent":
            yield from ((DISSENT, match[1]) for match in _DISSENT.finditer(text, start, end))


def draw(library: Library, most: int) -> Mapping[tuple[bool, str], list[tuple[Authority, str]]]:
    """So many misuses of each kind, by whether their opinion was looked at and by how they are turned."""
    cases = [each for each in library.catalogue.all() if each.kind == "case" and each.citation]
    cases.sort(key=lambda each: hashlib.sha1(b"m" + each.relative.encode()).digest())
    found: defaultdict[tuple[bool, str], list[tuple[Authority, str]]] = defaultdict(list)
    for authority in cases:
        if len(found) == 2 * (len(TURNS) + 1) and all(len(each) == most for each in found.values()):
            break
        text = blank_markup(authority, library.contents.text(authority.id))
        used: set[str] = set()
        for turn, words in _quote(library, authority):
            quoted, place = " ".join(words.split()).strip(" ,"), found[is_unseen(authority), turn]
            if turn in used or len(place) == most or len(quoted.split()) < FEWEST or text.count(quoted) > 1:
                continue
            used.add(turn)
            place.append((authority, quoted))
    return found


def main() -> None:
    """Measure, and write the section of RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--index", type=Path, required=True, help="a copy that may be written")
    parser.add_argument("--jurisdiction", default="US")
    parser.add_argument("--of-each", type=int, default=12, help="misuses of each kind")
    parser.add_argument(
        "--show", action="store_true", help="print those of opinions looked at that are missed"
    )
    arguments = parser.parse_args()
    settings = Settings(jurisdiction=arguments.jurisdiction, embeddings_model="")
    library, _ = open_library([arguments.folder], arguments.index, settings, lexical_only=True)
    grammar = Grammar.load()
    searcher = Searcher(library, grammar=grammar)
    chance = random.Random(SEED)
    noticed: Counter[tuple[bool, str]] = Counter()
    drawn = draw(library, arguments.of_each)
    for place, misuses in drawn.items():
        for authority, quoted in misuses:
            source = chance.choice(LEADS).format(quoted=quoted, name=authority.name, cited=authority.citation)
            draft = DraftParser(grammar, settings.jurisdiction).parse(
                "file:///draft", source, FORMATS["markdown"]
            )
            findings = check(Snapshot(draft, library, searcher, settings), CancelToken())
            told = any(each.code == QUOTATION_SELECTIVE.code for each in findings)
            noticed[place] += told
            if arguments.show and not told and not place[0]:
                print(f"{place[1]}: {source}")
    library.close()
    rows: list[list[object]] = []
    for turn in (*TURNS, DISSENT):
        rows.append([turn, *(f"{noticed[half, turn]} of {len(drawn[half, turn])}" for half in (False, True))])
    totals = [
        f"{sum(noticed[half, turn] for turn in (*TURNS, DISSENT))} of "
        f"{sum(len(drawn[half, turn]) for turn in (*TURNS, DISSENT))}"
        for half in (False, True)
    ]
    rows.append(["all", *totals])
    shown = listing(["what turns the words", "opinions looked at", "opinions never looked at"], rows)
    print(shown)
    command = f"    python benchmarks/bench_selective.py {arguments.folder} --of-each {arguments.of_each}\n"
    about = (
        "Quotations that leave out what turns the words: how many are reported. Most of the missed were "
        "cut in the middle of a number or an abbreviation.\n"
    )
    write_results(f"Selective quotation: {arguments.folder.name}", [command, about, shown])


if __name__ == "__main__":
    main()
