"""Generate answers over HTTP with OpenAI's chat completions or Anthropic's messages protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from lexls.grounding.answer import Request, Usage
from lexls.grounding.generators.remote import (
    Heard,
    RemoteGenerator,
    Stopped,
    as_count,
    as_object,
    as_objects,
)
from lexls.grounding.prompts.templates import Prompt
from lexls.models.web_address import HttpFailed

_CUTS: Mapping[str, str] = {
    "length": "the model reached the limit of explain.answerTokens, or of its context",
    "content_filter": "the server's content filter stopped it",
}


_Form = Literal["json_schema", "json_object with schema", "json_object", ""]
_NEXT_FORM: Mapping[_Form, _Form] = {
    "json_schema": "json_object with schema",  # as llama-cpp-python's server takes it
    "json_object with schema": "json_object",
    "json_object": "",
}


@dataclass(frozen=True, slots=True)
class _Dialect:
    """The request features that a server accepts; each refusal disables one."""

    form: _Form = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    with_temperature: bool = True
    with_usage: bool = True

    def after(self, refused: HttpFailed) -> _Dialect | None:
        """Return the next dialect to try, or None if the server refused the request for another reason."""
        # llama-cpp-python's server answers 500 to an unknown response format.
        if refused.status == 500 and self.form == "json_schema":
            return replace(self, form=_NEXT_FORM[self.form])
        if refused.status not in (400, 422) or "context_length_exceeded" in refused.codes:
            return None
        if "max_tokens" in refused.codes and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in refused.codes and self.with_temperature:
            return replace(self, with_temperature=False)
        if self.form:
            return replace(self, form=_NEXT_FORM[self.form])
        if self.with_usage:
            return replace(self, with_usage=False)
        return replace(self, with_temperature=False) if self.with_temperature else None


class OpenAIGenerator(RemoteGenerator[_Dialect]):
    """Generate with a model at ``base_url`` (usually ending in ``/v1``) that uses OpenAI's protocol."""

    kind = "openai"
    _speech = "chat completions: is openai.baseUrl whole? It ends in /v1 for most servers"
    _way = _Dialect()

    def _address(self, key: str) -> tuple[str, dict[str, str]]:
        url = (self._endpoint.address / "chat/completions").url
        return url, {"Authorization": f"Bearer {key}"} if key else {}

    def _body(self, request: Request, prompt: Prompt, way: _Dialect) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "stream": True,
            way.limit: self._answer_tokens,
        }
        if way.with_temperature:
            body["temperature"] = 0
        if way.with_usage:
            body["stream_options"] = {"include_usage": True}
        if way.form == "json_schema":
            schema = {"name": "answer", "strict": True, "schema": make_schema(request)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif way.form == "json_object with schema":
            body["response_format"] = {"type": "json_object", "schema": make_schema(request)}
        elif way.form:
            body["response_format"] = {"type": way.form}
        return body

    def _find_other_way(self, way: _Dialect, refused: HttpFailed) -> _Dialect | None:
        return way.after(refused)

    def _read(self, data: dict[str, Any]) -> Iterator[Heard]:
        for choice in as_objects(data.get("choices"))[:1]:
            said = as_object(choice.get("delta")) or as_object(choice.get("message"))
            content = said.get("content")
            if isinstance(content, str) and content:
                yield content
            if isinstance(said.get("refusal"), str) and said["refusal"]:
                yield Stopped("the model refuses to answer")
            reason = choice.get("finish_reason")
            if isinstance(reason, str) and reason:
                yield Stopped(_CUTS.get(reason, ""))
        usage = as_object(data.get("usage"))
        if usage or isinstance(data.get("choices"), list):
            cached = as_object(usage.get("prompt_tokens_details")).get("cached_tokens")
            read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
            yield Usage(as_count(read), as_count(cached), as_count(written))


def make_schema(request: Request) -> dict[str, Any]:
    """Return the JSON schema of an answer to ``request``.

    Only evidence of this request can be named, and quotations come before the sentence. The schema follows
    the rules of strict modes: all properties required, no others allowed, one object at the root. A model
    therefore always writes both keys, one of them with an empty list.
    """
    quoted = _object(
        passage={"type": "string", "enum": [each.identifier for each in request.evidence]},
        quotation={"type": "string"},
    )
    claim = _object(evidence={"type": "array", "items": quoted}, sentence={"type": "string"})
    return _object(
        answer={"type": "array", "items": claim},
        insufficient={"type": "array", "items": {"type": "string"}},
    )


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_VERSION = "2023-06-01"
"""Protocol version, sent with each request."""
_ANTHROPIC_CUTS: Mapping[str, str] = {
    "max_tokens": "the model reached the limit of explain.answerTokens",
    "model_context_window_exceeded": "the model reached the end of its context",
    "refusal": "the model refuses to answer",
}


class AnthropicGenerator(RemoteGenerator[bool]):
    """Generate with a model at ``base_url`` (without ``/v1``) that uses Anthropic's messages protocol.

    Requests are tried with and without a temperature, since some models accept none.
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
        # The server gives no error code for an unsupported temperature.
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
        yield Stopped(_ANTHROPIC_CUTS.get(reason, ""))


def _count(usage: Mapping[str, Any]) -> Usage:
    """Return the token counts of a response. The protocol counts cached prompt tokens separately (those read
    from the cache and those written to it); they are added to the other prompt tokens.
    """
    read, put, fresh, written = (
        as_count(usage.get(f"{name}_tokens"))
        for name in ("cache_read_input", "cache_creation_input", "input", "output")
    )
    return Usage(fresh + read + put, read, written)
