"""What all models behind an address share: who may be asked, what is heard, and how it fails."""

from __future__ import annotations

import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexls.grounding.decoding import AnswerReader
from lexls.grounding.generator import Claim, GenerationFailed, Insufficient, Part, Usage
from lexls.grounding.prompts.filling import Prompt, fill
from lexls.grounding.prompts.templates import TemplateError, load_template
from lexls.grounding.request import Request
from lexls.models.http_failed import HttpFailed
from lexls.models.web_address import BadAddress, WebAddress, web_address
from lexls.text.cancel import CancelToken

ROOM = 24_000
"""Characters of evidence sent to a model whose context is not known: some 6,000 tokens, which with the rules
and the answer fit a context of 8,192."""


_ELSEWHERE = re.compile(r"[:-]cloud\Z", re.IGNORECASE)
"""How such names end (docs.ollama.com/cloud), as "gpt-oss:120b-cloud": a server on this machine answers, and
passes on what it is told."""


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of what the model writes."""

    text: str


@dataclass(frozen=True, slots=True)
class Counted:
    """What the server counts, so far; 0 for what it does not tell."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Stopped:
    """The model's end; ``cut`` says why it came early ("" for a whole answer)."""

    cut: str = ""


Heard = Text | Counted | Stopped
"""What a server says, whatever its protocol."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind an address that may be asked.

    ``kind`` is the setting's word for its protocol ("openai"), ``api_key_env`` the environment variable with
    the key ("" for none), ``seconds`` the limit over a whole answer.
    """

    kind: str
    address: WebAddress
    model: str
    api_key_env: str
    seconds: float

    def key(self) -> str:
        """The key, "" where none is to be sent. Raises ``GenerationFailed`` naming the variable."""
        if not self.api_key_env:
            return ""
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise GenerationFailed(
                f"the environment variable {self.api_key_env} ({self.kind}.apiKeyEnv) has no key in it"
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise GenerationFailed(
                f"the environment variable {self.api_key_env} ({self.kind}.apiKeyEnv) holds no key but text"
            )
        return key


def endpoint(
    kind: str, base_url: str, model: str, api_key_env: str, allow_remote: bool, seconds: float
) -> Endpoint:
    """The endpoint that settings name; opens no connection.

    Raises ``GenerationFailed`` naming the setting that is missing or forbids it.
    """
    for setting, value in (("baseUrl", base_url), ("model", model)):
        if not value.strip():
            raise GenerationFailed(f"explain.generator is {kind}, but {kind}.{setting} is empty")
    try:
        address = web_address(base_url)
    except BadAddress as error:
        raise GenerationFailed(f"{kind}.baseUrl {error}") from None
    if not address.is_loopback and not allow_remote:
        raise GenerationFailed(
            f"{address.origin} ({kind}.baseUrl) is not this machine, and your sentences and passages of your "
            "library may not leave it; remote.allowed = true in your own settings allows that"
        )
    if not allow_remote and _ELSEWHERE.search(model.strip()):
        raise GenerationFailed(
            f"{model.strip()} ({kind}.model) is the name of a model that Ollama has computed on its maker's "
            "servers: your sentences and passages of your library would leave this machine; remote.allowed = "
            "true in your own settings allows that"
        )
    return Endpoint(kind, address, model.strip(), api_key_env.strip(), seconds)


def parts(heard: Iterator[Heard], asked: Endpoint) -> Iterator[Part]:
    """The parts of an answer as they become whole, and ``Usage`` at its end.

    Where the answer breaks off after the first part, what is there stays and ``Usage.cut`` says why. Raises
    ``GenerationFailed`` where there is none.
    """
    reader, counted, cut = AnswerReader(), Counted(), "the connection ended"
    started, first, given, written = time.monotonic(), 0.0, False, False
    try:
        for each in heard:
            if isinstance(each, Stopped):
                cut = each.cut
            elif isinstance(each, Counted):
                counted = _larger(counted, each)
            elif each.text:
                first = first or time.monotonic() - started
                written = True
                for part in _worth(reader.feed(each.text)):
                    given = True
                    yield part
    except (HttpFailed, GenerationFailed) as error:
        failed = failure(error, asked) if isinstance(error, HttpFailed) else error
        if not given:
            raise failed from None
        cut = failed.reason
    if not written and not cut:
        raise GenerationFailed(f"{asked.model} at {asked.address.origin} wrote nothing")
    if not written:
        raise GenerationFailed(f"{asked.model} at {asked.address.origin} gave no answer: {cut}")
    for part in _worth(reader.finish()):
        given = True
        yield part
    if not given and not reader.found:
        # Known only when all is over: an answer may come late, after a model's thoughts.
        reason = f" ({cut})" if cut else ""
        raise GenerationFailed(
            f"{asked.model} at {asked.address.origin} wrote no answer of the form it was asked for{reason}"
        )
    seconds = time.monotonic() - started
    yield Usage(counted.prompt_tokens, counted.cached_tokens, counted.tokens, first, seconds, cut)


def _worth(found: list[Claim | Insufficient]) -> Iterator[Claim | Insufficient]:
    """Without an empty ``insufficient``, which a schema with both keys makes a model write."""
    return (part for part in found if isinstance(part, Claim) or part.missing)


def _larger(one: Counted, other: Counted) -> Counted:
    return Counted(
        max(one.prompt_tokens, other.prompt_tokens),
        max(one.cached_tokens, other.cached_tokens),
        max(one.tokens, other.tokens),
    )


def failure(error: HttpFailed, asked: Endpoint) -> GenerationFailed:
    """What went wrong and what to do about it, in the words of the settings."""
    kind, model = asked.kind, asked.model
    if error.kind == "time":
        return GenerationFailed(f"{error.reason} (explain.seconds allows {asked.seconds:g} in all)")
    if error.kind == "refused" and asked.address.is_loopback:
        return GenerationFailed(
            f"{error.reason} ({kind}.baseUrl): is Ollama, or the server you use, running?"
        )
    if error.kind != "status":
        return GenerationFailed(f"{error.reason} ({kind}.baseUrl)")
    if error.status == 401 or error.codes & {"invalid_api_key", "authentication_error"}:
        named = (
            f"the key in {asked.api_key_env}" if asked.api_key_env else f"no key ({kind}.apiKeyEnv is empty)"
        )
        return GenerationFailed(f"{error.reason}: it does not accept {named}")
    if error.codes & {"context_length_exceeded", "exceed_context_size_error"}:
        return GenerationFailed(
            f"{error.reason}: the passages are longer than the context of {model}; explain.passages or "
            "explain.context can make them fewer"
        )
    if error.codes & {"insufficient_quota", "billing_error"}:
        return GenerationFailed(f"{error.reason}: the account has no credit left")
    hint = {
        400: "it does not take the question as it is put",
        402: "the account has no credit left",
        403: f"the key may not use {model}",
        404: f"it has no model {model} ({kind}.model), or the address is not whole ({kind}.baseUrl)",
        413: "the question is too long for it; explain.passages or explain.context can make it shorter",
        429: "it is asked too often" + (f"; try again in {error.retry_after} s" if error.retry_after else ""),
        503: "it is overloaded or still loads its model; try again later",
        529: "it is overloaded; try again later",
    }.get(error.status, "the fault is the server's; try again later" if error.status >= 500 else "")
    return GenerationFailed(f"{error.reason}: {hint}" if hint else error.reason)


class RemoteGenerator(ABC):
    """A model at ``base_url``, asked under ``model``'s name in the protocol of ``kind``.

    Where ``base_url`` is another machine nothing is sent without ``allow_remote``. ``api_key_env`` names the
    environment variable with the key, "" for none. ``template_folder`` may hold the user's own prompts,
    ``answer_tokens`` and ``seconds`` limit one answer, ``secret`` keys the delimiters of the evidence. Raises
    ``GenerationFailed`` naming the setting that is missing or forbids it.
    """

    kind: ClassVar[str]
    """The setting's word for the protocol."""
    room = ROOM

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key_env: str,
        allow_remote: bool,
        template_folder: Path | None,
        answer_tokens: int,
        seconds: float,
        secret: bytes,
    ) -> None:
        self._endpoint = endpoint(self.kind, base_url, model, api_key_env, allow_remote, seconds)
        self._template_folder = template_folder
        self._answer_tokens = answer_tokens
        self._secret = secret

    @property
    def name(self) -> str:
        """Kind and model."""
        return f"{self.kind} ({self._endpoint.model})"

    def generate(self, request: Request, token: CancelToken) -> Iterator[Part]:
        """The parts of the answer. Raises ``GenerationFailed`` and ``Cancelled``."""
        try:
            template = load_template(request.task, self._template_folder)
        except TemplateError as error:
            raise GenerationFailed(str(error)) from error
        prompt = fill(request, template, self._secret)
        return parts(self._heard(request, prompt, token), self._endpoint)

    @abstractmethod
    def _heard(self, request: Request, prompt: Prompt, token: CancelToken) -> Iterator[Heard]:
        """What the server says, asked again in another way as long as it refuses the way it is asked."""
