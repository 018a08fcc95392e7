"""Ask any model behind an address that speaks OpenAI's chat completions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Literal

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
    """What a server takes of what is asked; each refusal leaves something out."""

    form: _Form = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    with_temperature: bool = True
    with_usage: bool = True

    def after(self, refused: HttpFailed) -> _Dialect | None:
        """What to try next; None if the refusal is of something else."""
        # llama-cpp-python's server says 500 to a form that it does not know.
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


class OpenAIGenerator(RemoteGenerator):
    """A model at ``base_url`` (which ends in ``/v1`` for most servers) that speaks OpenAI's protocol."""

    kind = "openai"
    _dialect = _Dialect()

    def _heard(self, request: Request, prompt: Prompt, token: CancelToken) -> Iterator[Heard]:
        from lexls.models.http import post_events

        url = (self._endpoint.address / "chat/completions").url
        key = self._endpoint.key()
        headers = {"Accept": "text/event-stream"} | ({"Authorization": f"Bearer {key}"} if key else {})
        until = time.monotonic() + self._endpoint.seconds
        dialect = self._dialect
        while True:
            body = self._body(request, prompt, dialect)
            seconds = max(0.1, until - time.monotonic())
            try:
                for each in heard(post_events(url, headers, body, seconds, token), self._endpoint):
                    self._dialect = dialect
                    yield each
                return
            except HttpFailed as error:
                following = dialect.after(error)
                if following is None:
                    raise
                dialect = following

    def _body(self, request: Request, prompt: Prompt, dialect: _Dialect) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "stream": True,
            dialect.limit: self._answer_tokens,
        }
        if dialect.with_temperature:
            body["temperature"] = 0
        if dialect.with_usage:
            body["stream_options"] = {"include_usage": True}
        if dialect.form == "json_schema":
            schema = {"name": "answer", "strict": True, "schema": make_schema(request)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif dialect.form == "json_object with schema":
            body["response_format"] = {"type": "json_object", "schema": make_schema(request)}
        elif dialect.form:
            body["response_format"] = {"type": dialect.form}
        return body


def heard(events: Iterator[str], asked: Endpoint) -> Iterator[Heard]:
    """What chat completions say, streamed or whole. Raises ``GenerationFailed`` for anything else."""
    stranger = GenerationFailed(
        f"{asked.address.origin} answers with something else than chat completions: is openai.baseUrl whole? "
        "It ends in /v1 for most servers"
    )
    understood = False
    whole = takewhile(lambda event: event.strip() != "[DONE]", events)
    for data in read_events(whole, stranger):
        if data.get("error"):
            raise GenerationFailed(f"{asked.address.origin} reports an error while {asked.model} writes")
        understood = understood or isinstance(data.get("choices"), list)
        yield from _heard(data)
    if not understood:
        raise stranger


def _heard(data: Mapping[str, Any]) -> Iterator[Heard]:
    for choice in as_objects(data.get("choices"))[:1]:
        said = as_object(choice.get("delta")) or as_object(choice.get("message"))
        content = said.get("content")
        if isinstance(content, str) and content:
            yield Text(content)
        if isinstance(said.get("refusal"), str) and said["refusal"]:
            yield Stopped("the model refuses to answer")
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            yield Stopped(_CUTS.get(reason, ""))
    usage = as_object(data.get("usage"))
    if usage:
        cached = as_object(usage.get("prompt_tokens_details")).get("cached_tokens")
        yield Usage(
            as_count(usage.get("prompt_tokens")), as_count(cached), as_count(usage.get("completion_tokens"))
        )


def make_schema(request: Request) -> dict[str, Any]:
    """The schema of an answer to ``request``: only its own evidence can be named, quotation before sentence.

    It keeps to what strict modes take: every property required, none added, one object at the root. So a
    model writes both keys, one of them empty.
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
