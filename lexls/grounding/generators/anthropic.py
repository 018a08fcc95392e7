"""Ask a model behind an address that speaks Anthropic's messages."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from lexls.grounding.generator import GenerationFailed, Usage
from lexls.grounding.generators.remote import (
    Endpoint,
    Heard,
    RemoteGenerator,
    Stopped,
    Text,
    as_count,
    as_object,
    as_objects,
    read_events,
)
from lexls.grounding.prompts.templates import Prompt
from lexls.grounding.request import Request
from lexls.models.web_address import HttpFailed
from lexls.text.cancel import CancelToken

_VERSION = "2023-06-01"
"""The version of the protocol, sent with each question."""
_CUTS: Mapping[str, str] = {
    "max_tokens": "the model reached the limit of explain.answerTokens",
    "model_context_window_exceeded": "the model reached the end of its context",
    "refusal": "the model refuses to answer",
}
_ERRORS: Mapping[str, str] = {
    "overloaded_error": "it is overloaded; try again later",
    "rate_limit_error": "it is asked too often; try again later",
}


class AnthropicGenerator(RemoteGenerator):
    """A model at ``base_url`` (without ``/v1``) that speaks Anthropic's messages."""

    kind = "anthropic"
    _with_temperature = True

    def _heard(self, request: Request, prompt: Prompt, token: CancelToken) -> Iterator[Heard]:
        from lexls.models.http import post_events

        address = self._endpoint.address
        url = (address / ("messages" if address.rest.rstrip("/").endswith("/v1") else "v1/messages")).url
        key = self._endpoint.key()
        headers = {"Accept": "text/event-stream", "anthropic-version": _VERSION} | (
            {"x-api-key": key} if key else {}
        )
        until = time.monotonic() + self._endpoint.seconds
        while True:
            body = self._body(prompt)
            seconds = max(0.1, until - time.monotonic())
            try:
                yield from heard(post_events(url, headers, body, seconds, token), self._endpoint)
                return
            except HttpFailed as error:
                # Some models take no temperature; the server does not say in a word that this is why.
                if error.status != 400 or not self._with_temperature:
                    raise
                self._with_temperature = False

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.user}],
            "max_tokens": self._answer_tokens,
            "stream": True,
        }
        if self._with_temperature:
            body["temperature"] = 0
        return body


def heard(events: Iterator[str], asked: Endpoint) -> Iterator[Heard]:
    """What streamed messages say. Raises ``GenerationFailed`` for anything else."""
    stranger = GenerationFailed(
        f"{asked.address.origin} answers with something else than messages: is anthropic.baseUrl right?"
    )
    understood = False
    for data in read_events(events, stranger):
        if data.get("type") == "error":
            why = _ERRORS.get(str(as_object(data.get("error")).get("type")), "the fault is the server's")
            raise GenerationFailed(
                f"{asked.address.origin} reports an error while {asked.model} writes: {why}"
            )
        understood = understood or data.get("type") in ("message_start", "message")
        yield from _heard(data)
    if not understood:
        raise stranger


def _heard(data: Mapping[str, Any]) -> Iterator[Heard]:
    kind = data.get("type")
    if kind == "content_block_delta":
        text = as_object(data.get("delta")).get("text")
        if isinstance(text, str):
            yield Text(text)
    elif kind == "message_start":
        yield _counted(as_object(as_object(data.get("message")).get("usage")))
    elif kind == "message_delta":
        yield _counted(as_object(data.get("usage")))
        yield from _stopped(as_object(data.get("delta")))
    elif kind == "message":
        texts = (block.get("text") for block in as_objects(data.get("content")))
        yield from (Text(text) for text in texts if isinstance(text, str))
        yield _counted(as_object(data.get("usage")))
        yield from _stopped(data)


def _stopped(said: Mapping[str, Any]) -> Iterator[Stopped]:
    reason = said.get("stop_reason")
    if isinstance(reason, str):
        yield Stopped(_CUTS.get(reason, ""))


def _counted(usage: Mapping[str, Any]) -> Usage:
    """Tokens of the prompt are counted apart where they were cached: what was read from there, and what was
    put there."""
    read, put, fresh, written = (
        as_count(usage.get(f"{name}_tokens"))
        for name in ("cache_read_input", "cache_creation_input", "input", "output")
    )
    return Usage(fresh + read + put, read, written)
