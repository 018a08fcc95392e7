"""Offer prompts, and say to every client what lexls is; their words are in ``prompts.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp import types as t

from lexls.agents.desk import Unanswerable
from lexls.text.phrases import load_phrases

_PHRASES: Mapping[str, Any] = load_phrases(__package__, "prompts.toml")
INSTRUCTIONS = " ".join(_PHRASES["instructions"].split())
"""What every client is told of lexls, for the model it serves."""
_PROMPTS: Mapping[str, Any] = {name: each for name, each in _PHRASES.items() if name != "instructions"}


def list_prompts() -> t.ListPromptsResult:
    """The prompts with their arguments."""
    return t.ListPromptsResult(
        prompts=[
            t.Prompt(
                name=name,
                title=each["title"],
                description=each["description"],
                arguments=[t.PromptArgument(**one) for one in each["arguments"]],
            )
            for name, each in _PROMPTS.items()
        ]
    )


def fill_prompt(name: str, given: Mapping[str, str]) -> t.GetPromptResult:
    """A prompt with what the user gave. Raises ``Unanswerable`` for one that there is not, or lacks that."""
    prompt = _PROMPTS.get(name)
    if prompt is None:
        raise Unanswerable(f"there is no such prompt; there are {', '.join(_PROMPTS)}")
    missing = [
        each["name"] for each in prompt["arguments"] if each["required"] and not given.get(each["name"])
    ]
    if missing:
        raise Unanswerable(f"the prompt {name} needs {', '.join(missing)}")
    path = given.get("path", "")
    how = f"with `path` {path}" if path else "with the draft of this conversation as `text`"
    text = prompt["text"].strip().replace("{how}", how).replace("{proposition}", given.get("proposition", ""))
    return t.GetPromptResult(
        description=prompt["description"],
        messages=[t.PromptMessage(role="user", content=t.TextContent(text=text))],
    )
