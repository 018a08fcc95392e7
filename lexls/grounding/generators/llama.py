"""Ask a model on this machine for one sentence on each quotation of an answer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexls.grounding.answer import Sentence, Usage
from lexls.grounding.generator import Claim, GenerationFailed, GeneratorChoice, Part, Quoted
from lexls.grounding.prompts.templates import (
    PromptTemplateError,
    Template,
    clean_line,
    load_template,
    substitute,
)
from lexls.grounding.request import Request
from lexls.models.llama_client import LlamaClient
from lexls.models.messages import ChatMessage, Ended, ModelUnavailable, Sampling
from lexls.retrieval.relevance import Tokens, find_terms
from lexls.text.cancel import CancelToken

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
        """What the user calls it."""
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
