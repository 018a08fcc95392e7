"""Format answers as Markdown and as lines of plain text.

The words of models and authorities are plain text in both: they never become a link, an image or HTML. Names,
citations and places come from the index, and only the caller makes links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from lexls.grounding.answer import Answer, Nearest, Sentence
from lexls.grounding.evidence import Pin, quote_pin
from lexls.grounding.threads import StoredPin, StoredSentence, StoredTurn
from lexls.index.records import Authority
from lexls.text.formats.markdown import as_markdown
from lexls.wording.markdown import list_choices, shorten, write_link
from lexls.wording.place_words import cite_authority, cite_place, find_label, put_in_marks, strip_controls

Link = Callable[[Pin], str]
"""Returns the address at which an editor opens a pin, or an empty string."""
Warnings = Mapping[int, str]
"""Warnings about authorities ("overruled in …") by authority id; those without a warning are absent."""

NO_WARNINGS: Warnings = MappingProxyType({})
EXTRACTIVE = "extractive"
WRITTEN = "✎ "
"""Prefix of each sentence that a model wrote."""
_LONGEST_NEAREST = 200
_MOST_MISSING = 8


def _no_link(pin: object) -> str:
    return ""


def name_pin(pin: Pin) -> str:
    """Return the full citation of a pinned passage: the authority's name, its citation and the pinpoint."""
    return strip_controls(cite_authority(pin.authority, place_of(pin)))


def place_of(pin: Pin) -> str:
    """Return the pinpoint of a pinned passage ("[23]", "s 12(2)", "page 4"), or an empty string if it has no
    number or page.
    """
    return strip_controls(cite_place(pin.authority, find_label(pin.authority, pin.label, pin.text), pin.page))


def write_markdown(answer: Answer, link: Link = _no_link, warnings: Warnings = NO_WARNINGS) -> str:
    """Return the answer so far as Markdown (CommonMark, no HTML).

    A written sentence is followed by its quotations with their pinpoints; an extract is only a quotation.
    ``link`` returns the address of a pin. If the address is empty, the pinpoint is plain text. A proposition
    is shown above the answer, but a question is not, since it is already the title. Notes and missing items
    follow once the answer is complete.
    """
    parts = []
    only = _only_authority(answer)
    if only is not None:
        parts.append(f"**{as_markdown(strip_controls(cite_authority(only)))}**{_warned(only, warnings)}")
    if answer.task != "ask" and answer.question:
        parts.append(f"On: “{as_markdown(strip_controls(answer.question))}”")
    parts.extend(
        _sentence_markdown(each, link, NO_WARNINGS if only is not None else warnings, short=only is not None)
        for each in answer.sentences
    )
    if answer.shown:
        parts.append(_fenced(answer.shown))
    if answer.complete:
        nearest = [_nearest_markdown(each, link, warnings) for each in answer.nearest]
        parts.extend(_ending_markdown(list_remarks(answer), nearest, describe_writer(answer)))
    return "\n\n".join(parts)


def write_sentences(answer: Answer, most: int, longest: int, link: Link = _no_link) -> str:
    """Return the first ``most`` sentences, one per line, cut to about ``longest`` characters, with their
    pinpoints.
    """
    short = _only_authority(answer) is not None
    lines = []
    for each in answer.sentences[:most]:
        text = shorten(_words(each), longest)
        shown = as_markdown(put_in_marks(text)) if each.is_extract else as_markdown(text)
        places = "; ".join(filter(None, (_place_and_whose(pin, link, short=short) for pin in each.pins)))
        lines.append(f"{shown} — {places}" if places else shown)
    return "\n\n".join(lines)


def write_text(answer: Answer, warnings: Warnings = NO_WARNINGS) -> Iterator[str]:
    """Yield the answer as lines of plain text, not wrapped. The details of a sentence are indented by four
    spaces.

    An explanation that quotes a single authority gives only pinpoints, since the caller has already named the
    authority.
    """
    short = _only_authority(answer) is not None
    for number, each in enumerate(answer.sentences):
        if number:
            yield ""
        yield from write_sentence(each, NO_WARNINGS if short else warnings, short=short)
    if answer.complete:
        yield from write_ending(answer, warnings)


def write_sentence(
    sentence: Sentence, warnings: Warnings = NO_WARNINGS, *, short: bool = False
) -> Iterator[str]:
    """Yield a sentence as lines of plain text, as in ``write_text``; if ``short``, without authority
    names.
    """
    titled = [(pin, _pin_text(pin, warnings, short=short)) for pin in sentence.pins]
    if sentence.is_extract:
        pin, title = titled[0]
        yield put_in_marks(quote_pin(pin))
        if title:
            yield f"    {title}"
        return
    yield WRITTEN + strip_controls(sentence.text)
    for pin, title in titled:
        if title:
            yield f"    {title}:"
        yield f"    {put_in_marks(quote_pin(pin))}"


def write_ending(answer: Answer, warnings: Warnings = NO_WARNINGS) -> Iterator[str]:
    """Yield the lines after the sentences: notes, missing items, the nearest authorities and the
    generator.
    """
    if answer.shown:
        yield from (clean_line(line) for line in answer.shown.splitlines())
    notes = list_remarks(answer)
    if notes and (answer.sentences or answer.shown):
        yield ""
    yield from notes
    if answer.nearest:
        yield ""
        yield "Nearest in your library:"
        for each in answer.nearest:
            yield f"  {_nearest_title(each)}{_warned_text(each.authority, warnings)}"
            if each.pin is not None:
                yield f"    “{shorten(quote_pin(each.pin), _LONGEST_NEAREST)}”"
    maker = describe_writer(answer)
    if maker:
        yield ""
        yield maker


def clean_line(line: str) -> str:
    """Return a prompt line with its indentation, without terminal control characters."""
    return line[: len(line) - len(line.lstrip(" "))] + strip_controls(line)


def list_remarks(answer: Answer) -> list[str]:
    """Return lexls's remarks about an answer as sentences of plain text: its notes, and what is missing."""
    found = [strip_controls(note) for note in answer.notes]
    if answer.missing:
        shown = [f"“{strip_controls(each)}”" for each in answer.missing[:_MOST_MISSING]]
        more = len(answer.missing) - len(shown)
        listed = list_choices(shown, f"{more} more" if more else "")
        found.append(f"These passages do not say anything of {listed}.")
    return found


def describe_writer(answer: Answer) -> str:
    """Return a sentence of plain text that names the answer's generator, or an empty string if nothing was
    written.
    """
    if answer.shown:
        return (
            f"Nothing was asked: this is the prompt ({strip_controls(answer.template or answer.generator)})."
        )
    if not answer.sentences:
        return ""
    if answer.generator == EXTRACTIVE:
        selected = "Selected from your library word for word (extractive)"
        if answer.task == "contrary":
            return f"{selected}, by its words: whether it stands against the sentence, its context shows."
        return f"{selected}."
    prompt = f" with the prompt {strip_controls(answer.template)}" if answer.template else ""
    writer = strip_controls(answer.generator)
    written = f"{WRITTEN}Written by {writer}{prompt} and checked against what it quotes."
    if any(each.is_extract for each in answer.sentences):
        return f"{written} All else was selected from your library word for word (extractive)."
    return written


def _only_authority(answer: Answer) -> Authority | None:
    """Return the only authority that an explanation quotes. Returns None for other answers or several
    authorities.
    """
    found = {pin.authority.id: pin.authority for each in answer.sentences for pin in each.pins}
    return next(iter(found.values())) if answer.task == "explain" and len(found) == 1 else None


def _words(sentence: Sentence) -> str:
    return quote_pin(sentence.pins[0]) if sentence.is_extract else strip_controls(sentence.text)


def _sentence_markdown(sentence: Sentence, link: Link, warnings: Warnings, *, short: bool) -> str:
    quotations = [_quotation(pin, link, warnings, short=short) for pin in sentence.pins]
    return (
        _text_markdown("", quotations[:1])
        if sentence.is_extract
        else _text_markdown(sentence.text, quotations)
    )


def _text_markdown(text: str, quotations: Sequence[str]) -> str:
    """Return a sentence as Markdown, followed by its quotations. For an extract, ``text`` is empty and only
    the quotations are returned.
    """
    written = WRITTEN + as_markdown(strip_controls(text)) if text else ""
    return "\n\n".join(filter(None, (written, "\n>\n".join(quotations))))


def _quotation(pin: Pin, link: Link, warnings: Warnings, *, short: bool) -> str:
    place = _place_markdown(pin, link, short=short) or write_link("in its text", link(pin))
    own = " · the place cited" if pin.at_pinpoint else ""
    whose = f" · **{as_markdown(strip_controls(pin.whose))}**" if pin.whose else ""
    words, warned = as_markdown(put_in_marks(quote_pin(pin))), _warned(pin.authority, warnings)
    return f"> {words}\n>\n> — {place}{own}{whose}{warned}"


def _place_markdown(pin: Pin, link: Link, *, short: bool) -> str:
    words = as_markdown(place_of(pin) if short else name_pin(pin))
    return write_link(words, link(pin)) if words else ""


def _place_and_whose(pin: Pin, link: Link, *, short: bool) -> str:
    place = _place_markdown(pin, link, short=short)
    return f"{place}{as_markdown(_whose_text(pin))}".strip()


def _ending_markdown(notes: Sequence[str], nearest: Sequence[str], closing: str) -> Iterator[str]:
    yield from (f"_{as_markdown(strip_controls(each))}_" for each in notes)
    if nearest:
        yield "Nearest in your library:"
        yield "\n".join(nearest)
    if closing:
        yield f"_{as_markdown(strip_controls(closing))}_"


def _nearest_title(each: Nearest) -> str:
    if each.pin is None:
        return strip_controls(cite_authority(each.authority))
    return name_pin(each.pin) + _whose_text(each.pin)


def _nearest_markdown(each: Nearest, link: Link, warnings: Warnings) -> str:
    address = link(each.pin) if each.pin is not None else ""
    line = f"- {write_link(as_markdown(_nearest_title(each)), address)}{_warned(each.authority, warnings)}"
    if each.pin is None:
        return line
    return f"{line} — “{as_markdown(shorten(quote_pin(each.pin), _LONGEST_NEAREST))}”"


def _pin_text(pin: Pin, warnings: Warnings, *, short: bool) -> str:
    own = " (the place cited)" if pin.at_pinpoint else ""
    place = (place_of(pin) if short else name_pin(pin)) + own + _whose_text(pin)
    return (place + _warned_text(pin.authority, warnings)).lstrip()


def _whose_text(pin: Pin) -> str:
    return f" ({strip_controls(pin.whose)})" if pin.whose else ""


def _warned(authority: Authority, warnings: Warnings) -> str:
    said = warnings.get(authority.id, "")
    return f" · ⚠ **{as_markdown(strip_controls(said))}**" if said else ""


def _warned_text(authority: Authority, warnings: Warnings) -> str:
    said = warnings.get(authority.id, "")
    return f" (warning: {strip_controls(said)})" if said else ""


def _fenced(text: str) -> str:
    """Return a prompt as a code block with a fence that its text cannot close."""
    lines = [clean_line(line) for line in text.splitlines()]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return "\n".join([f"{fence}text", *lines, fence])


StoredLink = Callable[[StoredPin], str]
"""Returns the address at which an editor opens a stored pin, or an empty string if its source is gone."""


def to_turn(question: str, answer: Answer) -> StoredTurn:
    """Return a complete answer as a thread's turn for ``question``."""
    return StoredTurn(
        question=question,
        sentences=tuple(
            StoredSentence(
                strip_controls(each.text), each.is_extract, tuple(_stored(pin) for pin in each.pins)
            )
            for each in answer.sentences
        ),
        notes=tuple(list_remarks(answer)),
        missing=answer.missing,
        nearest=tuple(_stored(each.pin) for each in answer.nearest if each.pin is not None),
        generator=answer.generator,
        closing=describe_writer(answer),
    )


def write_turns(branch: Sequence[StoredTurn], link: StoredLink = _no_link) -> str:
    """Return a branch of a thread as Markdown: each question as a heading, with its answer below."""
    return "\n\n".join(part for turn in branch for part in _turn(turn, link))


def _stored(pin: Pin) -> StoredPin:
    path, words = str(pin.authority.own_path), quote_pin(pin)
    return StoredPin(
        path, name_pin(pin) + _whose_text(pin), place_of(pin), pin.start, pin.end, pin.text, words
    )


def _turn(turn: StoredTurn, link: StoredLink) -> Iterator[str]:
    yield f"## {as_markdown(strip_controls(turn.question))}"
    for each in turn.sentences:
        words = (
            f"> {as_markdown(put_in_marks(strip_controls(pin.words)))}\n>\n> — {_cited(pin, link)}"
            for pin in each.pins
        )
        yield _text_markdown("" if each.extract else each.text, list(words))
    yield from _ending_markdown(
        turn.notes, [f"- {_cited(each, link)}" for each in turn.nearest], turn.closing
    )


def _cited(pin: StoredPin, link: StoredLink) -> str:
    return write_link(as_markdown(strip_controls(pin.title)), link(pin))
