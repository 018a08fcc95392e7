"""Read YAML that somebody else wrote: within a depth, as libyaml overflows the stack, and without aliases."""

from __future__ import annotations

from typing import Any

DEEPEST = 64
"""Lists and mappings within one another. Nothing that people write comes near it."""


class UnreadableYaml(Exception):
    """A text that is no YAML, or is not read; the message is the reason and quotes nothing of it.

    ``line`` counts from 0 and is None where none is to blame.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"{reason}, line {line + 1}")
        self.line = line


def load_yaml(text: str) -> Any:
    """The data of a YAML text; raises ``UnreadableYaml``.

    Aliases are refused: a few lines of them can stand for gigabytes.
    """
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _check_events(base(text))
        return yaml.load(text, Loader=base)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise UnreadableYaml(
            f"not YAML ({problem})", _line_of(getattr(error, "problem_mark", None))
        ) from None


def _check_events(loader: Any) -> None:
    """Look at what a text consists of before anything is made of it; disposes of ``loader``."""
    import yaml

    depth = 0
    try:
        while loader.check_event():
            event = loader.get_event()
            if isinstance(event, yaml.AliasEvent):
                raise UnreadableYaml("has aliases (*name), which are not read", _line_of(event.start_mark))
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise UnreadableYaml(f"is nested more than {DEEPEST} deep", _line_of(event.start_mark))
    finally:
        loader.dispose()


def _line_of(mark: Any) -> int | None:
    return mark.line if mark is not None else None
