"""Answers for people, as Markdown and as lines of plain text.

What a model wrote and what an authority says is plain text in both: it never becomes a link, an image or
HTML. Names, citations and places come from the index; links are made by the caller alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from lexls.grounding.answer import Answer, Nearest, Sentence
from lexls.grounding.evidence import Pin
from lexls.grounding.markdown import escape, linked, shortened
from lexls.grounding.place_words import cited_as, label_at, named, where
from lexls.grounding.plain import in_marks, plain, words_of
from lexls.index.records import Authority

Link = Callable[[Pin], str]
"""The address at which an editor opens a pin; "" if it cannot be opened."""
Warnings = Mapping[int, str]
"""What warns one off an authority ("overruled in …"), by its id; what nothing warns off is not in it."""

NO_WARNINGS: Warnings = MappingProxyType({})
EXTRACTIVE = "extractive"
_LONGEST_NEAREST = 200
_MOST_MISSING = 8


def title_of(pin: Pin) -> str:
    """What a pin is cited as: the authority's name and citation with the place."""
    return plain(cited_as(pin.authority, place_of(pin)))


def place_of(pin: Pin) -> str:
    """Where a pin stands in its authority: "[23]", "s 12(2)", "page 4"; "" if it has no number or page."""
    return plain(where(pin.authority, label_at(pin.authority, pin.label, pin.text), pin.page))


def answer_markdown(
    answer: Answer, link: Link | None = None, warnings: Warnings = NO_WARNINGS, *, asked: bool = True
) -> str:
    """The answer as it stands, as Markdown (CommonMark, no HTML).

    A sentence is followed by the places it rests on and their words; an extract is its words alone. ``link``
    makes the addresses of pins; without it, or where it gives "", places are plain text. ``asked`` says that
    the proposition stands above the answer (a question never does: it is the title of what is shown). Notes
    and what is missing follow when the answer is complete.
    """
    parts = []
    only = _only_authority(answer)
    if only is not None:
        parts.append(f"**{escape(plain(named(only)))}**{_warned(only, warnings)}")
    if asked and answer.task != "ask" and answer.question:
        parts.append(f"On: “{escape(plain(answer.question))}”")
    parts.extend(
        _sentence_markdown(each, link, NO_WARNINGS if only is not None else warnings, short=only is not None)
        for each in answer.sentences
    )
    if answer.shown:
        parts.append(_fenced(answer.shown))
    if answer.complete:
        parts.extend(_ending_markdown(answer, link, warnings))
    return "\n\n".join(parts)


def sentences_markdown(answer: Answer, most: int, longest: int, link: Link | None = None) -> str:
    """The first ``most`` sentences in a line each, cut to about ``longest`` characters, with their places."""
    short = _only_authority(answer) is not None
    lines = []
    for each in answer.sentences[:most]:
        text = shortened(_words(each), longest)
        shown = escape(in_marks(text)) if each.is_extract else escape(text)
        places = "; ".join(filter(None, (_place_markdown(pin, link, short=short) for pin in each.pins)))
        lines.append(f"{shown} — {places}" if places else shown)
    return "\n\n".join(lines)


def answer_text(answer: Answer, warnings: Warnings = NO_WARNINGS) -> Iterator[str]:
    """The answer as lines of plain text, not wrapped; what belongs to a sentence is indented by four.

    An explanation that quotes one authority says only where in it; who shows it has named it above.
    """
    short = _only_authority(answer) is not None
    for number, each in enumerate(answer.sentences):
        if number:
            yield ""
        yield from sentence_text(each, NO_WARNINGS if short else warnings, short=short)
    yield from ending_text(answer, warnings)


def sentence_text(
    sentence: Sentence, warnings: Warnings = NO_WARNINGS, *, short: bool = False
) -> Iterator[str]:
    """One sentence as lines of plain text, as in ``answer_text``; ``short`` names no authority."""
    if sentence.is_extract:
        pin = sentence.pins[0]
        yield in_marks(words_of(pin))
        title = _pin_text(pin, warnings, short=short)
        if title:
            yield f"    {title}"
        return
    yield plain(sentence.text)
    for pin in sentence.pins:
        title = _pin_text(pin, warnings, short=short)
        if title:
            yield f"    {title}:"
        yield f"    {in_marks(words_of(pin))}"


def ending_text(answer: Answer, warnings: Warnings = NO_WARNINGS) -> Iterator[str]:
    """What follows the sentences, as lines of plain text: notes, what is missing, the nearest authorities,
    who wrote it."""
    if answer.shown:
        yield from (plain_line(line) for line in answer.shown.splitlines())
    blank = bool(answer.sentences) or bool(answer.shown)
    for note in remarks(answer):
        if blank:
            yield ""
            blank = False
        yield note
    if answer.nearest:
        yield ""
        yield "Nearest in your library:"
        for each in answer.nearest:
            yield f"  {_nearest_title(each)}{_warned_text(each.authority, warnings)}"
            if each.pin is not None:
                yield f"    “{shortened(words_of(each.pin), _LONGEST_NEAREST)}”"
    maker = made_by(answer)
    if maker:
        yield ""
        yield maker


def plain_line(line: str) -> str:
    """A line of a prompt with its indentation, without characters that steer a terminal."""
    return line[: len(line) - len(line.lstrip(" "))] + plain(line)


def remarks(answer: Answer) -> list[str]:
    """What lexls says about an answer, in sentences of plain text: its notes, and what is missing."""
    found = [plain(note) for note in answer.notes]
    if answer.missing:
        shown = [f"“{plain(each)}”" for each in answer.missing[:_MOST_MISSING]]
        more = len(answer.missing) - len(shown)
        rest = f" and {more} more" if more > 0 else ""
        found.append(f"These passages do not say anything of {_listed(shown, last=not rest)}{rest}.")
    return found


def made_by(answer: Answer) -> str:
    """Who wrote an answer, in a sentence of plain text; "" where nothing was written."""
    if answer.shown:
        return f"Nothing was asked: this is the prompt ({plain(answer.template or answer.generator)})."
    if not answer.sentences:
        return ""
    if answer.generator == EXTRACTIVE:
        selected = "Selected from your library word for word (extractive)"
        if answer.task == "contrary":
            return f"{selected}, by its words: whether it stands against the sentence, its context shows."
        return f"{selected}."
    prompt = f" with the prompt {plain(answer.template)}" if answer.template else ""
    return f"Written by {plain(answer.generator)}{prompt}; each sentence was checked against what it quotes."


def _only_authority(answer: Answer) -> Authority | None:
    """The one authority that an explanation quotes; None for other answers and where there are several."""
    found = {pin.authority.id: pin.authority for each in answer.sentences for pin in each.pins}
    return next(iter(found.values())) if answer.task == "explain" and len(found) == 1 else None


def _words(sentence: Sentence) -> str:
    return words_of(sentence.pins[0]) if sentence.is_extract else plain(sentence.text)


def _sentence_markdown(sentence: Sentence, link: Link | None, warnings: Warnings, *, short: bool) -> str:
    if sentence.is_extract:
        return _quotation(sentence.pins[0], link, warnings, short=short)
    quotations = [_quotation(pin, link, warnings, short=short) for pin in sentence.pins]
    return "\n\n".join([escape(plain(sentence.text)), "\n>\n".join(quotations)])


def _quotation(pin: Pin, link: Link | None, warnings: Warnings, *, short: bool) -> str:
    place = _place_markdown(pin, link, short=short) or linked("in its text", link(pin) if link else "")
    own = " · the place cited" if pin.at_pinpoint else ""
    return f"> {escape(in_marks(words_of(pin)))}\n>\n> — {place}{own}{_warned(pin.authority, warnings)}"


def _place_markdown(pin: Pin, link: Link | None, *, short: bool) -> str:
    words = escape(place_of(pin) if short else title_of(pin))
    return linked(words, link(pin) if link is not None else "") if words else ""


def _ending_markdown(answer: Answer, link: Link | None, warnings: Warnings) -> Iterator[str]:
    yield from (f"_{escape(each)}_" for each in remarks(answer))
    if answer.nearest:
        yield "Nearest in your library:"
        yield "\n".join(_nearest_markdown(each, link, warnings) for each in answer.nearest)
    maker = made_by(answer)
    if maker:
        yield f"_{escape(maker)}_"


def _nearest_title(each: Nearest) -> str:
    return title_of(each.pin) if each.pin is not None else plain(named(each.authority))


def _nearest_markdown(each: Nearest, link: Link | None, warnings: Warnings) -> str:
    address = link(each.pin) if link is not None and each.pin is not None else ""
    line = f"- {linked(escape(_nearest_title(each)), address)}{_warned(each.authority, warnings)}"
    if each.pin is None:
        return line
    return f"{line} — “{escape(shortened(words_of(each.pin), _LONGEST_NEAREST))}”"


def _pin_text(pin: Pin, warnings: Warnings, *, short: bool) -> str:
    own = " (the place cited)" if pin.at_pinpoint else ""
    return (place_of(pin) if short else title_of(pin)) + own + _warned_text(pin.authority, warnings)


def _warned(authority: Authority, warnings: Warnings) -> str:
    said = warnings.get(authority.id, "")
    return f" · ⚠ **{escape(plain(said))}**" if said else ""


def _warned_text(authority: Authority, warnings: Warnings) -> str:
    said = warnings.get(authority.id, "")
    return f" (warning: {plain(said)})" if said else ""


def _listed(words: list[str], *, last: bool) -> str:
    if len(words) == 1 or not last:
        return ", ".join(words)
    return ", ".join(words[:-1]) + " or " + words[-1]


def _fenced(text: str) -> str:
    """A prompt as a block of code that nothing in it can close."""
    lines = [plain_line(line) for line in text.splitlines()]
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *lines, fence])
