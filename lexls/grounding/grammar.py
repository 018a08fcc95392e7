"""Write the grammar (GBNF, as llama.cpp reads it) of the answers to one request.

An answer is ``{"answer":[{"evidence":[{"passage":"P1","quotation":"…"}],"sentence":"…"}]}`` or
``{"insufficient":["…"]}``. Rule names are letters, digits and hyphens only: others are not read everywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from lexls.grounding.prompts.templates import clean_text
from lexls.grounding.request import Request
from lexls.text.lexicon import split_words


def write_literal(text: str) -> str:
    """``text`` as a terminal: exactly these characters. It must hold no halves of surrogate pairs."""
    return '"' + "".join(map(_escaped, text)) + '"'


def repeat_with_commas(rule: str, most: int) -> str:
    """One to ``most`` of ``rule`` (its name) with commas between them."""
    return rule if most <= 1 else f'{rule} ("," {rule}){{0,{most - 1}}}'


def repeat(rule: str, least: int, most: int) -> str:
    """From ``least`` to ``most`` of ``rule`` (its name) in a row."""
    return f"{rule}{{{least},{most}}}"


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    if code < 0x20 or 0x7F <= code <= 0x9F:
        return f"\\x{code:02X}"
    if code in (0x2028, 0x2029):
        return f"\\u{code:04X}"
    return character


QUOTATIONS = 3
"""Quotations that a sentence may rest on."""
MISSING = 3
"""Things that an answer may call missing."""
QUOTATION_CHARS = (8, 600)
SENTENCE_CHARS = (12, 500)
MISSING_CHARS = (4, 160)
CHARACTER = r"""[^"\\\x00-\x1F\x7F-\x9F\u2028\u2029] | "\\" ["\\/]"""
"""A character inside a JSON string: no control character, and no escape but where one is needed."""
FIRST = r"""[^"\\\x00-\x20\x7F-\xA0\u2028\u2029] | "\\" ["]"""
"""One that a text may begin with: so none is blank."""

_ANSWER = write_literal('{"answer":[')
_INSUFFICIENT = write_literal('{"insufficient":[')
_END = write_literal("]}")
_EVIDENCE = write_literal('{"evidence":[')
_SENTENCE = write_literal('],"sentence":"')
_QUOTE = write_literal('"')
_CLOSE = write_literal('"}')


def write_grammar(request: Request, verbatim: bool) -> str:
    """The grammar of the answers to ``request``.

    It has no identifiers but those of its evidence; lengths and counts are bounded. With ``verbatim`` a
    quotation can be nothing but words of the passage it is said to be from, in a row. Without evidence the
    only answer is that something is missing.
    """
    quoted: list[str] = []
    rules: list[str] = []
    for number, evidence in enumerate(request.evidence, start=1):
        quotation = "quotation"
        if verbatim:
            quotation = f"p{number}"
            own = write_verbatim_rules(clean_text(evidence.text), quotation)
            if not own:
                continue
            rules += own
        identifier = json.dumps(evidence.identifier, ensure_ascii=False)
        opening = write_literal(f'{{"passage":{identifier},"quotation":"')
        quoted.append(f"{opening} {quotation} {_CLOSE}")
    start = [f"{_INSUFFICIENT} {repeat_with_commas('missing', MISSING)} {_END}"]
    if quoted:
        start.insert(0, f"{_ANSWER} {repeat_with_commas('item', request.sentences)} {_END}")
        rules += [
            f"item ::= {_EVIDENCE} {repeat_with_commas('quoted', QUOTATIONS)} {_SENTENCE} sentence {_CLOSE}",
            f"quoted ::= {' | '.join(quoted)}",
            f"sentence ::= {_text(SENTENCE_CHARS)}",
        ]
        if not verbatim:
            rules.append(f"quotation ::= {_text(QUOTATION_CHARS)}")
    rules.append(f"missing ::= {_QUOTE} {_text(MISSING_CHARS)} {_QUOTE}")
    rules += [f"first ::= {FIRST}", f"character ::= {CHARACTER}"]
    return "\n".join([f"root ::= {' | '.join(start)}", *rules]) + "\n"


def _text(chars: tuple[int, int]) -> str:
    least, most = chars
    return f"first {repeat('character', least - 1, most - 1)}"


LEAST_WORDS = 5
"""A quotation of fewer bears nothing out. Only a passage that has no more is quoted with less."""
SEGMENT_WORDS = 40
"""Twice this is the longest quotation in words."""
LONGEST_WORD = 80
"""Characters; what is longer is no word, and is not quoted."""
_FARTHEST_BEGINNING = 16
"""Words without a beginning of a clause, after which a quotation may begin anyway."""

_SENTENCE_END = re.compile(r"[.?!][\"'”’)\]]{0,3}\Z")
_CLAUSE_END = re.compile(r"[,;:.?!)\]—–][\"'”’)\]]{0,3}\Z|\A[—–-]\Z")
_OPENING = re.compile(r"\A[\"“‘(\[]")
_MARK = re.compile(r"[*#§¶>|-]{1,6}|[*¶§]{0,2}[\[(]?(?:\d{1,4}|[A-Za-z]|[ivxlcIVXLC]{1,6})[\])]?[.)]?")
_CLAUSE_WORDS = split_words(
    "that which who whose where when whether if unless because but although provided since"
)


def write_verbatim_rules(text: str, name: str) -> list[str]:
    """Rules, the first called ``name``, for a quotation from ``text`` inside a JSON string.

    Words are divided by one space each, however they are divided in ``text``. None if there is no word.
    """
    runs = list(_runs(text))
    written = [_write_run(run, f"{name}-{number}") for number, run in enumerate(runs)]
    beginnings = [each for found, _ in written for each in found]
    if not beginnings:
        beginnings = [write_literal(" ".join(map(_json_escaped, run[: 2 * SEGMENT_WORDS]))) for run in runs]
    if not beginnings:
        return []
    return [
        f"{name} ::= {' | '.join(dict.fromkeys(beginnings))}",
        *(rule for _, chains in written for rule in chains),
    ]


def _write_run(run: Sequence[str], name: str) -> tuple[list[str], list[str]]:
    """For words in a row, all of which may be quoted: what a quotation may begin with, and the rules that
    this refers to."""
    words = [*map(_json_escaped, run)]
    ends = _cut_segments(run)

    def rest(index: int, end: int, last: int) -> str:
        """The rule of what may follow before the word ``index``; "" if nothing may.

        ``end`` is where the segment of the quotation's beginning ends, ``last`` where the quotation must.
        """
        if index >= last:
            return ""
        # A word beyond the first segment is one of a quotation that came from the segment before.
        return f"{name}-{'b' if index >= end or last == end else 'a'}{index}"

    def chain(first: int, end: int, last: int) -> Iterator[str]:
        """A rule for each word of a segment: end before it, or go on with it, up to ``last``."""
        for index in range(max(first, LEAST_WORDS), end):
            word = write_literal(" " + words[index])
            yield f"{rest(index, end, last)} ::= | {word} {rest(index + 1, end, last)}".rstrip()

    beginnings: list[str] = []
    chains: list[str] = []
    first = 0
    for segment, end in enumerate(ends):
        last = ends[segment + 1] if segment + 1 < len(ends) else end
        for start in _beginnings(run, first, end):
            after = min(start + LEAST_WORDS, last)
            if after - start == LEAST_WORDS:
                opening = write_literal(" ".join(words[start:after]))
                beginnings.append(f"{opening} {rest(after, end, last)}".rstrip())
        chains += chain(first, end, last)
        if segment and last != end:
            chains += chain(first, end, end)
        first = end
    return beginnings, chains


def _runs(text: str) -> Iterator[list[str]]:
    """The words of ``text`` in rows that a quotation may run along: a paragraph, between what is no word of
    it (a number alone on its line, of a page or a paragraph; a word without an end)."""
    run: list[str] = []
    for line in text.split("\n"):
        found = line.split()
        if len(found) == 1 and _MARK.fullmatch(found[0]):
            found = []
        for word in found or ("",):
            if word and len(word) <= LONGEST_WORD:
                run.append(word)
            elif run:
                yield run
                run = []
    if run:
        yield run


def _cut_segments(run: Sequence[str]) -> list[int]:
    """Where each segment ends: at an end of a sentence if there is one, or else of a clause."""
    ends: list[int] = []
    first = 0
    while len(run) - first > SEGMENT_WORDS:
        window = range(first + SEGMENT_WORDS, first + SEGMENT_WORDS // 2, -1)
        end = next((each for each in window if _SENTENCE_END.search(run[each - 1])), 0)
        end = end or next((each for each in window if _CLAUSE_END.search(run[each - 1])), 0)
        first = end or first + SEGMENT_WORDS
        ends.append(first)
    return [*ends, len(run)]


def _beginnings(run: Sequence[str], first: int, end: int) -> Iterator[int]:
    """The words of ``[first, end)`` that a quotation may begin with."""
    latest = first - _FARTHEST_BEGINNING
    for index in range(first, end):
        if _MARK.fullmatch(run[index]) and run[index] not in ("A", "a", "I"):
            continue
        if (
            index == 0
            or _MARK.fullmatch(run[index - 1])
            or _CLAUSE_END.search(run[index - 1])
            or _OPENING.search(run[index])
            or run[index].lower() in _CLAUSE_WORDS
            or index - latest >= _FARTHEST_BEGINNING
        ):
            latest = index
            yield index


def _json_escaped(word: str) -> str:
    """A word as it stands inside a JSON string."""
    return json.dumps(word, ensure_ascii=False)[1:-1]
