"""Whether what explain.generator names could answer, as far as that is seen without asking it."""

from __future__ import annotations

import importlib.util
from typing import Any

from lexls.settings.declaration import Settings


def generator_state(settings: Settings, problems: list[str]) -> dict[str, Any]:
    """What ``lexls doctor`` tells of the generator; what is wrong is added to ``problems``.

    Nothing is loaded and no connection opened.
    """
    kind = settings.explain_generator
    state: dict[str, Any] = {"kind": kind, "model": None, "address": None, "ready": True, "reason": None}
    if kind == "llama":
        state["model"] = settings.llama_model or None
        state["reason"] = _llama(settings)
    elif kind in ("openai", "anthropic"):
        _remote(settings, kind, state)
    if state["reason"] is not None:
        state["ready"] = False
        problems.append(state["reason"])
    return state


def _llama(settings: Settings) -> str | None:
    from lexls.models.gguf_files import ModelNotFound, resolve_model
    from lexls.models.gguf_header import UnreadableModel, read_gguf_header

    if importlib.util.find_spec("llama_cpp") is None:
        return "explain.generator is llama, but llama-cpp-python is not installed: pip install 'lexls[llama]'"
    try:
        read_gguf_header(resolve_model(settings.llama_model))
    except (ModelNotFound, UnreadableModel) as error:
        return str(error)
    return None


def _remote(settings: Settings, kind: str, state: dict[str, Any]) -> None:
    from lexls.grounding.generator import GenerationFailed
    from lexls.grounding.generators.remote import endpoint

    url, model, key = (str(settings.get(f"{kind}.{name}")) for name in ("baseUrl", "model", "apiKeyEnv"))
    state["model"] = model or None
    try:
        asked = endpoint(kind, url, model, key, settings.remote_allowed, float(settings.explain_seconds))
        state["address"] = asked.address.origin
        asked.key()
    except GenerationFailed as error:
        state["reason"] = error.reason
