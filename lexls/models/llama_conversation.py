"""A language model as a partner of a conversation: its chat template and what its prompts are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lexls.models.chat_template import ChatTemplate, Turn
from lexls.models.llama_cpp_model import LlamaModel


class Conversation:
    """``model`` with the chat template ``template`` of its file ("" for none)."""

    def __init__(self, model: LlamaModel, template: str) -> None:
        self.model = model
        self._template = ChatTemplate(template, *model.first_and_last)
        self._has_template = bool(template)

    @property
    def about(self) -> str:
        """The model in words, and what the user should know of how it runs."""
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

    def prompt(self, roles: Sequence[str], contents: Sequence[str]) -> list[int]:
        """The tokens that have the model answer these turns."""
        turns = [Turn(role, content) for role, content in zip(roles, contents, strict=True)]
        found: list[int] = []
        for piece in self._template.pieces(turns):
            found += (
                self.model.tokens(piece.text, special=True)
                if piece.special
                else self.content_tokens(piece.text)
            )
        first = self.model.begins_with
        return found if found[:1] == first else first + found

    def content_tokens(self, text: str) -> list[int]:
        """The tokens of a text, none of which is a mark of the template.

        llama.cpp takes some marks for text even where it is told that there are none (tokens "defined by
        the user", as some makers call the ends of turns): such a text is read in parts, so that it is seen
        as it is written and not as the mark.
        """
        tokens = self.model.tokens(text, special=False)
        marks = {self.model.marks.get(token, "") for token in tokens}
        marks = {mark for mark in marks if len(mark.strip()) > 1}
        if not marks:
            return tokens
        return [token for part in _broken(text, marks) for token in self.model.tokens(part, special=False)]


def _broken(text: str, marks: set[str]) -> Iterator[str]:
    """The text in parts, so that no part holds any of ``marks``: each is broken after its first character."""
    start = at = 0
    while at < len(text):
        if any(text.startswith(mark, at) for mark in marks):
            yield text[start : at + 1]
            start = at + 1
        at += 1
    yield text[start:]
