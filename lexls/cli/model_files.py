"""``lexls models add``, ``list`` and ``remove``: the model files of explain.generator = llama."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lexls.cli.failure import FINE, USAGE, CommandFailed
from lexls.cli.output import emit, note, progress_bar
from lexls.settings.load import user_settings_file
from lexls.settings.user_file import with_values

_DOING = {"fetch": "fetching", "check": "comparing", "copy": "copying"}


def add(options: argparse.Namespace) -> int:
    """Add a file, an address or a known model, and tell how to use it."""
    from lexls.models.adding import NotAdded, Wanted, add_model
    from lexls.models.gguf_files import ModelListDamaged

    wanted = Wanted(
        options.source, options.name or "", options.sha256 or "", options.copy, options.unverified
    )
    try:
        with _Bars() as bars:
            model, header = add_model(wanted, bars.show, note)
    except (NotAdded, ModelListDamaged) as error:
        raise CommandFailed(str(error)) from None
    has_template = bool(header.text("tokenizer.chat_template"))
    if not has_template:
        note(
            "the file does not say how a conversation is written for it; it may be no model for instructions"
        )
    used = _use(model.name) if options.use else ""
    data: dict[str, Any] = _entry(model) | {
        "architecture": header.architecture,
        "title": header.text("general.name") or None,
        "context_tokens": header.number("context_length"),
        "chat_template": has_template,
        "settings": used or None,
    }
    lines = [
        f"{model.name}: {model.path}",
        f"  {_described(data)}",
        f"  {_compared(model.verified, model.sha256)}",
        f"{used} now uses it." if used else f"To use it, write into {user_settings_file()}:",
        *([] if used else ['  explain.generator = "llama"', f'  llama.model = "{model.name}"']),
    ]
    emit(options, data, lines)
    return FINE


def show(options: argparse.Namespace) -> int:
    """The models that were added, and the known ones that can be."""
    from lexls.models.gguf_files import ModelListDamaged, added_models
    from lexls.models.known_models import KNOWN_MODELS

    try:
        added = added_models()
    except ModelListDamaged as error:
        raise CommandFailed(str(error)) from None
    names = {model.name for model in added}
    known = [
        {
            "name": each.name,
            "added": each.name in names,
            "about": each.about,
            "bytes": each.bytes,
            "memory_gigabytes": each.memory_gigabytes(),
            "context_tokens": each.context_tokens,
            "licence": each.licence,
            "sha256": each.sha256,
            "url": each.url,
        }
        for each in KNOWN_MODELS
    ]
    models = [_entry(each) for each in added]
    emit(options, {"models": models, "known": known}, _listed(models, known))
    return FINE


def remove(options: argparse.Namespace) -> int:
    """Take a model off the list, and delete its file if lexls fetched or copied it."""
    from lexls.models.gguf_files import ModelListDamaged, forget

    try:
        model = forget(options.name)
    except ModelListDamaged as error:
        raise CommandFailed(str(error)) from None
    if model is None:
        raise CommandFailed(f"no model called {options.name} was added", USAGE)
    what = f"deleted {model.path}" if model.owned else f"{model.path} stays where it is"
    emit(options, {"removed": model.name, "deleted": model.owned}, [f"{model.name} removed; {what}"])
    return FINE


class _Bars:
    """One bar for each thing that is done, on a terminal."""

    def __init__(self) -> None:
        self._doing = ""
        self._bar: Any = None

    def __enter__(self) -> _Bars:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, doing: str, done: int, whole: int) -> None:
        """Told again and again how far it is."""
        if not sys.stderr.isatty():
            return
        if doing != self._doing or (self._bar is not None and done < self._bar.n):
            self.__exit__()
            self._doing = doing
            self._bar = progress_bar(_DOING[doing], "B", whole or None)
            self._bar.unit, self._bar.unit_scale, self._bar.unit_divisor = "B", True, 1000
            self._bar.initial = self._bar.n = done
        self._bar.update(done - self._bar.n)


def _use(name: str) -> str:
    """Write the settings that use the model into the user's own file; the file's path."""
    from lexls.models.gguf_files import write_whole

    path = Path(os.path.realpath(user_settings_file()))
    lines = f'explain.generator = "llama" and llama.model = "{name}"'
    try:
        text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
        changed = with_values(text, {"explain.generator": "llama", "llama.model": name})
        if changed is None:
            raise CommandFailed(f"{path}: is written in a way that only you should change; add {lines} there")
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        write_whole(path, changed.encode("utf-8"))
        path.chmod(mode)
    except ValueError as error:
        raise CommandFailed(f"{path}: is not valid TOML ({error}); mend it, then add {lines}") from None
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror or error}") from None
    return str(path)


def _entry(model: Any) -> dict[str, Any]:
    return {
        "name": model.name,
        "path": str(model.path),
        "exists": model.path.is_file(),
        "bytes": model.bytes,
        "sha256": model.sha256 or None,
        "verified": model.verified or None,
        "source": model.source or None,
        "licence": model.licence or None,
    }


def _described(data: dict[str, Any]) -> str:
    facts = [
        data["title"],
        f"architecture {data['architecture']}",
        _size(data["bytes"]),
        f"trained on {data['context_tokens']} tokens of context" if data["context_tokens"] else "",
        f"licence {data['licence']}" if data["licence"] else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _compared(verified: str, sha256: str) -> str:
    whom = {
        "known": "as lexls knows it",
        "given": "as you gave it",
        "server": "as the server announced it (lexls knows none for this file)",
    }
    if not sha256:
        return "its checksum was not taken"
    return f"SHA-256 {sha256}, " + whom.get(verified, "compared with nothing")


def _listed(models: list[dict[str, Any]], known: list[dict[str, Any]]) -> Iterator[str]:
    yield "Added:" if models else "No model file is added."
    for each in models:
        state = _size(each["bytes"]) if each["exists"] else "THE FILE IS GONE"
        yield f"  {each['name']}  {state}  {each['path']}"
    yield "Known (lexls models add NAME):"
    for each in known:
        if not each["added"]:
            memory = f"about {each['memory_gigabytes']} GB of memory"
            yield f"  {each['name']}  {_size(each['bytes'])} to fetch, {memory}; licence {each['licence']}"
            yield f"    {each['about']}"
