"""Ask a model on this machine for one sentence on each quotation of an answer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

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
from lexls.text.cancel import CancelToken

LocalModel = LlamaClient
"""The model on this machine that a generator asks."""
SENTENCE_TOKENS = 100
NOTHING = "None."
"""What a model writes where the quotation says nothing on the question."""
GRAMMAR = f'root ::= "{NOTHING}" | [A-Z0-9(] [^\\n"“”*#`<>|]{{10,400}} "."\n'
"""One sentence of plain prose, or that there is none."""
_QUESTION_CHARS = 1200
_QUOTATION_CHARS = 1600


class LlamaGenerator:
    """Has the model of ``client`` say what each quotation says on the question, as ``choice`` says.

    A small model that is to choose passages, copy from them and keep to a form loses its way; one sentence on
    words that stand before it is what it can do. What it has written when its time is up counts.
    """

    def __init__(self, client: LlamaClient, choice: GeneratorChoice) -> None:
        self.client = client
        self._choice = choice

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
                seconds = until - time.monotonic()
                if seconds <= 0:
                    break
                sampling = Sampling(SENTENCE_TOKENS, seconds, GRAMMAR)
                messages = fill_sentence_prompt(template, request.question, extract.text)
                written = ""
                for piece in self.client.generate(messages, sampling, token):
                    if isinstance(piece, str):
                        written += piece
                    else:
                        usage = _add(usage, piece)
                        whole = piece.reason == "end"
                if whole and written.strip() != NOTHING:
                    pins = (Quoted(pin.identifier, pin.text) for pin in extract.pins)
                    yield Claim(written.strip(), tuple(pins))
        except (PromptTemplateError, ModelUnavailable) as error:
            raise GenerationFailed(str(error)) from error
        yield usage


def fill_sentence_prompt(template: Template, question: str, quotation: str) -> list[ChatMessage]:
    """The turns before the model's own. All but the last are the same for every question."""
    turns = [ChatMessage("system", template.system)]
    for asked, answered in template.examples:
        turns += [ChatMessage("user", asked), ChatMessage("assistant", answered)]
    values = {
        "question": clean_line(question)[:_QUESTION_CHARS],
        "quotation": clean_line(quotation)[:_QUOTATION_CHARS],
    }
    return [*turns, ChatMessage("user", substitute(template.user, values))]


def _add(usage: Usage, ended: Ended) -> Usage:
    cut = "the seconds of explain.seconds were over" if ended.reason == "time" else ""
    return Usage(
        usage.prompt_tokens + ended.prompt_tokens,
        usage.cached_tokens + ended.cached_tokens,
        usage.tokens + ended.tokens,
        usage.first_seconds or ended.first_seconds,
        usage.seconds + ended.seconds,
        cut or usage.cut,
    )
