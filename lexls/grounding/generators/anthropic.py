"""Ask a model behind an address that speaks Anthropic's messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from lexls.grounding.answer import Usage
from lexls.grounding.generators.remote import (
    Heard,
    RemoteGenerator,
    Stopped,
    as_count,
    as_object,
    as_objects,
)
from lexls.grounding.prompts.templates import Prompt
from lexls.grounding.request import Request
from lexls.models.web_address import HttpFailed

_VERSION = "2023-06-01"
"""The version of the protocol, sent with each question."""
_CUTS: Mapping[str, str] = {
    "max_tokens": "the model reached the limit of explain.answerTokens",
    "model_context_window_exceeded": "the model reached the end of its context",
    "refusal": "the model refuses to answer",
}


class AnthropicGenerator(RemoteGenerator[bool]):
    """A model at ``base_url`` (without ``/v1``) that speaks Anthropic's messages.

    The ways to ask it are with and without a temperature: some models take none.
    """

    kind = "anthropic"
    _speech = "messages: is anthropic.baseUrl right?"
    _errors: ClassVar[Mapping[str, str]] = {
        "overloaded_error": ": it is overloaded; try again later",
        "rate_limit_error": ": it is asked too often; try again later",
        "": ": the fault is the server's",
    }
    _way = True

    def _address(self, key: str) -> tuple[str, dict[str, str]]:
        address = self._endpoint.address
        path = "messages" if address.rest.rstrip("/").endswith("/v1") else "v1/messages"
        return (address / path).url, {"anthropic-version": _VERSION} | ({"x-api-key": key} if key else {})

    def _body(self, request: Request, prompt: Prompt, way: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.user}],
            "max_tokens": self._answer_tokens,
            "stream": True,
        }
        return body | ({"temperature": 0} if way else {})

    def _find_other_way(self, way: bool, refused: HttpFailed) -> bool | None:
        # The server does not say in a word that the temperature is why.
        return False if way and refused.status == 400 else None

    def _read(self, data: dict[str, Any]) -> Iterator[Heard]:
        kind = data.get("type")
        if kind == "content_block_delta":
            text = as_object(data.get("delta")).get("text")
            if isinstance(text, str):
                yield text
        elif kind == "message_start":
            yield _count(as_object(as_object(data.get("message")).get("usage")))
        elif kind == "message_delta":
            yield _count(as_object(data.get("usage")))
            yield from _read_end(as_object(data.get("delta")))
        elif kind == "message":
            texts = (block.get("text") for block in as_objects(data.get("content")))
            yield from (text for text in texts if isinstance(text, str))
            yield _count(as_object(data.get("usage")))
            yield from _read_end(data)


def _read_end(said: Mapping[str, Any]) -> Iterator[Stopped]:
    reason = said.get("stop_reason")
    if isinstance(reason, str):
        yield Stopped(_CUTS.get(reason, ""))


def _count(usage: Mapping[str, Any]) -> Usage:
    """Tokens of the prompt are counted apart where they were cached: what was read from there, and what was
    put there."""
    read, put, fresh, written = (
        as_count(usage.get(f"{name}_tokens"))
        for name in ("cache_read_input", "cache_creation_input", "input", "output")
    )
    return Usage(fresh + read + put, read, written)
