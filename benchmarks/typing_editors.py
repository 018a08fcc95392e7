"""Type into a draft as editors do: when each of them asks for completions, keeps its list, and closes it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from served import Server

EditorName = Literal["vscode", "neovim", "helix"]
Item = dict[str, Any]
_INVOKED, _TRIGGERED, _INCOMPLETE = 1, 2, 3
_HELIX_LETTERS = 2
"""Letters of a word after which Helix asks by itself."""


def is_subsequence(typed: str, text: str) -> bool:
    """Whether ``text`` has the characters of ``typed`` in this order, by which VS Code and Helix filter."""
    rest = iter(text.casefold())
    return all(char in rest for char in typed.casefold())


@dataclass
class Typist:
    """An editor with a draft of ``before`` and ``after`` and the cursor between them.

    ``items`` is what its list shows, best first; it is closed without any. ``seconds`` has what each answer
    took from the key press on, ``spent`` the processor time of the server in it. Markdown has no quick
    suggestions in VS Code, so that only a trigger character opens the list there.
    """

    server: Server
    editor: EditorName
    triggers: Sequence[str]
    before: str
    after: str
    number: int
    items: list[Item] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)
    _all: list[Item] = field(default_factory=list)
    _incomplete: bool = False
    _version: int = 1

    def __post_init__(self) -> None:
        self.uri = f"{self.server.uri.rsplit('/', 1)[0]}/draft-{self.number}.md"
        self.server.open(self.uri, self.before + self.after)
        # A draft that was opened a while ago has been read and checked.
        self.server.ask("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
        # What the first completion in a draft makes ready is paid for once a day.
        self.press("*")
        self._change(
            {**self._position(), "character": self._position()["character"] - 1}, self._position(), ""
        )
        self.before, self.items, self._all = self.before[:-1], [], []
        self.seconds.clear()
        self.spent.clear()

    def close(self) -> None:
        """Close the draft."""
        self.server.tell("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def press(self, char: str) -> None:
        """Type a character, and let the editor ask, keep or close as it does."""
        began = time.perf_counter(), self.server.spend()
        self._change(self._position(), self._position(), char)
        self.before += char
        ask: Callable[[str], int] = {"vscode": self._vscode, "neovim": self._neovim, "helix": self._helix}[
            self.editor
        ]
        kind = ask(char)
        if kind:
            self._ask(kind, char, began)
        else:
            self._filter()

    def invoke(self) -> None:
        """Ask as the command of an accepted item does."""
        self._ask(_INVOKED, "", (time.perf_counter(), self.server.spend()))

    def accept(self, item: Item) -> None:
        """Accept an item as plain text, and do what its command says."""
        edit = item["textEdit"]
        start, end = edit["range"]["start"], edit["range"]["end"]
        line, character = self._position().values()
        assert start["line"] == end["line"] == line
        self._change(start, end, edit["newText"])
        # The draft has no characters beyond the first plane: positions count as code points do.
        self.before = self.before[: len(self.before) - (character - start["character"])] + edit["newText"]
        self.after = self.after[end["character"] - character :]
        self.items, self._all = [], []
        if item.get("command", {}).get("command") == "editor.action.triggerSuggest":
            self.invoke()

    # -- the rules of editors ----------------------------------------------------------------------------

    def _vscode(self, char: str) -> int:
        if char in self.triggers:
            return _TRIGGERED
        return _INCOMPLETE if self._all and self._incomplete and _is_word(char) else 0

    def _neovim(self, char: str) -> int:
        if self.items and self._incomplete:
            return _INCOMPLETE
        return _TRIGGERED if not self.items and char in self.triggers else 0

    def _helix(self, char: str) -> int:
        if char in self.triggers:
            return _TRIGGERED
        if self.items and self._incomplete and _is_word(char):
            return _INCOMPLETE
        begun = self.before[-_HELIX_LETTERS:]
        return _INVOKED if not self.items and len(begun) == _HELIX_LETTERS and begun.isalnum() else 0

    def _filter(self) -> None:
        self.items = [each for each in self._all if self._matches(each)]
        if not self.items:
            self._all = []

    def _matches(self, item: Item) -> bool:
        start = item["textEdit"]["range"]["start"]
        here = self._position()
        if start["line"] != here["line"]:
            return False
        length = here["character"] - start["character"]
        typed = self.before[len(self.before) - length :] if length else ""
        text = item.get("filterText") or item["label"]
        if self.editor == "neovim":
            return str(text).startswith(typed)
        return is_subsequence(typed, str(text))

    # -- the protocol ------------------------------------------------------------------------------------

    def _ask(self, kind: int, char: str, began: tuple[float, float]) -> None:
        context = {"triggerKind": kind, **({"triggerCharacter": char} if kind == _TRIGGERED else {})}
        answer = self.server.ask(
            "textDocument/completion",
            {"textDocument": {"uri": self.uri}, "position": self._position(), "context": context},
        )
        self.seconds.append(time.perf_counter() - began[0])
        self.spent.append(self.server.spend() - began[1])
        found = answer or {"items": [], "isIncomplete": False}
        self._all = sorted(found["items"], key=lambda each: each.get("sortText") or each["label"])
        self._incomplete = found["isIncomplete"]
        self._filter()

    def _position(self) -> dict[str, int]:
        line = self.before.count("\n")
        character = len(self.before) - (self.before.rfind("\n") + 1)
        return {"line": line, "character": character}

    def _change(self, start: dict[str, int], end: dict[str, int], text: str) -> None:
        self._version += 1
        self.server.tell(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self._version},
                "contentChanges": [{"range": {"start": start, "end": end}, "text": text}],
            },
        )


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
