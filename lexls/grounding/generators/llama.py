"""Ask a local model for one sentence on each quotation, or for search keywords."""

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
"""The local model used by a generator."""
SENTENCE_TOKENS = 100
NOTHING = "None."
"""What a model writes if the quotation does not address the question."""
GRAMMAR = f'root ::= "{NOTHING}" | [A-Z0-9(] [^\\n"“”*#`<>|]{{10,}} "."\n'
"""Grammar for one sentence of plain prose, or "None.". A sentence that does not end with a full stop was cut
off as too long.
"""
_LATE = "the seconds of explain.seconds were over"
_ABOUT_CHARS = 400
_QUOTATION_CHARS = 1600


class LlamaGenerator:
    """Have the model of ``client`` state what each quotation says about the question, with the options in
    ``choice``.

    Small models cannot reliably select passages, copy from them and follow a format, and they repeat the
    question's words if they see it. So the model only gets those words of the question that the quotation
    contains. Sentences finished before the time limit are kept.
    """

    def __init__(self, client: LlamaClient, choice: GeneratorChoice, tokens: Tokens) -> None:
        self.client = client
        self._choice = choice
        self._tokens = tokens

    @property
    def name(self) -> str:
        """Return the display name."""
        return f"llama ({self.client.name})"

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        """Yield a claim for each extract that the model can restate.

        Usage is yielded once the model is loaded (if there are extracts) and at the end. Raises
        ``GenerationFailed`` and ``Cancelled``.
        """
        usage = Usage()
        try:
            template = load_template("sentence", self._choice.prompt_folder)
            if extracts:
                self.client.load(token)
                yield usage  # the model is loaded
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
    """Return the question's words that the extract has, separated by commas, or all of them if it has
    none.
    """
    said, there = find_terms(subject, tokens), set(tokens(extract))
    return ", ".join([word for term, word in said.items() if term in there] or said.values())


def fill_sentence_prompt(template: Template, about: str, quotation: str) -> list[ChatMessage]:
    """Return the messages before the model's reply. All but the last are the same for every question."""
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
"""Maximum number of words in a keyword; anything longer is a sentence."""
QUESTION_CHARS = 4000
"""Maximum length of a question in characters; a longer text needs no additional keywords."""
_TOKENS = 200

KEYWORDS_GRAMMAR = rf"""root ::= "{{\"keywords\":[" keyword ("," keyword){{0,{KEYWORDS - 1}}} "]}}"
keyword ::= "\"" character{{{KEYWORD_CHARS[0]},{KEYWORD_CHARS[1]}}} "\""
character ::= [^"\\\x00-\x1F\x7F-\x9F\u2028\u2029] | "\\" ["\\/]
"""
"""GBNF grammar for ``{"keywords":["…"]}``, without control characters and with only the necessary escapes."""
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_INITIALS = re.compile(r"[^\W\d_]{2,}")


def find_keywords(
    client: LlamaClient, question: str, token: CancelToken, seconds: float, folder: Path | None = None
) -> tuple[str, ...]:
    """Return up to ``KEYWORDS`` words or short phrases for ``question``, or none if the model fails.

    Generation takes at most ``seconds``. If the model is not loaded, it is loaded in the background and
    nothing is returned. ``folder`` has the user's templates. Numbers, names and abbreviations are kept only
    if they are in the question. Raises ``Cancelled``.
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
    """Return the system and user messages."""
    values = {"question": question, "most": str(KEYWORDS)}
    return substitute(template.system, values), substitute(template.user, values)


def read_keywords(written: str, question: str) -> tuple[str, ...]:
    """Return the keywords in a model's answer that may be searched for; a truncated last keyword is
    dropped.
    """
    found: dict[str, str] = {}
    for text in _strings(written):
        line = clean_line(text)
        if line.casefold() not in found and _may_be_searched(line, question):
            found[line.casefold()] = line
    return tuple(found.values())[:KEYWORDS]


def _strings(written: str) -> Iterator[str]:
    """Yield the strings of the list in order, up to the first incomplete one."""
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
    """Return whether a keyword is a short phrase without numbers, names or abbreviations that the question
    lacks.
    """
    words = _WORD.findall(keyword)
    if not 1 <= len(words) <= KEYWORD_WORDS or not KEYWORD_CHARS[0] <= len(keyword) <= KEYWORD_CHARS[1]:
        return False
    if not set(_NUMBER.findall(keyword)) <= set(_NUMBER.findall(question)):
        return False
    known = {each.casefold() for each in _WORD.findall(question)}
    # The first word may be capitalised in any phrase; other capitals, or a word all in capitals, show a name.
    named = [each for each in words[1:] if each[0].isupper()]
    named += [each for each in words[:1] if _INITIALS.fullmatch(each) and each.isupper()]
    return all(each.casefold() in known for each in named)
