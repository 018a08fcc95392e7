"""Read YAML written by others. Aliases are rejected, and nesting is limited, since deep nesting overflows
libyaml's stack.
"""

from __future__ import annotations

from typing import Any

DEEPEST = 64
"""Maximum nesting of lists and mappings, far more than people write."""


class UnreadableYaml(Exception):
    """A text that is not valid YAML, or that lexls rejects. The message gives the reason and quotes nothing
    of the text.

    ``line`` counts from 0; it is None if no line is at fault.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"{reason}, line {line + 1}")
        self.line = line


def load_yaml(text: str) -> Any:
    """Return the data of a YAML text; raise ``UnreadableYaml`` if it is invalid or rejected.

    Aliases are rejected, since a few lines of them can expand to gigabytes.
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
    """Check a text's aliases and nesting before any data is built, then dispose of ``loader``."""
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
