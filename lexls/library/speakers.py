"""Find who speaks in each part of a judgment, and the labels shown for its passages."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from lexls.library.document import Block, SourceDocument
from lexls.library.roles.role import Role
from lexls.text.phrases import Patterns, compile_pattern, define_parts, fill_pattern, load_phrases

SpeakerKind = Literal["", "majority", "dissent", "concurrence", "headnote", "counsel", "cited"]
"""The kind of speaker. ``""``: no speaker is indicated, so it is the court. ``counsel``: a part headed as
arguments. ``cited``: a sentence that reports what another court decided.
"""
COURTS_OWN = ("", "majority")
OPINIONS = ("majority", "dissent", "concurrence")

_PHRASES = load_phrases(__package__, "speakers.toml")
_PARTS = define_parts(_PHRASES["parts"])
SENTENCES = Patterns(
    {
        name: fill_pattern(pattern, _PARTS)
        for table in ("cased", "patterns")
        for name, pattern in _PHRASES[table].items()
    },
    _PHRASES["patterns"],
)
"""Patterns of sentences that report what a party or another court said, that state a holding, or that ask a
question.
"""
_HEADINGS: dict[SpeakerKind, re.Pattern[str]] = {
    kind: compile_pattern(pattern, _PARTS, re.NOFLAG) for kind, pattern in _PHRASES["headings"].items()
}
_LINES = {kind: compile_pattern(pattern, _PARTS, re.MULTILINE) for kind, pattern in _PHRASES["lines"].items()}
_JUDGES = [compile_pattern(pattern, _PARTS, re.NOFLAG) for pattern in _PHRASES["judges"].values()]
_REPORTERS = compile_pattern(_PHRASES["sentences"]["headnote"], _PARTS, re.NOFLAG)
_SEPARATE = ("JUSTICE", "PER CURIAM", "issenting", "oncurring", "ISSENTING", "ONCURRING", "HEAD", "Syllabus")
"""Words of which a text must contain one before its lines are searched for the beginning of an opinion or a
headnote.
"""
_LONGEST = 140
"""Maximum length of a heading that names an opinion, in code points."""
_LONGEST_ARGUMENT = 70
_CITED = re.compile(r"\d|\bpost\b|\bante\b")
"""Matches a heading that is part of a sentence citing a separate opinion."""
_QUOTED = re.compile(r"“[^”]{0,1500}(?:”|$)|\"[^\"]{0,1500}(?:\"|$)")
_MARKED_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\]]{2}[.?!])[”\"’)\]]{0,3}\s+(?=[A-Z\[“\"(])")


@dataclass(frozen=True, slots=True)
class Speaker:
    """The speaker of part of a judgment. ``words`` describes the speaker for users ("dissenting opinion of
    Souter J."); it is "" for the court.
    """

    kind: SpeakerKind = ""
    words: str = ""


COURT = Speaker()
HEADNOTE = Speaker("headnote", "headnote, not the court's words")
COUNSEL = Speaker("counsel", "what a party argued")
CITED = Speaker("cited", "what another decision held")


def list_speakers(document: SourceDocument) -> list[tuple[int, Speaker]]:
    """Return where each speaker of a judgment begins, as ``find_speakers`` does; empty for other
    documents.
    """
    return find_speakers(document.text, document.blocks) if document.metadata.kind == "case" else []


def find_speakers(text: str, blocks: Sequence[Block]) -> list[tuple[int, Speaker]]:
    """Return where each speaker of a judgment begins, in code points of ``text``, in order.

    ``blocks`` are the structure of ``text``. The result is empty if no speaker is indicated. A headnote ends
    where an opinion begins, and is ignored if no opinion does. A part headed as an argument ends at the next
    heading.
    """
    found: list[tuple[int, Speaker]] = []
    opinion = COURT
    marks = list(_read_headings(text, blocks))
    # If headings begin separate opinions, lines like "Justice Quill, dissenting." only report votes.
    if not any(speaker is not None and speaker.kind in ("dissent", "concurrence") for _, speaker in marks):
        marks += _read_lines(text)
    marks.sort(key=lambda each: each[0])
    begun = [at for at, speaker in marks if speaker is not None and speaker.kind in OPINIONS]
    for at, speaker in marks:
        argued = speaker is not None and speaker.kind == "counsel"
        endless = speaker is not None and speaker.kind == "headnote" and (not begun or begun[-1] < at)
        if speaker is not None and not argued and not endless:
            opinion = speaker
        now = speaker if speaker is not None and argued and opinion.kind in COURTS_OWN else opinion
        if not found or found[-1][1] != now:
            found.append((at, now))
    return found


def find_speaker_at(speakers: Sequence[tuple[int, Speaker]], offset: int) -> Speaker:
    """Return who speaks at ``offset``, given the result of ``find_speakers``."""
    place = bisect_right(speakers, offset, key=lambda each: each[0])
    return speakers[place - 1][1] if place else COURT


def _name_opinion(kind: SpeakerKind, named: str, how: str) -> Speaker:
    judge = _name_judge(named)
    of = f" of {judge}" if judge else ""
    if kind == "concurrence":
        return Speaker(kind, f"concurring opinion{of}")
    return Speaker(
        kind, f"opinion{of}, dissenting in part" if _is_partial(how) else f"dissenting opinion{of}"
    )


def is_headnote(sentence: str) -> bool:
    """Return whether a sentence of a judgment belongs to a headnote that a reporter wrote above it."""
    return _REPORTERS.search(sentence) is not None


def _read_headings(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, Speaker | None]]:
    """Yield the offset of each heading and the speaker that it introduces; None if it introduces nobody and
    so only ends an argument.
    """
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
            return _name_opinion(kind, heading, heading)
        if kind == "counsel":
            words = f"under the heading “{heading}”"
            return Speaker(kind, words) if len(heading) <= _LONGEST_ARGUMENT else None
        return HEADNOTE if kind == "headnote" else Speaker(kind)
    return None


def _read_lines(text: str) -> Iterator[tuple[int, Speaker]]:
    """Yield the offsets of lines of running text at which an opinion ("JUSTICE SOUTER, dissenting."), a
    caption or a headnote begins, each with its speaker.
    """
    if not any(each in text for each in _SEPARATE):
        return
    for name in ("separate", "signed"):
        for match in _LINES[name].finditer(text):
            how = match["how"].casefold()
            kind: SpeakerKind = "dissent" if "dissent" in how else "concurrence"
            yield match.start(), _name_opinion(kind, match[0], how)
    for match in _LINES["majority"].finditer(text):
        yield match.start(), Speaker("majority")
    for match in _LINES["caption"].finditer(text):
        yield match.start(), COURT
    for match in _LINES["headnote"].finditer(text):
        yield match.start(), HEADNOTE


def _is_partial(how: str) -> bool:
    return "part" in how.casefold().replace("-", " ").split()


def _name_judge(words: str) -> str:
    """Return the judge named at an opinion's beginning ("Souter J.", "Goldberg, Circuit Judge"), or ""."""
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


# -- labels ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LabelRule:
    """The conditions for showing a label with a passage; ``speakers.toml`` describes the fields."""

    label: str
    roles: Collection[str]
    needs: re.Pattern[str]
    unless: re.Pattern[str] | None
    never: re.Pattern[str] | None
    heading: re.Pattern[str] | None
    not_heading: re.Pattern[str] | None
    share: float
    least: float
    start: float
    until: float

    @classmethod
    def of(cls, entry: dict[str, Any]) -> LabelRule:
        """Return the rule that an entry of ``speakers.toml`` describes."""

        def read(name: str, flags: int = re.NOFLAG) -> re.Pattern[str] | None:
            return compile_pattern(entry[name], _PARTS, flags) if name in entry else None

        return cls(
            entry["label"],
            frozenset(entry["roles"]),
            compile_pattern(entry["needs"], _PARTS, re.NOFLAG),
            read("unless"),
            read("never"),
            read("heading", re.IGNORECASE),
            read("not_heading", re.IGNORECASE),
            entry.get("share", 0.0),
            entry.get("least", 0.0),
            entry.get("from", 0.0),
            entry.get("until", 1.0),
        )

    def fits_heading(self, heading: str) -> bool:
        """Return whether the headings above a passage allow this label."""
        if self.not_heading is not None and self.not_heading.search(heading) is not None:
            return False
        return self.heading is None or self.heading.search(heading) is not None

    def fits_text(self, text: str) -> bool:
        """Return whether enough sentences of a text have this label's wording."""
        said = self._cut(text)
        fitting = self._count(said)
        return fitting > 0 and fitting >= self.least * len(said)

    def has_words(self, text: str) -> bool:
        """Return whether a sentence of a passage has this label's wording, and none has wording that excludes
        the label.
        """
        return self._count(self._cut(text)) > 0

    def _cut(self, text: str) -> list[str]:
        own = _QUOTED.sub("“…”", _MARKED_HEADING.sub("", text)).strip()
        said = (" ".join(each.split()) for each in _SENTENCE_END.split(own))
        return [each for each in said if each.count(" ") > 2 or self.start]

    def _count(self, said: Sequence[str]) -> int:
        if self.never is not None and any(map(self.never.search, said)):
            return 0
        return sum(map(self._fits, said))

    def _fits(self, sentence: str) -> bool:
        if self.unless is not None and self.unless.search(sentence) is not None:
            return False
        return self.needs.search(sentence) is not None


_LABELS = tuple(map(LabelRule.of, _PHRASES["labels"]))
_ARGUMENT = next(each for each in _LABELS if each.label == "argument")


class Labelled(NamedTuple):
    """A passage's role, its speaker, and the label shown to users."""

    role: Role
    speaker: SpeakerKind
    label: str


def label_passage(
    role: Role, share: float, place: float, heading: str, speaker: Speaker, text: str
) -> Labelled:
    """Return a passage's role, speaker and label ("holding", "dissenting opinion").

    ``share`` (0 to 1) is how strongly its sentences support its ``role``. ``place`` (0 to 1) is the relative
    position of its end in the judgment, and ``heading`` the breadcrumb of the headings above it. The label is
    "" unless it is certain. Only the court can hold or order anything, and a heading alone does not make a
    passage an argument.
    """
    if speaker.kind == "counsel" and not _ARGUMENT.has_words(text):
        speaker = COURT
    if speaker.kind not in COURTS_OWN:
        settled = "ANALYSIS" if role in ("RATIO", "RPC") else role
        return Labelled(settled, speaker.kind, speaker.words)
    for rule in _LABELS:
        certain = role in rule.roles and share >= rule.share and rule.start <= place <= rule.until
        if certain and rule.fits_heading(heading) and rule.fits_text(text):
            return Labelled(role, speaker.kind, rule.label)
    return Labelled(role, speaker.kind, "")


def label_sentence(speaker: SpeakerKind, label: str, sentence: str) -> str:
    """Return the label shown for one sentence of a passage with this speaker and label.

    A label for the court's own words is kept only if the sentence alone has that wording.
    """
    if speaker not in COURTS_OWN or not label:
        return label
    rule = next((each for each in _LABELS if each.label == label), None)
    return label if rule is not None and rule.fits_text(sentence) else ""
