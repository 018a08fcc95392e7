"""Tell whose words stand at a place of a judgment: the court's, a dissenting judge's, counsel's …"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lexls.text.phrases import compile_pattern, define_parts, load_phrases

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.library.document import Block

VoiceKind = Literal["", "court", "dissent", "concurrence", "headnote", "argument"]
"""``""``: nothing says whose words they are, so they are the court's; ``argument``: a part that is headed as
what the parties argue."""

_PHRASES = load_phrases(__package__, "voices.toml")
_PARTS = define_parts(_PHRASES["parts"])
_HEADINGS: dict[VoiceKind, re.Pattern[str]] = {
    kind: compile_pattern(pattern, _PARTS, re.NOFLAG) for kind, pattern in _PHRASES["headings"].items()
}
_LINES = {kind: compile_pattern(pattern, _PARTS, re.MULTILINE) for kind, pattern in _PHRASES["lines"].items()}
_JUDGES = [compile_pattern(pattern, _PARTS, re.NOFLAG) for pattern in _PHRASES["judges"].values()]
_REPORTERS = compile_pattern(_PHRASES["sentences"]["headnote"], _PARTS, re.NOFLAG)
_OPINIONS = ("court", "dissent", "concurrence")
_LONGEST = 140
"""Code points of a heading that names an opinion."""
_LONGEST_ARGUMENT = 70
_TITLE = 600
"""Code points before the first opinion of a copy that has nothing but a title there."""
_CITED = re.compile(r"\d|\bpost\b|\bante\b")
"""What a heading has that is a piece of a sentence which cites a separate opinion."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Whose words stand somewhere. ``judge`` is the one whose opinion it is ("Souter J."), "" if not known;
    ``partly`` says that he dissents only in part; ``heading`` is what a part with arguments is headed."""

    kind: VoiceKind = ""
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
        if self.kind == "argument":
            return f"under the heading “{self.heading}”" if self.heading else "what a party argued"
        return ""


COURTS = Voice()
HEADNOTE = Voice("headnote")
ARGUED = Voice("argument")


def find_voices(text: str, blocks: Sequence[Block]) -> list[tuple[int, Voice]]:
    """From where on whose words a judgment has, in order; empty where nothing in it says.

    ``blocks`` are the structure of ``text``. A headnote ends where an opinion begins, and is none if none
    does; what is headed as an argument ends at the next heading.
    """
    found: list[tuple[int, Voice]] = []
    opinion = COURTS
    marks = sorted([*_read_headings(text, blocks), *_read_lines(text)], key=lambda each: each[0])
    begun = [at for at, voice in marks if voice is not None and voice.kind in _OPINIONS]
    for at, voice in marks:
        argued = voice is not None and voice.kind == "argument"
        endless = voice is not None and voice.kind == "headnote" and (not begun or begun[-1] < at)
        if voice is not None and not argued and not endless:
            opinion = voice
        now = voice if voice is not None and argued and opinion.kind in ("", "court") else opinion
        if not found or found[-1][1] != now:
            found.append((at, now))
    return found


def list_opinions(library: SearchableIndex, authority: int) -> list[tuple[int, Voice]]:
    """Where opinions begin in an authority's text, in order; empty if it does not say."""
    contents = library.contents
    found = find_voices(contents.text(authority), contents.outline(authority))
    return [each for each in found if each[1].kind in _OPINIONS]


def find_opinion(library: SearchableIndex, authority: int, offset: int) -> VoiceKind:
    """Whose opinion ``offset`` of an authority’s text stands in, "" where nothing says."""
    opinions = list_opinions(library, authority)
    place = bisect_right(opinions, offset, key=lambda each: each[0])
    return opinions[place - 1][1].kind if place else ""


def lacks_the_courts(library: SearchableIndex, authority: int) -> bool:
    """Whether a copy has separate opinions alone, and so not all that the court said."""
    opinions = list_opinions(library, authority)
    return bool(opinions) and opinions[0][0] < _TITLE and all(each.kind != "court" for _, each in opinions)


def is_reporters(sentence: str) -> bool:
    """Whether a sentence of a judgment is of the headnote that a reporter wrote above it."""
    return _REPORTERS.search(sentence) is not None


def _read_headings(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, Voice | None]]:
    """Headings with the voice that each begins, None where it begins none and only ends an argument."""
    for block in blocks:
        if block.kind == "heading":
            words = " ".join(text[block.start : block.end].split()).strip("#* ")
            yield block.start, _tell(words) if len(words) <= _LONGEST else None


def _tell(heading: str) -> Voice | None:
    for kind, pattern in _HEADINGS.items():
        if pattern.search(heading) is None:
            continue
        if kind in ("dissent", "concurrence"):
            if _CITED.search(heading):
                return None
            return Voice(kind, _name_judge(heading), kind == "dissent" and _is_partial(heading))
        if kind == "argument":
            return Voice(kind, heading=heading) if len(heading) <= _LONGEST_ARGUMENT else None
        return Voice(kind)
    return None


def _read_lines(text: str) -> Iterator[tuple[int, Voice]]:
    """Lines of running text at which opinions begin: "JUSTICE SOUTER, dissenting."."""
    if "JUSTICE" not in text and "issenting" not in text and "HEAD" not in text:
        return
    for name in ("separate", "signed"):
        for match in _LINES[name].finditer(text):
            how = match["how"].casefold()
            kind: VoiceKind = "dissent" if "dissent" in how else "concurrence"
            yield match.start(), Voice(kind, _name_judge(match[0]), kind == "dissent" and _is_partial(how))
    for match in _LINES["court"].finditer(text):
        yield match.start(), Voice("court")
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
