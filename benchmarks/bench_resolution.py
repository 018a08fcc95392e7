"""Whether citations resolve: on ../shared/data, or the folders named.

(a) Indian judgments: citations assigned to an American reporter. None should be but those of the American
    cases that they do cite, whose reporters no other country has (U.S., L. Ed., S. Ct., F., F. Supp.).
(b) American opinions: their own and parallel citations are found as one citation, with one key in every way
    to write them.
(c) American opinions: where one cites another by volume, reporter and page, the library's graph leads to it
    (recall), and where the graph leads to one, the text says so (precision).
(d) Indian judgments, whose files name no citation of their own: what the graph resolves all the same, by the
    citation that other judgments give them, has a name that agrees.

What is right is decided without the grammar: by each document's own citation as a tolerant pattern of its
volume, the letters of its reporter and its page, in the text of the others.

python benchmarks/bench_resolution.py [--write] [--examples 10]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from measuring import table, write_results

from lexls.citations.grammar import Grammar
from lexls.citations.model import fold
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.settings.declaration import Settings

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
_OWN = re.compile(r"(\d{1,4})\s+(\S.*\S)\s+(\d{1,5})")
_SEVERAL = re.compile(r";\s+|,\s+(?=\d+ )")
"""Some files name two reports in one citation."""
_FOLDED = re.compile(r"[^0-9a-z]+")
_SHORT = re.compile(
    r"(\d{1,4})\s{0,3}([A-Z][A-Za-z.'’\s]{0,24}?(?:[2-9](?:d|nd|rd|th)(?:\s+Supp\.?)?)?\.?),?\s{0,3}at\s"
    r"(?:\s*(?:pages?|pp?\.|\*))?\s*(\d+)"
)
_OTHER_WORDS = {"wash": ("wn",), "f": ("fed", "fedrep"), "fsupp": ("fedsupp",), "ccpa": ("ccpacustoms",)}
"""Reporters that courts abbreviate by other letters than the documents' own citations do."""
_BACK = re.compile(r"\W*(?:id|ibid|supra)\b|\bsupra\b", re.IGNORECASE)
_LONGEST_OPINION = 300
"""Pages of a report that one opinion may fill."""


@dataclass(slots=True)
class Score:
    """How many were right of how many, and a few that were not."""

    right: int = 0
    total: int = 0
    wrong: list[str] = field(default_factory=list)

    def count(self, right: bool, what: str) -> None:
        self.total += 1
        self.right += right
        if not right:
            self.wrong.append(" ".join(what.split()))

    @property
    def share(self) -> float:
        return self.right / self.total if self.total else float("nan")


def letters(report: str) -> str:
    """A reporter as its letters and digits alone."""
    return _FOLDED.sub("", report.casefold())


# -- (a) ---------------------------------------------------------------------------------------------------


AMERICAN_ALONE = frozenset({"us", "led", "led2d", "sct", "f", "f2d", "f3d", "fsupp", "fsupp2d"})
"""Reporters, by their letters, that no other country shares."""


def american_in_india(folder: Path) -> tuple[Score, Counter[str]]:
    """How many case citations in Indian judgments are not assigned to an American reporter.

    Citations that the text itself writes by a reporter of ``AMERICAN_ALONE`` are of American cases: they are
    left out, and counted by reporter.
    """
    grammar = Grammar.load()
    score, genuine = Score(), Counter[str]()
    for path in sorted(folder.iterdir()):
        text = path.read_text(encoding="utf-8", errors="replace")
        for each in grammar.find(text, "IN"):
            if each.kind != "case" or not each.key or each.form != "full":
                continue
            core = letters(re.sub(r"\d+", " ", re.sub(r"(?<=[a-z.] )2d|(?<=\.)2d", "", each.core.of(text))))
            american = each.jurisdiction == "US"
            if american and core in AMERICAN_ALONE:
                genuine[core] += 1
            else:
                score.count(not american, f"{path.name}: {each.text} → {each.key}")
    return score, genuine


# -- (b) ---------------------------------------------------------------------------------------------------


def ways(citation: str) -> Iterator[str]:
    """A citation as reports and courts write it: with and without spaces and full stops."""
    match = _OWN.fullmatch(citation)
    yield citation
    if match is None:
        return
    volume, report, page = match.groups()
    close = re.sub(r"\.\s+(?=\S)", ".", report)
    for written in (close, report.replace(".", ""), re.sub(r"\.(?=[A-Z0-9])", ". ", report)):
        if written != report:
            yield f"{volume} {written} {page}"


def own_citations(library: Library) -> tuple[Score, Score]:
    """Of the documents' own citations: how many are read as written; and how many the same in every way."""
    grammar = Grammar.load()
    plain, every = Score(), Score()
    for authority in library.catalogue.all():
        for citation in (one for each in authority.citations for one in _SEVERAL.split(each)):
            wanted = ""
            agreed = True
            for number, written in enumerate(ways(citation)):
                text = f"The rule is settled. See Orme v. Dask, {written} (1990). It is followed here."
                found = [each for each in grammar.find(text, "US") if each.form == "full"]
                one = len(found) == 1 and found[0].kind == "case" and written in found[0].text
                key = fold(found[0].key) if one else ""
                if number == 0:
                    wanted = key
                    normal = bool(key) and key == fold(grammar.key_of(citation, authority.jurisdiction))
                    plain.count(normal, f"{citation}: {[each.key for each in found]}")
                if not one or key != wanted:
                    agreed = False
                    every.wrong.append(f"{citation} as {written}: {[each.key for each in found]}")
            every.total += 1
            every.right += agreed
    return plain, every


# -- (c) ---------------------------------------------------------------------------------------------------


class Ground:
    """The documents' own citations, and where others' texts have them."""

    def __init__(self, library: Library) -> None:
        self.documents: defaultdict[tuple[str, str, str], set[int]] = defaultdict(set)
        self.own: defaultdict[int, list[tuple[str, str, str]]] = defaultdict(list)
        reports: dict[str, None] = {}
        for authority in library.catalogue.all():
            for citation in (one for each in authority.citations for one in _SEVERAL.split(each)):
                match = _OWN.fullmatch(citation)
                if match is None:
                    continue
                triple = (match[1], letters(match[2]), match[3])
                self.documents[triple].add(authority.id)
                self.own[authority.id].append(triple)
                reports[letters(match[2])] = None
        tolerant = sorted((_tolerant(report) for report in reports), key=len, reverse=True)
        self._pattern = re.compile(
            rf"(?<![\w*.,§$/-])(\d{{1,4}})\s{{0,3}}({'|'.join(tolerant)})[.\s]{{0,3}}\s{{0,3}}(\d{{1,5}})(?![\w*])",
            re.IGNORECASE,
        )

    def mentions(self, text: str) -> Iterator[tuple[int, int, set[int]]]:
        """Where ``text`` has the citation of a document, and of which: ``(start, end, documents)``."""
        at = 0
        while (match := self._pattern.search(text, at)) is not None:
            at = match.start(2)  # a page may be the volume of the next citation
            found = self.documents.get((match[1], letters(match[2]), match[3]))
            if found:
                yield match.start(), match.end(), found


def _tolerant(report: str) -> str:
    """The letters of a reporter with full stops, spaces and apostrophes anywhere between them."""
    return r"[.\s'’]{0,3}".join(map(re.escape, report))


def internal(library: Library) -> tuple[Score, Score, Counter[str]]:
    """Recall and precision of the library's own graph; and how many short forms were judged by what."""
    ground = Ground(library)
    recall, precision, kinds = Score(), Score(), Counter[str]()
    for authority in library.catalogue.all():
        text = library.contents.text(authority.id)
        edges = sorted(
            (edge.start, edge.end, target) for edge, target in library.graph.find_cited(authority.id)
        )
        for start, end, documents in ground.mentions(text):
            if authority.id in documents:
                continue
            held = any(s < end and start < e and t in documents for s, e, t in edges)
            recall.count(held, f"{authority.relative}: …{text[max(0, start - 60) : end + 30]}…")
        for start, end, target in edges:
            if target is None:
                continue
            right, kind = _agrees(library, ground, text[start:end], target)
            kinds[kind] += 1
            if right is not None:
                title = known.title if (known := library.catalogue.get(target)) else ""
                precision.count(
                    right, f"{authority.relative}: {text[start:end]!r} → {title} {ground.own[target]}"
                )
    return recall, precision, kinds


def _agrees(library: Library, ground: Ground, cited: str, target: int) -> tuple[bool | None, str]:
    """Whether the words of an edge are of its target (None: they do not say), and what they are."""
    for volume, _, _ in ground.own[target]:
        for match in re.finditer(rf"(?<!\d){volume}(?!\d)", cited):
            rest = letters(cited[match.end() :])
            own = [(v, written, p) for v, r, p in ground.own[target] for written in _abbreviated(r)]
            if any(v == volume and rest.startswith(written + p) for v, written, p in own):
                return True, "volume, reporter and page"
    found = {(match[1], letters(match[2]), match[3]) for match in ground._pattern.finditer(cited)}
    if found:
        return False, "volume, reporter and page"
    short = _SHORT.search(cited)
    if short is not None:
        right = any(
            short[1] == volume
            and letters(short[2]) in _abbreviated(report)
            and int(first) <= int(short[3]) <= int(first) + _LONGEST_OPINION
            for volume, report, first in ground.own[target]
        )
        return right, "volume, reporter and pinpoint"
    authority = library.catalogue.get(target)
    title = re.findall(r"[a-z0-9]{3,}", authority.title.casefold()) if authority else []
    words = re.findall(r"[a-z0-9]{3,}", _BACK.sub(" ", cited).casefold())
    initials = "".join(word[0] for word in re.findall(r"[A-Z]\w*", authority.title)) if authority else ""
    if any(word in title or (len(word) > 2 and word.upper() in initials) for word in words):
        return True, "name"
    if _BACK.search(cited):
        return None, "id., which says nothing itself"
    return False, "name"


def _abbreviated(report: str) -> list[str]:
    """The letters by which a reporter is known."""
    series = re.search(r"\d\w\w?$", report)
    base, tail = (report[: series.start()], series[0]) if series is not None else (report, "")
    return [report, *(f"{other}{tail}" for other in _OTHER_WORDS.get(base, ()))]


# -- (d) ---------------------------------------------------------------------------------------------------

_PARTIES = re.compile(r"\bv(?:s|ersus)?\b\.?", re.IGNORECASE)
_COMMON = frozenset(["state", "union", "india", "others", "another", "versus", "government", "supra", "case"])


def by_name(library: Library) -> Score:
    """Of citations that lead to an authority and name two parties: how many share a word of its title."""
    score = Score()
    for authority in library.catalogue.all():
        title = _telling(authority.title)
        for edge in library.graph.find_citing(authority.id):
            cited = library.contents.text(edge.citing)[edge.start : edge.end]
            name = re.split(r"[\[(]?\d{4}|AIR", cited)[0]
            if _PARTIES.search(name):
                score.count(
                    bool(title & _telling(name)), f"{cited[:120]} → {authority.title} ({authority.date})"
                )
    return score


def _telling(name: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", name.casefold())) - _COMMON


# -- all together ------------------------------------------------------------------------------------------


def indexed(folder: Path, jurisdiction: str, index: Path) -> Library:
    started = time.perf_counter()
    settings = Settings(jurisdiction=jurisdiction, embeddings_model="")
    library, report = open_library([folder], index, settings, lexical_only=True)
    print(f"{folder.name}: {report.documents} documents in {time.perf_counter() - started:.0f} s", flush=True)
    return library


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with in-cases and us-cases")
    parser.add_argument("--index", type=Path, help="keep the index of us-cases in this file")
    parser.add_argument("--examples", type=int, default=8, help="how many wrong ones to print of each")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    arguments = parser.parse_args()
    rows: list[tuple[str, Score, str]] = []
    if (arguments.data / "in-cases").is_dir():
        score, genuine = american_in_india(arguments.data / "in-cases")
        rows.append(("in-cases: case citations not assigned to an American reporter", score, "100%"))
        print("American cases that Indian judgments cite:", json.dumps(genuine.most_common()))
        with tempfile.TemporaryDirectory() as folder:
            library = indexed(arguments.data / "in-cases", "IN", Path(folder, "in.sqlite3"))
            rows.append(
                (
                    "in-cases: citations that resolve, by name and year, are of that file",
                    by_name(library),
                    "99.5%",
                )
            )
            library.close()
    kinds = Counter[str]()
    if (arguments.data / "us-cases").is_dir():
        with tempfile.TemporaryDirectory() as folder:
            library = indexed(
                arguments.data / "us-cases", "US", arguments.index or Path(folder, "us.sqlite3")
            )
            plain, every = own_citations(library)
            rows.append(("us-cases: own and parallel citations read and normalised", plain, "99%"))
            rows.append(("us-cases: the same key however they are written", every, "99%"))
            recall, precision, kinds = internal(library)
            rows.append(("us-cases: internal citations that resolve to their file (recall)", recall, "95%"))
            rows.append(
                ("us-cases: resolved citations that are of that file (precision)", precision, "99.5%")
            )
            library.close()
    if not rows:
        sys.exit(f"no data in {arguments.data}")
    for name, score, wanted in rows:
        print(f"{name}: {score.right} of {score.total} = {score.share:.2%} (wanted {wanted})")
        for example in score.wrong[: arguments.examples]:
            print(f"    {example[:300]}")
    print("judged by:", dict(kinds))
    if arguments.write:
        write_results(
            "Resolution",
            (
                "    python benchmarks/bench_resolution.py --write\n",
                "Whether citations lead to the right file of the library; right is decided without the "
                "grammar. Precision was judged by "
                f"{', '.join(f'{kind} ({n})' for kind, n in kinds.most_common())}.\n",
                table(
                    ("measure", "right", "of", "share", "wanted"),
                    ((name, s.right, s.total, f"{s.share:.2%}", wanted) for name, s, wanted in rows),
                ),
            ),
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
