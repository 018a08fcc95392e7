"""From the turns of a conversation to the text a model was trained on, by the template in its file.

The template's own text may hold marks (such as the end of a turn) that are single tokens to the model; a
turn's content never may. So the template is rendered with a placeholder for each content and then taken apart
again: what is the template's and what is content is known for every character.
"""

from __future__ import annotations

import datetime
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Template, TemplateError
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said; ``role`` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a prompt; ``special`` if it is the template's own text and may hold marks."""

    text: str
    special: bool


class ChatTemplate:
    """The template ``source`` (Jinja, as in ``tokenizer.chat_template``; "" if the model has none).

    ``bos`` and ``eos`` are the texts of the model's first and last token, which templates name.
    """

    def __init__(self, source: str, bos: str = "", eos: str = "") -> None:
        self._given = {"bos_token": bos, "eos_token": eos}
        self._template: Template | None = None
        self.plain = not source
        """Whether conversations are written in a plain format, since there is no template that works."""
        if source:
            try:
                self._template = _environment().from_string(source)
            except Exception:  # a template becomes Python, which may be too deep for it, or no Python
                self.plain = True

    def pieces(self, turns: Sequence[Turn]) -> list[Piece]:
        """The prompt that has the model speak next, in pieces none of which is empty.

        A template that refuses the conversation (no system role, two turns of one speaker in a row) or leaves
        some of it out gets one it takes: what the system says goes before what the user says first. If it
        refuses that too, the prompt is written plainly.
        """
        for way in (list(turns), _alternating(turns)):
            if self._template is not None and (found := self._rendered(self._template, way)):
                return found
        return list(_plainly(turns))

    def _rendered(self, template: Template, turns: Sequence[Turn]) -> list[Piece]:
        """Empty if the template refuses the turns, or does not say all of them."""
        marks = {f"content{secrets.token_hex(12)}": turn.content for turn in turns}
        messages = [{"role": turn.role, "content": mark} for turn, mark in zip(turns, marks, strict=True)]
        try:
            text = template.render(
                messages=messages,
                add_generation_prompt=True,
                # A model that can think before it speaks would do so where the grammar has it answer.
                enable_thinking=False,
                tools=None,
                documents=None,
                **self._given,
            )
        except Exception:
            return []  # templates are programs: theirs may be any error
        if not all(mark in text for mark in marks):
            return []
        return [piece for piece in _taken_apart(text, marks) if piece.text]


def _taken_apart(text: str, marks: dict[str, str]) -> Iterator[Piece]:
    while found := min(((at, mark) for mark in marks if (at := text.find(mark)) >= 0), default=None):
        at, mark = found
        yield Piece(text[:at], special=True)
        yield Piece(marks[mark], special=False)
        text = text[at + len(mark) :]
    yield Piece(text, special=True)


def _alternating(turns: Sequence[Turn]) -> list[Turn]:
    """User and assistant by turns, the user first; what the system says goes before what the user says."""
    found: list[Turn] = []
    for turn in turns:
        role = "assistant" if turn.role == "assistant" else "user"
        if found and found[-1].role == role:
            found[-1] = Turn(role, found[-1].content + _BETWEEN + turn.content)
        else:
            found.append(Turn(role, turn.content))
    return found


def _plainly(turns: Sequence[Turn]) -> Iterator[Piece]:
    names = {"user": "User:\n", "assistant": "Assistant:\n"}
    for turn in turns:
        if name := names.get(turn.role):
            yield Piece(name, special=False)
        yield Piece(turn.content + _BETWEEN, special=False)
    yield Piece(names["assistant"], special=False)


def _environment() -> ImmutableSandboxedEnvironment:
    """What templates are written for: transformers' way to render them. They come with a file from anywhere,
    hence the sandbox."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )
    environment.filters["tojson"] = _as_json
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = _now
    return environment


def _as_json(value: Any, **options: Any) -> str:
    return json.dumps(value, **({"ensure_ascii": False} | options))


def _refuse(reason: str) -> None:
    raise TemplateError(reason)


def _now(form: str) -> str:
    return datetime.datetime.now().strftime(form)
