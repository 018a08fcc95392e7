"""Ask a model on this machine, under a grammar that fits the request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from lexls.grounding.decoding import AnswerReader
from lexls.grounding.evidence import Evidence
from lexls.grounding.generator import GenerationFailed, GeneratorChoice, Part, Usage
from lexls.grounding.grammar import write_grammar
from lexls.grounding.prompts.templates import (
    PromptTemplateError,
    Template,
    fill,
    load_template,
    make_delimiter,
    write_evidence,
)
from lexls.grounding.request import Request
from lexls.models.llama_client import LlamaClient
from lexls.models.messages import ChatMessage, Ended, ModelUnavailable, Sampling
from lexls.text.cancel import CancelToken

LocalModel = LlamaClient
"""The model on this machine that a generator asks."""
_OWN_TOKENS = 64
"""Tokens for what the model's chat template puts around the messages, and for rounding."""
_BLOCK_TOKENS = 4
"""Tokens between one passage and the next, at most."""
_STEP = 256
"""Tokens in steps of which room is kept for question and history: where a follow-up question is somewhat
longer, the same evidence must fit, or the model reads all of it anew."""
_RULES_TOKENS = 900
"""Tokens that the rules of lexls' own templates and a short question take, roughly."""
_TOKEN_CHARS = 3.5
"""Characters a token, rather too few: English legal prose has about four."""
_LEAST_ROOM = 1000


class LlamaGenerator:
    """Answers with the model of ``client`` as ``choice`` says; what is whole when its time is up counts.

    ``secret`` keys the delimiters of prompts.
    """

    def __init__(self, client: LlamaClient, choice: GeneratorChoice, secret: bytes) -> None:
        self.client = client
        self._choice = choice
        self._context = client.options.context_tokens
        # An answer may not take the room of what it is to rest on.
        self._answer_tokens = min(choice.answer_tokens, self._context // 2)
        self._secret = secret

    @property
    def name(self) -> str:
        """What the user calls it."""
        return f"llama ({self.client.name})"

    @property
    def room(self) -> int:
        """How many characters of evidence a request may have; what is too much in tokens is cut later."""
        tokens = self._context - self._answer_tokens - _OWN_TOKENS - _RULES_TOKENS
        return max(_LEAST_ROOM, int(tokens * _TOKEN_CHARS))

    def generate(self, request: Request, token: CancelToken) -> Iterator[Part]:
        """The claims as they are written, then what it took. Raises ``GenerationFailed``, ``Cancelled``."""
        try:
            template = load_template(request.task, self._choice.prompt_folder)
            request = self._trimmed(request, template, token)
            prompt = fill(request, template, self._secret)
            sampling = Sampling(
                max_tokens=self._answer_tokens,
                seconds=self._choice.seconds,
                grammar=write_grammar(request, self._choice.verbatim),
            )
            messages = [ChatMessage("system", prompt.system), ChatMessage("user", prompt.user)]
            reader = AnswerReader()
            for piece in self.client.generate(messages, sampling, token):
                if isinstance(piece, str):
                    yield from reader.feed(piece)
                else:
                    yield from reader.finish()
                    yield self._usage(piece)
        except (PromptTemplateError, ModelUnavailable) as error:
            raise GenerationFailed(str(error)) from error

    def _trimmed(self, request: Request, template: Template, token: CancelToken) -> Request:
        """The request with as much of its evidence as the model's context has room for."""
        sign = make_delimiter(request.evidence, self._secret)

        def cost(evidence: Sequence[Evidence]) -> Sequence[int]:
            blocks = [write_evidence(each, sign) for each in evidence]
            return [count + _BLOCK_TOKENS for count in self.client.count(blocks, token)]

        frame = fill(replace(request, evidence=()), template, self._secret)
        rest = sum(self.client.count([frame.system, frame.user], token))
        room = self._context - self._answer_tokens - _OWN_TOKENS - -(-rest // _STEP) * _STEP
        evidence = fit_evidence(request.evidence, room, cost)
        if request.evidence and not evidence:
            raise GenerationFailed(
                f"the context of {self._context} tokens has no room for a passage beside the question: raise "
                "llama.contextTokens, or lower explain.answerTokens"
            )
        return replace(request, evidence=evidence)

    def _usage(self, ended: Ended) -> Usage:
        cut = {
            "length": "the model wrote as much as explain.answerTokens allows",
            "time": "the seconds of explain.seconds were over",
            "end": "",
        }[ended.reason]
        return Usage(
            ended.prompt_tokens, ended.cached_tokens, ended.tokens, ended.first_seconds, ended.seconds, cut
        )


LEAST_CHARS = 200
"""A passage is not cut to less than this: so little says nothing."""
_SAFETY = 0.95
"""How much of the room is used that proportion gives a passage that is cut: tokens are not spread evenly."""


def fit_evidence(
    evidence: Sequence[Evidence], room: int, cost: Callable[[Sequence[Evidence]], Sequence[int]]
) -> tuple[Evidence, ...]:
    """The first of ``evidence`` that fit into ``room`` together, the last of them cut around its core.

    ``cost`` says what each costs, in the unit of ``room``. Identifiers stay. What does not fit is left out
    from the end, since the best passage comes first.
    """
    kept: list[Evidence] = []
    for each, price in zip(evidence, cost(evidence), strict=True):
        if price <= room:
            kept.append(each)
            room -= price
            continue
        if (cut := _cut_to(each, price, room, cost)) is not None:
            kept.append(cut)
        break
    return tuple(kept)


def shorten_evidence(evidence: Evidence, chars: int) -> Evidence:
    """At most ``chars`` characters of it around its core, cut between words where there are some."""
    if len(evidence.text) <= chars:
        return evidence
    core_start = min(max(evidence.core[0], evidence.start), evidence.end)
    core_end = min(max(evidence.core[1], core_start), evidence.end)
    spare = chars - (core_end - core_start)
    # As much before the core as after it; a core that is too long keeps its beginning.
    start = core_start - max(0, spare) // 2
    start = max(evidence.start, min(start, evidence.end - chars))
    end = min(evidence.end, start + chars)
    first, last = _between_words(evidence.text, start - evidence.start, end - evidence.start)
    start, end = evidence.start + first, evidence.start + last
    here = evidence.segment_at(start)
    segments = (replace(here, start=start), *(s for s in evidence.segments if start < s.start < end))
    core = (min(max(core_start, start), end), min(max(core_end, start), end))
    return replace(
        evidence, start=start, end=end, text=evidence.text[first:last], segments=segments, core=core
    )


def _between_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without the words that it cuts in two, and without white space at its edges."""
    first, last = start, end
    if first and not text[first - 1].isspace():
        first = next((at for at in range(first, last) if text[at].isspace()), last)
    if last < len(text) and not text[last].isspace():
        last = next((at for at in range(last, first, -1) if text[at - 1].isspace()), first)
    inside = text[first:last]
    first, last = last - len(inside.lstrip()), first + len(inside.rstrip())
    return (first, last) if first < last else (start, end)  # a word without an end is cut all the same


def _cut_to(
    evidence: Evidence, price: int, room: int, cost: Callable[[Sequence[Evidence]], Sequence[int]]
) -> Evidence | None:
    """A part of ``evidence`` that costs at most ``room``; None if that is too little to be of use."""
    chars = len(evidence.text)
    for _ in range(4):
        chars = int(chars * room / price * _SAFETY)
        if chars < LEAST_CHARS:
            return None
        cut = shorten_evidence(evidence, chars)
        [price] = cost([cut])
        if price <= room:
            return cut
    return None
