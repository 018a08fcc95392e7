"""Have a model on this machine choose words by which a question is looked up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.grounding.prompts.templates import (
    PromptTemplateError,
    Template,
    clean_line,
    load_template,
    substitute,
)
from lexls.models.messages import ChatMessage, ModelUnavailable, Sampling
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.models.llama_client import LlamaClient

KEYWORDS = 8
KEYWORD_CHARS = (3, 60)
KEYWORD_WORDS = 5
"""A longer one is a sentence and no keyword."""
QUESTION_CHARS = 4000
"""What is longer is no question, and words of its own enough."""
_TOKENS = 200

GRAMMAR = rf"""root ::= "{{\"keywords\":[" keyword ("," keyword){{0,{KEYWORDS - 1}}} "]}}"
keyword ::= "\"" character{{{KEYWORD_CHARS[0]},{KEYWORD_CHARS[1]}}} "\""
character ::= [^"\\\x00-\x1F\x7F-\x9F\u2028\u2029] | "\\" ["\\/]
"""
"""``{{"keywords":["…"]}}`` (GBNF); no control character, and no escape but where one is needed."""
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_INITIALS = re.compile(r"[^\W\d_]{2,}")


def find_keywords(
    client: LlamaClient, question: str, token: CancelToken, seconds: float, folder: Path | None = None
) -> tuple[str, ...]:
    """At most ``KEYWORDS`` words or short phrases for ``question``; none if the model cannot say.

    It takes at most ``seconds`` once the model is loaded, and does not load it: while it is not ready it is
    made so in the background. ``folder`` has the user's own templates. Numbers, names and abbreviations are
    kept only if the question has them. Raises ``Cancelled``.
    """
    line = clean_line(question)
    if not line or len(line) > QUESTION_CHARS:
        return ()
    if not client.ready:
        client.prepare()
        return ()
    try:
        system, user = fill_keyword_prompt(line, load_template("keywords", folder))
        messages = [ChatMessage("system", system), ChatMessage("user", user)]
        sampling = Sampling(_TOKENS, seconds=seconds, grammar=GRAMMAR)
        pieces = client.generate(messages, sampling, token)
        written = "".join(piece for piece in pieces if isinstance(piece, str))
    except (PromptTemplateError, ModelUnavailable):
        return ()
    return read_keywords(written, line)


def fill_keyword_prompt(question: str, template: Template) -> tuple[str, str]:
    """What the model is told and asked."""
    values = {"question": question, "most": str(KEYWORDS)}
    return substitute(template.system, values), substitute(template.user, values)


def read_keywords(written: str, question: str) -> tuple[str, ...]:
    """The keywords of a model's answer that may be searched for; of one that was cut off, the whole ones."""
    found: dict[str, str] = {}
    for text in _strings(written):
        line = clean_line(text)
        if line.casefold() not in found and _may_be_searched(line, question):
            found[line.casefold()] = line
    return tuple(found.values())[:KEYWORDS]


def _strings(written: str) -> Iterator[str]:
    """The strings of the list, one after the other as far as they are whole."""
    _, opened, rest = written.partition("[")
    decoder = json.JSONDecoder(strict=False)
    while opened:
        rest = rest.lstrip(" \t\r\n,")
        if not rest.startswith('"'):
            return
        try:
            text, end = decoder.raw_decode(rest)
        except ValueError:
            return
        yield text
        rest = rest[end:]


def _may_be_searched(keyword: str, question: str) -> bool:
    """Whether it is a short phrase that brings in no number, name or abbreviation of its own."""
    words = _WORD.findall(keyword)
    if not 1 <= len(words) <= KEYWORD_WORDS or not KEYWORD_CHARS[0] <= len(keyword) <= KEYWORD_CHARS[1]:
        return False
    if not set(_NUMBER.findall(keyword)) <= set(_NUMBER.findall(question)):
        return False
    known = {each.casefold() for each in _WORD.findall(question)}
    # A capital begins a phrase as well as a name; further capitals, or nothing else, are a name's.
    named = [each for each in words[1:] if each[0].isupper()]
    named += [each for each in words[:1] if _INITIALS.fullmatch(each) and each.isupper()]
    return all(each.casefold() in known for each in named)
