"""Common code for remote models: access checks, response parsing and error messages.

The evidence of a request is also shortened to fit the model.
"""

from __future__ import annotations

import json
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import takewhile
from typing import Any, ClassVar, Generic, TypeVar

from lexls.grounding.answer import (
    Claim,
    GenerationFailed,
    GeneratorChoice,
    Insufficient,
    Part,
    Request,
    Sentence,
    Usage,
)
from lexls.grounding.decoding import AnswerReader
from lexls.grounding.evidence import Evidence
from lexls.grounding.prompts.templates import Prompt, PromptTemplateError, fill, load_template
from lexls.models.web_address import BadAddress, HttpFailed, WebAddress, read_address
from lexls.text.cancel import CancelToken
from lexls.text.phrases import load_phrases

Way = TypeVar("Way")
"""A variant of a request to a server of one protocol."""
_FAILURES: dict[str, Any] = load_phrases("lexls.grounding", "phrases.toml")["remote"]
"""Explanations, by cause, that are appended to the reason why a server could not be reached."""
_ELSEWHERE = re.compile(r"[:-]cloud\Z", re.IGNORECASE)
"""Ending of names such as "gpt-oss:120b-cloud" (docs.ollama.com/cloud). A local server accepts requests for
such a model, but forwards the prompt to a remote server.
"""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The end of a model's output. ``cut`` is the reason if it ended early; otherwise it is an empty
    string.
    """

    cut: str = ""


Heard = str | Usage | Stopped
"""A server event in any protocol: text from the model, the end of the output, or ``Usage`` with only the
token counts so far.
"""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A remote model that may be used.

    ``kind`` is the protocol's name in the settings ("openai"), ``api_key_env`` the environment variable with
    the key (or an empty string), and ``seconds`` the time limit for a whole answer.
    """

    kind: str
    address: WebAddress
    model: str
    api_key_env: str
    seconds: float

    def key(self) -> str:
        """Return the API key, or an empty string if none is needed. Raises ``GenerationFailed``, naming the
        variable, if the key is missing or invalid.
        """
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


def find_endpoint(kind: str, choice: GeneratorChoice) -> Endpoint:
    """Return the chosen endpoint of ``kind`` without opening a connection.

    Raises ``GenerationFailed``, naming the setting that is missing or forbids it.
    """
    for setting, value in (("baseUrl", choice.base_url), ("model", choice.model)):
        if not value.strip():
            raise GenerationFailed(f"explain.generator is {kind}, but {kind}.{setting} is empty")
    try:
        address = read_address(choice.base_url)
    except BadAddress as error:
        raise GenerationFailed(f"{kind}.baseUrl {error}") from None
    model = choice.model.strip()
    if not address.is_loopback and not choice.allow_remote:
        raise GenerationFailed(
            f"{address.origin} ({kind}.baseUrl) is not this machine, and your sentences and passages of your "
            "library may not leave it; remote.allowed = true in your own settings allows that"
        )
    if not choice.allow_remote and _ELSEWHERE.search(model):
        raise GenerationFailed(
            f"{model} ({kind}.model) is the name of a model that Ollama has computed on its maker's "
            "servers: your sentences and passages of your library would leave this machine; remote.allowed = "
            "true in your own settings allows that"
        )
    return Endpoint(kind, address, model, choice.api_key_env.strip(), choice.seconds)


def read_parts(heard: Iterator[Heard], asked: Endpoint) -> Iterator[Part]:
    """Yield the parts of an answer as they become complete, then ``Usage``.

    If the answer breaks off after its first part, the parts so far are kept and ``Usage.cut`` is the reason.
    Raises ``GenerationFailed`` if there is no part.
    """
    reader, counted, cut = AnswerReader(), Usage(), "the connection ended"
    started, first, given, written = time.monotonic(), 0.0, False, False
    try:
        for each in heard:
            if isinstance(each, Stopped):
                cut = each.cut
            elif isinstance(each, Usage):
                counted = Usage(*map(max, astuple(counted), astuple(each)))
            elif each:
                first = first or time.monotonic() - started
                written = True
                for part in _worth(reader.feed(each)):
                    given = True
                    yield part
    except (HttpFailed, GenerationFailed) as error:
        failed = explain_failure(error, asked) if isinstance(error, HttpFailed) else error
        if not given:
            raise failed from None
        cut = str(failed)
    if not written:
        why = f"gave no answer: {cut}" if cut else "wrote nothing"
        raise GenerationFailed(f"{asked.model} at {asked.address.origin} {why}")
    for part in _worth(reader.finish()):
        given = True
        yield part
    if not given and not reader.found:
        # Known only at the end, since an answer may come late, after a model's reasoning.
        reason = f" ({cut})" if cut else ""
        raise GenerationFailed(
            f"{asked.model} at {asked.address.origin} wrote no answer of the form it was asked for{reason}"
        )
    yield replace(counted, first_seconds=first, seconds=time.monotonic() - started, cut=cut)


def as_object(value: Any) -> dict[str, Any]:
    """Return a JSON object, or an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects in a JSON list, or an empty list for any other value."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def as_count(value: Any) -> int:
    """Return a token count, or 0 for an invalid value."""
    return value if isinstance(value, int) and 0 <= value < 10**9 else 0


def _worth(found: list[Claim | Insufficient]) -> Iterator[Claim | Insufficient]:
    """Drop empty ``insufficient`` parts, which models write because the schema requires both keys."""
    return (part for part in found if isinstance(part, Claim) or part.missing)


def explain_failure(error: HttpFailed, asked: Endpoint) -> GenerationFailed:
    """Return the error with its cause and remedy, in terms of the settings."""
    coded = (said for codes, said in _FAILURES["codes"].items() if error.codes.intersection(codes.split()))
    if error.kind == "refused" and asked.address.is_loopback:
        words = _FAILURES["refused"]
    elif error.kind != "status":
        words = _FAILURES["time" if error.kind == "time" else "unreached"]
    elif error.status == 401 or error.codes & {"invalid_api_key", "authentication_error"}:
        words = _FAILURES["key" if asked.api_key_env else "no_key"]
    elif not (words := next(coded, "")):
        words = _FAILURES["statuses"].get(
            str(error.status), _FAILURES["server"] if error.status >= 500 else ""
        )
        if error.status == 429 and error.retry_after:
            words += f"; try again in {error.retry_after} s"
    told = {
        "kind": asked.kind,
        "model": asked.model,
        "key": asked.api_key_env,
        "seconds": f"{asked.seconds:g}",
    }
    return GenerationFailed(error.reason + words.format(**told))


class RemoteGenerator(ABC, Generic[Way]):
    """Base class for models at a web address, requested in the protocol of ``kind``.

    Nothing is sent to another machine unless ``choice`` allows it. ``secret`` is the key for the evidence
    delimiters. Raises ``GenerationFailed``, naming the setting that is missing or forbids it.
    """

    kind: ClassVar[str]
    """The protocol's name in the settings."""
    _speech: ClassVar[str]
    """End of the message for an unexpected response: what the server should answer with, and what to check in
    the address.
    """
    _errors: ClassVar[Mapping[str, str]] = {}
    """Explanations of errors that the server reports, by error type. The key "" is for all other types."""
    _way: Way
    """The request variant that the server accepts, as far as known."""

    def __init__(self, choice: GeneratorChoice, secret: bytes) -> None:
        self._endpoint = find_endpoint(self.kind, choice)
        self._template_folder = choice.prompt_folder
        self._answer_tokens = choice.answer_tokens
        self._secret = secret

    @property
    def name(self) -> str:
        """Return the kind and the model."""
        return f"{self.kind} ({self._endpoint.model})"

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        """Yield the parts of the answer. Raises ``GenerationFailed`` and ``Cancelled``."""
        try:
            template = load_template(request.task, self._template_folder)
        except PromptTemplateError as error:
            raise GenerationFailed(str(error)) from error
        prompt = fill(fit_request(request), template, self._secret)
        return read_parts(self._ask(request, prompt, token), self._endpoint)

    def _ask(self, request: Request, prompt: Prompt, token: CancelToken) -> Iterator[Heard]:
        """Yield the server's events, trying other request variants while it refuses the current one."""
        from lexls.models.http import post_events

        url, headers = self._address(self._endpoint.key())
        headers["Accept"] = "text/event-stream"
        until = time.monotonic() + self._endpoint.seconds
        way = self._way
        while True:
            body = self._body(request, prompt, way)
            seconds = max(0.1, until - time.monotonic())
            try:
                for each in self._listen(post_events(url, headers, body, seconds, token)):
                    self._way = way
                    yield each
                return
            except HttpFailed as error:
                following = self._find_other_way(way, error)
                if following is None:
                    raise
                way = following

    def _listen(self, events: Iterator[str]) -> Iterator[Heard]:
        """Yield the contents of a streamed or whole answer. Raises ``GenerationFailed`` for any other
        response.
        """
        origin, understood = self._endpoint.address.origin, False
        stranger = GenerationFailed(f"{origin} answers with something else than {self._speech}")
        for event in takewhile(lambda event: event.strip() != "[DONE]", events):
            try:
                data = as_object(json.loads(event))
            except (ValueError, RecursionError):
                raise stranger from None
            if error := data.get("error"):
                why = self._errors.get(str(as_object(error).get("type")), self._errors.get("", ""))
                raise GenerationFailed(f"{origin} reports an error while {self._endpoint.model} writes{why}")
            for each in self._read(data):
                understood = understood or isinstance(each, Usage)
                yield each
        if not understood:
            raise stranger

    @abstractmethod
    def _address(self, key: str) -> tuple[str, dict[str, str]]:
        """Return the URL and the protocol's headers, with the key unless it is an empty string."""

    @abstractmethod
    def _body(self, request: Request, prompt: Prompt, way: Way) -> dict[str, Any]:
        """Return the request body in the protocol's format."""

    @abstractmethod
    def _find_other_way(self, way: Way, refused: HttpFailed) -> Way | None:
        """Return the next variant to try, or None if the server refused the request for another reason than
        its variant.
        """

    @abstractmethod
    def _read(self, data: dict[str, Any]) -> Iterator[Heard]:
        """Yield the contents of an event. In this protocol the first event of every answer yields a
        ``Usage``; an event in any other format yields none.
        """


ROOM = 24_000
"""Maximum number of characters of evidence sent to a model whose context size is unknown. They are about
6,000 tokens; with the rules and the answer, everything fits into 8,192.
"""
LEAST_CHARS = 200
"""Minimum length in characters to which a passage is cut, since a shorter extract would be meaningless."""


def fit_request(request: Request) -> Request:
    """Return the request with its evidence cut to fit the model."""
    return replace(request, evidence=fit_evidence(request.evidence, ROOM))


def fit_evidence(evidence: Sequence[Evidence], room: int) -> tuple[Evidence, ...]:
    """Return the first ``evidence`` that fits into ``room`` characters, with the last one cut around its
    core.

    Identifiers are kept. Evidence is dropped from the end, since the best comes first.
    """
    kept: list[Evidence] = []
    for each in evidence:
        if room < min(LEAST_CHARS, len(each.text)):
            break
        kept.append(shorten_evidence(each, room))
        room -= len(kept[-1].text)
    return tuple(kept)


def shorten_evidence(evidence: Evidence, chars: int) -> Evidence:
    """Return at most ``chars`` characters of the evidence around its core, cut between words if possible."""
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
    """Return the range shortened to whole words, without whitespace at its edges."""
    first, last = start, end
    if first and not text[first - 1].isspace():
        first = next((at for at in range(first, last) if text[at].isspace()), last)
    if last < len(text) and not text[last].isspace():
        last = next((at for at in range(last, first, -1) if text[at - 1].isspace()), first)
    inside = text[first:last]
    first, last = last - len(inside.lstrip()), first + len(inside.rstrip())
    return (first, last) if first < last else (start, end)  # a single long word is cut anyway
