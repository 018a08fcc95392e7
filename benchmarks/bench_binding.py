"""Measure whether citations find the file of their case if the file does not give the citation.

The library are the slip opinions of ../shared/data/scotus alone: files with a title, a court, a date and a
docket, but no report. They are cited as the opinions of the same folder and of us-cases cite them, each with
the name, report, court and year that it wrote. Nothing is learnt from citing documents here: the names that
they give are taken out of a copy of the index.

Which file a citation means is decided without lexls's comparison of names. A citation's *group* is all
citations with its report and page, or those of a blank page with its name. A group means a file if a name in
it has the first party and the first word of the second party of the file's, written out, and its year is that
of the file's "Decided" line. Every other name of the group means the same file. A citation of another court,
and of a group without a file, must not be bound, but to a file with its year and a word of each party.

The same is asked of American opinions (us-cases) whose citations are taken out of the copy of the index. What
a citation means is known by its key there, and the thousands of citations of cases that are not in the
library must not be bound. A citation without a year counts as asked, not as held. Some files give only one of
their reports: bound to a file of its parties and year that gives no page of that series, a citation is right.
Files of one court, day and name are one decision. A 3 is an 8 where scans confuse them.
"By name" leaves out what nobody could bind by what is written: a year that is not the file's (an amended
opinion, a slip), or no word of the title ("In re Askin" for United States v. McNulty). Citations that differ
in the place cited alone count once. British judgments are cited by what practice makes of their titles
(``SHORTENED``).

Half of the groups, by hash, is left for ``--unseen``; ``--write`` measures both.

python benchmarks/bench_binding.py [--unseen] [--indexes FOLDER] [--only scotus] [--examples 20] [--write]
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import sqlite3
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product
from pathlib import Path

from measuring import table, write_results

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation, fold
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import Resolution, resolve
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
FIRST_YEAR = 2009
"""Year of the oldest slip opinion of the data."""
_REPORT = re.compile(r"\d{1,3}\s?(?:U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.\s?2d)\s?(?:\d{1,4}|[_—-]+)")
_DECIDED = re.compile(r"\bDecided\s+[A-Z][a-z]{2,8}\.?\s\d{1,2},\s(20\d\d)\b")
_BRACKETS = re.compile(r"\s?\([^()]*\)")
_BEHIND = re.compile(r"\s{0,3}\([^()]{0,60}\b(?:1[6-9]|20)\d\d\)")
_WRITTEN_OUT = {
    short: long.replace("_", " ")
    for short, long in (
        each.split()
        for each in """
        assn association; auth authority; bd board; bldg building; cal california; co company;
        comm commission; commn commission; comp compensation; corp corporation; cty county; cnty county;
        dept department; dist district; ed education; educ education; elec electric; fed federal;
        govt government; inc incorporated; ins insurance; intl international; natl national; pub public;
        soc society; sys systems; univ university; us unitedstates; mfg manufacturing; metro metropolitan;
        comr commissioner; commr commissioner; admr administrator; hosp hospital; ctr center;
        envtl environmental; prot protection; cas casualty; sec security; secs securities; servs services;
        serv service; fin financial; ry railway; rr railroad; enter enterprise; transp transportation;
        fec federal_election_commission; fcc federal_communications_commission;
        epa environmental_protection_agency; sch school; indus industries; lab laboratories;
        labs laboratories; pharm pharmaceuticals
        """.split(";")  # noqa: SIM905
    )
}
"""The Bluebook's abbreviations, by which names are compared here instead of by lexls's own tables."""
_SMALL = frozenset(
    "the of and a an et al ex rel in re v vs llc ltd lp incorporated company corporation".split()  # noqa: SIM905
)


def abridge(name: str) -> tuple[str, str]:
    """Return the first party of a name and the first word of the second, which are always cited."""
    first, _, second = re.sub(r"\sex rel\..*?(?=\sv\.|$)", "", name.split(",—")[0].split(", -")[0]).partition(
        " v. "
    )
    return plain(first), plain(re.sub(r"^(?:City|County|Borough) of ", "", second)).partition(" ")[0]


def plain(name: str) -> str:
    """Return a name as its written-out words, without small ones and company forms."""
    text = re.sub(
        r"\b([a-z])\.\s(?=[a-uw-z]\b)", r"\1", re.sub(r",\s(?:pa|la|fla|cal)\.", "", name.casefold())
    )
    text = text.replace("u. s.", "us").replace("&amp;", "&").replace("united states", "unitedstates")
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’.]", "", text).replace("-", " "))
    return " ".join(each for each in (_WRITTEN_OUT.get(word, word) for word in words) if each not in _SMALL)


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as a text writes it: of which folded ``keys``, of which ``group`` of the Supreme Court."""

    written: str
    name: str
    year: int | None
    keys: tuple[str, ...]
    group: str = ""


@dataclass(slots=True)
class Score:
    """Held cases that were bound, and citations bound to a file that is not theirs."""

    held: int = 0
    bound: int = 0
    named: int = 0
    bound_named: int = 0
    asked: int = 0
    wrong: int = 0
    several: int = 0
    grounds: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def count(
        self,
        written: str,
        meant: Collection[int],
        resolution: Resolution | None,
        called: str,
        *,
        named: bool = True,
        also: bool = False,
    ) -> None:
        """Count a citation, which means one of the files ``meant``; of several that fit the user chooses one.

        ``named``: it has the name and year of the file meant; ``also``: it may mean what was found.
        """
        self.asked += 1
        found = resolution.authorities if resolution is not None else ()
        by = resolution.by if resolution is not None else ""
        if resolution is not None and not set(meant).isdisjoint(resolution.rivals):
            self.several += 1
            return
        self.held += bool(meant)
        self.named += bool(meant) and named
        if not set(meant).isdisjoint(found):
            self.bound += 1
            self.bound_named += named
            self.grounds[by] += 1
        elif found and not also:
            self.wrong += 1
            self.examples.append(f"WRONG  {written} → {called}")
        elif meant:
            self.examples.append(f"missed {written} (is {called})")


def is_unseen(group: str) -> bool:
    """Return whether a group belongs to the half that is kept for the end."""
    return hashlib.sha256(group.encode()).digest()[0] % 2 == 1


# -- American slip opinions --------------------------------------------------------------------------------


def list_cited(texts: Iterable[str], jurisdiction: str) -> Iterator[Cited]:
    """The cases that texts cite by name, report and year, parallel citations as one; each way once."""
    grammar = Grammar.load()
    for text in texts:
        cited = [
            each for each in grammar.find(text, jurisdiction) if each.kind == "case" and each.form == "full"
        ]
        groups: defaultdict[object, list[Citation]] = defaultdict(list)
        for place, each in enumerate(cited):
            groups[each.group or f"alone {place}"].append(each)
        for group in groups.values():
            first = group[0]
            named = re.search(r"\sv\.?\s|In re", first.name) is not None
            if named and text.startswith(first.name[:5], first.span.start):
                written = text[first.span.start : group[-1].span.end]
                if (end := _BEHIND.match(text, group[-1].span.end)) is not None:
                    written += end[0]
                keys = tuple(fold(each.key) for each in group)
                year = next((each.year for each in reversed(group) if each.year), None)
                yield Cited(" ".join(written.split()), " ".join(first.name.split()), year, keys)


def group_supreme(cited: Cited) -> Cited:
    """A citation with the group of the Supreme Court's decision that it may mean."""
    report = _REPORT.search(cited.written)
    if report is None:
        return cited
    blank = report[0][-1] in "_—-"
    core = re.sub(r"\W", "", report[0]).casefold()
    return replace(cited, group=f"{core} {plain(cited.name)}" if blank else core)


def match_groups(cited: Iterable[Cited], files: Iterable[Authority], texts: dict[int, str]) -> dict[str, int]:
    """Return the file that each group of Supreme Court citations means."""
    named: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    years: dict[int, int] = {}
    for file in files:
        for title in (Path(file.relative).stem, file.title):
            named[abridge(title)].add(file.id)
        decided = _DECIDED.search(texts[file.id][:9000])
        years[file.id] = int(decided[1]) if decided is not None else file.year or 0
    meant: dict[str, int] = {}
    for each in cited:
        for file_id in named.get(abridge(each.name), ()) if each.group else ():
            if years[file_id] in (each.year, 0):
                meant[each.group] = file_id
    return meant


def measure_slips(index: Path, unseen: bool) -> Score:
    """Cite the slip opinions as other opinions do."""
    forget(index, citations=False)
    library = Library(index)
    files = library.catalogue.all()
    texts = {each.id: library.contents.text(each.id) for each in files}
    cases = (path.read_text(encoding="utf-8") for path in sorted((DATA / "us-cases").iterdir()))
    found = dict.fromkeys(group_supreme(each) for each in list_cited(chain(texts.values(), cases), "US"))
    cited = [each for each in found if each.year is not None and each.year >= FIRST_YEAR]
    meant = match_groups(cited, files, texts)
    score, parser = Score(), DraftParser(Grammar.load(), "US")
    for each in cited:
        if is_unseen(each.group) == unseen:
            file_id = meant.get(each.group)
            ask(library, parser, each.written, () if file_id is None else (file_id,), score, each)
    library.close()
    return score


# -- files whose citations are taken away --------------------------------------------------------------------


def measure_known(index: Path, unseen: bool) -> Score:
    """Cite files as one another do, once they do not give their citations themselves."""
    library = Library(index)
    files = library.catalogue.all()
    own = {file.id: library.catalogue.own_keys_of(file.id) for file in files}
    series = {file_id: {drop_numbers(key) for key in keys} for file_id, keys in own.items()}
    decisions: defaultdict[object, set[int]] = defaultdict(set)
    known: defaultdict[str, set[int]] = defaultdict(set)
    for file in files:
        decision = decisions[file.court, file.date, abridge(_BRACKETS.sub("", file.title))]
        decision.add(file.id)
        for key in own[file.id]:
            known[key] |= decision
    texts = [library.contents.text(file.id) for file in files]
    library.close()
    forget(index, citations=True)
    library = Library(index)
    score, parser = Score(), DraftParser(Grammar.load(), "US")
    once = {(each.keys, plain(each.name), each.year): each for each in list_cited(texts, "US")}
    for each in once.values():
        if is_unseen(each.keys[0]) == unseen:
            meant = next((known[key] for key in map(divide, each.keys) if key in known), ())
            ask(library, parser, each.written, meant, score, each, series, own)
    library.close()
    return score


def divide(key: str) -> str:
    """A folded key without the half of the Court of Customs and Patent Appeals, which files leave out."""
    return re.sub(r"(?<=ccpa)(?:customs|patents)", "", key)


def drop_numbers(key: str) -> str:
    """The series of a report's folded key, without volume and page."""
    return re.sub(r"^\d+|\d+$", "", key)


def agrees(cited: Cited, file: Authority) -> bool:
    """Return whether a citation has the year of a file and a telling word of each side that its name has."""
    titled = set(plain(file.title).split())
    sides = (set(plain(side).split()) for side in re.split(r"\sv\.?\s", cited.name))
    return cited.year == file.year and all(side & titled for side in sides if side)


# -- shortened titles ----------------------------------------------------------------------------------------

SHORTENED: Sequence[tuple[str, str]] = (
    (r"^(?:Mr|Mrs|Ms|Dr|[A-Z][a-z]+|[A-Z]) (?=(?!Ltd|Limited)[A-Z][a-z]+ v )", ""),
    (r"(?<= v )(?:Mr|Mrs|Ms|Dr|[A-Z][a-z]+) (?=(?!Ltd|Limited|University)[A-Z][a-z]+$)", ""),
    (r",? (?:Limited|Ltd\.?|Plc|PLC|plc|LLP|Inc\.?|LLC)(?= v |$| \()", ""),
    (r",? (?:&|[Aa]nd) (?:Anor|Ors|[Oo]thers|[Aa]nother|Ano)\b\.?", ""),
    (r"R \([Oo]n the [Aa]pplication of (.+?)\) v", r"R (\1) v"),
    (r"(?:The )?Secretary of State for (?:the )?Home Department", "SSHD"),
    (r"(?:The )?Secretary of State for (?:the )?Home Department", "Home Secretary"),
    (r"(?:The )?Commissioners for (?:His|Her) Majesty['’]s Revenue (?:and|&) Customs", "HMRC"),
)
"""How practice shortens English titles: a pattern, and its replacement."""


def measure_shortened(index: Path, unseen: bool) -> Score:
    """Cite British judgments by each usual shortening of their titles and all together, with a report that no
    file gives; and with a year in which they were not decided, when they must not be bound."""
    library = Library(index)
    files = [
        each for each in library.catalogue.all() if each.kind == "case" and each.year and " v " in each.title
    ]
    named = Counter(plain(each.title) + str(each.year) for each in files)
    score, parser = Score(), DraftParser(Grammar.load(), "UK")
    for file in files:
        if is_unseen(file.relative) != unseen or named[plain(file.title) + str(file.year)] > 1:
            continue
        ways = {file.title: None}
        for pattern, instead in SHORTENED:
            ways.update(dict.fromkeys(re.sub(pattern, instead, way) for way in tuple(ways)))
        for way in ways:
            if file.year is not None:
                ask(library, parser, f"{way} [{file.year}] 1 WLR 991", (file.id,), score)
                ask(library, parser, f"{way} [{file.year - 3}] 1 WLR 991", (), score)
    library.close()
    return score


def forget(index: Path, *, citations: bool) -> None:
    """Take out of an index what documents call one another, and the citations that files give themselves."""
    with sqlite3.connect(index) as connection:
        connection.execute("UPDATE edges SET name = ''")
        if citations:
            connection.execute("UPDATE documents SET citations = '[]', keys = '[]'")
    connection.close()


def ask(
    library: Library,
    parser: DraftParser,
    written: str,
    meant: Collection[int],
    score: Score,
    cited: Cited | None = None,
    series: Mapping[int, set[str]] | None = None,
    own: Mapping[int, Sequence[str]] | None = None,
) -> None:
    """Resolve a citation in a sentence of its own."""
    draft = parser.parse(
        "file:///draft", f"The rule is settled. See {written}. It is followed.\n", FORMATS["markdown"]
    )
    full = [each for each in draft.citations if each.form == "full" and each.kind == "case"]
    found = resolve(library, draft, full[0]) if full else None
    authorities = found.authorities if found is not None else ()
    shown = library.catalogue.get(next(iter((*authorities, *meant)), 0))
    called = f"{shown.name}, {shown.date}" if shown is not None else ""
    if cited is None or series is None or own is None:
        also = cited is not None and bool(cited.group) and shown is not None and agrees(cited, shown)
        score.count(written, meant, found, called, also=also)
        return
    held = [file for each in meant if (file := library.catalogue.get(each)) is not None]
    named = any(agrees(cited, each) for each in held)
    also = shown is not None and (
        (agrees(cited, shown) and series[shown.id].isdisjoint(map(drop_numbers, cited.keys)))
        or not set(map(misread, own[shown.id])).isdisjoint(map(misread, cited.keys))
    )
    if cited.year is None:
        meant, also = (), also or bool(set(meant).intersection(authorities))
    score.count(written, meant, found, called, named=named, also=also)


def misread(key: str) -> str:
    """A folded key as a scan may have it."""
    return key.replace("8", "3")


# -- reports ------------------------------------------------------------------------------------------------


MEASURES: Mapping[str, Callable[[Path, bool], Score]] = {
    "scotus": measure_slips,
    "us-cases": measure_known,
    "uk": measure_shortened,
}
"""The measurements, by the name of the index."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--indexes", type=Path, default=None, help="folder of indexes that exist already")
    parser.add_argument("--unseen", action="store_true", help="the half that is kept for the end")
    parser.add_argument("--only", default="", help="one of the libraries")
    parser.add_argument("--examples", type=int, default=20)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    scores: dict[tuple[str, str], Score] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, half in product(MEASURES, ("seen", "unseen")):
            index = Path(folder) / f"{half} {name}.sqlite3"
            if asked.only not in ("", name) or not (asked.write or asked.unseen == (half == "unseen")):
                continue
            made = (asked.indexes or Path(folder)) / f"{name}.sqlite3"
            if not made.exists() and (DATA / name).exists():
                made = Path(folder) / made.name
                settings = Settings(jurisdiction="US", embeddings_model="")
                open_library([DATA / name], made, settings, lexical_only=True)[0].close()
            if made.exists():
                shutil.copy(made, index)
                scores[name, half] = MEASURES[name](index, half == "unseen")
    rows = [
        [
            name, half, score.asked, score.held, f"{score.bound / max(1, score.held):.1%}",
            f"{score.bound_named / max(1, score.named):.1%} of {score.named}",
            score.several, score.wrong, f"{score.wrong / max(1, score.asked):.2%}",
            ", ".join(f"{by} {count}" for by, count in score.grounds.most_common()),
        ]
        for (name, half), score in scores.items()
    ]  # fmt: skip
    shown = table(
        ["citations", "half", "asked", "held", "bound", "by name", "several fit", "wrong", "of asked", "by"],
        rows,
    )
    print(shown)
    for score in scores.values():
        for example in sorted(score.examples)[: asked.examples]:
            print(example)
    if asked.write:
        about = (
            "Of citations whose case is in the library (*held*), how many are bound to its file; *by "
            "name*: of those that have a name. *Wrong* counts bindings to another file, as a share of all "
            "citations asked.\n"
        )
        command = "    python benchmarks/bench_binding.py --write\n"
        write_results("Binding a citation to a file", [command, about, shown])


if __name__ == "__main__":
    main()
