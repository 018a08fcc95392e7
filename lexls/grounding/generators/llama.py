"""Ask a model on this machine for one sentence on each quotation, or for words to look a question up by."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.grounding.answer import (
    Claim,
    GenerationFailed,
    GeneratorChoice,
    Part,
    Quoted,
    Request,
    Sentence,
    Usage,
)
from lexls.grounding.prompts.templates import (
    PromptTemplateError,
    Template,
    clean_line,
    load_template,
    substitute,
)
from lexls.models.llama_client import LlamaClient
from lexls.models.messages import ChatMessage, Ended, ModelUnavailable, Sampling
from lexls.retrieval.relevance import Tokens, find_terms
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.models.llama_client import LlamaClient


LocalModel = LlamaClient
"""The model on this machine that a generator asks."""
SENTENCE_TOKENS = 100
NOTHING = "None."
"""What a model writes where the quotation says nothing on the question."""
GRAMMAR = f'root ::= "{NOTHING}" | [A-Z0-9(] [^\\n"“”*#`<>|]{{10,}} "."\n'
"""One sentence of plain prose, or that there is none. It ends with its full stop or is too long."""
_LATE = "the seconds of explain.seconds were over"
_ABOUT_CHARS = 400
_QUOTATION_CHARS = 1600


class LlamaGenerator:
    """Has the model of ``client`` say what each quotation says on the question, as ``choice`` says.

    A small model that is to choose passages, copy from them and keep to a form loses its way, and one that
    sees the question answers with the question's words. So it is told only which of them the quotation has.
    What is there when its time is up counts.
    """

    def __init__(self, client: LlamaClient, choice: GeneratorChoice, tokens: Tokens) -> None:
        self.client = client
        self._choice = choice
        self._tokens = tokens

    @property
    def name(self) -> str:
        """Return what the user calls it."""
        return f"llama ({self.client.name})"

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        """A claim for each extract on which the model has something to say; what it took so far, when the
        model is loaded, and at the end.

        Raises ``GenerationFailed``, ``Cancelled``.
        """
        usage = Usage()
        try:
            template = load_template("sentence", self._choice.prompt_folder)
            if extracts:
                self.client.load(token)
                yield usage  # the model is there
            until = time.monotonic() + self._choice.seconds
            for extract in extracts:
                quoted = tuple(Quoted(pin.identifier, pin.text) for pin in extract.pins)
                seconds = until - time.monotonic()
                if seconds <= 0:
                    usage = replace(usage, cut=_LATE)
                    break
                sampling = Sampling(SENTENCE_TOKENS, seconds, GRAMMAR)
                about = find_shared_words(request.subject, extract.text, self._tokens)
                messages = fill_sentence_prompt(template, about, extract.text)
                written, whole = "", False
                for piece in self.client.generate(messages, sampling, token):
                    if isinstance(piece, str):
                        written += piece
                    else:
                        usage = _add(usage, piece)
                        whole = piece.reason == "end"
                if whole and written.strip() != NOTHING:
                    yield Claim(written.strip(), quoted)
        except (PromptTemplateError, ModelUnavailable) as error:
            raise GenerationFailed(str(error)) from error
        yield usage


def find_shared_words(subject: str, extract: str, tokens: Tokens) -> str:
    """The words of a question that an extract has, all where it has none, with commas between them."""
    said, there = find_terms(subject, tokens), set(tokens(extract))
    return ", ".join([word for term, word in said.items() if term in there] or said.values())


def fill_sentence_prompt(template: Template, about: str, quotation: str) -> list[ChatMessage]:
    """The turns before the model's own. All but the last are the same for every question."""
    turns = [ChatMessage("system", template.system)]
    for asked, answered in template.examples:
        turns += [ChatMessage("user", asked), ChatMessage("assistant", answered)]
    values = {
        "about": clean_line(about)[:_ABOUT_CHARS],
        "quotation": clean_line(quotation)[:_QUOTATION_CHARS],
    }
    return [*turns, ChatMessage("user", substitute(template.user, values))]


def _add(usage: Usage, ended: Ended) -> Usage:
    cut = _LATE if ended.reason == "time" else ""
    return Usage(
        usage.prompt_tokens + ended.prompt_tokens,
        usage.cached_tokens + ended.cached_tokens,
        usage.tokens + ended.tokens,
        usage.first_seconds or ended.first_seconds,
        usage.seconds + ended.seconds,
        cut or usage.cut,
    )


KEYWORDS = 8
KEYWORD_CHARS = (3, 60)
KEYWORD_WORDS = 5
"""A longer one is a sentence and no keyword."""
QUESTION_CHARS = 4000
"""What is longer is no question, and words of its own enough."""
_TOKENS = 200

KEYWORDS_GRAMMAR = rf"""root ::= "{{\"keywords\":[" keyword ("," keyword){{0,{KEYWORDS - 1}}} "]}}"
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
        sampling = Sampling(_TOKENS, seconds=seconds, grammar=KEYWORDS_GRAMMAR)
        pieces = client.generate(messages, sampling, token)
        written = "".join(piece for piece in pieces if isinstance(piece, str))
    except (PromptTemplateError, ModelUnavailable):
        return ()
    return read_keywords(written, line)


def fill_keyword_prompt(question: str, template: Template) -> tuple[str, str]:
    """Return what the model is told and asked."""
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
    """Return whether it is a short phrase that brings in no number, name or abbreviation of its own."""
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
