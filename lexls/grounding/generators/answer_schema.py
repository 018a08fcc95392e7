"""The JSON schema of an answer, for servers that hold a model to one."""

from __future__ import annotations

from typing import Any

from lexls.grounding.request import Request


def answer_schema(request: Request) -> dict[str, Any]:
    """The schema of an answer to ``request``: only its own evidence can be named, quotation before sentence.

    It keeps to what strict modes take: every property required, none added, one object at the root. So a
    model writes both keys, one of them empty.
    """
    quoted = _object(
        passage={"type": "string", "enum": [each.identifier for each in request.evidence]},
        quotation={"type": "string"},
    )
    claim = _object(evidence={"type": "array", "items": quoted}, sentence={"type": "string"})
    return _object(
        answer={"type": "array", "items": claim},
        insufficient={"type": "array", "items": {"type": "string"}},
    )


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
