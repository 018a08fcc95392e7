"""Explanations by any model behind an address that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from lexls.grounding.generator import GenerationFailed
from lexls.grounding.generators.answer_schema import answer_schema
from lexls.grounding.generators.remote import Counted, Endpoint, Heard, RemoteGenerator, Stopped, Text
from lexls.grounding.prompts.filling import Prompt
from lexls.grounding.request import Request
from lexls.models.http_failed import HttpFailed
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
            schema = {"name": "answer", "strict": True, "schema": answer_schema(request)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif dialect.form == "json_object with schema":
            body["response_format"] = {"type": "json_object", "schema": answer_schema(request)}
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
    for event in events:
        if event.strip() == "[DONE]":
            break
        try:
            data = json.loads(event)
        except (ValueError, RecursionError):
            raise stranger from None
        if not isinstance(data, dict):
            raise stranger
        if data.get("error"):
            raise GenerationFailed(f"{asked.address.origin} reports an error while {asked.model} writes")
        understood = understood or isinstance(data.get("choices"), list)
        yield from _heard(data)
    if not understood:
        raise stranger


def _heard(data: Mapping[str, Any]) -> Iterator[Heard]:
    for choice in _list(data.get("choices"))[:1]:
        said = _dict(choice.get("delta")) or _dict(choice.get("message"))
        content = said.get("content")
        if isinstance(content, str) and content:
            yield Text(content)
        if isinstance(said.get("refusal"), str) and said["refusal"]:
            yield Stopped("the model refuses to answer")
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            yield Stopped(_CUTS.get(reason, ""))
    usage = _dict(data.get("usage"))
    if usage:
        cached = _dict(usage.get("prompt_tokens_details")).get("cached_tokens")
        yield Counted(
            _count(usage.get("prompt_tokens")), _count(cached), _count(usage.get("completion_tokens"))
        )


def _list(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**9 else 0
