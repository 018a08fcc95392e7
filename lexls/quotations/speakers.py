"""Say who speaks at a place of a judgment (majority, dissent, counsel …), or by the words of a clause."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from lexls.text.lexicon import split_words
from lexls.text.phrases import compile_pattern, define_parts, load_phrases

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.library.document import Block

SpeakerKind = Literal["", "majority", "dissent", "concurrence", "headnote", "counsel"]
"""``""``: nothing says who speaks, so it is the court; ``counsel``: a part headed as arguments."""

_PHRASES = load_phrases(__package__, "speakers.toml")
_PARTS = define_parts(_PHRASES["parts"])
_HEADINGS: dict[SpeakerKind, re.Pattern[str]] = {
    kind: compile_pattern(pattern, _PARTS, re.NOFLAG) for kind, pattern in _PHRASES["headings"].items()
}
_LINES = {kind: compile_pattern(pattern, _PARTS, re.MULTILINE) for kind, pattern in _PHRASES["lines"].items()}
_JUDGES = [compile_pattern(pattern, _PARTS, re.NOFLAG) for pattern in _PHRASES["judges"].values()]
_REPORTERS = compile_pattern(_PHRASES["sentences"]["headnote"], _PARTS, re.NOFLAG)

_WORDS: dict[str, str] = _PHRASES["words"]
LITIGANTS = split_words(_WORDS["litigants"])
"""Who argues in court, in the singular."""
ARGUING = split_words(_WORDS["arguing"])
"""Words by which a party says something that the court does not."""
EMBEDDING = ARGUING | split_words(_WORDS["embedding"])
"""Words after which something is asked, said by somebody or denied."""
ASSERTING = split_words(_WORDS["asserting"])
"""Words before "that" which say that what follows is so."""
OTHERS = split_words(_WORDS["others"])
"""Words for courts and officers other than the one that decides."""
PARTIES = LITIGANTS | split_words(_WORDS["parties"])
"""Nouns for who is on which side: it matters who does what to whom."""
_OWN = frozenset(("we", "i"))
_SAYING = ASSERTING - {"trite", "clear", "settled", "established", "true", "known"}
_LONGEST_ASIDE = 8
"""Maximum number of words of an aside that says who speaks."""
_OPINIONS = ("majority", "dissent", "concurrence")
_LONGEST = 140
"""Code points of a heading that names an opinion."""
_LONGEST_ARGUMENT = 70
_TITLE = 600
"""Code points before the first opinion of a copy that has nothing but a title there."""
_CITED = re.compile(r"\d|\bpost\b|\bante\b")
"""What a heading has that is a piece of a sentence which cites a separate opinion."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose words stand somewhere. ``judge`` is the one whose opinion it is ("Souter J."), "" if not known;
    ``partly`` says that he dissents only in part; ``heading`` is what a part with arguments is headed."""

    kind: SpeakerKind = ""
    judge: str = ""
    partly: bool = False
    heading: str = ""

    @property
    def words(self) -> str:
        """What people are told ("dissenting opinion of Souter J."), "" where the words are the court's."""
        of = f" of {self.judge}" if self.judge else ""
        if self.kind == "dissent":
            return f"opinion{of}, dissenting in part" if self.partly else f"dissenting opinion{of}"
        if self.kind == "concurrence":
            return f"concurring opinion{of}"
        if self.kind == "headnote":
            return "headnote, not the court's words"
        if self.kind == "counsel":
            return f"under the heading “{self.heading}”" if self.heading else "what a party argued"
        return ""


COURT = Speaker()
HEADNOTE = Speaker("headnote")
COUNSEL = Speaker("counsel")


def find_speakers(text: str, blocks: Sequence[Block]) -> list[tuple[int, Speaker]]:
    """From where on whose words a judgment has, in order; empty where nothing in it says.

    ``blocks`` are the structure of ``text``. A headnote ends where an opinion begins, and is none if none
    does; what is headed as an argument ends at the next heading.
    """
    found: list[tuple[int, Speaker]] = []
    opinion = COURT
    marks = sorted([*_read_headings(text, blocks), *_read_lines(text)], key=lambda each: each[0])
    begun = [at for at, speaker in marks if speaker is not None and speaker.kind in _OPINIONS]
    for at, speaker in marks:
        argued = speaker is not None and speaker.kind == "counsel"
        endless = speaker is not None and speaker.kind == "headnote" and (not begun or begun[-1] < at)
        if speaker is not None and not argued and not endless:
            opinion = speaker
        now = speaker if speaker is not None and argued and opinion.kind in ("", "majority") else opinion
        if not found or found[-1][1] != now:
            found.append((at, now))
    return found


def list_opinions(library: SearchableIndex, authority: int) -> list[tuple[int, Speaker]]:
    """Where opinions begin in an authority's text, in order; empty if it does not say."""
    contents = library.contents
    found = find_speakers(contents.text(authority), contents.outline(authority))
    return [each for each in found if each[1].kind in _OPINIONS]


def find_opinion(library: SearchableIndex, authority: int, offset: int) -> SpeakerKind:
    """Whose opinion ``offset`` of an authority’s text stands in, "" where nothing says."""
    opinions = list_opinions(library, authority)
    place = bisect_right(opinions, offset, key=lambda each: each[0])
    return opinions[place - 1][1].kind if place else ""


def lacks_majority(library: SearchableIndex, authority: int) -> bool:
    """Whether a copy has separate opinions alone, and so not all that the court said."""
    opinions = list_opinions(library, authority)
    return bool(opinions) and opinions[0][0] < _TITLE and all(each.kind != "majority" for _, each in opinions)


def is_headnote(sentence: str) -> bool:
    """Whether a sentence of a judgment is of the headnote that a reporter wrote above it."""
    return _REPORTERS.search(sentence) is not None


def _read_headings(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, Speaker | None]]:
    """Headings with the speaker that each begins, None where it begins none and only ends an argument."""
    for block in blocks:
        if block.kind == "heading":
            words = " ".join(text[block.start : block.end].split()).strip("#* ")
            yield block.start, _read_heading(words) if len(words) <= _LONGEST else None


def _read_heading(heading: str) -> Speaker | None:
    for kind, pattern in _HEADINGS.items():
        if pattern.search(heading) is None:
            continue
        if kind in ("dissent", "concurrence"):
            if _CITED.search(heading):
                return None
            return Speaker(kind, _name_judge(heading), kind == "dissent" and _is_partial(heading))
        if kind == "counsel":
            return Speaker(kind, heading=heading) if len(heading) <= _LONGEST_ARGUMENT else None
        return Speaker(kind)
    return None


def _read_lines(text: str) -> Iterator[tuple[int, Speaker]]:
    """Lines of running text at which opinions begin: "JUSTICE SOUTER, dissenting."."""
    if "JUSTICE" not in text and "issenting" not in text and "HEAD" not in text:
        return
    for name in ("separate", "signed"):
        for match in _LINES[name].finditer(text):
            how = match["how"].casefold()
            kind: SpeakerKind = "dissent" if "dissent" in how else "concurrence"
            yield match.start(), Speaker(kind, _name_judge(match[0]), kind == "dissent" and _is_partial(how))
    for match in _LINES["majority"].finditer(text):
        yield match.start(), Speaker("majority")
    for match in _LINES["headnote"].finditer(text):
        yield match.start(), HEADNOTE


def _is_partial(how: str) -> bool:
    return "part" in how.casefold().replace("-", " ").split()


def _name_judge(words: str) -> str:
    """The judge whom the words at an opinion's beginning name: "Souter J.", "Goldberg, Circuit Judge"."""
    for pattern in _JUDGES:
        match = pattern.search(words)
        if match is None:
            continue
        found = match.groupdict()
        name = found["judge"].title() if found["judge"].isupper() else found["judge"]
        title = found.get("title") or ("C.J." if found.get("chief") else "J.")
        if " " in title or title in ("Judge", "Justice"):
            return f"{name}, {title}"
        return f"{name} {'C.J.' if title.startswith('C') else 'J.' if title == 'J' else title}"
    return ""


# -- who speaks in a clause ----------------------------------------------------------------------------------


def names_another(said: Collection[str]) -> bool:
    """Return whether folded words name another court or a party, and not the one that speaks."""
    if not _OWN.isdisjoint(said):
        return False
    return not (OTHERS.isdisjoint(said) and PARTIES.isdisjoint(said))


def names_speaker(aside: Sequence[str]) -> bool:
    """Return whether folded words of an aside say who speaks: ", he argues,", ", it was held,"."""
    words = [each for each in aside if each.isalnum()]
    if words[:2] == ["according", "to"]:
        return True
    if (
        not 1 < len(words) <= _LONGEST_ASIDE
        or not _OWN.isdisjoint(words)
        or ("this", "court") in pairwise(words)
    ):
        return False
    if words[0] in ("which", "who", "and", "but"):
        return False
    told = words[0] == "it" and "was" in words
    return words[-1] in EMBEDDING or (words[-1] in _SAYING and (told or names_another(frozenset(words))))
