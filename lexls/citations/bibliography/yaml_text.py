"""Loading YAML that somebody else wrote: plain data only, of bounded size."""

from __future__ import annotations

from typing import Any

from lexls.citations.bibliography.record import UnreadableBibliography


def load_yaml(text: str) -> Any:
    """The data of a YAML text; raises ``UnreadableBibliography``.

    Aliases are refused: a few lines of them can stand for gigabytes.
    """
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = base(text)
    try:
        while loader.check_event():
            if isinstance(loader.get_event(), yaml.AliasEvent):
                raise UnreadableBibliography("has aliases (*name), which are not read")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableBibliography(_reason(error)) from None
    finally:
        loader.dispose()
    try:
        return yaml.load(text, Loader=base)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableBibliography(_reason(error)) from None


def _reason(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f", line {mark.line + 1}" if mark is not None else ""
    return f"not YAML ({getattr(error, 'problem', None) or 'it cannot be read'}{where})"
