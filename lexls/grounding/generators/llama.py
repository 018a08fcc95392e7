"""Ask a model on this machine for one sentence on each quotation of an answer."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexls.grounding.answer import Sentence, Usage
from lexls.grounding.generator import Claim, GenerationFailed, GeneratorChoice, Part, Quoted
from lexls.grounding.lone_clauses import list_clauses
from lexls.grounding.prompts.templates import (
    PromptTemplateError,
    Template,
    clean_line,
    load_template,
    substitute,
)
from lexls.grounding.relevance import Tokens, find_terms
from lexls.grounding.request import Request
from lexls.grounding.sought import find_sought
from lexls.grounding.verification.verifier import EvidenceVerifier
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
_MOST_MISSED = 0.4
"""What share of the question's words that an extract has its clause may lack."""
_LATE = "the seconds of explain.seconds were over"
_QUESTION_CHARS = 1200
_QUOTATION_CHARS = 1600


class LlamaGenerator:
    """Has the model of ``client`` say what each quotation says on the question, as ``choice`` says.

    A small model that is to choose passages, copy from them and keep to a form loses its way, and of what it
    writes in its own words most says more than the quotation. So it chooses among the quotation's clauses
    that stand verification, or none; only where there are none it writes. What is there when its time is up
    counts.
    """

    def __init__(self, client: LlamaClient, choice: GeneratorChoice, tokens: Tokens) -> None:
        self.client = client
        self._choice = choice
        self._tokens = tokens
        self._verifier = EvidenceVerifier(tokens, 0.0)

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
                clauses = list(self._find_clauses(extract.text, quoted, request, token))
                seconds = until - time.monotonic()
                if seconds <= 0:
                    usage = replace(usage, cut=_LATE)
                    break
                grammar = write_choice(clauses) if clauses else GRAMMAR
                sampling = Sampling(SENTENCE_TOKENS, seconds, grammar)
                messages = fill_sentence_prompt(template, request.question, extract.text)
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

    def _find_clauses(
        self, text: str, quoted: tuple[Quoted, ...], request: Request, token: CancelToken
    ) -> Iterator[str]:
        """The clauses of an extract that stand alone and have what it has of the question."""
        asked = find_terms(request.subject, self._tokens).keys()
        wanted = asked & set(self._tokens(text))
        sought = find_sought(request.subject)
        says = sought.says if sought is not None and sought.says.search(text) else None
        for clause in list_clauses(text):
            if says is not None and not says.search(clause):
                continue
            if _MOST_MISSED * len(wanted) < len(wanted - set(self._tokens(clause))):
                continue
            sentence = self._verifier.verify(Claim(clause, quoted), request, token).sentence
            if sentence is not None and not sentence.is_extract:
                yield clause


def write_choice(sentences: Sequence[str]) -> str:
    """The grammar (GBNF) of one of ``sentences``, or of none of them."""
    written = (json.dumps(each, ensure_ascii=False) for each in (NOTHING, *sentences))
    return f"root ::= {' | '.join(written)}\n"


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
    cut = _LATE if ended.reason == "time" else ""
    return Usage(
        usage.prompt_tokens + ended.prompt_tokens,
        usage.cached_tokens + ended.cached_tokens,
        usage.tokens + ended.tokens,
        usage.first_seconds or ended.first_seconds,
        usage.seconds + ended.seconds,
        cut or usage.cut,
    )
