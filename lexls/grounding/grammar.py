"""The grammar (GBNF, as llama.cpp reads it) of the answers to one request.

An answer is ``{"answer":[{"evidence":[{"passage":"P1","quotation":"…"}],"sentence":"…"}]}`` or
``{"insufficient":["…"]}``. Rule names are letters, digits and hyphens only: others are not read everywhere.
"""

from __future__ import annotations

import json

from lexls.grounding.gbnf import between, literal, several
from lexls.grounding.prompts.filling import shown_text
from lexls.grounding.request import Request
from lexls.grounding.verbatim_grammar import verbatim_rules

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

_ANSWER = literal('{"answer":[')
_INSUFFICIENT = literal('{"insufficient":[')
_END = literal("]}")
_EVIDENCE = literal('{"evidence":[')
_SENTENCE = literal('],"sentence":"')
_QUOTE = literal('"')
_CLOSE = literal('"}')


def answer_grammar(request: Request, verbatim: bool) -> str:
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
            own = verbatim_rules(shown_text(evidence.text), quotation)
            if not own:
                continue
            rules += own
        identifier = json.dumps(evidence.identifier, ensure_ascii=False)
        opening = literal(f'{{"passage":{identifier},"quotation":"')
        quoted.append(f"{opening} {quotation} {_CLOSE}")
    start = [f"{_INSUFFICIENT} {several('missing', MISSING)} {_END}"]
    if quoted:
        start.insert(0, f"{_ANSWER} {several('item', request.sentences)} {_END}")
        rules += [
            f"item ::= {_EVIDENCE} {several('quoted', QUOTATIONS)} {_SENTENCE} sentence {_CLOSE}",
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
    return f"first {between('character', least - 1, most - 1)}"
