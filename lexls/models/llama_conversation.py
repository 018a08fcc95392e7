"""Convert a conversation to the tokens of a prompt, using the chat template in a model's file.

The template's own text may contain markers (such as the end of a turn) that are single tokens to the model; a
turn's content must not. The template is therefore rendered with a placeholder for each content and then
split, so that every character is known to come from the template or from a content.
"""

from __future__ import annotations

import datetime
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from jinja2 import Template, TemplateError
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from lexls.models.llama_cpp_model import LlamaModel
from lexls.models.messages import ChatMessage

_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class PromptPiece:
    """A part of a prompt; ``special`` if it is the template's own text, which may contain markers."""

    text: str
    special: bool


class ChatTemplate:
    """The chat template ``source`` (Jinja, as in ``tokenizer.chat_template``; "" if the model has none).

    ``bos`` and ``eos`` are the texts of the model's beginning and end tokens, which templates refer to.
    """

    def __init__(self, source: str, bos: str = "", eos: str = "") -> None:
        self._given = {"bos_token": bos, "eos_token": eos}
        self._template: Template | None = None
        self.plain = not source
        """True if conversations are written in a plain format, because there is no usable template."""
        if source:
            try:
                self._template = _environment().from_string(source)
            except Exception:  # compiled to Python, a template may be nested too deeply or be invalid
                self.plain = True

    def pieces(self, turns: Sequence[ChatMessage]) -> list[PromptPiece]:
        """Return the prompt for the model's next turn, in non-empty pieces.

        A template may reject the conversation (because of a system role, or two turns of one speaker in a
        row) or omit part of it. The turns are then rearranged: the system's text is put before the user's
        first. If that is rejected too, the prompt is written in a plain format.
        """
        for way in (list(turns), _alternating(turns)):
            if self._template is not None and (found := self._rendered(self._template, way)):
                return found
        return list(_plainly(turns))

    def _rendered(self, template: Template, turns: Sequence[ChatMessage]) -> list[PromptPiece]:
        """Render the turns; return an empty list if the template rejects them or omits any content."""
        marks = {f"content{secrets.token_hex(12)}": turn.content for turn in turns}
        messages = [{"role": turn.role, "content": mark} for turn, mark in zip(turns, marks, strict=True)]
        try:
            text = template.render(
                messages=messages,
                add_generation_prompt=True,
                # Thinking is disabled, since the grammar requires an immediate answer.
                enable_thinking=False,
                tools=None,
                documents=None,
                **self._given,
            )
        except Exception:
            return []  # templates are programs and may raise any error
        if not all(mark in text for mark in marks):
            return []
        return [piece for piece in _taken_apart(text, marks) if piece.text]


def _taken_apart(text: str, marks: dict[str, str]) -> Iterator[PromptPiece]:
    while found := min(((at, mark) for mark in marks if (at := text.find(mark)) >= 0), default=None):
        at, mark = found
        yield PromptPiece(text[:at], special=True)
        yield PromptPiece(marks[mark], special=False)
        text = text[at + len(mark) :]
    yield PromptPiece(text, special=True)


def _alternating(turns: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return alternating user and assistant turns, the user first; the system's text precedes the user's."""
    found: list[ChatMessage] = []
    for turn in turns:
        said = ChatMessage("assistant" if turn.role == "assistant" else "user", turn.content)
        if found and found[-1].role == said.role:
            said = ChatMessage(said.role, found.pop().content + _BETWEEN + turn.content)
        found.append(said)
    return found


def _plainly(turns: Sequence[ChatMessage]) -> Iterator[PromptPiece]:
    names = {"user": "User:\n", "assistant": "Assistant:\n"}
    for turn in turns:
        if name := names.get(turn.role):
            yield PromptPiece(name, special=False)
        yield PromptPiece(turn.content + _BETWEEN, special=False)
    yield PromptPiece(names["assistant"], special=False)


def _environment() -> ImmutableSandboxedEnvironment:
    """Return an environment like that of transformers, but sandboxed: templates may come from anywhere."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )
    environment.filters["tojson"] = partial(json.dumps, ensure_ascii=False)
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = lambda form: datetime.datetime.now().strftime(form)
    return environment


def _refuse(reason: str) -> None:
    raise TemplateError(reason)


class Conversation:
    """A conversation with ``model``, whose file contains the chat template ``template`` ("" if none)."""

    def __init__(self, model: LlamaModel, template: str) -> None:
        self.model = model
        self._template = ChatTemplate(template, *model.first_and_last)
        self._has_template = bool(template)

    @property
    def about(self) -> str:
        """A description of the model, with any remarks on how it runs."""
        model = self.model
        threads = f"{model.threads} thread" + "s" * (model.threads != 1)
        found = [model.description, f"{model.context_tokens:,} tokens in view", threads]
        if model.context_tokens > model.trained_tokens:
            found.append(f"trained with no more than {model.trained_tokens:,} in view")
        if model.lacks_card:
            found.append("no graphics card, which this build of llama.cpp cannot use")
        if not self._has_template:
            found.append("no chat template in its file")
        elif self._template.plain:
            found.append("the chat template in its file cannot be used")
        return ", ".join(found)

    def prompt(self, turns: Sequence[ChatMessage]) -> tuple[list[int], int]:
        """Return the prompt's tokens, and how many of them precede the last turn's content."""
        found: list[int] = []
        fixed = 0
        for piece in self._template.pieces(turns):
            text = piece.text
            if not piece.special:
                fixed = len(found)
            found += self.model.tokens(text, special=True) if piece.special else self.content_tokens(text)
        first = self.model.begins_with
        return (found, fixed) if found[:1] == first else (first + found, len(first) + fixed)

    def content_tokens(self, text: str) -> list[int]:
        """Tokenise a text without producing any of the template's markers.

        llama.cpp parses some markers even if configured not to ("user-defined" tokens, such as some models'
        end-of-turn markers). A text with such a marker is tokenised in parts, so that the marker stays plain
        text.
        """
        tokens = self.model.tokens(text, special=False)
        marks = {self.model.marks.get(token, "") for token in tokens}
        marks = {mark for mark in marks if len(mark.strip()) > 1}
        if not marks:
            return tokens
        return [token for part in _broken(text, marks) for token in self.model.tokens(part, special=False)]


def _broken(text: str, marks: set[str]) -> Iterator[str]:
    """Split the text after the first character of each of ``marks``, so that no part contains a whole
    mark.
    """
    start = at = 0
    while at < len(text):
        if any(text.startswith(mark, at) for mark in marks):
            yield text[start : at + 1]
            start = at + 1
        at += 1
    yield text[start:]
